//! Completion of the names of profiles in the configuration file.

use std::ffi::OsStr;

use clap_complete::{ArgValueCompleter, CompletionCandidate};

use super::call;
use crate::settings::{self, ConfigFile, default_path};

/// Completes the name of a profile.
pub(crate) fn profiles() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let typed = typed.to_string_lossy();
        let file = file();
        let names = file.iter().flat_map(|file| file.profiles.keys());
        names
            .filter(|name| name.starts_with(&*typed))
            .map(CompletionCandidate::new)
            .collect()
    })
}

/// The configuration file that the command line uses, if it can be read.
fn file() -> Option<ConfigFile> {
    let environment = settings::environment().ok()?;
    let path = default_path(&call::current()?.options, &environment).ok()?;
    ConfigFile::read(&path).ok()
}
