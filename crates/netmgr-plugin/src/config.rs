//! The provider's configuration as the engine passes it: checked, compared, and converted to a connection.
//!
//! Not here: how single values are decoded (`decode`), and the rules between settings, which are in `netmgr-types`.

use std::ffi::OsString;

use netmgr_lookups::Shape;
use netmgr_types::{Connection, InvalidProperty, ProviderConfig, Unusable};
use pulumi_plugin::rpc::{Changes, Diff, Error, InputFailure, MissingKey};
use pulumi_plugin::values::{Object, Value};

use crate::redact::Hidden;

mod decode;

use decode::{Decoded, Settings, settings};

/// Checks a configuration that may not be completely known yet.
///
/// Includes the environment, because it may complete or contradict the configuration. Missing settings are only
/// reported by [`connection`], because a program without lookups needs none (decision engine-configuration).
///
/// # Errors
///
/// [`Error::InvalidInput`] with all problems of the known settings.
pub(crate) fn check(news: &Object, environment: impl Fn(&str) -> Option<String>) -> Result<(), Error> {
    match Settings::decode(news).partial().resolve(environment) {
        Ok(_) => Ok(()),
        Err(Unusable { wrong, .. }) if wrong.is_empty() => Ok(()),
        Err(Unusable { wrong, .. }) => {
            let failures = wrong.into_iter().map(|problem| failure(problem, news));
            Err(Error::InvalidInput(failures.collect()))
        }
    }
}

/// Checks that the variables of settings are UTF-8.
///
/// # Errors
///
/// [`Error::Failed`] with the names of those that are not. Their values are not shown.
pub(crate) fn check_variables(environment: impl Fn(&str) -> Option<OsString>) -> Result<(), Error> {
    let variables = ProviderConfig::ENV.iter().map(|(_, variable)| *variable);
    let problems: Vec<_> = variables
        .filter(|variable| environment(variable).is_some_and(|value| value.to_str().is_none()))
        .map(|variable| format!("the environment variable {variable} is not UTF-8"))
        .collect();
    match problems.is_empty() {
        true => Ok(()),
        false => Err(unusable(problems)),
    }
}

fn unusable(problems: impl IntoIterator<Item = String>) -> Error {
    let problems = Vec::from_iter(problems).join("; ");
    Error::Failed(format!("invalid configuration: {problems}"))
}

/// The connection that a configuration and the environment describe; `None` if a part of the configuration is not known
/// yet.
///
/// # Errors
///
/// [`Error::MissingConfig`] if the only problem is missing settings, otherwise [`Error::Failed`] with all problems.
pub(crate) fn connection(
    args: &Object,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Option<Connection>, Error> {
    let settings = Settings::decode(args).partial();
    match settings.resolve(environment) {
        _ if !settings.unknown.is_empty() => Ok(None),
        Ok(connection) => Ok(Some(connection)),
        Err(Unusable { wrong, missing, .. }) if wrong.is_empty() => {
            Err(Error::MissingConfig(missing.iter().map(missing_key).collect()))
        }
        Err(Unusable { wrong, missing, .. }) => {
            let problems = wrong.iter().chain(&missing);
            Err(unusable(problems.map(InvalidProperty::to_string)))
        }
    }
}

/// Values of a configuration that must not be shown, by their marks. A value that is secret without a mark never
/// gets into a message.
pub(crate) fn hidden(args: &Object) -> Hidden {
    let is_text = |name: &str| {
        let mut settings = settings().iter();
        settings
            .any(|setting| setting.name == name && matches!(setting.shape, Shape::String | Shape::Strings))
    };
    let is_marked = |name: &str| is_text(name) && !ProviderConfig::SECRET.contains(&name);
    let texts = args.iter().filter(|(name, _)| is_marked(name));
    Hidden::of_settings(texts.map(|(name, value)| (name.as_str(), value)))
}

/// A checked configuration as stored in the state: as written, with the secrets of the schema marked as secret.
pub(crate) fn with_secrets(mut inputs: Object) -> Object {
    for name in ProviderConfig::SECRET {
        if let Some(value) = inputs.get_mut(*name)
            && !value.is_null()
            && !value.contains_unknown()
        {
            *value = Value::secret(std::mem::take(value));
        }
    }
    inputs
}

/// Differences between two checked configurations, by meaning: `"4"` and `"4.0"` equal 4, and an unset setting equals
/// null. No change requires a replacement, because functions have no state.
pub(crate) fn diff(olds: &Object, news: &Object) -> Diff {
    let (old, new) = (Settings::decode(olds), Settings::decode(news));
    let names = olds.keys().chain(news.keys());
    let mut diffs: Vec<String> = names
        .filter(|name| old.get(name) != new.get(name) || matches!(new.get(name), Decoded::Unknown))
        .cloned()
        .collect();
    diffs.sort();
    diffs.dedup();
    Diff {
        changes: if diffs.is_empty() {
            Changes::None
        } else {
            Changes::Some
        },
        diffs,
        ..Diff::default()
    }
}

/// A problem of a configuration whose secrets are not marked: quotations of the setting are removed from its reason.
fn failure(problem: InvalidProperty, news: &Object) -> InputFailure {
    let quoted = Hidden::of_unmarked(problem.setting(), news);
    InputFailure::at(problem.property, quoted.hide(&problem.reason))
}

/// A setting with its name in `pulumi config set` and its purpose.
fn missing_key(problem: &InvalidProperty) -> MissingKey {
    let setting = settings().iter().find(|setting| setting.name == problem.property);
    MissingKey {
        name: format!("netmgr:{}", problem.property),
        description: setting
            .map(|setting| setting.description.clone())
            .unwrap_or_default(),
    }
}
