//! Properties of objects, from their JSON schemas.

use netmgr_types::schema::Kind;
use schemars::Schema;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// A property of an object, from its JSON schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Property {
    /// Its name: `displayName`.
    pub name: String,
    /// Type of its values.
    #[serde(rename = "type")]
    pub shape: Shape,
    /// Whether the input is required, or the output is always present.
    pub required: bool,
    /// Whether its value is secret.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
    /// The input that makes the value of an output secret when it is true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret_if: Option<String>,
    /// The replacement, if it is deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecation: Option<String>,
    /// Description.
    pub description: String,
    /// Properties of an object, or of the objects of a list; empty for other shapes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Property>,
}

/// Type of the values of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// A string.
    String,
    /// A list of numbers.
    Numbers,
    /// A list of strings.
    Strings,
    /// An object with properties of its own.
    Object,
    /// A list of such objects.
    Objects,
    /// A map of strings.
    Map,
    /// An object with members of any kind.
    Json,
}

impl Shape {
    /// Name in lists and help: `string`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::Numbers => "list of numbers",
            Self::Strings => "list of strings",
            Self::Object => "object",
            Self::Objects => "list of objects",
            Self::Map => "map",
            Self::Json => "JSON object",
        }
    }
}

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The properties of the object that `schema` describes, required ones first, then by name.
#[must_use]
pub fn properties(schema: &Schema) -> Vec<Property> {
    object_properties(schema.as_value(), schema.as_value())
}

fn object_properties(object: &Value, root: &Value) -> Vec<Property> {
    let required = |name: &str| {
        let names = object["required"].as_array();
        names.is_some_and(|names| names.iter().any(|required| required == name))
    };
    let mut properties: Vec<Property> = object["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, schema)| {
            let target = resolve(schema, root);
            let shape = shape(target, root);
            let described = [schema, target].map(|schema| schema["description"].as_str());
            Property {
                name: name.clone(),
                shape,
                required: required(name),
                secret: [schema, target].iter().any(|schema| schema["x-secret"] == true),
                secret_if: schema["x-secret-if"].as_str().map(str::to_owned),
                deprecation: schema["x-deprecation"].as_str().map(str::to_owned),
                // Join the lines of the source.
                description: described
                    .into_iter()
                    .flatten()
                    .next()
                    .unwrap_or_default()
                    .replace('\n', " "),
                properties: match shape {
                    Shape::Object => object_properties(target, root),
                    Shape::Objects => object_properties(resolve(&target["items"], root), root),
                    _ => Vec::new(),
                },
            }
        })
        .collect();
    properties.sort_by(|a, b| b.required.cmp(&a.required).then_with(|| a.name.cmp(&b.name)));
    properties
}

/// Follows references. Optional properties have one among their alternatives.
fn resolve<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    match Kind::of(schema) {
        Ok(Kind::Definition(name)) => resolve(&root["$defs"][name], root),
        _ => schema,
    }
}

fn shape(schema: &Value, root: &Value) -> Shape {
    match Kind::of(schema) {
        Ok(Kind::Boolean) => Shape::Boolean,
        Ok(Kind::Integer) => Shape::Integer,
        Ok(Kind::Number) => Shape::Number,
        Ok(Kind::Array(items)) => match shape(resolve(items, root), root) {
            Shape::Integer | Shape::Number => Shape::Numbers,
            Shape::Object => Shape::Objects,
            _ => Shape::Strings,
        },
        Ok(Kind::Map(_)) => Shape::Map,
        Ok(Kind::Json) => Shape::Json,
        Ok(Kind::Object) => Shape::Object,
        Ok(Kind::String | Kind::Definition(_)) | Err(_) => Shape::String,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use schemars::{JsonSchema, schema_for};

    use super::*;

    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[allow(dead_code, reason = "only its schema is read")]
    struct SampleInput {
        /// Whether to check,
        /// or not.
        check_it: Option<bool>,
        /// The tenant.
        context: Option<InnerObject>,
        /// Names.
        items: BTreeMap<String, String>,
        codes: Vec<u16>,
        /// Seconds.
        delay: Option<f64>,
        count: Option<u32>,
        #[schemars(extend("x-secret" = true, "x-deprecation" = "use count"))]
        token: Option<String>,
        /// Members of any kind.
        #[schemars(extend("x-secret-if" = "checkIt"))]
        whole: serde_json::Map<String, Value>,
        /// Tenants.
        tenants: Vec<InnerObject>,
    }

    /// A tenant.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[allow(dead_code, reason = "only its schema is read")]
    struct InnerObject {
        /// Project identifier.
        project_id: Option<String>,
    }

    #[test]
    fn a_schema_reads_as_properties_required_ones_first() {
        let found = properties(&schema_for!(SampleInput));
        let shapes: Vec<_> = found
            .iter()
            .map(|property| (property.name.as_str(), property.shape, property.required))
            .collect();
        assert_eq!(
            shapes,
            [
                ("codes", Shape::Numbers, true),
                ("items", Shape::Map, true),
                ("tenants", Shape::Objects, true),
                ("whole", Shape::Json, true),
                ("checkIt", Shape::Boolean, false),
                ("context", Shape::Object, false),
                ("count", Shape::Integer, false),
                ("delay", Shape::Number, false),
                ("token", Shape::String, false),
            ]
        );
        assert_eq!(found[4].description, "Whether to check, or not.");
        assert_eq!(found[5].description, "The tenant.");
        assert_eq!(found[5].properties[0].name, "projectId");
        assert_eq!(found[2].properties, found[5].properties);
        assert_eq!(found[5].properties[0].description, "Project identifier.");
        assert!(found[8].secret && !found[7].secret);
        assert_eq!(found[8].deprecation.as_deref(), Some("use count"));
        assert_eq!(found[7].deprecation, None);
        assert_eq!(found[3].secret_if.as_deref(), Some("checkIt"));
    }
}
