//! The files of a configuration.

use std::fs;
use std::path::Path;

use terraform_switch::{Source, SourceLine, Text};

use crate::commands::convert_terraform;
use crate::failure::CliError;
use crate::files;

/// The files to check.
#[derive(Default)]
pub(super) struct Sources {
    /// Files in the languages of Terraform.
    pub(super) configuration: Vec<Source>,
    /// The literal texts of each program of Pulumi.
    pub(super) pulumi: Vec<Vec<Text>>,
}

/// Reads a file, or all files below a folder, apart from hidden folders and folders of dependencies.
pub(super) fn read(path: &Path) -> Result<Sources, CliError> {
    let unreadable = |error| CliError::unreadable(path.display(), error);
    let kind = fs::metadata(path).map_err(unreadable)?;
    let mut all = Vec::new();
    if kind.is_dir() {
        convert_terraform::read(path, "", &is_checked, &mut all, &mut Vec::new())?;
    } else {
        let text = files::text(path, files::LONGEST_TEXT).map_err(unreadable)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        all.push(Source {
            name: name.into_owned(),
            text: Ok(text),
        });
    }
    let mut sources = Sources::default();
    for source in all {
        match &source.text {
            Ok(text) if is_pulumi(&source.name) => sources.pulumi.push(texts(&source.name, text)),
            _ => sources.configuration.push(source),
        }
    }
    Ok(sources)
}

fn is_checked(name: &str) -> bool {
    let base = name.strip_suffix(".json").unwrap_or(name);
    [".tf", ".tofu", ".tfvars"].iter().any(|end| base.ends_with(end)) || is_pulumi(name)
}

/// Whether a file is a program or a configuration of Pulumi in YAML.
fn is_pulumi(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    let stem = base.strip_suffix(".yaml").or_else(|| base.strip_suffix(".yml"));
    stem.is_some_and(|stem| stem == "Main" || stem == "Pulumi" || stem.starts_with("Pulumi."))
}

/// The texts of a program in YAML: the value of each line, without quotes.
fn texts(file: &str, program: &str) -> Vec<Text> {
    let lines = program.lines().zip(1..).map(|(line, number)| {
        let line = line.split(" #").next().unwrap_or_default().trim();
        let (argument, value) = line
            .trim_start_matches("- ")
            .split_once(": ")
            .unwrap_or(("", line));
        let value = value.trim_start_matches("- ").trim().trim_matches(['"', '\'']);
        Text {
            place: SourceLine {
                file: file.to_owned(),
                line: number,
            },
            argument: argument.trim().to_owned(),
            text: value.to_owned(),
        }
    });
    lines.filter(|text| !text.text.contains("${")).collect()
}
