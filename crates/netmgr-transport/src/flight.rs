//! Shared work: a future that several callers wait for.

use std::future::Future;

use futures_util::future::{BoxFuture, FutureExt, Shared, WeakShared};

/// The work in progress, if any.
///
/// Waiting callers also poll the work: if one of them is dropped, the others continue with the same request,
/// and when the last is dropped, the work is cancelled.
pub(crate) struct Flight<T: Clone>(Option<WeakShared<BoxFuture<'static, T>>>);

impl<T: Clone> Default for Flight<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Clone + Send + Sync + 'static> Flight<T> {
    /// The work in progress, if any.
    pub(crate) fn under_way(&self) -> Option<Shared<BoxFuture<'static, T>>> {
        self.0.as_ref().and_then(WeakShared::upgrade)
    }

    /// Joins the work in progress, or starts new work.
    pub(crate) fn join_or_start<F>(&mut self, start: impl FnOnce() -> F) -> Shared<BoxFuture<'static, T>>
    where
        F: Future<Output = T> + Send + 'static,
    {
        if let Some(under_way) = self.under_way() {
            return under_way;
        }
        let started = start().boxed().shared();
        self.0 = started.downgrade();
        started
    }

    /// Discards finished work, so that the next caller starts new work.
    pub(crate) fn land(&mut self) {
        self.0 = None;
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use super::*;

    #[tokio::test]
    async fn who_comes_during_the_work_shares_it() {
        let mut flight = Flight::default();
        let first = flight.join_or_start(|| ready(1));
        let second = flight.join_or_start(|| ready(2));
        assert_eq!((first.await, second.await), (1, 1));
    }

    #[tokio::test]
    async fn who_comes_after_the_work_starts_anew_though_others_have_not_looked_yet() {
        let mut flight = Flight::default();
        let first = flight.join_or_start(|| ready(1));
        let late = flight.join_or_start(|| ready(2));
        assert_eq!(first.await, 1);
        flight.land();
        assert_eq!(flight.join_or_start(|| ready(3)).await, 3);
        assert_eq!(late.await, 1);
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_is_dropped() {
        let mut flight = Flight::default();
        drop(flight.join_or_start(|| ready(1)));
        assert_eq!(flight.join_or_start(|| ready(2)).await, 2);
    }
}
