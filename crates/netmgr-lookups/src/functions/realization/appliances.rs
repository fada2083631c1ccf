//! Realization of virtual network appliances and their clusters.

use std::sync::Arc;
use std::time::Duration;

use netmgr_transport::{Error as RequestError, Reply};
use netmgr_types::shapes::given;
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Realization, realized};
use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::declared::OfKind as _;
use crate::finding::read::{By, Read};
use crate::functions::transport::GetPolicyVirtualNetworkAppliance;
use crate::wait::{RealizationStage, RealizationState};

/// The state of a virtual network appliance, as the manager sends it.
#[derive(Debug, Deserialize)]
struct ApplianceState {
    virtual_network_appliance_state: Option<ApplianceParts>,
}

/// The states of the parts of an appliance.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ApplianceParts {
    configuration_state: Option<Consolidated>,
}

/// A consolidated state.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Consolidated {
    consolidated_status: Option<String>,
}

/// The body of a reply. All of its members are optional; a body without any of them is not a valid state.
fn state_of<T: DeserializeOwned>(reply: &Reply) -> Result<T, RequestError> {
    let members: Map<String, Value> = reply.json()?;
    let is_known =
        |name: &String| name == "consolidated_status" || name.starts_with("virtual_network_appliance");
    if !members.keys().any(is_known) {
        return Err(reply.rejected("it is not the state of an appliance".to_owned(), None));
    }
    reply.json()
}

/// A consolidated status. The manager spells one of them `DEGRAGED`.
fn consolidated(status: Option<String>) -> RealizationState {
    let name = given(&status).unwrap_or("UNKNOWN").to_owned();
    let verdict = match name.as_str() {
        "UNINITIALIZED" | "IN_PROGRESS" | "SANDBOXED_REALIZATION_PENDING" | "UNKNOWN" => {
            RealizationStage::Pending
        }
        "SUCCESS" => RealizationStage::Done,
        "ERROR" | "DOWN" | "DEGRAGED" | "DEGRADED" | "DISABLED" => RealizationStage::Reported,
        _ => RealizationStage::Failed,
    };
    RealizationState::new(name, verdict)
}

pub(crate) async fn appliance(
    cx: &LookupContext<'_>,
    path: &str,
    delay: &Option<Duration>,
    timeout: &Option<Duration>,
) -> Result<Realization, Error> {
    let read = |reply: &Reply| {
        let body: ApplianceState = state_of(reply)?;
        let parts = body.virtual_network_appliance_state.unwrap_or_default();
        let state = parts.configuration_state.unwrap_or_default();
        Ok(consolidated(state.consolidated_status))
    };
    realized(
        cx,
        "virtual network appliance",
        path,
        read,
        [delay, timeout],
        1800,
    )
    .await
}

/// Output of `getPolicyVirtualNetworkApplianceClusterRealization`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ApplianceClusterRealization {
    /// Id of the cluster.
    pub id: String,
    /// State of the cluster. A preview may also return a state that is not final.
    pub state: String,
    /// Policy paths of the appliances, sorted.
    pub vna_paths: Vec<String>,
}

pub(crate) async fn appliance_cluster(
    cx: &LookupContext<'_>,
    path: &str,
    delay: &Option<Duration>,
    timeout: &Option<Duration>,
) -> Result<ApplianceClusterRealization, Error> {
    let path = path.trim_end_matches('/');
    let read = |reply: &Reply| {
        let body: Consolidated = state_of(reply)?;
        Ok(consolidated(body.consolidated_status))
    };
    let noun = "cluster of virtual network appliances";
    let Realization { id, state } = realized(cx, noun, path, read, [delay, timeout], 1800).await?;
    let read = Read::new(GetPolicyVirtualNetworkAppliance::KIND, cx.scope, By::All).below("cluster", path);
    let keep = |appliance: &ManagedObject| appliance.path().map(str::to_owned);
    let mut vna_paths = cx.collect(&Arc::new(read), keep).await?;
    vna_paths.sort();
    vna_paths.dedup();
    for member in &vna_paths {
        appliance(cx, member, delay, timeout).await?;
    }
    Ok(ApplianceClusterRealization { id, state, vna_paths })
}
