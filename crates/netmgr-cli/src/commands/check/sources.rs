//! The files of a configuration.

use std::fs;
use std::path::Path;

use terraform_switch::{Literals, MadeObject, SourceFile, SourceLine, Step, Text};

use crate::failure::CliError;
use crate::files;
use crate::terraform;

/// The files to check.
#[derive(Default)]
pub(super) struct Sources {
    /// Files in the languages of Terraform.
    pub(super) configuration: Vec<SourceFile>,
    /// The names and texts of programs of Pulumi.
    pub(super) pulumi: Vec<(String, String)>,
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
    for source in all {
        match source.text {
            Ok(text) if is_pulumi(&source.name) => sources.pulumi.push((source.name, text)),
            Err(reason) if reason == terraform::LINKED => {
                sources.links.push(Step::of(source.name, reason));
            }
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

/// Adds the texts of a program in YAML that stand on a line of their own, as the value of a key or as an item of a list.
/// Others that contain a text of interest are not decided.
pub(super) fn pulumi(file: &str, program: &str, begins: &dyn Fn(&str) -> bool, reading: &mut Literals) {
    // The indentation of a key whose further lines are one text, or arguments of a function.
    let mut outer = None;
    for (line, number) in program.lines().zip(1..) {
        let content = line.trim();
        let indentation = line.len() - line.trim_start().len();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let is_inside = outer.is_some_and(|outer| indentation > outer);
        if !is_inside {
            outer = None;
        }
        let item = content.strip_prefix("- ");
        let (argument, value) = match item.unwrap_or(content).split_once(": ") {
            Some((key, value)) => (key.trim().trim_matches('"'), value.trim()),
            None => ("", item.unwrap_or_default().trim()),
        };
        if !is_inside && (value.starts_with(['|', '>']) || content.contains("fn::")) {
            outer = Some(indentation);
        }
        let place = SourceLine {
            file: file.to_owned(),
            line: number,
        };
        match scalar(value).filter(|_| !is_inside && outer.is_none()) {
            Some(text) if argument == "nsxId" => reading.made.push(MadeObject {
                kind: String::new(),
                id: Some(text.to_owned()),
            }),
            Some(text) => reading.texts.push(Text {
                place,
                argument: argument.to_owned(),
                block: String::new(),
                text: text.to_owned(),
            }),
            None => {
                let mut parts =
                    content.split(|letter: char| letter.is_whitespace() || "\"'[{,(".contains(letter));
                if parts.any(begins) {
                    reading.undecided.push(Step {
                        place: place.file,
                        line: Some(number),
                        what: "the text is part of another value".to_owned(),
                    });
                }
            }
        }
    }
}

/// A text without interpolations, escapes and collections, after anchors and tags.
fn scalar(mut value: &str) -> Option<&str> {
    while value.starts_with(['&', '!']) {
        value = value.split_once(' ')?.1.trim_start();
    }
    let quote = value.chars().next().filter(|first| "\"'".contains(*first));
    let text = match quote {
        Some(quote) => value[1..].split_once(quote)?,
        None => value.split_once(" #").unwrap_or((value, "")),
    };
    let (text, rest) = (text.0.trim_end(), text.1.trim());
    let is_whole = quote.is_none() || rest.is_empty() || rest.starts_with('#');
    let is_plain =
        !text.is_empty() && !text.contains(['\\', ',', '[', ']', '{', '}']) && !text.contains(": ");
    (is_whole && is_plain && !text.contains("${")).then_some(text)
}
