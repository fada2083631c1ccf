//! The plugin `pulumi-resource-clusterpkg`: the cluster components for the Pulumi engine.
//!
//! Calls of the engine are in `provider`, graphs in `graph`, start, end and server in
//! `pulumi-plugin`, and the components in the library.

mod graph;
mod provider;

use std::process::ExitCode;

use pulumi_plugin::rpc::About;

use provider::Clusterpkg;

const ABOUT: About<'_> = About {
    program: env!("CARGO_BIN_NAME"),
    version: env!("CARGO_PKG_VERSION"),
    purpose: "Cluster components for the Pulumi engine. `graph` as the first argument draws one of them.",
};

fn main() -> ExitCode {
    // The engine's arguments are flags and an address.
    if std::env::args_os().nth(1).is_none_or(|first| first != "graph") {
        return pulumi_plugin::rpc::main(ABOUT, Clusterpkg);
    }
    match pulumi_plugin::rpc::arguments(ABOUT.program) {
        Ok(arguments) => graph::main(arguments.into_iter().skip(1)),
        Err(code) => code,
    }
}
