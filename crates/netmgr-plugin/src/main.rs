//! The plugin `pulumi-resource-netmgr`: the lookup functions for the Pulumi engine.
//!
//! Calls of the engine are in `provider`, start, end and server in `pulumi-plugin`, and
//! lookups in `netmgr-lookups`.

#![doc = include_str!("../README.md")]

mod config;
mod invoke;
mod manager;
mod messages;
mod provider;
mod redact;

use std::process::ExitCode;

use pulumi_plugin::rpc::About;

use provider::Netmgr;

const ABOUT: About<'_> = About {
    program: env!("CARGO_BIN_NAME"),
    version: env!("CARGO_PKG_VERSION"),
    purpose: "Pulumi plugin that looks up objects of a VMware NSX manager.",
};

fn main() -> ExitCode {
    pulumi_plugin::rpc::main(ABOUT, Netmgr::default())
}
