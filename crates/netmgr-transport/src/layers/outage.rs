//! Outages, and the calls that probe for their end.
//!
//! All calls of a client share outages. While the manager or one of its paths fails, one request at a time is
//! sent as a probe for all waiting calls; it is the request of one of them. A failed probe counts as a failed
//! attempt of each waiting call, and the next probe follows after the backoff. A reply ends the outage.
//! `retry.rs` decides which results are failures, and limits the number of attempts.

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

/// The outages of a client.
pub(super) struct Outages {
    state: Mutex<State>,
    /// Wakes the waiting calls after every change.
    changed: Notify,
}

impl Outages {
    pub(super) fn new(backoff: Backoff) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State::new(backoff)),
            changed: Notify::new(),
        })
    }

    /// Registers a call that will request `path`.
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

    /// Waits until requests of `path` have to wait.
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

/// A call. It leaves the queue when it is dropped.
pub(super) struct Caller {
    outages: Arc<Outages>,
    path: String,
    place: Option<u64>,
}

/// Next step of a call.
pub(super) enum Pass {
    /// Send its request.
    Send(Grant),
    /// Count a failed attempt, because a probe failed.
    Failed(Error),
    /// Stop, because no request can be sent before the deadline.
    Late {
        /// The failure that started or prolonged the outage.
        last: Error,
        /// The delay that the manager requested, if it is the reason.
        requested: Option<Duration>,
    },
}

impl Caller {
    /// Whether the call has to wait for an outage.
    pub(super) fn has_to_wait(&self) -> bool {
        self.outages.state().is_closed(&self.path)
    }

    /// Waits for the next step of the call.
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

/// The right to send one request. Its result must be reported; if it is dropped, the next call probes.
pub(super) struct Grant {
    outages: Arc<Outages>,
    path: String,
    /// Number of the probe, if the request is one.
    probe: Option<u64>,
}

impl Grant {
    /// Runs `attempt`. `None` if an outage started before its request was sent.
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

    /// Records that the request was answered.
    pub(super) fn answered(mut self) {
        let probe = self.probe.take();
        self.outages.state().answered(&self.path, probe);
        self.outages.changed.notify_waiters();
    }

    /// Records that the request failed. `requested` is the delay that the manager requested.
    pub(super) fn failed(mut self, scope: Scope, failure: &Error, requested: Option<Duration>) {
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
