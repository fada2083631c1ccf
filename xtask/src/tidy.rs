//! Conventions that the compiler does not know.
//!
//! Lives here: reading the workspace and printing what was found. Not here: the conventions; each
//! has a module with a pure function from what was read to findings.

mod conflicts;
mod decisions;
mod edges;
mod functions;
mod manifests;
mod metadata;
mod prose;
mod rust_version;
mod sources;

use std::path::Path;
use std::{fs, io};

use crate::{Error, codegen};

/// Checks everything and fails with all findings.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    let packages = metadata::read(root)?;
    let mut findings = edges::findings(&packages);
    findings.extend(manifests::findings(&packages)?);
    let promised = metadata::rust_version(&packages)?;
    findings.extend(rust_version::findings(promised, &metadata::locked(root)?));
    let sources = rust_files(root, &packages)?;
    findings.extend(sources::findings(&sources));
    findings.extend(prose::findings(&sources));
    findings.extend(conflicts::findings(&sources));
    let names = codegen::decisions::read(root)?
        .into_iter()
        .map(|decision| decision.name);
    findings.extend(decisions::findings(&names.collect(), &sources));
    let texts = texts(root, &packages)?;
    findings.extend(prose::findings(&texts));
    findings.extend(conflicts::findings(&texts));
    findings.extend(functions::findings(
        &read_functions(root)?,
        &functions::registered(),
    ));
    if findings.is_empty() {
        return Ok(());
    }
    Err(format!("{} finding(s)\n    {}", findings.len(), findings.join("\n    ")).into())
}

/// A Rust file: its path below the workspace's folder, with slashes, and its text.
struct Source {
    path: String,
    text: String,
}

/// Every Rust file of the workspace's crates.
fn rust_files(root: &Path, packages: &[metadata::Package]) -> io::Result<Vec<Source>> {
    let mut files = Vec::new();
    for package in packages {
        collect(root, package.folder(), &mut files)?;
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<Source>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let below = path.strip_prefix(root).unwrap_or(&path);
            files.push(Source {
                path: below.to_string_lossy().replace('\\', "/"),
                text: fs::read_to_string(&path)?,
            });
        }
    }
    Ok(())
}

/// Pages, examples and scripts: everything with prose that is not a Rust file.
fn texts(root: &Path, packages: &[metadata::Package]) -> io::Result<Vec<Source>> {
    let mut files = Vec::new();
    for folder in [".", "docs", "examples", ".ci"] {
        let is_root = folder == ".";
        for entry in fs::read_dir(root.join(folder))? {
            let path = entry?.path();
            texts_in(root, &path, is_root, &mut files)?;
        }
    }
    for package in packages {
        for name in ["README.md", "Cargo.toml"] {
            let path = package.folder().join(name);
            if path.exists() {
                texts_in(root, &path, false, &mut files)?;
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn texts_in(root: &Path, path: &Path, is_root: bool, files: &mut Vec<Source>) -> io::Result<()> {
    if path.is_dir() {
        if is_root || path.ends_with("node_modules") {
            return Ok(());
        }
        for entry in fs::read_dir(path)? {
            texts_in(root, &entry?.path(), false, files)?;
        }
        return Ok(());
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_script = extension.is_none() && !is_root;
    if is_script || matches!(extension, Some("md" | "toml" | "ts" | "py" | "yaml" | "yml")) {
        let below = path.strip_prefix(root).unwrap_or(path);
        files.push(Source {
            path: below.to_string_lossy().replace('\\', "/"),
            text: fs::read_to_string(path)?,
        });
    }
    Ok(())
}

/// The files of the function folder.
fn read_functions(root: &Path) -> io::Result<Vec<Source>> {
    let mut files = Vec::new();
    collect(root, &root.join(functions::FOLDER), &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}
