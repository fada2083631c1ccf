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
    let mut arguments = std::env::args().skip(1).peekable();
    // The engine's arguments are flags and an address.
    match arguments.next_if_eq("graph") {
        Some(_) => graph::main(arguments),
        None => pulumi_plugin::rpc::main(ABOUT, Clusterpkg),
    }
}
