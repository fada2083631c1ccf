//! What every call is given besides its request.

use tokio_util::sync::CancellationToken;

use crate::log::EngineLog;

/// What every call of a provider is given besides its request. Cheap to clone, for tasks of its own.
///
/// The default one has no engine to log to and is never cancelled; it serves tests that call a
/// provider directly.
#[derive(Clone, Debug, Default)]
pub struct Context {
    log: EngineLog,
    cancellation: CancellationToken,
}

impl Context {
    /// A context with a log and a way to cancel.
    #[must_use]
    pub fn new(log: EngineLog, cancellation: CancellationToken) -> Self {
        Self { log, cancellation }
    }

    /// Where to tell the user something while the call is under way.
    #[must_use]
    pub fn log(&self) -> &EngineLog {
        &self.log
    }

    /// Cancelled when the engine or a signal ends everything outstanding. Whoever waits, waits for
    /// this too.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }
}
