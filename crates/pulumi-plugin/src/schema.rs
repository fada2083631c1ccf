//! The engine's schema of a package, generated from the types of its members, and schemas of other packages.
//!
//! [`Package`] is a package of components, functions and settings, and [`Package::document`] generates its schema.
//! [`ChildSchemas`] checks the properties of children against the schemas of their packages.

mod children;
mod definitions;
mod language;
pub(crate) mod limits;
mod property;
mod references;

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::components::{ChildPackage, ComponentEntry, MethodEntry};

pub use children::{ChildSchema, ChildSchemas};
pub(crate) use children::{REQUIRED, similar};
use definitions::Definitions;
use references::References;

/// A description of a package for its schema. Members that are not set are omitted from the schema.
///
/// ```
/// use pulumi_plugin::schema::PackageMeta;
///
/// const META: PackageMeta<'_> = PackageMeta {
///     description: "Queues that receive events.",
///     ..PackageMeta::new("events", env!("CARGO_PKG_VERSION"))
/// };
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct PackageMeta<'a> {
    /// Its name, with which every token begins.
    pub name: &'a str,
    /// Its version: three numbers.
    pub version: &'a str,
    /// Its purpose, in one sentence.
    pub description: &'a str,
    /// Its name in documentation.
    pub display_name: Option<&'a str>,
    /// Keywords for searches.
    pub keywords: &'a [&'a str],
    /// The licence, as an SPDX expression.
    pub license: Option<&'a str>,
    /// Name of its publisher.
    pub publisher: Option<&'a str>,
    /// Address of its home page.
    pub homepage: Option<&'a str>,
    /// Address of its repository.
    pub repository: Option<&'a str>,
    /// Address from which the engine downloads its plugin.
    pub plugin_download_url: Option<&'a str>,
    /// Regular expression that extracts the name of the module from the middle part of a token, if that part contains
    /// more than the name.
    pub module_format: Option<&'a str>,
}

impl<'a> PackageMeta<'a> {
    /// Creates the description of a package with a name and a version.
    pub const fn new(name: &'a str, version: &'a str) -> Self {
        Self {
            name,
            version,
            description: "",
            display_name: None,
            keywords: &[],
            license: None,
            publisher: None,
            homepage: None,
            repository: None,
            plugin_download_url: None,
            module_format: None,
        }
    }
}

/// A package with its members.
#[derive(Debug, Clone, Default)]
pub struct Package<'a> {
    /// Its description.
    pub meta: PackageMeta<'a>,
    /// The configuration of its provider, if it has any.
    pub config: Option<ConfigSchema>,
    /// Its functions.
    pub functions: Vec<FunctionSchema>,
    /// Its components.
    pub components: Vec<ComponentSchema>,
    /// Schemas of types in addition to the types of properties.
    pub other_types: Vec<Value>,
    /// The packages that its properties can refer to.
    pub dependencies: Vec<ChildPackage>,
    /// Settings of SDK generators by language, in addition to the versions of SDKs that its own SDKs need.
    pub language: Value,
}

/// The configuration of a provider.
#[derive(Debug, Clone)]
pub struct ConfigSchema {
    /// Its schema.
    pub schema: Value,
    /// Settings with their environment variables.
    pub environment: &'static [(&'static str, &'static str)],
}

/// A function.
#[derive(Debug, Clone)]
pub struct FunctionSchema {
    /// Its token.
    pub token: String,
    /// Its description, as Markdown.
    pub description: String,
    /// The schema of its input.
    pub input: Value,
    /// The schema of its output.
    pub output: Value,
}

/// A component.
#[derive(Debug, Clone)]
pub struct ComponentSchema {
    /// Its token.
    pub token: String,
    /// Its description, as Markdown.
    pub description: String,
    /// The schema of its inputs.
    pub inputs: Value,
    /// The schema of its outputs.
    pub outputs: Value,
    /// Its methods by name. Tokens are those of the component, followed by a slash and the name.
    pub methods: Vec<FunctionSchema>,
}

/// A type or token that the engine's schema cannot describe. `Display` names the place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SchemaError(String);

impl SchemaError {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Adds the place of the error.
    fn inside(self, place: &str) -> Self {
        Self(format!("{place}: {}", self.0))
    }
}

/// Generates the schema of a type, with its name as `title`, and the types that it uses as `$defs`. Each paragraph of a
/// description is one line.
///
/// # Panics
///
/// If `of` is the schema of a type without a name, such as a number.
pub fn of_type(of: fn(&mut SchemaGenerator) -> Schema) -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(join_lines))
        .into_generator();
    let reference = of(&mut generator);
    let mut definitions = generator.take_definitions(true);
    let name = reference.as_value()["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next());
    let name = name.expect("a struct has a name");
    let mut schema = definitions.remove(name).expect("a reference has a definition");
    schema["title"] = json!(name);
    schema["$defs"] = definitions.into();
    schema
}

fn join_lines(schema: &mut Schema) {
    if let Some(Value::String(description)) = schema.get_mut("description") {
        let paragraphs = description.split("\n\n").map(|text| text.replace('\n', " "));
        *description = paragraphs.collect::<Vec<_>>().join("\n\n");
    }
}

impl ComponentSchema {
    /// Generates the schemas of the component of an entry.
    pub fn of(entry: &ComponentEntry) -> Self {
        let method = |method: &MethodEntry| FunctionSchema {
            token: format!("{}/{}", entry.token, method.name),
            description: method.description.to_owned(),
            input: of_type(method.arguments_schema),
            output: of_type(method.results_schema),
        };
        Self {
            token: entry.token.to_owned(),
            description: entry.description.to_owned(),
            inputs: of_type(entry.inputs_schema),
            outputs: of_type(entry.outputs_schema),
            methods: entry.methods.iter().map(method).collect(),
        }
    }
}

impl<'a> Package<'a> {
    /// Creates a package of components.
    pub fn of_components(meta: PackageMeta<'a>, components: &[ComponentEntry]) -> Self {
        let mut dependencies: Vec<ChildPackage> = Vec::new();
        for package in components.iter().flat_map(|entry| entry.packages) {
            if dependencies.iter().all(|known| known.name != package.name) {
                dependencies.push(*package);
            }
        }
        Self {
            meta,
            components: components.iter().map(ComponentSchema::of).collect(),
            dependencies,
            ..Self::default()
        }
    }

    /// All types of the package by name, each without the definitions of the types that it uses.
    ///
    /// # Errors
    ///
    /// Two different types have the same name.
    pub fn definitions(&self) -> Result<BTreeMap<String, Value>, SchemaError> {
        Ok(self.types()?.into_all())
    }

    fn types(&self) -> Result<Definitions, SchemaError> {
        let mut definitions = Definitions::default();
        let config = self.config.iter().map(|config| &config.schema);
        let functions = self.functions.iter().flat_map(|one| [&one.input, &one.output]);
        let components = self.components.iter().flat_map(|one| {
            let methods = one.methods.iter().flat_map(|one| [&one.input, &one.output]);
            [&one.inputs, &one.outputs].into_iter().chain(methods)
        });
        for schema in config.chain(functions).chain(components) {
            definitions.add(schema)?;
        }
        for schema in &self.other_types {
            definitions.add_inner(schema)?;
        }
        Ok(definitions)
    }

    /// Generates the engine's schema of the package.
    ///
    /// # Errors
    ///
    /// A type that the engine's schema cannot describe, two different types with the same name, two components
    /// or two functions with the same token, a reference to a package that is not a dependency, or a token of another package.
    pub fn document(&self) -> Result<Value, SchemaError> {
        let definitions = self.types()?;
        let references = &References::new(self.meta.name, &self.dependencies, &definitions);
        let mut document = json!({
            "name": self.meta.name,
            "version": self.meta.version,
            "description": self.meta.description,
            "types": types(references, &definitions)?,
        });
        let meta = &self.meta;
        let optional = [
            ("displayName", meta.display_name),
            ("license", meta.license),
            ("publisher", meta.publisher),
            ("homepage", meta.homepage),
            ("repository", meta.repository),
            ("pluginDownloadURL", meta.plugin_download_url),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                document[name] = json!(value);
            }
        }
        if !meta.keywords.is_empty() {
            document["keywords"] = json!(meta.keywords);
        }
        if let Some(format) = meta.module_format {
            document["meta"] = json!({ "moduleFormat": format });
        }
        if let Some(config) = &self.config {
            let settings = settings(references, config)?;
            document["config"] = json!({ "variables": settings });
            document["provider"] = json!({
                "description": config.schema["description"],
                "inputProperties": settings,
            });
        }
        let mut functions = Map::new();
        for one in &self.functions {
            let token = self.own(&one.token)?;
            add(
                &mut functions,
                "functions",
                token,
                function(references, one)?.into(),
            )?;
        }
        let mut resources = Map::new();
        for one in &self.components {
            let token = self.own(&one.token)?;
            add(&mut resources, "components", token, component(references, one)?)?;
            for method in &one.methods {
                let spec = self::method(references, one, method)?;
                add(&mut functions, "functions", &method.token, spec)?;
            }
        }
        for (kind, members) in [("functions", functions), ("resources", resources)] {
            if !members.is_empty() {
                document[kind] = members.into();
            }
        }
        document["language"] = language::sections(self, &document);
        Ok(document)
    }

    /// Checks that the token of a member begins with the name of the package.
    fn own<'b>(&self, token: &'b str) -> Result<&'b str, SchemaError> {
        match token.split(':').next() {
            Some(package) if package == self.meta.name => Ok(token),
            _ => Err(SchemaError(format!(
                "{token} is not a token of the package {}",
                self.meta.name
            ))),
        }
    }
}

/// The package's own object types and enumerations by token.
fn types(references: &References<'_>, definitions: &Definitions) -> Result<Map<String, Value>, SchemaError> {
    let own = references.own(definitions);
    own.map(|(token, name, schema)| {
        let spec = match property::choices(schema) {
            Some(choices) => Ok(choices),
            None => property::object(references, schema),
        };
        let mut spec = spec.map_err(|error| error.inside(name))?;
        property::describe(&mut spec, schema);
        Ok((token, spec.into()))
    })
    .collect()
}

/// The settings, as configuration variables and as arguments of an explicit provider (decision schemas).
///
/// A setting with an environment variable has no `default`: generated SDKs would use the default instead of a variable
/// with the value `false` or `0`, or with an invalid value. They cannot read a list from a variable either. The plugin
/// reads these variables and applies these defaults itself.
fn settings(references: &References<'_>, config: &ConfigSchema) -> Result<Map<String, Value>, SchemaError> {
    let mut settings = property::properties(references, &config.schema)?;
    for (name, variable) in config.environment {
        let setting = settings
            .get_mut(*name)
            .and_then(Value::as_object_mut)
            .ok_or_else(|| {
                SchemaError(format!(
                    "{variable} is the variable of {name}, which is no setting"
                ))
            })?;
        setting.remove("default");
        if setting["type"] != "array" {
            setting.insert("defaultInfo".to_owned(), json!({ "environment": [variable] }));
        }
    }
    Ok(settings)
}

/// Adds a member of the package, whose token must be unique.
fn add(members: &mut Map<String, Value>, kind: &str, token: &str, spec: Value) -> Result<(), SchemaError> {
    match members.insert(token.to_owned(), spec) {
        None => Ok(()),
        Some(_) => Err(SchemaError(format!("two {kind} have the token {token}"))),
    }
}

fn function(
    references: &References<'_>,
    function: &FunctionSchema,
) -> Result<Map<String, Value>, SchemaError> {
    let inside = |error: SchemaError| error.inside(&function.token);
    let mut spec = Map::new();
    if !function.description.is_empty() {
        spec.insert("description".to_owned(), json!(function.description));
    }
    let outputs = property::object(references, &function.output).map_err(inside)?;
    spec.insert("outputs".to_owned(), outputs.into());
    let inputs = property::object(references, &function.input).map_err(inside)?;
    // A function without inputs has no input object.
    if inputs["properties"] != json!({}) {
        spec.insert("inputs".to_owned(), inputs.into());
    }
    Ok(spec)
}

/// A method is a function with the component as an argument.
fn method(
    references: &References<'_>,
    component: &ComponentSchema,
    method: &FunctionSchema,
) -> Result<Value, SchemaError> {
    let mut spec: Value = function(references, method)?.into();
    let inputs = &mut spec["inputs"];
    inputs["type"] = json!("object");
    inputs["properties"]["__self__"] =
        json!({ "$ref": format!("#/resources/{}", component.token.replace('/', "%2F")) });
    match inputs["required"].as_array_mut() {
        Some(required) => required.push(json!("__self__")),
        None => inputs["required"] = json!(["__self__"]),
    }
    Ok(spec)
}

fn component(references: &References<'_>, component: &ComponentSchema) -> Result<Value, SchemaError> {
    let inside = |error: SchemaError| error.inside(&component.token);
    let mut spec = json!({
        "isComponent": true,
        "inputProperties": property::properties(references, &component.inputs).map_err(inside)?,
        "properties": property::properties(references, &component.outputs).map_err(inside)?,
    });
    if !component.description.is_empty() {
        spec["description"] = json!(component.description);
    }
    if let Some(names) = property::required(&component.inputs) {
        spec["requiredInputs"] = names;
    }
    if let Some(names) = property::required(&component.outputs) {
        spec["required"] = names;
    }
    for method in &component.methods {
        let name = method.token.rsplit('/').next().unwrap_or_default();
        spec["methods"][name] = json!(method.token);
    }
    Ok(spec)
}

#[cfg(test)]
mod tests;
