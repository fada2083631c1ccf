//! Chores of the workspace, run as `cargo xtask <chore>`.
//!
//! Lives here: the command line of the chores. Not here: anything that a product needs; nothing
//! depends on this crate.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "chores talk to a terminal"
)]

mod advisories;
mod api;
mod bench;
mod book;
mod charts;
mod ci;
mod codegen;
mod compatibility;
mod convert;
mod dist;
mod engine;
mod fuzz;
mod older_engine;
mod opentofu;
mod process;
mod properties;
mod release;
mod reproduce;
mod samples;
#[cfg(unix)]
mod screen;
mod soak;
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
    /// Check Cargo.lock for crates with security advisories, with the public database or, where it cannot be reached, with
    /// the committed snapshot. Needs cargo-deny.
    Advisories {
        /// Rewrite the snapshot from this clone of the database.
        #[arg(long, value_name = "FOLDER")]
        renew: Option<std::path::PathBuf>,
    },
    /// Write the public interfaces of the crates as text, and check the types of other projects in them.
    Api {
        /// Change nothing; fail when an interface differs from the committed one.
        #[arg(long)]
        check: bool,
    },
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
    /// Build the book of the documentation in target/book with mdBook, which is installed if it is missing.
    Book {
        /// Only check the links and the table of contents.
        #[arg(long)]
        check: bool,
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
    /// Compare the schemas of the packages with those of the last release, and the crates with its tag if there is one, which
    /// needs cargo-semver-checks.
    Compatibility {
        /// Make the current schemas those of the last release. Part of every release.
        #[arg(long)]
        release: bool,
    },
    /// Convert a Terraform module with every data source that has a mapping, with the engine's converter. Takes
    /// minutes the first time; needs Go.
    Convert,
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
    /// Run the property tests with fresh random cases. Other runs draw the same cases every time.
    Properties {
        /// Seed of the cases. Default: a random one, which is printed.
        #[arg(long)]
        seed: Option<u64>,
        /// Cases per test, four times as many as in other runs by default. Expensive tests take a fixed share of them.
        #[arg(long, default_value_t = 1024)]
        cases: u32,
    },
    /// Build what users install twice from the committed state, in two clones, and compare the files. Takes as long as two
    /// builds with the profile `release`.
    Reproduce {
        /// Parts to build; may be repeated. Default: the parts whose archives contain only what this workspace builds.
        #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(dist::PARTS), default_values = ["command-line", "terraform"])]
        part: Vec<String>,
    },
    /// Compile the samples of all functions and components in Go and Java, and prepare some of them for the engine
    /// suite, which then runs them. Takes minutes; needs Go, npm, Python, Java and Maven.
    Samples,
    /// Record commands with their output in a terminal as docs/screen.svg.
    #[cfg(unix)]
    Screen,
    /// Run many lookups of four client processes against a manager whose sessions live for seconds and whose requests fail,
    /// and write the table to docs/soak.md. Needs Terraform.
    Soak {
        /// The longest time.
        #[arg(long, default_value_t = 15)]
        minutes: u64,
        /// Lookups of all clients.
        #[arg(long, default_value_t = 10_000)]
        lookups: usize,
    },
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
        Chore::Advisories { renew: None } => advisories::check(root()),
        Chore::Advisories {
            renew: Some(database),
        } => advisories::renew(root(), &database),
        Chore::Api { check } => api::run(root(), check),
        Chore::Bench { terraform, peer, .. } if terraform || !peer.is_empty() => {
            bench::run_terraform(root(), &peer)
        }
        Chore::Bench { scenarios, .. } => bench::run_scenarios(root(), &scenarios),
        Chore::Book { check: false } => book::build(root()),
        Chore::Book { check: true } => book::check(root()),
        Chore::Charts => charts::run_checks(root()),
        Chore::Ci { steps } => ci::run(&steps),
        Chore::Codegen { check: false } => codegen::write(root()),
        Chore::Codegen { check: true } => codegen::check(root()),
        Chore::Compatibility { release: true } => compatibility::release(root()),
        Chore::Compatibility { release: false } => compatibility::check(root()),
        Chore::Convert => convert::run(root()),
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
        Chore::Properties { seed, cases } => properties::run_fresh(root(), seed, cases),
        Chore::Reproduce { part } => reproduce::run(root(), &part),
        Chore::Samples => samples::run(root()),
        #[cfg(unix)]
        Chore::Screen => screen::record(root()),
        Chore::Soak { minutes, lookups } => soak::run_lookups(root(), minutes, lookups),
        Chore::Tidy => tidy::run(root()),
        Chore::Try { command } => try_out::run(root(), &command),
    };
    match api::rustdoc().unwrap_or_else(chore) {
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
