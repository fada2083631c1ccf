//! The plugin `pulumi-resource-netmgr`: the lookup functions for the Pulumi engine.
//!
//! Start and end of the process. Calls of the engine are in `provider`, the server in `engine-rpc`, and
//! lookups in `netmgr-lookups`.

#![doc = include_str!("../README.md")]

mod config;
mod invoke;
mod manager;
mod messages;
mod provider;
mod redact;

use std::process::ExitCode;

use engine_rpc::ServeError;

use provider::Netmgr;

const ABOUT: engine_rpc::About<'_> = engine_rpc::About {
    program: env!("CARGO_BIN_NAME"),
    version: env!("CARGO_PKG_VERSION"),
    purpose: "Lookups of a network virtualization manager for the Pulumi engine.",
};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if let Some(text) = engine_rpc::about(arguments.iter().cloned(), ABOUT) {
        return print(&text);
    }
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::FAILURE
        }
    }
}

/// Serves, then ends the sessions.
fn run(arguments: Vec<String>) -> Result<(), ServeError> {
    let _log = engine_rpc::log_to_stderr(arguments.iter().cloned());
    let provider = Netmgr::default();
    let address = engine_rpc::engine_address(arguments);
    engine_rpc::run_until(
        provider.clone(),
        address,
        async move { provider.farewell().await },
    )
}

/// Prints the help or the version.
#[expect(clippy::print_stdout, reason = "for a person; no engine waits for a port")]
fn print(text: &str) -> ExitCode {
    print!("{text}");
    ExitCode::SUCCESS
}

/// Says on stderr why the plugin could not serve; the engine shows it to the user.
#[expect(clippy::print_stderr, reason = "there is no engine to report to")]
fn report(error: &ServeError) {
    match std::error::Error::source(error) {
        Some(cause) => eprintln!("{error}: {cause}"),
        None => eprintln!("{error}"),
    }
}
