//! Whether the manager accepts a credential for which there is no login, and which request shows it.
//!
//! With user name and password on each request, each request is a login, and five failed ones lock
//! the account (manager-transport 2.2). So the first one goes alone. It is the caller's own request
//! where there is one caller, and one fixed, cheap request where there are several or where the
//! caller's own gave no verdict (0143). Not here: what a reply says about a credential
//! (`refusal.rs`).

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

/// How long callers wait for the first request of another before the fixed one is sent.
const PATIENCE: Duration = Duration::from_secs(1);

/// What a caller may do.
pub(super) enum Permit {
    /// Send its request.
    Send,
    /// Send its request as the first one, alone.
    First(First),
    /// Answer this in the place of its request.
    Instead(Result<Response<Bytes>, Error>),
}

/// What is known about one credential.
pub(super) struct Proof {
    state: Mutex<State>,
    /// Wakes the callers that wait, after each verdict.
    changed: Notify,
}

struct State {
    known: Known,
    /// Callers that wait for a verdict.
    waiting: usize,
    /// Whether a caller's own request is under way as the first.
    first_is_out: bool,
    /// Which request shows whether the credential is accepted.
    by: By,
    fixed: Flight<Shown>,
}

enum Known {
    Nothing,
    Accepted,
    Refused(Arc<Error>, Instant),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// The request of a lone caller, else the fixed one.
    Either,
    /// The fixed one, because a caller's own gave no verdict.
    Fixed,
    /// Callers' own, one at a time, because the fixed one gives no verdict.
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
    /// Nothing is known yet. The fixed request is used if `has_fixed`.
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

    /// Waits until the caller may send, or is answered; `fixed` sends the fixed request.
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
                    Shown::Failed(error) => return Permit::Instead(Err((*error).clone())),
                    Shown::Accepted | Shown::Refused(_) | Shown::Doubtful | Shown::Nothing => {}
                },
                // Lets the other calls of a burst come.
                Step::Yield => {
                    yielded = true;
                    yield_now().await;
                }
                Step::Wait => changed.await,
                Step::WaitWithPatience => {
                    // Whether it changed or not is looked at above.
                    let _ = timeout(PATIENCE.saturating_sub(begun.elapsed()), changed).await;
                }
            }
        }
    }

    /// Waits while a request is under way that may give a verdict.
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
        // The caller's own request waits for the verdict, should it take longer.
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
                return Step::Done(Permit::Instead(Err(Error::clone(error))));
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

    /// Whether the fixed request can give a verdict.
    pub(super) fn has_fixed(&self) -> bool {
        self.state().by != By::Own
    }

    /// Whether requests may be sent.
    pub(super) fn is_accepted(&self) -> bool {
        matches!(self.state().known, Known::Accepted)
    }

    /// Takes note that the manager accepted a request.
    pub(super) fn accepted(&self) {
        self.state().known = Known::Accepted;
        self.changed.notify_waiters();
    }

    /// Takes note that the manager refused a request: the next one needs a proof again.
    pub(super) fn doubt(&self) {
        let mut state = self.state();
        if matches!(state.known, Known::Accepted) {
            state.known = Known::Nothing;
            if state.by == By::Either {
                state.by = By::Fixed;
            }
        }
    }

    /// Takes note that the manager refuses the credential, which all callers are answered for 900 s.
    pub(super) fn refused(&self, error: Error) {
        self.state().known = Known::Refused(Arc::new(error), Instant::now());
        self.changed.notify_waiters();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A caller that waits for a verdict.
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

/// A caller's own request that is sent first. Without a verdict before it is dropped, the fixed
/// request takes its place.
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
