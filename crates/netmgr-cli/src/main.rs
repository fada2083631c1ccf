//! The program `netmgr`: looks up objects of a manager from the command line.
//!
//! Start and end of the process. Lookups are in `netmgr-lookups`.

mod app;
mod arguments;
mod commands;
mod connection;
mod exit;
mod failure;
mod files;
mod flags;
mod log;
mod output;
mod progress;
mod session;
mod settings;
mod signals;
mod suggest;

use std::process::ExitCode;

use arguments::Invocation;
use exit::Exit;

fn main() -> ExitCode {
    if commands::completions::answer() {
        return Exit::Success.into();
    }
    let outcome = match arguments::parse(std::env::args_os()) {
        Ok(Invocation {
            subcommand,
            matches,
            app,
        }) => (subcommand.run)(&app, &matches),
        Err(stopped) => stopped.end(),
    };
    match outcome {
        Ok(()) => Exit::Success.into(),
        Err(failure) => {
            if let Some(report) = failure.shown() {
                output::standard_error(&report);
            }
            failure.exit().into()
        }
    }
}
