//! `version`: the version of netmgr, and the features that it is built with.

use clap::{ArgMatches, Command};
use serde_json::{Value, json};

use crate::app::App;
use crate::catalog::CATALOG;
use crate::failure::CliError;
use crate::subcommand::{SharedOptions, Subcommand};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "version",
    command,
    shared: SharedOptions::Output,
    run,
};

fn command() -> Command {
    Command::new("version")
        .about("Print the version and the compiled-in features")
        .after_help("Examples:\n  netmgr version\n  netmgr version -o json --query .version")
}

fn run(app: &App, _: &ArgMatches) -> Result<(), CliError> {
    let features = [
        ("simulator", cfg!(feature = "simulator")),
        ("traces", cfg!(feature = "traces")),
        ("yaml", cfg!(feature = "yaml")),
    ];
    let features = features.into_iter().filter(|(_, is_on)| *is_on);
    let version = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "functions": CATALOG.len(),
        "features": features.map(|(name, _)| name.into()).collect::<Vec<Value>>(),
        "platform": format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
    });
    let fields: Vec<String> = version
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect();
    app.output.check_fields(&fields)?;
    app.output.object(&version)
}
