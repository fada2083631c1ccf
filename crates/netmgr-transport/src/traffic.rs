//! Counters of requests and bytes, and the clock of the manager.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::header::DATE;
use http::{HeaderMap, Request};
use tower::ServiceExt;

use crate::lock::lock;
use crate::service::BoxStack;

/// Requests and bytes of a client so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Traffic {
    /// Number of requests, including logins and retries.
    pub requests: u64,
    /// Number of retries of all calls.
    pub retries: u64,
    /// Number of received bytes of bodies, after decompression.
    pub bytes: u64,
}

/// The clock of the manager, from the header `Date` of a reply, and the clock of this machine when it arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clocks {
    /// Time of the manager, in whole seconds.
    pub manager: SystemTime,
    /// Time of this machine.
    pub here: SystemTime,
}

impl Clocks {
    /// Creates a pair of readings.
    #[must_use]
    pub fn new(manager: SystemTime, here: SystemTime) -> Self {
        Self { manager, here }
    }

    /// Time by which the manager's clock is ahead of this machine's, or `Err` with the time by which it is behind.
    ///
    /// # Errors
    ///
    /// The manager's clock is behind.
    pub fn ahead(&self) -> Result<Duration, Duration> {
        self.manager
            .duration_since(self.here)
            .map_err(|behind| behind.duration())
    }
}

/// The counters behind [`Traffic`].
#[derive(Debug, Default)]
pub(crate) struct TrafficCounters {
    clocks: Mutex<Option<Clocks>>,
    requests: AtomicU64,
    retries: AtomicU64,
    bytes: AtomicU64,
}

impl TrafficCounters {
    pub(crate) fn read(&self) -> Traffic {
        Traffic {
            requests: self.requests.load(Relaxed),
            retries: self.retries.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
        }
    }

    /// The clocks at the last reply with a date.
    pub(crate) fn clocks(&self) -> Option<Clocks> {
        *lock(&self.clocks)
    }

    fn read_clocks(&self, headers: &HeaderMap) {
        let date = headers.get(DATE).and_then(|date| date.to_str().ok());
        if let Some(manager) = date.and_then(|date| httpdate::parse_http_date(date).ok()) {
            let clocks = Clocks::new(manager, SystemTime::now());
            *lock(&self.clocks) = Some(clocks);
        }
    }

    /// Counts the attempts of a call.
    pub(crate) fn attempts(&self, attempts: u32) {
        self.retries.fetch_add(attempts.saturating_sub(1).into(), Relaxed);
    }
}

/// Wraps `leaf` to count requests and bytes.
pub(crate) fn counted(leaf: BoxStack, counters: Arc<TrafficCounters>) -> BoxStack {
    BoxStack::new(tower::service_fn(move |request: Request<Bytes>| {
        let counters = Arc::clone(&counters);
        let leaf = leaf.clone();
        async move {
            counters.requests.fetch_add(1, Relaxed);
            let answer = leaf.oneshot(request).await;
            if let Ok(reply) = &answer {
                counters.bytes.fetch_add(reply.body().len() as u64, Relaxed);
                counters.read_clocks(reply.headers());
            }
            answer
        }
    }))
}
