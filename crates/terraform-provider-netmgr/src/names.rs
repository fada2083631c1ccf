//! Names of functions and properties, and names of data sources and attributes.

use std::sync::LazyLock;

use heck::ToSnakeCase as _;
use netmgr_lookups::{ALL, Property, Words, function_words};
use netmgr_types::ProviderConfig;

/// Prefix of all data sources.
pub(crate) const PREFIX: &str = "netmgr_";

/// `getIpPool` is the data source `netmgr_ip_pool`.
pub(crate) fn data_source(function: &str) -> String {
    format!("{PREFIX}{}", bare(function))
}

/// Its name without a prefix: `ip_pool`.
pub(crate) fn bare(function: &str) -> String {
    function_words(function).to_snake_case()
}

/// `displayName` is the attribute `display_name`.
pub(crate) fn attribute(property: &str) -> String {
    property.to_snake_case()
}

/// The attribute that replaces `attribute` if its value is secret.
pub(crate) fn sensitive(attribute: &str) -> String {
    format!("sensitive_{attribute}")
}

/// Arguments of the provider `vmware/nsxt` that only concern its cache.
pub(crate) const IGNORED: [&str; 2] = ["cache_mode", "context_id"];

/// The argument for a setting in the provider `vmware/nsxt`, if it has another name there.
pub(crate) fn nsxt_argument(setting: &str) -> Option<&'static str> {
    let mut renamed = ProviderConfig::NSXT_ARGUMENTS.iter();
    renamed
        .find(|(name, _)| *name == setting)
        .map(|(_, argument)| *argument)
}

/// The settings of the provider as properties.
pub(crate) static SETTINGS: LazyLock<Vec<Property>> =
    LazyLock::new(|| netmgr_lookups::properties(&schemars::schema_for!(ProviderConfig)));

/// The words of this provider for the names in messages of the libraries.
pub(crate) static WORDS: LazyLock<Words> = LazyLock::new(|| {
    fn add(names: &mut Vec<(String, String)>, properties: &[Property]) {
        for property in properties {
            names.push((property.name.clone(), attribute(&property.name)));
            add(names, &property.properties);
        }
    }
    let mut names = Vec::new();
    add(&mut names, &SETTINGS);
    for entry in ALL.iter() {
        let function = entry.describe();
        names.push((function.name.to_owned(), data_source(function.name)));
        add(&mut names, &function.inputs);
        add(&mut names, &function.outputs);
    }
    names.into_iter().collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_snake_case() {
        assert_eq!(
            data_source("getLogicalTier0Router"),
            "netmgr_logical_tier0_router"
        );
        assert_eq!(attribute("nodeSha256Thumbprint"), "node_sha256_thumbprint");
        assert_eq!(data_source("getIpPool"), "netmgr_ip_pool");
    }

    #[test]
    fn two_properties_never_have_one_attribute() {
        for entry in ALL.iter() {
            let function = entry.describe();
            for properties in [&function.inputs, &function.outputs, &*SETTINGS] {
                let names: std::collections::BTreeSet<_> = properties
                    .iter()
                    .map(|property| attribute(&property.name))
                    .collect();
                assert_eq!(names.len(), properties.len(), "{}", function.name);
            }
        }
    }
}
