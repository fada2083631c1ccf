//! `options`: the options that commands share. The help of each command hides them.

use clap::{ArgMatches, Command};

use crate::app::App;
use crate::arguments;
use crate::exit;
use crate::failure::CliError;
use crate::output::standard_output;
use crate::subcommand::{SharedOptions, Subcommand};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "options",
    command,
    shared: SharedOptions::Listed,
    run,
};

fn command() -> Command {
    Command::new("options")
        .about("List the connection options and exit codes")
        .long_about(
            "List the options that all commands with a connection share.\n\n\
             Settings are read from flags, then from NETMGR_* variables (NETMGR_CA_FILE for `--ca-file`), then from \
             the configuration file. Secrets such as NETMGR_PASSWORD have no flags.",
        )
        .override_usage("netmgr <COMMAND> [OPTIONS]")
        .args(arguments::shared(SharedOptions::All))
        .after_help(format!("{EXAMPLES}\n\n{}", exit::help()))
}

const EXAMPLES: &str = "Examples:
  netmgr list groups --profile lab
  netmgr get manager-info --host manager.example.com --username admin";

fn run(app: &App, _: &ArgMatches) -> Result<(), CliError> {
    app.output.refuse(SUBCOMMAND.name)?;
    let mut command_line = app.command_line.clone();
    let options = command_line
        .find_subcommand_mut(SUBCOMMAND.name)
        .expect("it is a command");
    standard_output(&options.render_long_help().ansi().to_string())
}
