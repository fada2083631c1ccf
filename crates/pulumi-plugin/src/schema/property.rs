//! Conversion of a property's JSON schema to the engine's property specification, which has types, defaults and marks, but
//! no bounds, patterns or inline enumerations.

use serde_json::{Map, Value, json};

use super::SchemaError;
use super::references::References;

/// Marks in a JSON schema, and the corresponding members of the specification.
const MARKS: &[(&str, &str)] = &[
    ("x-secret", "secret"),
    ("x-plain", "plain"),
    ("x-deprecation", "deprecationMessage"),
];

/// Converts the object type `schema`: its properties, and the names of those that are required.
pub(super) fn object(references: &References<'_>, schema: &Value) -> Result<Map<String, Value>, SchemaError> {
    let mut object = Map::new();
    object.insert("type".to_owned(), json!("object"));
    object.insert("properties".to_owned(), properties(references, schema)?.into());
    if let Some(names) = required(schema) {
        object.insert("required".to_owned(), names);
    }
    Ok(object)
}

/// Converts an enumeration of strings. Returns `None` if `schema` is another type.
pub(super) fn choices(schema: &Value) -> Option<Map<String, Value>> {
    let mut choices = Vec::new();
    // Values with descriptions, followed by values without.
    for one in schema["oneOf"].as_array().into_iter().flatten() {
        match (one.get("const"), one.get("description")) {
            (Some(value), Some(description)) => {
                choices.push(json!({"value": value, "description": description}));
            }
            (Some(value), None) => choices.push(json!({"value": value})),
            (None, _) => choices.extend(undescribed(one)),
        }
    }
    choices.extend(undescribed(schema));
    let spec = [("type", json!("string")), ("enum", json!(choices))];
    (!choices.is_empty()).then(|| {
        spec.map(|(name, value)| (name.to_owned(), value))
            .into_iter()
            .collect()
    })
}

fn undescribed(schema: &Value) -> impl Iterator<Item = Value> {
    let values = schema["enum"].as_array().into_iter().flatten();
    values.map(|value| json!({"value": value}))
}

/// Names of the required properties of the object type `schema`, sorted. `None` if there are none.
pub(super) fn required(schema: &Value) -> Option<Value> {
    let required = schema["required"].as_array().filter(|names| !names.is_empty())?;
    let mut names: Vec<&str> = required.iter().filter_map(Value::as_str).collect();
    names.sort_unstable();
    Some(json!(names))
}

/// The properties of the object type `schema`.
pub(super) fn properties(
    references: &References<'_>,
    schema: &Value,
) -> Result<Map<String, Value>, SchemaError> {
    let properties = schema["properties"].as_object();
    properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| {
            let property = property(references, schema).map_err(|error| error.inside(name))?;
            Ok((name.clone(), property.into()))
        })
        .collect()
}

/// Adds the description of a type or property, if it has one.
pub(super) fn describe(spec: &mut Map<String, Value>, schema: &Value) {
    if let Some(description) = schema.get("description") {
        spec.insert("description".to_owned(), description.clone());
    }
}

fn property(references: &References<'_>, schema: &Value) -> Result<Map<String, Value>, SchemaError> {
    let Value::Object(mut property) = kind(references, schema)? else {
        unreachable!("a type is an object")
    };
    describe(&mut property, schema);
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

/// Converts a type. The engine has no type for `null`, which it treats as absent.
fn kind(references: &References<'_>, schema: &Value) -> Result<Value, SchemaError> {
    match schema.get("x-resource") {
        None => {}
        Some(Value::String(token)) => return Ok(json!({ "$ref": references.to_resource(token)? })),
        Some(_) => {
            return Err(SchemaError::new(
                "is a resource without a type; add `#[schemars(extend(\"x-resource\" = \"<token>\"))]`",
            ));
        }
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.strip_prefix("#/$defs/");
        let name = name.ok_or_else(|| SchemaError::new("refers to no definition"))?;
        return Ok(json!({ "$ref": references.to_type(name)? }));
    }
    let name = match &schema["type"] {
        Value::Array(names) => only(names.iter().filter(|name| *name != "null"))?,
        // If there is a type, alternatives only restrict its values.
        Value::Null => {
            let keys = ["anyOf", "oneOf", "allOf"];
            let Some(alternatives) = keys.iter().find_map(|key| schema[*key].as_array()) else {
                return Ok(any());
            };
            return kind(
                references,
                only(alternatives.iter().filter(|one| one["type"] != "null"))?,
            );
        }
        name => name,
    };
    Ok(match name.as_str() {
        Some("array") => json!({ "type": "array", "items": kind(references, &schema["items"])? }),
        Some("object") if schema["additionalProperties"].is_object() => {
            json!({ "type": "object", "additionalProperties": kind(references, &schema["additionalProperties"])? })
        }
        Some("object") if schema.get("properties").is_none() && schema["additionalProperties"] != false => {
            json!({ "type": "object", "additionalProperties": any() })
        }
        Some("object") => return Err(SchemaError::new("is an object that has no name")),
        _ => json!({ "type": name }),
    })
}

/// Any value.
fn any() -> Value {
    json!({ "$ref": "pulumi.json#/Any" })
}

fn only<'a>(mut values: impl Iterator<Item = &'a Value>) -> Result<&'a Value, SchemaError> {
    match (values.next(), values.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(SchemaError::new("has several types")),
    }
}

/// Whether the engine supports `value` as a default.
fn is_scalar(value: &Value) -> bool {
    matches!(value, Value::Bool(_) | Value::Number(_) | Value::String(_))
}

#[cfg(test)]
mod tests {
    use super::super::definitions::Definitions;
    use super::*;

    fn converted(schema: Value) -> Value {
        let definitions = Definitions::default();
        property(&References::new("pkg", &[], &definitions), &schema)
            .unwrap()
            .into()
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
    fn what_has_no_type_is_anything() {
        let any = json!({ "$ref": "pulumi.json#/Any" });
        assert_eq!(converted(json!({})), any);
        assert_eq!(
            converted(json!({ "type": "object" })),
            json!({ "type": "object", "additionalProperties": any })
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
            (json!({ "$ref": "elsewhere" }), "refers to no definition"),
            (
                json!({ "type": "object", "x-resource": null }),
                "is a resource without a type; add `#[schemars(extend(\"x-resource\" = \"<token>\"))]`",
            ),
        ] {
            let definitions = Definitions::default();
            let error = kind(&References::new("pkg", &[], &definitions), &schema).unwrap_err();
            assert_eq!(error.to_string(), expected, "{schema}");
        }
    }
}
