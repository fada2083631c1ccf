//! Tests of `schema.rs`.

use netmgr_lookups::ALL;
use netmgr_types::ProviderConfig;

use super::*;
use crate::provider::SCHEMA;

/// Names that Terraform reserves, in data sources and in provider blocks.
const RESERVED: [&str; 9] = [
    "connection",
    "count",
    "depends_on",
    "for_each",
    "lifecycle",
    "provider",
    "provisioner",
    "alias",
    "version",
];

#[test]
fn every_function_is_a_data_source_under_two_names_and_terraform_accepts_all_names() {
    let schema = &*SCHEMA;
    for prefix in ["netmgr_", "nsxt_"] {
        let found = schema.data_sources.keys().filter(|name| name.starts_with(prefix));
        assert_eq!(found.count(), ALL.len(), "{prefix}");
    }
    assert_eq!(schema.data_sources.len(), 2 * ALL.len());
    let legal = |name: &str| {
        let starts = name.starts_with(|letter: char| letter.is_ascii_lowercase());
        starts
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    for (name, block) in schema
        .data_sources
        .iter()
        .chain([(&"netmgr".to_owned(), &schema.provider)])
    {
        assert!(legal(name), "{name}");
        let blocks = block.blocks.iter().map(|block| &block.name);
        for attribute in block
            .attributes
            .iter()
            .map(|attribute| &attribute.name)
            .chain(blocks)
        {
            // `version` is an output, which no data source reserves.
            let reserved = RESERVED.contains(&attribute.as_str()) && attribute != "version";
            assert!(legal(attribute) && !reserved, "{name}.{attribute}");
        }
    }
}

#[test]
fn arguments_have_the_names_and_usages_of_inputs() {
    let schema = &*SCHEMA;
    let block = &schema.data_sources["netmgr_policy_certificate"];
    let context = block.attribute("context").unwrap();
    assert_eq!(context.usage, AttributeUsage::Optional);
    let Type::Nested(members) = &context.kind else {
        panic!("{:?}", context.kind)
    };
    let [project] = &members[..] else {
        panic!("{members:?}")
    };
    assert_eq!(
        (project.name.as_str(), project.usage),
        ("project_id", AttributeUsage::Required)
    );
    assert_eq!(block.attribute("path").unwrap().usage, AttributeUsage::Computed);
    assert_eq!(
        block.attribute("id").unwrap().usage,
        AttributeUsage::OptionalComputed
    );
    let edge_node = &schema.data_sources["netmgr_policy_edge_node"];
    assert_eq!(
        edge_node.attribute("edge_cluster_path").unwrap().usage,
        AttributeUsage::Required
    );
    assert_eq!(
        schema.data_sources["netmgr_ns_groups"]
            .attribute("items")
            .unwrap()
            .kind,
        Type::map(Type::String)
    );
}

#[test]
fn every_secret_setting_is_sensitive_and_nothing_else() {
    let sensitive: Vec<_> = provider()
        .attributes
        .into_iter()
        .filter(|attribute| attribute.sensitive)
        .map(|attribute| attribute.name)
        .collect();
    let secrets = ProviderConfig::SECRET.iter();
    let mut expected: Vec<_> = secrets
        .flat_map(|name| {
            let other = names::nsxt_argument(name).map(str::to_owned);
            other.into_iter().chain([names::attribute(name)])
        })
        .collect();
    expected.sort();
    assert_eq!(sensitive, expected);
    // Two arguments have no effect.
    let expected = ProviderConfig::ENV.len() + ProviderConfig::NSXT_ARGUMENTS.len() + 2;
    assert_eq!(provider().attributes.len(), expected);
}

#[test]
fn an_output_that_an_argument_makes_secret_has_a_sensitive_attribute() {
    let block = &SCHEMA.data_sources["netmgr_policy_object"];
    let [plain, secret] = ["object", "sensitive_object"].map(|name| block.attribute(name).unwrap());
    assert_eq!((plain.sensitive, &plain.kind), (false, &Type::String));
    assert_eq!((secret.sensitive, &secret.kind), (true, &Type::String));
    assert_eq!(secret.usage, AttributeUsage::Computed);
}

#[test]
fn descriptions_name_attributes_and_not_properties() {
    let schema = &*SCHEMA;
    let edge = &schema.data_sources["netmgr_policy_edge_cluster"];
    let site_path = &edge.attribute("site_path").unwrap().description;
    assert!(
        site_path.contains("`id` and `display_name` can be omitted"),
        "{site_path}"
    );
    let key = &schema.provider.attribute("client_auth_key").unwrap().description;
    assert!(key.contains("`client_auth_cert`"), "{key}");
}

#[test]
fn a_deprecated_property_is_marked_and_described() {
    let block = &SCHEMA.data_sources["netmgr_policy_gateway_interface_realization"];
    let attribute = block.attribute("gateway_path").unwrap();
    assert!(attribute.deprecated);
    let end = "Deprecated: use `gateway_interface_path`.";
    assert!(attribute.description.ends_with(end), "{}", attribute.description);
}

#[test]
fn descriptions_contain_no_names_of_properties() {
    for (name, block) in &SCHEMA.data_sources {
        for Attribute { description, .. } in &block.attributes {
            let mut words = description.split(|letter: char| !letter.is_alphanumeric());
            let is_property =
                |word: &str| word.starts_with(char::is_lowercase) && word.contains(char::is_uppercase);
            assert!(!words.any(is_property), "{name}: {description}");
        }
    }
}
