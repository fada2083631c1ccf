//! A lookup that waits for a request: what it needs, and how its wait ends.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use netmgr_transport::{Error as RequestError, Get, ReadSummary, Reply};
use tokio::sync::oneshot;
use tokio::time::Instant;
use tracing::{Dispatch, Span};

use crate::query::{query, query_of_one_form};
use crate::read::{By, Read};
use crate::requests;
use crate::rows::{OfferedRow, SharedCollector, Source, lock};

/// The lookup for which a request is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller<'a> {
    /// Number of the lookup, for the log.
    pub(crate) lookup: u64,
    /// When the lookup has to be answered.
    pub(crate) deadline: Instant,
    /// Whether its arguments are secret; see [`crate::Call::confidential`].
    pub(crate) confidential: bool,
    /// Whether it has waited for a wide request that was silent for too long. That costs much time, so it happens once.
    pub(crate) has_met_silence: &'a AtomicBool,
}

impl Caller<'_> {
    /// When a third of the remaining time has passed. Until then, other requests may replace the own request.
    pub(super) fn share(self) -> Instant {
        let now = Instant::now();
        now + self.deadline.saturating_duration_since(now) / 3
    }

    /// Records that a wide request was silent for too long.
    pub(super) fn meets_silence(self) {
        self.has_met_silence.store(true, Relaxed);
    }

    /// Whether wide requests may take the place of its own ones.
    pub(super) fn may_share(self) -> bool {
        // No request names the secret of one lookup and answers another one, because a manager may quote it in a failure.
        !self.confidential && !self.has_met_silence.load(Relaxed)
    }
}

/// The next need of a lookup.
#[derive(Debug, Clone)]
pub(crate) enum Need {
    /// The reply at a path.
    Path(Get),
    /// The object with this id, at its own path.
    Object(Arc<Read>, String),
    /// The list of the collection.
    List(Arc<Read>),
    /// The search for a name or key.
    Search(Arc<Read>),
    /// The search for a name exactly as requested, without alternatives.
    PlainSearch(Arc<Read>),
}

impl Need {
    /// The request that the lookup would send alone.
    pub(super) fn own_request(&self) -> Get {
        match self {
            Self::Path(get) => get.clone(),
            Self::Object(read, id) => requests::object(read, id),
            // An id takes precedence: the filters of other inputs must not hide its object.
            Self::List(read) if matches!(read.by, By::Id(_)) => requests::list(read),
            Self::List(read) => requests::filtered_list(read),
            // By name or key, the list also contains the answer.
            Self::Search(read) if matches!(read.by, By::Name(_) | By::Key { .. }) => {
                requests::search(read.tree.root(), query(read)).with_alternative()
            }
            Self::Search(read) => requests::search(read.tree.root(), query(read)),
            Self::PlainSearch(read) => {
                let query = query_of_one_form(read).unwrap_or_else(|| query(read));
                requests::search(read.tree.root(), query)
            }
        }
    }

    /// Source of the rows of the own request; `None` if it is not paged.
    pub(super) fn source(&self) -> Option<Source> {
        match self {
            Self::Path(_) | Self::Object(..) => None,
            Self::List(_) => Some(Source::List),
            Self::Search(_) | Self::PlainSearch(_) => Some(Source::Search),
        }
    }

    pub(super) fn read(&self) -> Option<&Read> {
        match self {
            Self::Path(_) => None,
            Self::Object(read, _) | Self::List(read) | Self::Search(read) | Self::PlainSearch(read) => {
                Some(read)
            }
        }
    }

    /// The queue of lookups that could share a wide request with this one.
    pub(super) fn line(&self) -> Option<Line> {
        match self {
            Self::Path(_) | Self::PlainSearch(_) => None,
            Self::Object(read, _) | Self::List(read) => Some(Line::of_collection(read)),
            Self::Search(read) => Some(Line::Search(read.tree.root())),
        }
    }

    /// The collection whose list also answers it, if there is one.
    pub(super) fn collection(&self) -> Option<Line> {
        match self {
            Self::Path(_) | Self::PlainSearch(_) => None,
            Self::Search(read) if !read.has_one_list() => None,
            Self::Object(read, _) | Self::List(read) | Self::Search(read) => Some(Line::of_collection(read)),
        }
    }

    /// Whether only the whole list answers it.
    pub(super) fn is_whole_list(&self) -> bool {
        match self {
            Self::List(read) => read.list_filters.is_empty() || matches!(read.by, By::Id(_)),
            _ => false,
        }
    }

    /// Whether a row of the whole list may match, if the manager's filters decide which rows do.
    fn admits(&self, row: &OfferedRow<'_>) -> bool {
        match self {
            Self::List(read) if !self.is_whole_list() => read
                .shown
                .as_ref()
                .is_none_or(|shown| (shown.by)(row, &shown.value)),
            _ => true,
        }
    }

    /// Whether all rows of a complete list or search decide it. `has_rows`: it wants some of them.
    fn is_decided_by_all_rows(&self, has_rows: bool) -> bool {
        match self {
            // The object's own path is authoritative.
            Self::Path(_) | Self::Object(..) => false,
            // The manager may select objects by properties that they do not show.
            Self::List(read) => self.is_whole_list() || read.shown.is_none() || has_rows,
            Self::Search(_) | Self::PlainSearch(_) => true,
        }
    }
}

/// The group of lookups that could share a wide request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Line {
    /// The collection at this path and query.
    Collection(String),
    /// The searches below this API root.
    Search(&'static str),
}

impl Line {
    fn of_collection(read: &Read) -> Self {
        Self::Collection(requests::list(read).path_and_query())
    }
}

/// A waiter with a need.
pub(super) trait Needs {
    fn need(&self) -> &Need;
}

/// The answer to a need.
#[derive(Debug, Clone)]
pub(crate) enum Arrival {
    /// The reply at a path.
    Reply(Reply),
    /// The rows, which are in the collector: the extent of the list or search, and which of the two it was.
    Rows(ReadSummary, Source),
}

/// Outcome of a wait.
#[derive(Debug)]
pub(super) enum Landing {
    Arrived(Arrival),
    Failed(RequestError),
    /// A wide request did not decide the lookup.
    Undecided(Undecided),
}

/// Why a wide request did not decide a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Undecided {
    /// It would send more requests than it saves.
    TooLong,
    /// Its rows do not decide the lookup, or some of them did not arrive.
    ByItsRows,
    /// It failed, or received no data for too long.
    ByItsFailure,
}

/// The role of a request for a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Its own request, whose failure it reports.
    Owner,
    /// A wide request.
    Guest,
}

/// A waiting lookup, as seen by its request.
pub(super) struct LookupWaiter {
    pub(super) need: Need,
    /// When the lookup began to wait.
    pub(super) since: Instant,
    pub(super) deadline: Instant,
    /// The subscriber to which the lookup logs: none when its arguments are secret.
    pub(super) log: Dispatch,
    /// Its span, which is the parent of the requests that it causes.
    pub(super) span: Span,
    /// Number of the lookup, for the log.
    lookup: u64,
    rows: SharedCollector,
    /// `None` when the wait is over.
    landing: Mutex<Option<oneshot::Sender<Landing>>>,
}

/// The receiver of a [`LookupWaiter`]. Dropping it gives up the wait.
pub(super) struct Ticket {
    pub(super) waiter: Arc<LookupWaiter>,
    pub(super) landing: oneshot::Receiver<Landing>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        // From here on, no row is offered.
        drop(self.waiter.take_landing());
    }
}

impl LookupWaiter {
    /// A new wait of a lookup, without rows.
    pub(super) fn begin(need: &Need, rows: &SharedCollector, caller: Caller<'_>) -> Ticket {
        lock(rows).clear();
        let (sender, landing) = oneshot::channel();
        let waiter = Self {
            need: need.clone(),
            since: Instant::now(),
            deadline: caller.deadline,
            log: tracing::dispatcher::get_default(Dispatch::clone),
            span: Span::current(),
            lookup: caller.lookup,
            rows: Arc::clone(rows),
            landing: Mutex::new(Some(sender)),
        };
        Ticket {
            waiter: Arc::new(waiter),
            landing,
        }
    }

    fn take_landing(&self) -> Option<oneshot::Sender<Landing>> {
        self.landing.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether the lookup still waits.
    pub(super) fn is_waiting(&self) -> bool {
        self.landing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some()
    }

    /// Ends the wait, unless it is over.
    pub(super) fn land(&self, landing: Landing) {
        if let Some(sender) = self.take_landing() {
            // A lookup that has given up needs no answer.
            let _ = sender.send(landing);
        }
    }

    /// Offers a row of a list or search. Returns whether the lookup wants it.
    pub(super) fn offer(&self, row: &OfferedRow<'_>, source: Source, role: Role) -> bool {
        let landing = self.landing.lock().unwrap_or_else(PoisonError::into_inner);
        let may_be_meant = landing.is_some() && (role == Role::Owner || self.need.admits(row));
        may_be_meant && lock(&*self.rows).offer(row, source)
    }

    /// Whether all rows of a complete list or search decide the lookup.
    pub(super) fn is_decided(&self) -> bool {
        let rows = lock(&*self.rows);
        rows.is_sound() && self.need.is_decided_by_all_rows(!rows.is_empty())
    }

    /// Logs for the lookup which round of requests it waits for.
    pub(super) fn log_round(&self, round: u64, lookups: usize) {
        tracing::dispatcher::with_default(&self.log, || {
            tracing::debug!(lookup = self.lookup, round, lookups, "waits for a shared request");
        });
    }
}
