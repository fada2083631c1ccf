//! The crates of the workspace as cargo describes them, without the crate `cargo_metadata` (decision dependencies).

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::{Error, process};

/// One crate of the workspace.
#[derive(Debug, Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: Option<String>,
    #[serde(default)]
    pub(super) readme: Option<PathBuf>,
    /// Empty for a crate that is not published.
    #[serde(default)]
    pub(super) publish: Option<Vec<String>>,
    pub(super) dependencies: Vec<Dependency>,
    pub(super) manifest_path: PathBuf,
    #[serde(default)]
    rust_version: Option<String>,
}

/// A package of the lock file that this machine builds.
#[derive(Debug, Deserialize)]
pub(super) struct Locked {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) rust_version: Option<String>,
}

/// One line of a manifest's dependencies.
#[derive(Debug, Deserialize)]
pub(super) struct Dependency {
    pub(super) name: String,
    /// Absent for a normal dependency.
    pub(super) kind: Option<Kind>,
    /// Present when the crate is in the workspace.
    pub(super) path: Option<PathBuf>,
}

/// What a dependency is for, in addition to the product itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Dev,
    Build,
}

impl Package {
    pub(super) fn folder(&self) -> &Path {
        self.manifest_path.parent().expect("a manifest lies in a folder")
    }

    pub(super) fn is_published(&self) -> bool {
        self.publish
            .as_ref()
            .is_none_or(|registries| !registries.is_empty())
    }
}

/// The crates of the workspace.
pub(super) fn read(root: &Path) -> Result<Vec<Package>, Error> {
    packages(root, &["--no-deps"])
}

/// The minimum Rust version, which all crates inherit.
pub(super) fn rust_version(packages: &[Package]) -> Result<&str, Error> {
    let mut versions = packages.iter().map(|package| package.rust_version.as_deref());
    match versions.next().flatten() {
        Some(first) if versions.all(|version| version == Some(first)) => Ok(first),
        _ => Err("not all crates have the workspace's rust-version".into()),
    }
}

/// The packages that the workspace is built from. Those of other platforms need not be on this machine.
pub(super) fn locked(root: &Path) -> Result<Vec<Locked>, Error> {
    let rustc = process::output(process::command("rustc", root).arg("-vV"))?;
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: "));
    packages(root, &["--filter-platform", host.ok_or("rustc names no host")?])
}

/// Runs `cargo metadata`.
fn packages<T: DeserializeOwned>(root: &Path, arguments: &[&str]) -> Result<Vec<T>, Error> {
    #[derive(Deserialize)]
    struct Metadata<T> {
        packages: Vec<T>,
    }
    let mut cargo = process::command("cargo", root);
    cargo.args(["metadata", "--format-version", "1", "--locked", "--offline"]);
    let text = process::output(cargo.args(arguments))?;
    let metadata: Metadata<T> = serde_json::from_str(&text)?;
    Ok(metadata.packages)
}
