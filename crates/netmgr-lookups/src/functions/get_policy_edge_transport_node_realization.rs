//! `getPolicyEdgeTransportNodeRealization`: waits until an edge transport node is realized.

use std::sync::Arc;
use std::time::Duration;

use derive_setters::Setters;
use netmgr_transport::{Error as RequestError, Reply};
use netmgr_types::number;
use netmgr_types::shapes::given;
use netmgr_types::wire::{EdgeTransportNodeState, EdgeTransportNodeStatus};
use netmgr_types::{InvalidProperty, PolicyPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::function::{Invocation, Lookup};
use crate::contract::spec::{LookupSpec, ResultKind, Since};
use crate::declared::OfKind as _;
use crate::declared::paths::EDGE_TRANSPORT_NODE as NODE;
use crate::finding::plan::required_text;
use crate::finding::read::{ObjectKind, Scope};
use crate::functions::realization::below;
use crate::functions::transport::GetPolicyEdgeTransportNode;
use crate::wait::{RealizationStage, RealizationState, Wait, schedule};
use crate::wording::reasons::Reasons;

/// Waits until an edge transport node is realized. A failed deployment fails the call.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(
    rename = "EdgeTransportNodeRealizationInput",
    description = "Input of `getPolicyEdgeTransportNodeRealization`."
)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetPolicyEdgeTransportNodeRealization {
    /// Policy path of the edge transport node.
    #[schemars(regex(pattern = NODE.pattern()))]
    pub path: String,
    /// Seconds before the first poll. Default 1.
    #[serde(default, with = "number::seconds")]
    #[schemars(with = "Option<f64>", range(min = 0), extend("default" = 1, "exclusiveMaximum" = number::seconds::END))]
    pub delay: Option<Duration>,
    /// Maximum duration of the wait in seconds, including the delay. At least 1. Default 1200.
    #[serde(default, with = "number::seconds")]
    #[schemars(with = "Option<f64>", range(min = 1), extend("default" = 1200, "exclusiveMaximum" = number::seconds::END))]
    pub timeout: Option<Duration>,
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
        Self {
            path: path.into(),
            delay: None,
            timeout: None,
        }
    }

    /// The path of the node, and the delay and the timeout of the wait.
    fn checked(&self) -> Result<(String, (Duration, Duration)), InvalidProperty> {
        let path = required_text("path", &self.path)?;
        let path = NODE
            .read(path)
            .map_err(|reason| InvalidProperty::new("path", reason))?;
        Ok((path.to_owned(), schedule(self.delay, self.timeout)?))
    }
}

impl Lookup for GetPolicyEdgeTransportNodeRealization {
    type Output = EdgeTransportNodeRealization;
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyEdgeTransportNodeRealization",
        "edge transport node",
        "Waits until an edge transport node is realized.",
    )
    .since(&[Since::version("9.0.0")])
    .answers(ResultKind::State)
    .example(r#"{"path": "/infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-01", "timeout": 600}"#)
    .source("4.2, 4.3 and 7");

    const KINDS: &'static [&'static ObjectKind] = &[GetPolicyEdgeTransportNode::KIND];

    fn invocation(self, _: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let (path, schedule) = self.checked().map_err(|problem| vec![problem])?;
        Ok(Invocation::own(move |cx| Box::pin(self.run(cx, path, schedule))))
    }
}

impl GetPolicyEdgeTransportNodeRealization {
    async fn run(
        self,
        cx: &LookupContext<'_>,
        path: String,
        (delay, timeout): (Duration, Duration),
    ) -> Result<EdgeTransportNodeRealization, Error> {
        let state = cx
            .wait(&Wait {
                what: format!("edge transport node {}", cx.sanitized(&self.path)),
                state: below(cx, &path, "state"),
                read: Arc::new(realization),
                delay,
                timeout,
                interval: None,
                intent: None,
            })
            .await?;
        Ok(EdgeTransportNodeRealization {
            id: PolicyPath::trusted(&path).id().to_owned(),
            state: state.name,
            failure_reason: state.reason,
            delay: Some(delay),
            timeout: Some(timeout),
            path: self.path,
        })
    }
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
    Ok(RealizationState {
        name,
        verdict,
        reason,
    })
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
