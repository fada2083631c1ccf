//! The plugin `pulumi-resource-clusterpkg`: the cluster components for the Pulumi engine.
//!
//! Start and end of the process. Calls of the engine are in `provider`, graphs in `graph`, the server in
//! `pulumi-plugin`, and the components in the library.

mod graph;
mod provider;

use std::error::Error;
use std::io::{self, Write as _};
use std::process::ExitCode;

use graph::GraphError;
use provider::Clusterpkg;

const ABOUT: pulumi_plugin::rpc::About<'_> = pulumi_plugin::rpc::About {
    program: env!("CARGO_BIN_NAME"),
    version: env!("CARGO_PKG_VERSION"),
    purpose: "Cluster components for the Pulumi engine. `graph` as the first argument draws one of them.",
};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    // The engine's arguments are flags and an address.
    if arguments.next_if_eq("graph").is_some() {
        return match graph::print(arguments) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error @ GraphError::Usage(_)) => report(&error, 2),
            Err(error) => report(&error, 1),
        };
    }
    let arguments: Vec<_> = arguments.collect();
    if let Some(text) = pulumi_plugin::rpc::about(arguments.iter().cloned(), ABOUT) {
        return print(&text);
    }
    let _log = pulumi_plugin::rpc::log_to_stderr(arguments.iter().cloned());
    match pulumi_plugin::rpc::run(Clusterpkg, pulumi_plugin::rpc::engine_address(arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report(&error, 1),
    }
}

/// Prints the help or the version.
fn print(text: &str) -> ExitCode {
    let mut output = io::stdout();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        // A reader that has read enough is no error.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => report(&error, 1),
        _ => ExitCode::SUCCESS,
    }
}

/// Says on stderr what went wrong, with its cause. The engine shows it to the user.
fn report(error: &dyn Error, code: u8) -> ExitCode {
    // Fails if stderr is closed.
    let _ = match error.source() {
        Some(cause) => writeln!(io::stderr(), "{error}: {cause}"),
        None => writeln!(io::stderr(), "{error}"),
    };
    code.into()
}
