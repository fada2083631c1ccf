//! `schema/<package>.package.json`: the engine's schema of a package, which its plugin returns from
//! `GetSchema`. Source: engine-plugin section 5.
//!
//! Not here: single properties (`property`) and what language generators want to know (`language`).

use serde_json::{Map, Value, json};

use super::package::{Config, Function, Package};
use super::{language, property};
use crate::Error;

/// The schema of `package`.
pub(super) fn document(package: &Package) -> Result<Value, Error> {
    let definitions = package.definitions()?;
    let name = package.name;
    let settings = settings(name, &package.config)?;
    let types: Map<String, Value> = definitions
        .inner()
        .map(|(inner, schema)| {
            let mut object = property::object(name, schema).map_err(|error| format!("{inner}: {error}"))?;
            object.insert("description".to_owned(), schema["description"].clone());
            Ok((property::type_token(name, inner), object.into()))
        })
        .collect::<Result<_, Error>>()?;
    let functions: Map<String, Value> = package
        .functions
        .iter()
        .map(|function| {
            let spec =
                self::function(name, function).map_err(|error| format!("{}: {error}", function.token))?;
            Ok((function.token.clone(), spec))
        })
        .collect::<Result<_, Error>>()?;
    let mut document = json!({
        "name": name,
        "version": env!("CARGO_PKG_VERSION"),
        "displayName": package.display_name,
        "description": package.description,
        "keywords": package.keywords,
        "homepage": env!("CARGO_PKG_REPOSITORY"),
        "repository": env!("CARGO_PKG_REPOSITORY"),
        "license": env!("CARGO_PKG_LICENSE"),
        "publisher": env!("CARGO_PKG_AUTHORS"),
        "pluginDownloadURL": package.download_url(),
        "config": { "variables": settings },
        "provider": {
            "description": package.config.schema["description"],
            "inputProperties": settings,
        },
        "types": types,
        "functions": functions,
        "language": language::sections(package),
    });
    if let Some(format) = package.module_format {
        document["meta"] = json!({ "moduleFormat": format });
    }
    Ok(document)
}

/// The settings, as configuration variables and as arguments of an explicit provider.
///
/// A setting with an environment variable has no `default`: generated programs join the two so
/// that a variable of `false` or `0` is lost to the default, and one that cannot be read is too.
/// They can read a variable into one value, not into a list. What is left out here the plugin
/// reads and fills in itself. Our choice (0091).
fn settings(package: &str, config: &Config) -> Result<Map<String, Value>, Error> {
    let mut settings = property::properties(package, &config.schema)?;
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

fn function(package: &str, function: &Function) -> Result<Value, Error> {
    let mut spec = json!({
        "description": function.description,
        "outputs": property::object(package, &function.output)?,
    });
    let inputs = property::object(package, &function.input)?;
    // Without inputs there is no input object at all.
    if inputs["properties"] != json!({}) {
        spec["inputs"] = inputs.into();
    }
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::super::package::sample;
    use super::*;

    #[test]
    fn a_function_takes_and_returns_objects() {
        let schema = document(&sample()).unwrap();
        assert_eq!(
            schema["functions"]["sample:index:find"],
            json!({
                "description": "Finds.",
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
        assert_eq!(
            schema["types"],
            json!({
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
        let schema = document(&package).unwrap();
        assert_eq!(schema["functions"]["sample:index:find"].get("inputs"), None);
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
    fn a_variable_without_a_setting_is_an_error() {
        let mut package = sample();
        package.config.environment = &[("off", "SAMPLE_OFF")];
        assert_eq!(
            document(&package).unwrap_err().to_string(),
            "SAMPLE_OFF is the variable of off, which is no setting"
        );
    }
}
