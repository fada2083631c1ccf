//! The arguments of the provider as a connection. The rules between settings are in `netmgr-types`.

use netmgr_types::{Connection, PartialConfig, Unusable};
use serde_json::{Map, Value as Json};
use terraform_plugin::{AttributeValue, Diagnostic, Object};

use crate::data::{deprecations, json};
use crate::failure::invalid;
use crate::names;

/// What a configuration results in.
#[derive(Debug)]
pub(crate) enum Configured {
    /// A connection.
    Connection(Box<Connection>),
    /// These arguments are not known yet, so that no request can be sent.
    Unknown(Vec<String>),
}

/// Checks what is known. Missing settings are no failure before [`connection`], because processes that only validate
/// may lack the environment of those that read (decision engine-configuration).
pub(crate) fn check(config: &Object, environment: impl Fn(&str) -> Option<String>) -> Vec<Diagnostic> {
    // Hosts do not report the use of deprecated arguments.
    let mut diagnostics = deprecations(&names::SETTINGS, config);
    if let Err(Unusable { wrong, .. }) = partial(config).resolve(environment) {
        diagnostics.extend(wrong.into_iter().map(|problem| invalid(&problem, config)));
    }
    diagnostics
}

/// The connection that the configuration and the environment describe.
pub(crate) fn connection(
    config: &Object,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Configured, Vec<Diagnostic>> {
    let settings = partial(config);
    match settings.resolve(environment) {
        _ if !settings.unknown.is_empty() => {
            let names = settings.unknown.iter().map(|name| names::attribute(name));
            Ok(Configured::Unknown(names.collect()))
        }
        Ok(connection) => Ok(Configured::Connection(Box::new(connection))),
        Err(Unusable { wrong, missing, .. }) => {
            let problems = wrong.into_iter().chain(missing);
            Err(problems.map(|problem| invalid(&problem, config)).collect())
        }
    }
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
