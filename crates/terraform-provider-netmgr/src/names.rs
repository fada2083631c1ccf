//! Names: those of functions and properties, and those of data sources and attributes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use heck::ToSnakeCase as _;
use netmgr_lookups::{ALL, Property};
use netmgr_types::ProviderConfig;

/// Prefix of all data sources.
const PREFIX: &str = "netmgr_";

/// `getIpPool` is the data source `netmgr_ip_pool`.
pub(crate) fn data_source(function: &str) -> String {
    let name = function.strip_prefix("get").unwrap_or(function);
    format!("{PREFIX}{}", name.to_snake_case())
}

/// `displayName` is the attribute `display_name`.
pub(crate) fn attribute(property: &str) -> String {
    property.to_snake_case()
}

/// The attribute that replaces `attribute` if its value is secret.
pub(crate) fn sensitive(attribute: &str) -> String {
    format!("sensitive_{attribute}")
}

/// The settings of the provider as properties.
pub(crate) static SETTINGS: LazyLock<Vec<Property>> =
    LazyLock::new(|| netmgr_lookups::properties(&schemars::schema_for!(ProviderConfig)));

/// Names in messages of the libraries that differ here.
static OTHERS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    fn add(names: &mut BTreeMap<String, String>, properties: &[Property]) {
        for property in properties {
            names.insert(property.name.clone(), attribute(&property.name));
            add(names, &property.properties);
        }
    }
    let mut names = BTreeMap::new();
    add(&mut names, &SETTINGS);
    for entry in ALL {
        let function = entry.describe();
        names.insert(function.name.to_owned(), data_source(function.name));
        add(&mut names, &function.inputs);
        add(&mut names, &function.outputs);
    }
    names.retain(|name, here| name != here);
    names
});

/// A message of the libraries with the names of this provider. Text in double quotes is not changed.
pub(crate) fn text(text: &str) -> String {
    let mut translated = String::with_capacity(text.len());
    let mut is_quoted = false;
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            '\\' if is_quoted => rest.chars().take(2).map(char::len_utf8).sum(),
            '"' => {
                is_quoted = !is_quoted;
                1
            }
            _ if is_quoted || !letter.is_alphanumeric() => letter.len_utf8(),
            _ => {
                let word = rest.split(|letter: char| !letter.is_alphanumeric()).next();
                let word = word.unwrap_or_default();
                if let Some(here) = OTHERS.get(word) {
                    translated.push_str(here);
                    rest = &rest[word.len()..];
                    continue;
                }
                word.len()
            }
        };
        translated.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    translated
}

/// Whether this is the name of a function.
pub(crate) fn is_function(name: &str) -> bool {
    ALL.iter().any(|entry| entry.spec.name == name)
}

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
    fn texts_have_the_names_of_this_provider_except_in_quotes() {
        for (before, after) in [
            (
                "`context.projectId` must not be empty",
                "`context.project_id` must not be empty",
            ),
            (
                "use the `id` that getComputeCollection returns",
                "use the `id` that netmgr_compute_collection returns",
            ),
            (
                "`displayName` \"displayName \\\" caFile\" differs from `caFile`",
                "`display_name` \"displayName \\\" caFile\" differs from `ca_file`",
            ),
            ("é displayNames", "é displayNames"),
            ("ends with \"\\", "ends with \"\\"),
        ] {
            assert_eq!(text(before), after);
        }
    }

    #[test]
    fn two_properties_never_have_one_attribute() {
        for entry in ALL {
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
