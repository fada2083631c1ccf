//! Keeps the client below the manager's limits: requests per second and requests in flight.
//!
//! The manager counts per account and answers 429 or 503 above its limits. A service
//! is ready when it has a slot; the caller then signs its request (decision limits). Waiting requests are served in
//! order, after logins; a logout is served immediately. A dropped call releases its slot. Throttled requests
//! are retried in `retry.rs`.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::{Request, Response, StatusCode};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until};
use tower::{Layer, Service, ServiceExt};

use crate::Error;
use crate::classify::{PAGE_TOO_LARGE, has_code, is_of_manager};
use crate::lock::lock;
use crate::service::{Inner, Outcome};

mod window;

pub(crate) use window::Limits;
use window::{ManagerLoad, Window};

/// If a request has waited this long and all slots are in use, the number of requests in flight is increased: those that
/// are under way may hang.
const WIDEN_AFTER: Duration = Duration::from_millis(500);

/// Time after which a call takes a slot that the head of its queue has not taken.
const STALE_HEAD: Duration = Duration::from_secs(1);
/// How long a free slot is left to the head of the queue.
const HEAD_GRACE: Duration = Duration::from_millis(50);

/// The lane of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Served in order.
    Request,
    /// Served before all requests, because they wait for the login.
    Login,
    /// Served immediately, even during a pause, because it is the last request of the program.
    Logout,
}

/// Layer of [`Governed`]. All its services, lanes and clones share a governor.
#[derive(Debug, Clone)]
pub(crate) struct GovernorLayer {
    governor: Arc<Governor>,
    lane: Lane,
}

impl GovernorLayer {
    /// Creates a layer for requests.
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

    /// Creates a layer with the same governor for another lane.
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
    /// Held by the call that waits for the next slot. The others queue for the lock in order, and a dropped
    /// call leaves the queue.
    head: tokio::sync::Mutex<()>,
    /// Wakes the head of the queue when a slot may be free.
    freed: Notify,
}

impl Governor {
    fn window(&self) -> MutexGuard<'_, Window> {
        lock(&self.window)
    }

    async fn admit(self: Arc<Self>, lane: Lane) -> RequestSlot {
        let number = match lane {
            Lane::Request => self.wait(&self.requests, lane).await,
            Lane::Login => {
                let _first = LoginPriority::new(&self);
                self.wait(&self.logins, lane).await
            }
            Lane::Logout => self.window().admit_at_once(Instant::now()),
        };
        RequestSlot {
            governor: self,
            number,
            is_sent: false,
        }
    }

    /// Waits in a queue. Its head may belong to an idle runtime: another call then takes a slot that stays free.
    async fn wait(&self, queue: &Queue, lane: Lane) -> u64 {
        let since = Instant::now();
        let try_admit = || self.window().admit(Instant::now(), lane == Lane::Login);
        let mut head = pin!(queue.head.lock());
        let _head = loop {
            tokio::select! {
                biased;
                head = &mut head => break head,
                () = sleep(STALE_HEAD) => {}
            }
            let is_free = self
                .window()
                .clone()
                .admit(Instant::now(), lane == Lane::Login)
                .is_ok();
            if is_free {
                // The head takes it, unless its runtime is idle.
                sleep(HEAD_GRACE).await;
                if let Ok(number) = try_admit() {
                    return number;
                }
            }
        };
        loop {
            let mut later = match try_admit() {
                Ok(number) => return number,
                Err(later) => later.unwrap_or_else(|| Instant::now() + STALE_HEAD),
            };
            if self.window().can_widen() {
                if since.elapsed() >= WIDEN_AFTER {
                    self.window().widen();
                    continue;
                }
                later = later.min(since + WIDEN_AFTER);
            }
            tokio::select! {
                () = sleep_until(later) => {}
                () = queue.freed.notified() => {}
            }
        }
    }
}

/// A login that waits for a slot. Requests are held back in the meantime.
struct LoginPriority<'a>(&'a Governor);

impl<'a> LoginPriority<'a> {
    fn new(governor: &'a Governor) -> Self {
        governor.window().login_waits(Instant::now());
        Self(governor)
    }
}

impl Drop for LoginPriority<'_> {
    fn drop(&mut self) {
        self.0.window().login_left();
        self.0.requests.freed.notify_one();
    }
}

/// A slot for a request in flight. Dropping it releases the slot.
struct RequestSlot {
    governor: Arc<Governor>,
    number: u64,
    /// Whether the request was sent. A slot without a request does not count towards the rate.
    is_sent: bool,
}

impl Drop for RequestSlot {
    fn drop(&mut self) {
        let ended = self.is_sent.then(Instant::now);
        self.governor.window().give_back(self.number, ended);
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

/// See the module documentation.
pub(crate) struct Governed<S> {
    inner: S,
    governor: Arc<Governor>,
    lane: Lane,
    admission: Admission,
}

enum Admission {
    None,
    Waiting(Pin<Box<dyn Future<Output = RequestSlot> + Send + Sync>>),
    Admitted(RequestSlot),
}

/// A clone has no slot and waits for its own.
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
    type Future = BoxFuture<'static, Outcome>;

    /// Ready when it has a slot. Dropping the service releases the slot.
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        loop {
            match &mut self.admission {
                Admission::None => {
                    let slot = Arc::clone(&self.governor).admit(self.lane);
                    self.admission = Admission::Waiting(Box::pin(slot));
                }
                Admission::Waiting(admission) => {
                    let slot = ready!(admission.as_mut().poll(context));
                    self.admission = Admission::Admitted(slot);
                }
                Admission::Admitted(_) => return Poll::Ready(Ok(())),
            }
        }
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let Admission::Admitted(mut slot) = std::mem::replace(&mut self.admission, Admission::None) else {
            panic!("a service is called once it is ready");
        };
        let since = Instant::now();
        slot.is_sent = true;
        slot.governor.window().sent(slot.number, since);
        let answer = self.inner.clone().oneshot(request);
        Box::pin(async move {
            let answer = answer.await;
            let now = Instant::now();
            let mut window = slot.governor.window();
            if let Some(load) = answer.as_ref().ok().and_then(load) {
                window.throttled(since, now, load);
            }
            window.ended(since, now, is_away(&answer));
            drop(window);
            answer
        })
    }
}

/// Returns the load of the manager that a reply reports.
fn load(reply: &Response<Bytes>) -> Option<ManagerLoad> {
    match reply.status() {
        StatusCode::TOO_MANY_REQUESTS => Some(ManagerLoad::TooManyRequests),
        // An oversized page has the same status, and a proxy reports the state of one path. Neither indicates
        // the load.
        StatusCode::SERVICE_UNAVAILABLE if is_of_manager(reply) && !has_code(reply, PAGE_TOO_LARGE) => {
            Some(ManagerLoad::Overloaded)
        }
        _ => None,
    }
}

/// Whether the manager did not respond, or not itself.
fn is_away(answer: &Outcome) -> bool {
    answer.as_ref().map_or(true, |reply| {
        matches!(
            reply.status(),
            StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT
        )
    })
}

#[cfg(test)]
mod tests;
