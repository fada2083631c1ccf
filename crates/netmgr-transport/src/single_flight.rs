//! Work that one caller does for all who wait: a login, or the request for the version.
//!
//! The caller that starts the work drives it, in its own runtime. If it is dropped, or its runtime ends, the next caller
//! starts the work again. A caller also takes over if there was no progress for a while, because a runtime can rest for
//! any time.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until, timeout};

/// One piece of work at a time, and its last result.
pub(crate) struct SingleFlight<T> {
    /// Time without progress after which a waiting caller takes over.
    patience: Duration,
    slot: Mutex<Slot<T>>,
    /// Wakes those that wait when work ends.
    ended: Notify,
}

struct Slot<T> {
    /// Number of works that were started.
    started: u64,
    /// The last one that was started, unless it has ended.
    under_way: Option<UnderWay>,
    /// Number of callers that drive work, including work that was taken over.
    driven: u32,
    /// Number of callers that wait.
    waiting: u32,
    /// Number and result of the last one that ended.
    last: Option<(u64, T)>,
}

#[derive(Clone, Copy)]
struct UnderWay {
    number: u64,
    /// Time of its last progress.
    since: Instant,
}

/// The result of a work.
pub(crate) enum Landed<T> {
    /// It was known before.
    Known(T),
    /// This caller did the work.
    Own(T),
    /// Another caller did the work.
    Shared(T),
}

impl<T> Landed<T> {
    pub(crate) fn into_inner(self) -> T {
        match self {
            Self::Known(result) | Self::Own(result) | Self::Shared(result) => result,
        }
    }
}

impl<T: Clone> SingleFlight<T> {
    pub(crate) fn new(patience: Duration) -> Self {
        Self {
            patience,
            slot: Mutex::new(Slot {
                started: 0,
                under_way: None,
                driven: 0,
                waiting: 0,
                last: None,
            }),
            ended: Notify::new(),
        }
    }

    /// Returns what is `known`; or else waits for the work under way; or else does the `work`. Takes over if there is no
    /// progress; each time, the next caller is twice as patient.
    pub(crate) async fn run<F: Future<Output = T>>(
        self: &Arc<Self>,
        known: impl Fn() -> Option<T>,
        work: impl FnOnce(Driver<T>) -> F,
    ) -> Landed<T> {
        let mut waiting: Option<Waiting<'_, T>> = None;
        loop {
            let mut ended = pin!(self.ended.notified());
            ended.as_mut().enable();
            if let Some(known) = known() {
                return Landed::Known(known);
            }
            let number = {
                let mut slot = self.slot();
                if let Some(waiting) = &waiting
                    && let Some((number, result)) = &slot.last
                    && *number >= waiting.number
                {
                    let result = result.clone();
                    drop(slot);
                    return Landed::Shared(result);
                }
                let patience = self
                    .patience
                    .saturating_mul(1 << slot.driven.saturating_sub(1).min(16));
                let under_way = slot.under_way.map(|work| (work.number, work.since + patience));
                match under_way.filter(|(_, until)| Instant::now() < *until) {
                    Some((number, until)) => Err((number, until)),
                    None => Ok(slot.start()),
                }
            };
            match number {
                Ok(number) => {
                    drop(waiting);
                    let driver = Driver {
                        flight: Arc::clone(self),
                        number,
                    };
                    let result = work(driver).await;
                    return Landed::Own(result);
                }
                Err((number, until)) => {
                    waiting.get_or_insert_with(|| Waiting::new(self, number));
                    tokio::select! {
                        () = ended => {}
                        () = sleep_until(until) => {}
                    }
                }
            }
        }
    }

    /// Waits for the end of the work under way, but not longer than `limit`.
    pub(crate) async fn settled(&self, limit: Duration) {
        let _ = timeout(limit, self.until(|| self.slot().under_way.is_none())).await;
    }

    /// Waits until `is_so`, which can only change when work ends.
    pub(crate) async fn until(&self, is_so: impl Fn() -> bool) {
        loop {
            let mut ended = pin!(self.ended.notified());
            ended.as_mut().enable();
            if is_so() {
                return;
            }
            ended.await;
        }
    }

    fn slot(&self) -> MutexGuard<'_, Slot<T>> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Slot<T> {
    fn start(&mut self) -> u64 {
        self.started += 1;
        self.driven += 1;
        self.under_way = Some(UnderWay {
            number: self.started,
            since: Instant::now(),
        });
        self.started
    }
}

/// A caller that waits for a work.
struct Waiting<'a, T: Clone> {
    flight: &'a SingleFlight<T>,
    number: u64,
}

impl<'a, T: Clone> Waiting<'a, T> {
    fn new(flight: &'a SingleFlight<T>, number: u64) -> Self {
        flight.slot().waiting += 1;
        Self { flight, number }
    }
}

impl<T: Clone> Drop for Waiting<'_, T> {
    fn drop(&mut self) {
        self.flight.slot().waiting -= 1;
    }
}

/// The caller that does the work. If it is dropped before the end, another one starts again.
pub(crate) struct Driver<T: Clone> {
    flight: Arc<SingleFlight<T>>,
    number: u64,
}

impl<T: Clone> Driver<T> {
    /// Whether others wait for the work.
    pub(crate) fn is_awaited(&self) -> bool {
        self.flight.slot().waiting > 0
    }

    /// Records progress.
    pub(crate) fn progress(&self) {
        let mut slot = self.flight.slot();
        if let Some(work) = slot.under_way.as_mut().filter(|work| work.number == self.number) {
            work.since = Instant::now();
        }
    }

    /// Ends the work with a result, for all who wait.
    pub(crate) fn end(self, result: T) -> T {
        self.flight.slot().last = Some((self.number, result.clone()));
        result
    }
}

impl<T: Clone> Drop for Driver<T> {
    fn drop(&mut self) {
        let mut slot = self.flight.slot();
        slot.driven -= 1;
        if slot.under_way.is_some_and(|work| work.number == self.number) {
            slot.under_way = None;
        }
        drop(slot);
        self.flight.ended.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use futures_util::future::join_all;
    use tokio::time::sleep;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn flight() -> Arc<SingleFlight<u32>> {
        Arc::new(SingleFlight::new(10 * SECOND))
    }

    /// Counts the works, each of which takes `takes`.
    async fn work(flight: &Arc<SingleFlight<u32>>, count: &Cell<u32>, takes: Duration) -> u32 {
        let work = |driver: Driver<u32>| async move {
            count.set(count.get() + 1);
            let number = count.get();
            sleep(takes).await;
            driver.end(number)
        };
        flight.run(|| None, work).await.into_inner()
    }

    #[tokio::test(start_paused = true)]
    async fn who_comes_during_the_work_shares_it_and_who_comes_later_starts_anew() {
        let (flight, count) = (flight(), Cell::new(0));
        let results = join_all((0..5).map(|_| work(&flight, &count, SECOND))).await;
        assert_eq!(results, [1; 5]);
        assert_eq!(work(&flight, &count, SECOND).await, 2);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_known_is_no_work() {
        let flight = flight();
        let known = flight.run(|| Some(7), |driver| async { driver.end(8) });
        assert!(matches!(known.await, Landed::Known(7)));
    }

    #[tokio::test(start_paused = true)]
    async fn if_the_caller_that_works_is_dropped_the_next_one_works() {
        let (flight, count) = (flight(), Cell::new(0));
        let first = timeout(SECOND / 2, work(&flight, &count, SECOND));
        let (first, second) = tokio::join!(first, work(&flight, &count, SECOND));
        assert!(first.is_err());
        assert_eq!((second, count.get()), (2, 2));
    }

    #[tokio::test(start_paused = true)]
    async fn work_without_progress_is_taken_over() {
        let (flight, count) = (flight(), Cell::new(0));
        let start = Instant::now();
        let takes = [100, 100, 1].map(|seconds| work(&flight, &count, seconds * SECOND));
        // The second caller takes over after 10 s, and the third one 20 s later.
        let results = join_all(takes).await;
        assert_eq!((results, count.get()), (vec![1, 2, 3], 3));
        assert_eq!(start.elapsed(), 110 * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn progress_makes_the_others_wait_longer() {
        let flight = flight();
        let slow = |driver: Driver<u32>| async move {
            for _ in 0..3 {
                sleep(8 * SECOND).await;
                driver.progress();
            }
            driver.end(1)
        };
        let second = flight.run(|| None, |driver| async { driver.end(2) });
        let (_, second) = tokio::join!(flight.run(|| None, slow), second);
        assert!(matches!(second, Landed::Shared(1)));
    }

    #[test]
    fn work_of_a_runtime_that_ends_or_rests_is_done_by_another_caller() {
        let runtime = || {
            let builder = &mut tokio::runtime::Builder::new_current_thread();
            builder.enable_time().start_paused(true).build().unwrap()
        };
        for is_dropped in [true, false] {
            let flight = flight();
            let first = runtime();
            let of_first = Arc::clone(&flight);
            first.spawn(async move {
                let hang = |driver: Driver<u32>| async {
                    std::future::pending::<()>().await;
                    driver.end(1)
                };
                of_first.run(|| None, hang).await.into_inner()
            });
            first.block_on(async { sleep(SECOND).await });
            let first = (!is_dropped).then_some(first);
            let work = |driver: Driver<u32>| async { driver.end(2) };
            let found = runtime().block_on(async { flight.run(|| None, work).await });
            assert!(matches!(found, Landed::Own(2)));
            drop(first);
        }
    }
}
