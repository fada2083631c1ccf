//! Properties of components as rows of tables.

use netmgr_types::schema::Kind;
use serde::Serialize;
use serde_json::Value;

/// A property of a schema.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Row {
    /// Its name, with the outer names in a nested object: `disruption.budgets[].nodes`.
    pub(super) name: String,
    /// Its type, in words.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// Whether it is required in an input, or always present in an output.
    pub(super) required: bool,
    /// Whether its value must not be shown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) secret: bool,
    /// Whether it must be known when the component is constructed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) plain: bool,
    /// The replacement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deprecation: Option<String>,
    /// The default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default: Option<Value>,
    /// Its meaning.
    pub(super) description: String,
}

/// The properties of the object type `schema`.
pub(super) fn rows(schema: &Value) -> Vec<Row> {
    let mut rows = Vec::new();
    collect(schema, schema, "", false, &mut rows);
    rows
}

/// The properties of the object type `schema`, each followed by the properties of its nested objects.
pub(super) fn rows_with_inner(schema: &Value) -> Vec<Row> {
    let mut rows = Vec::new();
    collect(schema, schema, "", true, &mut rows);
    rows
}

fn collect(root: &Value, object: &Value, around: &str, with_inner: bool, rows: &mut Vec<Row>) {
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
        if with_inner {
            let (inner, between) = match Kind::of(schema) {
                Ok(Kind::Array(items)) => (items, "[]."),
                Ok(Kind::Map(values)) => (values, ".*."),
                _ => (schema, "."),
            };
            if let Some(inner) = target(root, inner) {
                collect(root, inner, &format!("{name}{between}"), true, rows);
            }
        }
    }
}

/// The type that a schema refers to.
fn target<'a>(root: &'a Value, schema: &Value) -> Option<&'a Value> {
    match Kind::of(schema) {
        Ok(Kind::Definition(name)) => root["$defs"].get(name),
        _ => None,
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn inner_objects_follow_with_their_path() {
        let schema = json!({
            "properties": {
                "budgets": { "type": "array", "items": { "$ref": "#/$defs/Budget" } },
                "labels": { "type": "object", "additionalProperties": { "type": "string" } },
                "scaling": { "$ref": "#/$defs/Scaling" },
            },
            "required": ["labels"],
            "$defs": {
                "Budget": { "properties": { "nodes": { "type": "string" } } },
                "Scaling": {
                    "x-external": "aws:eks/Scaling:Scaling",
                    "properties": { "min": { "type": "integer", "x-default": 1 } },
                    "required": ["min"],
                },
            },
        });
        let shown: Vec<_> = rows_with_inner(&schema)
            .into_iter()
            .map(|row| format!("{} {} {} {:?}", row.name, row.kind, row.required, row.default))
            .collect();
        assert_eq!(
            shown,
            [
                "budgets array of Budget false None",
                "budgets[].nodes string false None",
                "labels map of string true None",
                "scaling aws:eks/Scaling:Scaling false None",
                "scaling.min integer true Some(Number(1))",
            ]
        );
        let names: Vec<_> = rows(&schema).into_iter().map(|row| row.name).collect();
        assert_eq!(names, ["budgets", "labels", "scaling"]);
    }
}
