//! The layers of the stack, one file each, and the extensions with which they communicate.
//!
//! Their order is in `stack.rs`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{Request, Response};
use tokio::time::Instant;
use tower::Service;

use crate::Error;

pub(crate) mod attempt_timeout;
mod backoff;
pub(crate) mod base_uri;
pub(crate) mod deadline;
pub(crate) mod governor;
pub(crate) mod meant_status;
pub(crate) mod origin;
mod outage;
pub(crate) mod remember;
pub(crate) mod retry;
mod retry_after;
pub(crate) mod trace;

#[cfg(test)]
pub(crate) mod testing;

/// A service that layers wrap and implement. It can be cloned for each attempt.
pub(crate) trait Inner:
    Service<Request<Bytes>, Response = Response<Bytes>, Error = Error, Future: Send>
    + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> Inner for S where
    S: Service<Request<Bytes>, Response = Response<Bytes>, Error = Error, Future: Send>
        + Clone
        + Send
        + Sync
        + 'static
{
}

/// The future that the services of the layers return.
pub(crate) type Answer = futures_util::future::BoxFuture<'static, Result<Response<Bytes>, Error>>;

/// Extension of a request: the time at which its caller started to wait.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Since(pub(crate) Instant);

/// Extension of a request: the deadline of the call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(pub(crate) Instant);

/// Extension of a request: whether its attempt has timed out.
#[derive(Debug, Clone, Default)]
pub(crate) struct TimedOut(Arc<AtomicBool>);

impl TimedOut {
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Set before the exchange is dropped.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Extension of a request: its caller has an alternative read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Alternative;

/// Extension of a request: it stands in for the requests of several lookups.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wide;

/// Extension of a reply: its attempts.
#[derive(Debug, Clone)]
pub(crate) struct Attempts {
    /// Number of requests, including the first.
    pub(crate) count: u32,
    /// Reason why there was no further attempt, unless the limit was reached.
    pub(crate) stopped: Option<String>,
}

/// Extension of a request: the progress of its attempts, for the error when the deadline expires.
#[derive(Debug, Clone, Default)]
pub(crate) struct Progress(Arc<Mutex<Past>>);

#[derive(Debug, Default)]
struct Past {
    /// Number of attempts whose request was sent.
    sent: u32,
    /// Number of the current attempt, starting at 1.
    attempt: u32,
    last: Option<Error>,
}

impl Progress {
    /// Records the start of an attempt, before it is sent.
    fn begins(&self, attempt: u32) {
        self.lock().attempt = attempt;
    }

    /// Records that the request of the current attempt is sent, or that its result is known.
    fn sent(&self) {
        let mut past = self.lock();
        past.sent = past.attempt;
    }

    /// Whether the request of the current attempt was sent.
    fn is_sent(&self) -> bool {
        let past = self.lock();
        past.sent == past.attempt
    }

    fn failed(&self, error: Option<Error>) {
        self.lock().last = error;
    }

    /// Takes the number of sent attempts and the failure of the last completed one.
    fn take(&self) -> (u32, Option<Error>) {
        let mut past = self.lock();
        (past.sent, past.last.take())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Past> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
