//! The command line: the commands, and the options that they share.
//!
//! Options of a single command are in its file. Inputs of functions become flags in `flags.rs`.

mod usage;

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, FromArgMatches as _};

use crate::app::App;
use crate::catalog::{self, CatalogFunction};
use crate::completion::fields::complete_fields;
use crate::completion::profiles::profiles;
use crate::failure::CliError;
use crate::flags::OUTPUT;
use crate::options::{self, ConnectionOptions};
use crate::output::{Format, OutputOptions, standard_output};
use crate::subcommand::{SharedOptions, Subcommand};

/// The commands of netmgr.
pub(crate) type Commands = &'static [&'static Subcommand];

/// A parsed command line.
#[derive(Debug)]
pub(crate) struct ParsedCommand {
    pub(crate) subcommand: &'static Subcommand,
    /// The options of the command.
    pub(crate) matches: ArgMatches,
    pub(crate) app: App,
}

/// Reads the command line. Help and the version are printed, which returns `None`.
pub(crate) fn parse(
    commands: Commands,
    words: impl IntoIterator<Item = impl Into<OsString>>,
) -> Result<Option<ParsedCommand>, CliError> {
    let mut words: Vec<OsString> = words.into_iter().map(Into::into).collect();
    // `netmgr help get` is `netmgr get --help`.
    if words.get(1).is_some_and(|word| word == "help") {
        words.retain(|word| word != "--help" && word != "-h");
        words.remove(1);
        words.push("--help".into());
    }
    let mut command_line = naming(command(commands), &words);
    let mut root = match command_line.try_get_matches_from_mut(&words) {
        Ok(root) => root,
        Err(help) if help.exit_code() == 0 => {
            return standard_output(&help.render().ansi().to_string()).map(|()| None);
        }
        Err(error) if error.kind() == ErrorKind::InvalidUtf8 => return Err(usage::not_utf8(&words)),
        Err(error) => return Err(usage::explained(&error, &words, &command_line, commands)),
    };
    let Some((name, matches)) = root.remove_subcommand() else {
        return Err(CliError::Incomplete(usage::FIRST_SCREEN.to_owned()));
    };
    let subcommand = commands
        .iter()
        .find(|subcommand| subcommand.name == name)
        .expect("only these are commands");
    refuse_useless(&root, &matches, subcommand)?;
    let shared = innermost(&matches);
    refuse_raw(subcommand, shared)?;
    // A command without output can use `-o` for its own purpose.
    let output = match subcommand.shared.have_output() || subcommand.shared == SharedOptions::Listed {
        true => OutputOptions::from_arg_matches(shared).expect("all commands have these options"),
        false => OutputOptions::default(),
    };
    let is_default = matches!(shared.try_get_raw("format"), Ok(Some(_)))
        && shared.value_source("format") == Some(ValueSource::DefaultValue);
    let connection = ConnectionOptions::of(shared);
    let app = App {
        output: output.printer(is_default, connection.deadline)?,
        connection,
        verbosity: shared.get_count("verbose"),
        command_line,
    };
    Ok(Some(ParsedCommand {
        subcommand,
        matches,
        app,
    }))
}

/// Options before a command apply to all commands below it.
pub(crate) fn innermost(matches: &ArgMatches) -> &ArgMatches {
    let mut innermost = matches;
    while let Some((_, below)) = innermost.subcommand() {
        innermost = below;
    }
    innermost
}

/// Rejects options that have no effect on a command.
fn refuse_useless(root: &ArgMatches, matches: &ArgMatches, command: &Subcommand) -> Result<(), CliError> {
    let own = (command.command)();
    for argument in useless(command) {
        let id = argument.get_id().as_str();
        let is_given = |given: &ArgMatches| {
            given.try_contains_id(id).is_ok() && given.value_source(id) == Some(ValueSource::CommandLine)
        };
        if replaces(&own, &argument) {
            continue;
        }
        if is_given(root) || is_given(matches) || is_given(innermost(matches)) {
            let (long, name) = (argument.get_long().unwrap_or(id), command.name);
            return Err(CliError::usage(
                format!("--{long} has no effect on `netmgr {name}`"),
                format!("`netmgr {name} --help` lists its options"),
            ));
        }
    }
    Ok(())
}

/// Commands that print objects of the manager.
const RAW: [&str; 3] = ["find", "get", "list"];

/// Rejects `-o raw` for a command that prints no objects of the manager.
fn refuse_raw(command: &Subcommand, matches: &ArgMatches) -> Result<(), CliError> {
    let is_raw = command.shared.have_output()
        && matches
            .try_get_one("format")
            .is_ok_and(|format| format == Some(&Format::Raw));
    match is_raw && !RAW.contains(&command.name) {
        true => Err(CliError::usage(
            format!("-o raw has no effect on `netmgr {}`", command.name),
            "use -o json",
        )),
        false => Ok(()),
    }
}

/// The shared options that have no effect on a command.
fn useless(command: &Subcommand) -> Vec<Arg> {
    let shared = command.shared;
    let mut arguments = Vec::new();
    if shared == SharedOptions::Listed {
        return arguments;
    }
    if !shared.have_connection() {
        arguments.extend(options::arguments());
    }
    if !shared.have_output() {
        arguments.extend(output_arguments());
    }
    arguments
}

/// Whether the command has its own option instead of a shared one.
fn replaces(command: &Command, shared: &Arg) -> bool {
    command.get_arguments().any(|own| own.get_id() == shared.get_id())
}

fn output_arguments() -> Vec<Arg> {
    let command = OutputOptions::augment_args(Command::new("output"));
    command.get_arguments().cloned().collect()
}

/// Adds the completion of its values to an option.
fn completed(option: Arg) -> Arg {
    match option.get_id().as_str() {
        "fields" => complete_fields(option),
        "profile" => option.add(profiles()),
        _ => option,
    }
}

/// The options that all commands share.
pub(crate) fn shared() -> impl Iterator<Item = Arg> {
    let verbose = Arg::new("verbose")
        .short('v')
        .action(ArgAction::Count)
        .help("Log requests to standard error; -vv logs more")
        .help_heading("Connection");
    output_arguments()
        .into_iter()
        .chain(options::arguments())
        .chain([verbose])
        .map(completed)
}

/// The command line in which the words that mean functions are names of their commands.
pub(crate) fn naming(mut command_line: Command, words: &[OsString]) -> Command {
    type Find = fn(&str) -> Option<&'static CatalogFunction>;
    let finds: [(&str, Find); 2] = [("get", catalog::find), ("list", catalog::find_listed)];
    let words = words.iter().filter_map(|word| word.to_str());
    let words: BTreeSet<&str> = words.filter(|word| !word.starts_with('-')).collect();
    for (name, find) in finds {
        let Some(functions) = command_line.find_subcommand_mut(name) else {
            continue;
        };
        for word in &words {
            let function = find(word).filter(|function| function.name != *word);
            if let Some(named) = function.and_then(|function| functions.find_subcommand_mut(&function.name)) {
                *named = std::mem::take(named).alias((*word).to_owned());
            }
        }
    }
    command_line
}

/// The whole command line.
pub(crate) fn command(commands: Commands) -> Command {
    let is_of_output = |argument: &Arg| argument.get_help_heading() == Some(OUTPUT);
    // `netmgr options` lists those of the connection. Help of a command would otherwise consist of them.
    let shared = shared().map(|argument| {
        let is_hidden = !is_of_output(&argument);
        argument.hide(is_hidden).global(true)
    });
    Command::new("netmgr")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Look up objects of a VMware NSX manager")
        .override_usage("netmgr <COMMAND> [OPTIONS]")
        .help_template(format!(
            "{{about}}. {{usage-heading}} {{usage}}:\n{{subcommands}}\n{EXAMPLE}"
        ))
        .after_help(EXAMPLE)
        // In the help of a command, they follow its own options.
        .args(
            (100..)
                .zip(shared)
                .map(|(order, argument)| accepting_negative(argument.display_order(order))),
        )
        .disable_help_subcommand(true)
        .subcommands(commands.iter().map(|subcommand| {
            // Defined but hidden, so that they can be rejected with a specific message.
            let command = (subcommand.command)().mut_args(accepting_negative);
            let others = useless(subcommand).into_iter();
            let others = others.filter(|argument| !replaces(&command, argument));
            let hidden: Vec<Arg> = others.map(|argument| argument.hide(true)).collect();
            let command = command.args(hidden);
            match subcommand.shared.have_connection() {
                true => options::hinted(command),
                false => command,
            }
        }))
}

/// The option, whose value can begin with `-` if it is a number. The reason why it is wrong is more useful than that of
/// an option `-1` that does not exist.
fn accepting_negative(option: Arg) -> Arg {
    let takes_values = option.get_action().takes_values();
    option.allow_negative_numbers(takes_values)
}

const EXAMPLE: &str = "Example: netmgr --simulate get policy-edge-cluster edge";

// The help that they compare has the options of the simulator.
#[cfg(feature = "simulator")]
#[cfg(test)]
mod tests;
