//! `getPolicyEdgeTransportNodeRealization`: waits until an edge transport node is realized.

use std::time::Duration;

use netmgr_transport::{Error as RequestError, Reply};
use netmgr_types::shapes::given;
use netmgr_types::wire::{EdgeTransportNodeState, EdgeTransportNodeStatus};
use netmgr_types::{PolicyPath, number};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::spec::{ResultKind, Since};
use crate::declared::paths::EDGE_TRANSPORT_NODE as NODE;
use crate::declared::rules::Rule::ForeignPathOf;
use crate::declared::rules::{at_least_one, delay};
use crate::declared::wording::{OBJECT, Wording};
use crate::declared::{OfKind as _, calls};
use crate::functions::realization::{below, seconds};
use crate::functions::transport::GetPolicyEdgeTransportNode;
use crate::wait::{RealizationStage, RealizationState, Wait};
use crate::wording::reasons::Reasons;

const INPUT: Wording = OBJECT.shared(
    "EdgeTransportNodeRealizationInput",
    "Input of `getPolicyEdgeTransportNodeRealization`.",
);

calls! {
    ENTRIES;

    /// Waits until an edge transport node is realized.
    GetPolicyEdgeTransportNodeRealization = "getPolicyEdgeTransportNodeRealization", "edge transport node" {
        inputs: as INPUT {
            /// Policy path of the edge transport node.
            path: String => ForeignPathOf(NODE),
            /// Seconds before the first poll. Default 1.
            delay: Option<Duration> => delay(1),
            /// Maximum duration of the wait in seconds, including the delay. At least 1. Default 1200.
            timeout: Option<Duration> => at_least_one(1200),
        },
        output: EdgeTransportNodeRealization => wait(path, delay, timeout),
        reads: [GetPolicyEdgeTransportNode::KIND],
        facts: since(&[Since::version("9.0.0")])
            .answer(ResultKind::State)
            .example(r#"{"path": "/infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-01", "timeout": 600}"#)
            .source("4.2, 4.3 and 7")
    }
}

/// Output of `getPolicyEdgeTransportNodeRealization`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EdgeTransportNodeRealization {
    /// Id of the edge transport node, taken from `path`.
    pub id: String,
    /// Policy path of the edge transport node.
    pub path: String,
    /// Realization state: `SUCCESS`. A preview may also return a state that is not final.
    pub state: String,
    /// Reason that the manager gives for a failed state, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<String>,
    /// Seconds before the first poll.
    #[serde(default, with = "number::seconds", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub delay: Option<Duration>,
    /// Maximum duration of the wait in seconds.
    #[serde(default, with = "number::seconds", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub timeout: Option<Duration>,
}

impl GetPolicyEdgeTransportNodeRealization {
    /// Waits for the edge transport node with this policy path.
    pub fn of(path: impl Into<String>) -> Self {
        Self::default().path(path)
    }
}

async fn wait(
    cx: &LookupContext<'_>,
    path: &str,
    delay: &Option<Duration>,
    timeout: &Option<Duration>,
) -> Result<EdgeTransportNodeRealization, Error> {
    let at = PolicyPath::trusted(path);
    let (delay, timeout) = (seconds(delay, 1), seconds(timeout, 1200));
    let what = format!("edge transport node {}", cx.sanitized(path));
    let wait = Wait::new(what, below(cx, at.as_str(), "state"), realization, delay, timeout);
    let state = cx.wait(&wait).await?;
    Ok(EdgeTransportNodeRealization {
        id: at.id().to_owned(),
        state: state.name,
        failure_reason: state.reason,
        delay: Some(delay),
        timeout: Some(timeout),
        path: path.to_owned(),
    })
}

/// Reads the consolidated status. An absent or empty status is unknown.
fn realization(reply: &Reply) -> Result<RealizationState, RequestError> {
    let body: EdgeTransportNodeState = reply.json()?;
    let status = body.edge_tn_state.unwrap_or_default();
    let name = given(&status.consolidated_status).unwrap_or("UNKNOWN").to_owned();
    let verdict = match name.to_ascii_uppercase().as_str() {
        "UNINITIALIZED" | "IN_PROGRESS" | "SANDBOXED_REALIZATION_PENDING" | "UNKNOWN" => {
            RealizationStage::Pending
        }
        "SUCCESS" => RealizationStage::Done,
        _ => RealizationStage::Failed,
    };
    // The status of a realized node may still contain the failure of an earlier attempt.
    let reason = (verdict != RealizationStage::Done)
        .then(|| failure(&status))
        .flatten();
    Ok(RealizationState::new(name, verdict).because(reason))
}

/// The failure reasons of the node, its parts and its deployment, as far as they are present.
fn failure(status: &EdgeTransportNodeStatus) -> Option<String> {
    let node = Reasons::default()
        .whole(status.failure_message.as_deref(), status.failure_code)
        .parts(&status.details);
    let all = match &status.deployment_state {
        Some(deployment) => node
            .whole(deployment.failure_message.as_deref(), deployment.failure_code)
            .parts(&deployment.details),
        None => node,
    };
    all.text()
}
