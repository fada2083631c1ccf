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

fn run(app: &App, _: &ArgMatches) -> Result<(), CliError> {
    if app.output.format() == Format::Table && app.output.is_for_people() {
        return standard_output(&catalog::grouped(|_| true));
    }
    let is_table = matches!(app.output.format(), Format::Table | Format::Wide | Format::Name);
    let columns = match is_table {
        true => vec![
            Column::new("function"),
            Column::new("group"),
            Column::new("on").title("AVAILABLE ON").wide(),
            Column::new("since").wide(),
            Column::new("summary").title("DESCRIPTION"),
            Column::new("token").wide(),
        ],
        false => [
            "name",
            "token",
            "kind",
            "summary",
            "group",
            "inputs",
            "outputs",
            "availableOn",
        ]
        .into_iter()
        .chain(["minimumVersions", "successor", "example"])
        .map(Column::new)
        .collect(),
    };
    let row = if is_table { short } else { full };
    app.output.all_rows(columns, CATALOG.iter().map(row))
}

/// A function as people read it.
fn short(function: &CatalogFunction) -> Value {
    let description = function.description();
    // `global, policy, cloud`
    let word = |name: &&'static str| name.split(' ').find(|word| *word != "hosted").unwrap_or(name);
    let deployments: Vec<&str> = description.available_on.iter().flatten().map(word).collect();
    json!({
        "function": function.name,
        "group": function.entry.group.name(),
        "on": deployments.join(", "),
        "since": function.minimum_versions(),
        "summary": description.summary,
        "token": description.token,
    })
}

/// A function with everything that is known about it.
fn full(function: &CatalogFunction) -> Value {
    let mut described = json!(function.description());
    described["group"] = json!(function.entry.group.name());
    if let Some(members) = described.as_object_mut() {
        // Sections of a document that users do not have are omitted.
        members.remove("source");
    }
    described
}
