//! Conventions that the compiler cannot check (decision conventions).
//!
//! This module reads the workspace and prints the findings. Each convention has a module with a pure function from files to
//! findings.

mod decisions;
mod edges;
mod functions;
mod manifests;
mod prose;
mod sources;

use std::path::Path;

use crate::Error;
use crate::{process, workspace};

/// Checks everything and fails with all findings.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    let packages = workspace::read(root)?.packages;
    let files = files(root)?;
    let findings = [
        decisions::findings(&files),
        edges::findings(&packages, &files),
        manifests::findings(&packages)?,
        sources::findings(&files),
        prose::findings(&files),
        functions::findings(&files, &functions::registered()),
    ]
    .concat();
    if findings.is_empty() {
        return Ok(());
    }
    Err(format!("{} finding(s)\n    {}", findings.len(), findings.join("\n    ")).into())
}

/// A file that people write: its path below the workspace's folder, with slashes, and its text.
struct TextFile {
    path: String,
    text: String,
}

impl TextFile {
    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }
}

/// Rust files, manifests, pages, examples and scripts, as git lists them.
fn files(root: &Path) -> Result<Vec<TextFile>, Error> {
    let patterns = ["*.rs", "*.toml", "*.md", "examples/*", ".ci/*"];
    let mut git = process::command("git", root);
    git.args(["ls-files", "--cached", "--others", "--exclude-standard", "--"]);
    let listed = process::output(git.args(patterns))?;
    let mut files = Vec::new();
    for path in listed.lines().filter(|path| root.join(path).is_file()) {
        files.push(TextFile {
            path: path.to_owned(),
            text: std::fs::read_to_string(root.join(path))?,
        });
    }
    Ok(files)
}

#[cfg(test)]
fn source(path: &str, text: &str) -> TextFile {
    TextFile {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}
