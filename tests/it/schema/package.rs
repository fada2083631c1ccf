//! Tests of the package schema with the engine's metaschema and the additional rules of its binder.
//!
//! `tests/data/engine-metaschema.json` is `pkg/codegen/schema/pulumi.json` of the engine's
//! repository (Apache-2.0), unchanged.

use netmgr_types::ProviderConfig;
use serde_json::{Map, Value, json};

use super::{errors, package, validator};

fn metaschema() -> Value {
    serde_json::from_str(include_str!("../../data/engine-metaschema.json")).unwrap()
}

#[test]
fn it_passes_the_engines_metaschema() {
    assert_eq!(errors(&validator(&metaschema()), &package()), [""; 0]);
}

#[test]
fn the_metaschema_refuses_what_the_engine_was_seen_to_refuse() {
    let metaschema = validator(&metaschema());
    let setting = "/config/variables/host";
    for (pointer, member, wrong) in [
        ("", "unknown", json!(1)),
        ("", "version", json!("1.0")),
        (setting, "defaultInfo", json!({})),
        (setting, "default", json!(["a"])),
        (setting, "secret", json!("yes")),
        (setting, "type", json!("float")),
        ("/config/variables/licenseKeys", "items", Value::Null),
        ("/functions", "netmgr:getIpPool", json!({})),
    ] {
        let mut package = package();
        package.pointer_mut(pointer).unwrap()[member] = wrong;
        assert!(!metaschema.is_valid(&package), "{pointer} {member}");
    }
}

#[test]
fn it_introduces_itself() {
    let package = package();
    assert_eq!(package["name"], "netmgr");
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
    for text in ["displayName", "description", "license", "publisher"] {
        assert!(!package[text].as_str().unwrap().is_empty(), "{text}");
    }
    // A registry uses it as an address.
    let is_slug = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    assert!(package["publisher"].as_str().unwrap().bytes().all(is_slug));
    assert!(package["language"]["csharp"]["rootNamespace"].is_string());
    assert!(package["language"]["java"]["basePackage"].is_string());
    for address in ["homepage", "repository", "pluginDownloadURL"] {
        // Absent while the address does not exist.
        let placeholder = package[address]
            .as_str()
            .is_some_and(|address| address.contains("example"));
        assert!(!placeholder, "{address}");
    }
    let keywords = package["keywords"].as_array().unwrap();
    assert!(keywords.contains(&json!("kind/native")) && keywords.contains(&json!("category/network")));
}

#[test]
fn functions_and_types_bind_to_the_root_module() {
    let package = package();
    // Everything before the last slash, if there is one, is the module.
    assert_eq!(package["meta"]["moduleFormat"], "(.*)(?:/[^/]*)");
    for token in package["functions"].as_object().unwrap().keys() {
        let [name, module, member] = token.split(':').collect::<Vec<_>>()[..] else {
            panic!("{token}")
        };
        assert_eq!(name, "netmgr");
        assert_eq!(module.rsplit_once('/').unwrap(), ("index", member));
        assert!(member.starts_with("get"), "{token}");
    }
    for token in package["types"].as_object().unwrap().keys() {
        assert!(token.starts_with("netmgr:index:"), "{token}");
    }
}

#[test]
fn no_two_members_differ_only_in_case_and_none_is_reserved() {
    let package = package();
    let mut members: Vec<String> = ["functions", "types"]
        .iter()
        .flat_map(|kind| package[kind].as_object().unwrap().keys())
        .map(|token| token.rsplit(':').next().unwrap().to_lowercase())
        .collect();
    let count = members.len();
    members.sort_unstable();
    members.dedup();
    assert_eq!(members.len(), count);
    assert!(!members.iter().any(|name| name == "pulumi" || name == "provider"));
}

/// Every set of properties, with its required ones.
fn objects(package: &Value) -> Vec<(String, Map<String, Value>, Vec<Value>)> {
    let mut objects = Vec::new();
    let mut add = |name: String, properties: &Value, required: &Value| {
        let required = required.as_array().cloned().unwrap_or_default();
        objects.push((name, properties.as_object().unwrap().clone(), required));
    };
    for (token, function) in package["functions"].as_object().unwrap() {
        for part in ["inputs", "outputs"] {
            if let Some(object) = function.get(part) {
                assert_eq!(object["type"], "object", "{token}");
                add(
                    format!("{token} {part}"),
                    &object["properties"],
                    &object["required"],
                );
            }
        }
    }
    for (token, object) in package["types"].as_object().unwrap() {
        // Without it, the binder treats the type as an enumeration.
        assert_eq!(object["type"], "object", "{token}");
        add(token.clone(), &object["properties"], &object["required"]);
    }
    let provider = &package["provider"];
    add(
        "provider".to_owned(),
        &provider["inputProperties"],
        &provider["requiredInputs"],
    );
    add("config".to_owned(), &package["config"]["variables"], &Value::Null);
    objects
}

#[test]
fn required_properties_exist_and_names_are_free() {
    for (name, properties, required) in objects(&package()) {
        for property in &required {
            assert!(
                properties.contains_key(property.as_str().unwrap()),
                "{name}: {property}"
            );
        }
        assert!(
            !properties.contains_key("pulumi") && !properties.contains_key("__internal"),
            "{name}"
        );
    }
    let settings = package()["provider"]["inputProperties"].clone();
    assert_eq!(settings.get("version"), None);
}

#[test]
fn types_are_of_the_engine_and_defaults_fit_them() {
    for (name, properties, _) in objects(&package()) {
        for (property, spec) in &properties {
            let at = format!("{name}.{property}");
            check_type(spec, &at);
            match (&spec["default"], spec["type"].as_str()) {
                (Value::Null, _) => {}
                (Value::Bool(_), Some("boolean")) | (Value::String(_), Some("string")) => {}
                (Value::Number(number), Some("integer" | "number")) => {
                    let number = number.as_f64().unwrap();
                    assert!(number.abs() <= f64::from(i32::MAX), "{at}: {number}");
                }
                (default, kind) => panic!("{at}: {default} for {kind:?}"),
            }
        }
    }
}

fn check_type(spec: &Value, at: &str) {
    if let Some(reference) = spec["$ref"].as_str() {
        assert_eq!(spec.get("type"), None, "{at}");
        // Any value, such as an object as the manager sent it.
        if reference == "pulumi.json#/Any" {
            return;
        }
        let token = reference.strip_prefix("#/types/").unwrap();
        assert!(package()["types"].get(token).is_some(), "{at}: {reference}");
        return;
    }
    match spec["type"].as_str() {
        Some("boolean" | "integer" | "number" | "string") => {}
        Some("array") => check_type(&spec["items"], at),
        Some("object") => check_type(&spec["additionalProperties"], at),
        other => panic!("{at}: {other:?}"),
    }
}

#[test]
fn a_function_without_inputs_takes_no_object() {
    let package = package();
    let without: Vec<&String> = package["functions"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, function)| function.get("inputs").is_none())
        .map(|(token, _)| token)
        .collect();
    assert_eq!(
        without,
        [
            "netmgr:index/getManagementCluster:getManagementCluster",
            "netmgr:index/getProviderInfo:getProviderInfo"
        ]
    );
}

#[test]
fn settings_are_the_same_as_variables_and_as_arguments() {
    let package = package();
    let variables = package["config"]["variables"].as_object().unwrap();
    assert_eq!(
        package["config"]["variables"],
        package["provider"]["inputProperties"]
    );
    assert_eq!(variables.len(), ProviderConfig::ENV.len());
    assert_eq!(
        package["config"].get("defaults"),
        None,
        "no setting is required by itself"
    );
    for (setting, variable) in ProviderConfig::ENV {
        let spec = &variables[*setting];
        // Generated programs read a variable into one value, never into a list; and they would
        // prefer a default to a variable that contains `false` or `0`.
        let expected = match spec["type"].as_str() {
            Some("array") => Value::Null,
            _ => json!({ "environment": [variable] }),
        };
        assert_eq!(spec["defaultInfo"], expected, "{setting}");
        assert_eq!(spec.get("default"), None, "{setting}");
        assert!(
            spec["description"].as_str().unwrap().contains(variable),
            "{setting}"
        );
    }
}

#[test]
fn sdks_carry_the_version_and_need_the_engines_third_major_version() {
    let package = package();
    let language = &package["language"];
    for section in ["nodejs", "python", "go", "csharp"] {
        assert_eq!(language[section]["respectSchemaVersion"], true, "{section}");
    }
    let node = language["nodejs"]["dependencies"]["@pulumi/pulumi"]
        .as_str()
        .unwrap();
    assert!(node.starts_with("^3."), "{node}");
    let python = language["python"]["requires"]["pulumi"].as_str().unwrap();
    assert!(
        python.starts_with(">=3.") && python.ends_with(",<4.0.0"),
        "{python}"
    );
    assert_eq!(language["csharp"]["packageReferences"]["Pulumi"], "3.*");
    assert!(
        language["java"]["dependencies"]
            .get("com.pulumi:pulumi")
            .is_some()
    );
}
