//! `convert-terraform`: configurations with data sources of the provider `nsxt` for the provider `netmgr`.
//!
//! Files and messages are here, the conversion of texts in `convert_terraform/`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use netmgr_types::{ManagerVersion, foreign};

use crate::app::App;
use crate::failure::CliError;
use crate::files;
use crate::output::standard_output;
use crate::subcommand::{SharedOptions, Subcommand};

mod edits;
mod file;
mod modules;
mod names;
mod parsed;
mod project;

use project::{ManualStep, Project, SourceFile};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "convert-terraform",
    command,
    shared: SharedOptions::None,
    run,
};

fn command() -> Command {
    Command::new("convert-terraform")
        .about("Convert Terraform configurations of the provider nsxt")
        .long_about(
            "Convert Terraform and OpenTofu configurations of the provider nsxt to the provider netmgr.\n\n\
             Rewrite data sources, references to them, and the provider's block and requirement in all .tf files \
             of a folder and its subfolders, except hidden ones, node_modules and vendor. Comments, formatting, resources and \
             folders without a converted data source are left unchanged. If a file is read-only, no file is written. \
             Finally, list everything that requires a manual change, with the reasons.",
        )
        .after_help(
            "Examples:\n  netmgr convert-terraform --dry-run .\n  netmgr convert-terraform --for 9 infrastructure",
        )
        .arg(
            Arg::new("path")
                .value_name("PATH")
                .help("Folder of the configuration, or one file of it")
                .required(true)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("dry-run")
                .long("dry-run")
                .action(ArgAction::SetTrue)
                .help("List the changes without writing them"),
        )
        .arg(
            Arg::new("for")
                .long("for")
                .value_name("VERSION")
                .value_parser(value_parser!(ManagerVersion))
                .help("Also list data sources that this version of the manager, such as 9, no longer supports"),
        )
}

fn run(_: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let path: &PathBuf = matches.get_one("path").expect("it is required");
    let dry_run = matches.get_flag("dry-run");
    let kind = fs::metadata(path).map_err(|error| unreadable(path, error))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (folder, only) = match kind.is_file() && is_source(&name) {
        true => (files::folder_of(path), Some(&*name)),
        false if kind.is_dir() => (&**path, None),
        false => {
            let cause = io::Error::other("it is neither a folder nor a configuration file");
            return Err(unreadable(path, cause));
        }
    };
    let mut found = Project::default();
    read(folder, folder, &mut found)?;
    found.sources.sort_by(|a, b| a.name.cmp(&b.name));
    let converted = found.convert(matches.get_one("for"), only);
    if !dry_run {
        write(folder, &converted.changed)?;
    }
    standard_output(&converted.report(dry_run))
}

/// Writes all files, or none if one of them is read-only. Names those that are written before another failure.
fn write(folder: &Path, changed: &[SourceFile]) -> Result<(), CliError> {
    let unwritable = |file: &Path, error| CliError::unwritable(shown(file), error);
    let files = changed.iter().map(|source| (folder.join(&source.name), source));
    let (old, new): (Vec<_>, Vec<_>) = files.partition(|(file, _)| file.exists());
    for (file, _) in &old {
        files::writable(file).map_err(|error| unwritable(file, error))?;
    }
    let mut written = String::new();
    for (file, source) in new.iter().chain(&old) {
        if let Err(error) = files::write(file, &source.text) {
            standard_output(&written)?;
            return Err(unwritable(file, error));
        }
        written += &format!("{}: converted\n", foreign::one_line(&source.name));
    }
    Ok(())
}

fn unreadable(path: &Path, cause: io::Error) -> CliError {
    CliError::unreadable(shown(path), cause)
}

/// A name without control characters.
fn shown(path: &Path) -> String {
    foreign::one_line(&path.to_string_lossy())
}

/// File name suffixes of configurations, and of files that can refer to them.
const ENDS: [&str; 8] = [
    ".tf",
    ".tofu",
    ".tf.json",
    ".tofu.json",
    ".tftest.hcl",
    ".tofutest.hcl",
    ".tfmock.hcl",
    ".tofumock.hcl",
];

fn is_source(name: &str) -> bool {
    ENDS.iter().any(|end| name.ends_with(end))
}

/// Folders with files of other projects.
const FOREIGN_FOLDERS: [&str; 2] = ["node_modules", "vendor"];

/// Adds the configuration files below `folder`, without hidden ones, which the host ignores, and without folders such
/// as `.terraform`.
fn read(root: &Path, folder: &Path, found: &mut Project) -> Result<(), CliError> {
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
        let path = entry.map_err(|error| unreadable(folder, error))?.path();
        let base = path.file_name().unwrap_or_default().to_string_lossy();
        let kind = fs::symlink_metadata(&path).map_err(|error| unreadable(&path, error))?;
        if base.starts_with('.') {
            continue;
        }
        if kind.is_dir() {
            if !FOREIGN_FOLDERS.contains(&&*base) {
                read(root, &path, found)?;
            }
            continue;
        }
        if !is_source(&base) {
            continue;
        }
        let below = path.strip_prefix(root).unwrap_or(&path);
        let name = below.to_string_lossy().into_owned();
        // Links are not followed, so that no file is converted twice or is outside of the folder.
        let reason = if kind.is_symlink() {
            "links are not followed"
        } else if !kind.is_file() {
            "it is not a regular file"
        } else if below.to_str().is_none() {
            "the name is not UTF-8"
        } else {
            let bytes = files::bytes(&path, files::LONGEST_TEXT).map_err(|error| unreadable(&path, error))?;
            match String::from_utf8(bytes) {
                Ok(text) => {
                    found.sources.push(SourceFile { name, text });
                    continue;
                }
                Err(_) => "the text is not UTF-8",
            }
        };
        found.left.push(ManualStep::of(name, reason));
    }
    Ok(())
}
