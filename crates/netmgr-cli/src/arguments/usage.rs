//! Usage errors in the form of all errors: the problem, and a hint.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use heck::ToKebabCase as _;
use netmgr_types::ProviderConfig;

use super::Commands;
use crate::catalog;
use crate::failure::CliError;
use crate::suggest;

/// The output of the program without a command.
pub(super) const FIRST_SCREEN: &str = "netmgr looks up objects of a VMware NSX manager.

Try it against a simulated manager:
  netmgr --simulate get policy-edge-cluster edge

Use it with yours:
  export NETMGR_HOST=manager.example.com NETMGR_USERNAME=admin
  netmgr get policy-edge-cluster edge

Discover more:
  netmgr types     lists all object types
  netmgr --help    lists the commands
  netmgr options   lists the connection options";

/// An error of clap.
pub(super) fn explained(error: &clap::Error, commands: Commands) -> CliError {
    let rendered = error.render().to_string();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return CliError::Incomplete(rendered.trim_end().to_owned());
    }
    let (message, rest) = rendered.split_once("\n\n").unwrap_or((&rendered, ""));
    let message = message.trim();
    let what = message.strip_prefix("error: ").unwrap_or(message).to_owned();
    let usage = rest.lines().find_map(|line| line.strip_prefix("Usage: "));
    let usage = usage.map(|usage| format!("usage: {usage}"));
    let (what, hint) = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let name = strings(error, ContextKind::InvalidSubcommand).concat();
            unknown_name(&name, rest.contains("FUNCTION"), commands)
        }
        ErrorKind::UnknownArgument => {
            let flag = strings(error, ContextKind::InvalidArg).concat();
            let hint = secret(&flag)
                .or_else(|| display_name(&flag, usage.as_deref().unwrap_or_default()))
                .or_else(|| near(error, ContextKind::SuggestedArg));
            let what = match flag.starts_with('-') {
                true => format!("there is no option {flag}"),
                false => format!("unexpected argument {flag:?}"),
            };
            (what, hint.or(usage))
        }
        ErrorKind::InvalidValue => {
            let what = what
                .replace("\n  [possible values: ", "; the values are ")
                .replace(']', "");
            (what, near(error, ContextKind::SuggestedValue))
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = strings(error, ContextKind::InvalidArg);
            let what = match missing.as_slice() {
                [only] => format!("{only} is required"),
                [others @ .., last] => format!("{} and {last} are required", others.join(", ")),
                [] => what,
            };
            (what, usage)
        }
        _ => (what, usage),
    };
    CliError::usage(
        what,
        hint.unwrap_or_else(|| "`--help` describes the options".to_owned()),
    )
}

/// The error for words that are not UTF-8. They may be secret and are not shown.
pub(super) fn not_utf8(words: &[OsString]) -> CliError {
    let problems = words.iter().enumerate().filter_map(|(index, word)| {
        let problem = str::from_utf8(word.as_encoded_bytes()).err()?;
        let before = words[index.saturating_sub(1)]
            .to_str()
            .filter(|word| word.starts_with('-'));
        let after = before.map_or_else(String::new, |flag| format!(" after {flag}"));
        Some(format!("argument {index}{after}: {problem}"))
    });
    CliError::usage_because(
        "an argument is not UTF-8",
        problems.collect::<Vec<_>>().join("; "),
        "use a UTF-8 terminal and shell; only file names may contain other bytes",
    )
}

/// The strings of a kind in an error of clap.
fn strings(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(one)) => vec![one.clone()],
        Some(ContextValue::Strings(all)) => all.clone(),
        _ => Vec::new(),
    }
}

/// The names that clap suggests, the nearest of which is the last one.
fn near(error: &clap::Error, kind: ContextKind) -> Option<String> {
    let names = strings(error, kind);
    let nearest: Vec<&str> = names.iter().rev().take(3).map(String::as_str).collect();
    (!names.is_empty()).then(|| suggest::did_you_mean(&nearest))
}

/// A command or function that does not exist.
fn unknown_name(name: &str, is_function: bool, commands: Commands) -> (String, Option<String>) {
    let known = catalog::find(name);
    let run = known.map(|function| format!("`netmgr get {}` runs the function", function.name));
    let what = match (is_function, &run) {
        // Only lists exclude functions.
        (true, Some(_)) => {
            format!("the function {name:?} does not support lists")
        }
        (true, None) => format!("there is no function {name:?}"),
        (false, _) => format!("there is no command {name:?}"),
    };
    let similar = || match is_function {
        true => catalog::similar(name),
        false => {
            let names: Vec<&str> = commands.iter().map(|command| command.name).collect();
            suggest::hint(name, &names, "`netmgr --help` lists the commands")
        }
    };
    (what, Some(run.unwrap_or_else(similar)))
}

/// Hint for a name that was given without its flag. `usage` is the usage of the command.
fn display_name(flag: &str, usage: &str) -> Option<String> {
    let function = usage.strip_prefix("usage: netmgr get ")?.split(' ').next()?;
    catalog::find(function).filter(|function| function.is_by_name())?;
    match flag.strip_prefix('-') {
        None => Some("put a name with spaces in quotes".to_owned()),
        Some("-name") => Some(suggest::did_you_mean(&["--display-name"])),
        Some(_) => None,
    }
}

/// Explains how to pass a secret that was given as a flag.
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
