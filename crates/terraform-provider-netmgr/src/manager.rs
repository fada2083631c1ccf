//! The configured manager: its lookups, and what happens once before the first of them.

use std::sync::{Arc, Mutex, PoisonError};

use netmgr_lookups::{Call, CallInputs, Lookups, Observer, Progress, advice, in_one_clause};
use netmgr_transport::{Client, LoginRecord};
use netmgr_types::Connection;
use terraform_plugin::{Diagnostic, Object, ReadOutcome};
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

use crate::data_source::DataSource;
use crate::diagnostics::{self, sentence};
use crate::names;

/// One manager, as configured.
pub(crate) struct ConfiguredManager {
    lookups: Lookups,
    /// Outcome of adding licence keys, which is tried once.
    licensed: OnceCell<Result<(), String>>,
    /// Ends all reads.
    stopped: CancellationToken,
}

impl ConfiguredManager {
    /// Reads certificate files. Nothing is sent before the first read, because hosts configure processes that never
    /// read.
    pub(crate) async fn new(connection: Connection) -> Result<Self, netmgr_transport::Error> {
        let builder = Client::builder(connection).login_record(LoginRecord::in_state_folder());
        // On another thread, because files may be on a file system that hangs.
        let built = tokio::task::spawn_blocking(|| builder.build()).await;
        let client = built.expect("a client is created without panics")?;
        Ok(Self {
            lookups: Lookups::new(client),
            licensed: OnceCell::new(),
            stopped: CancellationToken::new(),
        })
    }

    /// Ends all reads.
    pub(crate) fn stop(&self) {
        self.stopped.cancel();
    }

    /// Ends the session.
    pub(crate) async fn close(&self) {
        self.lookups.client().close().await;
    }

    /// Reads a data source.
    pub(crate) async fn read(&self, source: &'static DataSource, config: Object) -> ReadOutcome {
        if let Err(diagnostic) = self.install_licenses().await {
            return ReadOutcome {
                state: None,
                diagnostics: vec![diagnostic],
            };
        }
        let notes = Arc::new(ReadNotes {
            source,
            warnings: Mutex::default(),
        });
        let call = Call::default()
            .cancel(self.stopped.clone())
            .observer(Arc::clone(&notes) as Arc<dyn Observer>);
        let input = source.input(&config);
        let outcome = self.lookups.call_entry(source.entry, input, call).await;
        let mut diagnostics = notes.diagnostics();
        let state = match outcome {
            Ok(answer) => Some(source.result(config, answer.output)),
            Err(error) => {
                let inputs = CallInputs::of(source.entry, &source.input(&config));
                diagnostics.extend(diagnostics::failure(&error, &inputs, &config));
                None
            }
        };
        ReadOutcome { state, diagnostics }
    }

    /// Adds licence keys that the manager lacks. All reads wait for the one attempt and share its failure (decision terraform).
    async fn install_licenses(&self) -> Result<(), Diagnostic> {
        let install = || async {
            let installed = self.lookups.client().install_missing_licenses().await;
            installed
                .map(drop)
                .map_err(|error| sentence(&in_one_clause(&error, advice(&error), &names::WORDS)))
        };
        let outcome = tokio::select! {
            biased;
            () = self.stopped.cancelled() => return Err(Diagnostic::error("Interrupted", "Interrupted.")),
            outcome = self.licensed.get_or_init(install) => outcome,
        };
        let failed = |reason: String| Diagnostic::error("Licence keys could not be added", reason);
        outcome.clone().map_err(failed)
    }
}

/// Warnings of a read, which hosts show at its end, and progress for the log.
struct ReadNotes {
    source: &'static DataSource,
    warnings: Mutex<Vec<Diagnostic>>,
}

impl ReadNotes {
    fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *warnings)
    }
}

impl Observer for ReadNotes {
    fn warning(&self, message: &str) {
        // Hosts count warnings with equal titles instead of showing them.
        let title = sentence(&names::WORDS.text(message));
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        warnings.push(Diagnostic::warning(title.trim_end_matches('.'), ""));
    }

    fn progress(&self, progress: &Progress) {
        tracing::info!(
            data_source = self.source.name,
            polls = progress.polls,
            "{progress}"
        );
    }
}
