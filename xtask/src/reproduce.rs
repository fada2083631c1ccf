//! Two builds of one commit, in clones with different paths, and the comparison of everything that they write.
//!
//! The SDKs are left out: npm and pip make their archives.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Error, dist, process};

/// Folders of the clones below `target/reproduce`, with paths of different lengths.
const CLONES: [&str; 2] = ["first", "second-with-a-longer-path"];

/// Builds the parts twice and fails if a file differs.
pub(crate) fn run(root: &Path, parts: &[String]) -> Result<(), Error> {
    let commit = process::output(process::command("git", root).args(["rev-parse", "HEAD"]))?;
    let [first, second] = CLONES.map(|name| build(root, name, commit.trim(), parts));
    let (first, second) = (first?, second?);
    let mut differing = Vec::new();
    for name in first
        .keys()
        .chain(second.keys().filter(|name| !first.contains_key(*name)))
    {
        let same = first.get(name) == second.get(name);
        println!(
            "{} {}",
            if same { "same     " } else { "different" },
            name.display()
        );
        if !same {
            differing.push(name.display().to_string());
        }
    }
    if differing.is_empty() {
        println!(
            "two builds of {} wrote the same {} files",
            commit.trim(),
            first.len()
        );
        return Ok(());
    }
    Err(format!(
        "two builds of {} differ in {}",
        commit.trim(),
        differing.join(", ")
    )
    .into())
}

/// The files that a fresh clone writes, by name.
fn build(
    root: &Path,
    name: &str,
    commit: &str,
    parts: &[String],
) -> Result<BTreeMap<PathBuf, Vec<u8>>, Error> {
    let folder = root.join("target/reproduce").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let clone = folder.join("clone");
    let git = |arguments: &[&str]| process::run(process::command("git", &folder).args(arguments));
    git(&[
        "clone",
        "--quiet",
        "--no-checkout",
        &root.display().to_string(),
        "clone",
    ])?;
    process::run(process::command("git", &clone).args(["checkout", "--quiet", "--detach", commit]))?;
    let out = folder.join("packages");
    let options = dist::Options {
        parts: parts.to_vec(),
        languages: Vec::new(),
        programs: None,
        out: out.clone(),
    };
    dist::run(&clone, &options)?;
    let mut files = Vec::new();
    dist::list(&out, &mut files)?;
    let read = |file: PathBuf| Ok((file.strip_prefix(&out)?.to_owned(), fs::read(&file)?));
    files.into_iter().map(read).collect()
}
