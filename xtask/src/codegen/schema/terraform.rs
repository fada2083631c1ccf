//! `schema/netmgr.terraform.json`: how `pulumi convert --from terraform` turns data sources of the
//! Terraform provider for the same manager into calls of the functions (decision terraform).
//!
//! The format is the provider information that bridged providers return from `GetMapping`: the Terraform schema, and the
//! engine's tokens and names.

use heck::ToSnakeCase as _;
use netmgr_lookups::{ALL, Description, Property, Shape, function_words};
use netmgr_types::{ProviderConfig, schema};
use serde_json::{Map, Value, json};

use crate::Error;

#[path = "../../../../crates/terraform-provider-netmgr/src/nsxt/blocks.rs"]
mod blocks;

/// The Terraform provider.
const PROVIDER: &str = "nsxt";

/// Numbers of attribute types in the format.
mod kind {
    pub(super) const BOOLEAN: u8 = 1;
    pub(super) const INTEGER: u8 = 2;
    pub(super) const NUMBER: u8 = 3;
    pub(super) const STRING: u8 = 4;
    pub(super) const LIST: u8 = 5;
    pub(super) const MAP: u8 = 6;
}

/// The mapping.
pub(super) fn mapping() -> Result<Value, Error> {
    let mut schemas = Map::new();
    let mut tokens = Map::new();
    for entry in ALL.iter().filter(|entry| entry.spec.has_counterpart) {
        let function = entry.describe();
        let name = data_source(&function);
        schemas.insert(name.clone(), attributes(&function)?);
        tokens.insert(
            name,
            json!({ "tok": function.token, "fields": names(&function.outputs, &function.inputs) }),
        );
    }
    let lists = [(blocks::TAGGED, "tag", "tags"), (blocks::RULED, "rule", "rules")];
    for (names, there, here) in lists {
        for name in names.iter().map(|name| format!("{PROVIDER}_{name}")) {
            schemas[&name][there] = schemas[&name][here].clone();
            tokens[&name]["fields"][there] = json!({ "name": here });
        }
    }
    let (settings, renamed) = settings()?;
    Ok(json!({
        "name": PROVIDER,
        "version": env!("CARGO_PKG_VERSION"),
        "provider": { "schema": settings, "dataSources": schemas },
        "config": renamed,
        "dataSources": tokens,
    }))
}

/// `getIpPool` is the data source `nsxt_ip_pool`.
fn data_source(function: &Description) -> String {
    format!("{PROVIDER}_{}", function_words(function.name).to_snake_case())
}

/// Inputs and outputs as attributes of a data source.
fn attributes(function: &Description) -> Result<Value, Error> {
    let mut attributes = Map::new();
    for property in function.outputs.iter().chain(&function.inputs) {
        let input = function.inputs.iter().find(|input| input.name == property.name);
        let mut attribute = attribute(property)?;
        match input {
            Some(input) if input.required => attribute["required"] = json!(true),
            Some(_) => attribute["optional"] = json!(true),
            None => attribute["computed"] = json!(true),
        }
        attributes.insert(property.name.to_snake_case(), attribute);
    }
    Ok(attributes.into())
}

fn attribute(property: &Property) -> Result<Value, Error> {
    Ok(match property.shape {
        Shape::Boolean => json!({ "type": kind::BOOLEAN }),
        Shape::Integer => json!({ "type": kind::INTEGER }),
        Shape::Number => json!({ "type": kind::NUMBER }),
        Shape::String | Shape::Json => json!({ "type": kind::STRING }),
        Shape::Numbers => json!({ "type": kind::LIST, "element": { "schema": { "type": kind::INTEGER } } }),
        Shape::Strings => json!({ "type": kind::LIST, "element": { "schema": { "type": kind::STRING } } }),
        Shape::Map => json!({ "type": kind::MAP, "element": { "schema": { "type": kind::STRING } } }),
        // A block with at most one item.
        Shape::Object => {
            json!({ "type": kind::LIST, "maxItems": 1, "element": { "resource": members(property)? } })
        }
        Shape::Objects => json!({ "type": kind::LIST, "element": { "resource": members(property)? } }),
    })
}

/// The attributes of a block.
fn members(property: &Property) -> Result<Value, Error> {
    let mut members = Map::new();
    for member in &property.properties {
        let mut attribute = attribute(member)?;
        attribute[if member.required { "required" } else { "optional" }] = json!(true);
        members.insert(member.name.to_snake_case(), attribute);
    }
    Ok(members.into())
}

/// The engine's names of attributes, for all of them, because converters guess plurals of lists.
fn names(outputs: &[Property], inputs: &[Property]) -> Value {
    let properties = outputs.iter().chain(inputs);
    let names: Map<String, Value> = properties
        .map(|property| (property.name.to_snake_case(), json!({ "name": property.name })))
        .collect();
    names.into()
}

/// The provider's settings in Terraform, and their names in netmgr.
fn settings() -> Result<(Value, Value), Error> {
    let schema = schema::input::<ProviderConfig>().to_value();
    let properties = schema["properties"]
        .as_object()
        .ok_or("the configuration is an object")?;
    let (mut settings, mut names) = (Map::new(), Map::new());
    for (name, property) in properties {
        let mut renamed = ProviderConfig::NSXT_ARGUMENTS.iter();
        let renamed = renamed.find(|(setting, _)| setting == name);
        let terraform = renamed.map_or_else(|| name.to_snake_case(), |(_, argument)| (*argument).to_owned());
        let types = property["type"]
            .as_array()
            .cloned()
            .unwrap_or_else(|| vec![property["type"].clone()]);
        let is = |kind: &str| types.iter().any(|one| one == kind);
        let setting = if is("array") {
            let element = if property["items"]["type"] == "integer" {
                kind::INTEGER
            } else {
                kind::STRING
            };
            json!({ "type": kind::LIST, "optional": true, "element": { "schema": { "type": element } } })
        } else {
            let kind = match () {
                () if is("boolean") => kind::BOOLEAN,
                () if is("integer") => kind::INTEGER,
                () if is("number") => kind::NUMBER,
                () => kind::STRING,
            };
            json!({ "type": kind, "optional": true })
        };
        settings.insert(terraform.clone(), setting);
        names.insert(terraform, json!({ "name": name }));
    }
    Ok((settings.into(), names.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapping_every_function_is_a_data_source_with_its_attributes() {
        let mapping = mapping().unwrap();
        let tokens = mapping["dataSources"].as_object().unwrap();
        let covered = ALL.iter().filter(|entry| entry.spec.has_counterpart);
        assert_eq!(tokens.len(), covered.count());
        assert_eq!(tokens["nsxt_ip_pool"]["tok"], "netmgr:index/getIpPool:getIpPool");
        assert_eq!(
            tokens["nsxt_logical_tier0_router"]["fields"]["high_availability_mode"],
            json!({ "name": "highAvailabilityMode" })
        );
        assert_eq!(
            mapping["provider"]["dataSources"]["nsxt_compute_manager_realization"]["id"],
            json!({ "type": 4, "required": true })
        );
        assert_eq!(
            mapping["provider"]["dataSources"]["nsxt_policy_certificate"]["context"],
            json!({
                "type": 5, "maxItems": 1, "optional": true,
                "element": { "resource": { "project_id": { "type": 4, "required": true } } },
            })
        );
        assert_eq!(
            tokens["nsxt_policy_vm"]["fields"]["tag"],
            json!({ "name": "tags" })
        );
        assert_eq!(
            mapping["provider"]["dataSources"]["nsxt_policy_vm"]["tag"]["computed"],
            json!(true)
        );
        assert_eq!(
            mapping["provider"]["dataSources"]["nsxt_ns_groups"]["items"],
            json!({ "type": 6, "element": { "schema": { "type": 4 } }, "computed": true })
        );
    }

    #[test]
    fn mapping_settings_of_the_hosted_cloud_have_the_other_providers_names() {
        let mapping = mapping().unwrap();
        assert_eq!(mapping["config"]["vmc_token"], json!({ "name": "cloudToken" }));
        assert_eq!(
            mapping["provider"]["schema"]["retry_on_status_codes"]["element"],
            json!({ "schema": { "type": 2 } })
        );
        assert_eq!(
            mapping["provider"]["schema"]["host"],
            json!({ "type": 4, "optional": true })
        );
    }
}
