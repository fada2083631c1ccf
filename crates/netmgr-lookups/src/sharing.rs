//! Requests that several lookups share.
//!
//! Every request belongs to a *lane*: one path, one collection, or the searches below one API
//! root. A lookup joins its lane as a waiter. A lane without a request in flight sends at once;
//! while one is in flight, later lookups gather and share the next (group commit). So a lookup is
//! answered only by a request that began after the lookup joined, and nothing is kept once its
//! waiters are answered.
//!
//! A request belongs to its lane and not to a lookup: it is dropped when the last of its lookups
//! has given up. Lives here: joining a lane and waiting. Not here: when a lane sends (`lane.rs`),
//! what it sends (`collection.rs`, `search.rs`), and which reads a lookup needs
//! ([`crate::executor`]).

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use netmgr_transport::{
    Client, Error as RequestError, ErrorKind as RequestErrorKind, Failure, Get, ReadSummary, Reply, Row,
};
use tokio::runtime::{self, Handle};
use tokio::time::{Instant, timeout_at};

use crate::batch::Source;
use crate::executor::Wanted;
use crate::query::query;
use crate::read::{By, Read};
use crate::requests;
use crate::stats::{Counters, Stats};

mod collection;
mod compose;
mod lane;
mod matcher;
mod search;
mod stream;
mod waiter;

use lane::Lane;
pub(crate) use waiter::Ticket;
pub(crate) use waiter::is_of_kind;
use waiter::{Waiter, Want};

/// How much longer than its deadline a lookup waits. The request reports that deadline better,
/// with its attempts and the last failure; the lookup reports it only where the request goes on
/// for others.
const GRACE: Duration = Duration::from_millis(50);

/// Collections and kinds whose size is remembered.
const MOST_SIZES: usize = 4096;

/// The lanes of one client. Cloning shares them.
#[derive(Clone)]
pub(crate) struct Sharing(Arc<Shared>);

struct Shared {
    client: Client,
    lanes: Mutex<HashMap<Key, Lane>>,
    /// Rows that a collection had when it was last listed, by its path, and a kind when it was last searched as a
    /// whole, by its query. Only the choice between all rows and narrower requests depends on it, never an answer.
    sizes: Mutex<HashMap<String, u64>>,
    /// Whether the manager was seen to refuse combined searches.
    refuses_combined: AtomicBool,
    counters: Counters,
    /// Reads that have joined a lane, and rounds of requests so far.
    joined: AtomicU64,
    rounds: AtomicU64,
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

/// What identifies a lane.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    place: Place,
    /// Whether the lookups have secret arguments. A manager may quote a request in its failures, so
    /// no request names the secret of one lookup and answers another one.
    confidential: bool,
    /// The runtime that works for the lane. Lookups of another one must not wait for it: it may rest
    /// or end.
    runtime: runtime::Id,
}

/// What the requests of a lane read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Place {
    /// One path and query.
    Path(String),
    /// The collection at this path and query.
    Collection(String),
    /// The searches below this API root.
    Search(&'static str),
}

/// What a lookup gets from a lane.
#[derive(Debug)]
pub(crate) enum Answer<T> {
    /// The answer at the object's own path.
    Reply(Reply),
    /// The rows that concern the lookup.
    Rows(Rows<T>),
}

/// Rows that concern one lookup.
#[derive(Debug)]
pub(crate) struct Rows<T> {
    /// Those that could be decoded.
    pub(crate) objects: Vec<T>,
    /// Those that could not.
    pub(crate) skipped: Vec<Skipped>,
    /// How far the list or search reached.
    pub(crate) extent: ReadSummary,
    /// Where they come from: a search may be answered by the list.
    pub(crate) source: Source,
}

/// An object that could not be decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Skipped {
    /// Its display name or id, when it has a readable one.
    pub(crate) name: Option<String>,
    /// Description of the problem.
    pub(crate) reason: String,
}

impl Skipped {
    fn new(row: &Row, error: &serde_json::Error) -> Self {
        let text = |value: &serde_json::Value, field: &str| value.get(field)?.as_str().map(str::to_owned);
        let name = row
            .decode::<serde_json::Value>()
            .ok()
            .and_then(|value| text(&value, "display_name").or_else(|| text(&value, "id")));
        Self {
            name,
            reason: error.to_string(),
        }
    }
}

impl Sharing {
    /// Lanes over `client`. Sends nothing.
    pub(crate) fn new(client: Client) -> Self {
        Self(Arc::new(Shared {
            client,
            lanes: Mutex::default(),
            sizes: Mutex::default(),
            refuses_combined: AtomicBool::new(false),
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

    /// The answer at a path.
    pub(crate) async fn path(&self, get: Get, caller: Caller) -> Result<Reply, RequestError> {
        let place = Place::Path(get.path_and_query());
        self.0.client.check(&get)?;
        let (waiter, mut ticket) = Waiter::at_path(get, caller);
        lane::join(&self.0, caller.key(place), waiter);
        match ticket.answer().await? {
            Answer::Reply(reply) => Ok(reply),
            Answer::Rows(_) => Err(lost()),
        }
    }

    /// Waits for the object with the id that `read` names: the answer at its own path, or the row of a list
    /// that others need as well.
    pub(crate) fn object<T: Wanted>(
        &self,
        read: &Arc<Read>,
        caller: Caller,
    ) -> Result<Ticket<T>, RequestError> {
        self.join(collection_of(read), Want::Object(Arc::clone(read)), caller)
    }

    /// Waits for the rows of the collection that concern `read`.
    pub(crate) fn list<T: Wanted>(
        &self,
        read: &Arc<Read>,
        caller: Caller,
    ) -> Result<Ticket<T>, RequestError> {
        self.join(collection_of(read), Want::Rows(Arc::clone(read)), caller)
    }

    /// Waits for the rows of a search that concern `read`.
    pub(crate) fn search<T: Wanted>(
        &self,
        read: &Arc<Read>,
        caller: Caller,
    ) -> Result<Ticket<T>, RequestError> {
        let want = match read.by {
            By::Name(_) if read.has_one_list() => Want::Named(Arc::clone(read)),
            _ => Want::Rows(Arc::clone(read)),
        };
        self.join(Place::Search(read.tree.root()), want, caller)
    }

    /// Joins the lane of `place`. Not async: what is asked for goes to the lane and is not kept a second time while
    /// the lookup waits.
    fn join<T: Wanted>(&self, place: Place, want: Want, caller: Caller) -> Result<Ticket<T>, RequestError> {
        self.0.client.check(&alone(&place, &want))?;
        let (waiter, ticket) = Waiter::new(want, caller);
        lane::join(&self.0, caller.key(place), waiter);
        Ok(ticket)
    }
}

impl<T> Answer<T> {
    /// The rows of a list or search.
    pub(crate) fn into_rows(self) -> Result<Rows<T>, RequestError> {
        match self {
            Self::Rows(rows) => Ok(rows),
            Self::Reply(_) => Err(lost()),
        }
    }
}

impl<T> Ticket<T> {
    /// Waits for the answer, until shortly after the deadline of the lookup.
    ///
    /// Takes a reference, because an async function stores its arguments a second time (0291).
    pub(crate) async fn answer(&mut self) -> Result<Answer<T>, RequestError> {
        match timeout_at(self.deadline + GRACE, &mut self.answer).await {
            Ok(Ok(answer)) => *answer,
            Ok(Err(_)) => Err(lost()),
            Err(_) => {
                let seconds = self.since.elapsed().as_secs_f64();
                let failure = Failure::default()
                    .reason(format!("no usable response within {seconds:.1} s"))
                    .hint("try again later or increase the deadline");
                Err(RequestError::new(RequestErrorKind::Deadline, failure))
            }
        }
    }
}

impl Caller {
    fn key(self, place: Place) -> Key {
        Key {
            place,
            confidential: self.confidential,
            runtime: Handle::current().id(),
        }
    }
}

impl Key {
    /// The lane of the same lookups at another place.
    fn at(&self, place: Place) -> Self {
        Self {
            place,
            ..self.clone()
        }
    }
}

impl Shared {
    fn lanes(&self) -> MutexGuard<'_, HashMap<Key, Lane>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sizes(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.sizes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember_size(&self, path: &str, rows: u64) {
        let mut sizes = self.sizes();
        if sizes.len() >= MOST_SIZES {
            sizes.clear();
        }
        sizes.insert(path.to_owned(), rows);
    }
}

/// The request that a lookup would send if it shared none. What no URL can carry is refused before
/// anything is sent for it.
fn alone(place: &Place, want: &Want) -> Get {
    match (place, want) {
        (_, Want::Path(get)) => Get::clone(get),
        (Place::Search(root), Want::Rows(read) | Want::Named(read) | Want::Object(read)) => {
            requests::search(root, query(read))
        }
        (_, Want::Rows(read) | Want::Named(read)) => requests::filtered_list(read),
        (_, Want::Object(read)) => match &read.by {
            By::Id(id) => requests::object(read, id),
            _ => requests::list(read),
        },
    }
}

/// The lane of the collection that `read` is about.
fn collection_of(read: &Read) -> Place {
    Place::Collection(requests::list(read).path_and_query())
}

/// A shared request ended without an answer, which only a panic in it can cause.
fn lost() -> RequestError {
    let failure = Failure::default()
        .reason("the shared request ended without a response")
        .hint("please report it");
    RequestError::new(RequestErrorKind::BadReply, failure)
}

#[cfg(test)]
mod tests;
