//! The command line: commands, flags and help, derived from the registry of functions.
//!
//! Defines the command line and parses it into an [`Invocation`].

mod suggestions;

use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use netmgr_lookups::{ALL, Description, Entry};
use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr;

use crate::flags::{self, Flag, command_name};
use crate::print::{self, Format};
use crate::{connection, exit, simulate};

/// A parsed command line.
#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) verbosity: u8,
    pub(crate) format: Format,
    pub(crate) task: Task,
}

/// The task.
#[derive(Debug)]
pub(crate) enum Task {
    Get(Get),
    Functions,
    Simulate(simulate::Options),
}

/// One lookup.
#[derive(Debug)]
pub(crate) struct Get {
    pub(crate) function: &'static str,
    pub(crate) input: Input,
    pub(crate) simulate: bool,
    pub(crate) config: Option<PathBuf>,
    /// Settings given as flags, by property name.
    pub(crate) settings: Map<String, Value>,
    pub(crate) deadline: Option<Duration>,
    /// Whether to print statistics.
    pub(crate) stats: bool,
}

/// Source of the input object.
#[derive(Debug, PartialEq)]
pub(crate) enum Input {
    /// From flags.
    Flags(Map<String, Value>),
    /// The text of `--input`: JSON, `@file` or `-`.
    Source(String),
}

/// Reads the command line.
pub(crate) fn parse(
    arguments: impl IntoIterator<Item = impl Into<std::ffi::OsString> + Clone>,
) -> Result<Invocation, clap::Error> {
    let matches = command()
        .try_get_matches_from(arguments)
        .map_err(suggestions::add)?;
    let (name, of_task) = matches.subcommand().expect("a command is required");
    let task = match name {
        "get" => Task::Get(get(of_task)),
        other => {
            refuse_useless(&matches, of_task, other)?;
            match other {
                "simulate" => Task::Simulate(simulate::options(of_task)),
                _ => Task::Functions,
            }
        }
    };
    Ok(Invocation {
        verbosity: of_task.get_count("verbose"),
        format: *of_task.get_one("output").expect("it has a default"),
        task,
    })
}

fn get(matches: &ArgMatches) -> Get {
    let (name, matches) = matches.subcommand().expect("a function is required");
    let entry = ALL
        .iter()
        .find(|entry| command_name(entry.spec.name) == name)
        .expect("only registered functions are commands");
    Get {
        function: entry.spec.name,
        input: match matches.get_one::<String>("input") {
            Some(source) => Input::Source(source.clone()),
            None => Input::Flags(flags::object(&flags::of(&entry.describe().inputs), matches)),
        },
        simulate: matches.get_flag("simulate"),
        config: matches.get_one("config").cloned(),
        settings: flags::object(&connection::flags(), matches),
        deadline: matches.get_one("deadline").copied(),
        stats: matches.get_flag("stats"),
    }
}

/// Rejects flags that have no effect on a task.
fn refuse_useless(root: &ArgMatches, of_task: &ArgMatches, task: &str) -> Result<(), clap::Error> {
    let format = (task == "simulate").then(output_argument);
    for argument in connection_arguments().into_iter().chain(format) {
        let id = argument.get_id().as_str();
        if [root, of_task]
            .iter()
            .any(|given| given.value_source(id) == Some(ValueSource::CommandLine))
        {
            let long = argument.get_long().unwrap_or(id);
            return Err(command().error(
                ErrorKind::ArgumentConflict,
                format!("'--{long}' is an option of `netmgr get` and has no effect with `netmgr {task}`"),
            ));
        }
    }
    Ok(())
}

fn output_argument() -> Arg {
    Arg::new("output")
        .short('o')
        .long("output")
        .value_name("FORMAT")
        .help("Format of the output")
        .value_parser(value_parser!(Format))
        .default_value("table")
}

/// The whole command line.
pub(crate) fn command() -> Command {
    let format = output_argument().global(true);
    let verbose = Arg::new("verbose")
        .short('v')
        .action(ArgAction::Count)
        .help("Log requests to standard error; -vv logs more")
        .global(true);
    Command::new("netmgr")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Looks up objects of a network virtualization manager")
        .after_long_help(exit::help())
        .subcommand_required(true)
        .arg_required_else_help(true)
        .args([format, verbose])
        .args(
            connection_arguments()
                .into_iter()
                .map(|argument| argument.global(true)),
        )
        .subcommand(get_command())
        .subcommand(
            Command::new("functions")
                .about("Lists the lookup functions")
                .args(hidden_connection_arguments()),
        )
        .subcommand(
            simulate::command()
                .arg(output_argument().hide(true))
                .args(hidden_connection_arguments()),
        )
}

fn get_command() -> Command {
    Command::new("get")
        .about("Runs a lookup function")
        .long_about(
            "Runs a lookup function. Its name can also be given as in its token: \
             `getEdgeCluster` or `netmgr:index/getEdgeCluster:getEdgeCluster`.\n\n\
             A connection setting is read from its flag, or else from the configuration file, \
             or else from its NETMGR_* variable (NETMGR_CA_FILE for `--ca-file`), or else it has its \
             default. Secrets such as NETMGR_PASSWORD have no flags.",
        )
        .after_long_help(exit::help())
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand_value_name("FUNCTION")
        .subcommand_help_heading("Functions")
        .subcommands(ALL.iter().map(function_command))
}

/// The command of one function, with a flag for each of its inputs.
fn function_command(entry: &Entry) -> Command {
    let function = entry.describe();
    let flags = flags::of(&function.inputs);
    let ids: Vec<String> = flags.iter().map(Flag::id).collect();
    let input = Arg::new("input")
        .long("input")
        .value_name("JSON|@FILE|-")
        .help("All inputs as a JSON object, given as text, as a file or on standard input")
        .conflicts_with_all(&ids);
    let required = flags.iter().filter(|flag| flag.is_required());
    let required: String = required
        .map(|flag| format!(" --{} <{}>", flag.long(), flag.value_name()))
        .collect();
    let flags = flags.iter().map(|flag| {
        let argument = flag.argument().help_heading("Inputs");
        match flag.is_required() {
            true => argument.required_unless_present("input"),
            false => argument,
        }
    });
    let [name, aliases @ ..] = names_of(entry);
    // By default, clap lists flags with a default among the required ones.
    let usage = format!("netmgr get {name} [OPTIONS]{required}");
    Command::new(name)
        .aliases(aliases)
        .override_usage(usage)
        .about(function.summary)
        .after_help(details(&function))
        .args(flags)
        .arg(input.help_heading("Inputs"))
}

/// All names of a function on the command line, starting with the one in help.
fn names_of(entry: &Entry) -> [String; 4] {
    let name = command_name(entry.spec.name);
    [
        name.clone(),
        format!("get-{name}"),
        entry.spec.name.to_owned(),
        entry.spec.token(),
    ]
}

/// Details of a function: outputs and availability.
fn details(function: &Description) -> String {
    let outputs = outputs(function);
    let mut facts = vec![["Available on:".to_owned(), available_on(function)]];
    facts.push(["Minimum version:".to_owned(), minimum_versions(function)]);
    facts.extend(
        function
            .successor
            .map(|name| ["Successor:".to_owned(), name.to_owned()]),
    );
    facts.push(["Token:".to_owned(), function.token.clone()]);
    format!(
        "Outputs (* always returned):\n{}\n{}",
        outputs,
        print::columns(&facts).trim_end()
    )
}

/// The outputs as a table, or, if that is wider than the lines of clap, with descriptions below them.
fn outputs(function: &Description) -> String {
    const WIDTH: usize = 100;
    let rows = function.outputs.iter().map(|property| {
        let mark = if property.required { "*" } else { "" };
        [
            format!("  {}{mark}", property.name),
            property.shape.name().to_owned(),
            property.description.clone(),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let table = print::columns(&rows);
    if table.lines().all(|line| line.width() <= WIDTH) {
        return table;
    }
    let stacked = rows
        .iter()
        .map(|[name, shape, description]| format!("{name}  {shape}\n          {description}\n"));
    stacked.collect()
}

/// Deployments on which a function is available.
pub(crate) fn available_on(function: &Description) -> String {
    match &function.available_on {
        Some(deployments) => deployments.join(", "),
        None => "not stated".to_owned(),
    }
}

/// Minimum versions of a function.
pub(crate) fn minimum_versions(function: &Description) -> String {
    let versions: Vec<String> = function
        .minimum_versions
        .iter()
        .map(|minimum| match minimum.deployment {
            Some(deployment) => format!("{} ({deployment})", minimum.version),
            None => minimum.version.to_owned(),
        })
        .collect();
    if versions.is_empty() {
        "none".to_owned()
    } else {
        versions.join(", ")
    }
}

/// Flags of the connection.
fn connection_arguments() -> Vec<Arg> {
    const HEADING: &str = "Connection";
    let simulate = Arg::new("simulate")
        .long("simulate")
        .action(ArgAction::SetTrue)
        .help("Use a simulated manager inside this process");
    let config = Arg::new("config")
        .long("config")
        .value_name("FILE")
        .help("Configuration file in JSON or YAML, with property names such as `caFile`")
        .value_parser(value_parser!(PathBuf));
    let deadline = Arg::new("deadline")
        .long("deadline")
        .value_name("SECONDS")
        .help("Maximum duration of the lookup. Default 300, unless the function has an input `timeout`")
        .value_parser(seconds);
    let settings = connection::flags();
    let settings = settings.iter().map(|flag| flag.argument().hide_short_help(true));
    let stats = Arg::new("stats").long("stats").action(ArgAction::SetTrue).help(
        "Print the number of requests, pages, bytes and retries and the elapsed time to standard error",
    );
    [simulate, config, deadline, stats]
        .into_iter()
        .chain(settings)
        .map(|argument| argument.help_heading(HEADING))
        .collect()
}

/// Like [`connection_arguments`], for commands without a connection: hidden, so that they can be rejected
/// with a specific message.
fn hidden_connection_arguments() -> impl Iterator<Item = Arg> {
    connection_arguments()
        .into_iter()
        .map(|argument| argument.hide(true))
}

/// Maximum deadline. A later instant could not be represented.
const LONGEST_DEADLINE: Duration = Duration::from_secs(365 * 24 * 60 * 60);

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if seconds.is_nan() || seconds <= 0.0 {
        return Err("must be more than 0".to_owned());
    }
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if duration <= LONGEST_DEADLINE => Ok(duration.max(Duration::from_nanos(1))),
        _ => Err(format!("must be at most {} (a year)", LONGEST_DEADLINE.as_secs())),
    }
}

#[cfg(test)]
mod tests;
