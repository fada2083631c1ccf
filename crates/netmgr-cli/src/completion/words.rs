//! Completion of arguments that are names of functions or words of a command.

use std::ffi::OsStr;

use clap::Arg;
use clap_complete::{ArgValueCompleter, CompletionCandidate};
use netmgr_lookups::Entry;

use super::call;
use crate::catalog::CATALOG;

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
            ["list", _] => functions(typed, Entry::is_listed),
            [_] => {
                let typed = typed.to_string_lossy();
                let commands = call.commands.iter().filter(|name| name.starts_with(&*typed));
                commands.map(CompletionCandidate::new).collect()
            }
            _ => Vec::new(),
        }
    }))
}

fn functions(typed: &OsStr, is_wanted: impl Fn(&Entry) -> bool) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let functions = CATALOG.iter();
    let functions =
        functions.filter(|function| function.name.starts_with(&*typed) && is_wanted(function.entry));
    functions
        .map(|function| {
            CompletionCandidate::new(&function.name).help(Some(function.entry.spec.summary.into()))
        })
        .collect()
}
