//! Completion of `--fields` with the outputs of the function on the command line.

use std::ffi::OsStr;

use clap::Arg;
use clap_complete::ArgValueCompleter;

use super::{call, quoting};
use crate::catalog;

/// Adds the completion of names of fields to an argument.
pub(crate) fn complete_fields(argument: Arg) -> Arg {
    argument.add(ArgValueCompleter::new(|typed: &OsStr| {
        let words = call::current().map_or(&[][..], |call| &call.words);
        // After the name of the binary and the command.
        let find = match words.iter().any(|word| word == "list") {
            true => catalog::find_listed,
            false => catalog::find,
        };
        let Some(function) = words.iter().skip(2).find_map(|word| find(word)) else {
            return Vec::new();
        };
        let outputs = function.description().outputs.iter();
        quoting::candidates(
            typed,
            outputs.map(|output| (output.name.clone(), Some(output.description.clone()))),
        )
    }))
}
