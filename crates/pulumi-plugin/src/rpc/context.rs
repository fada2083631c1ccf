//! Context of calls.

use tokio_util::sync::CancellationToken;

use crate::rpc::log::EngineLog;
use crate::rpc::slot::FunctionSlot;

/// Context of a call of a provider. Cheap to clone for tasks of the call.
///
/// The default has no engine and is never cancelled; it is for tests that call a provider directly.
#[derive(Clone, Debug, Default)]
pub struct Context {
    log: EngineLog,
    cancellation: CancellationToken,
    caller: CallerId,
    slot: FunctionSlot,
}

/// Identity of the calling provider of an engine.
///
/// A process that an engine started serves one provider, so that all callers are equal. A process that was
/// started manually is shared by all providers of the package, each with its own configuration, and possibly
/// by several engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallerId(u64);

impl CallerId {
    /// Returns a new identity.
    pub(crate) fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl Context {
    /// Creates a context with a log and a cancellation token.
    #[must_use]
    pub fn new(log: EngineLog, cancellation: CancellationToken) -> Self {
        Self {
            log,
            cancellation,
            caller: CallerId::default(),
            slot: FunctionSlot::default(),
        }
    }

    /// Sets the caller.
    pub(crate) fn called_by(self, caller: CallerId) -> Self {
        Self { caller, ..self }
    }

    /// Sets the slot of the call.
    pub(crate) fn in_slot(self, slot: FunctionSlot) -> Self {
        Self { slot, ..self }
    }

    /// Allows another function to start, because this one is going to wait. See
    /// [`Provider::functions_at_once`](crate::rpc::Provider::functions_at_once).
    pub fn release_slot(&self) {
        self.slot.release();
    }

    /// The caller. The configuration that [`Provider::configure`](crate::rpc::Provider::configure) receives
    /// applies to later calls of the same caller.
    #[must_use]
    pub fn caller(&self) -> CallerId {
        self.caller
    }

    /// The log for messages to the user during the call.
    #[must_use]
    pub fn log(&self) -> &EngineLog {
        &self.log
    }

    /// Cancelled when the engine or a signal cancels all calls. Waiting code should also wait for this token.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }
}
