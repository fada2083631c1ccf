//! States of compute managers.

use schemars::JsonSchema;
use serde::Deserialize;

use super::tolerant;

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
