//! Defaults and checks: from the configuration as written to a [`Connection`].
//!
//! All problems are collected and reported at once. Logins are in `login`, trust and client certificates in `tls`. No
//! file is read here.

use std::time::Duration;

use super::{ConfigErrors, InvalidProperty, ProviderConfig};
use crate::connection::{Connection, Deployment, RetrySettings};
use crate::shapes::given;
use crate::{Host, Secret};

mod login;
mod tls;

impl ProviderConfig {
    /// Applies defaults and checks everything that can be checked without reading a file.
    ///
    /// # Errors
    ///
    /// Lists every problem with its property and a remedy.
    pub fn resolve(self) -> Result<Connection, ConfigErrors> {
        let mut problems = ConfigProblems::default();
        let host = self.manager(&mut problems);
        let credentials = self.credentials(&mut problems);
        let tls = self.tls(&mut problems);
        let enforcement_point = self.checked_enforcement_point(&mut problems);
        let license_keys = self.checked_license_keys(&mut problems);
        let retry = self.retry(&mut problems);
        ConfigErrors::none_of(problems.0)?;
        Ok(Connection {
            host: host.expect("a host that is missing is a problem"),
            deployment: self.deployment(),
            credentials: credentials.expect("credentials that are missing are a problem"),
            tls,
            enforcement_point,
            retry,
            license_keys,
            on_demand: self.on_demand_connection.unwrap_or(false),
            tolerate_partial_success: self.tolerate_partial_success.unwrap_or(false),
        })
    }

    fn manager(&self, problems: &mut ConfigProblems) -> Option<Host> {
        let Some(text) = given(&self.host) else {
            problems.add(
                "host",
                required(self.host.is_some(), "is required", "NETMGR_HOST"),
            );
            return None;
        };
        problems.take("host", Host::parse(text))
    }

    fn deployment(&self) -> Deployment {
        if self.global_manager.unwrap_or(false) {
            Deployment::GlobalManager
        } else if self.on_hosted_cloud() {
            Deployment::HostedCloud
        } else {
            Deployment::PolicyManager
        }
    }

    fn checked_enforcement_point(&self, problems: &mut ConfigProblems) -> String {
        match given(&self.enforcement_point) {
            Some(point) => {
                if point.contains(['/', '&']) {
                    problems.add(
                        "enforcementPoint",
                        "must not contain \"/\" or \"&\"; use its id, not its path",
                    );
                }
                point.to_owned()
            }
            None if self.deployment() == Deployment::HostedCloud => "vmc-enforcementpoint".to_owned(),
            None => "default".to_owned(),
        }
    }

    fn checked_license_keys(&self, problems: &mut ConfigProblems) -> Vec<Secret> {
        let keys = self.license_keys.clone().unwrap_or_default();
        for (i, key) in keys.iter().enumerate() {
            if !is_license_key(key.expose()) {
                problems.add(
                    format!("licenseKeys[{i}]"),
                    "must be five groups of five characters A-Z and 0-9 joined by \"-\"",
                );
            }
        }
        let cloud = self.cloud_settings();
        if !keys.is_empty() && !cloud.is_empty() {
            problems.add(
                "licenseKeys",
                format!("cannot be used together with {}", cloud.join(", ")),
            );
        }
        keys
    }

    fn retry(&self, problems: &mut ConfigProblems) -> RetrySettings {
        let defaults = RetrySettings::default();
        let milliseconds = |number: u32| Duration::from_millis(number.into());
        let min_delay = self.retry_min_delay.map_or(defaults.min_delay, milliseconds);
        // Our choice (decision settings): a minimum above the default maximum raises the maximum; an explicit maximum
        // below the minimum is an error.
        let max_delay = self
            .retry_max_delay
            .map_or(defaults.max_delay.max(min_delay), milliseconds);
        if max_delay < min_delay {
            problems.add(
                "retryMaxDelay",
                format!(
                    "is {} ms, but must not be less than `retryMinDelay` ({} ms)",
                    max_delay.as_millis(),
                    min_delay.as_millis()
                ),
            );
        }
        let written = self.retry_on_status_codes.clone().unwrap_or_default();
        for (i, status) in written.iter().enumerate() {
            if !(100..=599).contains(status) {
                problems.add(
                    format!("retryOnStatusCodes[{i}]"),
                    format!("must be a status from 100 to 599, not {status}"),
                );
            }
        }
        RetrySettings {
            max_retries: self.max_retries.unwrap_or(defaults.max_retries),
            min_delay,
            max_delay,
            on_status: Some(written).filter(|statuses| !statuses.is_empty()),
        }
    }
}

/// The reason why a setting that is absent or empty is a problem. An empty one hides its environment variable.
fn required(is_empty: bool, why: &str, variable: &str) -> String {
    match is_empty {
        true => format!("{why}, but is empty; enter a value, or remove it to use {variable}"),
        false => format!("{why}; it can also be set by {variable}"),
    }
}

/// The problems found so far.
#[derive(Default)]
struct ConfigProblems(Vec<InvalidProperty>);

impl ConfigProblems {
    fn add(&mut self, property: impl Into<String>, reason: impl Into<String>) {
        self.0.push(InvalidProperty::new(property, reason));
    }

    /// Returns the value, or records a problem.
    fn take<T>(&mut self, property: &str, result: Result<T, impl ToString>) -> Option<T> {
        result.map_err(|error| self.add(property, error.to_string())).ok()
    }
}

fn is_license_key(key: &str) -> bool {
    let group = |group: &str| {
        group.len() == 5
            && group
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    key.split('-').count() == 5 && key.split('-').all(group)
}
