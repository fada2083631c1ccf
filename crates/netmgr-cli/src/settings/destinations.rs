//! The host, and the user or the authorization service, that a credential is for. It is never sent to another one.

use netmgr_types::Host;
use serde_json::Value;

use super::{CREDENTIALS, MergedSettings};
use crate::failure::CliError;
use crate::origins::SettingOrigin;

impl MergedSettings {
    /// All credentials, and the other secrets that are sent to a manager, with their origins.
    pub(super) fn credentials(&self) -> impl Iterator<Item = (&str, &SettingOrigin)> {
        let set = self
            .values
            .iter()
            .filter(|(name, _)| CREDENTIALS.contains(&name.as_str()) || *name == "licenseKeys");
        set.map(|(name, setting)| (name.as_str(), &setting.origin))
            .chain(self.password.iter().map(|(_, origin)| ("password", origin)))
    }

    /// Rejects credentials of a file that would be sent to another host or user than the file has for them, or to another
    /// authorization service. Those of a profile and those outside of profiles belong to the host beside them.
    pub(super) fn check_destinations(&self) -> Result<(), CliError> {
        for (credential, origin) in self.credentials() {
            let SettingOrigin::File { profile, .. } = origin else {
                continue;
            };
            let [shared, own] = &self.file;
            let (scope, places) = match profile {
                Some(_) => ("profile", [own, shared]),
                None => ("file", [shared, own]),
            };
            for (destination, rule) in destinations(credential) {
                let Some(used) = self.values.get(destination) else {
                    continue;
                };
                // A profile cannot name the service of credentials outside of it.
                let is_outside = destination == "cloudAuthHost" && profile.is_none();
                let places = &places[..if is_outside { 1 } else { 2 }];
                let its = places.iter().find_map(|place| place.get(destination));
                if !is_for(destination, its, &used.value) {
                    return Err(CliError::usage_because(
                        format!("the credentials of a {scope} are {rule} of the {scope}"),
                        format!(
                            "{credential} is from {origin}, and {destination} is from {}",
                            used.origin
                        ),
                        format!("remove the {destination}, or set credentials for it in the same source"),
                    ));
                }
            }
        }
        Ok(())
    }

    /// Whether a credential may only be sent to the value of `destination`.
    pub(crate) fn binds(&self, destination: &str) -> bool {
        let mut bound = self.credentials().flat_map(|(name, _)| destinations(name));
        bound.any(|(setting, _)| setting == destination)
    }
}

/// The settings that a credential belongs to, each with the rule.
pub(super) fn destinations(credential: &str) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
    let other = match credential {
        "password" => Some(("username", "used only for the user")),
        _ if credential.starts_with("cloud") => {
            Some(("cloudAuthHost", "sent only to the authorization service"))
        }
        _ => None,
    };
    [("host", "sent only to the host")].into_iter().chain(other)
}

/// Whether a credential may be sent to the value `used` of `destination`. `its` is the value in the place of the
/// credential. Without one, it is for all hosts or users, and for the default authorization service.
pub(super) fn is_for(destination: &str, its: Option<&Value>, used: &Value) -> bool {
    match its {
        Some(its) => is_same(destination, its, used),
        None => destination != "cloudAuthHost",
    }
}

/// Whether two values of a setting are the same; addresses can be written in several forms.
fn is_same(property: &str, one: &Value, other: &Value) -> bool {
    let address = |value: &Value| Some(Host::parse(value.as_str()?).ok()?.base_url());
    one == other || property == "host" && address(one).is_some_and(|one| address(other) == Some(one))
}
