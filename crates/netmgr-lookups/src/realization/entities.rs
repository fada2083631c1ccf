//! Realized entities of policy objects.

use std::sync::Arc;
use std::time::Duration;

use netmgr_transport::{Get, Reply};
use netmgr_types::shapes::given;
use netmgr_types::{Deployment, InvalidProperty};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Latest, keep, seconds, taken, wait};
use crate::context::LookupContext;
use crate::error::Error;
use crate::read::{ObjectKind, Tree};
use crate::wait::{RealizationStage, RealizationState, Wait};

/// The realized entities of an object, as the manager sends them.
#[derive(Debug, Deserialize)]
struct Entities {
    results: Vec<Value>,
}

/// Realized entities of all objects, which the search finds.
pub(crate) const ENTITY: ObjectKind =
    ObjectKind::anywhere("realized entity", "GenericPolicyRealizedResource");

/// A realized entity.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Entity {
    id: String,
    display_name: Option<String>,
    entity_type: Option<String>,
    state: Option<String>,
    realization_specific_identifier: Option<String>,
    publish_status_error: Option<String>,
    extended_attributes: Vec<Attribute>,
}

/// An attribute of a realized entity.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Attribute {
    key: Option<String>,
    values: Vec<String>,
}

impl Entity {
    fn values(&self, key: &str) -> Vec<String> {
        let mut attributes = self.extended_attributes.iter();
        let found = attributes.find(|attribute| attribute.key.as_deref() == Some(key));
        found
            .map(|attribute| attribute.values.clone())
            .unwrap_or_default()
    }
}

/// Waits until the entity of the object at `path` that `choose` selects is realized. An entity with an error is final.
async fn realized_entity(
    cx: &LookupContext<'_>,
    path: &str,
    site: &Option<String>,
    (delay, timeout): (Duration, Duration),
    choose: impl Fn(Vec<Entity>) -> Option<Entity> + Send + Sync + 'static,
) -> Result<(String, Entity), Error> {
    let path = path.trim_end_matches('/');
    let tree = Tree::around(path, cx.scope().deployment).unwrap_or(Tree::Local);
    let base = format!("{}/realized-state/realized-entities", tree.base());
    let mut get = Get::new(tree.root())
        .policy_path(&base)
        .query("intent_path", path);
    if let Some(site) = given(site).filter(|_| cx.scope().deployment == Deployment::GlobalManager) {
        get = get.query("site_path", site);
    }
    let latest: Latest<Entity> = Latest::default();
    let kept = Arc::clone(&latest);
    let read = move |reply: &Reply| {
        let entities: Entities = reply.json()?;
        // A malformed entity does not hide the others.
        let rows = entities.results.into_iter();
        let entities = rows.filter_map(|row| serde_json::from_value(row).ok());
        let entity = choose(entities.collect()).unwrap_or_default();
        let name = given(&entity.state).unwrap_or("UNKNOWN").to_owned();
        let verdict = match name.as_str() {
            "UNKNOWN" | "UNREALIZED" => RealizationStage::Pending,
            _ => RealizationStage::Done,
        };
        let reason = (name != "REALIZED")
            .then(|| entity.publish_status_error.clone())
            .flatten();
        keep(&kept, entity);
        Ok(RealizationState {
            name,
            verdict,
            reason,
        })
    };
    let state = wait(
        cx,
        Wait {
            what: format!("policy object {}", cx.shown(path)),
            state: get,
            read: Arc::new(read),
            delay,
            timeout,
            interval: None,
        },
    )
    .await?;
    Ok((state.name, taken(&latest).unwrap_or_default()))
}

/// Output of `getPolicyRealizationInfo`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PolicyRealizationInfo {
    /// Type of the realized entity; empty if there is none yet.
    pub entity_type: String,
    /// Id of the realized entity; empty if there is none yet.
    pub id: String,
    /// Identifier of the realization; empty if there is none.
    pub realized_id: String,
    /// State: `REALIZED` or `ERROR`. A preview may also return a state that is not final.
    pub state: String,
}

pub(crate) async fn realization_info(
    cx: &LookupContext<'_>,
    path: &str,
    entity_type: &Option<String>,
    site: &Option<String>,
    delay: &Option<Duration>,
    timeout: &Option<Duration>,
) -> Result<PolicyRealizationInfo, Error> {
    let wanted = given(entity_type).map(str::to_owned);
    let choose = move |entities: Vec<Entity>| {
        let is_meant = |entity: &Entity| wanted.is_none() || entity.entity_type == wanted;
        entities.into_iter().find(is_meant)
    };
    let schedule = (seconds(delay, 1), seconds(timeout, 1200));
    let (state, entity) = realized_entity(cx, path, site, schedule, choose).await?;
    Ok(PolicyRealizationInfo {
        entity_type: entity.entity_type.unwrap_or_default(),
        id: entity.id,
        realized_id: entity.realization_specific_identifier.unwrap_or_default(),
        state,
    })
}

/// Output of `getPolicyGatewayInterfaceRealization`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PolicyGatewayInterfaceRealization {
    /// Id of the realized entity; empty if there is none yet.
    pub id: String,
    /// IP addresses.
    pub ip_address: Vec<String>,
    /// MAC address; empty if it is not known.
    pub mac_address: String,
    /// State: `REALIZED` or `ERROR`. A preview may also return a state that is not final.
    pub state: String,
}

#[expect(clippy::too_many_arguments, reason = "they are the inputs of the function")]
pub(crate) async fn interface(
    cx: &LookupContext<'_>,
    path: &Option<String>,
    older_path: &Option<String>,
    id: &Option<String>,
    name: &Option<String>,
    site: &Option<String>,
    delay: &Option<Duration>,
    timeout: &Option<Duration>,
) -> Result<PolicyGatewayInterfaceRealization, Error> {
    let path = match (given(path), given(older_path)) {
        (Some(path), None) | (None, Some(path)) => path,
        _ => {
            let problem = InvalidProperty::new("gatewayInterfacePath", "is required, without `gatewayPath`");
            return Err(cx.invalid(vec![problem]));
        }
    };
    let (id, name) = (given(id).map(str::to_owned), given(name).map(str::to_owned));
    let choose = move |entities: Vec<Entity>| {
        let find = |is_meant: &dyn Fn(&&Entity) -> bool| entities.iter().find(is_meant).cloned();
        let is_called = |entity: &&Entity| entity.display_name == name;
        let contains = |entity: &&Entity| {
            let text = entity.display_name.as_deref().unwrap_or_default();
            name.as_ref().is_some_and(|part| text.contains(part))
        };
        match (&id, &name) {
            (Some(id), _) => find(&|entity| entity.id == *id),
            (None, Some(_)) => find(&is_called).or_else(|| find(&contains)),
            (None, None) => {
                find(&|entity| !entity.values("IpAddresses").is_empty()).or_else(|| entities.first().cloned())
            }
        }
    };
    let schedule = (seconds(delay, 5), seconds(timeout, 600));
    let (state, entity) = realized_entity(cx, path, site, schedule, choose).await?;
    Ok(PolicyGatewayInterfaceRealization {
        ip_address: entity.values("IpAddresses"),
        mac_address: entity.values("MacAddress").into_iter().next().unwrap_or_default(),
        id: entity.id,
        state,
    })
}
