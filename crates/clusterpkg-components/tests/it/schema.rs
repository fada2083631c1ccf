//! The interface that the types make, with a description everywhere. `schema/` contains all of it, and `tests/it/schema`
//! compares that with the specification.

use std::collections::BTreeMap;

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

#[test]
fn every_object_and_property_is_described() {
    for (name, object) in objects() {
        assert!(object["description"].is_string(), "{name}");
        for (property, schema) in object["properties"].as_object().into_iter().flatten() {
            assert!(schema["description"].is_string(), "{name}.{property}");
        }
    }
}

/// Components check their inputs against the schema, but only know some of the rules of JSON schemas.
#[test]
fn schemas_state_only_rules_that_are_checked() {
    const CHECKED: &[&str] = &[
        "enum",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "not",
        "pattern",
        "uniqueItems",
        "x-reason",
    ];
    const OTHERS: &[&str] = &[
        "$ref",
        "additionalProperties",
        "anyOf",
        "default",
        "deprecated",
        "description",
        "examples",
        "format",
        "items",
        "properties",
        "propertyNames",
        "required",
        "title",
        "type",
    ];
    fn visit(path: &str, schema: &Json) {
        for (keyword, value) in schema.as_object().into_iter().flatten() {
            let is_known = CHECKED.contains(&keyword.as_str()) || OTHERS.contains(&keyword.as_str());
            assert!(is_known || keyword.starts_with("x-"), "{path}: {keyword}");
            match keyword.as_str() {
                "properties" => value
                    .as_object()
                    .unwrap()
                    .iter()
                    .for_each(|(name, one)| visit(&format!("{path}.{name}"), one)),
                "anyOf" => value.as_array().unwrap().iter().for_each(|one| visit(path, one)),
                "additionalProperties" | "items" | "not" | "propertyNames" => visit(path, value),
                _ => {}
            }
        }
        if let Some(pattern) = schema["pattern"].as_str() {
            assert!(
                schema["x-reason"].is_string(),
                "{path} has a pattern without a reason"
            );
            // A pattern that is not a regular expression permits everything.
            assert!(regex::Regex::new(pattern).is_ok(), "{path}: {pattern}");
        }
    }
    for (name, object) in objects() {
        visit(&name, &object);
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
    let page = include_str!("../../../../docs/clusters.md");
    for package in PACKAGES {
        let version = format!("`{}` {}", package.name, package.version);
        assert!(page.contains(&version), "the page of clusters has no {version}");
    }
}
