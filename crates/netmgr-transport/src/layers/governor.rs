//! Keeps the client below the manager's limits: requests per second and requests in flight.
//!
//! The manager counts per account and answers 429 or 503 above its limits (manager-transport 4.5).
//! Waiting calls are served in the order they came; a call that is dropped gives up its place. Not
//! here: repeating a throttled request (`retry.rs`).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};
use tower::{Layer, Service, ServiceExt};

use super::retry_after::retry_after;
use super::{Answer, Inner};
use crate::Error;
use crate::classify::{PAGE_TOO_LARGE, has_code};

mod window;

pub(crate) use window::Limits;
use window::Window;

/// Layer of [`Governed`]; all services made from it and their clones share one governor.
#[derive(Debug, Clone)]
pub(crate) struct GovernorLayer(Arc<Governor>);

impl GovernorLayer {
    pub(crate) fn new(limits: Limits) -> Self {
        Self(Arc::new(Governor {
            head: tokio::sync::Mutex::new(()),
            window: Mutex::new(Window::new(limits, Instant::now())),
            freed: Notify::new(),
        }))
    }
}

#[derive(Debug)]
struct Governor {
    /// Held by the one call that waits for a place; the others queue behind it, first come first
    /// served, and a dropped one leaves the queue.
    head: tokio::sync::Mutex<()>,
    window: Mutex<Window>,
    /// Wakes the head when a request has ended.
    freed: Notify,
}

impl Governor {
    fn window(&self) -> MutexGuard<'_, Window> {
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn admit(self: Arc<Self>) -> Place {
        let head = self.head.lock().await;
        loop {
            let now = Instant::now();
            let admitted = self.window().admit(now);
            match admitted {
                Ok(()) => break,
                Err(Some(later)) => tokio::select! {
                    () = sleep_until(later) => {}
                    () = self.freed.notified() => {}
                },
                Err(None) => self.freed.notified().await,
            }
        }
        drop(head);
        Place {
            since: Instant::now(),
            governor: self,
        }
    }
}

/// The right to have one request in flight; given back when dropped.
struct Place {
    governor: Arc<Governor>,
    since: Instant,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.governor.window().ended(Instant::now());
        self.governor.freed.notify_one();
    }
}

impl<S> Layer<S> for GovernorLayer {
    type Service = Governed<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Governed {
            inner,
            governor: Arc::clone(&self.0),
        }
    }
}

/// See the module.
#[derive(Debug, Clone)]
pub(crate) struct Governed<S> {
    inner: S,
    governor: Arc<Governor>,
}

impl<S: Inner> Service<Request<Bytes>> for Governed<S> {
    type Response = S::Response;
    type Error = Error;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let inner = self.inner.clone();
        let governor = Arc::clone(&self.governor);
        Box::pin(async move {
            let place = governor.admit().await;
            let answer = inner.oneshot(request).await;
            if let Ok(reply) = &answer
                && is_throttling(reply)
            {
                place
                    .governor
                    .window()
                    .throttled(place.since, Instant::now(), retry_after(reply.headers()));
            }
            answer
        })
    }
}

fn is_throttling(reply: &Response<Bytes>) -> bool {
    match reply.status() {
        StatusCode::TOO_MANY_REQUESTS => true,
        // Too large a page has the same status, and says nothing about the load.
        StatusCode::SERVICE_UNAVAILABLE => !has_code(reply, PAGE_TOO_LARGE),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
