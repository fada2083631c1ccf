//! All files of a configuration: which provider is needed afterwards, and the report.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::file::{self, ChangeCounts, Module, Parsed};
use super::names::{ADDRESS, FROM, TO};
use crate::files::split_mark;

/// A file by its name below the folder of the configuration.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SourceFile {
    pub(super) name: String,
    pub(super) text: String,
}

/// A configuration.
#[derive(Default)]
pub(super) struct Project {
    pub(super) sources: Vec<SourceFile>,
    /// Files that cannot be read, with the reason.
    pub(super) left: Vec<String>,
}

/// What the conversion came to.
#[derive(Debug)]
pub(super) struct Converted {
    /// The files that differ.
    pub(super) changed: Vec<SourceFile>,
    counts: Vec<(String, ChangeCounts)>,
    left: Vec<String>,
}

impl Project {
    /// Converts all files. The other provider stays if a resource or a data source needs it.
    pub(super) fn convert(self) -> Converted {
        let mut converted = Converted {
            changed: Vec::new(),
            counts: Vec::new(),
            left: self.left,
        };
        let mut parsed = Vec::new();
        for source in self.sources {
            if !is_configuration(&source.name) {
                if source.text.contains(&format!("{FROM}_")) {
                    let kind = if source.name.ends_with(".json") {
                        "JSON is"
                    } else {
                        "tests are"
                    };
                    converted
                        .left
                        .push(format!("{}: {kind} not converted", source.name));
                }
                continue;
            }
            match Parsed::new(split_mark(&source.text).1) {
                Ok(body) => parsed.push((source, body)),
                Err(error) => converted.left.push(format!("{}: {error}", source.name)),
            }
        }
        let keeps_other = !converted.left.is_empty() || parsed.iter().any(|(_, body)| body.needs_other());
        let mut modules: BTreeMap<String, Module> = BTreeMap::new();
        for (source, body) in &parsed {
            let module = modules.entry(folder(&source.name)).or_default();
            module.configured.extend(body.configured());
            module.requires |= body.requires();
        }
        for (source, body) in parsed {
            let module = modules.entry(folder(&source.name)).or_default();
            let (mark, text) = split_mark(&source.text);
            let mut outcome = file::convert(text, &body, module, keeps_other);
            if outcome.counts.needs_requirement() && !module.requires {
                // Once for each folder.
                module.requires = true;
                outcome.left.push((
                    1,
                    format!("its folder does not require {FROM}; add {TO} = {{ source = \"{ADDRESS}\" }} to required_providers"),
                ));
            }
            let left = outcome.left.into_iter();
            converted
                .left
                .extend(left.map(|(line, reason)| format!("{}:{line}: {reason}", source.name)));
            if let Some(text) = outcome.text {
                converted.counts.push((source.name.clone(), outcome.counts));
                converted.changed.push(SourceFile {
                    name: source.name,
                    text: format!("{mark}{text}"),
                });
            }
        }
        converted
    }
}

/// Whether a file is in the native syntax of configurations.
fn is_configuration(name: &str) -> bool {
    name.ends_with(".tf") || name.ends_with(".tofu")
}

/// The folder of a file, which is a module.
fn folder(name: &str) -> String {
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    folder.display().to_string()
}

impl Converted {
    /// What changed, and what did not.
    pub(super) fn report(&self, dry_run: bool) -> String {
        let mut text = String::new();
        for (name, counts) in &self.counts {
            let verb = if dry_run { "would convert" } else { "converted" };
            let _ = writeln!(text, "{name}: {verb} {counts}");
        }
        if self.counts.is_empty() {
            let _ = writeln!(text, "nothing to convert");
        }
        if !self.left.is_empty() {
            let _ = writeln!(text, "\nLeft as it is:");
            for line in &self.left {
                let _ = writeln!(text, "  {line}");
            }
        }
        if !self.counts.is_empty() {
            let _ = writeln!(
                text,
                "\nVariables {}_* are not read by the provider {TO}; set NETMGR_* instead.",
                FROM.to_uppercase()
            );
        }
        text
    }
}

#[cfg(test)]
mod tests;
