//! The interface that the types make: what the specification says, with a description everywhere.

use std::collections::BTreeMap;
use std::fmt::Write;

use clusterpkg_components::{ALL, OTHER_TYPES, PACKAGES};
use pulumi_plugin::components::schemars::SchemaGenerator;
use serde_json::Value as Json;

/// Every object of the package by its name: inputs and outputs of components, and the types that they use.
fn objects() -> BTreeMap<String, Json> {
    let mut generator = SchemaGenerator::default();
    for entry in ALL {
        (entry.inputs_schema)(&mut generator);
        (entry.outputs_schema)(&mut generator);
    }
    for other in OTHER_TYPES {
        other(&mut generator);
    }
    generator.take_definitions(true).into_iter().collect()
}

/// One line per property: name, `*` when it is required, type, and what else is said of it.
fn interface(objects: &BTreeMap<String, Json>) -> String {
    let mut text = String::new();
    for (name, object) in objects {
        let external = object["x-external"].as_str().map(|token| format!(" = {token}"));
        writeln!(text, "{name}{}", external.unwrap_or_default()).unwrap();
        for (property, schema) in object["properties"].as_object().into_iter().flatten() {
            let required = object["required"]
                .as_array()
                .is_some_and(|names| names.iter().any(|n| n == property));
            let mut said = String::new();
            for member in [
                "default",
                "x-default",
                "enum",
                "x-plain",
                "x-secret",
                "x-deprecation",
                "x-resource",
            ] {
                if let Some(value) = schema.get(member) {
                    write!(said, " {member}={value}").unwrap();
                }
            }
            let star = if required { "*" } else { "" };
            writeln!(text, "  {property}{star}: {}{said}", type_of(schema)).unwrap();
        }
    }
    text
}

fn type_of(schema: &Json) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap().to_owned();
    }
    match schema["type"].as_str().unwrap() {
        "array" => format!("[{}]", type_of(&schema["items"])),
        "object" if schema.get("additionalProperties").is_some() => {
            format!("{{{}}}", type_of(&schema["additionalProperties"]))
        }
        name => name.to_owned(),
    }
}

#[test]
fn the_interface_is_the_specified_one() {
    insta::assert_snapshot!(interface(&objects()));
}

#[test]
fn every_object_and_property_is_described() {
    for (name, object) in objects() {
        assert!(object["description"].is_string(), "{name}");
        for (property, schema) in object["properties"].as_object().into_iter().flatten() {
            assert!(schema["description"].is_string(), "{name}.{property}");
        }
    }
}

#[test]
fn types_of_other_packages_are_as_those_packages_have_them() {
    let mut compared = 0;
    for (name, object) in objects() {
        let Some(token) = object["x-external"].as_str() else {
            continue;
        };
        let theirs = crate::oracle::object_type(token);
        let names = |object: &Json| {
            object["properties"]
                .as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&object), names(theirs), "{name}");
        let required = |object: &Json| {
            let names = object["required"]
                .as_array()
                .unwrap()
                .iter()
                .map(|name| name.as_str().unwrap().to_owned());
            names.collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(required(&object), required(theirs), "{name}");
        compared += 1;
    }
    assert_eq!(compared, 4);
}

#[test]
fn components_are_listed_with_their_tokens_and_packages() {
    let tokens: Vec<_> = ALL
        .iter()
        .map(|entry| entry.token.strip_prefix("clusterpkg:index:").unwrap())
        .collect();
    let expected = [
        "Cluster",
        "AttachedNodeGroup",
        "AttachedServerlessProfile",
        "AutoscaledNodeGroup",
        "IamRoleMapping",
        "IamServiceAccountRole",
    ];
    assert_eq!(tokens, expected);
    assert!(ALL.iter().all(|entry| entry.packages == PACKAGES));
}
