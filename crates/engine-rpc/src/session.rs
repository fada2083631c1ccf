//! What the server knows of the engine it talks to: where it is, and whether it wants everything
//! to end.

use std::sync::{Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::context::Context;
use crate::log::EngineLog;

/// One engine after the other: a plugin that was started by hand outlives the commands it serves.
#[derive(Debug, Default)]
pub(crate) struct Session {
    log: EngineLog,
    cancellation: Mutex<CancellationToken>,
}

impl Session {
    /// An engine said where it is; what an earlier one cancelled is over.
    pub(crate) fn begin(&self, engine_address: &str) {
        if !engine_address.is_empty() {
            self.log.connect(engine_address);
        }
        let mut cancellation = self.cancellation.lock().unwrap_or_else(PoisonError::into_inner);
        if cancellation.is_cancelled() {
            *cancellation = CancellationToken::new();
        }
    }

    /// What a call is given that arrives now.
    pub(crate) fn context(&self) -> Context {
        Context::new(self.log.clone(), self.token())
    }

    /// Ends everything outstanding, and all that comes before another engine introduces itself.
    pub(crate) fn cancel(&self) {
        self.token().cancel();
    }

    fn token(&self) -> CancellationToken {
        self.cancellation
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
