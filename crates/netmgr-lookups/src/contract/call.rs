//! Options of a call: deadline, cancellation, observer.

use std::sync::Arc;
use std::time::Duration;

use derive_setters::Setters;
use tokio_util::sync::CancellationToken;

/// Options for calling a lookup function.
///
/// By default, a call has the client's lookup deadline, cannot be cancelled, has no observer, and waits.
#[derive(Clone, Default, Setters)]
#[setters(strip_option)]
#[non_exhaustive]
pub struct Call {
    /// Maximum duration of the lookup with all its requests. Default: the client's lookup deadline. Functions
    /// that wait use their input `timeout` instead.
    pub deadline: Option<Duration>,
    /// Cancels the call with [`crate::Error::Cancelled`].
    pub cancel: CancellationToken,
    /// Behaviour of functions that wait.
    pub waits: Waits,
    /// Whether arguments are secret. Errors of other calls then never quote them: the call shares requests only with
    /// other confidential calls, and only requests that each of them would send alone.
    pub confidential: bool,
    /// Receiver of progress and warnings. Default: none.
    pub observer: Option<Arc<dyn Observer>>,
}

/// Behaviour of the functions that wait for a realization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Waits {
    /// Waits until the state is final. Some functions return a failed state, with a warning.
    #[default]
    Wait,
    /// Waits until the state is final. A failed state is always an error.
    UntilSuccess,
    /// Reads the state once and returns it, as in a preview. A failed state is still an error.
    ReportOnce,
}

/// Receives events of a call.
pub trait Observer: Send + Sync {
    /// Reports a warning. The call continues.
    fn warning(&self, message: &str);
    /// Reports that a wait requested the state of its object.
    fn progress(&self, progress: &Progress);
}

/// One poll of a wait.
#[derive(Debug, Clone, PartialEq, Eq, Setters)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct Progress {
    /// Description of the object: `compute manager cm-1`.
    pub what: String,
    /// Last state that was read, or `not read yet`.
    pub state: String,
    /// Number of requests of the state.
    pub polls: u32,
    /// Time since the wait began.
    pub elapsed: Duration,
    /// Reason why the last request failed, if it did: `503`, or a clause. The wait continues.
    pub trouble: Option<String>,
    /// Time until the next request of the state; `None` after the last one.
    pub next: Option<Duration>,
}

impl Progress {
    /// The first poll of a wait for the object that `what` describes. It read `state`.
    pub fn new(what: impl Into<String>, state: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            state: state.into(),
            polls: 1,
            elapsed: Duration::ZERO,
            trouble: None,
            next: None,
        }
    }
}

impl std::fmt::Display for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(trouble) = &self.trouble {
            write!(f, "the manager does not respond ({trouble}), ")?;
        }
        write!(
            f,
            "waiting for {}: {} after {:.0} s",
            self.what,
            self.state,
            self.elapsed.as_secs_f64()
        )
    }
}
