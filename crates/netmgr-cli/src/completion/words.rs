//! Completion of arguments that are words of netmgr: functions, types, settings, and words of a command.

use std::ffi::OsStr;

use clap::Arg;
use clap_complete::{ArgValueCompleter, CompletionCandidate};
use netmgr_lookups::{FunctionEntry, Lookups};

use super::{call, quoting};
use crate::catalog::CATALOG;
use crate::options;

/// Adds the completion of names of functions to an argument.
pub(crate) fn complete_functions(argument: Arg) -> Arg {
    argument.add(ArgValueCompleter::new(|typed: &OsStr| functions(typed, |_| true)))
}

/// Adds the completion of the words of another command to an argument of `netmgr man`.
pub(crate) fn complete_command(argument: Arg) -> Arg {
    argument.add(ArgValueCompleter::new(|typed: &OsStr| {
        let Some(call) = call::current() else {
            return Vec::new();
        };
        // The words after `man`, the last of which is being typed.
        let words: Vec<&str> = call.words.iter().map(String::as_str).skip(2).collect();
        match words[..] {
            ["get", _] => functions(typed, |_| true),
            ["list", _] => functions(typed, FunctionEntry::is_listed),
            [_] => quoting::candidates(typed, call.commands.iter().map(|name| ((*name).to_owned(), None))),
            _ => Vec::new(),
        }
    }))
}

fn functions(typed: &OsStr, is_wanted: impl Fn(&FunctionEntry) -> bool) -> Vec<CompletionCandidate> {
    let functions = CATALOG.iter().filter(|function| is_wanted(function.entry));
    quoting::candidates(
        typed,
        functions.map(|function| {
            (
                function.name.clone(),
                Some(function.entry.spec.summary.to_owned()),
            )
        }),
    )
}

/// Completes the types of policy objects.
pub(crate) fn object_types() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| types(typed, Lookups::object_types(), Lookups::object_type))
}

/// Completes the types of a recording.
pub(crate) fn recorded_types() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        types(
            typed,
            netmgr_recording::recorded_types(),
            netmgr_recording::recorded_type,
        )
    })
}

/// The manager's types, and the functions that read one of them.
fn types<E>(
    typed: &OsStr,
    known: Vec<String>,
    meant: fn(&str) -> Result<String, E>,
) -> Vec<CompletionCandidate> {
    let functions = CATALOG.iter().filter(|function| function.entry.is_listed());
    let functions =
        functions.filter_map(|function| Some((function.name.clone(), Some(meant(&function.name).ok()?))));
    let known = known.into_iter().map(|name| (name, None));
    quoting::candidates(typed, known.chain(functions))
}

/// Completes the names of settings.
pub(crate) fn settings() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        quoting::candidates(
            typed,
            options::setting_names().into_iter().map(|name| (name, None)),
        )
    })
}
