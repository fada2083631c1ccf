//! Keeps the client below the manager's limits: requests per second and requests in flight.
//!
//! The manager counts per account and answers 429 or 503 above its limits (manager-transport 4.5).
//! A service is ready once it has a place; the caller may sign its request then (0142). Waiting
//! requests are served in the order they came, logins before them, and a logout at once; a call that
//! is dropped gives up its place. Not here: repeating a throttled request (`retry.rs`).

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};
use tower::{Layer, Service, ServiceExt};

use super::retry_after::retry_after;
use super::{Answer, Inner};
use crate::Error;
use crate::classify::{PAGE_TOO_LARGE, has_code, is_of_manager};

mod window;

pub(crate) use window::Limits;
use window::{Load, Window};

/// A request that has waited this long for others to end makes room for one more in flight.
const CROWDED: Duration = Duration::from_millis(500);

/// Who waits for a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// First come, first served.
    Request,
    /// Before all requests, because they wait for it.
    Login,
    /// At once, also during a pause: it ends the program, and nothing follows it.
    Logout,
}

/// Layer of [`Governed`]; all services made from it, its lanes and their clones share one governor.
#[derive(Debug, Clone)]
pub(crate) struct GovernorLayer {
    governor: Arc<Governor>,
    lane: Lane,
}

impl GovernorLayer {
    /// A layer for requests.
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            governor: Arc::new(Governor {
                window: Mutex::new(Window::new(limits, Instant::now())),
                requests: Queue::default(),
                logins: Queue::default(),
            }),
            lane: Lane::Request,
        }
    }

    /// A layer with the same governor for another lane.
    pub(crate) fn lane(&self, lane: Lane) -> Self {
        Self {
            governor: Arc::clone(&self.governor),
            lane,
        }
    }
}

#[derive(Debug)]
struct Governor {
    window: Mutex<Window>,
    requests: Queue,
    logins: Queue,
}

#[derive(Debug, Default)]
struct Queue {
    /// Held by the one call that waits for a place; the others queue behind it, first come first
    /// served, and a dropped one leaves the queue.
    head: tokio::sync::Mutex<()>,
    /// Wakes the head when a place may be free.
    freed: Notify,
}

impl Governor {
    fn window(&self) -> MutexGuard<'_, Window> {
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn admit(self: Arc<Self>, lane: Lane) -> Place {
        match lane {
            Lane::Request => self.wait(&self.requests, lane).await,
            Lane::Login => {
                let _first = GoesFirst::new(&self);
                self.wait(&self.logins, lane).await;
            }
            Lane::Logout => self.window().admit_at_once(),
        }
        Place {
            governor: self,
            sent: None,
        }
    }

    async fn wait(&self, queue: &Queue, lane: Lane) {
        let since = Instant::now();
        let _head = queue.head.lock().await;
        let mut was_full = false;
        loop {
            let admitted = self.window().admit(Instant::now(), lane == Lane::Login);
            match admitted {
                Ok(()) => {
                    // Only requests in flight held it up, not the rate of requests.
                    if was_full && since.elapsed() >= CROWDED {
                        self.window().widen();
                    }
                    return;
                }
                Err(Some(later)) => tokio::select! {
                    () = sleep_until(later) => {}
                    () = queue.freed.notified() => {}
                },
                Err(None) => {
                    was_full = true;
                    queue.freed.notified().await;
                }
            }
        }
    }
}

/// A login that waits for its place, and holds the requests back meanwhile.
struct GoesFirst<'a>(&'a Governor);

impl<'a> GoesFirst<'a> {
    fn new(governor: &'a Governor) -> Self {
        governor.window().logins_waiting += 1;
        Self(governor)
    }
}

impl Drop for GoesFirst<'_> {
    fn drop(&mut self) {
        self.0.window().logins_waiting -= 1;
        self.0.requests.freed.notify_one();
    }
}

/// The right to have one request in flight; given back when dropped.
struct Place {
    governor: Arc<Governor>,
    /// When the request was sent. A place without one costs nothing.
    sent: Option<Instant>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let ended = self.sent.map(|_| Instant::now());
        self.governor.window().give_back(ended);
        self.governor.logins.freed.notify_one();
        self.governor.requests.freed.notify_one();
    }
}

impl<S> Layer<S> for GovernorLayer {
    type Service = Governed<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Governed {
            inner,
            governor: Arc::clone(&self.governor),
            lane: self.lane,
            admission: Admission::None,
        }
    }
}

/// See the module.
pub(crate) struct Governed<S> {
    inner: S,
    governor: Arc<Governor>,
    lane: Lane,
    admission: Admission,
}

enum Admission {
    None,
    Waiting(Pin<Box<dyn Future<Output = Place> + Send + Sync>>),
    Admitted(Place),
}

/// A clone has no place, and waits for one of its own.
impl<S: Clone> Clone for Governed<S> {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            governor: Arc::clone(&self.governor),
            lane: self.lane,
            admission: Admission::None,
        }
    }
}

impl<S: Inner> Service<Request<Bytes>> for Governed<S> {
    type Response = S::Response;
    type Error = Error;
    type Future = Answer;

    /// Ready once it has a place. A service that is dropped gives its place back.
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        loop {
            match &mut self.admission {
                Admission::None => {
                    let place = Arc::clone(&self.governor).admit(self.lane);
                    self.admission = Admission::Waiting(Box::pin(place));
                }
                Admission::Waiting(admission) => {
                    let place = ready!(admission.as_mut().poll(context));
                    self.admission = Admission::Admitted(place);
                }
                Admission::Admitted(_) => return Poll::Ready(Ok(())),
            }
        }
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let Admission::Admitted(mut place) = std::mem::replace(&mut self.admission, Admission::None) else {
            panic!("a service is called once it is ready");
        };
        let since = Instant::now();
        place.sent = Some(since);
        let answer = self.inner.clone().oneshot(request);
        Box::pin(async move {
            let answer = answer.await;
            if let Ok(reply) = &answer
                && let Some(load) = load(reply)
            {
                place.governor.window().throttled(since, Instant::now(), load);
            }
            answer
        })
    }
}

/// What a reply reports about the load of the manager.
fn load(reply: &Response<Bytes>) -> Option<Load> {
    match reply.status() {
        StatusCode::TOO_MANY_REQUESTS => Some(Load::TooManyRequests {
            pause: retry_after(reply.headers()),
        }),
        // Too large a page has the same status, and a proxy reports what is behind one path: neither
        // is about the load, and no other path waits for its `Retry-After`.
        StatusCode::SERVICE_UNAVAILABLE if is_of_manager(reply) && !has_code(reply, PAGE_TOO_LARGE) => {
            Some(Load::Overloaded)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
