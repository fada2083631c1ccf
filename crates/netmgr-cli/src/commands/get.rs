//! `get`: runs a lookup function.

use std::io::Read as _;

use clap::{Arg, ArgMatches, Command};
use netmgr_lookups::{ALL, Description, Entry};
use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr as _;

use super::completions::complete_names;
use super::{Shared, Subcommand, functions};
use crate::app::App;
use crate::exit;
use crate::failure::CliError;
use crate::files;
use crate::flags::{self, Flag, command_name, names_of};
use crate::output::columns;
use crate::session::Session;

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "get",
    command,
    shared: Shared::ALL,
    run,
};

fn command() -> Command {
    Command::new("get")
        .about("Runs a lookup function")
        .long_about(
            "Runs a lookup function. Its name can also be given as in its token: \
             `getEdgeCluster` or `netmgr:index/getEdgeCluster:getEdgeCluster`.\n\n\
             A connection setting is read from its flag, or else from its NETMGR_* variable (NETMGR_CA_FILE \
             for `--ca-file`), or else from the configuration file, or else it has its default. Secrets such \
             as NETMGR_PASSWORD have no flags.",
        )
        .after_help(EXAMPLES)
        .after_long_help(format!("{EXAMPLES}\n\n{}", exit::help()))
        .disable_help_subcommand(true)
        .subcommand_value_name("FUNCTION")
        .help_template(functions::help(|_| true))
        .subcommands(ALL.iter().map(function_command))
}

const EXAMPLES: &str = "Examples:
  netmgr get policy-edge-cluster --display-name edge
  netmgr get ip-pool --id 7f3c2d10 -o json --query .displayName";

/// The command of one function. Its flags are made when it is used.
fn function_command(entry: &Entry) -> Command {
    let [name, aliases @ ..] = names_of(entry);
    Command::new(name)
        .aliases(aliases)
        .about(entry.spec.summary)
        .defer(with_inputs)
}

/// The command of a function with a flag for each of its inputs.
fn with_inputs(command: Command) -> Command {
    let entry = entry(command.get_name());
    let function = entry.describe();
    let flags = flags::of(&function.inputs);
    let ids: Vec<String> = flags.iter().map(Flag::id).collect();
    let input = Arg::new("input")
        .long("input")
        .value_name("JSON|@FILE|-")
        .help("All inputs as a JSON object, given as text, as a file or on standard input")
        .conflicts_with_all(&ids);
    let required = flags.iter().filter(|flag| flag.is_required());
    let required: String = required
        .map(|flag| format!(" --{} <{}>", flag.long(), flag.value_name()))
        .collect();
    let arguments = flags.iter().map(|flag| {
        let argument = complete_names(entry, flag.argument()).help_heading("Inputs");
        match flag.is_required() {
            true => argument.required_unless_present("input"),
            false => argument,
        }
    });
    // By default, clap lists flags with a default among the required ones.
    let usage = format!("netmgr get {} [OPTIONS]{required}", command.get_name());
    let arguments = arguments.chain([input.help_heading("Inputs")]).collect();
    flags::before_others(command, arguments)
        .override_usage(usage)
        .after_help(details(&function))
}

/// The function with this name on the command line.
fn entry(name: &str) -> &'static Entry {
    let mut entries = ALL.iter();
    entries
        .find(|entry| command_name(entry.spec.name) == name)
        .expect("only registered functions are commands")
}

/// Details of a function: outputs, availability and examples.
fn details(function: &Description) -> String {
    let mut facts = vec![["Available on:".to_owned(), available_on(function)]];
    facts.push(["Minimum version:".to_owned(), minimum_versions(function)]);
    facts.extend(
        function
            .successor
            .map(|name| ["Successor:".to_owned(), name.to_owned()]),
    );
    facts.push(["Token:".to_owned(), function.token.clone()]);
    format!(
        "Outputs (* always returned):\n{}\n{}\n{}",
        outputs(function),
        columns(&facts),
        examples(function)
    )
}

/// The example input as flags and as JSON.
fn examples(function: &Description) -> String {
    let name = command_name(function.name);
    let flags = flags::written(&flags::of(&function.inputs), &function.example);
    format!(
        "Examples:\n  netmgr get {name}{flags}\n  netmgr get {name} --input '{}' -o json",
        function.example
    )
}

/// The outputs as a table, or, if that is wider than the lines of clap, with descriptions below them.
fn outputs(function: &Description) -> String {
    const WIDTH: usize = 100;
    let rows = function.outputs.iter().map(|property| {
        let mark = if property.required { "*" } else { "" };
        [
            format!("  {}{mark}", property.name),
            property.shape.name().to_owned(),
            property.description.clone(),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let table = columns(&rows);
    if table.lines().all(|line| line.width() <= WIDTH) {
        return table;
    }
    let stacked = rows
        .iter()
        .map(|[name, shape, description]| format!("{name}  {shape}\n          {description}\n"));
    stacked.collect()
}

/// Deployments on which a function is available, if the specification states them.
fn available_on(function: &Description) -> String {
    match &function.available_on {
        Some(deployments) => deployments.join(", "),
        None => "-".to_owned(),
    }
}

/// Minimum versions of a function.
pub(crate) fn minimum_versions(function: &Description) -> String {
    let versions: Vec<String> = function
        .minimum_versions
        .iter()
        .map(|minimum| match minimum.deployment {
            Some(deployment) => format!("{} ({deployment})", minimum.version),
            None => minimum.version.to_owned(),
        })
        .collect();
    match versions.as_slice() {
        [] => "-".to_owned(),
        versions => versions.join(", "),
    }
}

/// Source of the input object.
#[derive(Debug, PartialEq)]
enum Input {
    /// From flags.
    Flags(Map<String, Value>),
    /// The text of `--input`: JSON, `@file` or `-`.
    Source(String),
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let Some((name, matches)) = matches.subcommand() else {
        return Err(CliError::Incomplete(functions::screen(
            "Usage: netmgr get <FUNCTION> [OPTIONS]",
            |_| true,
        )));
    };
    if app.connection.password_stdin
        && matches
            .get_one::<String>("input")
            .is_some_and(|source| source == "-")
    {
        return Err(CliError::usage(
            "--password-stdin and --input - both read standard input",
            "give the input as text or as @FILE",
        ));
    }
    let function = entry(name).describe();
    let input = read_input(match matches.get_one::<String>("input") {
        Some(source) => Input::Source(source.clone()),
        None => Input::Flags(flags::object(&flags::of(&function.inputs), matches)),
    })?;
    let fields: Vec<String> = function
        .outputs
        .iter()
        .map(|output| output.name.clone())
        .collect();
    app.output.check_fields(&fields)?;
    Session::run(app, async |session| {
        let call = session.call();
        let lookup = async { Ok(session.lookups.invoke(function.name, input, &call).await?) };
        let object = session.within_deadline(lookup).await?;
        // The line of a wait goes before the answer comes.
        drop(call);
        app.output.object(&object, &fields)
    })
}

/// The input object.
fn read_input(input: Input) -> Result<Value, CliError> {
    let source = match input {
        Input::Flags(object) => return Ok(Value::Object(object)),
        Input::Source(source) => source,
    };
    let (name, text) = match source.as_str() {
        "-" => ("standard input".to_owned(), {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map(|_| text)
        }),
        source => match source.strip_prefix('@') {
            Some(file) => (file.to_owned(), std::fs::read_to_string(file)),
            None => ("--input".to_owned(), Ok(source.to_owned())),
        },
    };
    let text = text.map_err(|error| CliError::unreadable(&name, error))?;
    let hint = || {
        Some("an input is an object such as {\"id\": \"x\"}; `netmgr schema` prints its schema".to_owned())
    };
    match serde_json::from_str(files::split_mark(&text).1) {
        Ok(object @ Value::Object(_)) => Ok(object),
        Ok(_) => Err(CliError::Usage {
            what: format!("{name}: the input is not a JSON object"),
            source: None,
            hint: hint(),
        }),
        Err(error) => Err(CliError::Usage {
            what: format!("{name}: the input is not JSON"),
            source: Some(error.into()),
            hint: hint(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Any text is refused as no JSON object, or checked against every function, whose problems name a property.
    #[test]
    fn fuzz_input() {
        let words = [
            "\"id\":",
            "\"displayName\":",
            "\"context\":",
            "\"projectId\":",
            "\"delay\":",
            "\"timeout\":",
            "hunter2",
            "null",
            "true",
            "\\u0000",
            "\\ud800",
        ];
        fuzz_testing::fuzz("input", &words, |input| {
            let text = String::from_utf8_lossy(input).into_owned();
            if text == "-" || text.starts_with('@') {
                return "elsewhere".to_owned();
            }
            let object = match read_input(Input::Source(text.clone())) {
                Ok(object) => object,
                Err(failure) => {
                    let report = failure.report();
                    assert!(report.contains("--input: "), "{report}");
                    assert!(!report.contains("hunter2"), "the input is quoted: {report}");
                    return report;
                }
            };
            let given = object.as_object().expect("only objects are accepted");
            let mut outcome = String::new();
            for entry in netmgr_lookups::ALL {
                let inputs = entry.describe().inputs;
                for problem in entry.check(object.clone()) {
                    let name = problem.property.split(['.', '[']).next().unwrap_or_default();
                    let is_known = inputs.iter().any(|input| input.name == name);
                    let is_given = given.keys().any(|key| problem.property.starts_with(key.as_str()));
                    assert!(
                        is_known || is_given || name.is_empty(),
                        "{}: {problem}",
                        entry.spec.name
                    );
                    outcome += &problem.reason;
                }
            }
            outcome
        });
    }

    fn read(source: &str) -> Result<Value, String> {
        read_input(Input::Source(source.to_owned())).map_err(|failure| failure.report())
    }

    #[test]
    fn an_input_is_a_json_object() {
        for text in [r#"{ "id": "x" }"#, "\u{feff}{ \"id\": \"x\" }"] {
            assert_eq!(read(text).unwrap(), json!({ "id": "x" }));
        }
        let hint =
            "\n  hint: an input is an object such as {\"id\": \"x\"}; `netmgr schema` prints its schema";
        assert_eq!(
            read("[]").unwrap_err(),
            format!("error: --input: the input is not a JSON object{hint}")
        );
        assert_eq!(
            read("{id}").unwrap_err(),
            format!(
                "error: --input: the input is not JSON\n  caused by: key must be a string at line 1 column 2{hint}"
            )
        );
    }

    #[test]
    fn an_input_file_that_cannot_be_read_is_named() {
        let error = read("@/nonexistent/input.json").unwrap_err();
        assert!(
            error.starts_with("error: cannot read /nonexistent/input.json\n  caused by: "),
            "{error}"
        );
    }

    #[test]
    fn a_description_that_is_too_long_for_a_table_keeps_its_indentation() {
        let mut function = entry("policy-edge-node").describe();
        let short = outputs(&function);
        assert!(
            short.contains("\n  memberIndex       integer  Member index"),
            "{short}"
        );
        function.outputs[0].description = "word ".repeat(30).trim_end().to_owned();
        let long = outputs(&function);
        assert!(
            long.starts_with("  description*  string\n          word word "),
            "{long}"
        );
    }
}
