//! Chores of the workspace, run as `cargo xtask <chore>`.
//!
//! Lives here: the command line of the chores. Not here: anything that a product needs; nothing
//! depends on this crate.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "chores talk to a terminal"
)]

mod ci;
mod codegen;
mod dist;
mod engine;
mod process;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// What a chore fails with. Printed once, as it is.
type Error = Box<dyn std::error::Error>;

/// Chores of the workspace.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run what continuous integration runs, or only the named steps, in the order of the table.
    Ci {
        /// Steps to run. Default all.
        #[arg(value_parser = clap::builder::PossibleValuesParser::new(ci::names()))]
        steps: Vec<String>,
    },
    /// Rewrite the committed files that are generated from the code.
    Codegen {
        /// Change nothing; fail when a file differs from what would be written.
        #[arg(long)]
        check: bool,
    },
    /// Build what users install: the plugin's archive for this platform with its checksum, and the
    /// SDKs. Needs Go, npm and Python.
    Dist {
        /// Cargo profile of the plugin.
        #[arg(long, default_value = "release")]
        profile: String,
        /// Folder to write to. Default `target/dist`.
        #[arg(long)]
        out: Option<std::path::PathBuf>,
    },
    /// Build the engine's command line, its language hosts and this project's SDKs, for the tests
    /// that run the real engine. Needs Go, npm and Python.
    Engine,
    /// Check the conventions that the compiler does not know.
    Tidy,
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().chore {
        Chore::Ci { steps } => ci::run(&steps),
        Chore::Codegen { check: false } => codegen::write(root()),
        Chore::Codegen { check: true } => codegen::check(root()),
        Chore::Dist { profile, out } => dist::run(
            root(),
            &profile,
            &out.unwrap_or_else(|| root().join("target/dist")),
        ),
        Chore::Engine => engine::run(root()),
        Chore::Tidy => tidy::run(root()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the crate lies in the workspace's folder")
}
