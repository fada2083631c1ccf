//! `types`: the types of objects with functions, by group.

use clap::{Arg, ArgMatches, Command};
use serde_json::{Value, json};

use crate::app::App;
use crate::catalog::{self, CATALOG, CatalogFunction};
use crate::failure::CliError;
use crate::output::{Column, Format, standard_output};
use crate::subcommand::{SharedOptions, Subcommand};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "types",
    command,
    shared: SharedOptions::Output,
    run,
};

fn command() -> Command {
    Command::new("types")
        .alias("functions")
        .arg(
            Arg::new("text")
                .value_name("TEXT")
                .help("Part of a name, a type or a description, ignoring case"),
        )
        .about("List all object types")
        .long_about(
            "List all object types by group, with the function for each and the manager's type of its objects. Every \
             command accepts both, in any case, and plurals. The prefix `policy-` is optional: `edge-node` means \
             `policy-edge-node`. If both APIs have a type, the name without `policy-` is a function of the older API, \
             and `get` reports the newer one. `-o wide` also shows where each type is available.",
        )
        .after_help(
            "Examples:\n  netmgr types gateway\n  \
             netmgr types -o json --query '.[] | select(.group == \"security\") | .name'",
        )
}

/// The members of a type in all formats.
const MEMBERS: [&str; 15] = [
    "function",
    "name",
    "token",
    "kind",
    "summary",
    "group",
    "inputs",
    "outputs",
    "on",
    "since",
    "availableOn",
    "minimumVersions",
    "successor",
    "resourceType",
    "example",
];

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let text = matches.get_one::<String>("text").map_or("", String::as_str);
    let meant = catalog::find(text).map(|function| &function.name);
    let part = text.to_lowercase();
    let is_wanted = |function: &&CatalogFunction| {
        let texts = [
            &function.name,
            resource_type(function),
            function.entry.spec.summary,
            function.entry.spec.name,
        ];
        meant == Some(&function.name) || texts.iter().any(|text| text.to_lowercase().contains(&part))
    };
    if !CATALOG.iter().any(|function| is_wanted(&function)) {
        return Err(CliError::usage(
            format!("no type contains {text:?}"),
            catalog::similar(text),
        ));
    }
    if app.output.format() == Format::Table && app.output.is_for_people() {
        return standard_output(&catalog::grouped(|function| {
            let summary = function.entry.spec.summary;
            is_wanted(&function).then(|| match resource_type(function) {
                "" => summary.to_owned(),
                resource_type => format!("{resource_type}: {summary}"),
            })
        }));
    }
    let known = MEMBERS.map(str::to_owned);
    app.output.check_fields(&known)?;
    let columns: Vec<Column> = match app.output.format() {
        Format::Table | Format::Wide => vec![
            Column::new("function"),
            Column::new("resourceType"),
            Column::new("group").wide(),
            Column::new("on").title("AVAILABLE ON").wide(),
            Column::new("since").wide(),
            Column::new("summary").title("DESCRIPTION"),
            Column::new("token").wide(),
        ],
        _ => MEMBERS.map(Column::new).into(),
    };
    let mut rows = app.output.whole_rows(columns)?;
    CATALOG
        .iter()
        .filter(is_wanted)
        .try_for_each(|function| rows.push(row(function)))?;
    rows.finish()
}

/// The manager's type of the objects; empty if there is none.
fn resource_type(function: &CatalogFunction) -> &'static str {
    function.entry.resource_type().unwrap_or_default()
}

/// A function with everything that is known about it: the description, and the words of tables.
fn row(function: &CatalogFunction) -> Value {
    let description = function.description();
    let mut row = json!(description);
    row["function"] = function.name.as_str().into();
    row["resourceType"] = resource_type(function).into();
    row["group"] = function.entry.group.name().into();
    row["on"] = function.available_on().into();
    row["since"] = function.minimum_versions().into();
    if let Some(members) = row.as_object_mut() {
        // Sections of a document that users do not have are omitted.
        members.remove("source");
    }
    row
}
