//! What is down, and which call may probe it.
//!
//! All calls of a client share it. While the manager, or one path of it, fails, one request at a
//! time is sent for all calls that wait, as a probe; it is a request of one of them. A probe that
//! fails counts as one failed attempt for each call that waited for it, and the next one follows
//! after the backoff. An answer releases all. Not here: which outcomes are failures and how many
//! attempts a call has (`retry.rs`).

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::Progress;
use super::backoff::Backoff;
use crate::Error;

mod state;

pub(super) use state::Scope;
use state::{State, Turn};

/// The outages of one client.
pub(super) struct Outages {
    state: Mutex<State>,
    /// Wakes the calls that wait, after every change.
    changed: Notify,
}

impl Outages {
    pub(super) fn new(backoff: Backoff) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State::new(backoff)),
            changed: Notify::new(),
        })
    }

    /// A call that is going to request `path`.
    pub(super) fn caller(self: &Arc<Self>, path: &str) -> Caller {
        Caller {
            outages: Arc::clone(self),
            path: path.to_owned(),
            place: None,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns once requests of `path` have to wait.
    async fn closed(&self, path: &str) {
        loop {
            let changed = self.changed.notified();
            if self.state().is_closed(path) {
                return;
            }
            changed.await;
        }
    }
}

/// One call. It loses its place among those that wait when it is dropped.
pub(super) struct Caller {
    outages: Arc<Outages>,
    path: String,
    place: Option<u64>,
}

/// What a call may do next.
pub(super) enum Pass {
    /// Send its request.
    Send(Grant),
    /// Count a failed attempt: a probe that it waited for has failed.
    Failed(Arc<Error>),
    /// End: no request is sent before its deadline.
    Late {
        /// The failure that began or prolonged the outage.
        last: Arc<Error>,
        /// The wait that the manager requested, where it is the reason.
        requested: Option<Duration>,
    },
}

impl Caller {
    /// Whether an outage holds the call up at the moment.
    pub(super) fn has_to_wait(&self) -> bool {
        self.outages.state().is_closed(&self.path)
    }

    /// Waits until the call may send or has to count a failure.
    pub(super) async fn pass(&mut self, deadline: Option<Instant>) -> Pass {
        let outages = Arc::clone(&self.outages);
        loop {
            let changed = outages.changed.notified();
            let turn = outages.state().turn(&mut self.place, &self.path, Instant::now());
            match turn {
                Turn::Send(probe) => {
                    return Pass::Send(Grant {
                        outages: Arc::clone(&outages),
                        path: self.path.clone(),
                        probe,
                    });
                }
                Turn::Failed(failure) => return Pass::Failed(failure),
                Turn::Sleep {
                    until,
                    last,
                    requested,
                } => {
                    if deadline.is_some_and(|deadline| until >= deadline) {
                        return Pass::Late { last, requested };
                    }
                    tokio::select! {
                        () = sleep_until(until) => {}
                        () = changed => {}
                    }
                }
                Turn::Wait => changed.await,
            }
        }
    }
}

impl Drop for Caller {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            self.outages.state().leave(place);
            self.outages.changed.notify_waiters();
        }
    }
}

/// The right to send one request. Its outcome has to be reported; when it is dropped instead, the
/// next call probes.
pub(super) struct Grant {
    outages: Arc<Outages>,
    path: String,
    /// Number of the probe, if it is one.
    probe: Option<u64>,
}

impl Grant {
    /// Drives `attempt` to its outcome; none when an outage began before its request was sent.
    pub(super) async fn drive<T>(&self, attempt: impl Future<Output = T>, progress: &Progress) -> Option<T> {
        let held = async {
            self.outages.closed(&self.path).await;
            if self.probe.is_some() || progress.is_sent() {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            biased;
            () = held => None,
            outcome = attempt => Some(outcome),
        }
    }

    /// The request was answered.
    pub(super) fn answered(mut self) {
        let probe = self.probe.take();
        self.outages.state().answered(&self.path, probe);
        self.outages.changed.notify_waiters();
    }

    /// The request failed; `requested` is the wait that the manager requested.
    pub(super) fn failed(mut self, scope: Scope, failure: &Arc<Error>, requested: Option<Duration>) {
        let probe = self.probe.take();
        self.outages
            .state()
            .failed(&self.path, probe, scope, failure, requested, Instant::now());
        self.outages.changed.notify_waiters();
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        if let Some(probe) = self.probe {
            self.outages.state().abandoned(probe);
            self.outages.changed.notify_waiters();
        }
    }
}
