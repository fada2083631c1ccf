//! Schemas of the packages of children, against which tests check the children of a component, and components the values
//! that a program gives its children.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::SchemaError;
use super::limits::violation;
use crate::components::recording::Recording;
use crate::components::{FunctionCall, InputFailure, Registration};
use crate::values::{Object, PropertyPath, Value};

/// The schema of a package of children, as `pulumi package get-schema` prints it.
#[derive(Debug, Clone)]
pub struct ChildSchema {
    schema: Json,
}

/// The schemas of all packages of children of a component.
///
/// ```
/// use pulumi_plugin::components::{ChildOptions, ChildPackage, Component, ConstructError, ConstructRequest, Output};
/// use pulumi_plugin::components::{Scope, construct, object, properties, record, recording::RecordingEngine};
/// use pulumi_plugin::schema::ChildSchemas;
///
/// record! {
///     /// No inputs.
///     pub struct Inputs {}
/// }
/// object! {
///     /// No outputs.
///     pub struct Outputs {}
/// }
/// struct Bucket;
///
/// impl Component for Bucket {
///     const TOKEN: &'static str = "site:index:Bucket";
///     const PACKAGES: &'static [ChildPackage] = &[];
///     type Inputs = Inputs;
///     type Outputs = Outputs;
///
///     fn build(scope: &Scope, _: Inputs) -> Result<Outputs, ConstructError> {
///         let inputs = properties! { "buckt": "site" };
///         scope.register("cloud:index:Bucket", scope.name(), inputs, ChildOptions::new());
///         Ok(Outputs {})
///     }
/// }
///
/// let cloud = r#"{
///     "name": "cloud",
///     "resources": { "cloud:index:Bucket": { "inputProperties": { "bucket": { "type": "string" } } } }
/// }"#;
/// let engine = RecordingEngine::new();
/// let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// let request = ConstructRequest { name: "main".to_owned(), ..ConstructRequest::default() };
/// runtime.block_on(construct::<Bucket>(engine.registrar(), request)).unwrap();
///
/// let schemas = ChildSchemas::parse([cloud]).unwrap();
/// assert_eq!(schemas.refusals(&engine.record()), [r#"cloud:index:Bucket "main": buckt: is an unknown property; did you mean `bucket`?"#]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ChildSchemas(BTreeMap<String, ChildSchema>);

impl ChildSchemas {
    /// Reads schemas, which are JSON documents.
    ///
    /// # Errors
    ///
    /// A document is not JSON or has no name.
    pub fn parse<'a>(documents: impl IntoIterator<Item = &'a str>) -> Result<Self, SchemaError> {
        let schemas = documents.into_iter().map(|document| {
            let schema = ChildSchema::parse(document)?;
            Ok((schema.name().to_owned(), schema))
        });
        Ok(Self(schemas.collect::<Result<_, _>>()?))
    }

    /// Reports problems that the packages of the recorded children would reject: unknown types, and unknown properties,
    /// missing properties and properties of the wrong type. Children of packages without a schema are reported as well.
    /// Unknown values are not checked.
    pub fn refusals(&self, recording: &Recording) -> Vec<String> {
        let read = recording
            .reads
            .iter()
            .map(|(registration, _)| registration.token.as_str());
        let unknown = read.filter(|token| {
            self.package(token)
                .is_none_or(|package| package.resource(token).is_none())
        });
        let registered = recording
            .registrations
            .iter()
            .filter(|one| one.custom || one.remote);
        let mut refusals: Vec<_> = registered.flat_map(|one| self.of_registration(one)).collect();
        refusals.extend(recording.calls.iter().flat_map(|call| self.of_call(call)));
        refusals.extend(unknown.map(|token| format!("{token}: is an unknown type")));
        refusals
    }

    /// Returns the problems of a resource's inputs: as [`ChildSchema::check`], but nothing is required unless they are
    /// complete.
    pub(crate) fn of_inputs(&self, token: &str, inputs: &Object, is_complete: bool) -> Vec<InputFailure> {
        match self.package(token) {
            Some(package) => package.check_inputs(token, inputs, is_complete),
            None => vec![no_schema(token)],
        }
    }

    fn of_registration(&self, registration: &Registration) -> Vec<String> {
        let Registration {
            token, name, inputs, ..
        } = registration;
        let failures = match self.package(token) {
            Some(package) => package.check(token, inputs),
            None => vec![no_schema(token)],
        };
        let line = |failure: InputFailure| format!("{token} \"{name}\": {failure}");
        failures.into_iter().map(line).collect()
    }

    fn of_call(&self, call: &FunctionCall) -> Vec<String> {
        let failures = match self.package(&call.token) {
            // Functions of the engine itself have no schema.
            None if call.token.starts_with("pulumi:") => Vec::new(),
            None => vec![no_schema(&call.token)],
            Some(package) => package.check_call(&call.token, &call.arguments),
        };
        let line = |failure: InputFailure| format!("{}: {failure}", call.token);
        failures.into_iter().map(line).collect()
    }

    /// The schema of the package of a token.
    fn package(&self, token: &str) -> Option<&ChildSchema> {
        let name = token
            .strip_prefix("pulumi:providers:")
            .or_else(|| token.split(':').next());
        self.0.get(name.unwrap_or_default())
    }
}

fn no_schema(token: &str) -> InputFailure {
    InputFailure::new(
        PropertyPath::default(),
        format!("there is no schema of the package of {token}"),
    )
}

impl ChildSchema {
    /// Reads a schema, which is a JSON document.
    ///
    /// # Errors
    ///
    /// It is not JSON or has no name.
    pub fn parse(document: &str) -> Result<Self, SchemaError> {
        let schema: Json = serde_json::from_str(document)
            .map_err(|error| SchemaError::new(format!("a schema is not JSON: {error}")))?;
        if schema["name"].is_string() {
            Ok(Self { schema })
        } else {
            Err(SchemaError::new("a schema has no name"))
        }
    }

    /// Name of the package.
    pub fn name(&self) -> &str {
        self.schema["name"].as_str().unwrap_or_default()
    }

    /// Version of the package, which is empty if the schema has none.
    pub fn version(&self) -> &str {
        self.schema["version"].as_str().unwrap_or_default()
    }

    /// The specification of a resource. For the token of the package's provider, the specification of the provider.
    pub fn resource(&self, token: &str) -> Option<&Json> {
        match token.strip_prefix("pulumi:providers:") {
            Some(_) => self.schema.get("provider"),
            None => self.schema["resources"].get(token),
        }
    }

    /// The specification of a function.
    pub fn function(&self, token: &str) -> Option<&Json> {
        self.schema["functions"].get(token)
    }

    /// Returns the type that a specification refers to; the specification itself if it refers to no type of the package.
    pub fn resolve<'a>(&'a self, specification: &'a Json) -> &'a Json {
        let reference = specification["$ref"].as_str().unwrap_or_default();
        match reference.strip_prefix("#/types/") {
            Some(token) => &self.schema["types"][token.replace("%2F", "/")],
            None => specification,
        }
    }

    /// Returns the problems of a resource's inputs.
    pub fn check(&self, token: &str, inputs: &Object) -> Vec<InputFailure> {
        self.check_inputs(token, inputs, true)
    }

    fn check_inputs(&self, token: &str, inputs: &Object, is_complete: bool) -> Vec<InputFailure> {
        match self.resource(token) {
            Some(resource) => self.object(
                &resource["inputProperties"],
                &resource["requiredInputs"],
                inputs,
                is_complete,
            ),
            None if self.is_custom_object(token, inputs) => Vec::new(),
            None => vec![unknown(token, "type")],
        }
    }

    /// Returns the problems of a function's arguments.
    pub fn check_call(&self, token: &str, arguments: &Object) -> Vec<InputFailure> {
        match self.function(token) {
            Some(function) => {
                let inputs = &function["inputs"];
                self.object(&inputs["properties"], &inputs["required"], arguments, true)
            }
            None => vec![unknown(token, "function")],
        }
    }

    /// Whether the token names a custom object of Kubernetes, whose type is not in the schema.
    fn is_custom_object(&self, token: &str, inputs: &Object) -> bool {
        let text = |name: &str| inputs.get(name).and_then(Value::known).and_then(Value::as_str);
        let (version, kind) = (
            text("apiVersion").unwrap_or_default(),
            text("kind").unwrap_or_default(),
        );
        self.name() == "kubernetes"
            && version.contains('/')
            && token == format!("kubernetes:{version}:{kind}")
    }

    fn object(
        &self,
        properties: &Json,
        required: &Json,
        values: &Object,
        is_complete: bool,
    ) -> Vec<InputFailure> {
        let mut check = SchemaCheck {
            package: self,
            is_complete,
            failures: Vec::new(),
        };
        check.members(properties, required, values, &PropertyPath::default());
        check.failures
    }
}

/// The problem of a missing property.
pub(crate) const REQUIRED: &str = "is required";

/// A check of values.
struct SchemaCheck<'a> {
    package: &'a ChildSchema,
    /// Whether required members must be there.
    is_complete: bool,
    failures: Vec<InputFailure>,
}

impl SchemaCheck<'_> {
    fn refuse(&mut self, path: PropertyPath, reason: impl Into<String>) {
        self.failures.push(InputFailure::new(path, reason));
    }

    fn members(&mut self, properties: &Json, required: &Json, values: &Object, path: &PropertyPath) {
        let required = required.as_array().filter(|_| self.is_complete);
        for name in required.into_iter().flatten().filter_map(Json::as_str) {
            if values.get(name).is_none_or(Value::is_null) {
                self.refuse(path.join(name.to_owned()), REQUIRED);
            }
        }
        for (name, value) in values {
            let path = path.join(name.clone());
            match properties.get(name) {
                Some(schema) => self.value(schema, value, &path),
                None => {
                    let names = properties.as_object().into_iter().flat_map(|all| all.keys());
                    let hint = similar(name, names.map(String::as_str));
                    self.refuse(path, format!("is an unknown property{hint}"));
                }
            }
        }
    }

    fn value(&mut self, schema: &Json, value: &Value, path: &PropertyPath) {
        // Unknown values are not checked.
        let Some(value) = value.known() else { return };
        let schema = self.package.resolve(schema);
        if let Some(constant) = schema.get("const")
            && value.to_json() != *constant
        {
            self.refuse(path.clone(), format!("must be {constant}"));
        }
        let is_any = |name: &Json| name.as_str().is_some_and(|name| is_of_type(name, value));
        let fits = match &schema["type"] {
            _ if value.is_null() => true,
            Json::Null => true,
            Json::Array(types) => types.iter().any(is_any),
            one => is_any(one),
        };
        if !fits {
            self.refuse(path.clone(), format!("must be of type {}", schema["type"]));
            return;
        }
        if let Some(reason) = violation(schema, value) {
            self.refuse(path.clone(), reason);
        }
        match value {
            Value::Array(elements) if schema["items"].is_object() => {
                // Lists are not merged, so their elements are complete.
                let is_complete = std::mem::replace(&mut self.is_complete, true);
                for (index, element) in elements.iter().enumerate() {
                    self.value(&schema["items"], element, &path.join(index));
                }
                self.is_complete = is_complete;
            }
            Value::Object(members) => match schema.get("properties") {
                Some(properties) => self.members(properties, &schema["required"], members, path),
                None => {
                    for (name, member) in members {
                        let path = path.join(name.clone());
                        self.value(&schema["additionalProperties"], member, &path);
                    }
                }
            },
            _ => {}
        }
    }
}

fn is_of_type(name: &str, value: &Value) -> bool {
    match (name, value) {
        ("string", Value::String(_))
        | ("boolean", Value::Bool(_))
        | ("number", Value::Number(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_)) => true,
        ("integer", Value::Number(number)) => number.fract() == 0.0,
        _ => false,
    }
}

/// The end of a message about a name that does not exist: the most similar of the names that do, if there is one.
/// Patterns such as `log-*` are no names.
pub(crate) fn similar<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let edits = (name.len() / 3).max(1);
    let close = names
        .filter(|other| !name.is_empty() && !other.ends_with('*'))
        .map(|other| {
            let extends = other.starts_with(name) || (!other.is_empty() && name.starts_with(other));
            (
                !extends,
                strsim::osa_distance(&name.to_lowercase(), &other.to_lowercase()),
                other,
            )
        })
        .filter(|(is_other, distance, _)| !is_other || *distance <= edits)
        .min();
    close.map_or_else(String::new, |(_, _, other)| format!("; did you mean `{other}`?"))
}

fn unknown(token: &str, what: &str) -> InputFailure {
    InputFailure::new(PropertyPath::default(), format!("{token} is an unknown {what}"))
}
