//! Edge clusters, their nodes, and the routers that run on them.

use schemars::JsonSchema;
use serde::Deserialize;

use super::fabric::StateDetail;
use super::object::managed_object;
use super::tolerant;

/// An edge cluster of the manager API.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct EdgeCluster {
    /// Id.
    #[serde(deserialize_with = "tolerant::id")]
    pub id: String,
    /// Display name.
    pub display_name: Option<String>,
    /// Free text.
    pub description: Option<String>,
    /// Kind of object.
    pub resource_type: Option<String>,
    /// `VIRTUAL_MACHINE`, `PHYSICAL_MACHINE` or `UNKNOWN`.
    pub deployment_type: Option<String>,
    /// `EDGE_NODE`, `PUBLIC_CLOUD_GATEWAY_NODE` or `UNKNOWN`.
    pub member_node_type: Option<String>,
    /// The transport nodes of the cluster; `None` if the object omits them.
    pub members: Option<Vec<EdgeClusterMember>>,
}
managed_object!(EdgeCluster, id: id);

/// A member of an [`EdgeCluster`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct EdgeClusterMember {
    /// Its index in the cluster.
    #[serde(default, deserialize_with = "tolerant::number")]
    pub member_index: Option<i64>,
    /// Id of the transport node.
    pub transport_node_id: Option<String>,
}

/// A tier-0 or tier-1 router of the manager API.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct LogicalRouter {
    /// Id.
    #[serde(deserialize_with = "tolerant::id")]
    pub id: String,
    /// Display name.
    pub display_name: Option<String>,
    /// Free text.
    pub description: Option<String>,
    /// Kind of object.
    pub resource_type: Option<String>,
    /// `TIER0`, `TIER1` or `VRF`.
    pub router_type: Option<String>,
    /// Id of its edge cluster; absent on purely distributed routers.
    pub edge_cluster_id: Option<String>,
    /// `ACTIVE_ACTIVE` or `ACTIVE_STANDBY`; absent on purely distributed routers.
    pub high_availability_mode: Option<String>,
}
managed_object!(LogicalRouter, id: id);

/// A node of a policy edge cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct EdgeNode {
    /// Id: the member index as a string.
    #[serde(deserialize_with = "tolerant::id")]
    pub id: String,
    /// Display name.
    pub display_name: Option<String>,
    /// Free text.
    pub description: Option<String>,
    /// Kind of object.
    pub resource_type: Option<String>,
    /// Policy path.
    pub path: Option<String>,
    /// Policy path of the cluster.
    pub parent_path: Option<String>,
    /// Index of the node in its cluster, starting at 0.
    #[serde(default, deserialize_with = "tolerant::number")]
    pub member_index: Option<i64>,
    /// Id of the transport node.
    pub nsx_id: Option<String>,
    /// Id of the transport node on managers that no longer send `nsx_id`.
    pub edge_transport_node_uuid: Option<String>,
    /// Policy path of the transport node on those managers.
    pub edge_transport_node_path: Option<String>,
    /// Identifier assigned by the system.
    pub unique_id: Option<String>,
    /// Identifier of the realization.
    pub realization_id: Option<String>,
    /// Whether the object is being deleted. Absent means false.
    #[serde(default, deserialize_with = "tolerant::null_as_default")]
    pub marked_for_delete: bool,
}
managed_object!(EdgeNode, id: id, path: path, deleted: marked_for_delete);

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
