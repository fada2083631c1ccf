//! Which packages are linked into a program, from cargo's metadata.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{Error, process};

/// The packages and their dependencies.
pub(super) struct Graph {
    pub(super) packages: BTreeMap<String, Package>,
    pub(super) nodes: BTreeMap<String, Node>,
    /// Checksums of the registry, by name and version.
    pub(super) checksums: BTreeMap<(String, String), String>,
}

#[derive(Deserialize)]
pub(super) struct Package {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) version: String,
    pub(super) description: Option<String>,
    pub(super) license: Option<String>,
    pub(super) authors: Vec<String>,
    pub(super) repository: Option<String>,
    /// Absent for members of the workspace.
    pub(super) source: Option<String>,
    pub(super) manifest_path: PathBuf,
}

#[derive(Deserialize)]
pub(super) struct Node {
    id: String,
    pub(super) deps: Vec<Dependency>,
}

#[derive(Deserialize)]
pub(super) struct Dependency {
    pub(super) pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// Absent for a normal dependency.
    kind: Option<String>,
}

impl Dependency {
    /// Whether it is linked, and not only used by tests or build scripts.
    pub(super) fn is_linked(&self) -> bool {
        self.dep_kinds.iter().any(|kind| kind.kind.is_none())
    }
}

impl Graph {
    /// The graph of the workspace for this platform.
    pub(super) fn read(root: &Path) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct Metadata {
            packages: Vec<Package>,
            resolve: Resolve,
        }
        #[derive(Deserialize)]
        struct Resolve {
            nodes: Vec<Node>,
        }
        let compiler = process::output(process::command("rustc", root).arg("-vV"))?;
        let host = compiler.lines().find_map(|line| line.strip_prefix("host: "));
        let host = host.ok_or("rustc names no host")?;
        let described = process::output(process::command("cargo", root).args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--offline",
            "--filter-platform",
            host,
        ]))?;
        let Metadata { packages, resolve } = serde_json::from_str(&described)?;
        Ok(Self {
            packages: packages
                .into_iter()
                .map(|package| (package.id.clone(), package))
                .collect(),
            nodes: resolve
                .nodes
                .into_iter()
                .map(|node| (node.id.clone(), node))
                .collect(),
            checksums: checksums(&fs::read_to_string(root.join("Cargo.lock"))?),
        })
    }

    /// The ids of everything linked into `id`, itself included.
    pub(super) fn linked(&self, id: &str) -> BTreeSet<&str> {
        let mut linked = BTreeSet::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if let Some(node) = self.nodes.get(id)
                && linked.insert(node.id.as_str())
            {
                let below = node.deps.iter().filter(|dependency| dependency.is_linked());
                open.extend(below.map(|dependency| dependency.pkg.as_str()));
            }
        }
        linked
    }

    /// A crate of the workspace.
    pub(super) fn member(&self, krate: &str) -> Result<&Package, Error> {
        let mut packages = self.packages.values();
        packages
            .find(|package| package.name == krate && package.source.is_none())
            .ok_or_else(|| format!("there is no crate {krate}").into())
    }
}

/// The checksums of Cargo.lock.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let field = |block: &str, name: &str| {
        let value = block
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""));
        value.and_then(|value| value.strip_suffix('"')).map(str::to_owned)
    };
    let blocks = lock.split("[[package]]");
    let entries = blocks.filter_map(|block| {
        let key = (field(block, "name")?, field(block, "version")?);
        Some((key, field(block, "checksum")?))
    });
    entries.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_lock_file() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"00ff\"\n\n\
                    [[package]]\nname = \"ours\"\nversion = \"0.1.0\"\n";
        let found = checksums(lock);
        assert_eq!(found[&("a".to_owned(), "1.0.0".to_owned())], "00ff");
        assert_eq!(found.len(), 1);
    }
}
