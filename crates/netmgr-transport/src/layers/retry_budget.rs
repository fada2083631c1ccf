//! The budget of retries that all calls of a client share, so that they report an outage and do not multiply it.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Number of requests whose retries fit in the budget without a success.
const REQUESTS: u32 = 25;
/// Cost of a retry after 429: the manager throttles accounts, not paths, and the rate of requests is low by then.
const THROTTLED: u32 = 5;
/// Number of retries that a success permits. The budget lasts while at most two of three requests fail.
const PER_SUCCESS: u32 = 2;

/// Retries that are left. Retries spend, successes refill.
#[derive(Debug)]
pub(super) struct RetryBudget {
    left: AtomicU32,
    most: u32,
}

impl RetryBudget {
    /// The budget of a client that repeats each request at most `max_retries` times.
    pub(super) fn new(max_retries: u32) -> Self {
        let most = max_retries.saturating_mul(REQUESTS);
        Self {
            left: AtomicU32::new(most),
            most,
        }
    }

    /// Takes one retry. Returns whether there was one.
    pub(super) fn spend(&self, is_throttled: bool) -> bool {
        let cost = if is_throttled { THROTTLED } else { 1 };
        let spent = |left: u32| left.checked_sub(cost);
        self.left.fetch_update(Relaxed, Relaxed, spent).is_ok()
    }

    /// Refills after a success.
    pub(super) fn refill(&self) {
        let refilled = |left: u32| Some(left.saturating_add(PER_SUCCESS).min(self.most));
        let _ = self.left.fetch_update(Relaxed, Relaxed, refilled);
    }
}
