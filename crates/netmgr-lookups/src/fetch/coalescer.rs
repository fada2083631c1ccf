//! Sends each lookup through the files that decide which requests it shares. No other file decides (decision sharing).
//!
//! The rule: a lookup that shares is never worse off than the same lookup alone. A lookup's *own request* is the one
//! that it would send alone: the path of its object, the search for its name, the list of its collection.
//!
//! - Equal own requests that are not sent yet are one request (`flight.rs`, `schedule.rs`).
//! - Lookups that wait at the same time first queue together (`queue.rs`). A *wide* request, which is a list or a
//!   combined search, replaces several own requests if that takes fewer requests (`wide.rs`).
//! - A lookup with secret arguments, or one that has waited for a silent wide request, shares only equal requests
//!   (`waiter.rs`).
//! - A wide request only counts if its rows decide the lookup. If it fails, ends early, is rejected, or gets no
//!   response for too long, the lookup sends its own request, at a pace that does not multiply an outage (`pace.rs`).
//! - An answer never comes from a request that began before its lookup. Only the sizes of collections are remembered.
//!
//! Lookups themselves poll the request that they wait for. A request is therefore dropped with the last of its lookups,
//! and no lookup waits for a runtime that has ended.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use netmgr_transport::{Client, Error as RequestError, Get, Reply};
use tokio::time::{Instant, timeout_at};

use super::flight;
use super::pace::{Pace, Start};
use super::queue::Queues;
use super::schedule::Schedule;
use super::waiter::{Arrival, Caller, Landing, Need, Undecided};
use crate::rows::{SharedCollector, no_rows};
use crate::stats::Stats;

/// How long a lookup waits beyond its deadline. The error of the request is better, because it contains the attempts
/// and the last failure; the lookup reports its own only if the request continues for other lookups.
pub(super) const GRACE: Duration = Duration::from_millis(50);

/// Maximum number of wide requests that may replace an own request. The second one is used if the first one did not
/// save requests, or after an outage.
const WIDE_REQUESTS: u32 = 2;

/// The requests of one client that lookups share. Clones share them.
#[derive(Clone)]
pub(crate) struct Coalescer {
    pub(super) schedule: Arc<Schedule>,
    pub(super) queues: Arc<Queues>,
    pace: Arc<Mutex<Weak<Pace>>>,
}

impl Coalescer {
    /// Shares the requests of `client`. Sends nothing.
    pub(crate) fn new(client: Client) -> Self {
        let schedule = Arc::new(Schedule::new(client));
        Self {
            queues: Arc::new(Queues::new(&schedule)),
            schedule,
            pace: Arc::default(),
        }
    }

    /// Counts a lookup and returns its number.
    pub(crate) fn begin(&self) -> u64 {
        self.schedule.counters.lookup()
    }

    /// The cost of the lookups so far.
    pub(crate) fn stats(&self) -> Stats {
        self.schedule.counters.read(self.schedule.client.traffic())
    }

    /// The reply at a path.
    pub(crate) async fn path(&self, get: Get, caller: Caller<'_>) -> Result<Reply, RequestError> {
        match self.fetch(Need::Path(get), &no_rows(), caller).await? {
            Arrival::Reply(reply) => Ok(reply),
            Arrival::Rows(..) => Err(flight::lost()),
        }
    }

    /// Sends the request that `need` describes, or shares one that answers it. The rows are collected in `rows`.
    pub(crate) async fn fetch(
        &self,
        need: Need,
        rows: &SharedCollector,
        caller: Caller<'_>,
    ) -> Result<Arrival, RequestError> {
        self.schedule.client.check(&need.own_request())?;
        let began = Instant::now();
        match timeout_at(caller.deadline + GRACE, self.answer(&need, rows, caller)).await {
            Ok(answer) => answer,
            Err(_) => {
                let waited = caller.deadline.saturating_duration_since(began);
                Err(self.schedule.client.late(&need.own_request(), waited))
            }
        }
    }

    /// Answers `need` by wide requests while they help, and otherwise by its own request.
    async fn answer(
        &self,
        need: &Need,
        rows: &SharedCollector,
        caller: Caller<'_>,
    ) -> Result<Arrival, RequestError> {
        let now = Instant::now();
        let half = now + caller.deadline.saturating_duration_since(now) / 2;
        let mut permit = None;
        if let Some(line) = need.line().filter(|_| caller.may_share()) {
            for _ in 0..WIDE_REQUESTS {
                match self.queues.board(line.clone(), need, rows, caller).await {
                    Landing::Arrived(arrival) => return Ok(arrival),
                    Landing::Failed(error) => return Err(error),
                    Landing::Undecided(Undecided::TooLong) => {}
                    Landing::Undecided(Undecided::ByItsRows) => break,
                    Landing::Undecided(Undecided::ByItsFailure) => {
                        match timeout_at(caller.share(), self.pace().start()).await {
                            Ok(Start::BoardAgain) if caller.may_share() && Instant::now() < half => {}
                            Ok(Start::OwnRequest(permitted)) => {
                                permit = Some(permitted);
                                break;
                            }
                            Ok(Start::BoardAgain) | Err(_) => break,
                        }
                    }
                }
            }
        }
        let own = flight::own(&self.schedule, need, rows, caller).await;
        if let Some(permit) = permit {
            permit.end(&own);
        }
        own
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
}
