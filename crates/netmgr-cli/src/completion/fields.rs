//! Completion of `--fields` with the outputs of the function on the command line, or of the command.

use std::ffi::OsStr;

use clap::Arg;
use clap_complete::ArgValueCompleter;

use super::{call, quoting};
use crate::catalog;
use crate::commands::{find, references};

/// Adds the completion of names of fields to an argument.
pub(crate) fn complete_fields(argument: Arg) -> Arg {
    argument.add(ArgValueCompleter::new(|typed: &OsStr| {
        let Some(call) = call::current() else {
            return Vec::new();
        };
        let is_command = |word: &&String| call.commands.contains(&word.as_str());
        let of_command = |fields: &[&str]| {
            let fields = fields.iter().map(|name| ((*name).to_owned(), None));
            quoting::candidates(typed, fields)
        };
        let find = match call.words.iter().find(is_command).map(String::as_str) {
            Some("find") => return of_command(&find::FIELDS),
            Some("references") => return of_command(&references::FIELDS),
            Some("list") => catalog::find_listed,
            _ => catalog::find,
        };
        // After the name of the binary and the command.
        let Some(function) = call.words.iter().skip(2).find_map(|word| find(word)) else {
            return Vec::new();
        };
        let outputs = function.description().outputs.iter();
        quoting::candidates(
            typed,
            outputs.map(|output| (output.name.clone(), Some(output.description.clone()))),
        )
    }))
}
