//! `get`: runs a lookup function.

mod exact;

use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command};
use netmgr_lookups::{CallInputs, Property, ResultKind, Shape, Words};
use netmgr_types::object;
use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr as _;

use super::list::ordered;
use crate::app::App;
use crate::catalog::{self, CATALOG, CatalogFunction};
use crate::completion::{self, complete_names};
use crate::exit::Exit;
use crate::failure::CliError;
use crate::files;
use crate::flags::{self, Flag};
use crate::options;
use crate::output::{columns, fields, standard_error};
use crate::progress::ProgressLine;
use crate::session::LookupSession;
use crate::subcommand::{SharedOptions, Subcommand};
use exact::{DISPLAY_NAME, wanted_name};

/// Id of the argument for the name of an object.
const NAME: &str = "name-of-object";
/// The input with the policy path of an object.
const PATH: &str = "path";
/// Id of the flag that excludes longer names.
const EXACT: &str = "exact";

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "get",
    command,
    shared: SharedOptions::All,
    run,
};

fn command() -> Command {
    Command::new("get")
        .about("Run a lookup function")
        .long_about(
            "Run a lookup function. The prefix `policy-` is optional. Other spellings, such as `getPolicyGroup`, plurals \
             and the manager's types, such as `Group`, are accepted in any case.",
        )
        .after_help(EXAMPLES)
        .disable_help_subcommand(true)
        .subcommand_value_name("FUNCTION")
        .help_template(catalog::help(summary))
        .subcommands(CATALOG.iter().map(function_command))
}

const EXAMPLES: &str = "Examples:
  netmgr get policy-edge-cluster edge
  netmgr get policy-ip-pool --id tep -o json --query .displayName";

/// The description of a function in the list of all.
fn summary(function: &CatalogFunction) -> Option<String> {
    Some(function.entry.spec.summary.to_owned())
}

/// The command of one function. Its flags are created when it is used.
fn function_command(function: &CatalogFunction) -> Command {
    Command::new(&function.name)
        .about(function.entry.spec.summary)
        .defer(with_inputs)
}

/// The command of a function with a flag for each of its inputs.
fn with_inputs(command: Command) -> Command {
    let function = function(command.get_name());
    let flags = function.flags();
    let ids: Vec<String> = flags.iter().map(Flag::id).collect();
    let input = Arg::new("input")
        .long("input")
        .value_name("JSON|@FILE|-")
        .help("JSON object with all inputs: inline, from a file, or from standard input")
        .add(completion::profiles::files())
        .conflicts_with_all(&ids);
    let mut named = Vec::new();
    if function.is_by_name() {
        named.extend(name_arguments(function));
    }
    let is_positional = |flag: &&Flag| function.is_by_name() && flag.id() == DISPLAY_NAME;
    let required = flags
        .iter()
        .filter(|flag| flag.is_required() && !is_positional(flag));
    let required: String = required
        .map(|flag| format!(" --{} <{}>", flag.long(), flag.value_name()))
        .collect();
    let arguments = flags.iter().map(|flag| {
        let argument = complete_names(function.entry, flag.argument()).help_heading("Inputs");
        match flag.is_required() {
            true if is_positional(&flag) => argument.required_unless_present_any(["input", NAME]),
            true => argument.required_unless_present("input"),
            false => argument,
        }
    });
    // By default, clap lists flags with a default among the required ones.
    let name = match flags.iter().find(is_positional) {
        Some(flag) if flag.is_required() => " <NAME>",
        Some(_) => " [NAME]",
        None => "",
    };
    let usage = format!("netmgr get {}{name} [OPTIONS]{required}", function.name);
    let arguments = named
        .into_iter()
        .chain(arguments)
        .chain([input.help_heading("Inputs")]);
    let arguments = arguments.collect();
    let command = flags::before_others(command, arguments)
        .override_usage(usage)
        .before_help(examples(function))
        .after_help(details(function));
    options::hinted(flags::examples_first(command))
}

/// The name of the object without its flag, and whether it must match exactly.
fn name_arguments(function: &CatalogFunction) -> [Arg; 2] {
    let name = Arg::new(NAME)
        .value_name("NAME")
        .help(match function.has_path() {
            true => "Display name of the object, the same as `--display-name`, or its policy path",
            false => "Display name of the object, the same as `--display-name`",
        })
        .conflicts_with_all([DISPLAY_NAME, "input"]);
    let exact = Arg::new(EXACT)
        .long("exact")
        .action(ArgAction::SetTrue)
        .help("Match the whole display name, not a prefix")
        .help_heading("Inputs");
    [complete_names(function.entry, name), exact]
}

/// The function with this name on the command line.
fn function(name: &str) -> &'static CatalogFunction {
    catalog::find(name).expect("only functions are commands")
}

/// Details of a function: outputs and availability.
fn details(function: &CatalogFunction) -> String {
    let description = function.description();
    let facts = [
        ("Available on:", Some(function.available_on())),
        ("Minimum version:", Some(function.minimum_versions())),
        ("Successor:", description.successor.map(str::to_owned)),
        ("Token:", Some(description.token.clone())),
    ];
    let facts = facts
        .into_iter()
        .filter_map(|(name, fact)| Some([name.to_owned(), fact?]));
    format!(
        "Outputs (* always returned):\n{}\n{}",
        outputs(&description.outputs),
        columns(&facts.collect::<Vec<_>>()).trim_end(),
    )
}

/// The example input as flags and as JSON.
fn examples(function: &CatalogFunction) -> String {
    let (name, example) = (&function.name, &function.description().example);
    let flags = flags::written(function.flags(), example);
    format!("Examples:\n  netmgr get {name}{flags}\n  netmgr get {name} --input '{example}' -o json")
}

/// The outputs as a table, or, if that is wider than the lines of clap, with descriptions below them.
fn outputs(outputs: &[Property]) -> String {
    const WIDTH: usize = 100;
    let rows = outputs.iter().map(|output| {
        let mark = if output.required { "*" } else { "" };
        [
            format!("  {}{mark}", output.name),
            output.shape.name().to_owned(),
            output.description.clone(),
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

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let Some((name, matches)) = matches.subcommand() else {
        return Err(CliError::Incomplete(catalog::screen(
            "Usage: netmgr get <FUNCTION> [OPTIONS]",
            summary,
        )));
    };
    let function = function(name);
    let source = matches.get_one::<String>("input");
    if app.connection.password_stdin && source.is_some_and(|source| source == "-") {
        return Err(CliError::usage(
            "--password-stdin and --input - both read standard input",
            "pass the input inline or as @FILE",
        ));
    }
    let input = match source {
        Some(source) => read_input(source)?,
        None => {
            let mut inputs = flags::object(function.flags(), matches);
            if let Ok(Some(name)) = matches.try_get_one::<String>(NAME) {
                let is_path = name.starts_with('/') && function.has_path();
                let input = if is_path { PATH } else { DISPLAY_NAME };
                let replaced = inputs.insert(input.to_owned(), name.as_str().into());
                if replaced.is_some_and(|path| path != **name) {
                    return Err(CliError::usage(
                        format!("{name:?} and `--path` select different objects"),
                        "only one path is accepted",
                    ));
                }
            }
            Value::Object(inputs)
        }
    };
    let wanted = wanted_name(function, &input);
    let is_exact = matches.try_get_one::<bool>(EXACT).ok().flatten() == Some(&true);
    let outputs = &function.description().outputs;
    let known: Vec<String> = outputs.iter().map(|output| output.name.clone()).collect();
    let is_list = function.entry.spec.answer == ResultKind::Table;
    let list = outputs
        .iter()
        .find(|output| is_list && output.shape == Shape::Objects);
    let has_scoped_tag =
        input.get("tagScope").is_none() && input["tag"].as_str().is_some_and(|tag| tag.contains(':'));
    // Formats with rows have one for each object of the list, and fields are of the objects.
    let list = list.filter(|_| app.output.is_in_rows());
    let columns = list.map(|list| {
        let names = list.properties.iter().map(|property| property.name.as_str());
        ordered(names.collect())
    });
    let mut rows = columns.map(|columns| app.output.rows(columns)).transpose()?;
    let is_whole = rows.is_none() && app.output.needs_members(&known, function.entry.is_whole())?;
    LookupSession::run(app, async |session| {
        // The names in a JSON object are those of the libraries.
        let words = match source {
            Some(_) => Words::default(),
            None => function.words(),
        };
        let inputs = CallInputs::of(function.entry, &input);
        let progress = Arc::new(ProgressLine::of(words.clone()));
        let mut object = None;
        let answer = session.call(function.entry, input, progress).await;
        let outcome = answer.map(|answer| {
            object = is_whole.then(|| answer.object());
            answer.output
        });
        let outcome = match &wanted {
            Some(wanted) => wanted.confirm(outcome, is_exact),
            None => outcome,
        };
        let is_answer = outcome
            .as_ref()
            .map_or_else(|failure| failure.exit() == Exit::NotFound, |_| true);
        function
            .newer()
            .iter()
            .filter(|_| is_answer)
            .for_each(|note| standard_error(note));
        let mut output =
            outcome.map_err(|failure| failure.of_call(words, inputs, format!("get {}", function.name)))?;
        if is_list && is_empty(&output) {
            let advice = if has_scoped_tag {
                "; `--tag-scope` selects the scope of a tag"
            } else {
                ""
            };
            standard_error(&format!("no object matches{advice}"));
        }
        if let (Some(mut rows), Some(list)) = (rows.take(), list) {
            let objects = output[&*list.name].take();
            for object in objects.as_array().into_iter().flatten() {
                rows.push(object.clone())?;
            }
            return rows.finish();
        }
        app.output.object(&match object {
            Some(object) => {
                app.output
                    .check_members(&known, fields::names(&object).into_iter().collect())?;
                app.output.whole(output, object)
            }
            None => output,
        })
    })
}

/// Whether an answer with lists and maps has nothing in any of them.
fn is_empty(output: &Value) -> bool {
    let mut lists = output.as_object().into_iter().flat_map(Map::values);
    lists.all(|value| match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(items) => items.is_empty(),
        _ => true,
    })
}

/// The input object of `--input`: JSON, `@file` or `-`.
fn read_input(source: &str) -> Result<Value, CliError> {
    let longest = files::LONGEST_TEXT;
    let (name, text) = match (source, source.strip_prefix('@')) {
        ("-", _) => (
            "standard input",
            std::io::read_to_string(files::Bounded::new(std::io::stdin(), longest)),
        ),
        (_, Some(file)) => (file, files::text(file.as_ref(), longest)),
        (text, None) => ("--input", Ok(text.to_owned())),
    };
    let text = text.map_err(|error| CliError::unreadable(name, error))?;
    let hint = "an input is an object such as {\"id\": \"x\"}; `netmgr schema` prints its schema";
    match object::with_unique_keys(files::split_mark(&text).1.as_bytes()) {
        Ok(object @ Value::Object(_)) => Ok(object),
        Ok(_) => Err(CliError::usage(
            format!("{name}: the input is not a JSON object"),
            hint,
        )),
        Err(error) => Err(CliError::usage_because(
            format!(
                "{name}: the input is {}",
                if error.is_data() { "ambiguous" } else { "not JSON" }
            ),
            error,
            hint,
        )),
    }
}

#[cfg(test)]
mod tests;
