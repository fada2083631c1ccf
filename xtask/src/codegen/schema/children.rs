//! The schemas in the components' crate against which own values for children are checked: the inputs of the children's
//! types, without descriptions.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use clusterpkg_components::ALL;
use pulumi_plugin::schema::ChildSchema;
use serde_json::{Map, Value, json};

use super::super::Generated;
use crate::Error;
use crate::workspace::root;

/// Folder of the schemas.
pub(in crate::codegen) const FOLDER: &str = "crates/clusterpkg-components/src/children/schemas";

/// The packages of the children.
const PACKAGES: [&str; 2] = ["aws", "kubernetes"];

/// Published schemas of the packages, and schemas of custom objects.
const PUBLISHED: &str = "tests/data/providers";
const CUSTOM: &str = "crates/clusterpkg-components/tests/data";

/// Rules in the schemas that are checked.
const KEPT: [&str; 13] = [
    "const",
    "enum",
    "maximum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "minimum",
    "minItems",
    "minLength",
    "minProperties",
    "pattern",
    "required",
    "type",
];

/// The schema of each package.
pub(super) fn files() -> Result<Vec<Generated>, Error> {
    PACKAGES.into_iter().map(file).collect()
}

fn file(package: &str) -> Result<Generated, Error> {
    let text = fs::read_to_string(root().join(PUBLISHED).join(format!("{package}.package.json")))?;
    let schema = ChildSchema::parse(&text)?;
    let custom = root().join(CUSTOM);
    let children = ALL.iter().flat_map(|entry| entry.children);
    let tokens: BTreeSet<&str> = children.map(|child| child.kind.token).collect();
    let mut resources = Map::new();
    let mut provider = json!({});
    for token in tokens {
        if token.strip_prefix("pulumi:providers:") == Some(package) {
            provider = inputs_of(
                &schema,
                schema.resource(token).ok_or("there is no provider")?,
                true,
            );
        } else if token.split(':').next() == Some(package) {
            let inputs = match schema.resource(token) {
                Some(resource) => inputs_of(&schema, resource, true),
                None => inputs_of(&schema, &custom_inputs(&custom, token)?, false),
            };
            resources.insert(token.to_owned(), inputs);
        }
    }
    let document = json!({
        "name": package, "version": schema.version(), "provider": provider, "resources": resources,
    });
    Ok(Generated::new(
        &format!("{FOLDER}/{package}.json"),
        format!("{document}\n"),
    ))
}

/// The inputs of a custom object, whose type the package does not know.
fn custom_inputs(folder: &Path, token: &str) -> Result<Value, Error> {
    let known: Value = serde_json::from_str(&fs::read_to_string(folder.join("kubernetes.json"))?)?;
    let name = known["tokens"][token]["spec"].as_str();
    let name = name.ok_or_else(|| format!("there is no schema of {token}"))?;
    let spec: Value = serde_json::from_str(&fs::read_to_string(folder.join(name))?)?;
    let metadata = json!({ "$ref": "#/types/kubernetes:meta/v1:ObjectMeta" });
    let text = json!({ "type": "string" });
    Ok(json!({
        "inputProperties": { "apiVersion": text, "kind": text, "metadata": metadata, "spec": spec },
        "requiredInputs": ["spec"],
    }))
}

fn inputs_of(schema: &ChildSchema, resource: &Value, is_published: bool) -> Value {
    let mut types = Types {
        schema,
        is_published,
        around: Vec::new(),
    };
    let (properties, required) = (&resource["inputProperties"], &resource["requiredInputs"]);
    let mut inputs = json!({ "inputProperties": types.members(properties, required) });
    if required.is_array() {
        inputs["requiredInputs"] = required.clone();
    }
    inputs
}

/// Types, with the types that they refer to inside them.
struct Types<'a> {
    schema: &'a ChildSchema,
    /// Whether a package publishes the types; its required lists must not be empty either. Schemas of custom objects state
    /// the minimum.
    is_published: bool,
    /// References around the type, because types may contain themselves.
    around: Vec<&'a str>,
}

impl<'a> Types<'a> {
    fn members(&mut self, properties: &'a Value, required: &Value) -> Value {
        let mut kept = Map::new();
        for (name, property) in properties.as_object().into_iter().flatten() {
            let mut property = self.kept(property);
            let is_required = required
                .as_array()
                .is_some_and(|names| names.contains(&json!(name)));
            if self.is_published && is_required && property["type"] == "array" {
                property["minItems"] = json!(1);
            }
            kept.insert(name.clone(), property);
        }
        kept.into()
    }

    fn kept(&mut self, property: &'a Value) -> Value {
        let reference = property["$ref"].as_str();
        if reference.is_some_and(|reference| self.around.contains(&reference)) {
            return json!({});
        }
        self.around.extend(reference);
        let property = self.schema.resolve(property);
        let mut kept = Map::new();
        for key in KEPT {
            if let Some(value) = property.get(key) {
                kept.insert(key.to_owned(), value.clone());
            }
        }
        // The API server adds defaults before it checks.
        if let Some(Value::Array(required)) = kept.get_mut("required") {
            required.retain(|name| {
                let member = name.as_str().and_then(|name| property["properties"].get(name));
                member.is_none_or(|member| member.get("default").is_none())
            });
        }
        if let Some(types) = property["anyOf"].as_array() {
            let types = types.iter().map(|option| option["type"].clone());
            kept.insert("type".to_owned(), types.collect());
        }
        if property["properties"].is_object() {
            let members = self.members(&property["properties"], &property["required"]);
            kept.insert("properties".to_owned(), members);
        }
        for key in ["items", "additionalProperties"] {
            if property[key].is_object() {
                kept.insert(key.to_owned(), self.kept(&property[key]));
            }
        }
        self.around
            .truncate(self.around.len() - usize::from(reference.is_some()));
        kept.into()
    }
}
