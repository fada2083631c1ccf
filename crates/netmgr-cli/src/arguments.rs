//! The command line: the commands, and the options that they share.
//!
//! Options of a single command are in its file. Inputs of functions become flags in `flags.rs`.

mod stop;

use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, FromArgMatches as _};

use crate::app::App;
use crate::commands::{self, Subcommand};
use crate::connection;
use crate::exit;
use crate::output::OutputOptions;

pub(crate) use stop::Stopped;

/// A parsed command line.
#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) subcommand: &'static Subcommand,
    /// The options of the command.
    pub(crate) matches: ArgMatches,
    pub(crate) app: App,
}

/// Reads the command line.
pub(crate) fn parse(
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<Invocation, Stopped> {
    let mut root = command().try_get_matches_from(arguments)?;
    let Some((name, matches)) = root.remove_subcommand() else {
        return Err(Stopped::Alone);
    };
    let subcommand = commands::ALL
        .iter()
        .find(|subcommand| subcommand.name == name)
        .expect("only these are commands");
    refuse_useless(&root, &matches, subcommand)?;
    let shared = innermost(&matches);
    let output = OutputOptions::from_arg_matches(shared).map_err(Stopped::Clap)?;
    let app = App {
        output: output.output().map_err(Stopped::Failed)?,
        connection: connection::Options::of(shared),
        verbosity: shared.get_count("verbose"),
    };
    Ok(Invocation {
        subcommand,
        matches,
        app,
    })
}

/// Options that stand before a command are known to all commands below it.
pub(crate) fn innermost(matches: &ArgMatches) -> &ArgMatches {
    let mut innermost = matches;
    while let Some((_, below)) = innermost.subcommand() {
        innermost = below;
    }
    innermost
}

/// Rejects options that have no effect on a command.
fn refuse_useless(root: &ArgMatches, matches: &ArgMatches, command: &Subcommand) -> Result<(), Stopped> {
    for argument in useless(command) {
        let id = argument.get_id().as_str();
        let is_given = |given: &ArgMatches| {
            given.try_contains_id(id).is_ok() && given.value_source(id) == Some(ValueSource::CommandLine)
        };
        if is_given(root) || is_given(matches) || is_given(innermost(matches)) {
            let long = argument.get_long().unwrap_or(id);
            return Err(Stopped::NoEffect {
                option: format!("--{long}"),
                command: command.name,
            });
        }
    }
    Ok(())
}

/// The shared options that have no effect on a command.
fn useless(command: &Subcommand) -> Vec<Arg> {
    let mut arguments = Vec::new();
    if !command.shared.connection {
        arguments.extend(connection::arguments());
    }
    if !command.shared.output {
        arguments.extend(output_arguments());
    }
    arguments
}

fn output_arguments() -> Vec<Arg> {
    let command = OutputOptions::augment_args(Command::new("output"));
    command.get_arguments().cloned().collect()
}

/// The whole command line.
pub(crate) fn command() -> Command {
    let verbose = Arg::new("verbose")
        .short('v')
        .action(ArgAction::Count)
        .help("Log requests to standard error; -vv logs more");
    let shared = [verbose]
        .into_iter()
        .chain(output_arguments())
        .chain(connection::arguments());
    Command::new("netmgr")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Looks up objects of a network virtualization manager")
        .after_help(EXAMPLES)
        .after_long_help(format!("{EXAMPLES}\n\n{}", exit::help()))
        .args(shared.map(|argument| argument.global(true)))
        .subcommands(commands::ALL.iter().map(|subcommand| {
            // Hidden, and known, so that they can be rejected with a specific message.
            let hidden = useless(subcommand)
                .into_iter()
                .map(|argument| argument.hide(true));
            (subcommand.command)().args(hidden)
        }))
}

const EXAMPLES: &str = "Examples:
  netmgr --simulate get policy-edge-cluster --display-name edge
  netmgr list ip-pool --profile lab";

// The help that they compare has the options of the simulator.
#[cfg(feature = "simulator")]
#[cfg(test)]
mod tests;
