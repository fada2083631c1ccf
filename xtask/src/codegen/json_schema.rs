//! `schema/<package>.schema.json`: the package as JSON Schema 2020-12, for editors, tests and
//! programs that check inputs themselves.
//!
//! It describes one document with a configuration, and calls and components by token, so that each part has a URI
//! fragment. The engine's own format has no bounds and patterns.

use serde_json::{Map, Value, json};

use super::package::{Component, Function, Package};
use crate::Error;

/// The schema of `package`.
pub(super) fn document(package: &Package) -> Result<Value, Error> {
    let definitions: Map<String, Value> = package.definitions()?.into_iter().collect();
    let mut properties = Map::new();
    if let Some(config) = &package.config {
        let config = json!({
            "description": "Configuration of the provider.",
            "$ref": reference(&config.schema)?,
        });
        properties.insert("config".to_owned(), config);
    }
    let calls = package.functions.iter().map(|one| Ok((&one.token, call(one)?)));
    let components = package.components.iter();
    let components = components.map(|one| Ok((&one.token, component(one)?)));
    for (name, description, members) in [
        (
            "functions",
            "Calls of functions, keyed by token.",
            calls.collect::<Result<Vec<_>, Error>>()?,
        ),
        (
            "components",
            "Components, by token.",
            components.collect::<Result<Vec<_>, Error>>()?,
        ),
    ] {
        if members.is_empty() {
            continue;
        }
        let members: Map<String, Value> = members
            .into_iter()
            .map(|(token, member)| (token.clone(), member))
            .collect();
        let part = json!({
            "description": description,
            "type": "object",
            "properties": members,
            "additionalProperties": false,
        });
        properties.insert(name.to_owned(), part);
    }
    Ok(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": package.name,
        "description": package.description,
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "$defs": definitions,
    }))
}

/// The inputs and outputs of a component.
fn component(component: &Component) -> Result<Value, Error> {
    Ok(json!({
        "description": component.description,
        "type": "object",
        "properties": {
            "inputs": { "description": "Inputs of the component.", "$ref": reference(&component.inputs)? },
            "outputs": { "description": "Outputs of the component.", "$ref": reference(&component.outputs)? },
        },
        "additionalProperties": false,
    }))
}

/// The inputs and outputs of a call.
fn call(function: &Function) -> Result<Value, Error> {
    Ok(json!({
        "description": function.description,
        "type": "object",
        "properties": {
            "input": { "description": "Input of the function.", "$ref": reference(&function.input)? },
            "output": { "description": "Output of the function.", "$ref": reference(&function.output)? },
        },
        "additionalProperties": false,
    }))
}

fn reference(schema: &Value) -> Result<String, Error> {
    let title = schema["title"].as_str();
    let title = title.ok_or_else(|| format!("a schema has no title: {schema}"))?;
    Ok(format!("#/$defs/{title}"))
}

#[cfg(test)]
mod tests {
    use super::super::package::sample;
    use super::*;

    #[test]
    fn every_part_of_a_package_has_its_place() {
        let schema = document(&sample()).unwrap();
        let call = &schema["properties"]["functions"]["properties"]["sample:index:find"];
        assert_eq!(call["properties"]["input"]["$ref"], "#/$defs/FindInput");
        assert_eq!(call["properties"]["output"]["$ref"], "#/$defs/FindOutput");
        assert_eq!(schema["properties"]["config"]["$ref"], "#/$defs/Settings");
        let component = &schema["properties"]["components"]["properties"]["sample:index:FunctionGroup"];
        assert_eq!(component["properties"]["inputs"]["$ref"], "#/$defs/GroupInputs");
        assert_eq!(component["properties"]["outputs"]["$ref"], "#/$defs/GroupOutputs");
        let names: Vec<_> = schema["$defs"].as_object().unwrap().keys().collect();
        let expected = [
            "Aside",
            "FindInput",
            "FindOutput",
            "GroupInputs",
            "GroupOutputs",
            "Limit",
            "Place",
            "Settings",
        ];
        assert_eq!(names, expected);
    }
}
