//! The layers of the stack, one file each, and what they tell each other.
//!
//! Not here: their order (`stack.rs`).

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
pub(crate) mod origin;
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

/// Extension of a request: when the whole call has to be answered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(pub(crate) Instant);

/// Extension of a reply: how it came about.
#[derive(Debug, Clone)]
pub(crate) struct Attempts {
    /// Attempts made, the first included.
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
    attempts: u32,
    last: Option<Error>,
}

impl Progress {
    fn started(&self, attempt: u32) {
        self.lock().attempts = attempt;
    }

    fn failed(&self, error: Error) {
        self.lock().last = Some(error);
    }

    /// Attempts begun and the failure of the last one that ended.
    fn take(&self) -> (u32, Option<Error>) {
        let mut past = self.lock();
        (past.attempts, past.last.take())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Past> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
