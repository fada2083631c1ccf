//! Compares the schemas of the packages with the schemas of the last release.
//!
//! Of each schema of the last release, what programs depend on is committed in `tests/data/released`. A release renews it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::Error;

/// The packages with schemas.
const PACKAGES: [&str; 2] = ["netmgr", "clusterpkg"];

/// Compares the schemas with the schemas of the last release.
pub(crate) fn check(root: &Path) -> Result<(), Error> {
    for package in PACKAGES {
        let (released, current) = (released(root, package)?, current(root, package)?);
        let breaks = breaks(&released, &current);
        let (old, new) = (version(&released), version(&current));
        if breaks.is_empty() {
            println!("{package}: compatible with {old}");
            continue;
        }
        let list = breaks.join("\n  ");
        let report = format!("{package} {new} breaks programs written for {old}:\n  {list}");
        if !may_break(old, new) {
            return Err(report.into());
        }
        println!("{report}");
    }
    Ok(())
}

/// Stores the current schemas as the schemas of the last release, without their texts.
pub(crate) fn release(root: &Path) -> Result<(), Error> {
    for package in PACKAGES {
        let schema = without_texts(&current(root, package)?);
        let text = serde_json::to_string_pretty(&schema)? + "\n";
        fs::write(root.join(path(package)), text)?;
    }
    Ok(())
}

/// A schema without what no program depends on. A property of such a name is an object.
fn without_texts(value: &Value) -> Value {
    let is_text = |name: &str, value: &Value| {
        name == "language" || (matches!(name, "description" | "deprecationMessage") && value.is_string())
    };
    match value {
        Value::Object(members) => members
            .iter()
            .filter(|(name, value)| !is_text(name, value))
            .map(|(name, value)| (name.clone(), without_texts(value)))
            .collect(),
        Value::Array(items) => items.iter().map(without_texts).collect(),
        other => other.clone(),
    }
}

fn path(package: &str) -> String {
    format!("tests/data/released/{package}.schema.json")
}

fn released(root: &Path, package: &str) -> Result<Value, Error> {
    Ok(serde_json::from_slice(&fs::read(root.join(path(package)))?)?)
}

fn current(root: &Path, package: &str) -> Result<Value, Error> {
    let text = fs::read(root.join(format!("schema/{package}.package.json")))?;
    Ok(serde_json::from_slice(&text)?)
}

fn version(schema: &Value) -> &str {
    schema["version"].as_str().unwrap_or_default()
}

/// Whether a version may break programs written for another one: the major versions differ or, before 1.0, the minor ones.
fn may_break(old: &str, new: &str) -> bool {
    let significant = |version: &str| match version.split_once('.') {
        Some(("0", rest)) => format!("0.{}", rest.split('.').next().unwrap_or_default()),
        Some((major, _)) => major.to_owned(),
        None => version.to_owned(),
    };
    significant(old) != significant(new)
}

/// A part of a schema that programs can refer to: a function, a resource, a type, a value or a property.
#[derive(Default)]
struct Member {
    /// The type of a property.
    shape: Vec<Value>,
    is_secret: bool,
    /// Whether an input is required.
    is_required: bool,
    /// Whether an output is always present.
    is_present: bool,
}

/// Members by name. An input and an output of one name are two.
type Members = BTreeMap<(String, Side), Member>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Input,
    Output,
    /// Types are used in inputs and outputs.
    Both,
}

/// Lists the ways in which a program written for `old` breaks with `new`.
fn breaks(old: &Value, new: &Value) -> Vec<String> {
    let new = members(new);
    let (mut breaks, mut removed) = (Vec::new(), Vec::new());
    for (key, old) in members(old) {
        let name = &key.0;
        let Some(new) = new.get(&key) else {
            // The members of what was removed follow it.
            if !removed.iter().any(|owner| name.starts_with(owner)) {
                breaks.push(format!("{name} was removed"));
                removed.push(format!("{name}."));
            }
            continue;
        };
        let changes = [
            (old.shape != new.shape, "has another type"),
            (old.is_secret && !new.is_secret, "is no longer marked as secret"),
            (new.is_required && !old.is_required, "is now required"),
            (old.is_present && !new.is_present, "is no longer always present"),
        ];
        let changes = changes.into_iter().filter(|(is_so, _)| *is_so);
        breaks.extend(changes.map(|(_, change)| format!("{name} {change}")));
    }
    breaks.dedup();
    breaks
}

/// The members of a package schema.
fn members(schema: &Value) -> Members {
    let mut members = Members::new();
    let mut add = |name: &str, properties: &Value, required: &Value, side| {
        for (property, spec) in entries(properties) {
            let is_listed = |side_of_list| {
                let mut names = required.as_array().into_iter().flatten();
                side != side_of_list && names.any(|one| one == property)
            };
            let shape = ["type", "$ref", "items", "additionalProperties", "oneOf", "plain"];
            let member = Member {
                shape: shape.map(|name| without_texts(&spec[name])).to_vec(),
                is_secret: spec["secret"] == true,
                is_required: is_listed(Side::Output),
                is_present: is_listed(Side::Input),
            };
            members.insert((format!("{name}.{property}"), side), member);
        }
    };
    add(
        "config",
        &schema["config"]["variables"],
        &Value::Null,
        Side::Input,
    );
    for (name, function) in entries(&schema["functions"]) {
        for (members, side) in [("inputs", Side::Input), ("outputs", Side::Output)] {
            let object = &function[members];
            add(name, &object["properties"], &object["required"], side);
        }
    }
    let provider = schema.get("provider").map(|provider| ("provider", provider));
    let resources = entries(&schema["resources"]).map(|(name, resource)| (name.as_str(), resource));
    for (name, resource) in resources.chain(provider) {
        let inputs = &resource["inputProperties"];
        add(name, inputs, &resource["requiredInputs"], Side::Input);
        add(name, &resource["properties"], &resource["required"], Side::Output);
    }
    for (name, object) in entries(&schema["types"]) {
        add(name, &object["properties"], &object["required"], Side::Both);
    }
    for (name, member) in ["functions", "resources", "types"]
        .into_iter()
        .flat_map(|kind| entries(&schema[kind]))
    {
        members.insert((name.clone(), Side::Both), Member::default());
        for choice in member["enum"].as_array().into_iter().flatten() {
            members.insert(
                (format!("{name} = {}", choice["value"]), Side::Both),
                Member::default(),
            );
        }
    }
    members
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_packages_keep_what_was_released() {
        for package in PACKAGES {
            let released = released(crate::workspace::root(), package).unwrap();
            assert!(members(&released).len() >= 6);
            let current = current(crate::workspace::root(), package).unwrap();
            let breaks = breaks(&released, &current);
            assert!(
                breaks.is_empty() || may_break(version(&released), version(&current)),
                "{package}: {breaks:#?}"
            );
        }
    }

    #[test]
    fn a_version_whose_first_number_that_is_not_zero_differs_may_break_programs() {
        for (old, new, expected) in [
            ("0.1.0", "0.1.9", false),
            ("0.1.0", "0.2.0", true),
            ("0.9.3", "1.0.0", true),
            ("1.2.0", "1.9.0", false),
            ("1.2.0", "2.0.0", true),
        ] {
            assert_eq!(may_break(old, new), expected, "{old} {new}");
        }
    }

    /// Lists the breaks when a small schema changes at `pointer`.
    fn after(pointer: &str, change: Option<Value>) -> Vec<String> {
        let old = json!({
            "functions": { "f": {
                "inputs": { "properties": { "a": { "type": "string" } } },
                "outputs": { "properties": { "o": { "type": "string", "secret": true } }, "required": ["o"] },
            } },
            "resources": { "r": { "inputProperties": { "i": { "$ref": "#/types/e" } }, "requiredInputs": ["i"] } },
            "types": { "e": { "enum": [{ "value": "x" }, { "value": "y" }] } },
        });
        let mut new = old.clone();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let parent = new.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        match change {
            Some(value) => parent.insert(name.to_owned(), value),
            None => parent.remove(name),
        };
        breaks(&old, &new)
    }

    #[test]
    fn what_breaks_a_program_is_named() {
        for (pointer, change, expected) in [
            ("/functions/f", None, "f was removed"),
            ("/functions/f/inputs/properties/a", None, "f.a was removed"),
            (
                "/functions/f/inputs/properties/a/type",
                Some(json!("number")),
                "f.a has another type",
            ),
            (
                "/functions/f/inputs/required",
                Some(json!(["a"])),
                "f.a is now required",
            ),
            (
                "/functions/f/outputs/required",
                Some(json!([])),
                "f.o is no longer always present",
            ),
            (
                "/functions/f/outputs/properties/o/secret",
                None,
                "f.o is no longer marked as secret",
            ),
            ("/resources/r/inputProperties/i", None, "r.i was removed"),
            (
                "/types/e/enum",
                Some(json!([{ "value": "x" }])),
                "e = \"y\" was removed",
            ),
        ] {
            assert_eq!(after(pointer, change), [expected], "{pointer}");
        }
    }

    #[test]
    fn additions_break_nothing() {
        let string = json!({ "type": "string" });
        for (pointer, change) in [
            ("/functions/g", json!({})),
            ("/functions/f/inputs/properties/b", string.clone()),
            ("/functions/f/outputs/properties/p", string.clone()),
            ("/functions/f/inputs/properties/a/secret", json!(true)),
            ("/resources/r/requiredInputs", json!([])),
            (
                "/types/e/enum",
                json!([{ "value": "x" }, { "value": "y" }, { "value": "z" }]),
            ),
        ] {
            assert_eq!(after(pointer, Some(change)), Vec::<String>::new(), "{pointer}");
        }
    }
}
