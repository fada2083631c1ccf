//! The command line of netmgr, which looks up objects of a manager. The program is `main.rs`.
//!
//! A command line goes from `arguments.rs` to a command of `commands.rs`, which opens a session (`session.rs`), runs
//! lookups of `netmgr-lookups`, and prints through `output.rs`.

mod app;
mod arguments;
mod catalog;
mod commands;
mod completion;
mod connection;
mod exit;
mod failure;
mod files;
mod flags;
#[cfg(feature = "simulator")]
mod inventory;
mod log;
mod options;
mod origins;
mod output;
mod progress;
mod recording;
mod session;
mod setting_flags;
mod settings;
mod signals;
#[cfg(feature = "simulator")]
mod simulated;
mod subcommand;
mod suggest;
mod terraform;

use std::process::ExitCode;

use exit::Exit;

/// Runs the command that the arguments of this process name, and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|first| first == output::filter::ARGUMENT)
    {
        return output::filter::serve();
    }
    if completion::answer(commands::ALL) {
        return Exit::Success.into();
    }
    let outcome = arguments::parse(commands::ALL, std::env::args_os()).and_then(|parsed| match parsed {
        Some(parsed) => (parsed.subcommand.run)(&parsed.app, &parsed.matches),
        // Help or the version, which are printed.
        None => Ok(()),
    });
    match outcome {
        Ok(()) => Exit::Success.into(),
        Err(failure) => {
            if let Some(report) = failure.shown() {
                output::standard_error(&report);
            }
            failure.code()
        }
    }
}
