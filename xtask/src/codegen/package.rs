//! A package of the engine, as input of the generators.
//!
//! This module defines the description and checks that it is complete. Each package is described in a separate module.

use std::collections::BTreeMap;

use pulumi_plugin::components::ChildPackage;
use pulumi_plugin::schema::{self, ComponentSchema, Config, PackageMeta};
use serde_json::{Map, Value};

use crate::Error;
use crate::release::Release;

/// A package of the engine.
pub(super) struct Package {
    /// Names and addresses under which it is published.
    pub(super) release: Release,
    /// Its name, which begins every token.
    pub(super) name: &'static str,
    /// Its display name.
    pub(super) display_name: &'static str,
    /// Its purpose, in one sentence.
    pub(super) description: &'static str,
    /// Its introduction, as Markdown.
    pub(super) about: &'static str,
    /// Token of the member that its index page shows as an example.
    pub(super) featured: &'static str,
    /// The settings that a user needs first.
    pub(super) setup: &'static [Setup],
    /// The text before these settings.
    pub(super) setup_about: &'static str,
    /// Search terms.
    pub(super) keywords: &'static [&'static str],
    /// Pattern of a token's module, if tokens contain more than its name there.
    pub(super) module_format: Option<&'static str>,
    /// The provider's configuration, if it has any.
    pub(super) config: Option<Config>,
    /// Its functions, by name.
    pub(super) functions: Vec<Function>,
    /// Its components.
    pub(super) components: Vec<Component>,
    /// Schemas of types in addition to the types of properties.
    pub(super) other_types: Vec<Value>,
    /// The packages whose types and resources it refers to.
    pub(super) dependencies: Vec<ChildPackage>,
}

/// A setting in the instructions of a package.
pub(super) struct Setup {
    /// Its name in a stack: `netmgr:host`.
    pub(super) key: &'static str,
    /// Its environment variable.
    pub(super) variable: &'static str,
    /// An example value.
    pub(super) value: &'static str,
    /// Whether it must not be shown.
    pub(super) secret: bool,
}

/// A function.
pub(super) struct Function {
    /// Its token.
    pub(super) token: String,
    /// Its description, as Markdown.
    pub(super) description: String,
    /// The schema of its input.
    pub(super) input: Value,
    /// The schema of its output.
    pub(super) output: Value,
    /// A call of it.
    pub(super) example: Example,
}

/// A use of a function or component.
pub(super) struct Example {
    /// Its inputs.
    pub(super) inputs: Map<String, Value>,
    /// Name of the displayed output.
    pub(super) output: Option<String>,
    /// Whether the program passes a provider for its cluster.
    pub(super) in_cluster: bool,
}

/// A component.
pub(super) struct Component {
    /// Its token.
    pub(super) token: String,
    /// Its description, as Markdown.
    pub(super) description: String,
    /// The schema of its inputs.
    pub(super) inputs: Value,
    /// The schema of its outputs.
    pub(super) outputs: Value,
    /// Its methods.
    pub(super) methods: Vec<schema::FunctionSchema>,
    /// An example.
    pub(super) example: Example,
}

impl Component {
    /// Its name: `Cluster`.
    pub(super) fn name(&self) -> &str {
        self.token.rsplit(':').next().unwrap_or_default()
    }
}

impl Package {
    /// The package with its members alone, without texts for registries.
    pub(super) fn members(&self) -> schema::Package<'_> {
        let functions = self.functions.iter().map(|one| schema::FunctionSchema {
            token: one.token.clone(),
            description: one.description.clone(),
            input: one.input.clone(),
            output: one.output.clone(),
        });
        let components = self.components.iter().map(|one| ComponentSchema {
            token: one.token.clone(),
            description: one.description.clone(),
            inputs: one.inputs.clone(),
            outputs: one.outputs.clone(),
            methods: one.methods.clone(),
        });
        schema::Package {
            meta: PackageMeta::new(self.name, env!("CARGO_PKG_VERSION")),
            config: self.config.clone(),
            functions: functions.collect(),
            components: components.collect(),
            other_types: self.other_types.clone(),
            dependencies: self.dependencies.clone(),
            ..schema::Package::default()
        }
    }

    /// Every type of the package by name.
    ///
    /// # Errors
    ///
    /// Fails if an item has no description or if two types have the same name.
    pub(super) fn definitions(&self) -> Result<BTreeMap<String, Value>, Error> {
        let definitions = self.members().definitions()?;
        let functions = self.functions.iter().map(|f| (&f.token, &f.description));
        let components = self.components.iter().map(|c| (&c.token, &c.description));
        let mut undescribed: Vec<String> = functions
            .chain(components)
            .filter(|(_, description)| description.is_empty())
            .map(|(token, _)| token.clone())
            .collect();
        undescribed.extend(self::undescribed(&definitions));
        if undescribed.is_empty() {
            return Ok(definitions);
        }
        Err(format!(
            "without description (add a doc comment): {}",
            undescribed.join(", ")
        )
        .into())
    }
}

/// Types and properties without description.
fn undescribed(definitions: &BTreeMap<String, Value>) -> Vec<String> {
    let described = |schema: &Value| {
        let text = schema["description"].as_str();
        text.is_some_and(|text| !text.trim().is_empty())
    };
    let mut undescribed = Vec::new();
    for (name, schema) in definitions {
        if !described(schema) {
            undescribed.push(name.clone());
        }
        for (property, schema) in schema["properties"].as_object().into_iter().flatten() {
            if !described(schema) {
                undescribed.push(format!("{name}.{property}"));
            }
        }
    }
    undescribed
}

/// An example that shows one output.
#[cfg(test)]
fn example(inputs: Value, output: &str) -> Example {
    let Value::Object(inputs) = inputs else {
        unreachable!("tests give objects")
    };
    Example {
        inputs,
        output: Some(output.to_owned()),
        in_cluster: false,
    }
}

/// The smallest package with one function, for tests of the generators.
#[cfg(test)]
pub(super) fn sample() -> Package {
    use serde_json::json;

    Package {
        release: crate::release::sample(false),
        name: "sample",
        display_name: "Sample",
        description: "Shows.",
        about: "It is a sample.",
        featured: "sample:index:find",
        setup: &[
            Setup {
                key: "sample:on",
                variable: "SAMPLE_ON",
                value: "true",
                secret: false,
            },
            Setup {
                key: "sample:key",
                variable: "SAMPLE_KEY",
                value: "...",
                secret: true,
            },
        ],
        setup_about: "Set these:",
        keywords: &["kind/native"],
        module_format: None,
        config: Some(Config {
            schema: json!({
                "title": "Settings",
                "description": "Settings.",
                "type": "object",
                "properties": {
                    "on": { "description": "A switch.", "type": ["boolean", "null"], "default": true },
                    "codes": {
                        "description": "Codes.", "default": [1],
                        "type": ["array", "null"], "items": { "type": "integer" },
                    },
                    "key": { "description": "A key.", "type": ["string", "null"], "x-secret": true },
                },
            }),
            environment: &[
                ("on", "SAMPLE_ON"),
                ("codes", "SAMPLE_CODES"),
                ("key", "SAMPLE_KEY"),
            ],
        }),
        functions: vec![Function {
            token: "sample:index:find".to_owned(),
            description: "Finds.".to_owned(),
            input: json!({
                "title": "FindInput",
                "description": "What to find.",
                "type": "object",
                "properties": {
                    "name": { "description": "A name.", "type": "string" },
                    "place": {
                        "description": "A place.",
                        "anyOf": [{ "$ref": "#/$defs/Place" }, { "type": "null" }],
                    },
                    "wait": { "description": "Seconds.", "type": ["number", "null"], "default": 1 },
                },
                "required": ["name"],
                "$defs": {
                    "Place": {
                        "description": "A place.",
                        "type": "object",
                        "properties": { "id": { "description": "Its id.", "type": "string" } },
                        "required": ["id"],
                    },
                },
            }),
            output: json!({
                "title": "FindOutput",
                "description": "What was found.",
                "type": "object",
                "properties": {
                    "items": {
                        "description": "Names.",
                        "type": "object", "additionalProperties": { "type": "string" },
                    },
                },
                "required": ["items"],
            }),
            example: example(json!({ "name": "a", "place": { "id": "b" }, "wait": 2 }), "items"),
        }],
        components: vec![Component {
            token: "sample:index:FunctionGroup".to_owned(),
            description: "Groups.".to_owned(),
            inputs: json!({
                "title": "GroupInputs",
                "description": "What to group.",
                "type": "object",
                "properties": {
                    "limit": { "description": "A limit.", "$ref": "#/$defs/Limit" },
                    "size": {
                        "description": "A size.", "type": "integer",
                        "x-plain": true, "x-default": 2, "x-deprecation": "use limit",
                    },
                },
                "required": ["limit"],
                "$defs": {
                    "Limit": {
                        "description": "A limit.",
                        "type": "object",
                        "x-external": "cloud:far/Limit:Limit",
                        "properties": { "most": { "description": "The most.", "type": "integer" } },
                    },
                },
            }),
            outputs: json!({
                "title": "GroupOutputs",
                "description": "What was made.",
                "type": "object",
                "properties": {
                    "disk": { "description": "A disk.", "type": "object", "x-resource": "cloud:far/disk:Disk" },
                },
                "required": ["disk"],
            }),
            methods: Vec::new(),
            example: example(json!({ "limit": { "bytes": 5 }, "size": 3 }), "disk"),
        }],
        other_types: vec![json!({
            "title": "Aside",
            "description": "A type that is not used by another type.",
            "type": "object",
            "properties": { "id": { "description": "Its id.", "type": "string" } },
        })],
        dependencies: vec![ChildPackage {
            name: "cloud",
            version: "7.1.2",
            download_url: None,
        }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(package: &Package) -> String {
        package.definitions().map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn a_field_without_description_stops_the_generators() {
        let mut package = sample();
        let name = &mut package.functions[0].input["properties"]["name"];
        name.as_object_mut().unwrap().remove("description");
        assert_eq!(
            error(&package),
            "without description (add a doc comment): FindInput.name"
        );
    }

    #[test]
    fn a_field_of_an_inner_type_without_description_stops_them_too() {
        let mut package = sample();
        let id = &mut package.functions[0].input["$defs"]["Place"]["properties"]["id"];
        id["description"] = Value::from(" ");
        assert_eq!(
            error(&package),
            "without description (add a doc comment): Place.id"
        );
    }

    #[test]
    fn a_function_without_description_stops_them_too() {
        let mut package = sample();
        package.functions[0].description.clear();
        assert_eq!(
            error(&package),
            "without description (add a doc comment): sample:index:find"
        );
    }

    #[test]
    fn a_type_without_description_stops_them_too() {
        let mut package = sample();
        let output = package.functions[0].output.as_object_mut().unwrap();
        output.remove("description");
        assert_eq!(
            error(&package),
            "without description (add a doc comment): FindOutput"
        );
    }
}
