//! From a property's JSON Schema to the engine's property specification.
//!
//! The engine's form has types, defaults and marks, no bounds, patterns or enumerations of plain texts.

use netmgr_types::schema::Kind;
use serde_json::{Map, Value, json};

use super::references::References;
use crate::Error;

/// Marks of a schema and the members they become.
const MARKS: &[(&str, &str)] = &[
    ("x-secret", "secret"),
    ("x-plain", "plain"),
    ("x-deprecation", "deprecationMessage"),
];

/// The properties and the required ones of the object type `schema`, as members of `package`.
pub(super) fn object(references: &References<'_>, schema: &Value) -> Result<Map<String, Value>, Error> {
    let mut object = Map::new();
    object.insert("type".to_owned(), json!("object"));
    object.insert("properties".to_owned(), properties(references, schema)?.into());
    if let Some(names) = required(schema) {
        object.insert("required".to_owned(), names);
    }
    Ok(object)
}

/// Names of the required properties of the object type `schema`, sorted; `None` when there are none.
pub(super) fn required(schema: &Value) -> Option<Value> {
    let required = schema["required"].as_array().filter(|names| !names.is_empty())?;
    let mut names: Vec<&str> = required.iter().filter_map(Value::as_str).collect();
    names.sort_unstable();
    Some(json!(names))
}

/// The properties of the object type `schema`.
pub(super) fn properties(references: &References<'_>, schema: &Value) -> Result<Map<String, Value>, Error> {
    let properties = schema["properties"].as_object();
    properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| {
            let property = property(references, schema).map_err(|error| format!("{name}: {error}"))?;
            Ok((name.clone(), property.into()))
        })
        .collect()
}

fn property(references: &References<'_>, schema: &Value) -> Result<Map<String, Value>, Error> {
    let mut property = kind(references, schema)?;
    property.insert("description".to_owned(), schema["description"].clone());
    if let Some(default) = schema.get("default").filter(|default| is_scalar(default)) {
        property.insert("default".to_owned(), default.clone());
    }
    for (mark, member) in MARKS {
        if let Some(value) = schema.get(*mark) {
            property.insert((*member).to_owned(), value.clone());
        }
    }
    Ok(property)
}

/// The type without `null`, which is no type of the engine, where it means absent.
fn kind(references: &References<'_>, schema: &Value) -> Result<Map<String, Value>, Error> {
    if let Some(token) = schema["x-resource"].as_str() {
        return members(json!({ "$ref": references.to_resource(token)? }));
    }
    members(match Kind::of(schema)? {
        Kind::Boolean => json!({ "type": "boolean" }),
        Kind::Integer => json!({ "type": "integer" }),
        Kind::Number => json!({ "type": "number" }),
        Kind::String => json!({ "type": "string" }),
        Kind::Array(items) => json!({ "type": "array", "items": kind(references, items)? }),
        Kind::Map(values) => {
            json!({ "type": "object", "additionalProperties": kind(references, values)? })
        }
        Kind::Json => json!({ "type": "object", "additionalProperties": { "$ref": "pulumi.json#/Any" } }),
        Kind::Definition(name) => json!({ "$ref": references.to_type(name)? }),
        Kind::Object => return Err("is an object that has no name".into()),
    })
}

fn members(value: Value) -> Result<Map<String, Value>, Error> {
    match value {
        Value::Object(members) => Ok(members),
        other => Err(format!("{other} is no object").into()),
    }
}

/// Whether the engine takes it as a default.
fn is_scalar(value: &Value) -> bool {
    matches!(value, Value::Bool(_) | Value::Number(_) | Value::String(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(schema: Value) -> Value {
        property(&References::to_own("pkg"), &schema).unwrap().into()
    }

    #[test]
    fn null_is_no_type_of_the_engine() {
        assert_eq!(
            converted(json!({ "description": "d", "type": ["string", "null"], "pattern": "x" })),
            json!({ "description": "d", "type": "string" })
        );
        assert_eq!(
            converted(json!({ "description": "d", "anyOf": [{ "$ref": "#/$defs/T" }, { "type": "null" }] })),
            json!({ "description": "d", "$ref": "#/types/pkg:index:T" })
        );
    }

    #[test]
    fn lists_and_maps_keep_what_they_hold() {
        assert_eq!(
            converted(
                json!({ "description": "d", "type": "array", "items": { "type": "integer", "minimum": 1 } })
            ),
            json!({ "description": "d", "type": "array", "items": { "type": "integer" } })
        );
        assert_eq!(
            converted(
                json!({ "description": "d", "type": "object", "additionalProperties": { "type": "string" } })
            ),
            json!({ "description": "d", "type": "object", "additionalProperties": { "type": "string" } })
        );
    }

    #[test]
    fn marks_become_members_and_only_scalars_are_defaults() {
        assert_eq!(
            converted(json!({
                "description": "d", "type": "boolean", "default": false,
                "x-secret": true, "x-plain": true, "x-deprecation": "use another",
            })),
            json!({
                "description": "d", "type": "boolean", "default": false,
                "secret": true, "plain": true, "deprecationMessage": "use another",
            })
        );
        let list =
            json!({ "description": "d", "type": "array", "items": { "type": "string" }, "default": [] });
        assert_eq!(converted(list).get("default"), None);
    }

    #[test]
    fn what_the_engine_cannot_say_is_an_error() {
        for (schema, expected) in [
            (json!({ "type": ["string", "number"] }), "has several types"),
            (
                json!({ "anyOf": [{ "type": "string" }, { "type": "number" }] }),
                "has several types",
            ),
            (
                json!({ "type": "object", "properties": {} }),
                "is an object that has no name",
            ),
            (json!({}), "has no type"),
        ] {
            let error = kind(&References::to_own("pkg"), &schema).unwrap_err();
            assert_eq!(error.to_string(), expected, "{schema}");
        }
    }
}
