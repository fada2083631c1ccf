//! Filters of the functions that return all objects of a kind: names, patterns, tags and states.

use netmgr_types::shapes::given;
use regex::Regex;
use schemars::Schema;

use super::plan::PlanBuilder;
use super::rules::{Rule, camel_case};
use crate::names;
use crate::tag_filter::TagCondition;

/// The display name of each object must equal or begin with the input.
pub(crate) struct NamePrefix;

impl Rule<Option<String>> for NamePrefix {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        if let Some(wanted) = given(value) {
            plan.filter_by(field, wanted, |object, wanted| {
                names::begins(object.name(), wanted)
            });
        }
    }
}

/// The display name of each object must equal the input.
pub(crate) struct ExactName;

impl Rule<Option<String>> for ExactName {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        if let Some(wanted) = given(value) {
            plan.filter_by(field, wanted, |object, wanted| {
                names::is_same(object.name(), wanted)
            });
        }
    }
}

/// The display name of each object must match a regular expression anywhere.
pub(crate) struct NamePattern;

impl Rule<Option<String>> for NamePattern {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        let Some(text) = given(value) else { return };
        match Regex::new(text) {
            Ok(pattern) => plan.filter_by(field, text, move |object, _| pattern.is_match(object.name())),
            Err(problem) => {
                // The library shows the expression and the position on lines of their own, and then the reason.
                let text = problem.to_string();
                let reason = text
                    .lines()
                    .last()
                    .unwrap_or_default()
                    .trim_start_matches("error: ");
                let reason = format!("is not a valid regular expression: {reason}");
                plan.refuse(&camel_case(field), reason);
            }
        }
    }

    fn describe(&self, schema: &mut Schema) {
        schema.insert("format".to_owned(), "regex".into());
    }
}

/// A string of the object must begin with, or contain, the input, ignoring case.
pub(crate) struct Loosely(&'static str, fn(&str, &str) -> bool);

/// The member `wire` of each object must begin with the input.
pub(crate) const fn beginning(wire: &'static str) -> Loosely {
    Loosely(wire, |text, wanted| text.starts_with(wanted))
}

/// The member `wire` of each object must contain the input.
pub(crate) const fn containing(wire: &'static str) -> Loosely {
    Loosely(wire, |text, wanted| text.contains(wanted))
}

impl Rule<Option<String>> for Loosely {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        let Self(wire, fits) = *self;
        if let Some(wanted) = given(value) {
            plan.filter_by(field, wanted, move |object, wanted| {
                let text = object.text(wire).unwrap_or_default().to_lowercase();
                fits(&text, &wanted.to_lowercase())
            });
        }
    }
}

/// Each object must have a tag with a scope.
pub(crate) struct TagScope;

impl Rule<Option<String>> for TagScope {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        if let Some(wanted) = given(value) {
            plan.tag_scope = Some(wanted.to_owned());
            plan.filter_by(field, wanted, |object, wanted| {
                TagCondition::new(Some(wanted), None).fits(&object.tags())
            });
        }
    }
}

/// Each object must have a tag with this value. An input before it can restrict the scope.
pub(crate) struct TagValue;

impl Rule<Option<String>> for TagValue {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        let scope = plan.tag_scope.clone();
        if let Some(wanted) = given(value) {
            plan.filter_by(field, wanted, move |object, wanted| {
                TagCondition::new(scope.as_deref(), Some(wanted)).fits(&object.tags())
            });
        }
    }
}

/// The power state of each virtual machine must equal the input.
pub(crate) struct PowerState;

/// Input values for power states, and the manager's values.
const POWER_STATES: [(&str, &str); 4] = [
    ("running", "VM_RUNNING"),
    ("stopped", "VM_STOPPED"),
    ("suspended", "VM_SUSPENDED"),
    ("unknown", "UNKNOWN"),
];

impl Rule<Option<String>> for PowerState {
    fn apply(&self, field: &str, value: &Option<String>, plan: &mut PlanBuilder<'_>) {
        let Some(wanted) = given(value) else { return };
        match POWER_STATES.iter().find(|(word, _)| *word == wanted) {
            Some((_, state)) => plan.filter_text(field, "power_state", state),
            None => {
                let words = POWER_STATES.map(|(word, _)| format!("`{word}`"));
                plan.refuse(&camel_case(field), format!("must be one of {}", words.join(", ")));
            }
        }
    }

    fn describe(&self, schema: &mut Schema) {
        let words = POWER_STATES.iter().map(|(word, _)| *word);
        schema.insert("enum".to_owned(), [""].into_iter().chain(words).collect());
    }
}
