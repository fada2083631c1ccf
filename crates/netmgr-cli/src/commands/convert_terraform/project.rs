//! All files of a configuration, and the report.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use netmgr_types::{ManagerVersion, foreign};

use super::file::{self, ChangeCounts};
use super::modules::Modules;
use super::names::{self, ADDRESS, FROM, TO};
use super::parsed::Parsed;
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
    /// Files that cannot be parsed.
    pub(super) left: Vec<ManualStep>,
}

/// A step that is left to the user. Steps are sorted by file and line.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ManualStep {
    /// Name of a file or a folder.
    pub(super) place: String,
    pub(super) line: Option<usize>,
    pub(super) what: String,
}

impl ManualStep {
    /// A step about a whole file or folder.
    pub(super) fn of(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            line: None,
            what: what.into(),
        }
    }
}

impl fmt::Display for ManualStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = foreign::one_line(&self.place);
        match self.line {
            Some(line) => write!(f, "{place}:{line}: {}", self.what),
            None => write!(f, "{place}: {}", self.what),
        }
    }
}

/// The outcome of the conversion.
#[derive(Debug)]
pub(super) struct Converted {
    /// The files that differ, and new ones.
    pub(super) changed: Vec<SourceFile>,
    counts: Vec<(String, ChangeCounts)>,
    /// Whether there are data sources of the new provider.
    has_data: bool,
    left: Vec<ManualStep>,
}

impl Project {
    /// Converts all files or the file `only`, and lists data sources that a manager of `version` does not have.
    pub(super) fn convert(mut self, version: Option<&ManagerVersion>, only: Option<&str>) -> Converted {
        // A value of a data source can be passed to any file, such as one of a module.
        let texts = self.sources.iter().map(|source| source.text.as_str());
        let members_read: BTreeSet<&str> = names::all_renamed()
            .filter(|member| texts.clone().any(|text| may_read(text, member)))
            .collect();
        let mut parsed = Vec::new();
        for source in self.sources {
            if !is_configuration(&source.name) {
                if concerns(&source.text) {
                    let kind = if source.name.ends_with(".json") {
                        "JSON is"
                    } else {
                        "tests are"
                    };
                    self.left
                        .push(ManualStep::of(source.name, format!("{kind} not converted")));
                }
                continue;
            }
            match Parsed::new(split_mark(&source.text).1) {
                Ok(body) => parsed.push((source, body)),
                Err(error) => self.left.push(ManualStep::of(source.name, error)),
            }
        }
        let unread = self.left.iter().map(|step| step.place.as_str());
        let modules = Modules::new(&parsed, unread);
        let mut converted = Converted {
            changed: Vec::new(),
            counts: Vec::new(),
            has_data: parsed.iter().any(|(_, body)| body.converts()),
            left: self.left,
        };
        let new = modules.new_files().map(|name| {
            let source = SourceFile {
                name: name.to_owned(),
                text: String::new(),
            };
            (source, Parsed::default())
        });
        parsed.extend(new);
        for (source, body) in parsed {
            let (mark, text) = split_mark(&source.text);
            let outcome = file::convert(&source.name, text, &body, &modules, &members_read, version);
            let left = outcome.left.into_iter().map(|(line, what)| ManualStep {
                place: source.name.clone(),
                line: Some(line),
                what,
            });
            converted.left.extend(left);
            if let Some(text) = outcome.text {
                if only.is_some_and(|only| only != source.name) {
                    let what = format!("convert the folder for {}", outcome.counts);
                    converted.left.push(ManualStep::of(source.name, what));
                    continue;
                }
                converted.counts.push((source.name.clone(), outcome.counts));
                converted.changed.push(SourceFile {
                    name: source.name,
                    text: format!("{mark}{text}"),
                });
            }
        }
        let without = modules.without_requirement().map(|folder| {
            let what = format!(
                "add {TO} = {{ source = \"{ADDRESS}\" }} to required_providers; it may be in a file that is not converted"
            );
            ManualStep::of(if folder.is_empty() { "." } else { folder }, what)
        });
        converted.left.extend(without);
        let is_listed = |step: &ManualStep| only.is_none_or(|only| step.line.is_none() || step.place == only);
        converted.left.retain(is_listed);
        converted.left.sort();
        converted
    }
}

/// Whether a file that is not converted may have to be changed.
fn concerns(text: &str) -> bool {
    [FROM, "required_providers"]
        .iter()
        .any(|word| text.contains(word))
}

/// Whether an expression in the text may read the attribute `name`: `.name` or `["name"]`.
fn may_read(text: &str, name: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || "_-".contains(next));
    let member = format!(".{name}");
    let mut members = text.match_indices(&member);
    members.any(|(at, found)| ends(&text[at + found.len()..])) || text.contains(&format!("[\"{name}\"]"))
}

/// Whether a file is in the native syntax of configurations.
fn is_configuration(name: &str) -> bool {
    name.ends_with(".tf") || name.ends_with(".tofu")
}

impl Converted {
    /// Reports which data sources were converted and which were not.
    pub(super) fn report(&self, dry_run: bool) -> String {
        let mut text = String::new();
        for (name, counts) in &self.counts {
            let verb = if dry_run { "would convert" } else { "converted" };
            let _ = writeln!(text, "{}: {verb} {counts}", foreign::one_line(name));
        }
        if self.counts.is_empty() {
            let _ = writeln!(text, "nothing to convert");
        }
        let mut steps: Vec<String> = self.left.iter().map(ManualStep::to_string).collect();
        if self.has_data {
            let variables = FROM.to_uppercase();
            steps.push(format!(
                "environment: set NETMGR_*; the provider {TO} does not read {variables}_*"
            ));
            steps.push(
                "changed folders: run terraform init, and compare the plan to one from before".to_owned(),
            );
        }
        if !steps.is_empty() {
            let _ = writeln!(text, "\nManual steps:");
            for step in steps {
                let _ = writeln!(text, "  {step}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests;
