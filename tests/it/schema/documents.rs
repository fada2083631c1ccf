//! Both documents by themselves: well formed, complete, described.

use netmgr_lookups::ALL;
use netmgr_types::ProviderConfig;
use serde_json::Value;

use super::{document, errors, package, validator};

/// Calls `visit` with the path and the schema of every property below `value`.
pub(super) fn each_property(value: &Value, path: &str, visit: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let path = format!("{path}/{name}");
                if matches!(name.as_str(), "properties" | "inputProperties" | "variables") {
                    for (property, schema) in member.as_object().unwrap() {
                        visit(&format!("{path}/{property}"), schema);
                    }
                }
                each_property(member, &path, visit);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| each_property(item, path, visit)),
        _ => {}
    }
}

#[test]
fn the_document_is_a_json_schema_of_2020_12() {
    let document = document();
    assert_eq!(
        document["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    let metaschema = jsonschema::draft202012::meta::validator();
    assert_eq!(errors(&metaschema, &document), [""; 0]);
    validator(&document);
}

#[test]
fn every_property_of_both_documents_is_described() {
    for (file, document) in [("schema", document()), ("package", package())] {
        let mut count = 0;
        each_property(&document, file, &mut |path, schema| {
            count += 1;
            let text = schema["description"].as_str().unwrap_or_default();
            assert!(text.len() > 2 && text.ends_with(['.', '`']), "{path}: {text:?}");
            let lines = text.lines().filter(|line| !line.is_empty());
            assert_eq!(lines.count(), text.split("\n\n").count(), "{path}: {text:?}");
        });
        assert!(count > 200, "{file}: {count} properties");
    }
}

#[test]
fn every_type_has_a_title_and_a_description() {
    let document = document();
    for (name, schema) in document["$defs"].as_object().unwrap() {
        assert_eq!(schema["title"], name.as_str());
        assert!(schema["description"].is_string(), "{name}");
    }
}

#[test]
fn both_documents_have_every_function() {
    let (document, package) = (document(), package());
    let calls = document["properties"]["functions"]["properties"]
        .as_object()
        .unwrap();
    let functions = package["functions"].as_object().unwrap();
    let tokens: Vec<String> = ALL.iter().map(|entry| entry.spec.token()).collect();
    assert!(calls.keys().eq(&tokens), "{:?}", calls.keys());
    assert!(functions.keys().eq(&tokens), "{:?}", functions.keys());
}

#[test]
fn an_input_refuses_what_it_does_not_know() {
    let document = document();
    for (name, schema) in document["$defs"].as_object().unwrap() {
        if name.ends_with("Input") || name == "TenantContext" || name == "ProviderConfig" {
            assert_eq!(schema["additionalProperties"], false, "{name}");
        }
    }
}

#[test]
fn the_same_properties_are_secret_everywhere() {
    let secret_in = |properties: &Value, mark: &str| -> Vec<String> {
        let properties = properties.as_object().unwrap();
        let marked = properties.iter().filter(|(_, schema)| schema[mark] == true);
        marked.map(|(name, _)| name.clone()).collect()
    };
    let mut expected = ProviderConfig::SECRET.to_vec();
    expected.sort_unstable();
    let (document, package) = (document(), package());
    let config = &document["$defs"]["ProviderConfig"]["properties"];
    assert_eq!(secret_in(config, "x-secret"), expected);
    for settings in [
        &package["config"]["variables"],
        &package["provider"]["inputProperties"],
    ] {
        assert_eq!(secret_in(settings, "secret"), expected);
    }
}
