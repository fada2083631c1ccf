//! Committed files that are generated from the code.
//!
//! This module lists, writes and compares them. Each kind of file is generated in a separate module.

mod answers;
mod child_schemas;
mod children;
mod clusterpkg;
mod components;
mod configuration;
mod coverage;
pub(crate) mod decisions;
mod examples;
mod functions;
mod json_schema;
mod language;
mod layers;
mod markdown;
mod netmgr;
mod package;
mod package_schema;
mod picture;
mod programs;
mod proto;
mod registry;
mod rows;
mod samples;
mod summary;
mod terraform;
mod terraform_docs;
mod tokens;

use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::Path;
use std::{fs, io};

use serde::Serialize;
use similar::TextDiff;

use crate::Error;
use crate::release::Release;
use crate::workspace::root;
use package::Package;

/// What the lookups are, in registries.
const NETMGR: &str = "Looks up objects of a VMware NSX manager by name, read-only and fast.";

/// A generated file.
struct Generated {
    /// Path below the workspace's folder, with slashes.
    path: String,
    /// Its contents, ending with a newline.
    text: String,
}

/// Folders that contain only generated files.
const FOLDERS: &[&[&str]] = &[
    &[
        "schema",
        functions::FOLDER,
        components::FOLDER,
        child_schemas::FOLDER,
    ],
    proto::FOLDERS,
    registry::FOLDERS,
    terraform_docs::FOLDERS,
];

/// The packages; each has two schemas and two pages of the registry.
struct Packages {
    netmgr: Package,
    clusterpkg: Package,
}

impl Packages {
    fn of(root: &Path) -> Result<Self, Error> {
        let release = Release::read(root)?;
        Ok(Self {
            netmgr: netmgr::package(&release)?,
            clusterpkg: clusterpkg::package(&release)?,
        })
    }
}

/// Every file that is generated completely or in part, as it should be in the workspace of `root`.
fn all(root: &Path) -> Result<Vec<Generated>, Error> {
    let packages = Packages::of(self::root())?;
    let mut files = files(&packages)?;
    files.extend(picture::files(root, &packages.clusterpkg.components)?);
    files.push(layers::file(root)?);
    files.push(summary::file(&packages.clusterpkg.components));
    files.push(decisions::index(root)?);
    files.push(configuration::file());
    files.push(coverage::file());
    Ok(files)
}

/// Every generated file.
fn files(packages: &Packages) -> Result<Vec<Generated>, Error> {
    let Packages { netmgr, clusterpkg } = packages;
    let file = |path: &str, text: String| Generated {
        path: path.to_owned(),
        text,
    };
    let mut files = vec![
        file("schema/tokens.json", tokens::json(&clusterpkg.components)?),
        file("schema/tokens.md", tokens::markdown(&clusterpkg.components)),
        file("schema/netmgr.terraform.json", pretty(&terraform::mapping()?)?),
    ];
    for package in [netmgr, clusterpkg] {
        let path = |kind| format!("schema/{}.{kind}.json", package.name);
        files.push(file(&path("schema"), pretty(&json_schema::document(package)?)?));
        files.push(file(
            &path("package"),
            pretty(&package_schema::document(package)?)?,
        ));
        files.extend(registry::files(package)?);
    }
    files.extend(functions::files(netmgr)?);
    files.extend(components::files(clusterpkg)?);
    files.extend(child_schemas::files()?);
    files.extend(proto::files());
    files.extend(terraform_docs::files(&netmgr.release));
    Ok(files)
}

/// The example of a function or component in one language.
pub(crate) struct Program {
    /// Name of the function or component.
    pub(crate) name: String,
    /// The name of the language in fenced blocks.
    pub(crate) fence: &'static str,
    pub(crate) text: String,
}

/// The examples of all functions and components in every language.
pub(crate) fn programs() -> Result<Vec<Program>, Error> {
    let Packages { netmgr, clusterpkg } = Packages::of(root())?;
    let mut programs = Vec::new();
    let mut add = |token: &str, samples: [samples::Sample; 6]| {
        let name = token.rsplit(':').next().unwrap_or_default();
        programs.extend(samples.map(|samples::Sample { fence, text, .. }| Program {
            name: name.to_owned(),
            fence,
            text,
        }));
    };
    package_schema::with_samples(&netmgr, |samples| {
        for one in &netmgr.functions {
            add(&one.token, samples.of_function(&one.token, &one.example)?);
        }
        Ok(())
    })?;
    package_schema::with_samples(&clusterpkg, |samples| {
        for one in &clusterpkg.components {
            add(&one.token, samples.of_component(&one.token, &one.example)?);
        }
        Ok(())
    })?;
    Ok(programs)
}

/// Indented JSON, ending with a newline.
fn pretty(value: &impl Serialize) -> Result<String, Error> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(text)
}

/// Writes every file that differs.
pub(crate) fn write(root: &Path) -> Result<(), Error> {
    let files = all(root)?;
    for Generated { path, text } in &files {
        let file = root.join(path);
        if read(&file)? != *text {
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(&file, text)?;
            println!("wrote {path}");
        }
    }
    for path in strays(root, &files)? {
        fs::remove_file(root.join(&path))?;
        println!("removed {path}");
    }
    Ok(())
}

/// Fails if a file is outdated, or no longer generated.
pub(crate) fn check(root: &Path) -> Result<(), Error> {
    let files = all(root)?;
    let mut findings = String::new();
    for Generated { path, text } in &files {
        let committed = read(&root.join(path))?;
        if let Some(difference) = difference(path, &committed, text) {
            findings.push_str(&difference);
        }
    }
    for path in strays(root, &files)? {
        writeln!(findings, "{path} is not generated")?;
    }
    if findings.is_empty() {
        return Ok(());
    }
    Err(format!("generated files are not up to date; run `cargo xtask codegen`\n\n{findings}").into())
}

/// The committed text; empty if the file does not exist.
fn read(path: &Path) -> io::Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        outcome => outcome,
    }
}

/// A unified diff, if the texts differ.
fn difference(path: &str, committed: &str, generated: &str) -> Option<String> {
    (committed != generated).then(|| {
        TextDiff::from_lines(committed, generated)
            .unified_diff()
            .header(&format!("{path} (committed)"), &format!("{path} (generated)"))
            .to_string()
    })
}

/// Files in the folders of generated files that are no longer generated.
fn strays(root: &Path, files: &[Generated]) -> io::Result<Vec<String>> {
    let mut strays = Vec::new();
    for folder in FOLDERS.iter().copied().flatten() {
        let entries = match fs::read_dir(root.join(folder)) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() && FOLDERS.iter().any(|folders| folders.contains(&path.as_str())) {
                continue;
            }
            if files.iter().all(|file| file.path != path) {
                strays.push(path);
            }
        }
    }
    strays.sort_unstable();
    Ok(strays)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_file_shows_as_a_diff() {
        let diff = difference("schema/a.md", "one\ntwo\n", "one\nthree\n").unwrap();
        assert_eq!(
            diff,
            "--- schema/a.md (committed)\n+++ schema/a.md (generated)\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"
        );
        assert_eq!(difference("schema/a.md", "one\n", "one\n"), None);
    }

    #[test]
    fn generated_files_lie_in_the_folders_of_generated_files() {
        for Generated { path, .. } in files(&Packages::of(root()).unwrap()).unwrap() {
            let folder = path.rsplit_once('/').map(|(folder, _)| folder);
            assert!(
                folder.is_some_and(|folder| FOLDERS.concat().contains(&folder)),
                "{path}"
            );
        }
    }

    #[test]
    fn generated_text_ends_with_one_newline_and_is_the_same_each_time() {
        let [once, again] = [(); 2].map(|()| files(&Packages::of(root()).unwrap()).unwrap());
        for (once, again) in once.iter().zip(again) {
            let Generated { path, text } = once;
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{path}");
            assert_eq!(*text, again.text, "{path}");
        }
    }

    #[test]
    fn one_changed_byte_of_a_schema_fails_the_check_and_writing_repairs_it() {
        let copy = tempfile::tempdir().unwrap();
        copy_pages(copy.path());
        write(copy.path()).unwrap();
        check(copy.path()).unwrap();
        for path in [
            "schema/netmgr.schema.json",
            "schema/netmgr.package.json",
            "schema/clusterpkg.schema.json",
            "schema/clusterpkg.package.json",
            "schema/tokens.json",
            "docs/functions/getIpPool.md",
            "docs/components/Cluster.md",
        ] {
            let file = copy.path().join(path);
            let mut bytes = fs::read(&file).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            fs::write(&file, bytes).unwrap();

            let error = check(copy.path()).unwrap_err().to_string();
            assert!(error.contains("run `cargo xtask codegen`"), "{error}");
            assert!(
                error.contains(&format!("--- {path} (committed)\n+++ {path} (generated)\n@@ ")),
                "{error}"
            );
            write(copy.path()).unwrap();
            check(copy.path()).unwrap();
        }
    }

    /// Copies the pages with a generated part.
    fn copy_pages(to: &Path) {
        fs::create_dir_all(to.join("docs")).unwrap();
        for page in ["ARCHITECTURE.md", "docs/clusters.md", "docs/private-clusters.md"] {
            fs::copy(root().join(page), to.join(page)).unwrap();
        }
    }

    #[test]
    fn a_file_that_nothing_generates_fails_the_check() {
        let copy = tempfile::tempdir().unwrap();
        copy_pages(copy.path());
        write(copy.path()).unwrap();
        fs::write(copy.path().join("docs/functions/getNothing.md"), "old\n").unwrap();
        let error = check(copy.path()).unwrap_err().to_string();
        assert!(
            error.ends_with("docs/functions/getNothing.md is not generated\n"),
            "{error}"
        );
    }
}
