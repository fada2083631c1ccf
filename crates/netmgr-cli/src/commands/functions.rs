//! `functions`: the list of functions.

use clap::{ArgMatches, Command};
use serde_json::{Value, json};

use crate::app::App;
use crate::catalog::{CATALOG, CatalogFunction};
use crate::failure::CliError;
use crate::output::{Column, Format};
use crate::subcommand::{SharedOptions, Subcommand};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "functions",
    command,
    shared: SharedOptions::Output,
    run,
};

fn command() -> Command {
    Command::new("functions")
        .about("Lists the lookup functions")
        .after_help(
            "Examples:\n  netmgr functions\n  \
             netmgr functions -o json --query '.[] | select(.group == \"policy\") | .name'",
        )
}

fn run(app: &App, _: &ArgMatches) -> Result<(), CliError> {
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

/// A function with all that is known of it.
fn full(function: &CatalogFunction) -> Value {
    let mut described = json!(function.description());
    described["group"] = json!(function.entry.group.name());
    if let Some(members) = described.as_object_mut() {
        // Sections of a document that users do not have.
        members.remove("source");
    }
    described
}
