//! `schema`: the JSON schemas of a function.

use clap::{Arg, ArgMatches, Command};
use serde_json::json;

use crate::app::App;
use crate::catalog;
use crate::completion::words::complete_functions;
use crate::failure::CliError;
use crate::subcommand::{SharedOptions, Subcommand};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "schema",
    command,
    shared: SharedOptions::Output,
    run,
};

fn command() -> Command {
    Command::new("schema")
        .about("Print the JSON schemas of a function's input and output")
        .arg(complete_functions(
            Arg::new("function")
                .value_name("FUNCTION")
                .help("Name of the function, as `netmgr types` lists it"),
        ))
        .after_help(
            "Examples:\n  netmgr schema policy-ip-pool\n  \
             netmgr schema getPolicyEdgeCluster --query '.input.properties | keys'",
        )
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let Some(name) = matches.get_one::<String>("function") else {
        let usage = "Usage: netmgr schema <FUNCTION> [OPTIONS]";
        return Err(CliError::Incomplete(catalog::screen(usage, |function| {
            Some(function.entry.spec.summary.to_owned())
        })));
    };
    let function = catalog::find(name)
        .ok_or_else(|| CliError::usage(format!("there is no function {name:?}"), catalog::similar(name)))?;
    let entry = function.entry;
    // The descriptions of the types are for readers of the code.
    let [input, output] = [(entry.input_schema)(), (entry.output_schema)()].map(|mut schema| {
        schema.remove("description");
        schema
    });
    app.output.document(&json!({
        "function": entry.spec.name,
        "command": format!("netmgr get {}", function.name),
        "token": entry.spec.token(),
        "summary": entry.spec.summary,
        "input": input,
        "output": output,
    }))
}
