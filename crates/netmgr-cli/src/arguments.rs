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
use crate::output::{self, OutputOptions, standard_output};
use crate::subcommand::{SharedOptions, Subcommand};
pub(crate) use usage::unknown_command;

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
    let words = options_last(words);
    let mut command_line = naming(command(commands), &words);
    let mut root = match command_line.try_get_matches_from_mut(&words) {
        Ok(root) => root,
        Err(help) if help.exit_code() == 0 => {
            return standard_output(&help.render().ansi().to_string()).map(|()| None);
        }
        Err(error) if error.kind() == ErrorKind::InvalidUtf8 => return Err(usage::not_utf8(&words)),
        Err(error) => return Err(usage::explained(&error, &words, &command_line)),
    };
    let Some((name, matches)) = root.remove_subcommand() else {
        return Err(CliError::Incomplete(usage::FIRST_SCREEN.to_owned()));
    };
    let subcommand = commands
        .iter()
        .find(|subcommand| subcommand.name == name)
        .expect("only these are commands");
    let shared = innermost(&matches);
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

/// The words with the options before the command after it, so that each command accepts or rejects them itself.
pub(crate) fn options_last(mut words: Vec<OsString>) -> Vec<OsString> {
    let before = Command::new("netmgr")
        .args(shared(SharedOptions::All).map(accepting_negative))
        .allow_external_subcommands(true);
    let matches = before.try_get_matches_from(&words);
    if let Some((_, command)) = matches.as_ref().ok().and_then(ArgMatches::subcommand) {
        let after = command.get_many::<OsString>("").map_or(0, |words| words.len());
        let at = words.len() - after - 1;
        words[1..=at].rotate_right(1);
    }
    words
}

/// Options of a command also apply to the commands below it.
pub(crate) fn innermost(matches: &ArgMatches) -> &ArgMatches {
    let mut innermost = matches;
    while let Some((_, below)) = innermost.subcommand() {
        innermost = below;
    }
    innermost
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

/// The options that commands share.
pub(crate) fn shared(of: SharedOptions) -> impl Iterator<Item = Arg> {
    let verbose = Arg::new("verbose")
        .short('v')
        .action(ArgAction::Count)
        .help("Log requests to standard error; -vv logs more")
        .help_heading("Connection");
    let output = of.have_output().then(output_arguments);
    let connection = of.have_connection().then(options::arguments);
    let shared = output.into_iter().chain(connection).flatten();
    shared.chain([verbose]).map(completed)
}

/// The command with the shared options that have an effect on it, after its own options. Options of the connection are
/// hidden here, because they would fill the help of every command; `netmgr options` lists them.
fn with_shared(subcommand: &Subcommand) -> Command {
    let command = (subcommand.command)().mut_args(accepting_negative);
    let own: BTreeSet<_> = command.get_arguments().map(|own| own.get_id().clone()).collect();
    let others = shared(subcommand.shared).filter(|option| !own.contains(option.get_id()));
    let others = (100..).zip(others).map(|(order, option)| {
        let is_hidden = option.get_help_heading() != Some(OUTPUT);
        // The last one of two applies, so that an alias of the shell can contain options.
        let option = match option.get_action() {
            ArgAction::Set => option.clone().overrides_with(option.get_id()),
            _ => option,
        };
        accepting_negative(option.hide(is_hidden).global(true).display_order(order))
    });
    let mut command = command.args(others);
    if subcommand.shared.have_output() && !RAW.contains(&subcommand.name) && !own.contains("format") {
        command = command.mut_arg("format", |format| format.value_parser(output::formats_but_raw()));
    }
    match subcommand.shared.have_connection() {
        true => options::hinted(command),
        false => command,
    }
}

/// Commands that print objects of the manager.
const RAW: [&str; 3] = ["find", "get", "list"];

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
    Command::new("netmgr")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Look up objects of a VMware NSX manager")
        .override_usage("netmgr <COMMAND> [OPTIONS]")
        .help_template(format!(
            "{{about}}. {{usage-heading}} {{usage}}:\n{{subcommands}}\n{EXAMPLE}"
        ))
        .after_help(EXAMPLE)
        // Before a command, they are offered by completion, and moved behind it.
        .args(shared(SharedOptions::All).map(|option| accepting_negative(option.hide(true))))
        .disable_help_subcommand(true)
        .subcommands(commands.iter().copied().map(with_shared))
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
