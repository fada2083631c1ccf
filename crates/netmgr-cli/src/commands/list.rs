//! `list`: the objects of the collection of a function.

mod counts;

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use netmgr_lookups::{CallInputs, ListOptions, ListedPage, Shape, TagFilter, counted};
use serde_json::Value;

use crate::app::App;
use crate::catalog::{self, CATALOG, CatalogFunction};
use crate::completion::fields::complete_fields;
use crate::failure::CliError;
use crate::flags::{self, OUTPUT};
use crate::options::{self, whole};
use crate::output::{Column, fields, standard_error, terminal};
use crate::progress::ProgressLine;
use crate::session::LookupSession;
use crate::subcommand::{SharedOptions, Subcommand};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "list",
    command,
    shared: SharedOptions::All,
    run,
};

/// Id of the flag for the field to sort by.
const SORT: &str = "sort-by";
/// Id of the flag that counts the objects of every type.
const ALL: &str = "all";

/// Whether an output is long. Of these, only the path of the object is shown without `wide`.
fn is_long(name: &str) -> bool {
    ["description", "object", "path", "realizedId", "uniqueId"].contains(&name) || name.ends_with("Path")
}

fn command() -> Command {
    let limit = Arg::new("limit")
        .long("limit")
        .value_name("N")
        .help("Maximum number of objects")
        .help_heading("Inputs")
        .value_parser(whole::<usize>);
    let text = |name: &'static str, help: &'static str| {
        let argument = Arg::new(name).long(name).value_name("TEXT").help(help);
        argument.help_heading("Inputs").global(true)
    };
    let prefix = text("prefix", "Prefix of the display names to list");
    let contains = text("contains", "Part of the display names to list, ignoring case");
    let tag = Arg::new("tag")
        .long("tag")
        .value_name("SCOPE:TAG")
        .help("Tag of the objects to list; `SCOPE:` matches any tag in the scope, and `:TAG` any scope. Either can contain colons. Can be repeated")
        .help_heading("Inputs")
        .action(ArgAction::Append)
        .value_parser(value_parser!(TagFilter))
        .global(true);
    let sort = Arg::new(SORT)
        .long(SORT)
        .value_name("NAME")
        .help("Field to sort by: an output, or a member of the manager's object")
        .help_heading(OUTPUT)
        .global(true);
    let all = Arg::new(ALL)
        .long(ALL)
        .action(ArgAction::SetTrue)
        .help("Count the objects of every type");
    let listed = CATALOG.iter().filter(|function| function.entry.is_listed());
    Command::new("list")
        .about("List all objects of a type")
        .long_about(
            "List all objects of a type, sorted by name. The columns are outputs of the function; `-o wide` prints all \
             of them. With `-o ndjson`, `csv` or `name`, objects are printed as they are read, unsorted without \
             `--sort-by`, and `--query` applies to each object instead of the whole list.",
        )
        .after_help(
            "Examples:\n  netmgr list policy-edge-cluster\n  \
             netmgr list policy-ip-pool --prefix tep --limit 10 -o csv\n  \
             netmgr list --all --tag env:prod",
        )
        .disable_help_subcommand(true)
        .subcommand_value_name("FUNCTION")
        .help_template(catalog::help(CatalogFunction::list_summary))
        .args([all, limit.global(true), prefix, contains, tag, complete_fields(sort)])
        .subcommands(listed.map(function_command))
}

/// The command of one collection. Its flags are created when it is used.
fn function_command(function: &CatalogFunction) -> Command {
    Command::new(&function.name)
        .about(format!("List all {}", function.entry.spec.nouns()))
        .defer(with_inputs)
}

fn with_inputs(command: Command) -> Command {
    let function = catalog::find(command.get_name()).expect("only functions are commands");
    let name = &function.name;
    let flags = function.list_flags();
    let required = flags.iter().filter(|flag| flag.is_required()).cloned();
    let required = flags::written(&required.collect::<Vec<_>>(), &function.description().example);
    let mut examples = format!("Examples:\n  netmgr list {name}{required}");
    if required.is_empty() {
        examples.push_str(&format!("\n  netmgr list {name} --prefix a -o wide"));
    }
    let arguments = flags.iter().map(|flag| {
        flag.argument()
            .help_heading("Inputs")
            .required(flag.is_required())
    });
    let command = flags::before_others(command, arguments.collect()).before_help(examples);
    options::hinted(flags::examples_first(command))
}

/// The columns of a list.
fn columns(function: &CatalogFunction) -> Vec<Column> {
    let unknown = function.entry.spec.without_effect;
    let outputs = function.description().outputs.iter();
    let names = outputs
        .filter(|output| !matches!(output.shape, Shape::Object | Shape::Map))
        .map(|output| output.name.as_str())
        .filter(|name| !unknown.contains(name));
    ordered(names.collect())
}

/// Ids of machines in other systems.
const OTHER_IDS: [&str; 5] = ["biosId", "externalId", "instanceId", "sourceId", "vifIds"];

/// The columns of objects with these outputs: those that identify an object, then short outputs, then long ones. A path
/// replaces the id, which is its end.
pub(super) fn ordered(mut names: Vec<&str>) -> Vec<Column> {
    let rank = |name: &str| match name {
        "displayName" => 0,
        "id" => 1,
        name if is_long(name) => 3,
        _ => 2,
    };
    names.sort_by_key(|name| rank(name));
    let has_path = names.contains(&"path");
    let columns = names.into_iter().map(|name| match name {
        "path" => Column::new(name),
        "id" if has_path => Column::new(name).wide(),
        name if is_long(name) || OTHER_IDS.contains(&name) => Column::new(name).wide(),
        name => Column::new(name),
    });
    columns.collect()
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let counts = matches.get_flag(ALL);
    let Some((name, matches)) = matches.subcommand() else {
        if counts {
            return counts::run(app, matches);
        }
        return Err(CliError::Incomplete(catalog::screen(
            "Usage: netmgr list <FUNCTION> [OPTIONS]",
            CatalogFunction::list_summary,
        )));
    };
    if counts {
        return Err(CliError::usage(
            format!("--all lists every type, not only {name}"),
            "remove one of them",
        ));
    }
    let function = catalog::find(name).expect("only functions are commands");
    let entry = function.entry;
    let input = flags::object(&function.list_flags(), matches);
    let columns = columns(function);
    let known: Vec<String> = columns.iter().map(|column| column.key.clone()).collect();
    let sort = matches.get_one::<String>(SORT);
    let sorting_member = sort.filter(|field| !known.contains(field));
    // Members on the wire have no capital letters.
    if let Some(field) =
        sorting_member.filter(|field| field.contains(|letter: char| letter.is_ascii_uppercase()))
    {
        fields::check("--sort-by", std::slice::from_ref(field), &known)?;
    }
    let mut options = narrowed(matches);
    let is_narrowed = !input.is_empty() || options != ListOptions::default();
    let limit = matches.get_one::<usize>("limit").copied();
    // The first objects in the order are only known when all of them have been read.
    options.limit = limit.filter(|_| sort.is_none());
    let prints_members = app.output.needs_members(&known, true)?;
    options.whole = prints_members || sorting_member.is_some();
    let mut rows = app.output.whole_rows(columns)?;
    // Rows that are already printed cannot be taken back if no object has a field.
    let are_kept = sort.is_some() || rows.streams() && prints_members;
    LookupSession::run(app, async |session| {
        let mut listed = 0;
        let mut kept: Vec<(Option<Value>, Value)> = Vec::new();
        let mut members = BTreeSet::new();
        let print = |page: ListedPage| {
            listed += page.rows.len();
            show(
                &counted(listed, entry.spec.noun),
                &page,
                rows.streams() && !are_kept,
            );
            members.extend(page.objects.iter().flat_map(fields::names));
            let mut objects = page.objects.into_iter();
            for row in page.rows {
                let object = objects.next();
                let member = |field| object.as_ref()?.get(field);
                let key = sort.and_then(|field| row.get(field).or_else(|| member(field)).cloned());
                let row = match object {
                    Some(object) if prints_members => app.output.whole(row, object),
                    _ => row,
                };
                match are_kept {
                    true => kept.push((key, row)),
                    false => rows.push(row)?,
                }
            }
            Ok(())
        };
        let words = function.words();
        let given = CallInputs::of(entry, &Value::Object(input.clone()));
        let progress = Arc::new(ProgressLine::of(words.clone()));
        let outcome = session.list(entry, input, options, progress, print).await;
        outcome.map_err(|failure| failure.of_call(words, given, format!("list {}", function.name)))?;
        terminal::status("");
        app.output.check_members(&known, members.clone())?;
        if sort.is_some() {
            let sorting_member: Vec<String> = sorting_member.cloned().into_iter().collect();
            fields::check_members("--sort-by", &sorting_member, &known, members)?;
            kept.sort_by(|(one, _), (other, _)| compare(one.as_ref(), other.as_ref()));
            listed = listed.min(limit.unwrap_or(usize::MAX));
            kept.truncate(listed);
        } else {
            rows.sort_by_name();
        }
        kept.into_iter().try_for_each(|(_, row)| rows.push(row))?;
        rows.finish()?;
        let nouns = entry.spec.nouns();
        let tags = matches.get_many::<TagFilter>("tag").into_iter().flatten();
        let advice = tags.filter_map(TagFilter::advice).next();
        match (listed, limit) {
            (listed, Some(limit)) if listed == limit => {
                standard_error(&format!("the list ended at --limit {limit}"));
            }
            (0, _) if is_narrowed => {
                let advice = advice.map_or_else(String::new, |advice| format!("; {advice}"));
                standard_error(&format!("no {nouns} match{advice}"));
            }
            (0, _) => standard_error(&format!("there are no {nouns}")),
            _ => {}
        }
        Ok(())
    })
}

/// The options that exclude objects.
fn narrowed(matches: &ArgMatches) -> ListOptions {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let tags = matches.get_many::<TagFilter>("tag");
    let mut options = ListOptions::default();
    options.prefix = text("prefix");
    options.contains = text("contains");
    options.tags = tags.into_iter().flatten().cloned().collect();
    options
}

/// The order of two values of a field: numbers by size, others as text. Absent ones come last.
fn compare(one: Option<&Value>, other: Option<&Value>) -> Ordering {
    let is_absent = |value: Option<&Value>| {
        value.is_none_or(|value| value.is_null() || value.as_str().is_some_and(str::is_empty))
    };
    match (one, other) {
        _ if is_absent(one) || is_absent(other) => is_absent(one).cmp(&is_absent(other)),
        (Some(Value::Number(one)), Some(Value::Number(other))) => {
            let size = |number: &serde_json::Number| number.as_f64().unwrap_or_default();
            size(one).total_cmp(&size(other))
        }
        (Some(Value::String(one)), Some(Value::String(other))) => one.cmp(other),
        (one, other) => one.map(Value::to_string).cmp(&other.map(Value::to_string)),
    }
}

/// Shows the progress of a list, unless its rows are printed to a terminal as they are read.
fn show(listed: &str, page: &ListedPage, streams: bool) {
    if streams && terminal::width().is_some() {
        return;
    }
    let of = page.announced.map(|all| format!(" of {all}")).unwrap_or_default();
    terminal::status(&format!(
        "{listed}; read {}, {}{of} rows",
        counted(page.pages, "page"),
        page.read,
    ));
}
