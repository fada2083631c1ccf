//! Verification of credentials without a login, and the choice of the request that verifies them.
//!
//! With a user name and password on each request, each request is a login, and five failed logins lock the
//! account (manager-transport 2.2). The first request is therefore sent before all others. It is the caller's
//! request if there is only one caller, or a fixed, cheap request if there are several callers or the
//! caller's request had no clear result (decision logins). The interpretation of replies is in `refusal.rs`.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::{BoxFuture, Shared};
use http::Response;
use tokio::sync::Notify;
use tokio::task::yield_now;
use tokio::time::{Instant, timeout};

use super::check::Shown;
use super::gate::REFUSAL_HOLDS;
use crate::Error;
use crate::flight::Flight;

/// Time to wait for the first request of another caller before the fixed request is sent.
const PATIENCE: Duration = Duration::from_secs(1);

/// Decision for a caller.
pub(super) enum Permit {
    /// Send its request.
    Send,
    /// Send the request before all others.
    First(First),
    /// Return this result instead of sending the request.
    Instead(Result<Response<Bytes>, Error>),
}

/// State of a credential.
pub(super) struct Proof {
    state: Mutex<State>,
    /// Wakes the waiting callers after each result.
    changed: Notify,
}

struct State {
    known: Known,
    /// Number of callers that wait for a result.
    waiting: usize,
    /// Whether the request of a caller is in flight as the first one.
    first_is_out: bool,
    /// Request that verifies the credential.
    by: By,
    fixed: Flight<Shown>,
}

enum Known {
    Nothing,
    Accepted,
    Refused(Error, Instant),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// The request of the only caller, or else the fixed request.
    Either,
    /// The fixed request, because a caller's request had no clear result.
    Fixed,
    /// Requests of callers, one at a time, because the fixed request has no clear result.
    Own,
}

enum Step {
    Done(Permit),
    Fixed(Shared<BoxFuture<'static, Shown>>),
    Yield,
    Wait,
    WaitWithPatience,
}

impl Proof {
    /// Creates the state of an unverified credential. The fixed request is only used if `has_fixed`.
    pub(super) fn new(has_fixed: bool) -> Self {
        Self {
            state: Mutex::new(State {
                known: Known::Nothing,
                waiting: 0,
                first_is_out: false,
                by: if has_fixed { By::Either } else { By::Own },
                fixed: Flight::default(),
            }),
            changed: Notify::new(),
        }
    }

    /// Waits for the decision for a caller. `fixed` sends the fixed request.
    pub(super) async fn permit<F>(self: &Arc<Self>, fixed: impl Fn() -> F) -> Permit
    where
        F: Future<Output = Shown> + Send + 'static,
    {
        let _waiting = Waiting::new(self);
        let begun = Instant::now();
        let mut yielded = false;
        loop {
            let changed = self.changed.notified();
            match self.step(yielded, begun.elapsed() >= PATIENCE, &fixed) {
                Step::Done(permit) => return permit,
                Step::Fixed(shown) => match shown.await {
                    Shown::Answered(reply) => return Permit::Instead(Ok(reply)),
                    Shown::Failed(error) => return Permit::Instead(Err(error)),
                    Shown::Accepted | Shown::Refused(_) | Shown::Doubtful | Shown::Nothing => {}
                },
                // Wait for other calls of the same burst.
                Step::Yield => {
                    yielded = true;
                    yield_now().await;
                }
                Step::Wait => changed.await,
                Step::WaitWithPatience => {
                    // The state is checked at the start of the loop.
                    let _ = timeout(PATIENCE.saturating_sub(begun.elapsed()), changed).await;
                }
            }
        }
    }

    /// Waits while a request is in flight that may verify the credential.
    pub(super) async fn settled(&self) {
        let settled = async {
            loop {
                let changed = self.changed.notified();
                let is_open = {
                    let state = self.state();
                    state.first_is_out || state.fixed.under_way().is_some()
                };
                if !is_open {
                    return;
                }
                changed.await;
            }
        };
        // If this takes longer, the caller's request waits for the result.
        let _ = timeout(PATIENCE, settled).await;
    }

    fn step<F>(self: &Arc<Self>, yielded: bool, is_out_of_patience: bool, fixed: &impl Fn() -> F) -> Step
    where
        F: Future<Output = Shown> + Send + 'static,
    {
        let mut state = self.state();
        match &state.known {
            Known::Accepted => return Step::Done(Permit::Send),
            Known::Refused(error, at) if at.elapsed() < REFUSAL_HOLDS => {
                return Step::Done(Permit::Instead(Err(error.clone())));
            }
            _ => {}
        }
        let by_fixed = match state.by {
            By::Either if state.first_is_out => is_out_of_patience,
            By::Either => state.waiting > 1,
            By::Fixed => true,
            By::Own => false,
        };
        if by_fixed {
            let shown = state.fixed.join_or_start(|| {
                let proof = self.clone();
                let fixed = fixed();
                async move {
                    let shown = fixed.await;
                    proof.shown(&shown);
                    shown
                }
            });
            Step::Fixed(shown)
        } else if state.first_is_out {
            match state.by {
                By::Either => Step::WaitWithPatience,
                By::Fixed | By::Own => Step::Wait,
            }
        } else if !yielded && state.by == By::Either {
            Step::Yield
        } else {
            state.first_is_out = true;
            Step::Done(Permit::First(First(self.clone())))
        }
    }

    fn shown(&self, shown: &Shown) {
        let mut state = self.state();
        state.fixed.land();
        match shown {
            Shown::Accepted => state.known = Known::Accepted,
            Shown::Refused(error) => state.known = Known::Refused(error.clone(), Instant::now()),
            Shown::Doubtful | Shown::Nothing => state.by = By::Own,
            Shown::Answered(_) | Shown::Failed(_) => {}
        }
        self.changed.notify_waiters();
    }

    /// Whether the fixed request can verify the credential.
    pub(super) fn has_fixed(&self) -> bool {
        self.state().by != By::Own
    }

    /// Whether requests may be sent.
    pub(super) fn is_accepted(&self) -> bool {
        matches!(self.state().known, Known::Accepted)
    }

    /// Records that the manager accepted a request.
    pub(super) fn accepted(&self) {
        self.state().known = Known::Accepted;
        self.changed.notify_waiters();
    }

    /// Records that the manager refused a request. The credential has to be verified again.
    pub(super) fn doubt(&self) {
        let mut state = self.state();
        if matches!(state.known, Known::Accepted) {
            state.known = Known::Nothing;
            if state.by == By::Either {
                state.by = By::Fixed;
            }
        }
    }

    /// Records that the manager refuses the credential. All callers receive this error for 900 s.
    pub(super) fn refused(&self, error: Error) {
        self.state().known = Known::Refused(error, Instant::now());
        self.changed.notify_waiters();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A caller that waits for a result.
struct Waiting(Arc<Proof>);

impl Waiting {
    fn new(proof: &Arc<Proof>) -> Self {
        proof.state().waiting += 1;
        Self(proof.clone())
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.state().waiting -= 1;
    }
}

/// The request of a caller that is sent first. If it is dropped without a result, the fixed request is sent.
pub(super) struct First(Arc<Proof>);

impl Drop for First {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.first_is_out = false;
        if state.by == By::Either {
            state.by = By::Fixed;
        }
        drop(state);
        self.0.changed.notify_waiters();
    }
}
