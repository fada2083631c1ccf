//! Settings from environment variables.

use super::{ConfigErrors, InvalidProperty, ProviderConfig};
use crate::Secret;

/// Defines the public lists of variables and the readers of them from one table.
macro_rules! variables {
    ($($field:ident: $property:literal = $variable:literal $(or $nsxt:literal)?,)*) => {
        impl ProviderConfig {
            /// Every property with its environment variable, in the order of the settings.
            pub const ENV: &'static [(&'static str, &'static str)] = &[$(($property, $variable)),*];

            /// Properties with the variables of the Terraform provider `vmware/nsxt`, which has none for the others.
            pub const NSXT_ENV: &'static [(&'static str, &'static str)] = &[$($(($property, $nsxt),)?)*];

            fn filled(mut self, variables: &Variables<'_>) -> Result<Self, ConfigErrors> {
                let mut problems = Vec::new();
                $(
                    if self.$field.is_none() && let Some(value) = variables.read($property, &mut problems) {
                        self.$field = Some(value);
                    }
                )*
                ConfigErrors::none_of(problems)?;
                Ok(self)
            }
        }
    };
}

variables! {
    host: "host" = "NETMGR_HOST" or "NSXT_MANAGER_HOST",
    username: "username" = "NETMGR_USERNAME" or "NSXT_USERNAME",
    password: "password" = "NETMGR_PASSWORD" or "NSXT_PASSWORD",
    allow_unverified_ssl: "allowUnverifiedSsl" = "NETMGR_ALLOW_UNVERIFIED_SSL" or "NSXT_ALLOW_UNVERIFIED_SSL",
    ca: "ca" = "NETMGR_CA" or "NSXT_CA",
    ca_file: "caFile" = "NETMGR_CA_FILE" or "NSXT_CA_FILE",
    client_auth_cert: "clientAuthCert" = "NETMGR_CLIENT_AUTH_CERT" or "NSXT_CLIENT_AUTH_CERT",
    client_auth_cert_file: "clientAuthCertFile" = "NETMGR_CLIENT_AUTH_CERT_FILE" or "NSXT_CLIENT_AUTH_CERT_FILE",
    client_auth_key: "clientAuthKey" = "NETMGR_CLIENT_AUTH_KEY" or "NSXT_CLIENT_AUTH_KEY",
    client_auth_key_file: "clientAuthKeyFile" = "NETMGR_CLIENT_AUTH_KEY_FILE" or "NSXT_CLIENT_AUTH_KEY_FILE",
    session_auth: "sessionAuth" = "NETMGR_SESSION_AUTH" or "NSXT_SESSION_AUTH",
    remote_auth: "remoteAuth" = "NETMGR_REMOTE_AUTH" or "NSXT_REMOTE_AUTH",
    enforcement_point: "enforcementPoint" = "NETMGR_ENFORCEMENT_POINT" or "NSXT_POLICY_ENFORCEMENT_POINT",
    global_manager: "globalManager" = "NETMGR_GLOBAL_MANAGER" or "NSXT_GLOBAL_MANAGER",
    license_keys: "licenseKeys" = "NETMGR_LICENSE_KEYS",
    on_demand_connection: "onDemandConnection" = "NETMGR_ON_DEMAND_CONNECTION" or "NSXT_ON_DEMAND_CONNECTION",
    cloud_auth_host: "cloudAuthHost" = "NETMGR_CLOUD_AUTH_HOST" or "NSXT_VMC_AUTH_HOST",
    cloud_auth_mode: "cloudAuthMode" = "NETMGR_CLOUD_AUTH_MODE" or "NSXT_VMC_AUTH_MODE",
    cloud_client_id: "cloudClientId" = "NETMGR_CLOUD_CLIENT_ID" or "NSXT_VMC_CLIENT_ID",
    cloud_client_secret: "cloudClientSecret" = "NETMGR_CLOUD_CLIENT_SECRET" or "NSXT_VMC_CLIENT_SECRET",
    cloud_token: "cloudToken" = "NETMGR_CLOUD_TOKEN" or "NSXT_VMC_TOKEN",
    max_retries: "maxRetries" = "NETMGR_MAX_RETRIES" or "NSXT_MAX_RETRIES",
    retry_min_delay: "retryMinDelay" = "NETMGR_RETRY_MIN_DELAY" or "NSXT_RETRY_MIN_DELAY",
    retry_max_delay: "retryMaxDelay" = "NETMGR_RETRY_MAX_DELAY" or "NSXT_RETRY_MAX_DELAY",
    retry_on_status_codes: "retryOnStatusCodes" = "NETMGR_RETRY_ON_STATUS_CODES",
    tolerate_partial_success: "toleratePartialSuccess" = "NETMGR_TOLERATE_PARTIAL_SUCCESS" or "NSXT_TOLERATE_PARTIAL_SUCCESS",
}

impl ProviderConfig {
    /// Settings that are arguments of another name in the Terraform provider `vmware/nsxt`, with these names.
    pub const NSXT_ARGUMENTS: &'static [(&'static str, &'static str)] = &[
        ("cloudAuthHost", "vmc_auth_host"),
        ("cloudAuthMode", "vmc_auth_mode"),
        ("cloudClientId", "vmc_client_id"),
        ("cloudClientSecret", "vmc_client_secret"),
        ("cloudToken", "vmc_token"),
    ];

    /// Fills absent settings from environment variables, which `lookup` returns. An empty variable is treated
    /// as unset.
    ///
    /// # Errors
    ///
    /// Lists every variable with an invalid value. Values of secrets are not quoted.
    pub fn with_env(self, lookup: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigErrors> {
        self.filled(&Variables {
            names: Self::ENV,
            lookup: &lookup,
        })
    }

    /// Fills absent settings from the variables of the Terraform provider `vmware/nsxt` ([`ProviderConfig::NSXT_ENV`]),
    /// in the forms that it accepts: truth values also as `True`, `TRUE`, `T` and `t`.
    ///
    /// # Errors
    ///
    /// The same as [`ProviderConfig::with_env`].
    pub fn with_nsxt_env(self, lookup: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigErrors> {
        self.filled(&Variables {
            names: Self::NSXT_ENV,
            lookup: &lookup,
        })
    }
}

impl InvalidProperty {
    /// A problem of a setting that an environment variable sets.
    pub(super) fn of_variable(mut self, variable: &str) -> Self {
        self.reason = format!("{} (from the environment variable {variable})", self.reason);
        self
    }
}

/// Variables by the properties that they set.
struct Variables<'a> {
    names: &'static [(&'static str, &'static str)],
    lookup: &'a dyn Fn(&str) -> Option<String>,
}

impl Variables<'_> {
    fn read<T: FromVariable>(&self, property: &str, problems: &mut Vec<InvalidProperty>) -> Option<T> {
        let (_, variable) = self.names.iter().find(|(name, _)| *name == property)?;
        let text = (self.lookup)(variable).filter(|text| !text.is_empty())?;
        let value = match self.names == ProviderConfig::NSXT_ENV {
            true => T::read_lenient(&text),
            false => T::read(&text),
        };
        let problem = |reason: String| InvalidProperty::new(property, reason).of_variable(variable);
        value.map_err(|reason| problems.push(problem(reason))).ok()
    }
}

/// A type that a variable can be parsed as. The error completes "the setting X …".
trait FromVariable: Sized {
    fn read(text: &str) -> Result<Self, String>;

    /// Also reads the other forms of [Go's `ParseBool`](https://pkg.go.dev/strconv#ParseBool).
    fn read_lenient(text: &str) -> Result<Self, String> {
        Self::read(text)
    }
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

    fn read_lenient(text: &str) -> Result<Self, String> {
        match text {
            "t" | "T" | "TRUE" | "True" => Ok(true),
            "f" | "F" | "FALSE" | "False" => Ok(false),
            _ => Self::read(text),
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
