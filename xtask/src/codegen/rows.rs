//! The properties of a schema as rows of a table.

use netmgr_types::schema::Kind;
use serde::Serialize;
use serde_json::Value;

/// A property of a component.
#[derive(Serialize)]
pub(super) struct Row {
    /// Its name, with the outer names in a nested object: `disruption.budgets[].nodes`.
    pub(super) name: String,
    /// Its type, in words.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// Whether it is required in an input, or always present in an output.
    required: bool,
    /// Whether its value must not be shown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    secret: bool,
    /// Whether it must be known when the component is constructed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    plain: bool,
    /// The replacement.
    #[serde(skip_serializing_if = "Option::is_none")]
    deprecation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<Value>,
    description: String,
}

/// The properties of the object type `schema`, each followed by the members of its objects if `with_members`.
pub(super) fn rows(schema: &Value, with_members: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    collect(schema, schema, "", with_members, &mut rows);
    rows
}

fn collect(root: &Value, object: &Value, around: &str, with_members: bool, rows: &mut Vec<Row>) {
    let required = object["required"].as_array();
    for (name, schema) in object["properties"].as_object().into_iter().flatten() {
        let text = |member: &str| schema[member].as_str().map(str::to_owned);
        let is_required = required.is_some_and(|names| names.iter().any(|required| required == name));
        let name = format!("{around}{name}");
        rows.push(Row {
            kind: kind(root, schema),
            required: is_required,
            secret: schema["x-secret"] == true,
            plain: schema["x-plain"] == true,
            deprecation: text("x-deprecation"),
            default: schema.get("default").or(schema.get("x-default")).cloned(),
            description: text("description").unwrap_or_default(),
            name: name.clone(),
        });
        if with_members {
            let (inner, between) = match Kind::of(schema) {
                Ok(Kind::Array(items)) => (items, "[]."),
                Ok(Kind::Map(values)) => (values, ".*."),
                _ => (schema, "."),
            };
            if let Ok(Kind::Definition(inner)) = Kind::of(inner) {
                collect(
                    root,
                    &root["$defs"][inner],
                    &format!("{name}{between}"),
                    true,
                    rows,
                );
            }
        }
    }
}

/// A type in words: a type or a resource of another package by its token.
fn kind(root: &Value, schema: &Value) -> String {
    if let Some(token) = schema["x-resource"].as_str() {
        return token.to_owned();
    }
    match Kind::of(schema) {
        Ok(Kind::Boolean) => "boolean".to_owned(),
        Ok(Kind::Integer) => "integer".to_owned(),
        Ok(Kind::Number) => "number".to_owned(),
        Ok(Kind::String) => "string".to_owned(),
        Ok(Kind::Array(items)) => format!("array of {}", kind(root, items)),
        Ok(Kind::Map(values)) => format!("map of {}", kind(root, values)),
        Ok(Kind::Object | Kind::Json) => "object".to_owned(),
        Ok(Kind::Definition(name)) => {
            let token = root["$defs"][name]["x-external"].as_str();
            token.unwrap_or(name).to_owned()
        }
        Err(_) => String::new(),
    }
}
