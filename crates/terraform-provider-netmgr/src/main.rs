//! The provider `terraform-provider-netmgr`: the lookup functions as data sources of Terraform and OpenTofu.
//!
//! The calls of hosts are in `provider`, the protocol in `terraform-plugin`, and lookups in `netmgr-lookups`.

#![doc = include_str!("../README.md")]

mod arguments;
mod config;
mod data_source;
mod diagnostics;
mod manager;
mod names;
mod nsxt;
mod provider;
mod schema;
mod values;

use std::process::ExitCode;

use terraform_plugin::ProviderProgram;

const PROGRAM: ProviderProgram = ProviderProgram {
    name: env!("CARGO_BIN_NAME"),
    version: env!("CARGO_PKG_VERSION"),
    purpose: "Terraform and OpenTofu provider that looks up objects of a VMware NSX manager.",
    address: "netmgr/netmgr",
    logged: &["netmgr", "terraform_"],
};

fn main() -> ExitCode {
    terraform_plugin::main(provider::NetmgrProvider::default, PROGRAM)
}
