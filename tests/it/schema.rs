//! The committed schemas, compared with the engine's rules, the specification's table, the decoders and the documented
//! examples.
//!
//! They are read as files, as their users read them; `cargo xtask codegen --check` shows that they match the code.

#![allow(clippy::unwrap_used, reason = "all of it is tests, also what they share")]

mod components;
mod config;
mod documents;
mod examples;
mod inputs;
mod package;
mod specification;

use jsonschema::Validator;
use netmgr_lookups::FunctionEntry;
use serde_json::{Value, json};

/// `schema/netmgr.schema.json`.
fn document() -> Value {
    serde_json::from_str(include_str!("../../schema/netmgr.schema.json")).unwrap()
}

/// `schema/netmgr.package.json`.
fn package() -> Value {
    serde_json::from_str(include_str!("../../schema/netmgr.package.json")).unwrap()
}

/// The schema of the function's input in the document.
fn input_schema(entry: &FunctionEntry) -> Value {
    part(&[
        "functions",
        "properties",
        &entry.spec.token(),
        "properties",
        "input",
    ])
}

/// The schema of the function's output in the document.
fn output_schema(entry: &FunctionEntry) -> Value {
    part(&[
        "functions",
        "properties",
        &entry.spec.token(),
        "properties",
        "output",
    ])
}

/// The schema of the configuration in the document.
fn config_schema() -> Value {
    part(&["config"])
}

/// The schema at `path` below the document's properties, with the definitions it needs.
fn part(path: &[&str]) -> Value {
    let document = document();
    let found = path.iter().fold(&document["properties"], |at, name| &at[*name]);
    let reference = found["$ref"].as_str().unwrap();
    json!({ "$ref": reference, "$defs": document["$defs"] })
}

/// The type that a schema of [`part`] refers to.
fn target(part: &Value) -> &Value {
    let pointer = part["$ref"].as_str().unwrap().trim_start_matches('#');
    part.pointer(pointer).unwrap()
}

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema).unwrap()
}

/// The errors of `instance`, one line each.
fn errors(validator: &Validator, instance: &Value) -> Vec<String> {
    validator
        .iter_errors(instance)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}
