//! What the next release has to keep of the last one: the schemas of the packages, and the public interfaces of the
//! crates.
//!
//! Of each schema of the last release, what programs depend on is committed in `tests/data/released`. A release renews it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{Error, process};

/// The packages with schemas.
const PACKAGES: [&str; 2] = ["netmgr", "clusterpkg"];

/// The part of a package schema that programs depend on: names and types, without texts and defaults.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Schema {
    version: String,
    config: Settings,
    functions: BTreeMap<String, Function>,
    provider: Resource,
    resources: BTreeMap<String, Resource>,
    types: BTreeMap<String, Type>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Settings {
    variables: BTreeMap<String, Property>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Function {
    inputs: Object,
    outputs: Object,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Resource {
    input_properties: BTreeMap<String, Property>,
    required_inputs: BTreeSet<String>,
    properties: BTreeMap<String, Property>,
    required: BTreeSet<String>,
}

#[derive(Debug, Default, Clone, Serialize, Deserialize)]
#[serde(default)]
struct Object {
    properties: BTreeMap<String, Property>,
    required: BTreeSet<String>,
}

/// A named type: an object, or an enumeration.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Type {
    #[serde(flatten)]
    object: Object,
    r#enum: Vec<Choice>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Choice {
    value: serde_json::Value,
}

#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Property {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<String>,
    #[serde(rename = "$ref", skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Box<Property>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_properties: Option<Box<Property>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    one_of: Vec<Property>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plain: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<bool>,
}

/// Compares the schemas with those of the last release, and the crates with its tag if there is one.
pub(crate) fn check(root: &Path) -> Result<(), Error> {
    for package in PACKAGES {
        let released = released(root, package)?;
        let current = current(root, package)?;
        let breaks = breaks(&released, &current);
        let version = &released.version;
        if breaks.is_empty() {
            println!("{package}: compatible with {version}");
            continue;
        }
        let report = format!(
            "{package} {} breaks programs written for {version}:\n  {}",
            current.version,
            breaks.join("\n  ")
        );
        if !may_break(version, &current.version) {
            return Err(report.into());
        }
        println!("{report}");
    }
    let describe = ["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"];
    let tag = process::command("git", root).args(describe).output()?;
    if !tag.status.success() {
        println!("crates: not compared, because no tag names a release");
        return Ok(());
    }
    let tag = String::from_utf8(tag.stdout)?;
    let tag = tag.trim();
    let mut compare = process::command("cargo", root);
    compare.args(["semver-checks", "--workspace", "--baseline-rev", tag]);
    // The tool fails for a crate that the release does not have.
    for name in new_crates(root, tag)? {
        println!("{name}: new since {tag}");
        compare.args(["--exclude", &name]);
    }
    process::run(&mut compare)
}

/// The crates that are not in the commit of `tag`.
fn new_crates(root: &Path, tag: &str) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for folder in fs::read_dir(root.join("crates"))? {
        let name = folder?.file_name().to_string_lossy().into_owned();
        let manifest = format!("{tag}:crates/{name}/Cargo.toml");
        let known = process::command("git", root)
            .args(["cat-file", "-e", &manifest])
            .output()?;
        if !known.status.success() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Makes the current schemas those of the last release.
pub(crate) fn release(root: &Path) -> Result<(), Error> {
    for package in PACKAGES {
        let mut text = serde_json::to_string_pretty(&current(root, package)?)?;
        text.push('\n');
        fs::write(root.join(path(package)), text)?;
    }
    Ok(())
}

fn path(package: &str) -> String {
    format!("tests/data/released/{package}.schema.json")
}

fn released(root: &Path, package: &str) -> Result<Schema, Error> {
    Ok(serde_json::from_slice(&fs::read(root.join(path(package)))?)?)
}

fn current(root: &Path, package: &str) -> Result<Schema, Error> {
    let text = fs::read(root.join(format!("schema/{package}.package.json")))?;
    Ok(serde_json::from_slice(&text)?)
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

/// What a program written for `old` cannot do with `new`.
fn breaks(old: &Schema, new: &Schema) -> Vec<String> {
    let mut breaks = Breaks::default();
    breaks.properties("config", &old.config.variables, &new.config.variables);
    breaks.resource("provider", &old.provider, &new.provider);
    for (name, old, new) in breaks.pairs("", &old.functions, &new.functions) {
        breaks.inputs(&name, &old.inputs, &new.inputs);
        breaks.outputs(&name, &old.outputs, &new.outputs);
    }
    for (name, old, new) in breaks.pairs("", &old.resources, &new.resources) {
        breaks.resource(&name, old, new);
    }
    for (name, old, new) in breaks.pairs("", &old.types, &new.types) {
        // Types are used in inputs and outputs.
        breaks.inputs(&name, &old.object, &new.object);
        breaks.outputs(&name, &old.object, &new.object);
        for choice in old.r#enum.iter().filter(|choice| !new.r#enum.contains(choice)) {
            breaks.add(&name, &format!("no longer accepts {}", choice.value));
        }
    }
    // Members of types and resources are inputs and outputs.
    breaks.0.sort();
    breaks.0.dedup();
    breaks.0
}

#[derive(Default)]
struct Breaks(Vec<String>);

impl Breaks {
    fn add(&mut self, name: &str, text: &str) {
        self.0.push(format!("{name} {text}"));
    }

    /// The members that both have. Those that only `old` has are breaks.
    fn pairs<'a, T>(
        &mut self,
        place: &str,
        old: &'a BTreeMap<String, T>,
        new: &'a BTreeMap<String, T>,
    ) -> Vec<(String, &'a T, &'a T)> {
        let mut pairs = Vec::new();
        for (name, old) in old {
            let name_here = if place.is_empty() {
                name.clone()
            } else {
                format!("{place}.{name}")
            };
            match new.get(name) {
                Some(new) => pairs.push((name_here, old, new)),
                None => self.add(&name_here, "was removed"),
            }
        }
        pairs
    }

    fn properties(
        &mut self,
        place: &str,
        old: &BTreeMap<String, Property>,
        new: &BTreeMap<String, Property>,
    ) {
        for (name, old, new) in self.pairs(place, old, new) {
            let unmarked = |property: &Property| Property {
                secret: None,
                ..property.clone()
            };
            if unmarked(old) != unmarked(new) {
                self.add(&name, "has another type");
            }
            if old.secret == Some(true) && new.secret != Some(true) {
                self.add(&name, "is no longer marked as secret");
            }
        }
    }

    fn inputs(&mut self, place: &str, old: &Object, new: &Object) {
        self.properties(place, &old.properties, &new.properties);
        for name in new.required.difference(&old.required) {
            self.add(&format!("{place}.{name}"), "is now required");
        }
    }

    fn outputs(&mut self, place: &str, old: &Object, new: &Object) {
        self.properties(place, &old.properties, &new.properties);
        for name in old
            .required
            .difference(&new.required)
            .filter(|name| new.properties.contains_key(*name))
        {
            self.add(&format!("{place}.{name}"), "is no longer always present");
        }
    }

    fn resource(&mut self, place: &str, old: &Resource, new: &Resource) {
        let inputs = |of: &Resource| Object {
            properties: of.input_properties.clone(),
            required: of.required_inputs.clone(),
        };
        let outputs = |of: &Resource| Object {
            properties: of.properties.clone(),
            required: of.required.clone(),
        };
        self.inputs(place, &inputs(old), &inputs(new));
        self.outputs(place, &outputs(old), &outputs(new));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_packages_keep_what_was_released() {
        for package in PACKAGES {
            let released = released(crate::root(), package).unwrap();
            assert!(released.functions.len() + released.resources.len() >= 6);
            let current = current(crate::root(), package).unwrap();
            let breaks = breaks(&released, &current);
            assert!(
                breaks.is_empty() || may_break(&released.version, &current.version),
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

    /// What changing a small schema at `pointer` breaks.
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
        let read = |value| serde_json::from_value(value).unwrap();
        breaks(&read(old), &read(new))
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
                "e no longer accepts \"y\"",
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
