//! `functions`: the list of functions.

use clap::{ArgMatches, Command};
use netmgr_lookups::{ALL, Description, Entry, Group};
use serde_json::{Value, json};

use super::get::minimum_versions;
use super::{Shared, Subcommand};
use crate::app::App;
use crate::failure::CliError;
use crate::flags::command_name;
use crate::output::{Column, Format, columns};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "functions",
    command,
    shared: Shared::OUTPUT,
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
            Column::new("on").title("AVAILABLE ON"),
            Column::new("since"),
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
        .chain(["minimumVersions", "successor", "example", "source"])
        .map(Column::new)
        .collect(),
    };
    let row = if is_table { short } else { full };
    app.output.all_rows(columns, ALL.iter().map(row))
}

/// A function as people read it.
fn short(entry: &Entry) -> Value {
    let function = entry.describe();
    json!({
        "function": command_name(function.name),
        "group": entry.spec.group().name(),
        "on": deployments(&function),
        "since": minimum_versions(&function),
        "summary": function.summary,
        "token": function.token,
    })
}

/// A function with all that is known of it.
fn full(entry: &Entry) -> Value {
    let mut function = json!(entry.describe());
    function["group"] = json!(entry.spec.group().name());
    function
}

/// Deployments in short: `global, policy, cloud`.
fn deployments(function: &Description) -> String {
    let words = |name: &&'static str| name.split(' ').find(|word| *word != "hosted").unwrap_or(name);
    let names: Vec<&str> = function.available_on.iter().flatten().map(words).collect();
    names.join(", ")
}

/// The functions that `is_shown`, grouped, after a line of usage.
pub(crate) fn screen(usage: &str, is_shown: impl Fn(&Entry) -> bool) -> String {
    format!("{usage}\n\n{}", grouped(is_shown).trim_end())
}

/// The help of a command whose subcommands are the functions that `is_shown`: grouped, before the options.
pub(crate) fn help(is_shown: impl Fn(&Entry) -> bool) -> String {
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}\n\nOptions:\n{{options}}{{after-help}}",
        grouped(is_shown).trim_end()
    )
}

/// The functions that `is_shown`, grouped.
pub(crate) fn grouped(is_shown: impl Fn(&Entry) -> bool) -> String {
    let mut text = String::new();
    for group in Group::ALL {
        let members = ALL
            .iter()
            .filter(|entry| entry.spec.group() == *group && is_shown(entry));
        let rows: Vec<[String; 2]> = members
            .map(|entry| {
                [
                    format!("  {}", command_name(entry.spec.name)),
                    entry.spec.summary.to_owned(),
                ]
            })
            .collect();
        if !rows.is_empty() {
            text.push_str(&format!("{}:\n{}\n", group.title(), columns(&rows)));
        }
    }
    text
}
