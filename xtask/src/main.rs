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
mod charts;
mod ci;
mod codegen;
mod dist;
mod engine;
mod fuzz;
mod older_engine;
mod opentofu;
mod process;
mod release;
mod samples;
mod tidy;
mod try_out;

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
    /// Measure what lookups cost, against a simulated manager in another process. Prints a table and
    /// writes target/bench-lookups.json.
    Bench {
        /// Letters of the scenarios: a, b, c (1,000 lookups at once, 32 in parallel, without sharing),
        /// d (maps), e (a cold lookup), f (decoding), g (growth), h (one name among many), and, only if chosen, i
        /// (installations of up to 1,000,000 objects, for which the simulator needs 6 GB) and j (a batch of 100,000 lines).
        #[arg(default_value = "abcdefgh")]
        scenarios: String,
        /// Measure the provider in Terraform instead.
        #[arg(long)]
        terraform: bool,
        /// Measure the provider in Terraform and this program of another provider; may be repeated.
        #[arg(long, value_name = "PATH")]
        peer: Vec<std::path::PathBuf>,
    },
    /// Compare what clusters set in charts and custom objects with the committed data of the pinned
    /// versions, and list that data. Fetches nothing; docs/updating-chart-data.md describes how to renew it.
    Charts,
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
    /// Build what users install: archives of the command line and of the plugins for this platform with checksums and
    /// bills of materials, a Debian package, a Homebrew formula, and the SDKs. The plugins need Go, npm and Python; Java
    /// and Maven for the Java SDKs. Lists which addresses are placeholders.
    Dist {
        /// Write this part only; may be repeated.
        #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(dist::PARTS))]
        part: Vec<String>,
        /// Write the SDKs of this language only; may be repeated.
        #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(dist::LANGUAGES))]
        language: Vec<String>,
        /// Folder of programs that are built already. Default: builds them with the profile `release`.
        #[arg(long)]
        programs: Option<std::path::PathBuf>,
        /// Folder to write to. Default `target/packages`.
        #[arg(long)]
        out: Option<std::path::PathBuf>,
    },
    /// Build the engine's command line, its language hosts and this project's SDKs, for the tests
    /// that run the real engine. Needs Go, npm and Python.
    Engine {
        /// Build only the command line of this version, such as 3.142.0, for runs of the suite with the
        /// variable NETMGR_ENGINE_VERSION.
        #[arg(long)]
        version: Option<String>,
        /// Build OpenTofu instead, for runs of the suite of the Terraform provider with the variable NETMGR_TERRAFORM.
        #[arg(long, conflicts_with = "version")]
        opentofu: bool,
    },
    /// Run the fuzz targets, for ten minutes of processor time each; docs/fuzzing.md describes them. An input that fails
    /// is written to the corpus in tests/data/fuzz.
    Fuzz {
        /// Take one minute for all targets together.
        #[arg(long, conflicts_with = "time")]
        smoke: bool,
        /// Processor time of each target, such as 90s or 10m. 0 runs the corpus.
        #[arg(long)]
        time: Option<String>,
        /// Targets to run. Default all.
        #[arg(value_parser = clap::builder::PossibleValuesParser::new(fuzz::names()))]
        targets: Vec<String>,
    },
    /// Compile the samples of all functions and components in Go and Java, and prepare some of them for the engine
    /// suite, which then runs them. Takes minutes; needs Go, npm, Python, Java and Maven.
    Samples,
    /// Check the conventions that the compiler does not know.
    Tidy,
    /// Build the TypeScript example of a cluster without a cloud: in the real engine, with stand-ins for the cloud's
    /// plugins. Needs Go, npm and Python.
    Try {
        /// Command of the engine and its options, such as `destroy --yes`.
        #[arg(default_values = ["up", "--yes", "--skip-preview"], trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
}

fn main() -> ExitCode {
    let chore = || match Arguments::parse().chore {
        Chore::Bench { terraform, peer, .. } if terraform || !peer.is_empty() => {
            bench::run_terraform(root(), &peer)
        }
        Chore::Bench { scenarios, .. } => bench::run_scenarios(root(), &scenarios),
        Chore::Charts => charts::run_checks(root()),
        Chore::Ci { steps } => ci::run(&steps),
        Chore::Codegen { check: false } => codegen::write(root()),
        Chore::Codegen { check: true } => codegen::check(root()),
        Chore::Dist {
            part,
            language,
            programs,
            out,
        } => dist::run(
            root(),
            &dist::Options {
                parts: part,
                languages: language,
                programs,
                out: out.unwrap_or_else(|| root().join("target/packages")),
            },
        ),
        Chore::Engine { opentofu: true, .. } => opentofu::run(root()),
        Chore::Engine { version: None, .. } => engine::run(root()),
        Chore::Engine {
            version: Some(version),
            ..
        } => older_engine::run(root(), &version),
        Chore::Fuzz { smoke, time, targets } => fuzz::run(&targets, time.as_deref(), smoke),
        Chore::Samples => samples::run(root()),
        Chore::Tidy => tidy::run(root()),
        Chore::Try { command } => try_out::run(root(), &command),
    };
    match chore() {
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
