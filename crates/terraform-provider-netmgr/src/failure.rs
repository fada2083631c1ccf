//! Errors of lookups as diagnostics: a short summary, a sentence with the causes, and the argument.

use netmgr_lookups::{Error, ErrorKind, InvalidProperty};
use terraform_rpc::{Diagnostic, Object, Path, Step, Value};

use crate::names;

/// The arguments that select an object, most specific first. A failure to find it concerns the first that is
/// configured.
const SELECTORS: [&str; 3] = ["id", "display_name", "path"];

/// An argument that cannot be used.
pub(crate) fn invalid(problem: &InvalidProperty, config: &Object) -> Diagnostic {
    let detail = sentence(&names::text(&problem.to_string()));
    Diagnostic::error("Invalid argument", detail).at(path(&problem.property, config))
}

/// The path of a property such as `context.projectId` or `licenseKeys[1]`. Blocks are lists.
fn path(property: &str, config: &Object) -> Path {
    let mut steps = Vec::new();
    for part in property.split('.').filter(|part| !part.is_empty()) {
        let (name, indices) = part.split_once('[').unwrap_or((part, ""));
        let name = names::attribute(name);
        let is_block = steps.is_empty() && property.contains('.');
        if steps.is_empty() && !config.contains_key(&name) {
            return Path::default();
        }
        steps.push(Step::Attribute(name));
        if is_block {
            steps.push(Step::Index(0));
        }
        let indices = indices.split(['[', ']']).filter_map(|index| index.parse().ok());
        steps.extend(indices.map(Step::Index));
    }
    Path(steps)
}

/// The diagnostics of a failed read.
pub(crate) fn diagnostics(error: &Error, config: &Object) -> Vec<Diagnostic> {
    if let Error::InvalidInput { problems, .. } = error {
        return problems.iter().map(|problem| invalid(problem, config)).collect();
    }
    let (summary, detail) = match error {
        // The whole text is defined by the specification; the cause explains it.
        Error::Fixed { text, source, .. } => ((*text).to_owned(), explained(source)),
        error => (summary(error.kind()).to_owned(), explained(error)),
    };
    let diagnostic = Diagnostic::error(summary, detail);
    let is_about_selection = matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Ambiguous);
    vec![match is_about_selection {
        true => diagnostic.at(selector(config)),
        false => diagnostic,
    }]
}

/// The argument that selected the object; the only text if there is just one.
fn selector(config: &Object) -> Path {
    let is_text = |name: &str| matches!(config.get(name), Some(Value::String(text)) if !text.is_empty());
    let mut texts = config.keys().filter(|name| is_text(name));
    let only = match (texts.next(), texts.next()) {
        (Some(only), None) => Some(only.as_str()),
        _ => None,
    };
    let named = SELECTORS.into_iter().find(|name| is_text(name));
    named.or(only).map(Path::attribute).unwrap_or_default()
}

/// What a kind of error is called.
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
fn explained(error: &Error) -> String {
    let text = chain(error);
    let text = match text.split_once(": ") {
        Some((function, rest)) if names::is_function(function) => rest,
        _ => &text,
    };
    sentence(&names::text(text))
}

/// The message of an error and of each of its causes.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
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
    use std::sync::Arc;

    use super::*;

    fn config<const N: usize>(members: [(&str, Value); N]) -> Object {
        members.map(|(name, value)| (name.to_owned(), value)).into()
    }

    fn not_found() -> Error {
        Error::NotFound {
            function: "getIpPool",
            what: "no IP pool has display name \"getIpPool\"".to_owned(),
            incomplete: None,
            source: None,
        }
    }

    #[test]
    fn an_object_that_is_not_found_is_an_error_of_the_argument_that_selects_it() {
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
                config([("cluster_id", "1".into()), ("id", Value::Null)]),
                Path::attribute("cluster_id"),
            ),
            (config([]), Path::default()),
        ] {
            let [found] = &diagnostics(&not_found(), &config)[..] else {
                panic!("one error is one diagnostic")
            };
            assert_eq!(found.summary, "Not found");
            assert_eq!(found.detail, "No IP pool has display name \"getIpPool\".");
            assert_eq!(found.path, expected);
        }
    }

    #[test]
    fn fixed_texts_are_the_summary() {
        let error = Error::Fixed {
            text: "Cluster not found",
            kind: ErrorKind::NotFound,
            source: Arc::new(Error::NotFound {
                function: "getPolicyClusterSecurityConfig",
                what:
                    "no cluster with id \"c\" is registered; use the `id` that getComputeCollection returns"
                        .to_owned(),
                incomplete: None,
                source: None,
            }),
        };
        let [found] = &diagnostics(&error, &config([("cluster_id", "c".into())]))[..] else {
            panic!("one error is one diagnostic")
        };
        assert_eq!(found.summary, "Cluster not found");
        assert_eq!(
            found.detail,
            "No cluster with id \"c\" is registered; use the `id` that netmgr_compute_collection returns."
        );
        assert_eq!(found.path, Path::attribute("cluster_id"));
    }

    #[test]
    fn paths_lead_into_blocks_and_lists() {
        let config = config([("context", Value::Null), ("license_keys", Value::Null)]);
        let context = Path::attribute("context").then(Step::Index(0));
        assert_eq!(
            path("context.projectId", &config),
            context.then(Step::Attribute("project_id".to_owned()))
        );
        assert_eq!(path("context", &config), Path::attribute("context"));
        assert_eq!(
            path("licenseKeys[1]", &config),
            Path::attribute("license_keys").then(Step::Index(1))
        );
        assert_eq!(path("", &config), Path::default());
        assert_eq!(path("nothing", &config), Path::default());
    }
}
