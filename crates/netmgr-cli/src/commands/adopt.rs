//! `adopt`: brings objects of the manager under Terraform or Pulumi.
//!
//! The first step writes which objects to import; the host or the engine generates the resources; `--finish` replaces the
//! policy paths in them by references. Texts are read and edited in `terraform-switch` (decision adoption).

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches as _, ValueEnum};

use crate::app::App;
use crate::catalog::object_type;
use crate::completion::words::object_types;
use crate::failure::CliError;
use crate::options::project;
use crate::subcommand::{SharedOptions, Subcommand};

mod finish;
mod imports;
mod names;
mod resources;

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "adopt",
    command,
    shared: SharedOptions::All,
    run,
};

/// The import file of Pulumi.
const IMPORT_FILE: &str = "import.json";

/// Options of `adopt`.
#[derive(Debug, Args)]
#[group(skip)]
struct AdoptOptions {
    /// Types of the objects, such as Group or policy-group, separated by commas
    #[arg(long = "type", value_name = "TYPE", value_delimiter = ',', required_unless_present = "finish", value_parser = object_type, add = object_types())]
    types: Vec<String>,
    /// Project of the objects, with its VPCs. Default: outside all projects
    #[arg(long, value_name = "ID", visible_alias = "context-project-id", value_parser = project)]
    project: Option<String>,
    /// Program that imports the objects
    #[arg(long, value_name = "PROGRAM", required_unless_present = "finish")]
    to: Option<AdoptTarget>,
    /// Folder to write to; it is created if needed
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
    /// Replace the policy paths in the generated resources of a folder by references
    #[arg(long, value_name = "DIR", conflicts_with_all = ["types", "project", "to", "out", "force"])]
    finish: Option<PathBuf>,
}

/// The program that imports objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AdoptTarget {
    /// Import blocks for Terraform 1.5 or OpenTofu 1.6 and later, in imports.tf
    Terraform,
    /// Import file for `pulumi import --file`, in import.json
    Pulumi,
}

fn command() -> Command {
    AdoptOptions::augment_args(Command::new("adopt"))
        .about("Write imports for Terraform or Pulumi")
        .long_about(
            "Bring existing objects under Terraform, OpenTofu or Pulumi, with the provider nsxt. Write an import for each \
             object of the given types, except those that are predefined, owned by the system or protected, and list \
             those that nsxt cannot import. When `terraform plan -generate-config-out=generated.tf` or `pulumi import` \
             has generated the resources, --finish replaces the policy paths in them by references to resources of \
             the folder, or to data sources, which it adds. Of Pulumi, it edits programs in YAML.",
        )
        .after_help(
            "Examples:\n  netmgr adopt --type Group,Service --to terraform --out infrastructure\n  \
             netmgr adopt --finish infrastructure\n  netmgr adopt --type Segment --project dev --to pulumi",
        )
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let options = AdoptOptions::from_arg_matches(matches).expect("these are matches of the command");
    match (&options.finish, options.to) {
        (Some(folder), _) => finish::run(app, folder),
        (None, Some(target)) => imports::run(app, &options, target),
        (None, None) => unreachable!("one of them is required"),
    }
}
