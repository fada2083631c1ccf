//! Where lookups share requests, and the only place where that is decided.
//!
//! The rule: a lookup that shares is never worse off than the same lookup alone. A lookup's *own request* is the one
//! that it would send alone: the path of its object, the search for its name, the list of its collection.
//!
//! - Equal own requests that are not sent yet are one request (`flight.rs`).
//! - Lookups that wait at the same time first board together (`queue.rs`). A *wide* request, a list or a combined
//!   search, takes the place of several own requests if that takes fewer requests (`wide.rs`).
//! - A wide request only counts if its rows decide the lookup. If it fails, ends early, is refused, or is silent for too
//!   long, the lookup sends its own request, at a pace that does not multiply an outage (`pace.rs`).
//! - An answer never comes from a request that began before its lookup, and nothing is remembered but the sizes of
//!   collections.
//!
//! Lookups poll the request that they wait for themselves. So a request is dropped with the last of its lookups, and a
//! runtime that ends leaves no lookup of another one waiting.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use netmgr_transport::{Client, Error as RequestError, Get, Reply, Reservation};
use tokio::runtime;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::flight::{self, Route};
use super::late;
use super::pace::{Pace, Start};
use super::queue::{self, Queue};
use super::waiter::{Arrival, Landing, Need, Undecided};
use crate::rows::SharedCollector;
use crate::stats::{Counters, Stats};

/// How much longer than its deadline a lookup waits. The request reports that deadline better, with its attempts and the
/// last failure; the lookup reports it only where the request goes on for others.
pub(super) const GRACE: Duration = Duration::from_millis(50);

/// Wide requests that may take the place of an own request. The second one is used if the first one was not worth its
/// requests, or after an outage.
const WIDE_REQUESTS: u32 = 2;

/// How long a request that is not sent yet waits for the login and for a slot before lookups stop joining it.
const PREPARATION: Duration = Duration::from_millis(500);

/// A burst of calls has arrived when no lookup joined for this long.
const QUIET: Duration = Duration::from_millis(1);

/// How long a request waits for the end of a burst.
const LONGEST_BURST: Duration = Duration::from_millis(50);

/// Collections whose size is remembered.
const MOST_SIZES: usize = 4096;

/// The requests of one client that lookups share. Clones share them.
#[derive(Clone)]
pub(crate) struct Coalescer(pub(super) Arc<Shared>);

pub(super) struct Shared {
    pub(super) client: Client,
    /// Lookups whose requests are not chosen yet.
    pub(super) queues: Mutex<HashMap<queue::Key, Queue>>,
    /// Requests that are sent or about to be.
    pub(super) routes: Mutex<HashMap<flight::Key, Route>>,
    /// Rows that a collection had when it was last listed, by its path. Only the choice of requests depends on it,
    /// never an answer.
    sizes: Mutex<HashMap<String, u64>>,
    pace: Mutex<Weak<Pace>>,
    pub(super) counters: Counters,
    /// Lookups that have begun to wait so far.
    pub(super) joined: AtomicU64,
    /// Requests so far, for the log.
    pub(super) rounds: AtomicU64,
}

/// For whom a request is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller {
    /// Number of the lookup, for the log.
    pub(crate) lookup: u64,
    /// When the lookup has to be answered.
    pub(crate) deadline: Instant,
    /// Whether its arguments are secret; see [`crate::Call::confidential`].
    pub(crate) confidential: bool,
}

impl Coalescer {
    /// Shares the requests of `client`. Sends nothing.
    pub(crate) fn new(client: Client) -> Self {
        Self(Arc::new(Shared {
            client,
            queues: Mutex::default(),
            routes: Mutex::default(),
            sizes: Mutex::default(),
            pace: Mutex::default(),
            counters: Counters::default(),
            joined: AtomicU64::new(0),
            rounds: AtomicU64::new(0),
        }))
    }

    /// Counts a lookup and returns its number.
    pub(crate) fn begin(&self) -> u64 {
        self.0.counters.lookup()
    }

    /// What the lookups have cost so far.
    pub(crate) fn stats(&self) -> Stats {
        self.0.counters.read(self.0.client.traffic())
    }

    /// The reply at a path.
    pub(crate) async fn path(&self, get: Get, caller: Caller) -> Result<Reply, RequestError> {
        match self.fetch(Need::Path(get), &queue::no_rows(), caller).await? {
            Arrival::Reply(reply) => Ok(reply),
            Arrival::Rows(..) => Err(flight::lost()),
        }
    }

    /// Sends the request that `need` describes, or shares one that answers it. `rows` has the rows afterwards.
    pub(crate) async fn fetch(
        &self,
        need: Need,
        rows: &SharedCollector,
        caller: Caller,
    ) -> Result<Arrival, RequestError> {
        self.0.client.check(&need.own_request())?;
        let began = Instant::now();
        let answer = answer(&self.0, &need, rows, caller);
        match timeout_at(caller.deadline + GRACE, answer).await {
            Ok(answer) => answer,
            Err(_) => Err(late(began.elapsed())),
        }
    }
}

/// Answers `need` by wide requests while they help, and otherwise by its own request.
async fn answer(
    shared: &Arc<Shared>,
    need: &Need,
    rows: &SharedCollector,
    caller: Caller,
) -> Result<Arrival, RequestError> {
    let mut permit = None;
    // No request names the secret of one lookup and answers another one, because a manager may quote it in a failure.
    let line = need.line().filter(|_| !caller.confidential);
    for attempt in 1..=line.as_ref().map_or(0, |_| WIDE_REQUESTS) {
        let Some(line) = line.clone() else { break };
        match queue::board(shared, line, need, rows, caller).await {
            Landing::Arrived(arrival) => return Ok(arrival),
            Landing::Failed(error) => return Err(error),
            Landing::Undecided(Undecided::TooLong) => {}
            Landing::Undecided(Undecided::ByItsRows) => break,
            Landing::Undecided(Undecided::ByItsFailure) => {
                let pace = shared.pace();
                match pace.start().await {
                    Start::BoardAgain if attempt < WIDE_REQUESTS => {}
                    Start::BoardAgain => break,
                    Start::OwnRequest(permitted) => {
                        permit = Some(permitted);
                        break;
                    }
                }
            }
        }
    }
    let own = flight::own(shared, need, rows, caller).await;
    if let Some(permit) = permit {
        permit.end(&own);
    }
    own
}

impl Shared {
    pub(super) fn queues(&self) -> MutexGuard<'_, HashMap<queue::Key, Queue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn routes(&self) -> MutexGuard<'_, HashMap<flight::Key, Route>> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rows that the collection at this path had when it was last listed, if that is known.
    pub(super) fn size(&self, path: &str) -> Option<u64> {
        let sizes = self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
        sizes.get(path).copied()
    }

    pub(super) fn remember_size(&self, path: &str, rows: u64) {
        let mut sizes = self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
        if sizes.len() >= MOST_SIZES {
            sizes.clear();
        }
        sizes.insert(path.to_owned(), rows);
    }

    /// The pace of own requests after failed wide ones. It lasts as long as lookups wait for it.
    fn pace(&self) -> Arc<Pace> {
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        match pace.upgrade().filter(|pace| !pace.is_over()) {
            Some(pace) => pace,
            None => {
                let new = Arc::new(Pace::new(Instant::now()));
                *pace = Arc::downgrade(&new);
                new
            }
        }
    }

    /// Waits for the login and for a slot, and then for the rest of a burst of lookups: requests are composed as late as
    /// possible, so that lookups that arrive until then share them.
    pub(super) async fn prepare(&self, deadline: Instant) -> Option<Reservation> {
        let left = deadline.saturating_duration_since(Instant::now());
        // A request that has to wait longer waits itself, and can report for what.
        let reserved = timeout(PREPARATION.min(left / 2), self.client.reserve()).await;
        self.gather().await;
        reserved.ok().flatten()
    }

    /// Lets the lookups of one burst of calls arrive.
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

/// The runtime that polls a request. Lookups of another one must not wait for it: it may rest or end.
pub(super) fn this_runtime() -> runtime::Id {
    runtime::Handle::current().id()
}
