//! Settings from environment variables.

use super::{ConfigErrors, InvalidProperty, ProviderConfig};
use crate::Secret;

/// Defines the public list of variables and `with_env` from one table.
macro_rules! variables {
    ($($field:ident: $property:literal = $variable:literal,)*) => {
        impl ProviderConfig {
            /// Every property with its environment variable, in the order of the settings.
            pub const ENV: &'static [(&'static str, &'static str)] = &[$(($property, $variable)),*];

            /// Fills absent settings from environment variables, which `lookup` returns. An empty variable is treated
            /// as unset.
            ///
            /// # Errors
            ///
            /// Lists every variable with an invalid value. Values of secrets are not quoted.
            pub fn with_env(self, lookup: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigErrors> {
                self.filled(&lookup)
            }

            fn filled(mut self, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, ConfigErrors> {
                let mut problems = Vec::new();
                $(
                    if self.$field.is_none()
                        && let Some(text) = lookup($variable).filter(|text| !text.is_empty())
                    {
                        match FromVariable::read(&text) {
                            Ok(value) => self.$field = Some(value),
                            Err(reason) => problems.push(InvalidProperty::new(
                                $property,
                                format!("is set by the environment variable {}, which {reason}", $variable),
                            )),
                        }
                    }
                )*
                ConfigErrors::none_of(problems)?;
                Ok(self)
            }
        }
    };
}

variables! {
    host: "host" = "NETMGR_HOST",
    username: "username" = "NETMGR_USERNAME",
    password: "password" = "NETMGR_PASSWORD",
    allow_unverified_ssl: "allowUnverifiedSsl" = "NETMGR_ALLOW_UNVERIFIED_SSL",
    ca: "ca" = "NETMGR_CA",
    ca_file: "caFile" = "NETMGR_CA_FILE",
    client_auth_cert: "clientAuthCert" = "NETMGR_CLIENT_AUTH_CERT",
    client_auth_cert_file: "clientAuthCertFile" = "NETMGR_CLIENT_AUTH_CERT_FILE",
    client_auth_key: "clientAuthKey" = "NETMGR_CLIENT_AUTH_KEY",
    client_auth_key_file: "clientAuthKeyFile" = "NETMGR_CLIENT_AUTH_KEY_FILE",
    session_auth: "sessionAuth" = "NETMGR_SESSION_AUTH",
    remote_auth: "remoteAuth" = "NETMGR_REMOTE_AUTH",
    enforcement_point: "enforcementPoint" = "NETMGR_ENFORCEMENT_POINT",
    global_manager: "globalManager" = "NETMGR_GLOBAL_MANAGER",
    license_keys: "licenseKeys" = "NETMGR_LICENSE_KEYS",
    on_demand_connection: "onDemandConnection" = "NETMGR_ON_DEMAND_CONNECTION",
    cloud_auth_host: "cloudAuthHost" = "NETMGR_CLOUD_AUTH_HOST",
    cloud_auth_mode: "cloudAuthMode" = "NETMGR_CLOUD_AUTH_MODE",
    cloud_client_id: "cloudClientId" = "NETMGR_CLOUD_CLIENT_ID",
    cloud_client_secret: "cloudClientSecret" = "NETMGR_CLOUD_CLIENT_SECRET",
    cloud_token: "cloudToken" = "NETMGR_CLOUD_TOKEN",
    max_retries: "maxRetries" = "NETMGR_MAX_RETRIES",
    retry_min_delay: "retryMinDelay" = "NETMGR_RETRY_MIN_DELAY",
    retry_max_delay: "retryMaxDelay" = "NETMGR_RETRY_MAX_DELAY",
    retry_on_status_codes: "retryOnStatusCodes" = "NETMGR_RETRY_ON_STATUS_CODES",
    tolerate_partial_success: "toleratePartialSuccess" = "NETMGR_TOLERATE_PARTIAL_SUCCESS",
}

/// A type that a variable can be parsed as. The error completes "the environment variable X, which …".
trait FromVariable: Sized {
    fn read(text: &str) -> Result<Self, String>;
}

impl FromVariable for String {
    fn read(text: &str) -> Result<Self, String> {
        Ok(text.to_owned())
    }
}

impl FromVariable for Secret {
    fn read(text: &str) -> Result<Self, String> {
        Ok(Self::new(text))
    }
}

impl FromVariable for bool {
    fn read(text: &str) -> Result<Self, String> {
        match text {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(format!("must be true, 1, false or 0 in lower case, not {text:?}")),
        }
    }
}

impl FromVariable for u32 {
    fn read(text: &str) -> Result<Self, String> {
        text.trim()
            .parse()
            .map_err(|_| format!("must be a non-negative whole number, not {text:?}"))
    }
}

impl FromVariable for Vec<u16> {
    fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        // A JSON list without its brackets is a list separated by commas.
        let list = text
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .unwrap_or(text);
        items(list)
            .map(|item| item.parse().ok())
            .collect::<Option<_>>()
            .ok_or_else(|| format!("must be a list of whole numbers such as 429,503, not {text:?}"))
    }
}

impl FromVariable for Vec<Secret> {
    fn read(text: &str) -> Result<Self, String> {
        Ok(items(text).map(Secret::new).collect())
    }
}

/// The non-empty items of a comma-separated list, without surrounding spaces.
fn items(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|item| !item.is_empty())
}
