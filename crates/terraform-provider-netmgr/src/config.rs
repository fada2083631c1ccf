//! The arguments of the provider as a connection. The rules between settings are in `netmgr-types`.

use std::ffi::OsString;

use netmgr_types::{Connection, InvalidProperty, PartialConfig, ProviderConfig, Unusable};
use serde_json::{Map, Value as Json};
use terraform_plugin::{AttributeValue, Diagnostic, Object};

use crate::diagnostics::{deprecations, invalid};
use crate::names;
use crate::values::json;

/// Checks the known settings. Missing settings are only reported by [`connection`], because processes that only
/// validate may lack the environment of those that read (decision engine-configuration).
pub(crate) fn check(config: &Object, environment: impl Fn(&str) -> Option<OsString>) -> Vec<Diagnostic> {
    // Hosts do not report the use of deprecated arguments.
    let mut diagnostics = deprecations(&names::SETTINGS, config);
    diagnostics.extend(unreadable(&environment));
    if let Err(Unusable { wrong, .. }) = partial(config).resolve(texts(environment)) {
        diagnostics.extend(problems(wrong, config));
    }
    diagnostics
}

/// The connection that the configuration and the environment describe. All arguments are known.
pub(crate) fn connection(
    config: &Object,
    environment: impl Fn(&str) -> Option<OsString>,
) -> Result<Connection, Vec<Diagnostic>> {
    let unreadable = unreadable(&environment);
    if !unreadable.is_empty() {
        return Err(unreadable);
    }
    let connection = partial(config).resolve(texts(environment));
    connection.map_err(|Unusable { wrong, missing, .. }| {
        problems(wrong, config).chain(problems(missing, config)).collect()
    })
}

/// The arguments that are not known yet, so that no request can be sent.
pub(crate) fn unknown_arguments(config: &Object) -> Vec<String> {
    let names = names::SETTINGS
        .iter()
        .map(|setting| names::attribute(&setting.name));
    names
        .filter(|name| config.get(name).is_some_and(AttributeValue::contains_unknown))
        .collect()
}

fn problems(all: Vec<InvalidProperty>, config: &Object) -> impl Iterator<Item = Diagnostic> {
    all.into_iter().map(|problem| invalid(&problem, config))
}

/// Variables of settings that are not UTF-8. Their values are not shown.
fn unreadable(environment: impl Fn(&str) -> Option<OsString>) -> Vec<Diagnostic> {
    let problem = |variable: &str| {
        let value = environment(variable)?;
        let error = str::from_utf8(value.as_encoded_bytes()).err()?;
        Some(Diagnostic::error(
            "Invalid environment variable",
            format!("The environment variable {variable} is not UTF-8: {error}. Set it in UTF-8."),
        ))
    };
    let variables = ProviderConfig::ENV.iter();
    variables.filter_map(|(_, variable)| problem(variable)).collect()
}

/// The variables that are UTF-8.
fn texts(environment: impl Fn(&str) -> Option<OsString>) -> impl Fn(&str) -> Option<String> {
    move |variable| environment(variable)?.into_string().ok()
}

/// The arguments by the names of the settings.
fn partial(config: &Object) -> PartialConfig {
    let mut known = Map::new();
    let mut partial = PartialConfig::default();
    for setting in names::SETTINGS.iter() {
        let value = config
            .get(&names::attribute(&setting.name))
            .unwrap_or(&AttributeValue::Null);
        if value.contains_unknown() {
            partial.unknown.insert(setting.name.clone());
        } else {
            known.insert(setting.name.clone(), json(value, setting));
        }
    }
    partial.known = Json::Object(known);
    partial
}
