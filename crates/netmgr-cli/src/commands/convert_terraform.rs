//! `convert-terraform`: configurations with data sources of the provider `nsxt`, read by the provider `netmgr`.
//!
//! Files and messages are here, the conversion of texts in `terraform-switch`.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use heck::ToSnakeCase as _;
use netmgr_types::{ManagerVersion, ProviderConfig};
use terraform_switch::{Direction, Outcome, Providers, Step, switch};

use crate::app::App;
use crate::failure::CliError;
use crate::files;
use crate::output::standard_output;
use crate::subcommand::{SharedOptions, Subcommand};
use crate::terraform::{function, read, removed, report, unreadable, write};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "convert-terraform",
    command,
    shared: SharedOptions::None,
    run,
};

fn command() -> Command {
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    Command::new("convert-terraform")
        .about("Convert Terraform configurations of the provider nsxt")
        .long_about(
            "Convert Terraform and OpenTofu configurations of the provider nsxt, so that the provider netmgr reads their \
             data sources.\n\n\
             Add `provider = netmgr` to data sources, and the provider's requirement and blocks, in all .tf files of a \
             folder and its subfolders, except hidden ones, node_modules and vendor. Resources, references and \
             outputs are left unchanged; --revert removes what was added. If a file is read-only, no file is written. \
             Finally, list everything that requires a manual change, with the reasons.",
        )
        .after_help(
            "Examples:\n  netmgr convert-terraform --dry-run .\n  netmgr convert-terraform --for 9 infrastructure\n  \
             netmgr convert-terraform --revert .",
        )
        .arg(
            Arg::new("path")
                .value_name("PATH")
                .help("Folder of the configuration, or one file of it")
                .required(true)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(flag("dry-run").help("List the changes without writing them"))
        .arg(flag("revert").help("Remove what an earlier conversion added"))
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
    let (mut sources, mut stale) = (Vec::new(), Vec::new());
    read(folder, "", &is_source, &mut sources, &mut stale)?;
    let (direction, verb) = match matches.get_flag("revert") {
        true => (Direction::Revert, "reverted"),
        false => (Direction::Switch, "converted"),
    };
    let version: Option<&ManagerVersion> = matches.get_one("for");
    let providers = Providers {
        from: "nsxt",
        to: "netmgr",
        source: "netmgr/netmgr",
        copies: &is_of_connection,
        serves: &|kind| function(kind).is_some(),
        remark: &|kind| version.and_then(|version| removed(kind, version)),
    };
    let mut outcome = switch(sources, &providers, direction);
    if let Some(only) = only {
        restrict(&mut outcome, only);
    }
    outcome.left.sort();
    let dry_run = matches.get_flag("dry-run");
    if !dry_run {
        write(folder, &outcome.changed, &stale, verb)?;
    }
    let verb = format!("{}{verb}", if dry_run { "to be " } else { "" });
    let next = "Run `terraform init` in changed folders, and compare the plan to one from before.";
    standard_output(&report(&outcome, &verb, next, "Manual steps"))
}

/// Keeps the changes of one file, and lists the changes of other files.
fn restrict(outcome: &mut Outcome, only: &str) {
    outcome
        .left
        .retain(|step| step.line.is_none() || step.place == only);
    let others = outcome.changed.extract_if(.., |changed| changed.name != only);
    let steps = others.map(|one| Step::of(one.name, format!("convert the folder for {}", one.what)));
    outcome.left.extend(steps);
}

/// Whether an argument of `nsxt` concerns the connection. Others concern its resources and licences.
fn is_of_connection(argument: &str) -> bool {
    let mut settings = ProviderConfig::ENV.iter();
    let mut renamed = ProviderConfig::NSXT_ARGUMENTS.iter();
    !["license_keys", "on_demand_connection"].contains(&argument)
        && (renamed.any(|(_, name)| *name == argument)
            || settings.any(|(name, _)| name.to_snake_case() == argument))
}

/// Whether a file is a configuration, or one that can refer to it.
fn is_source(name: &str) -> bool {
    let name = name.strip_suffix(".json").unwrap_or(name);
    let mut ends = ".tf .tofu .tftest.hcl .tofutest.hcl .tfmock.hcl .tofumock.hcl".split(' ');
    ends.any(|end| name.ends_with(end))
}
