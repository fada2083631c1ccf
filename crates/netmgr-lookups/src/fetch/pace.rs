//! The pace at which lookups send their own requests after a wide request failed.
//!
//! Either only the wide request failed, or the manager is down. Two concurrent own requests find out; the number
//! doubles each second. An outage is therefore not multiplied by the number of lookups, and the failure of a wide
//! request alone costs little.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

/// Own requests in flight during the first second.
const FIRST: u32 = 2;

/// Seconds of growth, after which there are more permits than lookups.
const LONGEST_GROWTH: u32 = 20;

/// The pace of own requests, which lasts as long as lookups wait for it.
pub(super) struct Pace {
    began: Instant,
    permits: Arc<Semaphore>,
    /// Seconds for which permits were added.
    grown: AtomicU32,
    /// Cancelled when the manager answers after an outage of more than a second.
    over: CancellationToken,
    /// Whether an own request succeeded.
    has_success: AtomicBool,
}

/// The next step of a lookup after its wide request failed.
pub(super) enum Start {
    /// It sends its own request.
    OwnRequest(PacePermit),
    /// It returns to the queue with other lookups, because an outage is over.
    BoardAgain,
}

/// Permission for one own request in flight.
pub(super) struct PacePermit {
    pace: Arc<Pace>,
    _permit: OwnedSemaphorePermit,
}

impl Pace {
    /// The pace after a failure at this time.
    pub(super) fn new(began: Instant) -> Self {
        Self {
            began,
            permits: Arc::new(Semaphore::new(FIRST as usize)),
            grown: AtomicU32::new(0),
            over: CancellationToken::new(),
            has_success: AtomicBool::new(false),
        }
    }

    /// Whether waiting lookups return to the queue.
    pub(super) fn is_over(&self) -> bool {
        self.over.is_cancelled()
    }

    /// Waits until the lookup may send its own request, or until an outage is over.
    pub(super) async fn start(self: Arc<Self>) -> Start {
        loop {
            let grown = self.grown.load(Relaxed);
            let growth = self.began + Duration::from_secs(u64::from(grown) + 1);
            tokio::select! {
                biased;
                () = self.over.cancelled() => return Start::BoardAgain,
                permit = Arc::clone(&self.permits).acquire_owned() => {
                    let Ok(permit) = permit else { return Start::BoardAgain };
                    return Start::OwnRequest(PacePermit { pace: self, _permit: permit });
                }
                () = sleep_until(growth), if grown < LONGEST_GROWTH => self.grow(),
            }
        }
    }

    /// Adds the permits for the seconds that have passed, doubling their number each second.
    fn grow(&self) {
        let seconds = u32::try_from(self.began.elapsed().as_secs()).unwrap_or(u32::MAX);
        let seconds = seconds.min(LONGEST_GROWTH);
        let grown = self.grown.fetch_max(seconds, Relaxed);
        for second in grown..seconds {
            self.permits.add_permits((FIRST << second) as usize);
        }
    }
}

impl PacePermit {
    /// Ends an own request with its outcome. If the first success takes longer than a second, there was an outage, and
    /// the lookups that still wait return to the queue.
    pub(super) fn end<T, E>(self, outcome: &Result<T, E>) {
        let pace = &self.pace;
        let is_first = outcome.is_ok() && !pace.has_success.swap(true, Relaxed);
        if is_first && pace.began.elapsed() >= Duration::from_secs(1) {
            pace.over.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    async fn starts(pace: &Arc<Pace>, held: &mut Vec<PacePermit>) -> usize {
        while let Some(Start::OwnRequest(permit)) = Arc::clone(pace).start().now_or_never() {
            held.push(permit);
        }
        held.len()
    }

    #[tokio::test(start_paused = true)]
    async fn twice_as_many_own_requests_are_in_flight_each_second() {
        let pace = Arc::new(Pace::new(Instant::now()));
        let mut held = Vec::new();
        for expected in [2, 4, 8, 16, 32] {
            assert_eq!(starts(&pace, &mut held).await, expected);
            tokio::time::advance(Duration::from_secs(1)).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_late_first_success_lets_the_others_board_again() {
        for (after, boards_again) in [(100, false), (1100, true)] {
            let pace = Arc::new(Pace::new(Instant::now()));
            let Start::OwnRequest(first) = Arc::clone(&pace).start().await else {
                panic!("the first one starts")
            };
            tokio::time::advance(Duration::from_millis(after)).await;
            first.end(&Ok::<(), ()>(()));
            assert_eq!(pace.is_over(), boards_again, "{after} ms");
        }
    }
}
