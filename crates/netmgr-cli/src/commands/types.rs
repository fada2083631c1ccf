//! `types`: the types of objects with functions, by group.

use clap::{ArgMatches, Command};
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
        .about("List all object types")
        .long_about(
            "List all object types by group. The prefix `policy-` is optional, and plurals are accepted: \
             `edge-node` and `policy-edge-nodes` are aliases of `policy-edge-node`. If both APIs have a type, the name \
             without `policy-` selects the older API. `-o wide` also shows where each type is available.",
        )
        .after_help(
            "Examples:\n  netmgr types\n  \
             netmgr types -o json --query '.[] | select(.group == \"security\") | .name'",
        )
}

/// The members of a type in all formats.
const MEMBERS: [&str; 14] = [
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
    "example",
];

fn run(app: &App, _: &ArgMatches) -> Result<(), CliError> {
    if app.output.format() == Format::Table && app.output.is_for_people() {
        return standard_output(&catalog::grouped(|_| true));
    }
    let known = MEMBERS.map(str::to_owned);
    app.output.check_fields(&known)?;
    let columns: Vec<Column> = match app.output.format() {
        Format::Table | Format::Wide => vec![
            Column::new("function"),
            Column::new("group"),
            Column::new("on").title("AVAILABLE ON").wide(),
            Column::new("since").wide(),
            Column::new("summary").title("DESCRIPTION"),
            Column::new("token").wide(),
        ],
        _ => MEMBERS.map(Column::new).into(),
    };
    let mut rows = app.output.whole_rows(columns)?;
    CATALOG.iter().try_for_each(|function| rows.push(row(function)))?;
    rows.finish()
}

/// A function with everything that is known about it: the description, and the words of tables.
fn row(function: &CatalogFunction) -> Value {
    let description = function.description();
    // `global, policy, cloud`
    let word = |name: &&'static str| name.split(' ').find(|word| *word != "hosted").unwrap_or(name);
    let deployments: Vec<&str> = description.available_on.iter().flatten().map(word).collect();
    let mut row = json!(description);
    row["function"] = function.name.as_str().into();
    row["group"] = function.entry.group.name().into();
    row["on"] = deployments.join(", ").into();
    row["since"] = function.minimum_versions().into();
    if let Some(members) = row.as_object_mut() {
        // Sections of a document that users do not have are omitted.
        members.remove("source");
    }
    row
}
