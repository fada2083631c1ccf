//! The commands, one file each, and the list of them.

use clap::{ArgMatches, Command};

use crate::app::App;
use crate::failure::CliError;

pub(crate) mod batch;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod convert_terraform;
pub(crate) mod doctor;
pub(crate) mod functions;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod schema;
#[cfg(feature = "simulator")]
pub(crate) mod simulate;

/// A command of the program. To add one, write its file with a constant of this type, and add a `mod` line
/// and a line of [`ALL`].
#[derive(Debug)]
pub(crate) struct Subcommand {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its description, options and examples.
    pub(crate) command: fn() -> Command,
    /// Which of the options that all commands share have an effect on it.
    pub(crate) shared: Shared,
    /// Runs it.
    pub(crate) run: fn(&App, &ArgMatches) -> Result<(), CliError>,
}

/// Options that commands share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shared {
    /// Format, filter and fields of the output.
    pub(crate) output: bool,
    /// The connection: settings, configuration file, deadline, statistics.
    pub(crate) connection: bool,
}

impl Shared {
    /// Output and connection.
    pub(crate) const ALL: Self = Self {
        output: true,
        connection: true,
    };
    /// Output alone.
    pub(crate) const OUTPUT: Self = Self {
        output: true,
        connection: false,
    };
    /// Neither.
    #[cfg_attr(
        not(feature = "simulator"),
        allow(dead_code, reason = "only `simulate` shares nothing")
    )]
    pub(crate) const NONE: Self = Self {
        output: false,
        connection: false,
    };
}

/// All commands in the order of the help.
pub(crate) const ALL: &[&Subcommand] = &[
    &get::SUBCOMMAND,
    &list::SUBCOMMAND,
    &batch::SUBCOMMAND,
    &functions::SUBCOMMAND,
    &schema::SUBCOMMAND,
    &config::SUBCOMMAND,
    &doctor::SUBCOMMAND,
    #[cfg(feature = "simulator")]
    &simulate::SUBCOMMAND,
    &completions::SUBCOMMAND,
    &man::SUBCOMMAND,
    &convert_terraform::SUBCOMMAND,
];
