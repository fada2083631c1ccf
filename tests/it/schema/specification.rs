//! The schemas of the engine against the JSON schemas.

use netmgr_lookups::ALL;
use serde_json::{Value, json};

use super::{input_schema, output_schema, package, target};

#[test]
fn the_json_schema_has_the_same_properties_as_the_package_schema() {
    let package = package();
    for entry in ALL.iter() {
        let function = &package["functions"][entry.spec.token()];
        for (part, schema) in [("inputs", input_schema(entry)), ("outputs", output_schema(entry))] {
            let names = |object: &Value| -> Vec<String> {
                let properties = object["properties"].as_object();
                properties
                    .into_iter()
                    .flatten()
                    .map(|(name, _)| name.clone())
                    .collect()
            };
            let required = |object: &Value| -> Vec<String> {
                let required = object["required"].as_array();
                let mut names: Vec<String> = required
                    .into_iter()
                    .flatten()
                    .map(|name| name.as_str().unwrap().to_owned())
                    .collect();
                names.sort_unstable();
                names
            };
            let (ours, engines) = (target(&schema), &function[part]);
            assert_eq!(names(ours), names(engines), "{} {part}", entry.spec.name);
            assert_eq!(required(ours), required(engines), "{} {part}", entry.spec.name);
        }
    }
}

#[test]
fn the_context_object_has_a_required_project() {
    let context = &package()["types"]["netmgr:index:TenantContext"];
    assert_eq!(context["required"], json!(["projectId"]));
    assert_eq!(context["properties"].as_object().unwrap().len(), 1);
}
