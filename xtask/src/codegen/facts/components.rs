//! The facts about components.

use clusterpkg_components::ALL as COMPONENTS;
use netmgr_types::schema::Kind;
use serde::Serialize;
use serde_json::Value;

use super::super::package::{Package, short};
use super::super::samples::Samples;
use crate::Error;

/// A component.
#[derive(Serialize)]
pub(in crate::codegen) struct ComponentFacts {
    pub(in crate::codegen) name: String,
    token: String,
    description: String,
    inputs: Vec<Row>,
    /// The inputs, each followed by the members of its objects.
    all_inputs: Vec<Row>,
    outputs: Vec<Row>,
    children: Vec<ChildFacts>,
    /// Its example in YAML.
    yaml: String,
}

/// A child of a component.
#[derive(Serialize)]
struct ChildFacts {
    name: &'static str,
    token: &'static str,
    purpose: &'static str,
    condition: Option<&'static str>,
    /// Properties that the component decides.
    own: Vec<&'static str>,
}

/// The components of the package.
pub(super) fn components(package: &Package, samples: &Samples) -> Result<Vec<ComponentFacts>, Error> {
    let components = COMPONENTS.iter().zip(&package.schema.components);
    let components = components.map(|(entry, component)| {
        let [.., yaml] = samples.of(&component.token)?;
        let children = entry.children.iter().map(|child| ChildFacts {
            name: child.name,
            token: child.kind.token,
            purpose: child.purpose,
            condition: child.condition,
            own: child.all_own().flat_map(|own| own.paths).copied().collect(),
        });
        Ok(ComponentFacts {
            name: short(&component.token).to_owned(),
            token: component.token.clone(),
            description: component.description.clone(),
            inputs: rows(&component.inputs, false),
            all_inputs: rows(&component.inputs, true),
            outputs: rows(&component.outputs, false),
            children: children.collect(),
            yaml: yaml.text,
        })
    });
    components.collect()
}

/// A property of a component.
#[derive(Serialize)]
pub(in crate::codegen) struct Row {
    /// Its name, with the outer names in a nested object: `disruption.budgets[].nodes`.
    pub(in crate::codegen) name: String,
    /// Its type, in words.
    #[serde(rename = "type")]
    pub(in crate::codegen) kind: String,
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
pub(in crate::codegen) fn rows(schema: &Value, with_members: bool) -> Vec<Row> {
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
