//! Rules of Kubernetes for labels and taints of nodes, and for keys of requirements.

use pulumi_plugin::components::{InputProblems, Map, Output};
use pulumi_plugin::values::PropertyPath;

use crate::check;

/// Maximum length of the name in a key, and of a value.
pub(crate) const LONGEST: usize = 63;

/// Pattern of [`is_key`].
pub(crate) const KEY: &str = "^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$";
/// Pattern of [`is_value`].
pub(crate) const VALUE: &str = "^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$";
/// Pattern of [`is_value`], without the empty string.
pub(crate) const SOME_VALUE: &str = "^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$";

const KEY_RULE: &str = "must be a name of at most 63 letters, digits, dashes, dots and underscores, with or without a domain before it, such as \
                        team or example.com/team";
const VALUE_RULE: &str =
    "must be letters, digits, dashes, dots and underscores, and begin and end with a letter or digit";

/// Whether a text is a key: a name, or a domain and a name.
pub(crate) fn is_key(key: &str) -> bool {
    let (domain, name) = key
        .rsplit_once('/')
        .map_or((None, key), |(domain, name)| (Some(domain), name));
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_part = |part: &str| {
        !part.is_empty() && part.chars().all(is_inner) && !part.starts_with('-') && !part.ends_with('-')
    };
    !name.is_empty() && is_value(name) && domain.is_none_or(|domain| domain.split('.').all(is_part))
}

/// Whether a text is a value, which can be empty.
fn is_value(value: &str) -> bool {
    let is_outer = |c: char| c.is_ascii_alphanumeric();
    let is_inner = |c: char| is_outer(c) || "-_.".contains(c);
    value.is_empty()
        || (value.len() <= LONGEST
            && value.chars().all(is_inner)
            && value.starts_with(is_outer)
            && value.ends_with(is_outer))
}

/// Checks a key.
pub(crate) fn check_key(path: &str, key: &Output<String>, problems: &mut InputProblems) {
    check::form(path, Some(key), is_key, KEY_RULE, problems);
}

/// Checks a value.
pub(crate) fn check_value(path: &str, value: Option<&Output<String>>, problems: &mut InputProblems) {
    let Some(value) = value else { return };
    check::length(path, value, 0, LONGEST, problems);
    let is_short = |text: &str| text.chars().count() <= LONGEST;
    let keeps = |text: &str| !is_short(text) || is_value(text);
    check::form(path, Some(value), keeps, VALUE_RULE, problems);
}

/// Checks labels.
pub(crate) fn check_map(path: &str, labels: Option<&Map<String>>, problems: &mut InputProblems) {
    for (key, value) in labels.and_then(Output::peek_known).into_iter().flatten() {
        let path = PropertyPath::default().join(path).join(key.clone()).to_string();
        if !is_key(key) {
            problems.add(&path, format!("the key {KEY_RULE}"));
        }
        check_value(&path, Some(value), problems);
    }
}
