//! The schema as the host prints it, compared with the registry of functions.

use heck::ToSnakeCase as _;
use netmgr_lookups::{ALL, Property, Shape};
use netmgr_types::ProviderConfig;
use serde_json::{Value, json};

use super::support::{Module, host};

fn kind(property: &Property) -> Value {
    match property.shape {
        Shape::Boolean => json!("bool"),
        Shape::Integer | Shape::Number => json!("number"),
        Shape::String | Shape::Json => json!("string"),
        Shape::Numbers => json!(["list", "number"]),
        Shape::Strings => json!(["list", "string"]),
        Shape::Map => json!(["map", "string"]),
        Shape::Object => object(property),
        Shape::Objects => json!(["list", object(property)]),
    }
}

fn object(property: &Property) -> Value {
    let members = property.properties.iter();
    let members = members.map(|member| (member.name.to_snake_case(), kind(member)));
    json!(["object", members.collect::<serde_json::Map<_, _>>()])
}

#[tokio::test(flavor = "multi_thread")]
async fn the_schema_is_that_of_the_registry() {
    let host = host!("the_schema_is_that_of_the_registry");
    let module = Module::new(host, "");
    let text = module.run("providers schema -json").await.succeeded();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let address = format!("{}/netmgr/netmgr", host.registry());
    let provider = &schema["provider_schemas"][&address];
    let data_sources = provider["data_source_schemas"].as_object().unwrap();
    // Each has a second name, whose shape the provider's own tests compare with `nsxt`.
    assert_eq!(data_sources.len(), 2 * ALL.len());
    assert_eq!(provider["resource_schemas"], Value::Null);

    for entry in ALL.iter() {
        let function = entry.describe();
        let name = function.name.replacen("get", "netmgr_", 1).to_snake_case();
        let block = &data_sources[&name]["block"];
        let mut members = 0;
        for property in function.inputs.iter().chain(&function.outputs) {
            let attribute = property.name.to_snake_case();
            let input = function.inputs.iter().find(|input| input.name == property.name);
            if property.shape == Shape::Object {
                let found = &block["attributes"][&attribute];
                let flag = match input {
                    Some(input) if input.required => "required",
                    Some(_) => "optional",
                    None => "computed",
                };
                assert_eq!(found[flag], true, "{name}.{attribute}");
                let Some(input) = input else { continue };
                let nested = &found["nested_type"];
                assert_eq!(nested["nesting_mode"], "single", "{name}");
                for member in &input.properties {
                    let found = &nested["attributes"][&member.name.to_snake_case()];
                    assert_eq!(found["required"] == true, member.required, "{name}.{attribute}");
                }
                continue;
            }
            let found = &block["attributes"][&attribute];
            assert_eq!(found["type"], kind(property), "{name}.{attribute}");
            let flags = ["required", "optional", "computed"].map(|flag| found[flag] == true);
            let expected = match input {
                Some(input) if input.required => [true, false, false],
                Some(input) => {
                    let is_output = function.outputs.iter().any(|output| output.name == input.name);
                    [false, true, is_output]
                }
                None => [false, false, true],
            };
            assert_eq!(flags, expected, "{name}.{attribute}");
            assert!(
                found["description"]
                    .as_str()
                    .is_some_and(|text| text.ends_with('.')),
                "{name}.{attribute}"
            );
            members += usize::from(input.is_none() || function.inputs.contains(property));
        }
        assert!(members > 0, "{name}");
    }

    let settings = provider["provider"]["block"]["attributes"].as_object().unwrap();
    // The provider `nsxt` has five of them under other names, and two that have no effect here.
    let of_nsxt =
        |name: &&String| name.starts_with("vmc_") || ["cache_mode", "context_id"].contains(&name.as_str());
    assert_eq!(settings.keys().filter(of_nsxt).count(), 7);
    assert_eq!(settings.len() - 7, ProviderConfig::ENV.len());
    for (setting, variable) in ProviderConfig::ENV {
        let attribute = &settings[&setting.to_snake_case()];
        assert_eq!(attribute["optional"], true, "{setting}");
        let is_secret = ProviderConfig::SECRET.contains(setting);
        assert_eq!(attribute["sensitive"] == true, is_secret, "{setting}");
        let description = attribute["description"].as_str().unwrap();
        assert!(description.contains(variable), "{setting}: {description}");
    }
}
