//! `list`: the objects of the collection of a function.

use clap::{Arg, ArgMatches, Command, value_parser};
use netmgr_lookups::{Entry, ListOptions, ListedPage, Shape};

use crate::app::App;
use crate::catalog::{self, CATALOG, CatalogFunction};
use crate::failure::CliError;
use crate::flags::{self, Flag};
use crate::options;
use crate::output::{Column, standard_error, terminal};
use crate::session::LookupSession;
use crate::subcommand::{SharedOptions, Subcommand};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "list",
    command,
    shared: SharedOptions::All,
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
        .help_heading("Inputs")
        .value_parser(value_parser!(usize));
    let prefix = Arg::new("prefix")
        .long("prefix")
        .value_name("TEXT")
        .help("Beginning of the display names to list")
        .help_heading("Inputs");
    let listed = CATALOG.iter().filter(|function| function.entry.is_listed());
    Command::new("list")
        .about("Lists all objects of a type")
        .long_about(
            "Lists all objects of a type. The columns are the outputs of the \
             function; `-o wide` has all of them. Objects are sorted by name. With `-o ndjson`, `csv` or `name`, objects are printed as they \
             come, unsorted, and `--query` applies to each of them; otherwise it applies to the list of all.",
        )
        .after_help(
            "Examples:\n  netmgr list policy-edge-cluster\n  \
             netmgr list ip-pool --prefix tep --limit 10 -o csv",
        )
        .disable_help_subcommand(true)
        .subcommand_value_name("FUNCTION")
        .help_template(catalog::help(Entry::is_listed))
        .args([limit.global(true), prefix.global(true)])
        .subcommands(listed.map(function_command))
}

/// The command of one collection. Its flags are made when it is used.
fn function_command(function: &CatalogFunction) -> Command {
    let noun = function.entry.spec.noun;
    Command::new(&function.name)
        .aliases(function.listed_aliases())
        .about(format!("Lists {noun}s"))
        .defer(with_inputs)
}

fn with_inputs(command: Command) -> Command {
    let function = catalog::find(command.get_name()).expect("only functions are commands");
    let name = &function.name;
    let examples = format!("Examples:\n  netmgr list {name}\n  netmgr list {name} --prefix a -o wide");
    let flags = inputs(function);
    let arguments = flags.iter().map(|flag| {
        flag.argument()
            .help_heading("Inputs")
            .required(flag.is_required())
    });
    let command = flags::before_others(command, arguments.collect()).before_help(examples);
    options::hinted(flags::examples_first(command))
}

/// The flags of the inputs that a list has.
fn inputs(function: &CatalogFunction) -> Vec<Flag> {
    let names = function.entry.list_inputs();
    let flags = function.flags().iter();
    flags
        .filter(|flag| names.iter().any(|name| name == flag.property()))
        .cloned()
        .collect()
}

/// The columns of a list: what names an object, then the short outputs, then the long ones.
fn columns(function: &CatalogFunction) -> Vec<Column> {
    let rank = |name: &str| match name {
        "displayName" => 0,
        "id" => 1,
        name if is_long(name) => 3,
        _ => 2,
    };
    let unknown = function.entry.spec.without_effect;
    let outputs = function.description().outputs.iter();
    let mut names: Vec<&str> = outputs
        .filter(|output| !matches!(output.shape, Shape::Object | Shape::Map))
        .map(|output| output.name.as_str())
        .filter(|name| !unknown.contains(name))
        .collect();
    names.sort_by_key(|name| rank(name));
    let columns = names.into_iter().map(|name| match is_long(name) {
        true => Column::new(name).wide(),
        false => Column::new(name),
    });
    columns.collect()
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let Some((name, matches)) = matches.subcommand() else {
        return Err(CliError::Incomplete(catalog::screen(
            "Usage: netmgr list <FUNCTION> [OPTIONS]",
            Entry::is_listed,
        )));
    };
    let function = catalog::find(name).expect("only functions are commands");
    let entry = function.entry;
    let input = flags::object(&inputs(function), matches);
    let mut options = ListOptions::default();
    options.prefix = matches.get_one::<String>("prefix").cloned();
    let limit = matches.get_one::<usize>("limit").copied();
    options.limit = limit;
    let columns = columns(function);
    let known: Vec<String> = columns.iter().map(|column| column.key.clone()).collect();
    options.whole = app.output.needs_members(&known, true)?;
    let mut rows = app.output.whole_rows(columns)?;
    LookupSession::run(app, async |session| {
        let mut listed = 0;
        let print = |page: ListedPage| {
            listed += page.rows.len();
            show(entry.spec.noun, listed, &page, rows.streams());
            if page.objects.is_empty() {
                return page.rows.into_iter().try_for_each(|row| rows.push(row));
            }
            if page.pages == 1 {
                app.output.check_members(&known, &page.objects)?;
            }
            let both = page.rows.into_iter().zip(page.objects);
            both.map(|(row, object)| app.output.whole(row, object))
                .try_for_each(|row| rows.push(row))
        };
        session.list(entry, input, options, print).await?;
        terminal::status("");
        rows.sort_by_name();
        rows.finish()?;
        match (listed, limit) {
            (0, _) => standard_error(&format!("there are no {}s", entry.spec.noun)),
            (listed, Some(limit)) if listed == limit => {
                standard_error(&format!("the list ended at --limit {limit}"));
            }
            _ => {}
        }
        Ok(())
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
