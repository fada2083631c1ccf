//! The provider configuration as the user writes it.
//!
//! Contains the 26 settings, their documentation, and decoding from JSON. Environment variables are in `env`,
//! defaults and checks in `resolve`, unknown settings in `partial`. Certificate files are read by the transport.

use derive_setters::Setters;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{InvalidProperty, Secret, input, number, similar};

mod env;
mod partial;
mod problem;
mod resolve;

pub use partial::{PartialConfig, Unusable};
pub use problem::ConfigErrors;

/// Settings of the provider as the user wrote them, without defaults and checks.
///
/// A setting that is absent or `null` can be filled from its environment variable ([`ProviderConfig::ENV`]), and
/// otherwise has its default. A setting that is present takes precedence over the variable even if it is empty; an
/// empty string is then treated as unset.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[setters(into, strip_option)]
#[non_exhaustive]
#[schemars(
    description = "Settings of the provider. A setting that is absent or null is read from its environment variable. \
                   Empty strings are treated as unset."
)]
pub struct ProviderConfig {
    /// Host name or IP address of the manager, optionally with `https://`, a port and the path
    /// prefix of a hosted-cloud proxy. Required; can be set by NETMGR_HOST.
    pub host: Option<String>,

    /// User name. Required unless a client certificate or cloud credentials are given; can be set
    /// by NETMGR_USERNAME.
    pub username: Option<String>,

    /// Password. Required with the user name; can be set by NETMGR_PASSWORD.
    #[schemars(extend("x-secret" = true))]
    pub password: Option<Secret>,

    /// Accept any server certificate. Outside of test environments, set `ca` or `caFile` instead. Default
    /// false; can be set by NETMGR_ALLOW_UNVERIFIED_SSL.
    #[schemars(extend("default" = false))]
    pub allow_unverified_ssl: Option<bool>,

    /// CA certificates in PEM format, trusted in addition to the certificates of the platform. Takes precedence over
    /// `caFile`. Can be set by NETMGR_CA.
    pub ca: Option<String>,

    /// Path of a file with CA certificates in PEM format, trusted in addition to the certificates of the platform. Can
    /// be set by NETMGR_CA_FILE.
    pub ca_file: Option<String>,

    /// Client certificate in PEM format. Requires `clientAuthKey`. Both take precedence over
    /// `clientAuthCertFile` and `clientAuthKeyFile`. Can be set by NETMGR_CLIENT_AUTH_CERT.
    pub client_auth_cert: Option<String>,

    /// Path of a file with the client certificate in PEM format. Requires `clientAuthKeyFile`. Can be set by
    /// NETMGR_CLIENT_AUTH_CERT_FILE.
    pub client_auth_cert_file: Option<String>,

    /// Unencrypted private key of the client certificate in PEM format. Requires `clientAuthCert`. Can be set
    /// by NETMGR_CLIENT_AUTH_KEY.
    #[schemars(extend("x-secret" = true))]
    pub client_auth_key: Option<Secret>,

    /// Path of a file with the unencrypted private key of the client certificate in PEM format. Requires
    /// `clientAuthCertFile`. Can be set by NETMGR_CLIENT_AUTH_KEY_FILE.
    pub client_auth_key_file: Option<String>,

    /// Log in once and use a session instead of sending the user name and password with each request. Has no
    /// effect with a client certificate or on the hosted cloud. Default true; can be set by
    /// NETMGR_SESSION_AUTH.
    #[schemars(extend("default" = true))]
    pub session_auth: Option<bool>,

    /// Log in as a directory user of a manager older than version 3.0. The user name and password are then
    /// required even with a client certificate. Default false; can be set by NETMGR_REMOTE_AUTH.
    #[schemars(extend("default" = false))]
    pub remote_auth: Option<bool>,

    /// Enforcement point of policy objects. Default `default`, or `vmc-enforcementpoint` on the hosted cloud;
    /// can be set by NETMGR_ENFORCEMENT_POINT.
    #[schemars(extend("pattern" = "^[^/&]*$"))]
    pub enforcement_point: Option<String>,

    /// Whether the host is a policy global manager. Default false; can be set by NETMGR_GLOBAL_MANAGER.
    #[schemars(extend("default" = false))]
    pub global_manager: Option<bool>,

    /// Licence keys that are added to the manager if it lacks them. Each key is five groups of five letters
    /// and digits. Not supported on the hosted cloud. Default none; can be set by NETMGR_LICENSE_KEYS,
    /// separated by commas.
    #[schemars(inner(regex(pattern = "^[A-Z0-9]{5}(-[A-Z0-9]{5}){4}$")), extend("x-secret" = true))]
    pub license_keys: Option<Vec<Secret>>,

    /// Do not connect to the manager before the first lookup. Use this if the manager does not exist yet when
    /// the provider is configured. Not supported on the hosted cloud. Default false; can be set by
    /// NETMGR_ON_DEMAND_CONNECTION.
    #[schemars(extend("default" = false))]
    pub on_demand_connection: Option<bool>,

    /// Host and path of the hosted cloud's authorization service. Default: the public service, with the path
    /// for the configured cloud credentials; can be set by NETMGR_CLOUD_AUTH_HOST.
    pub cloud_auth_host: Option<String>,

    /// How requests to the hosted cloud are authorized: `Default` (through the cloud's proxy),
    /// `Bearer` (directly to the manager) or `Basic` (user name and password). Default `Default`;
    /// can be set by NETMGR_CLOUD_AUTH_MODE.
    #[schemars(extend("default" = "Default", "enum" = ["Default", "Bearer", "Basic"]))]
    pub cloud_auth_mode: Option<String>,

    /// Id of the OAuth app of the hosted-cloud organization. Requires `cloudClientSecret`. Cannot be combined
    /// with `cloudToken`. Can be set by NETMGR_CLOUD_CLIENT_ID.
    #[schemars(extend("pattern" = "^[^/&]*$"))]
    pub cloud_client_id: Option<String>,

    /// Secret of the OAuth app of the hosted-cloud organization. Requires `cloudClientId`. Cannot be combined
    /// with `cloudToken`. Can be set by NETMGR_CLOUD_CLIENT_SECRET.
    #[schemars(extend("x-secret" = true))]
    pub cloud_client_secret: Option<Secret>,

    /// Long-lived API token of the hosted cloud. Cannot be combined with `cloudClientId` and
    /// `cloudClientSecret`. Can be set by NETMGR_CLOUD_TOKEN.
    #[schemars(extend("x-secret" = true))]
    pub cloud_token: Option<Secret>,

    /// Maximum number of retries of a failed request. Default 4; can be set by NETMGR_MAX_RETRIES.
    #[serde(default, deserialize_with = "number::whole")]
    #[schemars(extend("default" = 4))]
    pub max_retries: Option<u32>,

    /// Minimum delay before a retry, in milliseconds. Default 0; can be set by NETMGR_RETRY_MIN_DELAY.
    #[serde(default, deserialize_with = "number::whole")]
    #[schemars(extend("default" = 0))]
    pub retry_min_delay: Option<u32>,

    /// Maximum delay before a retry, in milliseconds. A longer `Retry-After` of the manager is honoured, up to 60 s.
    /// Default 500, or `retryMinDelay` if that is larger; can be set by NETMGR_RETRY_MAX_DELAY.
    #[serde(default, deserialize_with = "number::whole")]
    #[schemars(extend("default" = 500))]
    pub retry_max_delay: Option<u32>,

    /// HTTP status codes on which a request is retried, from 100 to 599. A non-empty list replaces the
    /// default list, and every status in it is retried, including 400, 401, 403 and 404. Default 400 (only
    /// while the search index is out of date), 409, 429, 500, 502, 503, 504; can be set by
    /// NETMGR_RETRY_ON_STATUS_CODES, separated by commas.
    #[serde(default, deserialize_with = "number::whole_list")]
    #[schemars(inner(range(min = 100, max = 599)), extend("default" = [400, 409, 429, 500, 502, 503, 504]))]
    pub retry_on_status_codes: Option<Vec<u16>>,

    /// Treat a partial success as a success. Default false; can be set by NETMGR_TOLERATE_PARTIAL_SUCCESS.
    #[schemars(extend("default" = false))]
    pub tolerate_partial_success: Option<bool>,
}

impl ProviderConfig {
    /// The properties whose values must not be shown.
    pub const SECRET: &'static [&'static str] = &[
        "password",
        "clientAuthKey",
        "licenseKeys",
        "cloudClientSecret",
        "cloudToken",
    ];

    /// The settings of a manager at `host`, all others absent.
    pub fn new(host: impl Into<String>) -> Self {
        Self::default().host(host)
    }

    /// The settings of the process's environment; see [`ProviderConfig::ENV`].
    ///
    /// # Errors
    ///
    /// The same as [`ProviderConfig::with_env`].
    pub fn from_env() -> Result<Self, ConfigErrors> {
        Self::default().with_env(|variable| std::env::var(variable).ok())
    }

    /// Reads a configuration from a JSON object.
    ///
    /// # Errors
    ///
    /// Lists every property that is unknown or has a wrong type. Values of secrets are not quoted.
    pub fn from_json(value: Value) -> Result<Self, ConfigErrors> {
        let Value::Object(properties) = value else {
            return Err(InvalidProperty::new("", "the configuration must be a JSON object").into());
        };
        // Decode each property separately first, to report all problems at once.
        ConfigErrors::none_of(
            properties
                .iter()
                .filter_map(|(name, value)| problem_with(name, value)),
        )?;
        Ok(serde_json::from_value(Value::Object(properties))
            .expect("each property decodes and none is required"))
    }
}

/// The problem with the name or the type of a property, if any.
fn problem_with(name: &str, value: &Value) -> Option<InvalidProperty> {
    if !known(name) {
        return Some(InvalidProperty::new(name, unknown(name)));
    }
    let alone = Value::Object(Map::from_iter([(name.to_owned(), value.clone())]));
    input::decode::<ProviderConfig>(alone).err()
}

fn known(property: &str) -> bool {
    ProviderConfig::ENV.iter().any(|(name, _)| *name == property)
}

/// The message for an unknown property, with a similar known one.
fn unknown(property: &str) -> String {
    let settings: Vec<&str> = ProviderConfig::ENV.iter().map(|(name, _)| *name).collect();
    match similar(property, &settings).first() {
        Some(name) => format!("is not a setting; did you mean {name}?"),
        None => "is not a setting".to_owned(),
    }
}

#[cfg(test)]
mod tests;
