//! The folders of a configuration, which are its modules: where the providers are needed.

use std::collections::{BTreeMap, BTreeSet};

/// A module: the files of one folder.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Folder {
    /// Whether data sources of it, or of modules that it calls, are switched.
    pub(crate) switches: bool,
    /// Whether any of them needs the new provider after a revert.
    pub(crate) keeps: bool,
    /// The aliases of the blocks of the new provider; `None` for the block without one.
    pub(crate) configured: BTreeSet<Option<String>>,
    /// The folders of the modules that it calls.
    pub(crate) calls: BTreeSet<String>,
}

/// All folders, by their names below the folder of the configuration.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Folders(BTreeMap<String, Folder>);

impl Folders {
    /// The folders of all files, each by its name with what the file adds to it.
    pub(crate) fn new(files: impl Iterator<Item = (String, Folder)>) -> Self {
        let mut folders = Self(BTreeMap::new());
        for (name, added) in files {
            let folder = folders.0.entry(name).or_default();
            folder.switches |= added.switches;
            folder.keeps |= added.keeps;
            folder.configured.extend(added.configured);
            folder.calls.extend(added.calls);
        }
        // Needs are propagated to the callers of modules until nothing changes.
        loop {
            let before = folders.clone();
            for folder in folders.0.values_mut() {
                for called in folder.calls.iter().filter_map(|called| before.0.get(called)) {
                    folder.switches |= called.switches;
                    folder.keeps |= called.keeps;
                }
            }
            if folders == before {
                return folders;
            }
        }
    }

    /// The folder of a file.
    pub(crate) fn of(&self, file: &str) -> &Folder {
        &self.0[&folder(file)]
    }

    /// The folder that a file calls by its source, if it is one of the configuration.
    pub(crate) fn called(&self, file: &str, source: &str) -> Option<&Folder> {
        self.0.get(&below(&folder(file), source)?)
    }
}

/// The folder of a file.
pub(crate) fn folder(file: &str) -> String {
    file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned()
}

/// The folder of a module by its source in another; `None` if it is not below the folder of the configuration.
pub(crate) fn below(caller: &str, source: &str) -> Option<String> {
    if !source.starts_with("./") && !source.starts_with("../") {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for name in caller.split('/').chain(source.split('/')) {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()?),
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}
