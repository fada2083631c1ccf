//! The parts that commands share: the output, the connection, and the runtime.

use clap::Command;
use futures_util::future::LocalBoxFuture;
use tracing::Instrument as _;

use crate::failure::CliError;
use crate::log;
use crate::options::ConnectionOptions;
use crate::output::Printer;

/// The options that all commands share, with their effects.
#[derive(Debug)]
pub(crate) struct App {
    /// The output.
    pub(crate) output: Printer,
    /// Options of the connection.
    pub(crate) connection: ConnectionOptions,
    /// Number of `-v` flags.
    pub(crate) verbosity: u8,
    /// The whole command line, for manual pages.
    pub(crate) command_line: Command,
}

impl App {
    /// Runs `work` with a runtime, the log, and the export of traces. Commands that neither wait nor send need none of
    /// them, and start faster without.
    pub(crate) fn block_on<T>(&self, work: LocalBoxFuture<'_, Result<T, CliError>>) -> Result<T, CliError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(CliError::Runtime)?;
        let export = {
            let _inside = runtime.enter();
            log::start(self.verbosity, self.connection.trace)
        };
        let outcome = runtime.block_on(async {
            let outcome = work.instrument(log::traces::command()).await;
            export.end().await;
            outcome
        });
        // Do not wait for a name lookup.
        runtime.shutdown_background();
        outcome
    }
}
