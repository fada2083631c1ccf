#![doc = include_str!("../README.md")]

use std::collections::BTreeSet;
use std::fmt;

mod adoption;
mod file;
mod folders;
mod parsed;
mod program;
mod reading;
mod requirements;
mod shapes;

pub use adoption::{DATA_FILE, DataSource, Generated, Import, import_block, unique};
use file::{File, Pass};
use folders::{Folders, folder};
pub use program::is_program;
pub use reading::{DataBlock, Literals, MadeObject, ReadFilter, SourceLine, Text, read};

/// Two providers that serve the same data sources.
#[derive(Clone, Copy)]
pub struct Providers<'a> {
    /// The provider that a configuration uses, which keeps its resources.
    pub from: &'a str,
    /// The provider that its data sources are switched to.
    pub to: &'a str,
    /// The address of that provider in registries.
    pub source: &'a str,
    /// Whether an argument of a provider block is copied.
    pub copies: &'a dyn Fn(&str) -> bool,
    /// Whether that provider serves data sources of a type, such as `nsxt_policy_group`.
    pub serves: &'a dyn Fn(&str) -> bool,
    /// A remark for the user about data sources of a type of either provider.
    pub remark: &'a dyn Fn(&str) -> Option<String>,
}

/// Direction of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Data sources are switched.
    Switch,
    /// The additions of a switch are removed.
    Revert,
}

/// A file by its name below the folder of the configuration, with `/` between folders.
#[derive(Debug)]
pub struct SourceFile {
    /// Its name.
    pub name: String,
    /// Its text, or the reason why it is not read.
    pub text: Result<String, String>,
}

/// A file that changes.
#[derive(Debug, PartialEq, Eq)]
pub struct Changed {
    /// Its name.
    pub name: String,
    /// The changes in words: `2 data sources, 1 provider block`.
    pub what: String,
    /// Its new text; `None` if it is to be removed.
    pub text: Option<String>,
}

/// A step that is left to the user. Steps are sorted by file and line.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// Name of a file or a folder.
    pub place: String,
    /// The line in the file as it is afterwards.
    pub line: Option<usize>,
    /// Instruction or problem.
    pub what: String,
}

impl Step {
    /// A step about a whole file or folder.
    pub fn of(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            line: None,
            what: what.into(),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, line, what } = self;
        match line {
            Some(line) => write!(out, "{place}:{line}: {what}"),
            None => write!(out, "{place}: {what}"),
        }
    }
}

/// The outcome for a configuration.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The files that differ, new files first.
    pub changed: Vec<Changed>,
    /// Steps that are left to the user.
    pub left: Vec<Step>,
}

/// Switches a configuration, which consists of all its files, or reverts that. No file is changed here.
#[must_use]
pub fn switch(sources: Vec<SourceFile>, providers: &Providers<'_>, direction: Direction) -> Outcome {
    let mut outcome = Outcome::default();
    let mut files = Vec::new();
    // Folders with files that may contain a requirement.
    let mut opaque = BTreeSet::new();
    for SourceFile { name, text } in sources {
        let may_require = text
            .as_ref()
            .map_or(true, |text| text.contains(parsed::REQUIREMENTS));
        let what = match text {
            // Files in other formats are not changed.
            Ok(text) if name.ends_with(".tf") || name.ends_with(".tofu") => match parsed::parse(&text) {
                Ok(body) => {
                    files.push(File { name, text, body });
                    continue;
                }
                Err(what) => what,
            },
            Ok(text) if !may_require && !text.contains(providers.from) => continue,
            Ok(_) if name.ends_with(".json") => "JSON is not converted".to_owned(),
            Ok(_) => "tests are not converted".to_owned(),
            Err(reason) => reason,
        };
        if may_require {
            opaque.insert(folder(&name));
        }
        outcome.left.push(Step::of(name, what));
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    // Folders that require the new provider under the name of the other one.
    let done = files.iter().filter(|file| file.requires_as_from(providers));
    let done: BTreeSet<String> = done.map(|file| folder(&file.name)).collect();
    let others = files.iter().filter(|file| !done.contains(&folder(&file.name)));
    let mut passes: Vec<Pass<'_>> = others.map(|file| Pass::new(file, providers, direction)).collect();
    passes.iter_mut().for_each(Pass::data_sources);
    let folders = Folders::new(passes.iter().map(Pass::folder));
    for pass in &mut passes {
        pass.provider_blocks(&folders);
        pass.module_calls(&folders);
    }
    requirements::change(&mut passes, &opaque, &mut outcome);
    for pass in passes {
        pass.finish(&mut outcome);
    }
    outcome.left.sort();
    outcome
}

/// A number of things: `1 file`, `2 files`.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests;
