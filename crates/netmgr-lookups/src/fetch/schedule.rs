//! Tracks the requests that are sent or about to be, and when an equal one may follow.
//!
//! Not here: what a request does (`flight.rs`).

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::{BoxFuture, WeakShared};
use netmgr_transport::Client;
use tokio::runtime;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until};

use super::waiter::{LookupWaiter, Role};
use crate::stats::LookupCounters;

/// A burst of calls is complete when no lookup has joined for this long.
const QUIET: Duration = Duration::from_millis(1);

/// Wait of a request for the end of a burst.
const LONGEST_BURST: Duration = Duration::from_millis(50);

/// Maximum number of collections whose size is remembered.
const MOST_SIZES: usize = 4096;

/// The requests of a client that are sent or about to be.
pub(super) struct Schedule {
    pub(super) client: Client,
    pub(super) counters: LookupCounters,
    routes: Mutex<HashMap<RequestKey, Route>>,
    /// Pages that a list had when it was last read, by its path. Only the choice of requests depends on it,
    /// never an answer.
    sizes: Mutex<HashMap<String, u64>>,
    /// Lookups that have begun to wait so far.
    joined: AtomicU64,
    /// Requests so far, for the log.
    rounds: AtomicU64,
}

impl Schedule {
    pub(super) fn new(client: Client) -> Self {
        Self {
            client,
            counters: LookupCounters::default(),
            routes: Mutex::default(),
            sizes: Mutex::default(),
            joined: AtomicU64::new(0),
            rounds: AtomicU64::new(0),
        }
    }

    pub(super) fn routes(&self) -> MutexGuard<'_, HashMap<RequestKey, Route>> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sizes(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.sizes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn remember_size(&self, path: &str, pages: u64) {
        let mut sizes = self.sizes();
        if sizes.len() >= MOST_SIZES {
            sizes.clear();
        }
        sizes.insert(path.to_owned(), pages);
    }

    /// Returns the known facts about the list at this path.
    pub(super) fn list_facts(&self, path_and_query: &str) -> ListFacts {
        let key = RequestKey {
            path_and_query: path_and_query.to_owned(),
            is_paged: true,
            confidential: false,
            runtime: this_runtime(),
        };
        ListFacts {
            pages: self.sizes().get(path_and_query).copied(),
            is_underway: self.routes().get(&key).is_some_and(|route| route.underway > 0),
        }
    }

    /// Counts a lookup that begins to wait.
    pub(super) fn count_joined(&self) {
        self.joined.fetch_add(1, Relaxed);
    }

    /// The number of the next request, for the log.
    pub(super) fn next_round(&self) -> u64 {
        self.rounds.fetch_add(1, Relaxed) + 1
    }

    /// Waits until `time`, and then for the end of a login that is under way, which every request needs. A lookup that
    /// left earlier could interrupt it, and it would be sent again.
    pub(super) async fn past(&self, time: Instant) {
        sleep_until(time).await;
        self.client.login_settled().await;
    }

    /// Lets the lookups of one burst of calls arrive, so that they share requests.
    pub(super) async fn gather(&self) {
        let latest = Instant::now() + LONGEST_BURST;
        loop {
            let joined = self.joined.load(Relaxed);
            sleep(QUIET).await;
            if self.joined.load(Relaxed) == joined || Instant::now() >= latest {
                return;
            }
        }
    }
}

/// The known facts about a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ListFacts {
    /// Pages that it had when it was last read, if it was.
    pub(super) pages: Option<u64>,
    /// Whether the list is in flight. Another one would wait for it.
    pub(super) is_underway: bool,
}

/// The runtime that polls a request. Lookups of another one must not wait for it: it may be idle or end.
pub(super) fn this_runtime() -> runtime::Id {
    runtime::Handle::current().id()
}

/// The key of equal requests.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct RequestKey {
    pub(super) path_and_query: String,
    pub(super) is_paged: bool,
    pub(super) confidential: bool,
    pub(super) runtime: runtime::Id,
}

/// A lookup, and the role of the request for it.
pub(super) type Seat = (Arc<LookupWaiter>, Role);

/// Equal requests.
#[derive(Default)]
pub(super) struct Route {
    pub(super) next: Option<Next>,
    underway: u32,
    /// When the last one was sent.
    latest: Option<Instant>,
    /// Notified when one ends.
    ended: Arc<Notify>,
}

/// The request that is not sent yet.
pub(super) struct Next {
    pub(super) drive: WeakShared<Drive>,
    pub(super) heard: Arc<LastHeard>,
    pub(super) seats: Vec<Seat>,
}

/// Sends the request. All lookups that wait for it poll it; it is dropped with the last of them.
pub(super) type Drive = BoxFuture<'static, ()>;

/// When a request last received data.
pub(super) struct LastHeard(Mutex<Instant>);

impl LastHeard {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Instant::now()))
    }

    pub(super) fn now(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    pub(super) fn at(&self) -> Instant {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The turn of a request among equal ones, from its planning to its end.
pub(super) struct RequestPlace {
    pub(super) schedule: Arc<Schedule>,
    pub(super) key: RequestKey,
    pub(super) is_underway: bool,
}

impl RequestPlace {
    /// Waits until the request may be sent while equal ones are in flight.
    pub(super) async fn turn(&self) {
        loop {
            let (ended, start) = {
                let mut routes = self.schedule.routes();
                let route = routes.entry(self.key.clone()).or_default();
                let Some(latest) = route.latest.filter(|_| route.underway > 0) else {
                    return;
                };
                let pause = Duration::from_secs(1 << (route.underway - 1).min(3));
                (Arc::clone(&route.ended).notified_owned(), latest + pause)
            };
            if start <= Instant::now() {
                return;
            }
            tokio::select! {
                () = ended => {}
                () = sleep_until(start) => {}
            }
        }
    }

    /// Closes the request to further lookups. Returns those that wait for it.
    pub(super) fn depart(&mut self) -> Vec<Seat> {
        let mut routes = self.schedule.routes();
        let route = routes.entry(self.key.clone()).or_default();
        let next = route.next.take();
        route.underway += 1;
        route.latest = Some(Instant::now());
        self.is_underway = true;
        let seats = next.map(|next| next.seats).unwrap_or_default();
        seats
            .into_iter()
            .filter(|(waiter, _)| waiter.is_waiting())
            .collect()
    }
}

impl Drop for RequestPlace {
    fn drop(&mut self) {
        // A request, if this is its last owner, is dropped after the lock, which it takes.
        let next;
        let mut routes = self.schedule.routes();
        let Some(route) = routes.get_mut(&self.key) else {
            return;
        };
        if self.is_underway {
            route.underway -= 1;
            route.ended.notify_waiters();
        }
        next = route.next.as_ref().and_then(|next| next.drive.upgrade());
        if next.is_none() {
            route.next = None;
            if route.underway == 0 {
                routes.remove(&self.key);
            }
        }
        drop(routes);
    }
}
