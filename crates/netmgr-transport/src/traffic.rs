//! Counters of requests and bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytes::Bytes;
use http::Request;
use tower::ServiceExt;

use crate::client::BoxStack;

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

/// The counters behind [`Traffic`].
#[derive(Debug, Default)]
pub(crate) struct Counters {
    requests: AtomicU64,
    retries: AtomicU64,
    bytes: AtomicU64,
}

impl Counters {
    pub(crate) fn read(&self) -> Traffic {
        Traffic {
            requests: self.requests.load(Relaxed),
            retries: self.retries.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
        }
    }

    /// Counts the attempts of a call.
    pub(crate) fn attempts(&self, attempts: u32) {
        self.retries.fetch_add(attempts.saturating_sub(1).into(), Relaxed);
    }
}

/// Wraps `leaf` to count requests and bytes.
pub(crate) fn counted(leaf: BoxStack, counters: Arc<Counters>) -> BoxStack {
    BoxStack::new(tower::service_fn(move |request: Request<Bytes>| {
        let counters = Arc::clone(&counters);
        let leaf = leaf.clone();
        async move {
            counters.requests.fetch_add(1, Relaxed);
            let answer = leaf.oneshot(request).await;
            if let Ok(reply) = &answer {
                counters.bytes.fetch_add(reply.body().len() as u64, Relaxed);
            }
            answer
        }
    }))
}
