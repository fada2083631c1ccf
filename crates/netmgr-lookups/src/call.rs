//! The circumstances of one call: how long, whether it still matters, who listens.

use std::sync::Arc;
use std::time::Duration;

use derive_setters::Setters;
use tokio_util::sync::CancellationToken;

/// The circumstances of one call of a lookup function.
///
/// The default has the client's lookup deadline, nobody who cancels or listens, and waits.
#[derive(Clone, Default, Setters)]
#[setters(strip_option)]
#[non_exhaustive]
pub struct Call {
    /// Time for the lookup with all its requests. Default: the client's lookup deadline. The
    /// functions that wait have a `timeout` of their own instead.
    pub deadline: Option<Duration>,
    /// Ends the call with [`crate::Error::Cancelled`].
    pub cancel: CancellationToken,
    /// What the functions that wait do.
    pub waits: Waits,
    /// Whether arguments are secret. What a failed request quotes then reaches no other call: the
    /// call shares requests only with calls that are confidential as well, and with those only
    /// requests that they would send alone.
    pub confidential: bool,
    /// Who hears of progress and warnings. Default: nobody.
    pub observer: Option<Arc<dyn Observer>>,
}

/// What the functions that wait for a realization do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Waits {
    /// Wait until the state is final.
    #[default]
    Wait,
    /// Read the state once and report it as it is, as in a preview. A failed state still fails.
    ReportOnce,
}

/// Hears what happens during a call.
pub trait Observer: Send + Sync {
    /// The call goes on, but its caller should know this.
    fn warning(&self, message: &str);
    /// A wait requested the state of its object.
    fn progress(&self, progress: &Progress);
}

/// One poll of a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The object waited for: `compute manager cm-1`.
    pub what: String,
    /// The state last read; `not read yet` before the first.
    pub state: String,
    /// Times the state was requested.
    pub polls: u32,
    /// Time since the wait began.
    pub elapsed: Duration,
    /// Why the last request of the state failed, when it did: `503`, or a clause. The wait goes on.
    pub trouble: Option<String>,
}

impl std::fmt::Display for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(trouble) = &self.trouble {
            write!(f, "the manager does not answer ({trouble}), ")?;
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
