//! Determines the type of values that a JSON schema describes.

use serde_json::Value;

/// Type of the values that a schema permits in addition to `null`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind<'a> {
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// Text.
    String,
    /// An array; contains the schema of its items.
    Array(&'a Value),
    /// An object with any members; contains the schema of their values.
    Map(&'a Value),
    /// An object with members of any kind.
    Json,
    /// An object with members of its own.
    Object,
    /// The schema of this name in `$defs`.
    Definition(&'a str),
}

impl<'a> Kind<'a> {
    /// The type that `schema` describes.
    ///
    /// # Errors
    ///
    /// A clause about `schema`, if it permits several types or states none.
    pub fn of(schema: &'a Value) -> Result<Self, &'static str> {
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.strip_prefix("#/$defs/");
            return name.map(Self::Definition).ok_or("refers to no definition");
        }
        let name = match &schema["type"] {
            Value::Array(names) => only(names.iter().filter(|name| *name != "null"))?,
            // Next to a type, alternatives only restrict its values.
            Value::Null => {
                let keys = ["anyOf", "oneOf", "allOf"];
                let alternatives = keys.iter().find_map(|key| schema[*key].as_array());
                let types = alternatives.into_iter().flatten();
                return match only(types.filter(|one| one["type"] != "null")) {
                    Err(_) if alternatives.is_none() => Err("has no type"),
                    one => Self::of(one?),
                };
            }
            name => name,
        };
        match name.as_str() {
            Some("boolean") => Ok(Self::Boolean),
            Some("integer") => Ok(Self::Integer),
            Some("number") => Ok(Self::Number),
            Some("string") => Ok(Self::String),
            Some("array") => Ok(Self::Array(&schema["items"])),
            Some("object") if schema["additionalProperties"].is_object() => {
                Ok(Self::Map(&schema["additionalProperties"]))
            }
            Some("object") if schema["additionalProperties"] == true => Ok(Self::Json),
            Some("object") => Ok(Self::Object),
            _ => Err("has no type"),
        }
    }
}

fn only<'a>(mut values: impl Iterator<Item = &'a Value>) -> Result<&'a Value, &'static str> {
    match (values.next(), values.next()) {
        (Some(only), None) => Ok(only),
        _ => Err("has several types"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn null_is_no_type_of_its_own() {
        for schema in [
            json!({ "type": "string" }),
            json!({ "type": ["string", "null"] }),
            json!({ "anyOf": [{ "type": "null" }, { "type": "string" }] }),
            json!({ "type": ["string", "null"], "anyOf": [{ "pattern": "a" }, { "pattern": "b" }] }),
        ] {
            assert_eq!(Kind::of(&schema), Ok(Kind::String), "{schema}");
        }
    }

    #[test]
    fn arrays_maps_and_references_lead_to_other_schemas() {
        let inner = json!({ "type": "integer" });
        let array = json!({ "type": "array", "items": inner });
        assert_eq!(Kind::of(&array), Ok(Kind::Array(&inner)));
        let map = json!({ "type": "object", "additionalProperties": inner });
        assert_eq!(Kind::of(&map), Ok(Kind::Map(&inner)));
        let open = json!({ "type": "object", "additionalProperties": true });
        assert_eq!(Kind::of(&open), Ok(Kind::Json));
        let closed = json!({ "type": "object", "additionalProperties": false });
        assert_eq!(Kind::of(&closed), Ok(Kind::Object));
        let reference = json!({ "anyOf": [{ "$ref": "#/$defs/T" }, { "type": "null" }] });
        assert_eq!(Kind::of(&reference), Ok(Kind::Definition("T")));
    }

    #[test]
    fn a_schema_without_exactly_one_type_is_an_error() {
        for (schema, expected) in [
            (json!({ "type": ["string", "number"] }), "has several types"),
            (
                json!({ "anyOf": [{ "type": "string" }, { "type": "number" }] }),
                "has several types",
            ),
            (json!({ "$ref": "other.json" }), "refers to no definition"),
            (json!({}), "has no type"),
        ] {
            assert_eq!(Kind::of(&schema), Err(expected), "{schema}");
        }
    }
}
