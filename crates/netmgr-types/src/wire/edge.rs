//! States of edge transport nodes.

use schemars::JsonSchema;
use serde::Deserialize;

use super::fabric::StateDetail;
use super::tolerant;

/// Realization state of an edge transport node.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(remote = "Self")]
pub struct EdgeTransportNodeState {
    /// Absent until the manager has determined a state.
    pub edge_tn_state: Option<EdgeTransportNodeStatus>,
    /// Policy path of the node.
    pub edge_transport_node_path: Option<String>,
}
tolerant::known_by!(
    EdgeTransportNodeState,
    |state| *state != Self::default(),
    "`edge_tn_state` and `edge_transport_node_path`"
);

/// State of the node itself, part of [`EdgeTransportNodeState`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct EdgeTransportNodeStatus {
    /// State that determines the outcome, such as `SUCCESS`; absent means unknown.
    pub consolidated_status: Option<String>,
    /// State.
    pub state: Option<String>,
    /// Failure code.
    #[serde(default, deserialize_with = "tolerant::number")]
    pub failure_code: Option<i64>,
    /// Human-readable description of the failure.
    pub failure_message: Option<String>,
    /// States of the object's parts.
    #[serde(default, deserialize_with = "tolerant::null_as_default")]
    pub details: Vec<StateDetail>,
    /// State of the deployment of the node's virtual machine.
    pub deployment_state: Option<DeploymentState>,
}

/// State of the deployment of an edge node's virtual machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct DeploymentState {
    /// State.
    pub state: Option<String>,
    /// Failure code.
    #[serde(default, deserialize_with = "tolerant::number")]
    pub failure_code: Option<i64>,
    /// Human-readable description of the failure.
    pub failure_message: Option<String>,
    /// States of the object's parts.
    #[serde(default, deserialize_with = "tolerant::null_as_default")]
    pub details: Vec<StateDetail>,
}
