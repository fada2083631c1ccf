//! `convert-terraform`: configurations with data sources of the provider `nsxt` for the provider `netmgr`.
//!
//! Files and messages are here, the conversion of texts in `convert_terraform/`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use netmgr_types::ManagerVersion;

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
             of a folder and its subfolders. Comments, formatting, resources and folders without a converted data source \
             are left unchanged. Finally, list everything that requires a manual change, with the reasons.",
        )
        .after_help(
            "Examples:\n  netmgr convert-terraform --dry-run .\n  netmgr convert-terraform --for 9 infrastructure",
        )
        .arg(
            Arg::new("folder")
                .value_name("DIR")
                .help("Folder of the configuration")
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
    let folder: &PathBuf = matches.get_one("folder").expect("it is required");
    let dry_run = matches.get_flag("dry-run");
    let mut found = Project::default();
    read(folder, folder, &mut found)?;
    found.sources.sort_by(|a, b| a.name.cmp(&b.name));
    let converted = found.convert(matches.get_one("for"));
    for source in converted.changed.iter().filter(|_| !dry_run) {
        let file = folder.join(&source.name);
        files::write(&file, &source.text).map_err(|error| CliError::unwritable(file.display(), error))?;
    }
    standard_output(&converted.report(dry_run))
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

/// Adds the configuration files below `folder`, without those of hidden folders such as `.terraform`.
fn read(root: &Path, folder: &Path, found: &mut Project) -> Result<(), CliError> {
    let unreadable = |path: &Path, error| CliError::unreadable(path.display(), error);
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
        let path = entry.map_err(|error| unreadable(folder, error))?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let kind = fs::symlink_metadata(&path).map_err(|error| unreadable(&path, error))?;
        let is_hidden = name.starts_with('.');
        let is_source = ENDS.iter().any(|end| name.ends_with(end));
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        if kind.is_dir() && !is_hidden {
            read(root, &path, found)?;
        } else if kind.is_symlink() && is_source {
            // Links are not followed, so that no file is converted twice.
            if path.is_file()
                && files::text(&path, files::LONGEST_TEXT).is_ok_and(|text| project::concerns(&text))
            {
                found.left.push(ManualStep::of(name, "links are not followed"));
            }
        } else if kind.is_file() && is_source {
            let bytes = files::bytes(&path, files::LONGEST_TEXT).map_err(|error| unreadable(&path, error))?;
            match String::from_utf8(bytes) {
                Ok(text) => found.sources.push(SourceFile { name, text }),
                Err(_) => found.left.push(ManualStep::of(name, "the text is not UTF-8")),
            }
        }
    }
    Ok(())
}
