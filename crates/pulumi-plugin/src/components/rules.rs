//! Rules of inputs that their schema states. The schema is also the check, so a rule is written once.

use schemars::transform::Transform;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value as Json;

use crate::components::decode::open;
use crate::components::error::InputProblems;
use crate::schema::limits::{REASON, violation};
use crate::values::{PropertyPath, Value};

/// The form of a text, with the reason for rejecting other texts. It is written once, in the schema of an input, because
/// components reject inputs that break the rules of their schema:
///
/// ```
/// use pulumi_plugin::components::{Output, TextRule, record};
///
/// const VERSION: TextRule = TextRule::new("^[0-9]+[.][0-9]+$", "must be a version, such as 1.35");
///
/// record! {
///     /// Inputs.
///     pub struct Inputs {
///         /// Version of the cluster.
///         #[schemars(transform = VERSION.rule())]
///         pub version: Output<String>,
///     }
/// }
/// ```
///
/// For other rules, such as `minItems`, a schema can state the reason in its member `x-reason`.
#[derive(Debug, Clone, Copy)]
pub struct TextRule {
    pattern: &'static str,
    longest: Option<usize>,
    reason: &'static str,
}

impl TextRule {
    /// Creates a rule. The pattern is a regular expression that JSON schemas and Rust have in common; an invalid one permits
    /// all texts.
    pub const fn new(pattern: &'static str, reason: &'static str) -> Self {
        Self {
            pattern,
            longest: None,
            reason,
        }
    }

    /// Limits the number of characters.
    #[must_use]
    pub const fn at_most(self, longest: usize) -> Self {
        Self {
            longest: Some(longest),
            ..self
        }
    }

    /// The schema of such texts, for elements of lists, and for names and values of maps.
    pub fn schema(self) -> Json {
        let mut schema = json_schema!({ "type": "string" });
        self.rule().transform(&mut schema);
        schema.to_value()
    }

    /// A transform of schemars that adds the rule to the schema of an input.
    pub fn rule(self) -> impl Transform {
        move |schema: &mut Schema| {
            schema.insert("pattern".to_owned(), self.pattern.into());
            if let Some(longest) = self.longest {
                schema.insert("maxLength".to_owned(), longest.into());
            }
            schema.insert(REASON.to_owned(), self.reason.into());
        }
    }

    /// Whether a text has the form.
    pub fn matches(self, text: &str) -> bool {
        violation(&self.schema(), &Value::from(text)).is_none()
    }
}

/// Checks inputs against the rules of their type's schema. Unknown values are not checked, and types are checked by decoding.
pub(crate) fn check<T: JsonSchema>(inputs: &Value) -> InputProblems {
    let schema = SchemaGenerator::default().into_root_schema_for::<T>().to_value();
    let mut check = RuleCheck {
        definitions: &schema["$defs"],
        problems: InputProblems::new(),
    };
    check.value(&schema, inputs, &PropertyPath::default());
    check.problems
}

struct RuleCheck<'a> {
    definitions: &'a Json,
    problems: InputProblems,
}

impl RuleCheck<'_> {
    fn value(&mut self, schema: &Json, value: &Value, path: &PropertyPath) {
        let Some(value) = open(value).value.filter(|value| !value.is_null()) else {
            return;
        };
        if let Some(reason) = violation(schema, value) {
            self.problems.add(path, reason);
        }
        // An optional type is one of two alternatives; the other one is null.
        let alternatives = schema["anyOf"].as_array().into_iter().flatten();
        for alternative in alternatives.filter(|one| one["type"] != "null") {
            self.value(alternative, value, path);
        }
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            self.value(&self.definitions[name], value, path);
        }
        match value {
            Value::Array(elements) => self.elements(schema, elements, path),
            Value::Object(members) => {
                for (name, member) in members {
                    let path = path.join(name.clone());
                    if let Some(reason) = violation(&schema["propertyNames"], &Value::from(name.as_str())) {
                        self.problems.add(&path, format!("the key {reason}"));
                    }
                    let schema = schema["properties"]
                        .get(name)
                        .unwrap_or(&schema["additionalProperties"]);
                    self.value(schema, member, &path);
                }
            }
            _ => {}
        }
    }

    fn elements(&mut self, schema: &Json, elements: &[Value], path: &PropertyPath) {
        for (index, element) in elements.iter().enumerate() {
            let path = path.join(index);
            let known = open(element).value;
            let is_known = |other: &Value| known.is_some() && open(other).value == known;
            if schema["uniqueItems"] == true && elements[..index].iter().any(is_known) {
                self.problems.add(&path, "must not be listed twice");
            }
            self.value(&schema["items"], element, &path);
        }
    }
}

#[cfg(test)]
mod tests;
