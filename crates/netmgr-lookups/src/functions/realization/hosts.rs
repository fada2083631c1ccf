//! Realization on hosts: collections of transport nodes, transport nodes and segments.

use std::time::Duration;

use netmgr_transport::{Error as RequestError, Get, Reply};
use netmgr_types::PolicyPath;
use netmgr_types::wire::{ManagedObject, StateDetail};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Realization, below, realized, seconds, state_below, wait};
use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::finding::object_kind::ObjectKind;
use crate::functions::get_compute_manager_realization::realization;
use crate::wait::{RealizationStage, RealizationState, Wait};
use crate::wording::reasons::Reasons;

/// The state of a collection of host transport nodes, as the manager sends it.
#[derive(Debug, Deserialize)]
struct CollectionState {
    state: String,
    #[serde(default)]
    cluster_level_error: Option<String>,
    #[serde(default)]
    validation_errors: Option<Vec<ValidationError>>,
    #[serde(default)]
    vlcm_transition_error: Option<String>,
}

/// A validation error of a node.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ValidationError {
    discovered_node_id: Option<String>,
    error_message: Option<String>,
}

pub(crate) async fn host_collection(
    cx: &LookupContext<'_>,
    path: &str,
    delay: &Option<Duration>,
    timeout: &Option<Duration>,
) -> Result<Realization, Error> {
    let read = |reply: &Reply| {
        let body: CollectionState = reply.json()?;
        let details: Vec<StateDetail> = body.validation_errors.into_iter().flatten().map(detail).collect();
        let verdict = match body.state.as_str() {
            "SUCCESS" => RealizationStage::Done,
            "IN_PROGRESS" => RealizationStage::Pending,
            _ => RealizationStage::Failed,
        };
        let reasons = Reasons::default()
            .whole(body.cluster_level_error.as_deref(), None)
            .whole(body.vlcm_transition_error.as_deref(), None)
            .parts(&details);
        Ok(RealizationState::new(body.state, verdict).because(reasons.text()))
    };
    let noun = "host transport node collection";
    realized(cx, noun, path, read, [delay, timeout], 1200).await
}

fn detail(error: ValidationError) -> StateDetail {
    StateDetail {
        sub_system_id: error.discovered_node_id,
        failure_message: error.error_message,
        ..StateDetail::default()
    }
}

/// Output of `getPolicySegmentRealization`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PolicySegmentRealization {
    /// Id of the segment.
    pub id: String,
    /// Name of the network on the hosts, which is the display name of the segment.
    pub network_name: String,
    /// State, such as `success`. A preview may also return a state that is not final.
    pub state: String,
}

/// The state of a segment, as the manager sends it.
#[derive(Debug, Deserialize)]
struct SegmentState {
    state: String,
    failure_message: Option<String>,
    details: Option<Vec<StateDetail>>,
}

pub(crate) async fn segment(cx: &LookupContext<'_>, path: &str) -> Result<PolicySegmentRealization, Error> {
    let path = path.trim_end_matches('/');
    let is_tolerant = cx.scope.tolerate_partial_success;
    let read = move |reply: &Reply| {
        let body: SegmentState = reply.json()?;
        let verdict = match body.state.to_ascii_lowercase().as_str() {
            "pending" | "in_progress" | "in_sync" | "unknown" => RealizationStage::Pending,
            "partial_success" if is_tolerant => RealizationStage::Done,
            "success" => RealizationStage::Done,
            "failed" | "error" | "orphaned" => RealizationStage::Reported,
            _ => RealizationStage::Failed,
        };
        let reasons = Reasons::default().whole(body.failure_message.as_deref(), None);
        let reasons = reasons.parts(body.details.as_deref().unwrap_or_default());
        Ok(RealizationState::new(body.state, verdict).because(reasons.text()))
    };
    let point = &cx.scope.enforcement_point;
    let point = format!("/infra/sites/default/enforcement-points/{point}");
    let mut state = state_below(cx, "segment", path, read, [&None, &None], 1200);
    state.state = state.state.query("enforcement_point_path", point);
    let state = wait(cx, state).await?;
    let at = PolicyPath::trusted(path);
    let segment: ManagedObject = cx
        .get(
            format!("segment {}", cx.sanitized(path)),
            below(cx, at.collection(), at.id()),
        )
        .await?;
    Ok(PolicySegmentRealization {
        id: at.id().to_owned(),
        network_name: segment.name().to_owned(),
        state: state.name,
    })
}

/// Transport nodes of all types.
pub(crate) const NODE: ObjectKind =
    ObjectKind::fixed("transport node", "TransportNode", "/api/v1/transport-nodes");

/// Reads the state of a transport node. Edge nodes have further states, most of which are failures.
fn node_state(reply: &Reply) -> Result<RealizationState, RequestError> {
    let state = realization(reply)?;
    let verdict = match state.name.as_str() {
        "NODE_READY" | "TRANSPORT_NODE_READY" => RealizationStage::Done,
        "VM_DEPLOYMENT_QUEUED" | "VM_DEPLOYMENT_IN_PROGRESS" | "REGISTRATION_PENDING" => {
            RealizationStage::Pending
        }
        _ => state.verdict,
    };
    Ok(RealizationState { verdict, ..state })
}

pub(crate) async fn transport_node(
    cx: &LookupContext<'_>,
    id: &str,
    delay: &Option<Duration>,
    timeout: &Option<Duration>,
) -> Result<Realization, Error> {
    let what = format!("transport node {}", cx.sanitized(id));
    let path = Get::new("/api/v1/transport-nodes").segment(id).segment("state");
    let (delay, timeout) = (seconds(delay, 1), seconds(timeout, 1200));
    let state = wait(cx, Wait::new(what, path, node_state, delay, timeout)).await?;
    Ok(Realization {
        id: id.to_owned(),
        state: state.name,
    })
}
