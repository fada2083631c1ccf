//! The plugin `pulumi-resource-netmgr`: the lookup functions for the Pulumi engine.
//!
//! Start and end of the process. Calls of the engine are in `provider`, the server in `pulumi-plugin`, and
//! lookups in `netmgr-lookups`.

#![doc = include_str!("../README.md")]

mod config;
mod invoke;
mod manager;
mod messages;
mod provider;
mod redact;

use std::io::{self, Write as _};
use std::process::ExitCode;

use pulumi_plugin::rpc::ServeError;

use provider::Netmgr;

const ABOUT: pulumi_plugin::rpc::About<'_> = pulumi_plugin::rpc::About {
    program: env!("CARGO_BIN_NAME"),
    version: env!("CARGO_PKG_VERSION"),
    purpose: "Lookups of a network virtualization manager for the Pulumi engine.",
};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if let Some(text) = pulumi_plugin::rpc::about(arguments.iter().cloned(), ABOUT) {
        return print(&text);
    }
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error.to_string(), std::error::Error::source(&error));
            ExitCode::FAILURE
        }
    }
}

/// Serves, then ends the sessions.
fn run(arguments: Vec<String>) -> Result<(), ServeError> {
    let _log = pulumi_plugin::rpc::log_to_stderr(arguments.iter().cloned());
    let provider = Netmgr::default();
    let address = pulumi_plugin::rpc::engine_address(arguments);
    pulumi_plugin::rpc::run_until(
        provider.clone(),
        address,
        async move { provider.farewell().await },
    )
}

/// Prints the help or the version.
fn print(text: &str) -> ExitCode {
    let mut output = io::stdout();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        // A reader that has read enough is no error.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            report("cannot write to stdout", Some(&error));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Says on stderr why the plugin could not serve; the engine shows it to the user.
fn report(error: &str, cause: Option<&dyn std::error::Error>) {
    // Fails if stderr is closed.
    let _ = match cause {
        Some(cause) => writeln!(io::stderr(), "{error}: {cause}"),
        None => writeln!(io::stderr(), "{error}"),
    };
}
