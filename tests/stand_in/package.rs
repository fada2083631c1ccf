//! The schema of a package, and which inputs it has.

use pulumi_plugin::rpc::InputFailure;
use pulumi_plugin::values::{Object, PropertyPath, Value};
use serde_json::Value as Json;

/// Schemas of the packages, reduced to what the components and their tests use.
const SCHEMAS: [(&str, &str); 2] = [
    ("aws", include_str!("../data/providers/aws.package.json")),
    (
        "kubernetes",
        include_str!("../data/providers/kubernetes.package.json"),
    ),
];

/// A package.
pub(crate) struct Package {
    pub(crate) name: &'static str,
    /// Its schema as it is answered.
    pub(crate) text: &'static str,
    schema: Json,
}

impl Package {
    /// The package of this name, if it is a known one.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let (name, text) = *SCHEMAS.iter().find(|(known, _)| *known == name)?;
        let schema = serde_json::from_str(text).ok()?;
        Some(Self { name, text, schema })
    }

    pub(crate) fn version(&self) -> &str {
        self.schema["version"].as_str().unwrap_or_default()
    }

    /// A resource type of the schema.
    pub(crate) fn resource(&self, token: &str) -> Option<&Json> {
        self.schema["resources"].get(token)
    }

    /// A function of the schema.
    pub(crate) fn function(&self, token: &str) -> Option<&Json> {
        self.schema["functions"].get(token)
    }

    /// A type itself, when a schema only names it.
    pub(crate) fn resolve<'a>(&'a self, schema: &'a Json) -> &'a Json {
        let reference = schema["$ref"].as_str().unwrap_or_default();
        match reference.strip_prefix("#/types/") {
            Some(name) => &self.schema["types"][name],
            None => schema,
        }
    }

    /// The problems of a provider's configuration. Its values may be strings of any kind.
    pub(crate) fn config_failures(&self, config: &Object) -> Vec<InputFailure> {
        let known = &self.schema["provider"]["inputProperties"];
        config
            .keys()
            .filter(|name| *name != "version" && known.get(*name).is_none())
            .map(|name| InputFailure::new(name.as_str(), "is no setting of the provider"))
            .collect()
    }

    /// The problems of a resource's inputs.
    pub(crate) fn failures(&self, token: &str, inputs: &Object) -> Vec<InputFailure> {
        let mut failures = Vec::new();
        match self.resource(token) {
            Some(resource) => {
                let (properties, required) = (&resource["inputProperties"], &resource["requiredInputs"]);
                self.members(
                    properties,
                    required,
                    inputs,
                    &PropertyPath::default(),
                    &mut failures,
                );
            }
            None => failures.extend(self.custom_object_failures(token, inputs)),
        }
        failures
    }

    /// Failures of custom objects, which are identified by their type token.
    fn custom_object_failures(&self, token: &str, inputs: &Object) -> Option<InputFailure> {
        let text = |name: &str| {
            inputs
                .get(name)
                .and_then(Value::known)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let expected = format!("{}:{}:{}", self.name, text("apiVersion"), text("kind"));
        let custom = self.name == "kubernetes" && token == expected && token.contains('/');
        (!custom).then(|| InputFailure::new(PropertyPath::default(), format!("{token} is no known type")))
    }

    fn members(
        &self,
        properties: &Json,
        required: &Json,
        values: &Object,
        path: &PropertyPath,
        failures: &mut Vec<InputFailure>,
    ) {
        for name in required.as_array().into_iter().flatten().filter_map(Json::as_str) {
            if values.get(name).is_none_or(Value::is_null) {
                failures.push(InputFailure::new(path.join(name.to_owned()), "is required"));
            }
        }
        for (name, value) in values {
            let path = path.join(name.clone());
            match properties.get(name) {
                Some(schema) => self.value(schema, value, &path, failures),
                None => failures.push(InputFailure::new(path, "is no known property")),
            }
        }
    }

    fn value(&self, schema: &Json, value: &Value, path: &PropertyPath, failures: &mut Vec<InputFailure>) {
        // What is not known yet can be anything.
        let Some(value) = value.known() else { return };
        let schema = self.resolve(schema);
        if let Some(constant) = schema.get("const")
            && value.to_json() != *constant
        {
            failures.push(InputFailure::new(path.clone(), format!("must be {constant}")));
        }
        let fits = match (schema["type"].as_str(), value) {
            (_, Value::Null)
            | (Some("string"), Value::String(_))
            | (Some("boolean"), Value::Bool(_))
            | (Some("number" | "integer"), Value::Number(_))
            | (None, _) => true,
            (Some("array"), Value::Array(elements)) => {
                for (index, element) in elements.iter().enumerate() {
                    self.value(&schema["items"], element, &path.join(index), failures);
                }
                true
            }
            (Some("object"), Value::Object(members)) => {
                match schema.get("properties") {
                    Some(properties) => {
                        self.members(properties, &schema["required"], members, path, failures)
                    }
                    None => {
                        for (name, member) in members {
                            let path = path.join(name.clone());
                            self.value(&schema["additionalProperties"], member, &path, failures);
                        }
                    }
                }
                true
            }
            _ => false,
        };
        if !fits {
            let reason = format!("must be of type {}", schema["type"]);
            failures.push(InputFailure::new(path.clone(), reason));
        }
    }
}
