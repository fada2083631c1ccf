//! The layers of the stack, one file each, and what they tell each other.
//!
//! Not here: their order (`stack.rs`).

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

/// What every layer wraps and is: a service that can be copied for each attempt.
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

/// What the services of the layers return.
pub(crate) type Answer = futures_util::future::BoxFuture<'static, Result<Response<Bytes>, Error>>;

/// Extension of a request: when its caller began to wait.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Since(pub(crate) Instant);

/// Extension of a request: when the whole call has to be answered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(pub(crate) Instant);

/// Extension of a request: whether its attempt has timed out.
#[derive(Debug, Clone, Default)]
pub(crate) struct TimedOut(Arc<AtomicBool>);

impl TimedOut {
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Known when the exchange is dropped.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Extension of a request: its caller has another read for the same answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Alternative;

/// Extension of a reply: how it came about.
#[derive(Debug, Clone)]
pub(crate) struct Attempts {
    /// Requests sent, the first included.
    pub(crate) count: u32,
    /// Why there was no further attempt, where the count does not tell.
    pub(crate) stopped: Option<String>,
}

/// Extension of a request: how far its attempts are, kept for the moment when the deadline ends
/// them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Progress(Arc<Mutex<Past>>);

#[derive(Debug, Default)]
struct Past {
    /// Attempts whose request was sent.
    sent: u32,
    /// The attempt under way, counted from 1.
    attempt: u32,
    last: Option<Error>,
}

impl Progress {
    /// An attempt begins, which has not been sent yet.
    fn begins(&self, attempt: u32) {
        self.lock().attempt = attempt;
    }

    /// The request of the attempt under way goes out, or its outcome is known.
    fn sent(&self) {
        let mut past = self.lock();
        past.sent = past.attempt;
    }

    /// Whether the request of the attempt under way has gone out.
    fn is_sent(&self) -> bool {
        let past = self.lock();
        past.sent == past.attempt
    }

    fn failed(&self, error: Option<Error>) {
        self.lock().last = error;
    }

    /// Attempts sent and the failure of the last one that ended.
    fn take(&self) -> (u32, Option<Error>) {
        let mut past = self.lock();
        (past.sent, past.last.take())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Past> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
