//! Completion of the names of profiles in the configuration file, and of files.

use std::ffi::OsStr;

use clap_complete::engine::ValueCompleter as _;
use clap_complete::{ArgValueCompleter, CompletionCandidate, PathCompleter};

use super::{call, quoting};
use crate::settings::{self, ConfigFile, default_path};

/// Completes the name of a profile.
pub(crate) fn profiles() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| names(None, typed))
}

/// Completes the name of a profile as an argument instead of `--profile`.
pub(crate) fn selected() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| names(Some("profile"), typed))
}

/// Completes the name of a profile or a file.
pub(crate) fn profiles_and_files() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| names(None, typed).into_iter().chain(paths(typed)).collect())
}

/// Completes the name of a file.
pub(crate) fn files() -> ArgValueCompleter {
    ArgValueCompleter::new(paths)
}

fn names(flag: Option<&str>, typed: &OsStr) -> Vec<CompletionCandidate> {
    let file = file();
    let names = file.iter().flat_map(|file| file.profiles.keys());
    quoting::candidates_of(flag, typed, names.map(|name| (name.clone(), None)))
}

/// After `@`, which precedes a file in inputs, as well.
fn paths(typed: &OsStr) -> Vec<CompletionCandidate> {
    let Some(begun) = quoting::begun(typed) else {
        return Vec::new();
    };
    let (mark, path) = match begun.strip_prefix('@') {
        Some(path) => ("@", path),
        None => ("", &*begun),
    };
    // A name that begins with `-` would be an option.
    let folder = |name: &str| {
        if mark.is_empty() && name.starts_with('-') {
            "./"
        } else {
            ""
        }
    };
    let found = PathCompleter::any().complete(path.as_ref());
    let names = found.iter().map(|file| {
        let name = file.get_value().to_string_lossy();
        (format!("{mark}{}{name}", folder(&name)), None)
    });
    quoting::candidates(typed, names)
}

/// The configuration file that the command line uses, if it can be read.
fn file() -> Option<ConfigFile> {
    let environment = settings::environment().ok()?;
    let path = default_path(&call::current()?.options, &environment).ok()?;
    ConfigFile::read(&path).ok()
}
