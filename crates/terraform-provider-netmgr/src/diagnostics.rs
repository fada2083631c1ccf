//! Errors and warnings as diagnostics: a short summary, a sentence with the causes, and the argument.

use std::error::Error as _;

use netmgr_lookups::{CallInputs, Error, ErrorKind, InvalidProperty, Place, Property, Words, in_one_clause};
use netmgr_transport::ErrorKind as RequestErrorKind;
use terraform_plugin::{AttributeStep, AttributeValue, Diagnostic, Object, Path};

use crate::{arguments, names};

/// The arguments that select an object, most specific first. A failure to find it is reported at the first one that is
/// configured.
const SELECTORS: [&str; 3] = ["id", "display_name", "path"];

/// An argument of a data source that cannot be used.
pub(crate) fn invalid(problem: &InvalidProperty, config: &Object) -> Diagnostic {
    unusable(problem, &names::WORDS, path(&problem.property, config))
}

/// An argument of the provider that cannot be used.
pub(crate) fn invalid_setting(problem: &InvalidProperty, config: &Object) -> Diagnostic {
    let name = arguments::written(problem.setting(), config);
    let property = problem.property.replacen(problem.setting(), &name, 1);
    unusable(problem, &arguments::words(config), path(&property, config))
}

fn unusable(problem: &InvalidProperty, words: &Words, path: Path) -> Diagnostic {
    let detail = sentence(&words.text(&problem.to_string()));
    Diagnostic::error("Invalid argument", detail).at(path)
}

/// Warnings about deprecated arguments, which hosts do not report.
pub(crate) fn deprecations(properties: &[Property], config: &Object) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for property in properties {
        let name = names::attribute(&property.name);
        let is_set = config
            .get(&name)
            .is_some_and(|value| !value.is_null() && *value != "".into());
        if let Some(instead) = property.deprecation.as_ref().filter(|_| is_set) {
            let detail = format!("`{name}` is deprecated: {}.", names::WORDS.text(instead));
            warnings.push(Diagnostic::warning("Deprecated argument", detail).at(Path::attribute(name)));
        }
    }
    warnings
}

/// The warning about a deprecated data source and those that replace it, with the same prefix.
pub(crate) fn deprecation(name: &str, prefix: &str, successors: &[&str]) -> Diagnostic {
    let successors = successors
        .iter()
        .map(|successor| format!("`{prefix}{}`", names::bare(successor)));
    let detail = match &successors.collect::<Vec<_>>()[..] {
        [] => format!("`{name}` is deprecated, and no data source replaces it."),
        successors => format!("`{name}` is deprecated: use {}.", successors.join(" or ")),
    };
    Diagnostic::warning("Deprecated data source", detail)
}

/// The path of a property such as `licenseKeys[1]`. For `context.projectId` it is that of `context`, unless that is a
/// block: hosts find the lines of attributes and of the members of blocks.
fn path(property: &str, config: &Object) -> Path {
    let (part, member) = property.split_once('.').unwrap_or((property, ""));
    let (name, indices) = part.split_once('[').unwrap_or((part, ""));
    let name = names::attribute(name);
    let Some(value) = config.get(&name) else {
        return Path::default();
    };
    let path = Path::attribute(name);
    if matches!(value, AttributeValue::List(blocks) if !blocks.is_empty() && !member.is_empty()) {
        let member = AttributeStep::Attribute(names::attribute(member));
        return path.then(AttributeStep::Index(0)).then(member);
    }
    let indices = indices.split(['[', ']']).filter_map(|index| index.parse().ok());
    indices
        .map(AttributeStep::Index)
        .fold(path, |path, index| path.then(index))
}

/// The diagnostics of a read with these inputs that failed.
pub(crate) fn failure(error: &Error, inputs: &CallInputs, config: &Object) -> Vec<Diagnostic> {
    let problems: Option<Vec<_>> = match error {
        Error::InvalidInput { problems, .. } => {
            Some(problems.iter().map(|problem| invalid(problem, config)).collect())
        }
        Error::InvalidSettings { problems, .. } => {
            let problems = problems.iter();
            Some(problems.map(|problem| invalid_setting(problem, config)).collect())
        }
        _ => None,
    };
    if let Some(mut diagnostics) = problems {
        if let (Some(cause), Some(first)) = (error.source(), diagnostics.first_mut()) {
            first.detail = format!("{} {}", first.detail, explained(cause));
        }
        return diagnostics;
    }
    let (summary, mut detail) = match error {
        // The specification defines the whole text; the cause explains it.
        Error::Fixed { text, source, .. } => ((*text).to_owned(), explained(source.as_ref())),
        error => (summary(error.kind()).to_owned(), explained(error)),
    };
    if let Some(remedy) = error.remedy(inputs) {
        detail = format!("{detail} {}", sentence(&names::WORDS.text(&remedy.to_string())));
    }
    let diagnostic = Diagnostic::error(summary, detail);
    vec![match error {
        Error::NotFound { clues, .. } if clues.missing == Some(Place::Project) => {
            diagnostic.at(path("context.projectId", config))
        }
        // An id that is too long, for instance.
        Error::Manager { source, .. } if source.kind() == RequestErrorKind::InvalidRequest => {
            diagnostic.at(selector(config))
        }
        error if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Ambiguous) => {
            diagnostic.at(selector(config))
        }
        _ => diagnostic,
    }]
}

/// The argument that selected the object, or the only string argument if there is just one.
fn selector(config: &Object) -> Path {
    let is_text =
        |name: &str| matches!(config.get(name), Some(AttributeValue::String(text)) if !text.is_empty());
    let mut texts = config.keys().filter(|name| is_text(name));
    let only = match (texts.next(), texts.next()) {
        (Some(only), None) => Some(only.as_str()),
        _ => None,
    };
    let named = SELECTORS.into_iter().find(|name| is_text(name));
    named.or(only).map(Path::attribute).unwrap_or_default()
}

/// The summary for a kind of error.
fn summary(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::InvalidInput => "Invalid argument",
        ErrorKind::NotFound => "Not found",
        ErrorKind::Ambiguous => "Several objects match",
        ErrorKind::Unauthenticated => "Login failed",
        ErrorKind::PermissionDenied => "Permission denied",
        ErrorKind::Network => "Manager not reachable",
        ErrorKind::Throttled => "Too many requests",
        ErrorKind::DeadlineExceeded => "Deadline exceeded",
        ErrorKind::Unsupported => "Not supported by the manager",
        ErrorKind::RealizationFailed => "Realization failed",
        ErrorKind::Cancelled => "Interrupted",
        _ => "Lookup failed",
    }
}

/// The error with its causes as a sentence, without the name of the function, which hosts show as the data source.
fn explained(error: &(dyn std::error::Error + 'static)) -> String {
    sentence(&in_one_clause(error, None, &names::WORDS))
}

/// A clause as a sentence.
pub(crate) fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    let mut sentence: String = first.chain(letters).collect();
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config<const N: usize>(members: [(&str, AttributeValue); N]) -> Object {
        members.map(|(name, value)| (name.to_owned(), value)).into()
    }

    #[test]
    fn a_failed_selection_is_an_error_of_the_argument_that_selects() {
        let error = Error::ambiguous(
            "getIpPool",
            "several IP pools have display name \"getIpPool\"",
            Vec::new(),
            2,
        );
        for (config, expected) in [
            (
                config([("display_name", "blue".into()), ("description", "x".into())]),
                Path::attribute("display_name"),
            ),
            (
                config([("display_name", "blue".into()), ("id", "1".into())]),
                Path::attribute("id"),
            ),
            (
                config([("cluster_id", "1".into()), ("id", AttributeValue::Null)]),
                Path::attribute("cluster_id"),
            ),
            (config([]), Path::default()),
        ] {
            let [found] = &failure(&error, &CallInputs::default(), &config)[..] else {
                panic!("one error is one diagnostic")
            };
            assert_eq!(found.summary, "Several objects match");
            let start = "Several IP pools have display name \"getIpPool\"";
            assert!(found.detail.starts_with(start), "{}", found.detail);
            assert_eq!(found.path, expected);
        }
    }

    #[test]
    fn every_problem_of_an_input_is_a_diagnostic_with_its_path() {
        let problems = [
            InvalidProperty::new("displayName", "must not be empty"),
            InvalidProperty::new("siteId", "is no input"),
        ];
        let error = Error::invalid_input("getIpPool", problems);
        let found = failure(
            &error,
            &CallInputs::default(),
            &config([("display_name", "".into())]),
        );
        let found: Vec<_> = found.iter().map(|one| (one.detail.as_str(), &one.path)).collect();
        assert_eq!(
            found,
            [
                (
                    "`display_name` must not be empty.",
                    &Path::attribute("display_name")
                ),
                ("`siteId` is no input.", &Path::default()),
            ]
        );
    }

    #[test]
    fn paths_lead_to_attributes_and_into_lists() {
        let config = config([
            ("context", AttributeValue::Null),
            ("license_keys", AttributeValue::Null),
        ]);
        assert_eq!(path("context.projectId", &config), Path::attribute("context"));
        assert_eq!(path("context", &config), Path::attribute("context"));
        assert_eq!(
            path("licenseKeys[1]", &config),
            Path::attribute("license_keys").then(AttributeStep::Index(1))
        );
        assert_eq!(path("", &config), Path::default());
        assert_eq!(path("nothing", &config), Path::default());
    }
}
