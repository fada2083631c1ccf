//! The type of a command. Each is a file in `commands/` with a constant of this type.

use clap::{ArgMatches, Command};

use crate::app::App;
use crate::failure::CliError;

/// A command of netmgr.
#[derive(Debug)]
pub(crate) struct Subcommand {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its description, options and examples.
    pub(crate) command: fn() -> Command,
    /// The shared options that have an effect on it.
    pub(crate) shared: SharedOptions,
    /// Runs it.
    pub(crate) run: fn(&App, &ArgMatches) -> Result<(), CliError>,
}

/// Options that commands share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SharedOptions {
    /// The options of the output and of the connection.
    All,
    /// Format, filter and fields of the output.
    Output,
    /// Settings, configuration file, deadline and statistics of the connection.
    Connection,
    /// All options, defined by the command itself.
    Listed,
    /// Only `-v`.
    None,
}

impl SharedOptions {
    /// Whether the options of the output have an effect.
    pub(crate) fn have_output(self) -> bool {
        matches!(self, Self::All | Self::Output)
    }

    /// Whether the options of the connection have an effect.
    pub(crate) fn have_connection(self) -> bool {
        matches!(self, Self::All | Self::Connection)
    }
}
