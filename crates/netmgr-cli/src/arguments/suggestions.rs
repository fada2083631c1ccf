//! Suggestions for invalid command lines.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use heck::ToKebabCase as _;
use netmgr_lookups::ALL;
use netmgr_types::ProviderConfig;

use super::names_of;
use crate::flags::command_name;

/// Maximum number of suggested functions.
const SUGGESTIONS: usize = 3;

/// Adds suggestions that clap does not have.
pub(super) fn add(error: clap::Error) -> clap::Error {
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) => {
            match ALL.iter().find(|entry| names_of(entry).contains(name)) {
                Some(entry) => with_tip(
                    error,
                    format!(
                        "to run this function, use 'netmgr get {}'",
                        command_name(entry.spec.name)
                    ),
                ),
                None if error.get(ContextKind::SuggestedSubcommand).is_none() => with_tip(
                    error,
                    "'netmgr help' lists the commands, and 'netmgr functions' lists the functions".to_owned(),
                ),
                None => with_short_suggestions(error),
            }
        }
        (ErrorKind::UnknownArgument, _) => match secret_given(&error) {
            Some((property, variable)) => with_tip(
                error,
                format!(
                    "secrets have no flags because other users can read command lines; set {variable}, or '{property}' in the file of --config"
                ),
            ),
            None => error,
        },
        _ => error,
    }
}

fn with_tip(mut error: clap::Error, tip: String) -> clap::Error {
    error.remove(ContextKind::SuggestedSubcommand);
    error.remove(ContextKind::SuggestedArg);
    error.insert(
        ContextKind::Suggested,
        ContextValue::StyledStrs(vec![StyledStr::from(tip)]),
    );
    error
}

/// The secret and its variable for which an unknown flag was used.
fn secret_given(error: &clap::Error) -> Option<(&'static str, &'static str)> {
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let mut settings = ProviderConfig::ENV.iter().copied();
    settings.find(|(property, _)| {
        ProviderConfig::SECRET.contains(property)
            && flag.strip_prefix("--") == Some(property.to_kebab_case().as_str())
    })
}

/// Suggests each function once, nearest first, although it has several names.
fn with_short_suggestions(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::Strings(near)) = error.get(ContextKind::SuggestedSubcommand) else {
        return error;
    };
    let mut names: Vec<String> = Vec::new();
    for name in near.iter().rev() {
        let entry = ALL.iter().find(|entry| names_of(entry).contains(name));
        let name = entry.map_or_else(|| name.clone(), |entry| command_name(entry.spec.name));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.truncate(SUGGESTIONS);
    error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(names));
    error
}
