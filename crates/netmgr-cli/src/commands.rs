//! The list of commands, one file each. To add one, write its file with a constant `SUBCOMMAND`, and add a `mod` line and a
//! line of [`ALL`].

use crate::subcommand::Subcommand;

mod adopt;
mod batch;
mod check;
mod completions;
mod config;
mod convert_terraform;
mod diff;
mod doctor;
mod export;
pub(crate) mod find;
mod get;
mod list;
mod login;
mod man;
mod options;
pub(crate) mod references;
mod schema;
#[cfg(feature = "simulator")]
mod simulate;
mod types;
mod version;
mod who;

/// All commands in the order of the help.
pub(crate) const ALL: &[&Subcommand] = &[
    &get::SUBCOMMAND,
    &list::SUBCOMMAND,
    &find::SUBCOMMAND,
    &references::SUBCOMMAND,
    &who::SUBCOMMAND,
    &batch::SUBCOMMAND,
    &check::SUBCOMMAND,
    &adopt::SUBCOMMAND,
    &types::SUBCOMMAND,
    &schema::SUBCOMMAND,
    &login::SUBCOMMAND,
    &config::SUBCOMMAND,
    &export::SUBCOMMAND,
    &diff::SUBCOMMAND,
    &doctor::SUBCOMMAND,
    #[cfg(feature = "simulator")]
    &simulate::SUBCOMMAND,
    &options::SUBCOMMAND,
    &completions::SUBCOMMAND,
    &man::SUBCOMMAND,
    &version::SUBCOMMAND,
    &convert_terraform::SUBCOMMAND,
];
