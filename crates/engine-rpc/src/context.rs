//! What every call is given besides its request.

use tokio_util::sync::CancellationToken;

use crate::log::EngineLog;
use crate::turns::Turn;

/// What every call of a provider is given besides its request. Cheap to clone, for tasks of its own.
///
/// The default one has no engine to log to and is never cancelled; it serves tests that call a
/// provider directly.
#[derive(Clone, Debug, Default)]
pub struct Context {
    log: EngineLog,
    cancellation: CancellationToken,
    caller: Caller,
    turn: Turn,
}

/// Which of an engine's providers calls.
///
/// A process that an engine started serves one of them, so that all callers are equal. One that was
/// started by hand is shared by all providers of the package, each of which has a configuration of
/// its own, and maybe by several engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Caller(u64);

impl Caller {
    /// Another one.
    pub(crate) fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl Context {
    /// A context with a log and a way to cancel.
    #[must_use]
    pub fn new(log: EngineLog, cancellation: CancellationToken) -> Self {
        Self {
            log,
            cancellation,
            caller: Caller::default(),
            turn: Turn::default(),
        }
    }

    /// The same, called by another provider of the engine's.
    pub(crate) fn called_by(self, caller: Caller) -> Self {
        Self { caller, ..self }
    }

    /// The same, of a call that has a place among those that run.
    pub(crate) fn at(self, turn: Turn) -> Self {
        Self { turn, ..self }
    }

    /// Lets another function begin, because this one is going to wait for something that may take
    /// long. See [`Provider::functions_at_once`](crate::Provider::functions_at_once).
    pub fn step_aside(&self) {
        self.turn.give_up();
    }

    /// Whose call this is. What [`Provider::configure`](crate::Provider::configure) is told counts for
    /// later calls of the same caller.
    #[must_use]
    pub fn caller(&self) -> Caller {
        self.caller
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
