//! Work that one caller does for all callers that wait for it: a login, or the request for the version.
//!
//! The caller that starts the work drives it, in its own runtime. If it is dropped, or its runtime ends, the next
//! caller starts the work again. A caller also takes over if there was no progress for a while, because a runtime can
//! be idle for any time.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// One piece of work at a time, and its last result.
pub(crate) struct SingleFlight<T> {
    /// Time without progress after which a waiting caller takes over.
    patience: Duration,
    slot: Mutex<Flights<T>>,
    /// Wakes waiting callers when work ends.
    ended: Notify,
}

struct Flights<T> {
    /// Number of times that work was started.
    started: u64,
    /// The last work that was started, unless it has ended.
    under_way: Option<UnderWay>,
    /// Number of callers that drive work, including work that was taken over.
    driven: u32,
    /// Number of callers that wait.
    waiting: u32,
    /// Number and result of the last work that ended.
    last: Option<(u64, T)>,
}

#[derive(Clone, Copy)]
struct UnderWay {
    number: u64,
    /// Time of its last progress.
    since: Instant,
}

/// The result of the work.
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
            slot: Mutex::new(Flights {
                started: 0,
                under_way: None,
                driven: 0,
                waiting: 0,
                last: None,
            }),
            ended: Notify::new(),
        }
    }

    /// Returns the `known` value. Without one, waits for work in progress, or does the `work`. Takes over if there is
    /// no progress; each takeover doubles the patience of the next caller.
    pub(crate) async fn run<F: Future<Output = T>>(
        self: &Arc<Self>,
        known: impl Fn() -> Option<T>,
        work: impl FnOnce(Driver<T>) -> F,
    ) -> Landed<T> {
        let mut waiting: Option<WaitingCaller<'_, T>> = None;
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
                    waiting.get_or_insert_with(|| WaitingCaller::new(self, number));
                    tokio::select! {
                        () = ended => {}
                        () = sleep_until(until) => {}
                    }
                }
            }
        }
    }

    /// Waits for the end of the work under way, if there is one.
    pub(crate) async fn settled(&self) {
        self.until(|| self.slot().under_way.is_none()).await;
    }

    /// Waits until `is_so` returns true, which can only change when work ends.
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

    fn slot(&self) -> MutexGuard<'_, Flights<T>> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Flights<T> {
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

/// A caller that waits for work.
struct WaitingCaller<'a, T: Clone> {
    flight: &'a SingleFlight<T>,
    number: u64,
}

impl<'a, T: Clone> WaitingCaller<'a, T> {
    fn new(flight: &'a SingleFlight<T>, number: u64) -> Self {
        flight.slot().waiting += 1;
        Self { flight, number }
    }
}

impl<T: Clone> Drop for WaitingCaller<'_, T> {
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

    /// Ends the work with a result for all waiting callers. The result of later work, which took over, is kept.
    pub(crate) fn end(self, result: T) -> T {
        let mut slot = self.flight.slot();
        if slot.last.as_ref().is_none_or(|(number, _)| *number < self.number) {
            slot.last = Some((self.number, result.clone()));
        }
        drop(slot);
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
mod tests;
