//! The command line: commands, flags and help, made from the registry of functions.
//!
//! Lives here: what may be typed, and reading it into an [`Invocation`]. Not here: doing it, and what
//! is suggested instead of something that cannot be done.

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

/// What was asked for on the command line.
#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) verbosity: u8,
    pub(crate) format: Format,
    pub(crate) task: Task,
}

/// What to do.
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
    /// Whether to report what the lookup cost.
    pub(crate) stats: bool,
}

/// Where the input object comes from.
#[derive(Debug, PartialEq)]
pub(crate) enum Input {
    /// From flags.
    Flags(Map<String, Value>),
    /// From `--input`, as typed: JSON, `@file` or `-`.
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

/// A flag that a task has no use for is refused, not ignored.
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
                format!("'--{long}' belongs to `netmgr get`; `netmgr {task}` has no use for it"),
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
        .help("How the answer is printed")
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
        .about("Asks one lookup function")
        .long_about(
            "Asks one lookup function. Its name may also be written as in its token: \
             `getEdgeCluster` or `netmgr:index/getEdgeCluster:getEdgeCluster`.\n\n\
             A setting of the connection is taken from its flag, else from the configuration file, \
             else from its NETMGR_* variable (`--ca-file` is NETMGR_CA_FILE), else it has its \
             default. Secrets (NETMGR_PASSWORD and others) have no flags.",
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
        .help("All inputs as one JSON object, from a file or from standard input, instead of flags")
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
    // Left to itself, clap lists flags with a default among the required ones.
    let usage = format!("netmgr get {name} [OPTIONS]{required}");
    Command::new(name)
        .aliases(aliases)
        .override_usage(usage)
        .about(function.summary)
        .after_help(details(&function))
        .args(flags)
        .arg(input.help_heading("Inputs"))
}

/// Every name by which a function is known on the command line, the one shown first.
fn names_of(entry: &Entry) -> [String; 4] {
    let name = command_name(entry.spec.name);
    [
        name.clone(),
        format!("get-{name}"),
        entry.spec.name.to_owned(),
        entry.spec.token(),
    ]
}

/// What a function returns and where it is available.
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

/// The outputs as a table or, where that gets wider than clap makes its own lines, one above its
/// description.
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

/// Where a function is available, for people.
pub(crate) fn available_on(function: &Description) -> String {
    match &function.available_on {
        Some(deployments) => deployments.join(", "),
        None => "not stated".to_owned(),
    }
}

/// From which version on, for people.
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

/// Flags that say which manager is asked, and how.
fn connection_arguments() -> Vec<Arg> {
    const HEADING: &str = "Connection";
    let simulate = Arg::new("simulate")
        .long("simulate")
        .action(ArgAction::SetTrue)
        .help("Ask a simulated manager that runs inside this process");
    let config = Arg::new("config")
        .long("config")
        .value_name("FILE")
        .help("Configuration file, JSON or YAML, with property names such as `caFile`")
        .value_parser(value_parser!(PathBuf));
    let deadline = Arg::new("deadline")
        .long("deadline")
        .value_name("SECONDS")
        .help("Time for the whole lookup. Default 300; functions that wait have an input `timeout` instead")
        .value_parser(seconds);
    let settings = connection::flags();
    let settings = settings.iter().map(|flag| flag.argument().hide_short_help(true));
    let stats = Arg::new("stats")
        .long("stats")
        .action(ArgAction::SetTrue)
        .help("Report requests, pages, bytes, retries and elapsed time on standard error");
    [simulate, config, deadline, stats]
        .into_iter()
        .chain(settings)
        .map(|argument| argument.help_heading(HEADING))
        .collect()
}

/// The same for commands without a connection: known, so that they can be refused by name.
fn hidden_connection_arguments() -> impl Iterator<Item = Arg> {
    connection_arguments()
        .into_iter()
        .map(|argument| argument.hide(true))
}

/// A deadline that no lookup reaches: a point in time beyond it could not be represented.
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
