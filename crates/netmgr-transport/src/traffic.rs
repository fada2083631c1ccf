//! How much a client has sent and received, for statistics.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytes::Bytes;
use http::Request;
use tower::ServiceExt;

use crate::client::BoxStack;

/// What a client has sent and received so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Traffic {
    /// Requests sent, logins and retries included.
    pub requests: u64,
    /// Attempts after the first, over all calls.
    pub retries: u64,
    /// Bytes of the bodies received, after decompression.
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

/// `leaf`, whose requests and bytes are counted.
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
