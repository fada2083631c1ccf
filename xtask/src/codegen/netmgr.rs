//! The package of the lookup functions.

use netmgr_lookups::{ALL, Description, Entry};
use netmgr_types::{ProviderConfig, schema};

use super::package::{Config, Function, Package};

/// The package.
pub(super) fn package() -> Package {
    Package {
        name: "netmgr",
        display_name: "Network Manager",
        description: "Looks up objects of a network virtualization manager.",
        keywords: &[
            "pulumi",
            "netmgr",
            "network",
            "lookup",
            "category/network",
            "kind/native",
        ],
        // `netmgr:index/getIpPool:getIpPool` is a member of the root module.
        module_format: Some("(.*)(?:/[^/]*)"),
        config: Some(Config {
            schema: schema::input::<ProviderConfig>().to_value(),
            environment: ProviderConfig::ENV,
        }),
        functions: ALL.iter().map(function).collect(),
        components: Vec::new(),
        other_types: Vec::new(),
        dependencies: Vec::new(),
    }
}

fn function(entry: &Entry) -> Function {
    let described = entry.describe();
    Function {
        description: description(&described),
        token: described.token,
        input: (entry.input_schema)().to_value(),
        output: (entry.output_schema)().to_value(),
    }
}

/// What the function does and where it is available.
fn description(function: &Description) -> String {
    let mut text = function.summary.to_owned();
    if let Some(deployments) = &function.available_on {
        text.push_str(&format!("\n\nAvailable on: {}.", deployments.join(", ")));
    }
    if !function.minimum_versions.is_empty() {
        let versions = minimum_versions(function);
        text.push_str(&format!("\n\nMinimum version of the manager: {versions}."));
    }
    text
}

/// The lowest versions, in words; empty when there are none.
pub(super) fn minimum_versions(function: &Description) -> String {
    let versions: Vec<String> = function
        .minimum_versions
        .iter()
        .map(|minimum| match minimum.deployment {
            Some(deployment) => format!("{} on {deployment}", minimum.version),
            None => minimum.version.to_owned(),
        })
        .collect();
    versions.join(", ")
}
