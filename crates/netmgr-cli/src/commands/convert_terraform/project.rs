//! All files of a configuration: which provider is needed afterwards, and the report.

use std::fmt::Write as _;

use super::file::{self, Counts, Parsed};
use super::names::{FROM, TO};

/// A file by its name below the folder of the configuration.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: String,
}

/// A configuration.
pub(super) struct Project {
    files: Vec<Source>,
}

/// What the conversion came to.
#[derive(Debug)]
pub(super) struct Converted {
    /// The files that differ.
    pub(super) changed: Vec<Source>,
    counts: Vec<(String, Counts)>,
    left: Vec<String>,
}

impl Project {
    pub(super) fn new(files: Vec<Source>) -> Self {
        Self { files }
    }

    /// Converts all files. The other provider stays if a resource or a data source needs it.
    pub(super) fn convert(self) -> Converted {
        let mut converted = Converted {
            changed: Vec::new(),
            counts: Vec::new(),
            left: Vec::new(),
        };
        let mut parsed = Vec::new();
        for source in self.files {
            if source.name.ends_with(".json") {
                if source.text.contains(&format!("\"{FROM}_")) {
                    converted
                        .left
                        .push(format!("{}: JSON is not converted", source.name));
                }
                continue;
            }
            match Parsed::new(&source.text) {
                Ok(body) => parsed.push((source, body)),
                Err(error) => converted.left.push(format!("{}: {error}", source.name)),
            }
        }
        let keeps_other = !converted.left.is_empty() || parsed.iter().any(|(_, body)| body.needs_other());
        for (source, body) in parsed {
            let outcome = file::convert(&source.text, &body, keeps_other);
            let left = outcome.left.into_iter();
            converted
                .left
                .extend(left.map(|(line, reason)| format!("{}:{line}: {reason}", source.name)));
            if let Some(text) = outcome.text {
                converted.counts.push((source.name.clone(), outcome.counts));
                converted.changed.push(Source {
                    name: source.name,
                    text,
                });
            }
        }
        converted
    }
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
