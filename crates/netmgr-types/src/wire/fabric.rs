//! Compute managers and related objects: collections, nodes, upgrade groups, security settings.

use schemars::JsonSchema;
use serde::Deserialize;

use super::object::managed_object;
use super::tolerant;

/// A cluster of hosts that a compute manager reported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct ComputeCollection {
    /// Id of the object, which has no field `id`.
    #[serde(deserialize_with = "tolerant::id")]
    pub external_id: String,
    /// Display name.
    pub display_name: Option<String>,
    /// Free text.
    pub description: Option<String>,
    /// Kind of object.
    pub resource_type: Option<String>,
    /// Id inside the compute manager.
    pub cm_local_id: Option<String>,
    /// Id of the compute manager that discovered it.
    pub origin_id: Option<String>,
    /// Kind of collection, such as `VC_Cluster`.
    pub origin_type: Option<String>,
}
managed_object!(ComputeCollection, id: external_id);

/// A compute manager.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct ComputeManager {
    /// Id.
    #[serde(deserialize_with = "tolerant::id")]
    pub id: String,
    /// Display name.
    pub display_name: Option<String>,
    /// Free text.
    pub description: Option<String>,
    /// Kind of object.
    pub resource_type: Option<String>,
    /// Address or host name.
    pub server: Option<String>,
}
managed_object!(ComputeManager, id: id);

/// Realization state of a compute manager.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(remote = "Self")]
pub struct ComputeManagerState {
    /// State; absent means unknown.
    pub state: Option<String>,
    /// Failure code.
    #[serde(default, deserialize_with = "tolerant::number")]
    pub failure_code: Option<i64>,
    /// Human-readable description of the failure.
    pub failure_message: Option<String>,
    /// States of the object's parts.
    pub details: Option<Vec<StateDetail>>,
}
tolerant::known_by!(
    ComputeManagerState,
    |state| *state != Self::default(),
    "`state`, `details`, `failure_code` and `failure_message`"
);

/// State of a part of an object that is being realized.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct StateDetail {
    /// Id of the part.
    pub sub_system_id: Option<String>,
    /// Kind of part.
    pub sub_system_type: Option<String>,
    /// Name of the part.
    pub sub_system_name: Option<String>,
    /// State.
    pub state: Option<String>,
    /// Failure code.
    #[serde(default, deserialize_with = "tolerant::number")]
    pub failure_code: Option<i64>,
    /// Human-readable description of the failure.
    pub failure_message: Option<String>,
}

/// Registration and connection status of a compute manager.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(remote = "Self")]
pub struct ComputeManagerStatus {
    /// Registration status, such as `REGISTERED`.
    pub registration_status: Option<String>,
    /// Connection status, such as `UP`.
    pub connection_status: Option<String>,
    /// Errors of the registration.
    #[serde(default, deserialize_with = "tolerant::null_as_default")]
    pub registration_errors: Vec<StatusError>,
    /// Errors of the connection.
    #[serde(default, deserialize_with = "tolerant::null_as_default")]
    pub connection_errors: Vec<StatusError>,
}
tolerant::known_by!(
    ComputeManagerStatus,
    |status| *status != Self::default(),
    "`registration_status` and `connection_status`"
);

/// An entry of the error lists of [`ComputeManagerStatus`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct StatusError {
    /// Error code.
    #[serde(default, deserialize_with = "tolerant::number")]
    pub error_code: Option<i64>,
    /// Human-readable message.
    pub error_message: Option<String>,
}

/// A host or other node that a compute manager reported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct DiscoveredNode {
    /// Id of the object, which has no field `id`.
    #[serde(deserialize_with = "tolerant::id")]
    pub external_id: String,
    /// Display name.
    pub display_name: Option<String>,
    /// Free text.
    pub description: Option<String>,
    /// Kind of object.
    pub resource_type: Option<String>,
    /// IP addresses; may be empty.
    #[serde(default, deserialize_with = "tolerant::null_as_default")]
    pub ip_addresses: Vec<String>,
}
managed_object!(DiscoveredNode, id: external_id);

/// A group of an upgrade plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct UpgradeUnitGroup {
    /// Id.
    #[serde(deserialize_with = "tolerant::id")]
    pub id: String,
    /// Display name.
    pub display_name: Option<String>,
    /// Free text.
    pub description: Option<String>,
    /// Kind of object.
    pub resource_type: Option<String>,
    /// Kind of group: `EDGE`, `HOST`, `MP` or `FINALIZE_UPGRADE`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
}
managed_object!(UpgradeUnitGroup, id: id);

/// Security settings of a cluster of hosts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct ClusterSecurityConfig {
    /// Id, equal to the external id of the compute collection.
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
    /// Features with their states.
    #[serde(default, deserialize_with = "tolerant::null_as_default")]
    pub features: Vec<SecurityFeature>,
}
managed_object!(ClusterSecurityConfig, id: id, path: path);

/// A feature of [`ClusterSecurityConfig`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct SecurityFeature {
    /// Name of the feature: `DFW` or `INFRA_SECURITY_DFW`.
    pub feature: Option<String>,
    /// Whether the feature is enabled. Absent means false.
    #[serde(default, deserialize_with = "tolerant::null_as_default")]
    pub enabled: bool,
}
