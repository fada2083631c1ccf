//! Terraform: the functions behind data sources, and the files of configurations.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use heck::ToSnakeCase as _;
use netmgr_lookups::{ALL, LookupSpec, function_words};
use netmgr_types::{ManagerVersion, foreign};
use terraform_switch::{Changed, Outcome, SourceFile};

use crate::failure::CliError;
use crate::files;
use crate::output::standard_output;
use crate::signals::deferred;

/// Why the text of a link is not read.
pub(crate) const LINKED: &str = "links are not followed";

/// The function behind a data source of either provider.
pub(crate) fn function(kind: &str) -> Option<&'static LookupSpec> {
    let (_, name) = kind.split_once('_')?;
    let mut functions = ALL.iter().map(|entry| &entry.spec);
    functions.find(|spec| data_source("", spec.name) == format!("_{name}"))
}

/// The name of a function's data source: `nsxt_policy_group`.
pub(crate) fn data_source(prefix: &str, function: &str) -> String {
    format!("{prefix}_{}", function_words(function).to_snake_case())
}

/// The reason why a manager of this version does not have a data source, and its replacement.
pub(crate) fn removed(kind: &str, version: &ManagerVersion) -> Option<String> {
    let spec = function(kind)?;
    let first = spec.removed_in?;
    let is_removed = first
        .parse::<ManagerVersion>()
        .is_ok_and(|first| first <= *version);
    let (prefix, _) = kind.split_once('_')?;
    let successors = spec.successors.iter().map(|name| data_source(prefix, name));
    let instead = match &successors.collect::<Vec<_>>()[..] {
        [] => "there is no replacement".to_owned(),
        names => format!("use {}", names.join(" or ")),
    };
    is_removed.then(|| format!("managers of version {first} and later do not have {kind}; {instead}"))
}

/// Adds the configuration files of a folder with the name `below`, which ends with `/`, and of its subfolders, without
/// hidden ones, which the host ignores, and without folders such as `.terraform` or folders of other projects. `stale`
/// are temporary files of an earlier run that was killed.
pub(crate) fn read(
    folder: &Path,
    below: &str,
    is_source: &dyn Fn(&str) -> bool,
    sources: &mut Vec<SourceFile>,
    stale: &mut Vec<PathBuf>,
) -> Result<(), CliError> {
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
        let entry = entry.map_err(|error| unreadable(folder, error))?;
        let (path, base) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let kind = entry.file_type().map_err(|error| unreadable(&path, error))?;
        let name = format!("{below}{base}");
        if base.starts_with('.') {
            stale.extend((kind.is_file() && files::is_temporary(&base)).then_some(path));
            continue;
        }
        if kind.is_dir() && !["node_modules", "vendor"].contains(&&*base) {
            read(&path, &format!("{name}/"), is_source, sources, stale)?;
        }
        if kind.is_dir() || !is_source(&base) {
            continue;
        }
        // Links are not followed, so that no file is converted twice or is outside of the folder.
        let text = if kind.is_symlink() {
            Err(LINKED.to_owned())
        } else if !kind.is_file() {
            Err(files::not_wanted(kind, "a regular file").to_string())
        } else if path.to_str().is_none() {
            Err("the name is not UTF-8".to_owned())
        } else {
            let bytes = files::bytes(&path, files::LONGEST_TEXT);
            let bytes = bytes.map_err(|error| format!("it cannot be read: {error}"));
            bytes.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "the text is not UTF-8".to_owned()))
        };
        sources.push(SourceFile { name, text });
    }
    Ok(())
}

/// Writes all files, or none if one of them is read-only, after removing the `stale` ones. Names those that are written
/// before a failure or a signal.
pub(crate) fn write(
    folder: &Path,
    changed: &[Changed],
    stale: &[PathBuf],
    verb: &str,
) -> Result<(), CliError> {
    let unwritable = |file: &Path, error| CliError::unwritable(shown(file), error);
    let files = changed.iter().map(|one| folder.join(&one.name));
    for file in files.filter(|file| file.exists()) {
        files::writable(&file).map_err(|error| unwritable(&file, error))?;
    }
    for file in stale {
        fs::remove_file(file).map_err(|error| unwritable(file, error))?;
    }
    let mut written = String::new();
    let signal = deferred();
    for Changed { name, text, .. } in changed {
        let file = folder.join(name);
        let write = || match text {
            Some(text) if file.exists() => files::replace(&file, text),
            Some(text) => files::create(&file, text.as_bytes()),
            None => fs::remove_file(&file),
        };
        let outcome = match signal() {
            Some(exit) => Err(CliError::Interrupted(exit)),
            None => write().map_err(|error| unwritable(&file, error)),
        };
        if outcome.is_err() {
            standard_output(&written)?;
            return outcome;
        }
        let _ = writeln!(written, "{}: {verb}", foreign::one_line(name));
    }
    Ok(())
}

/// The report for the user: the changes by file, the `next` step after them, and what is `left`.
pub(crate) fn report(outcome: &Outcome, verb: &str, next: &str, left: &str) -> String {
    let mut text = String::new();
    for Changed { name, what, .. } in &outcome.changed {
        let _ = writeln!(text, "{}: {verb}: {what}", foreign::one_line(name));
    }
    let _ = match outcome.changed.is_empty() {
        true => writeln!(text, "nothing to change"),
        false => writeln!(text, "\n{next}"),
    };
    if !outcome.left.is_empty() {
        let _ = writeln!(text, "\n{left}:");
    }
    for step in &outcome.left {
        let _ = writeln!(text, "  {}", foreign::one_line(&step.to_string()));
    }
    text
}

pub(crate) fn unreadable(path: &Path, cause: io::Error) -> CliError {
    CliError::unreadable(shown(path), cause)
}

/// A name without control characters.
pub(crate) fn shown(path: &Path) -> String {
    foreign::one_line(&path.to_string_lossy())
}
