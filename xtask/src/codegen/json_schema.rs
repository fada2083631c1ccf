//! `schema/<package>.schema.json`: the package as JSON Schema 2020-12, for editors, tests and
//! programs that check inputs themselves.
//!
//! It describes one document with a configuration and calls by token, so that each part has a place
//! to refer to. Not here: the engine's own form, which has no bounds and patterns.

use serde_json::{Map, Value, json};

use super::definitions;
use super::package::{Function, Package};
use crate::Error;

/// The schema of `package`.
pub(super) fn document(package: &Package) -> Result<Value, Error> {
    let definitions: Map<String, Value> = package
        .definitions()?
        .all()
        .map(|(name, schema)| (name.to_owned(), schema.clone()))
        .collect();
    let functions: Map<String, Value> = package
        .functions
        .iter()
        .map(|function| Ok((function.token.clone(), call(function)?)))
        .collect::<Result<_, Error>>()?;
    Ok(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": package.name,
        "description": package.description,
        "type": "object",
        "properties": {
            "config": {
                "description": "Configuration of the provider.",
                "$ref": reference(&package.config.schema)?,
            },
            "functions": {
                "description": "Calls of functions, by token.",
                "type": "object",
                "properties": functions,
                "additionalProperties": false,
            },
        },
        "additionalProperties": false,
        "$defs": definitions,
    }))
}

/// A call: what goes in and what comes out.
fn call(function: &Function) -> Result<Value, Error> {
    Ok(json!({
        "description": function.description,
        "type": "object",
        "properties": {
            "input": { "description": "What it is called with.", "$ref": reference(&function.input)? },
            "output": { "description": "What it returns.", "$ref": reference(&function.output)? },
        },
        "additionalProperties": false,
    }))
}

fn reference(schema: &Value) -> Result<String, Error> {
    Ok(format!("#/$defs/{}", definitions::name(schema)?))
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
        let names: Vec<_> = schema["$defs"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["FindInput", "FindOutput", "Place", "Settings"]);
    }
}
