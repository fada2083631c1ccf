//! Committed files that are generated from the code and from the templates in `xtask/templates`.
//!
//! This module writes and compares them. The modules `schema`, `docs`, `registry` and `protocol` are named after what they
//! generate.

mod answers;
mod docs;
mod facts;
mod package;
mod protocol;
mod registry;
mod rows;
mod samples;
mod schema;

use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::Path;
use std::{fs, io};

use minijinja::{Value, context};
use similar::TextDiff;

use crate::Error;
use crate::release::Release;
use crate::templates::{Templates, generated};
use crate::workspace::root;
use facts::Facts;
use package::Package;
use samples::{Sample, Samples};

/// A generated file.
struct Generated {
    /// Path below the workspace's folder, with slashes.
    path: String,
    /// Its contents, ending with a newline.
    text: String,
}

impl Generated {
    fn new(path: &str, text: String) -> Self {
        Self {
            path: path.to_owned(),
            text,
        }
    }

    /// The page `path`, from a template.
    fn page(templates: &Templates, template: &str, path: &str, view: Value) -> Result<Self, Error> {
        let view = context! { generated => generated(template), ..view };
        Ok(Self::new(path, templates.render(template, view)?))
    }
}

/// Folders that contain only generated files.
const FOLDERS: &[&[&str]] = &[
    schema::FOLDERS,
    docs::FOLDERS,
    registry::FOLDERS,
    protocol::FOLDERS,
];

/// The two packages with their samples.
fn packages() -> Result<([Package; 2], [Samples; 2]), Error> {
    let release = Release::read(root())?;
    let packages = [package::netmgr(&release)?, package::clusterpkg(&release)?];
    let samples = |package: &Package| Samples::new(package, &schema::document(package)?);
    let samples = [samples(&packages[0])?, samples(&packages[1])?];
    Ok((packages, samples))
}

/// Every file that is generated completely or in part.
fn files() -> Result<Vec<Generated>, Error> {
    let (packages, samples) = packages()?;
    let samples = samples.each_ref();
    let facts = Facts::read(root(), &packages, samples)?;
    let templates = Templates::new()?.with(registry::filters);
    let mut files = schema::files(&packages, samples)?;
    files.extend(docs::files(&templates, &facts)?);
    files.extend(registry::files(&templates, &facts)?);
    files.extend(protocol::files());
    files.extend(docs::graphs(&packages[1].schema.components[0].inputs)?);
    Ok(files)
}

/// The samples of all functions and components in every language, with their names.
pub(crate) fn samples() -> Result<Vec<(String, Sample)>, Error> {
    let (_, samples) = packages()?;
    let all = samples.into_iter().flat_map(Samples::into_all);
    Ok(all
        .map(|(token, sample)| (package::short(&token).to_owned(), sample))
        .collect())
}

/// Writes every file that differs.
pub(crate) fn write(root: &Path) -> Result<(), Error> {
    write_all(root, &files()?)
}

/// Fails if a file is outdated, or no longer generated.
pub(crate) fn check(root: &Path) -> Result<(), Error> {
    check_all(root, &files()?)
}

fn write_all(root: &Path, files: &[Generated]) -> Result<(), Error> {
    for Generated { path, text } in files {
        let file = root.join(path);
        if read(&file)? != *text {
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(&file, text)?;
            println!("wrote {path}");
        }
    }
    for path in strays(root, files)? {
        fs::remove_file(root.join(&path))?;
        println!("removed {path}");
    }
    Ok(())
}

fn check_all(root: &Path, files: &[Generated]) -> Result<(), Error> {
    let mut findings = String::new();
    for Generated { path, text } in files {
        let committed = read(&root.join(path))?;
        if committed != *text {
            let diff = TextDiff::from_lines(&committed, text);
            let names = [format!("{path} (committed)"), format!("{path} (generated)")];
            write!(findings, "{}", diff.unified_diff().header(&names[0], &names[1]))?;
        }
    }
    for path in strays(root, files)? {
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

/// Files in the folders of generated files that are no longer generated.
fn strays(root: &Path, files: &[Generated]) -> io::Result<Vec<String>> {
    let mut strays = Vec::new();
    for folder in FOLDERS.concat() {
        let entries = match fs::read_dir(root.join(folder)) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_file() && files.iter().all(|file| file.path != path) {
                strays.push(path);
            }
        }
    }
    strays.sort();
    Ok(strays)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_equal_in_each_run_and_end_with_one_newline() {
        let (once, again) = (files().unwrap(), files().unwrap());
        assert_eq!(once.len(), again.len());
        for (Generated { path, text }, again) in once.iter().zip(again) {
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{path}");
            assert_eq!(*text, again.text, "{path}");
        }
    }

    #[test]
    fn a_changed_byte_and_a_stray_file_fail_the_check_and_writing_repairs_them() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let files = [Generated::new("docs/functions/a.md", "one\ntwo\n".to_owned())];
        write_all(root, &files).unwrap();
        check_all(root, &files).unwrap();
        fs::write(root.join("docs/functions/a.md"), "one\ntwO\n").unwrap();
        fs::write(root.join("docs/functions/b.md"), "old\n").unwrap();

        let error = check_all(root, &files).unwrap_err().to_string();
        assert!(error.contains("run `cargo xtask codegen`"), "{error}");
        let difference = "--- docs/functions/a.md (committed)\n+++ docs/functions/a.md (generated)\n@@ ";
        assert!(error.contains(difference), "{error}");
        assert!(
            error.ends_with("docs/functions/b.md is not generated\n"),
            "{error}"
        );
        write_all(root, &files).unwrap();
        check_all(root, &files).unwrap();
    }
}
