//! Decodes settings by their types, in any form in which they arrive.
//!
//! Stacks pass strings, some SDKs pass JSON in strings, and others pass plain values. Parts may be secret or not known
//! yet.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use netmgr_lookups::{Property, Shape};
use netmgr_types::{InvalidProperty, PartialConfig, ProviderConfig};
use pulumi_plugin::values::{Object, Value};
use serde_json::{Map, Value as Json};

/// Members that engines add to the settings: the requested version of the plugin and, in older engines, its
/// download URL and internal data.
const ADDED: [&str; 3] = ["version", "pluginDownloadURL", "__internal"];

/// All settings.
static SETTINGS: LazyLock<Vec<Property>> =
    LazyLock::new(|| netmgr_lookups::properties(&schemars::schema_for!(ProviderConfig)));

/// All settings.
pub(super) fn settings() -> &'static [Property] {
    &SETTINGS
}

/// One setting.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decoded {
    /// Absent, null, or an empty string instead of a value of another type.
    Unset,
    /// Not known yet, as a whole or in part.
    Unknown,
    /// A value of the setting's type, or one of another type, which later checks refuse.
    Known(Json),
}

/// A decoded configuration.
pub(super) struct Settings {
    decoded: BTreeMap<String, Decoded>,
    /// The settings that are not known yet.
    unknown: BTreeSet<String>,
    /// Strings that do not contain a value of the setting's type.
    problems: Vec<InvalidProperty>,
}

impl Settings {
    /// Decodes the settings, and ignores members that engines add.
    pub(super) fn decode(written: &Object) -> Self {
        let mut settings = Self {
            decoded: BTreeMap::new(),
            unknown: BTreeSet::new(),
            problems: Vec::new(),
        };
        for (name, value) in written {
            let shape = SETTINGS.iter().find(|setting| setting.name == *name);
            let decoded = match decode(value, shape.map(|setting| setting.shape)) {
                Ok(decoded) => decoded,
                Err(expected) => {
                    settings.problems.push(InvalidProperty {
                        property: name.clone(),
                        reason: format!("must be {expected}"),
                    });
                    Decoded::Unset
                }
            };
            if decoded == Decoded::Unknown {
                settings.unknown.insert(name.clone());
            }
            settings.decoded.insert(name.clone(), decoded);
        }
        settings
    }

    /// One setting.
    pub(super) fn get(&self, name: &str) -> &Decoded {
        self.decoded.get(name).unwrap_or(&Decoded::Unset)
    }

    /// The known settings, null for the others, with the problems so far.
    pub(super) fn partial(self) -> PartialConfig {
        let mut known = Map::new();
        for (name, decoded) in self.decoded {
            let value = match decoded {
                Decoded::Known(value) => value,
                Decoded::Unset | Decoded::Unknown => Json::Null,
            };
            known.insert(name, value);
        }
        for added in ADDED {
            known.remove(added);
        }
        let mut partial = PartialConfig::new(Json::Object(known));
        partial.unknown = self.unknown;
        partial.problems = self.problems;
        partial
    }
}

/// Decodes one value. The error states what is expected.
fn decode(value: &Value, shape: Option<Shape>) -> Result<Decoded, &'static str> {
    let (value, marks) = value.clone().strip();
    if marks.unknown {
        return Ok(Decoded::Unknown);
    }
    Ok(match (shape, value) {
        (_, Value::Null) => Decoded::Unset,
        // Scalars become strings if a string is expected. Unknown settings are rejected by name later.
        (Some(Shape::String), value @ (Value::Bool(_) | Value::Number(_))) => {
            Decoded::Known(value.to_json().to_string().into())
        }
        (None | Some(Shape::String), value) => Decoded::Known(value.to_json()),
        (Some(_), Value::String(text)) if text.trim().is_empty() => Decoded::Unset,
        (Some(shape), Value::String(text)) => {
            let parsed = Value::from_json_text(&text).map_err(|_| expected(shape))?;
            // Strings inside JSON are not parsed again.
            return if matches!(parsed, Value::String(_)) {
                Err(expected(shape))
            } else {
                decode(&parsed, Some(shape))
            };
        }
        (Some(_), value) => Decoded::Known(value.to_json()),
    })
}

/// The JSON that a string must contain.
fn expected(shape: Shape) -> &'static str {
    match shape {
        Shape::Boolean => "true or false",
        Shape::Integer => "a whole number",
        Shape::Number => "a number",
        Shape::Numbers => "a list of numbers in JSON, such as [429,503]",
        Shape::Strings => r#"a list of strings in JSON, such as ["a","b"]"#,
        Shape::Object | Shape::Map | Shape::Json => "an object in JSON",
        Shape::Objects => "a list of objects in JSON",
        Shape::String => "a string",
    }
}
