//! Command lines that do not run: help, version, and usage errors in the form of all errors.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use heck::ToKebabCase as _;
use netmgr_lookups::ALL;
use netmgr_types::ProviderConfig;

use crate::commands;
use crate::failure::CliError;
use crate::flags::{command_name, names_of, similar_functions};
use crate::output::standard_output;
use crate::suggest;

/// Why a command line does not run.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// Help, version, or an error of usage.
    Clap(clap::Error),
    /// The program without a command.
    Alone,
    /// An option has no effect on the command.
    NoEffect {
        /// `--host`
        option: String,
        command: &'static str,
    },
    /// A value that only its reader could check.
    Failed(CliError),
}

impl From<clap::Error> for Stopped {
    fn from(error: clap::Error) -> Self {
        Self::Clap(error)
    }
}

/// The first screen.
const FIRST: &str = "netmgr looks up objects of a network virtualization manager.

Try it against a simulated manager:
  netmgr --simulate get policy-edge-cluster --display-name edge

Use it with yours:
  export NETMGR_HOST=manager.example.com NETMGR_USERNAME=admin
  netmgr get policy-edge-cluster --display-name edge

See what there is:
  netmgr functions    lists the functions
  netmgr --help       lists the commands and options";

impl Stopped {
    /// Prints help or version. Everything else is an error.
    pub(crate) fn end(self) -> Result<(), CliError> {
        match self {
            Self::Clap(error) if error.exit_code() == 0 => {
                standard_output(&error.render().ansi().to_string())
            }
            Self::Clap(error) => Err(explained(&error)),
            Self::Alone => Err(CliError::Incomplete(FIRST.to_owned())),
            Self::NoEffect { option, command } => Err(CliError::Usage {
                what: format!("{option} has no effect on `netmgr {command}`"),
                source: None,
                hint: Some(format!("`netmgr {command} --help` lists its options")),
            }),
            Self::Failed(error) => Err(error),
        }
    }
}

/// The error of clap as what is wrong, why, and what to do.
fn explained(error: &clap::Error) -> CliError {
    let rendered = error.render().to_string();
    let (message, rest) = rendered.split_once("\n\n").unwrap_or((rendered.as_str(), ""));
    let what = message
        .trim()
        .strip_prefix("error: ")
        .unwrap_or(message)
        .to_owned();
    let usage = rest
        .lines()
        .find_map(|line| line.strip_prefix("Usage: "))
        .map(|usage| format!("usage: {usage}"));
    let (what, hint) = match (error.kind(), invalid(error)) {
        (ErrorKind::InvalidSubcommand, Some(name)) => unknown_name(error, &name),
        (ErrorKind::UnknownArgument, Some(flag)) => {
            let hint = secret(&flag).or_else(|| near(error, ContextKind::SuggestedArg));
            let what = match flag.starts_with('-') {
                true => format!("there is no option {flag}"),
                false => format!("unexpected argument {flag:?}"),
            };
            (what, hint.or(usage))
        }
        (ErrorKind::InvalidValue, _) => {
            let what = what
                .replace("\n  [possible values: ", "; the values are ")
                .replace(']', "");
            (what, near(error, ContextKind::SuggestedValue))
        }
        (ErrorKind::MissingRequiredArgument, _) => (missing(error).unwrap_or(what), usage),
        _ => (what, usage),
    };
    CliError::Usage {
        what,
        source: None,
        hint: Some(hint.unwrap_or_else(|| "`--help` describes the options".to_owned())),
    }
}

/// What the error is about.
fn invalid(error: &clap::Error) -> Option<String> {
    let kinds = [ContextKind::InvalidSubcommand, ContextKind::InvalidArg];
    kinds.iter().find_map(|kind| match error.get(*kind) {
        Some(ContextValue::String(name)) => Some(name.clone()),
        _ => None,
    })
}

/// The required options that are missing.
fn missing(error: &clap::Error) -> Option<String> {
    match error.get(ContextKind::InvalidArg)? {
        ContextValue::Strings(missing) => {
            let verb = if missing.len() == 1 { "is" } else { "are" };
            Some(format!("{} {verb} required", missing.join(", ")))
        }
        _ => None,
    }
}

/// The names that clap suggests.
fn near(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(name) => Some(suggest::did_you_mean([name.as_str()])),
        ContextValue::Strings(names) => Some(suggest::did_you_mean(
            names.iter().rev().take(3).map(String::as_str),
        )),
        _ => None,
    }
}

/// A command or function that does not exist.
fn unknown_name(error: &clap::Error, name: &str) -> (String, Option<String>) {
    let usage = error.render().to_string();
    let is_function = usage.contains("FUNCTION");
    let known = ALL
        .iter()
        .find(|entry| names_of(entry).iter().any(|known| known == name));
    let run = known.map(|entry| format!("`netmgr get {}` runs the function", command_name(entry.spec.name)));
    if is_function {
        // Only lists exclude functions.
        return match run {
            Some(run) => (
                format!("the function {name:?} selects from no collection that could be listed"),
                Some(run),
            ),
            None => (
                format!("there is no function {name:?}"),
                Some(similar_functions(name)),
            ),
        };
    }
    let what = format!("there is no command {name:?}");
    if run.is_some() {
        return (what, run);
    }
    let names: Vec<&str> = commands::ALL.iter().map(|command| command.name).collect();
    (
        what,
        Some(suggest::hint(name, &names, "`netmgr --help` lists the commands")),
    )
}

/// Where a secret belongs that was given as a flag.
fn secret(flag: &str) -> Option<String> {
    let mut settings = ProviderConfig::ENV.iter();
    let (property, variable) = settings.find(|(property, _)| {
        ProviderConfig::SECRET.contains(property)
            && flag.strip_prefix("--") == Some(&property.to_kebab_case())
    })?;
    Some(format!(
        "secrets have no flags because other users can read command lines; set {variable}, or `{property}` in the \
         configuration file"
    ))
}
