//! The folders of a configuration, which are its modules: which provider each of them needs after the conversion.
//!
//! A module needs the new provider if one of its data sources is converted, or if it calls a module that needs it. The
//! same applies to the other provider, for everything that is not converted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use super::parsed::Parsed;
use super::project::SourceFile;

/// A module: the files of one folder, and their conversion.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// The aliases of the blocks of the new provider; `None` for the block without one.
    pub(super) configured: BTreeSet<Option<String>>,
    /// Whether data sources of it, or of modules that it calls, are converted.
    pub(super) needs_new: bool,
    /// Whether anything in it, or in modules that it calls, still uses the other provider.
    pub(super) needs_other: bool,
    /// Whether and where the new provider must be required.
    pub(super) requirement: Requirement,
    /// Whether it has files that are not converted, which can contain anything.
    has_unread_files: bool,
    /// Whether it names the new provider: for a data source, in a block, or where modules are called.
    names_new: bool,
    /// The folders of the modules that it calls.
    calls: BTreeSet<String>,
    /// The names of its files.
    files: BTreeSet<String>,
}

/// The location of the new provider's requirement.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) enum Requirement {
    /// Next to that of the other provider, or nowhere because it exists or is not needed.
    #[default]
    InPlace,
    /// As one more entry of the block `required_providers` in this file.
    Entry(String),
    /// As a block in the block `terraform` of this file.
    Block(String),
    /// As a block `terraform` at the end of this file, which may not exist.
    File(String),
    /// Nowhere: files that are not converted may have it.
    ByHand,
}

/// All folders, by their names below that of the configuration.
#[derive(Debug, Default)]
pub(super) struct Modules(BTreeMap<String, Module>);

impl Modules {
    /// Reads the modules of all files, given by their names. `unread` are the names of files that are not converted.
    pub(super) fn new<'a>(files: &[(SourceFile, Parsed)], unread: impl Iterator<Item = &'a str>) -> Self {
        let mut modules = Self::default();
        for name in unread {
            modules.0.entry(folder(name)).or_default().has_unread_files = true;
        }
        for (source, _) in files {
            let module = modules.0.entry(folder(&source.name)).or_default();
            module.files.insert(source.name.clone());
        }
        for (source, parsed) in files {
            let at = folder(&source.name);
            let calls = parsed.calls().map(|source| {
                let called = source.and_then(|source| below(&at, source));
                called.filter(|called| modules.0.contains_key(called))
            });
            let calls: Vec<Option<String>> = calls.collect();
            let module = modules.0.entry(at).or_default();
            module.configured.extend(parsed.configured());
            module.needs_new |= parsed.converts();
            module.names_new |= parsed.converts() || parsed.names_providers();
            // The contents of a module from elsewhere are unknown.
            module.needs_other |= parsed.needs_other() || calls.contains(&None);
            module.calls.extend(calls.into_iter().flatten());
        }
        for module in modules.0.values_mut() {
            module.needs_other |= module.has_unread_files;
        }
        modules.propagate();
        for (at, module) in &mut modules.0 {
            if module.needs_new && module.names_new {
                module.requirement = module.requirement(at, files);
            }
        }
        modules
    }

    /// Propagates needs to the callers of modules, until nothing changes.
    fn propagate(&mut self) {
        loop {
            let before = self.needs();
            let [new, other] = &before;
            for module in self.0.values_mut() {
                let calls_any = |needing: &BTreeSet<String>| {
                    let mut calls = module.calls.iter();
                    calls.any(|called| needing.contains(called))
                };
                module.needs_new |= calls_any(new);
                module.needs_other |= calls_any(other);
            }
            if self.needs() == before {
                return;
            }
        }
    }

    /// The modules that need the new provider, and those that need the old one.
    fn needs(&self) -> [BTreeSet<String>; 2] {
        let needs: [fn(&Module) -> bool; 2] = [|module| module.needs_new, |module| module.needs_other];
        needs.map(|needs| {
            let modules = self.0.iter().filter(|(_, module)| needs(module));
            modules.map(|(at, _)| at.clone()).collect()
        })
    }

    /// The module of a file.
    pub(super) fn of(&self, file: &str) -> &Module {
        &self.0[&folder(file)]
    }

    /// The module that a file calls by its source, if it is one of the configuration.
    pub(super) fn called(&self, file: &str, source: &str) -> Option<&Module> {
        self.0.get(&below(&folder(file), source)?)
    }

    /// Files that do not exist and are to be written.
    pub(super) fn new_files(&self) -> impl Iterator<Item = &str> {
        self.0.values().filter_map(|module| match &module.requirement {
            Requirement::File(name) if !module.files.contains(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Folders whose requirement is left to the user.
    pub(super) fn without_requirement(&self) -> impl Iterator<Item = &str> {
        let folders = self.0.iter();
        folders.filter_map(|(at, module)| (module.requirement == Requirement::ByHand).then_some(at.as_str()))
    }
}

impl Module {
    fn requirement(&self, at: &str, files: &[(SourceFile, Parsed)]) -> Requirement {
        let first = |has: fn(&Parsed) -> bool| {
            let mut in_folder = files.iter().filter(|(source, _)| folder(&source.name) == at);
            let found = in_folder.find(|(_, parsed)| has(parsed));
            found.map(|(source, _)| source.name.clone())
        };
        if first(Parsed::requires).is_some() {
            return Requirement::InPlace;
        }
        if self.has_unread_files {
            return Requirement::ByHand;
        }
        if let Some(file) = first(Parsed::has_requirements) {
            return Requirement::Entry(file);
        }
        match first(Parsed::has_terraform_block) {
            Some(file) => Requirement::Block(file),
            None => Requirement::File(join(Path::new(at).join("versions.tf").components())),
        }
    }
}

/// The folder of a file.
fn folder(file: &str) -> String {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    join(folder.components())
}

/// The folder of a module by its source in another; `None` if it is not below the folder of the configuration.
fn below(caller: &str, source: &str) -> Option<String> {
    if !source.starts_with("./") && !source.starts_with("../") {
        return None;
    }
    let mut path = PathBuf::new();
    for component in Path::new(caller)
        .components()
        .chain(Path::new(source).components())
    {
        match component {
            Component::ParentDir if !path.pop() => return None,
            Component::ParentDir | Component::CurDir => {}
            other => path.push(other),
        }
    }
    Some(join(path.components()))
}

fn join<'a>(components: impl Iterator<Item = Component<'a>>) -> String {
    let names: Vec<_> = components
        .map(|component| component.as_os_str().to_string_lossy())
        .collect();
    names.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_folders_relative_to_their_caller() {
        assert_eq!(below("", "./a").as_deref(), Some("a"));
        assert_eq!(
            below("live/prod", "../../modules/a").as_deref(),
            Some("modules/a")
        );
        assert_eq!(below("a", "../").as_deref(), Some(""));
        assert_eq!(below("a", "../../b"), None);
        assert_eq!(below("a", "acme/b"), None);
        assert_eq!(below("", "git::https://example.com/b"), None);
    }
}
