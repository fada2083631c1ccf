//! `schema/<package>.package.json`: the engine's schema of a package, which its plugin returns from `GetSchema`.
//!
//! Not here: single properties (`property`) and what language generators want to know (`language`).

use serde_json::{Map, Value, json};

use super::definitions::Definitions;
use super::package::{Component, Config, Function, Package};
use super::references::References;
use super::samples::{Samples, with_usage};
use super::{language, property};
use crate::Error;

/// The schema of `package`.
pub(super) fn document(package: &Package) -> Result<Value, Error> {
    let definitions = package.definitions()?;
    let references = &References::new(package, &definitions);
    let types = types(references, &definitions)?;
    let samples = &Samples::new(package, references, types.clone());
    let mut document = json!({
        "name": package.name,
        "version": env!("CARGO_PKG_VERSION"),
        "displayName": package.display_name,
        "description": package.description,
        "keywords": package.keywords,
        "license": env!("CARGO_PKG_LICENSE"),
        "publisher": package.release.publisher(),
        "types": types,
        "language": language::sections(package),
    });
    // Addresses that nothing answers at are left out.
    if let Some(repository) = package.release.repository() {
        document["homepage"] = json!(repository);
        document["repository"] = json!(repository);
    }
    if let Some(downloads) = package.release.downloads() {
        document["pluginDownloadURL"] = json!(downloads);
    }
    if let Some(format) = package.module_format {
        document["meta"] = json!({ "moduleFormat": format });
    }
    if let Some(config) = &package.config {
        let settings = settings(references, config)?;
        document["config"] = json!({ "variables": settings });
        document["provider"] = json!({
            "description": config.schema["description"],
            "inputProperties": settings,
        });
    }
    let functions = package.functions.iter();
    insert("functions", &mut document, functions, |function| {
        (&function.token, self::function(references, samples, function))
    })?;
    let components = package.components.iter();
    insert("resources", &mut document, components, |component| {
        (&component.token, self::component(references, samples, component))
    })?;
    Ok(document)
}

/// The package's own object types by token.
pub(super) fn types(
    references: &References<'_>,
    definitions: &Definitions,
) -> Result<Map<String, Value>, Error> {
    references
        .own(definitions)
        .map(|(token, name, schema)| {
            let object = property::object(references, schema);
            let mut object = object.map_err(|error| format!("{name}: {error}"))?;
            object.insert("description".to_owned(), schema["description"].clone());
            Ok((token, object.into()))
        })
        .collect()
}

/// Adds the specifications of `members` by their tokens, if there are any.
fn insert<'a, T: 'a>(
    kind: &str,
    document: &mut Value,
    members: impl Iterator<Item = &'a T>,
    specify: impl Fn(&'a T) -> (&'a String, Result<Value, Error>),
) -> Result<(), Error> {
    let mut specs = Map::new();
    for member in members {
        let (token, spec) = specify(member);
        specs.insert(token.clone(), spec.map_err(|error| format!("{token}: {error}"))?);
    }
    if !specs.is_empty() {
        document[kind] = specs.into();
    }
    Ok(())
}

/// The settings, as configuration variables and as arguments of an explicit provider.
///
/// A setting with an environment variable has no `default`: generated programs join the two so
/// that a variable of `false` or `0` is lost to the default, and one that cannot be read is too.
/// They can read a variable into one value, not into a list. What is left out here the plugin
/// reads and fills in itself. Our choice (decision schemas).
fn settings(references: &References<'_>, config: &Config) -> Result<Map<String, Value>, Error> {
    let mut settings = property::properties(references, &config.schema)?;
    for (name, variable) in config.environment {
        let setting = settings
            .get_mut(*name)
            .and_then(Value::as_object_mut)
            .ok_or_else(|| format!("{variable} is the variable of {name}, which is no setting"))?;
        setting.remove("default");
        if setting["type"] != "array" {
            setting.insert("defaultInfo".to_owned(), json!({ "environment": [variable] }));
        }
    }
    Ok(settings)
}

fn function(references: &References<'_>, samples: &Samples<'_>, function: &Function) -> Result<Value, Error> {
    let samples = samples.of_function(&function.token, &function.input, &function.example)?;
    let mut spec = json!({
        "description": with_usage(&function.description, &samples),
        "outputs": property::object(references, &function.output)?,
    });
    let inputs = property::object(references, &function.input)?;
    // Without inputs there is no input object at all.
    if inputs["properties"] != json!({}) {
        spec["inputs"] = inputs.into();
    }
    Ok(spec)
}

fn component(
    references: &References<'_>,
    samples: &Samples<'_>,
    component: &Component,
) -> Result<Value, Error> {
    let samples = samples.of_component(&component.token, &component.inputs, &component.example)?;
    let mut spec = json!({
        "description": with_usage(&component.description, &samples),
        "isComponent": true,
        "inputProperties": property::properties(references, &component.inputs)?,
        "properties": property::properties(references, &component.outputs)?,
    });
    if let Some(names) = property::required(&component.inputs) {
        spec["requiredInputs"] = names;
    }
    if let Some(names) = property::required(&component.outputs) {
        spec["required"] = names;
    }
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::super::package::sample;
    use super::*;

    #[test]
    fn a_function_takes_and_returns_objects() {
        let mut schema = document(&sample()).unwrap();
        let description = schema["functions"]["sample:index:find"]["description"].take();
        assert_eq!(
            schema["functions"]["sample:index:find"],
            json!({
                "description": null,
                "inputs": {
                    "type": "object",
                    "properties": {
                        "name": { "description": "A name.", "type": "string" },
                        "place": { "description": "A place.", "$ref": "#/types/sample:index:Place" },
                        "wait": { "description": "Seconds.", "type": "number", "default": 1 },
                    },
                    "required": ["name"],
                },
                "outputs": {
                    "type": "object",
                    "properties": {
                        "items": {
                            "description": "Names.",
                            "type": "object", "additionalProperties": { "type": "string" },
                        },
                    },
                    "required": ["items"],
                },
            })
        );
        let description = description.as_str().unwrap();
        assert!(
            description.starts_with("Finds.\n\n## Example Usage\n\n```typescript\n"),
            "{description}"
        );
        assert_eq!(
            schema["types"],
            json!({
                "sample:index:Aside": {
                    "description": "A type that is not used by another type.",
                    "type": "object",
                    "properties": { "id": { "description": "Its id.", "type": "string" } },
                },
                "sample:index:Place": {
                    "description": "A place.",
                    "type": "object",
                    "properties": { "id": { "description": "Its id.", "type": "string" } },
                    "required": ["id"],
                },
            })
        );
    }

    #[test]
    fn a_function_without_inputs_takes_no_object() {
        let mut package = sample();
        package.functions[0].input["properties"] = json!({});
        package.functions[0].example.inputs.clear();
        let schema = document(&package).unwrap();
        assert_eq!(schema["functions"]["sample:index:find"].get("inputs"), None);
    }

    #[test]
    fn a_component_refers_to_what_other_packages_define() {
        let mut schema = document(&sample()).unwrap();
        let description = schema["resources"]["sample:index:FunctionGroup"]["description"].take();
        assert!(
            description
                .as_str()
                .unwrap()
                .starts_with("Groups.\n\n## Example Usage\n")
        );
        let cloud = "/cloud/v7.1.2/schema.json#";
        assert_eq!(
            schema["resources"]["sample:index:FunctionGroup"],
            json!({
                "description": null,
                "isComponent": true,
                "inputProperties": {
                    "limit": {
                        "description": "A limit.",
                        "$ref": format!("{cloud}/types/cloud:far%2FLimit:Limit"),
                    },
                    "size": {
                        "description": "A size.", "type": "integer",
                        "plain": true, "deprecationMessage": "use limit",
                    },
                },
                "requiredInputs": ["limit"],
                "properties": {
                    "disk": {
                        "description": "A disk.",
                        "$ref": format!("{cloud}/resources/cloud:far%2Fdisk:Disk"),
                    },
                },
                "required": ["disk"],
            })
        );
    }

    #[test]
    fn a_package_without_settings_functions_and_components_has_no_place_for_them() {
        let mut package = sample();
        package.config = None;
        package.functions.clear();
        package.components.clear();
        let schema = document(&package).unwrap();
        for part in ["config", "provider", "functions", "resources"] {
            assert_eq!(schema.get(part), None, "{part}");
        }
    }

    #[test]
    fn a_setting_is_a_variable_and_an_argument_read_from_the_environment_unless_it_is_a_list() {
        let schema = document(&sample()).unwrap();
        assert_eq!(
            schema["config"]["variables"],
            json!({
                "on": {
                    "description": "A switch.", "type": "boolean",
                    "defaultInfo": { "environment": ["SAMPLE_ON"] },
                },
                "codes": { "description": "Codes.", "type": "array", "items": { "type": "integer" } },
                "key": {
                    "description": "A key.", "type": "string", "secret": true,
                    "defaultInfo": { "environment": ["SAMPLE_KEY"] },
                },
            })
        );
        assert_eq!(
            schema["provider"]["inputProperties"],
            schema["config"]["variables"]
        );
    }

    #[test]
    fn publishing_a_placeholder_address_reaches_no_schema() {
        let addresses = |published| {
            let mut package = sample();
            package.release = crate::release::sample(published);
            let schema = document(&package).unwrap();
            assert_eq!(schema["publisher"], "acme");
            ["homepage", "repository", "pluginDownloadURL"].map(|name| schema.get(name).cloned())
        };
        assert_eq!(addresses(false), [None, None, None]);
        let repository = json!("https://github.com/acme/tools");
        let downloads = json!("github://api.github.com/acme/tools");
        assert_eq!(
            addresses(true),
            [Some(repository.clone()), Some(repository), Some(downloads)]
        );
    }

    #[test]
    fn a_variable_without_a_setting_is_an_error() {
        let mut package = sample();
        package.config.as_mut().unwrap().environment = &[("off", "SAMPLE_OFF")];
        assert_eq!(
            document(&package).unwrap_err().to_string(),
            "SAMPLE_OFF is the variable of off, which is no setting"
        );
    }
}
