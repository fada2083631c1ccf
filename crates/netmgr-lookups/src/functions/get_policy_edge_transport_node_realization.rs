//! `getPolicyEdgeTransportNodeRealization`: waits until an edge transport node is realized.

use std::time::Duration;

use netmgr_transport::{Error as RequestError, Get, Reply};
use netmgr_types::number;
use netmgr_types::wire::{EdgeTransportNodeState, EdgeTransportNodeStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::error::{Error, Problem};
use crate::lookup::Lookup;
use crate::plan::{POLICY_PATH, policy_path};
use crate::spec::{Answer, LookupSpec, Since};
use crate::wait::{State, Verdict, Wait, clause, schedule};

/// Waits until an edge transport node is realized. A failed deployment fails the call.
///
/// Source: lookup-provider 4.3 and section 7, manager-api B.3, manager-transport 8.4.
pub struct GetPolicyEdgeTransportNodeRealization;

/// Input of `getPolicyEdgeTransportNodeRealization`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EdgeTransportNodeRealizationInput {
    /// Policy path of the edge transport node.
    #[schemars(
        regex(pattern = POLICY_PATH),
        extend("allOf" = [
            { "pattern": "/sites/[^/]" },
            { "pattern": "/enforcement-points/[^/]" },
            { "pattern": "/edge-transport-nodes/[^/]" },
        ])
    )]
    pub path: String,
    /// Seconds before the first poll. Default 1.
    #[serde(default, with = "number::seconds")]
    #[schemars(with = "Option<f64>", range(min = 0), extend("default" = 1, "exclusiveMaximum" = number::seconds::END))]
    pub delay: Option<Duration>,
    /// Seconds after which the wait is given up, the delay included. At least 1. Default 1200.
    #[serde(default, with = "number::seconds")]
    #[schemars(with = "Option<f64>", range(min = 1), extend("default" = 1200, "exclusiveMaximum" = number::seconds::END))]
    pub timeout: Option<Duration>,
}

/// Output of `getPolicyEdgeTransportNodeRealization`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EdgeTransportNodeRealization {
    /// Policy path of the edge transport node.
    pub path: String,
    /// Realization state: `SUCCESS`; in a preview also a state that is not final.
    pub state: String,
    /// The manager's reason for a state that is not good, when it gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<String>,
}

impl Lookup for GetPolicyEdgeTransportNodeRealization {
    const SPEC: LookupSpec = LookupSpec::new(
        "getPolicyEdgeTransportNodeRealization",
        "edge transport node",
        "Waits until an edge transport node is realized.",
    )
    .since(&[Since::version("9.0.0")])
    .answers(Answer::State)
    .example(r#"{"path": "/infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-01", "timeout": 600}"#)
    .source("lookup-provider 4.2, 4.3 and 7");
    type Input = EdgeTransportNodeRealizationInput;
    type Output = EdgeTransportNodeRealization;

    async fn run(input: Self::Input, cx: &Context<'_>) -> Result<Self::Output, Error> {
        let (state, (delay, timeout)) = state_of(&input.path)
            .and_then(|state| Ok((state, schedule(input.delay, input.timeout)?)))
            .map_err(|problem| cx.invalid(vec![problem]))?;
        let what = format!("edge transport node {}", input.path);
        let state = cx
            .wait(&Wait {
                what,
                state,
                read: realization,
                delay,
                timeout,
            })
            .await?;
        Ok(EdgeTransportNodeRealization {
            path: input.path,
            state: state.name,
            failure_reason: state.reason,
        })
    }
}

/// Where the state of the node at `path` is read.
fn state_of(path: &str) -> Result<Get, Problem> {
    let path = policy_path("path", path)?;
    let id = |after: &str| {
        let mut segments = path.split('/').skip_while(|segment| *segment != after);
        segments.nth(1).filter(|id| !id.is_empty()).ok_or_else(|| {
            Problem::new(
                "path",
                format!(
                    "has no id after `{after}`; give the policy path of an edge transport node, such as \
                     `/infra/sites/default/enforcement-points/default/edge-transport-nodes/node-1`"
                ),
            )
        })
    };
    Ok(Get::new("/policy/api/v1/infra/sites")
        .segment(id("sites")?)
        .segment("enforcement-points")
        .segment(id("enforcement-points")?)
        .segment("edge-transport-nodes")
        .segment(id("edge-transport-nodes")?)
        .segment("state"))
}

/// Reads the consolidated status. An absent one is still unknown.
fn realization(reply: &Reply) -> Result<State, RequestError> {
    let body: EdgeTransportNodeState = reply.json()?;
    let status = body.edge_tn_state.unwrap_or_default();
    let reason = failure(&status);
    let name = status.consolidated_status.unwrap_or_else(|| "UNKNOWN".to_owned());
    let verdict = match name.to_ascii_uppercase().as_str() {
        "UNINITIALIZED" | "IN_PROGRESS" | "SANDBOXED_REALIZATION_PENDING" | "UNKNOWN" => Verdict::Pending,
        "SUCCESS" => Verdict::Done,
        _ => Verdict::Failed,
    };
    Ok(State {
        name,
        verdict,
        reason,
    })
}

/// The reasons of the whole and of the deployment; either can be missing.
fn failure(status: &EdgeTransportNodeStatus) -> Option<String> {
    let deployment = status
        .deployment_state
        .as_ref()
        .and_then(|state| state.failure_message.as_deref());
    let mut reasons: Vec<&str> = [status.failure_message.as_deref(), deployment]
        .into_iter()
        .flatten()
        .map(clause)
        .filter(|text| !text.is_empty())
        .collect();
    reasons.dedup();
    (!reasons.is_empty()).then(|| reasons.join(", "))
}
