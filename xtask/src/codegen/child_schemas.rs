//! The schemas in the components' crate against which own values for children are checked: the inputs of the children's
//! types, without what values that are merged over others do not need.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use clusterpkg_components::ALL;
use pulumi_plugin::schema::ChildSchema;
use serde_json::{Map, Value, json};

use super::Generated;
use crate::Error;
use crate::workspace::root;

/// Folder of the schemas.
pub(super) const FOLDER: &str = "crates/clusterpkg-components/src/children/schemas";

/// The packages of the children.
const PACKAGES: [&str; 2] = ["aws", "kubernetes"];

/// Published schemas of the packages, and schemas of custom objects.
const PUBLISHED: &str = "tests/data/providers";
const CUSTOM: &str = "crates/clusterpkg-components/tests/data";

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
            let inputs = &schema.resource(token).ok_or("there is no provider")?["inputProperties"];
            provider = inputs_of(&schema, inputs);
        } else if token.split(':').next() == Some(package) {
            let inputs = match schema.resource(token) {
                Some(resource) => inputs_of(&schema, &resource["inputProperties"]),
                None => inputs_of(&schema, &custom_inputs(&custom, token)?),
            };
            resources.insert(token.to_owned(), inputs);
        }
    }
    let document = json!({
        "name": package, "version": schema.version(), "provider": provider, "resources": resources,
    });
    Ok(Generated {
        path: format!("{FOLDER}/{package}.json"),
        text: format!("{document}\n"),
    })
}

/// The inputs of a custom object, whose type the package does not know.
fn custom_inputs(folder: &Path, token: &str) -> Result<Value, Error> {
    let known: Value = serde_json::from_str(&fs::read_to_string(folder.join("kubernetes.json"))?)?;
    let name = known["tokens"][token]["spec"].as_str();
    let name = name.ok_or_else(|| format!("there is no schema of {token}"))?;
    let spec: Value = serde_json::from_str(&fs::read_to_string(folder.join(name))?)?;
    let metadata = json!({ "$ref": "#/types/kubernetes:meta/v1:ObjectMeta" });
    let text = json!({ "type": "string" });
    Ok(json!({ "apiVersion": text, "kind": text, "metadata": metadata, "spec": spec }))
}

fn inputs_of(schema: &ChildSchema, properties: &Value) -> Value {
    let mut types = Types {
        schema,
        around: Vec::new(),
    };
    json!({ "inputProperties": types.members(properties) })
}

/// Types, with the types that they refer to inside them.
struct Types<'a> {
    schema: &'a ChildSchema,
    /// References around the type, because types may contain themselves.
    around: Vec<&'a str>,
}

impl<'a> Types<'a> {
    fn members(&mut self, properties: &'a Value) -> Value {
        let properties = properties.as_object().into_iter().flatten();
        properties
            .map(|(name, property)| (name.clone(), self.kept(property)))
            .collect()
    }

    fn kept(&mut self, property: &'a Value) -> Value {
        let reference = property["$ref"].as_str();
        if reference.is_some_and(|reference| self.around.contains(&reference)) {
            return json!({});
        }
        self.around.extend(reference);
        let property = self.schema.resolve(property);
        let mut kept = Map::new();
        for key in ["type", "const"] {
            if let Some(value) = property.get(key) {
                kept.insert(key.to_owned(), value.clone());
            }
        }
        if property["properties"].is_object() {
            kept.insert("properties".to_owned(), self.members(&property["properties"]));
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
