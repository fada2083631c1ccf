//! The plugin `pulumi-resource-clusterpkg`: the cluster components for the Pulumi engine.
//!
//! `graph` draws graphs, `pulumi-plugin` contains the server, and the library contains the components.

mod graph;

use std::process::ExitCode;

use clusterpkg_components::ALL;
use pulumi_plugin::rpc::{About, ComponentPackage};
use pulumi_plugin::schema::PackageMeta;

const ABOUT: About<'_> = About {
    program: env!("CARGO_BIN_NAME"),
    version: env!("CARGO_PKG_VERSION"),
    purpose: "Pulumi plugin with components for Kubernetes clusters on AWS. `graph` as the first argument draws one of them.",
};

/// The committed package schema, from which SDKs are generated. Unlike the schema from the types, it contains examples.
const SCHEMA: &str = include_str!("../../../../../schema/clusterpkg.package.json");

fn main() -> ExitCode {
    // The engine's arguments are flags and an address.
    if std::env::args_os().nth(1).is_none_or(|first| first != "graph") {
        let package = ComponentPackage::new(PackageMeta::new("clusterpkg", ABOUT.version), ALL);
        return pulumi_plugin::rpc::main(ABOUT, package.with_schema(SCHEMA));
    }
    match pulumi_plugin::rpc::arguments(ABOUT.program) {
        Ok(arguments) => graph::main(arguments.into_iter().skip(1)),
        Err(code) => code,
    }
}
