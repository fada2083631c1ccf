//! The plugin `pulumi-resource-netmgr`: the lookup functions inside the Pulumi engine.
//!
//! Lives here: start and end of the process. Not here: what the engine asks and is answered
//! (`provider`), how a plugin is served (`engine-rpc`), and lookup logic (`netmgr-lookups`).

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

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::FAILURE
        }
    }
}

/// Serves on one thread, which starts fastest and stays smallest, then ends the sessions.
fn run() -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(ServeError::Runtime)?;
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let _log = engine_rpc::log_to_stderr(arguments.iter().cloned());
    let address = engine_rpc::engine_address(arguments);
    let served = runtime.block_on(async {
        let provider = Netmgr::default();
        let served = engine_rpc::serve(provider.clone(), address).await;
        provider.farewell().await;
        served
    });
    // A name that is still being resolved must not delay the end.
    runtime.shutdown_background();
    served
}

/// Says on stderr why the plugin could not serve; the engine shows it to the user.
#[expect(clippy::print_stderr, reason = "there is no engine to tell")]
fn report(error: &ServeError) {
    match std::error::Error::source(error) {
        Some(cause) => eprintln!("{error}: {cause}"),
        None => eprintln!("{error}"),
    }
}
