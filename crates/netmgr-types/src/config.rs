//! The provider configuration as the user writes it.
//!
//! Lives here: the 26 settings, reading them from JSON, and their documentation. Environment
//! variables are in `env`, defaults and checks in `resolve`. Not here: reading certificate files.

use derive_setters::Setters;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{InvalidProperty, Secret, input, number};

mod env;
mod problem;
mod resolve;

pub use problem::ConfigErrors;

/// Settings of the provider, as written: nothing filled in, nothing checked.
///
/// Each setting that is absent or `null` may come from its environment variable
/// ([`ProviderConfig::ENV`]) and then has its default. A setting that is written wins over the
/// variable even when it is empty; an empty text counts as missing. Source: lookup-provider
/// sections 5 and 8, manager-transport 1.1 to 1.3.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[setters(into, strip_option)]
#[non_exhaustive]
#[schemars(
    description = "Settings of the provider. One that is absent or null comes from its environment variable, \
                   where that is not set either it has its default. An empty text counts as missing."
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

    /// Accept any server certificate. Leave it off outside of labs and give `ca` or `caFile`
    /// instead. Default false; can be set by NETMGR_ALLOW_UNVERIFIED_SSL.
    #[schemars(extend("default" = false))]
    pub allow_unverified_ssl: Option<bool>,

    /// CA certificates in PEM form, trusted beside those of the platform. Wins over `caFile`. Can be
    /// set by NETMGR_CA.
    pub ca: Option<String>,

    /// Path of a file with CA certificates in PEM form, trusted beside those of the platform. Can be
    /// set by NETMGR_CA_FILE.
    pub ca_file: Option<String>,

    /// Client certificate in PEM form. Needs `clientAuthKey`; the two win over the two files. Can be
    /// set by NETMGR_CLIENT_AUTH_CERT.
    pub client_auth_cert: Option<String>,

    /// Path of a file with the client certificate in PEM form. Needs `clientAuthKeyFile`. Can be set
    /// by NETMGR_CLIENT_AUTH_CERT_FILE.
    pub client_auth_cert_file: Option<String>,

    /// Private key of the client certificate in PEM form, not encrypted. Needs `clientAuthCert`. Can
    /// be set by NETMGR_CLIENT_AUTH_KEY.
    #[schemars(extend("x-secret" = true))]
    pub client_auth_key: Option<Secret>,

    /// Path of a file with the private key of the client certificate in PEM form, not encrypted.
    /// Needs `clientAuthCertFile`. Can be set by NETMGR_CLIENT_AUTH_KEY_FILE.
    pub client_auth_key_file: Option<String>,

    /// Log in once and use a session, rather than sending user name and password with each request.
    /// Without effect with a client certificate or on the hosted cloud. Default true; can be set by
    /// NETMGR_SESSION_AUTH.
    #[schemars(extend("default" = true))]
    pub session_auth: Option<bool>,

    /// Log in as a directory user of a manager before 3.0. Makes user name and password required
    /// even with a client certificate. Default false; can be set by NETMGR_REMOTE_AUTH.
    #[schemars(extend("default" = false))]
    pub remote_auth: Option<bool>,

    /// Enforcement point of policy objects. Default `default`, on the hosted cloud
    /// `vmc-enforcementpoint`; can be set by NETMGR_ENFORCEMENT_POINT.
    #[schemars(extend("pattern" = "^[^/&]*$"))]
    pub enforcement_point: Option<String>,

    /// The host is a policy global manager. Default false; can be set by NETMGR_GLOBAL_MANAGER.
    #[schemars(extend("default" = false))]
    pub global_manager: Option<bool>,

    /// Licence keys to add to the manager where they are missing, each five groups of five letters
    /// and digits. Not for the hosted cloud. Default none; can be set by NETMGR_LICENSE_KEYS,
    /// separated by commas.
    #[schemars(inner(regex(pattern = "^[A-Z0-9]{5}(-[A-Z0-9]{5}){4}$")), extend("x-secret" = true))]
    pub license_keys: Option<Vec<Secret>>,

    /// Send nothing to the manager before the first lookup, for a manager that does not exist yet
    /// when the provider is configured. Not for the hosted cloud. Default false; can be set by
    /// NETMGR_ON_DEMAND_CONNECTION.
    #[schemars(extend("default" = false))]
    pub on_demand_connection: Option<bool>,

    /// Host and path of the hosted cloud's authorization service. Default: the public service, with
    /// the path that fits the kind of cloud credentials; can be set by NETMGR_CLOUD_AUTH_HOST.
    pub cloud_auth_host: Option<String>,

    /// How requests to the hosted cloud are authorized: `Default` (through the cloud's proxy),
    /// `Bearer` (directly to the manager) or `Basic` (user name and password). Default `Default`;
    /// can be set by NETMGR_CLOUD_AUTH_MODE.
    #[schemars(extend("default" = "Default", "enum" = ["Default", "Bearer", "Basic"]))]
    pub cloud_auth_mode: Option<String>,

    /// Id of the OAuth app of the hosted-cloud organization. Needs `cloudClientSecret`; not together
    /// with `cloudToken`. Can be set by NETMGR_CLOUD_CLIENT_ID.
    #[schemars(extend("pattern" = "^[^/&]*$"))]
    pub cloud_client_id: Option<String>,

    /// Secret of the OAuth app of the hosted-cloud organization. Needs `cloudClientId`; not together
    /// with `cloudToken`. Can be set by NETMGR_CLOUD_CLIENT_SECRET.
    #[schemars(extend("x-secret" = true))]
    pub cloud_client_secret: Option<Secret>,

    /// Long-living API token of the hosted cloud. Not together with `cloudClientId` and
    /// `cloudClientSecret`. Can be set by NETMGR_CLOUD_TOKEN.
    #[schemars(extend("x-secret" = true))]
    pub cloud_token: Option<Secret>,

    /// How often a failed request is repeated. Default 4; can be set by NETMGR_MAX_RETRIES.
    #[serde(default, deserialize_with = "number::whole")]
    #[schemars(extend("default" = 4))]
    pub max_retries: Option<u32>,

    /// Shortest wait before a failed request is repeated, in milliseconds. Default 0; can be set by
    /// NETMGR_RETRY_MIN_DELAY.
    #[serde(default, deserialize_with = "number::whole")]
    #[schemars(extend("default" = 0))]
    pub retry_min_delay: Option<u32>,

    /// Longest wait before a failed request is repeated, in milliseconds. A longer wait that the
    /// manager asks for is kept. Default 500, or `retryMinDelay` when that is more; can be set by
    /// NETMGR_RETRY_MAX_DELAY.
    #[serde(default, deserialize_with = "number::whole")]
    #[schemars(extend("default" = 500))]
    pub retry_max_delay: Option<u32>,

    /// Reply statuses on which a request is repeated, from 100 to 599. A list replaces the default
    /// list, unless it is empty; each of its statuses is then repeated, also 400, 401, 403 and 404.
    /// Default 400 (only while the search index catches up), 409, 429, 500, 502, 503, 504; can be
    /// set by NETMGR_RETRY_ON_STATUS_CODES, separated by commas.
    #[serde(default, deserialize_with = "number::whole_list")]
    #[schemars(inner(range(min = 100, max = 599)), extend("default" = [400, 409, 429, 500, 502, 503, 504]))]
    pub retry_on_status_codes: Option<Vec<u16>>,

    /// Treat a partial success as success. Default false; can be set by
    /// NETMGR_TOLERATE_PARTIAL_SUCCESS.
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
    /// Those of [`ProviderConfig::with_env`].
    pub fn from_env() -> Result<Self, ConfigErrors> {
        Self::default().with_env(|variable| std::env::var(variable).ok())
    }

    /// Reads a configuration from a JSON object.
    ///
    /// # Errors
    ///
    /// Every property that is unknown or of the wrong type, with the reason. The value of a secret
    /// is not repeated.
    pub fn from_json(value: Value) -> Result<Self, ConfigErrors> {
        let Value::Object(properties) = value else {
            return Err(InvalidProperty::new("", "the configuration must be a JSON object").into());
        };
        // One property at a time first, so that all problems come at once.
        ConfigErrors::none_of(
            properties
                .iter()
                .filter_map(|(name, value)| problem_with(name, value)),
        )?;
        Ok(serde_json::from_value(Value::Object(properties))
            .expect("each property decodes and none is required"))
    }
}

/// What is wrong with the name or the type of one property.
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

/// Says that a property is unknown, and which one is written almost like it.
fn unknown(property: &str) -> String {
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    match ProviderConfig::ENV
        .iter()
        .find(|(name, _)| plain(name) == plain(property))
    {
        Some((name, _)) => format!("is not a setting of the provider; did you mean {name}?"),
        None => "is not a setting of the provider".to_owned(),
    }
}

#[cfg(test)]
mod tests;
