//! The arguments of the provider as a connection. The rules between settings are in `netmgr-types`.

use std::ffi::OsString;

use netmgr_types::{Connection, InvalidProperty, PartialConfig, ProviderConfig, Unusable};
use serde_json::{Map, Value as Json};
use terraform_plugin::{AttributeValue, Diagnostic, Object};

use crate::diagnostics::{deprecations, invalid_setting};
use crate::values::json;
use crate::{arguments, names};

/// Checks the known settings. Missing settings are only reported by [`connection`], because processes that only
/// validate may lack the environment of those that read (decision engine-configuration).
pub(crate) fn check(config: &Object, environment: impl Fn(&str) -> Option<OsString>) -> Vec<Diagnostic> {
    // Hosts do not report the use of deprecated arguments.
    let mut diagnostics = deprecations(&names::SETTINGS, config);
    diagnostics.extend(ignored(config));
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
        .map(|setting| arguments::written(&setting.name, config));
    names
        .filter(|name| config.get(name).is_some_and(AttributeValue::contains_unknown))
        .collect()
}

/// One warning about arguments that have no effect here.
fn ignored(config: &Object) -> Option<Diagnostic> {
    let is_set = |name: &&str| config.get(*name).is_some_and(|value| !value.is_null());
    let names: Vec<String> = names::IGNORED
        .into_iter()
        .filter(is_set)
        .map(|name| format!("`{name}`"))
        .collect();
    (!names.is_empty()).then(|| {
        Diagnostic::warning(
            "Argument without effect",
            format!(
                "{} only concerns the cache of the provider vmware/nsxt.",
                names.join(" or ")
            ),
        )
    })
}

fn problems(all: Vec<InvalidProperty>, config: &Object) -> impl Iterator<Item = Diagnostic> {
    all.into_iter().map(|problem| invalid_setting(&problem, config))
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
    let variables = ProviderConfig::ENV.iter().chain(ProviderConfig::NSXT_ENV);
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
    partial.reads_nsxt_env = true;
    for setting in names::SETTINGS.iter() {
        let attribute = names::attribute(&setting.name);
        let written = arguments::written(&setting.name, config);
        if written != attribute && config.get(&attribute).is_some_and(|value| !value.is_null()) {
            let reason = format!("is the same setting as `{attribute}`; remove one of them");
            partial
                .problems
                .push(InvalidProperty::new(written.clone(), reason));
        }
        let value = config.get(&written).unwrap_or(&AttributeValue::Null);
        if value.contains_unknown() {
            partial.unknown.insert(setting.name.clone());
        } else {
            known.insert(setting.name.clone(), json(value, setting));
        }
    }
    partial.known = Json::Object(known);
    partial
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config<const N: usize>(members: [(&str, &str); N]) -> Object {
        let members = members.map(|(name, value)| (name.to_owned(), value.into()));
        members.into()
    }

    #[test]
    fn arguments_of_nsxt_set_the_same_settings() {
        let config = config([
            ("host", "mgr"),
            ("vmc_token", "token"),
            ("vmc_auth_mode", "Bearer"),
            ("cache_mode", "disabled"),
            ("context_id", "run"),
        ]);
        let warnings = check(&config, |_| None);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0]
                .detail
                .starts_with("`cache_mode` or `context_id` only"),
            "{warnings:?}"
        );
        let connection = connection(&config, |_| None).unwrap();
        assert!(matches!(
            connection.credentials,
            netmgr_types::Credentials::Cloud(_)
        ));
    }

    #[test]
    fn problems_name_the_arguments_that_are_set() {
        let twice = config([("vmc_token", "a"), ("cloud_token", "b"), ("vmc_client_id", "c")]);
        let mut texts: Vec<_> = check(&twice, |_| None)
            .into_iter()
            .map(|one| one.detail)
            .collect();
        assert_eq!(
            texts,
            ["`vmc_token` is the same setting as `cloud_token`; remove one of them."]
        );
        let two = config([("vmc_token", "a"), ("vmc_client_id", "c")]);
        texts = check(&two, |_| None).into_iter().map(|one| one.detail).collect();
        assert_eq!(
            texts,
            ["`vmc_token` cannot be used together with `vmc_client_id`."]
        );
    }

    #[test]
    fn variables_of_nsxt_configure_the_provider() {
        let environment = |name: &str| {
            let value = match name {
                "NSXT_MANAGER_HOST" => "mgr",
                "NSXT_USERNAME" => "admin",
                "NSXT_PASSWORD" => "pw",
                _ => return None,
            };
            Some(OsString::from(value))
        };
        assert_eq!(
            connection(&Object::default(), environment).unwrap().host.name,
            "mgr"
        );
    }
}
