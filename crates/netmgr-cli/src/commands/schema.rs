//! `schema`: the JSON schemas of a function.

use clap::{Arg, ArgMatches, Command};
use serde_json::json;

use super::{Shared, Subcommand, functions};
use crate::app::App;
use crate::failure::CliError;
use crate::flags::{command_name, function_named};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "schema",
    command,
    shared: Shared::OUTPUT,
    run,
};

fn command() -> Command {
    Command::new("schema")
        .about("Prints the JSON schemas of a function's input and output")
        .arg(
            Arg::new("function")
                .value_name("FUNCTION")
                .help("Name of the function, as `netmgr functions` lists it"),
        )
        .after_help(
            "Examples:\n  netmgr schema ip-pool\n  \
             netmgr schema getPolicyEdgeCluster --query '.input.properties | keys'",
        )
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let Some(name) = matches.get_one::<String>("function") else {
        let usage = "Usage: netmgr schema <FUNCTION> [OPTIONS]";
        return Err(CliError::Incomplete(functions::screen(usage, |_| true)));
    };
    let entry = function_named(name)?;
    app.output.document(&json!({
        "function": entry.spec.name,
        "command": format!("netmgr get {}", command_name(entry.spec.name)),
        "token": entry.spec.token(),
        "input": (entry.input_schema)(),
        "output": (entry.output_schema)(),
    }))
}

#[cfg(test)]
mod tests {
    use netmgr_lookups::ALL;

    use super::*;

    #[test]
    fn every_function_is_found_by_each_of_its_names() {
        for entry in ALL {
            for name in crate::flags::names_of(entry) {
                assert_eq!(function_named(&name).unwrap().spec.name, entry.spec.name);
            }
        }
    }
}
