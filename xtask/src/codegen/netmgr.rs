//! The package of the lookup functions.

use netmgr_lookups::{ALL, Description, FunctionEntry};
use netmgr_types::{ProviderConfig, schema};
use pulumi_plugin::schema::Config;

use super::NETMGR;
use super::package::{Example, Function, Package, Setup};
use crate::Error;
use crate::release::Release;

/// Outputs to show in an example, the best first.
const SHOWN: &[&str] = &["path", "items", "state", "version", "id"];

/// The package.
pub(super) fn package(release: &Release) -> Result<Package, Error> {
    Ok(Package {
        release: release.clone(),
        name: "netmgr",
        display_name: "netmgr for VMware NSX",
        description: NETMGR,
        about: "Each function finds existing objects of the manager by id or display name and returns the fields \
                that programs need, such as the policy path. Functions are read-only, and the package has no \
                resources. The lookups of a program share a session and requests.",
        featured: "netmgr:index/getPolicyEdgeCluster:getPolicyEdgeCluster",
        setup: &[
            Setup {
                key: "netmgr:host",
                variable: "NETMGR_HOST",
                value: "manager.example.com",
                secret: false,
            },
            Setup {
                key: "netmgr:username",
                variable: "NETMGR_USERNAME",
                value: "admin",
                secret: false,
            },
            Setup {
                key: "netmgr:password",
                variable: "NETMGR_PASSWORD",
                value: "...",
                secret: true,
            },
        ],
        setup_about: "The package requires the address of a manager and an account with read access. Settings are read \
                      from the stack configuration or the arguments of an explicit provider, then from the \
                      environment. Values from the environment are not stored in the state.",
        keywords: &[
            "pulumi",
            "netmgr",
            "vmware",
            "nsx",
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
        functions: ALL.iter().map(function).collect::<Result<_, _>>()?,
        components: Vec::new(),
        other_types: Vec::new(),
        dependencies: Vec::new(),
    })
}

fn function(entry: &FunctionEntry) -> Result<Function, Error> {
    let described = entry.describe();
    let example = Example {
        inputs: described
            .example
            .as_object()
            .ok_or("an example is an object")?
            .clone(),
        output: shown(&described).map(str::to_owned),
        in_cluster: false,
    };
    Ok(Function {
        description: description(&described),
        token: described.token,
        input: (entry.input_schema)().to_value(),
        output: (entry.output_schema)().to_value(),
        example,
    })
}

/// The output that an example shows.
fn shown(function: &Description) -> Option<&'static str> {
    let has = |name: &&str| function.outputs.iter().any(|output| output.name == *name);
    SHOWN.iter().copied().find(has)
}

/// Describes the function and where it is available.
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

/// The minimum versions as text; empty if there are none.
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
