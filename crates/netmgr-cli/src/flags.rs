//! Properties of an object as flags: inputs of lookups, and settings of the connection.

use std::borrow::Cow;

use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use heck::ToKebabCase as _;
pub(crate) use netmgr_lookups::function_words as command_name;
use netmgr_lookups::{Property, Shape};
use serde_json::{Map, Number, Value};

/// The input with the id of a project.
const PROJECT: &str = "context.projectId";
/// Heading of the options of the output in help.
pub(crate) const OUTPUT: &str = "Output";

/// A flag. Nested objects are flattened: `context.vpcId` is `--context-vpc-id`.
#[derive(Debug, Clone)]
pub(crate) struct Flag {
    path: Vec<String>,
    shape: Shape,
    required: bool,
    description: String,
}

/// The flags of an object's properties. Secrets have none, so that they do not appear in process lists and
/// shell histories, and neither have maps.
pub(crate) fn of(properties: &[Property]) -> Vec<Flag> {
    let mut flags = Vec::new();
    collect(properties, &[], true, &mut flags);
    // Descriptions of nested inputs name their siblings without the path.
    let names: Vec<(String, String)> = flags
        .iter()
        .flat_map(|flag| [flag.id(), flag.path[flag.path.len() - 1].clone()].map(|name| (name, flag.long())))
        .collect();
    for flag in &mut flags {
        for (property, long) in &names {
            flag.rename(property, &format!("--{long}"));
        }
    }
    flags
}

/// The command with `first` before the arguments that it has, which is their order in its help. Otherwise, the options
/// that all commands share hide the inputs.
pub(crate) fn before_others(command: Command, first: Vec<Arg>) -> Command {
    let others: Vec<Arg> = command.get_arguments().cloned().collect();
    let mut ordered = first.clone().into_iter().chain(others);
    command
        .args(first)
        .mut_args(|argument| ordered.next().unwrap_or(argument))
}

/// The command with the examples before its options, and its inputs before all others.
pub(crate) fn examples_first(command: Command) -> Command {
    // The flag of clap is the first one.
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help);
    command
        .disable_help_flag(true)
        .arg(help.help("Print help").help_heading(OUTPUT).display_order(1000))
        .help_template("{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}")
}

fn collect(properties: &[Property], above: &[String], above_required: bool, flags: &mut Vec<Flag>) {
    for property in properties.iter().filter(|property| !property.secret) {
        let path: Vec<String> = above.iter().chain([&property.name]).cloned().collect();
        let required = property.required && above_required;
        match property.shape {
            Shape::Object => collect(&property.properties, &path, required, flags),
            Shape::Map | Shape::Objects | Shape::Json => {}
            shape => flags.push(Flag {
                path,
                shape,
                required,
                description: property.description.clone(),
            }),
        }
    }
}

impl Flag {
    /// Replaces the name of a property in the description.
    pub(crate) fn rename(&mut self, property: &str, name: &str) {
        self.description = self
            .description
            .replace(&format!("`{property}`"), &format!("`{name}`"));
    }

    /// Path of the value in the object: `context.projectId`.
    pub(crate) fn id(&self) -> String {
        self.path.join(".")
    }

    /// The property of the object that the value is in: `context`.
    pub(crate) fn property(&self) -> &str {
        &self.path[0]
    }

    /// Name of the flag without dashes: `context-vpc-id`. The project has the same name in every command.
    pub(crate) fn long(&self) -> String {
        match self.id().as_str() {
            PROJECT => "project".to_owned(),
            _ => self.flattened(),
        }
    }

    fn flattened(&self) -> String {
        self.path
            .iter()
            .map(|name| name.to_kebab_case())
            .collect::<Vec<_>>()
            .join("-")
    }

    /// Whether it is required.
    pub(crate) fn is_required(&self) -> bool {
        self.required
    }

    /// Placeholder of the value in usage and help.
    pub(crate) fn value_name(&self) -> &'static str {
        match self.shape {
            Shape::Boolean => "true|false",
            Shape::Integer => "INTEGER",
            Shape::Number => "NUMBER",
            Shape::Numbers => "NUMBER,...",
            Shape::Strings => "TEXT,...",
            Shape::String | Shape::Object | Shape::Objects | Shape::Map | Shape::Json => "TEXT",
        }
    }

    /// The flag as an argument of clap.
    pub(crate) fn argument(&self) -> Arg {
        let argument = Arg::new(self.id())
            .long(self.long())
            .value_name(self.value_name())
            .help(self.description.clone());
        let argument = match (self.id().as_str(), self.path.last().map(String::as_str)) {
            (PROJECT, _) => argument.visible_alias(self.flattened()),
            (_, Some(name)) if name.ends_with("File") => argument.value_hint(ValueHint::FilePath),
            _ => argument,
        };
        match self.shape {
            Shape::Boolean => argument
                .value_parser(
                    PossibleValuesParser::new(["true", "false"]).map(|text| Value::Bool(text == "true")),
                )
                .hide_possible_values(true)
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("true"),
            Shape::Integer => argument.value_parser(integer),
            Shape::Number => argument.value_parser(number),
            Shape::Numbers => argument.value_parser(number).value_delimiter(','),
            Shape::Strings => argument.value_parser(text()).value_delimiter(','),
            Shape::String | Shape::Object | Shape::Objects | Shape::Map | Shape::Json => {
                argument.value_parser(text())
            }
        }
        .allow_negative_numbers(true)
    }
}

/// Each input with its flag. An input that is an object has the flag of its member with a project, or of its only one.
pub(crate) fn by_input(flags: &[Flag]) -> Vec<(String, String)> {
    let first = |flag: &&Flag| {
        flags.iter().all(|other| {
            other.property() != flag.property()
                || flag.id().ends_with(".projectId")
                || other.id() == flag.id()
        })
    };
    let objects = flags
        .iter()
        .filter(first)
        .map(|flag| (flag.property().to_owned(), flag));
    let names = flags.iter().map(|flag| (flag.id(), flag)).chain(objects);
    names
        .map(|(name, flag)| (name, format!("--{}", flag.long())))
        .collect()
}

/// The object for the given flags. Absent flags are omitted.
pub(crate) fn object(flags: &[Flag], matches: &ArgMatches) -> Map<String, Value> {
    let mut object = Map::new();
    for flag in flags {
        let id = flag.id();
        if matches.value_source(&id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let mut values = matches.get_many::<Value>(&id).into_iter().flatten().cloned();
        let value = match flag.shape {
            Shape::Numbers | Shape::Strings => Some(values.collect()),
            _ => values.next(),
        };
        if let Some(value) = value {
            insert(&mut object, &flag.path, value);
        }
    }
    object
}

fn insert(object: &mut Map<String, Value>, path: &[String], value: Value) {
    match path {
        [] => {}
        [last] => {
            object.insert(last.clone(), value);
        }
        [first, rest @ ..] => {
            let inner = object.entry(first).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = inner {
                insert(inner, rest, value);
            }
        }
    }
}

fn text() -> ValueParser {
    ValueParser::from(|text: &str| Ok::<_, String>(Value::from(text)))
}

fn integer(text: &str) -> Result<Value, String> {
    text.parse::<i64>()
        .map(Value::from)
        .map_err(|_| "not a whole number".to_owned())
}

fn number(text: &str) -> Result<Value, String> {
    let number = match text.parse::<i64>() {
        Ok(whole) => Some(Number::from(whole)),
        Err(_) => text.parse().ok().and_then(Number::from_f64),
    };
    number.map(Value::Number).ok_or_else(|| "not a number".to_owned())
}

/// The flags that give `object`, as text for a shell: ` --display-name edge`.
pub(crate) fn written(flags: &[Flag], object: &Value) -> String {
    let mut text = String::new();
    for flag in flags {
        let value = flag.path.iter().try_fold(object, |value, name| value.get(name));
        let Some(value) = value else { continue };
        let value = match value {
            Value::String(value) => value.clone(),
            // A switch only accepts a value after an equals sign.
            Value::Bool(true) => {
                text.push_str(&format!(" --{}", flag.long()));
                continue;
            }
            Value::Bool(false) => {
                text.push_str(&format!(" --{}=false", flag.long()));
                continue;
            }
            other => other.to_string(),
        };
        text.push_str(&format!(" --{} {}", flag.long(), shell_word(&value)));
    }
    text
}

/// `text` as a word for a shell.
pub(crate) fn shell_word(text: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:,".contains(letter);
    match text.chars().all(is_plain) && !text.is_empty() {
        true => text.into(),
        false => format!("'{}'", text.replace('\'', r"'\''")).into(),
    }
}

#[cfg(test)]
mod tests;
