//! `list`: the objects of the collection of a function.

use std::sync::Arc;

use clap::{Arg, ArgMatches, Command, value_parser};
use netmgr_lookups::{ALL, Description, Entry, ListOptions, ListedPage, Property, Shape};

use super::{Shared, Subcommand, functions};
use crate::app::App;
use crate::failure::CliError;
use crate::flags::{self, command_name, function_named, names_of};
use crate::output::{Column, terminal};
use crate::progress::Terminal;
use crate::session::Session;

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "list",
    command,
    shared: Shared::ALL,
    run,
};

/// Whether only `wide` shows an output, because it is long.
fn is_long(name: &str) -> bool {
    ["description", "path", "uniqueId"].contains(&name) || name.ends_with("Path")
}

fn command() -> Command {
    let limit = Arg::new("limit")
        .long("limit")
        .value_name("N")
        .help("Maximum number of objects")
        .value_parser(value_parser!(u64));
    let prefix = Arg::new("prefix")
        .long("prefix")
        .value_name("TEXT")
        .help("Beginning of the display names to list");
    Command::new("list")
        .about("Lists the objects that a function selects from")
        .long_about(
            "Lists the objects that a function selects from, with all pages. The columns are the outputs of the \
             function; `-o wide` has all of them. With `-o ndjson`, `csv` or `name`, objects are printed as they \
             come, and `--query` applies to each of them; otherwise it applies to the list of all.",
        )
        .after_help(
            "Examples:\n  netmgr list policy-edge-cluster\n  \
             netmgr list ip-pool --prefix tep --limit 10 -o csv",
        )
        .disable_help_subcommand(true)
        .subcommand_value_name("FUNCTION")
        .help_template(functions::help(Entry::is_listed))
        .args([limit.global(true), prefix.global(true)])
        .subcommands(ALL.iter().filter(|entry| entry.is_listed()).map(function_command))
}

/// The command of one collection. Its flags are made when it is used.
fn function_command(entry: &Entry) -> Command {
    let [name, aliases @ ..] = names_of(entry);
    let noun = entry.spec.noun;
    Command::new(name)
        .aliases(aliases)
        .about(format!("Lists {noun}s"))
        .defer(with_inputs)
}

fn with_inputs(command: Command) -> Command {
    let Ok(entry) = function_named(command.get_name()) else {
        return command;
    };
    let name = command_name(entry.spec.name);
    let examples = format!("Examples:\n  netmgr list {name}\n  netmgr list {name} --prefix a -o wide");
    let flags = flags::of(&inputs(entry));
    let arguments = flags.iter().map(|flag| {
        flag.argument()
            .help_heading("Inputs")
            .required(flag.is_required())
    });
    flags::before_others(command, arguments.collect()).after_help(examples)
}

/// The inputs of a list.
fn inputs(entry: &Entry) -> Vec<Property> {
    let names = entry.list_inputs();
    let mut inputs = entry.describe().inputs;
    inputs.retain(|input| names.contains(&input.name));
    inputs
}

/// The columns of a list: what names an object, then the short outputs, then the long ones.
fn columns(function: &Description) -> Vec<Column> {
    let is_name = |name: &str| ["displayName", "id"].contains(&name);
    let outputs = || {
        function
            .outputs
            .iter()
            .filter(|output| !matches!(output.shape, Shape::Object | Shape::Map))
            .map(|output| output.name.as_str())
    };
    let names = ["displayName", "id"]
        .into_iter()
        .filter(|name| outputs().any(|output| output == *name));
    let short = outputs().filter(|name| !is_name(name) && !is_long(name));
    let long = outputs().filter(|name| is_long(name));
    let columns = names.chain(short).map(Column::new);
    columns.chain(long.map(|name| Column::new(name).wide())).collect()
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let Some((name, matches)) = matches.subcommand() else {
        return Err(CliError::Incomplete(functions::screen(
            "Usage: netmgr list <FUNCTION> [OPTIONS]",
            Entry::is_listed,
        )));
    };
    let entry = function_named(name)?;
    let function = entry.describe();
    let columns: Vec<Column> = columns(&function)
        .into_iter()
        .filter(|column| !entry.spec.without_effect.contains(&column.key.as_str()))
        .collect();
    let input = flags::object(&flags::of(&inputs(entry)), matches);
    let mut options = ListOptions::default();
    options.prefix = matches.get_one::<String>("prefix").cloned();
    let limit = matches.get_one::<u64>("limit");
    options.limit = limit.map(|limit| usize::try_from(*limit).unwrap_or(usize::MAX));
    let mut rows = app.output.rows(columns)?;
    Session::run(app, async |session| {
        let call = session.observed(Arc::new(Terminal::default()));
        let listing = async {
            let mut listed = 0;
            let mut listing = session.lookups.list(function.name, input, options, &call)?;
            while let Some(page) = listing.next().await? {
                session.count_page();
                listed += page.rows.len();
                for row in page.rows.iter().cloned() {
                    rows.push(row)?;
                }
                show(entry.spec.noun, listed, &page, rows.streams());
            }
            terminal::status("");
            rows.finish()
        };
        session.within_deadline(listing).await
    })
}

/// Shows how far the list is. Not on a terminal to which rows are printed as they come.
fn show(noun: &str, listed: usize, page: &ListedPage, streams: bool) {
    if streams && terminal::width().is_some() {
        return;
    }
    let of = page.announced.map(|all| format!(" of {all}")).unwrap_or_default();
    terminal::status(&format!(
        "{listed} {noun}s; read {} page{}, {}{of} rows",
        page.pages,
        if page.pages == 1 { "" } else { "s" },
        page.read,
    ));
}
