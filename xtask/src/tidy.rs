//! Conventions that the compiler does not know.
//!
//! Lives here: reading the workspace and printing what was found. Not here: the conventions; each
//! has a module with a pure function from what was read to findings.

mod edges;
mod functions;
mod manifests;
mod metadata;
mod sources;

use std::path::Path;
use std::{fs, io};

use crate::Error;

/// Checks everything and fails with all findings.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    let packages = metadata::read(root)?;
    let mut findings = edges::findings(&packages);
    findings.extend(manifests::findings(&packages)?);
    findings.extend(sources::findings(&rust_files(root, &packages)?));
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

/// The files of the function folder.
fn read_functions(root: &Path) -> io::Result<Vec<Source>> {
    let mut files = Vec::new();
    collect(root, &root.join(functions::FOLDER), &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}
