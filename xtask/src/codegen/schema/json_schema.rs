//! `schema/<package>.schema.json`: the package as JSON Schema 2020-12, for editors, tests and programs that check inputs
//! themselves.
//!
//! It describes one document with a configuration, and calls and components by token, so that each part has a URI
//! fragment. The engine's own format has no bounds and patterns.

use serde_json::{Map, Value, json};

use super::super::package::Package;
use crate::Error;

/// The schema of `package`.
pub(super) fn document(package: &Package) -> Result<Value, Error> {
    let definitions: Map<String, Value> = package.definitions()?.into_iter().collect();
    let schema = &package.schema;
    let mut properties = Map::new();
    if let Some(config) = &schema.config {
        let config = reference("Configuration of the provider.", &config.schema)?;
        properties.insert("config".to_owned(), config);
    }
    let mut functions = Map::new();
    for one in &schema.functions {
        let call = json!({
            "input": reference("Input of the function.", &one.input)?,
            "output": reference("Output of the function.", &one.output)?,
        });
        functions.insert(one.token.clone(), object(&one.description, call));
    }
    let mut components = Map::new();
    for one in &schema.components {
        let component = json!({
            "inputs": reference("Inputs of the component.", &one.inputs)?,
            "outputs": reference("Outputs of the component.", &one.outputs)?,
        });
        components.insert(one.token.clone(), object(&one.description, component));
    }
    for (name, description, members) in [
        ("functions", "Calls of functions, keyed by token.", functions),
        ("components", "Components, by token.", components),
    ] {
        if !members.is_empty() {
            properties.insert(name.to_owned(), object(description, members.into()));
        }
    }
    let mut document = object(schema.meta.description, properties.into());
    document["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    document["title"] = json!(schema.meta.name);
    document["$defs"] = definitions.into();
    Ok(document)
}

/// An object with these properties and no others.
fn object(description: &str, properties: Value) -> Value {
    json!({
        "description": description, "type": "object", "properties": properties, "additionalProperties": false,
    })
}

fn reference(description: &str, schema: &Value) -> Result<Value, Error> {
    let title = schema["title"].as_str();
    let title = title.ok_or_else(|| format!("a schema has no title: {schema}"))?;
    Ok(json!({ "description": description, "$ref": format!("#/$defs/{title}") }))
}
