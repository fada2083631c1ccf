//! The files of a configuration.

use std::fs;
use std::path::Path;

use terraform_switch::{SourceFile, Step, is_program};

use crate::failure::CliError;
use crate::files;
use crate::terraform;

/// The files to check.
#[derive(Default)]
pub(super) struct Sources {
    /// Files of Terraform, and programs of Pulumi.
    pub(super) files: Vec<SourceFile>,
    /// Number of files to check.
    pub(super) count: usize,
    /// The only file to check, if the path is not a folder.
    pub(super) only: Option<String>,
    /// Links, whose files are not decided.
    pub(super) links: Vec<Step>,
}

/// Reads all files below a folder, apart from hidden folders and folders of dependencies, or the files beside a file.
pub(super) fn read(path: &Path) -> Result<Sources, CliError> {
    let unreadable = |error| CliError::unreadable(path.display(), error);
    let kind = fs::metadata(path).map_err(unreadable)?;
    let mut sources = Sources::default();
    let mut all = Vec::new();
    if kind.is_dir() {
        terraform::read(path, "", &is_checked, &mut all, &mut Vec::new())?;
        sources.count = all.len();
    } else {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = files::text(path, files::LONGEST_TEXT).map_err(unreadable)?;
        terraform::read(files::folder_of(path), "", &is_checked, &mut all, &mut Vec::new())?;
        all.retain(|source| source.name != name);
        all.push(SourceFile {
            name: name.clone(),
            text: Ok(text),
        });
        sources.count = 1;
        sources.only = Some(name);
    }
    let is_link = |source: &mut SourceFile| {
        source
            .text
            .as_ref()
            .is_err_and(|reason| reason == terraform::LINKED)
    };
    let links = all.extract_if(.., is_link);
    sources.links = links.map(|link| Step::of(link.name, terraform::LINKED)).collect();
    sources.files = all;
    Ok(sources)
}

/// Whether a file of this name is one that is checked.
pub(super) fn is_checked(name: &str) -> bool {
    let base = name.strip_suffix(".json").unwrap_or(name);
    [".tf", ".tofu", ".tfvars"].iter().any(|end| base.ends_with(end)) || is_program(name)
}
