//! Chores of the workspace, run as `cargo xtask <chore>`.
//!
//! Lives here: the command line of the chores. Not here: anything that a product needs; nothing
//! depends on this crate.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "chores talk to a terminal"
)]

mod bench;
mod ci;
mod codegen;
mod compatibility;
mod dist;
mod engine;
mod process;
mod release;
mod templates;
mod tidy;
mod try_out;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use clap::builder::PossibleValuesParser;

/// The error of a chore. Printed once, unchanged.
pub(crate) type Error = Box<dyn std::error::Error>;

/// Run a chore of the workspace.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Chore {
    /// Measure lookups against a simulated manager in another process, print a table, and write
    /// `target/bench-lookups.json`.
    Bench {
        /// Letters of the scenarios: a, b, c (1,000 lookups at once, 32 in parallel, without sharing), d (maps), e (a cold
        /// lookup), f (decoding), g (growth), h (one name among many), k (60 types), l (2,000 by id), and, only if selected,
        /// i (installations of up to 1,000,000 objects, for which the simulator needs 6 GB), j (a batch of 100,000 lines),
        /// x (export and comparison of 100,000 objects) and s (15 minutes of lookups with short sessions and faults, which
        /// needs Terraform).
        #[arg(default_value = "abcdefghkl")]
        scenarios: String,
        /// Measure the provider in Terraform instead.
        #[arg(long)]
        terraform: bool,
        /// Measure the provider in Terraform and the given binary of another provider. Can be repeated.
        #[arg(long, value_name = "PATH")]
        peer: Vec<PathBuf>,
    },
    /// Run the checks of continuous integration, or only the given steps, in the order of the table.
    Ci {
        /// Steps to run. Default all.
        #[arg(value_parser = PossibleValuesParser::new(ci::names()))]
        steps: Vec<String>,
        /// Step to leave out. Can be repeated.
        #[arg(long, value_name = "STEP", value_parser = PossibleValuesParser::new(ci::names()))]
        skip: Vec<String>,
    },
    /// Write the committed files that are generated from the code.
    Codegen {
        /// Change nothing; fail if a file is outdated.
        #[arg(long)]
        check: bool,
    },
    /// Compare the schemas of the packages with the schemas of the last release.
    Compatibility {
        /// Make the current schemas the baseline. Part of every release.
        #[arg(long)]
        release: bool,
    },
    /// Build the release packages: archives of the command line, of the plugins and of the Terraform provider for this
    /// platform with checksums, a Homebrew formula, and the SDKs, which require Go, npm and Python.
    Dist(dist::Options),
    /// Build the engine's command line, its language hosts and this project's SDKs, for the tests
    /// that run the real engine. Requires Go, npm and Python.
    Engine {
        /// Also compile the Go samples of all functions and components.
        #[arg(long)]
        samples: bool,
    },
    /// Check conventions that the compiler cannot check.
    Tidy,
    /// Run the TypeScript example of a cluster in the real engine, with stand-ins for the plugins of AWS and Kubernetes.
    /// Requires Go, npm and Python.
    Try {
        /// Command of `pulumi` and its options, such as `destroy --yes`.
        #[arg(default_values = ["up", "--yes", "--skip-preview"], trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
}

impl Chore {
    fn run(self, root: &Path) -> Result<(), Error> {
        match self {
            Self::Bench { terraform, peer, .. } if terraform || !peer.is_empty() => {
                bench::run_terraform(root, &peer)
            }
            Self::Bench { scenarios, .. } => bench::run_scenarios(root, &scenarios),
            Self::Ci { steps, skip } => ci::run(&steps, &skip),
            Self::Codegen { check: false } => codegen::write(root),
            Self::Codegen { check: true } => codegen::check(root),
            Self::Compatibility { release: false } => compatibility::check(root),
            Self::Compatibility { release: true } => compatibility::release(root),
            Self::Dist(options) => dist::run(root, &options),
            Self::Engine { samples } => engine::run(root, samples),
            Self::Tidy => tidy::run(root),
            Self::Try { command } => try_out::run(root, &command),
        }
    }
}

fn main() -> ExitCode {
    match Chore::parse().run(workspace::root()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
