//! The crates of the workspace as cargo describes them.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::Error;

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

/// What a dependency is for, beside the product itself.
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

/// Runs `cargo metadata`.
pub(super) fn read(root: &Path) -> Result<Vec<Package>, Error> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    let output = Command::new("cargo")
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    Ok(metadata.packages)
}
