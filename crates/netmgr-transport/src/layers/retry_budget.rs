//! The budget of retries that all calls of a client share, so that they report an outage and do not multiply it.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Number of retries without a success.
const CAPACITY: u32 = 400;
/// Number of retries that a success permits. The budget lasts while at most two of three requests fail.
const PER_SUCCESS: u32 = 2;

/// Retries that are left. Retries spend, successes refill.
#[derive(Debug)]
pub(super) struct RetryBudget(AtomicU32);

impl Default for RetryBudget {
    fn default() -> Self {
        Self(AtomicU32::new(CAPACITY))
    }
}

impl RetryBudget {
    /// Takes one retry. Returns whether there was one.
    pub(super) fn spend(&self) -> bool {
        let spent = self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        spent.is_ok()
    }

    /// Refills after a success.
    pub(super) fn refill(&self) {
        let refilled = |left: u32| Some((left + PER_SUCCESS).min(CAPACITY));
        let _ = self.0.fetch_update(Relaxed, Relaxed, refilled);
    }
}
