//! Configurations that are not completely known yet, as engines pass them.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use super::{ConfigErrors, InvalidProperty, ProviderConfig};
use crate::{Connection, Secret};

/// A configuration that may not be completely known yet.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct PartialConfig {
    /// The settings that are known, by name; `null` for others.
    pub known: Value,
    /// Settings whose value, or a part of it, is not known yet. They hide their environment variables.
    pub unknown: BTreeSet<String>,
    /// Problems that the caller found when it decoded the settings.
    pub problems: Vec<InvalidProperty>,
    /// Whether the variables of the Terraform provider `vmware/nsxt` fill what is absent after the variables of netmgr.
    pub reads_nsxt_env: bool,
}

/// Reasons why a configuration does not resolve to a connection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unusable {
    /// Settings that are invalid or contradict each other.
    pub wrong: Vec<InvalidProperty>,
    /// Settings that are required and absent.
    pub missing: Vec<InvalidProperty>,
}

/// Prints no values, because some are secret.
impl fmt::Debug for PartialConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartialConfig")
            .field("unknown", &self.unknown)
            .field("problems", &self.problems)
            .finish_non_exhaustive()
    }
}

impl From<Vec<InvalidProperty>> for Unusable {
    fn from(wrong: Vec<InvalidProperty>) -> Self {
        let missing = Vec::new();
        Self { wrong, missing }
    }
}

impl PartialConfig {
    /// A configuration with these settings, a JSON object, and nothing unknown.
    #[must_use]
    pub fn new(known: Value) -> Self {
        Self {
            known,
            ..Self::default()
        }
    }

    /// Combines the known settings with the environment. The connection is only usable if nothing is unknown.
    ///
    /// # Errors
    ///
    /// All problems of the known settings.
    pub fn resolve(&self, environment: impl Fn(&str) -> Option<String>) -> Result<Connection, Unusable> {
        let problems = || self.problems.iter().cloned();
        let written = match ProviderConfig::from_json(self.known.clone()) {
            Ok(written) if self.problems.is_empty() => written,
            Ok(_) => return Err(self.problems.clone().into()),
            Err(errors) => return Err(problems().chain(errors).collect::<Vec<_>>().into()),
        };
        let environment = |variable: &str| {
            let mut pairs = ProviderConfig::ENV.iter().chain(ProviderConfig::NSXT_ENV);
            let pair = pairs.find(|(_, name)| *name == variable);
            let unknown = pair.is_some_and(|(setting, _)| self.unknown.contains(*setting));
            if unknown { None } else { environment(variable) }
        };
        let mut config = written.with_env(environment).map_err(Vec::from_iter)?;
        if self.reads_nsxt_env {
            config = config.with_nsxt_env(environment).map_err(Vec::from_iter)?;
        }
        let absent = config.absent();
        config
            .resolve()
            .map_err(|errors| self.sort(errors, &absent, environment))
    }

    /// Separates problems of absent settings from others, and drops problems of unknown settings. Those of settings
    /// from the environment name the variable.
    fn sort(
        &self,
        errors: ConfigErrors,
        absent: &[&str],
        environment: impl Fn(&str) -> Option<String>,
    ) -> Unusable {
        let nsxt = ProviderConfig::NSXT_ENV.iter().filter(|_| self.reads_nsxt_env);
        let variables: Vec<_> = ProviderConfig::ENV.iter().chain(nsxt).collect();
        let named = |problem: InvalidProperty| {
            let is_set = |variable| environment(variable).is_some_and(|text| !text.is_empty());
            let mut variables = variables.iter().filter(|(name, _)| *name == problem.setting());
            match variables.find(|(_, variable)| is_set(variable)) {
                Some((name, variable)) if self.known[*name].is_null() => problem.of_variable(variable),
                _ => problem,
            }
        };
        let known = errors
            .into_iter()
            .filter(|problem| !self.unknown.contains(problem.setting()))
            .map(named);
        let (missing, wrong) = known.partition(|problem| absent.contains(&problem.property.as_str()));
        Unusable { wrong, missing }
    }
}

impl ProviderConfig {
    /// The absent settings that a login requires.
    fn absent(&self) -> Vec<&'static str> {
        let given = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
        let secret_given = |text: &Option<Secret>| text.as_ref().is_some_and(|text| !text.is_empty());
        [
            ("host", given(&self.host)),
            ("username", given(&self.username)),
            ("password", secret_given(&self.password)),
        ]
        .into_iter()
        .filter_map(|(name, given)| (!given).then_some(name))
        .collect()
    }
}

impl InvalidProperty {
    /// The property without the path inside it: `licenseKeys` of `licenseKeys[1]`.
    #[must_use]
    pub fn setting(&self) -> &str {
        self.property.split(['[', '.']).next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn names(problems: &[InvalidProperty]) -> Vec<&str> {
        problems.iter().map(|problem| problem.property.as_str()).collect()
    }

    #[test]
    fn absent_settings_are_missing_and_not_wrong() {
        let unusable = PartialConfig::new(json!({ "retryMinDelay": 2, "retryMaxDelay": 1 }))
            .resolve(|_| None)
            .unwrap_err();
        assert_eq!(names(&unusable.wrong), ["retryMaxDelay"]);
        assert_eq!(names(&unusable.missing), ["host", "username", "password"]);
    }

    #[test]
    fn an_unknown_setting_hides_its_variable_and_its_problems() {
        let mut config = PartialConfig::new(json!({ "username": "admin", "password": "x" }));
        config.unknown.insert("host".to_owned());
        let environment = |variable: &str| (variable == "NETMGR_HOST").then(|| "not a host/%".to_owned());
        let unusable = config.resolve(environment).unwrap_err();
        assert_eq!(unusable, Unusable::default());
    }

    #[test]
    fn debug_shows_no_values() {
        let config = PartialConfig::new(json!({ "password": "hunter2" }));
        assert!(!format!("{config:?}").contains("hunter2"));
    }

    #[test]
    fn problems_of_the_caller_come_first() {
        let mut config = PartialConfig::new(json!({ "nothing": 1 }));
        config
            .problems
            .push(InvalidProperty::new("maxRetries", "must be a number"));
        let unusable = config.resolve(|_| None).unwrap_err();
        assert_eq!(names(&unusable.wrong), ["maxRetries", "nothing"]);
    }
}
