//! A lookup that waits for a request: the half that the lookup keeps, and the half that the batch answers.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, Weak};

use netmgr_transport::{Error as RequestError, Get, ReadSummary, Reply};
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;
use tracing::{Dispatch, Span};

use super::need::{Group, Need};
use crate::contract::call::Observer;
use crate::finding::rows::{OfferedRow, RowSource, SharedCollector};
use crate::lock::lock;

/// Maximum number of wide requests for one need. The second one is used if the first one was too long, or after an
/// outage.
const WIDE_REQUESTS: u8 = 2;

/// The lookup for which a request is made.
#[derive(Clone, Copy)]
pub(crate) struct Caller<'a> {
    /// Number of the lookup, for the log.
    pub(crate) lookup: u64,
    /// When the lookup has to be answered.
    pub(crate) deadline: Instant,
    /// Whether its arguments are secret; see [`crate::Call::confidential`].
    pub(crate) confidential: bool,
    /// Whether a wide request took too long for it. That costs much time, so it happens once.
    pub(crate) has_waited: &'a AtomicBool,
    /// Receiver of the delays that the manager requests.
    pub(crate) observer: Option<&'a Arc<dyn Observer>>,
}

impl Caller<'_> {
    /// Whether wide requests may take the place of its own ones.
    pub(super) fn may_share(self) -> bool {
        // No request names the secret of one lookup and answers another one, because a manager may quote it in a failure.
        !self.confidential && !self.has_waited.load(Relaxed)
    }
}

/// The response of the manager to a need.
#[derive(Debug, Clone)]
pub(crate) enum Received {
    Reply(Reply),
    /// The rows, which are in the collector: the extent of the list or search, and which of the two it was.
    Rows(ReadSummary, RowSource),
}

pub(super) type Outcome = Result<Received, RequestError>;

/// The half of a wait that the lookup keeps. Dropping it gives up the wait.
pub(super) struct PendingAnswer {
    /// The outcome. It is lost with its task if the runtime ends, or after a panic.
    pub(super) outcome: oneshot::Receiver<Outcome>,
    pub(super) hold: Arc<Hold>,
}

/// Keeps the task alive that works for a lookup, which ends with the last of its lookups.
#[derive(Default)]
pub(super) struct Hold {
    /// The task, and whether its request is the lookup's own.
    task: Mutex<Option<(Arc<Task>, bool)>>,
}

/// A spawned task that is cancelled when nothing holds it.
pub(super) type Task = AbortOnDropHandle<()>;

impl Hold {
    /// Holds `task` in the place of the earlier one.
    pub(super) fn hold(&self, task: &Arc<Task>, is_own: bool) {
        *lock(&self.task) = Some((Arc::clone(task), is_own));
    }

    /// Whether the lookup's own request is on its way.
    pub(super) fn is_own(&self) -> bool {
        matches!(&*lock(&self.task), Some((_, true)))
    }
}

/// The half of a wait that the batch answers.
pub(super) struct Waiting {
    pub(super) need: Need,
    /// The lookup's own request.
    pub(super) own: Get,
    /// Path and query of `own`, by which requests are shared.
    pub(super) own_path: String,
    /// Whether its own request was chosen, whose failure it reports, and not a wide one in its place.
    pub(super) is_own: bool,
    /// When the lookup began to wait.
    pub(super) since: Instant,
    pub(super) deadline: Instant,
    pub(super) confidential: bool,
    /// The subscriber to which the lookup logs: none when its arguments are secret.
    pub(super) log: Dispatch,
    /// Its span, which is the parent of the requests that it causes.
    pub(super) span: Span,
    /// Receiver of the delays that the manager requests.
    pub(super) observer: Option<Arc<dyn Observer>>,
    /// Number of the lookup, for the log.
    pub(super) lookup: u64,
    /// Number of wide requests that may still replace its own one.
    wide_requests: u8,
    rows: SharedCollector,
    /// `None` when the lookup is answered.
    outcome: Option<oneshot::Sender<Outcome>>,
    hold: Weak<Hold>,
}

impl Waiting {
    /// A new wait of a lookup, without rows.
    pub(super) fn begin(
        need: &Need,
        own: &Get,
        rows: &SharedCollector,
        caller: Caller<'_>,
        may_be_wide: bool,
    ) -> (PendingAnswer, Self) {
        lock(rows).clear();
        let (sender, outcome) = oneshot::channel();
        let hold = Arc::<Hold>::default();
        let waiting = Self {
            own: own.clone(),
            own_path: own.path_and_query(),
            need: need.clone(),
            is_own: false,
            since: Instant::now(),
            deadline: caller.deadline,
            confidential: caller.confidential,
            log: tracing::dispatcher::get_default(Dispatch::clone),
            span: Span::current(),
            observer: caller.observer.cloned(),
            lookup: caller.lookup,
            wide_requests: if may_be_wide { WIDE_REQUESTS } else { 0 },
            rows: Arc::clone(rows),
            outcome: Some(sender),
            hold: Arc::downgrade(&hold),
        };
        (PendingAnswer { outcome, hold }, waiting)
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| !outcome.is_closed())
    }

    /// The lookups with which it may share a wide request.
    pub(super) fn group(&self) -> Option<Group> {
        (self.wide_requests > 0).then(|| self.need.group()).flatten()
    }

    /// Forgets the rows of a wide request that did not decide the lookup. Unless it `may_share`, its own request is next.
    pub(super) fn again(mut self, may_share: bool) -> Self {
        let mut rows = lock(&*self.rows);
        // They may be those of the lookup's next request if it has given up this one.
        if self.is_waiting() {
            rows.clear();
        }
        drop(rows);
        self.is_own = false;
        self.wide_requests = self.wide_requests.saturating_sub(1) * u8::from(may_share);
        self
    }

    /// Lets the lookup hold the task that chooses its next request.
    pub(super) fn held_by(&self, task: &Arc<Task>) {
        self.hold.upgrade().inspect(|hold| hold.hold(task, false));
    }

    /// The hold of the lookup, and whether its request is its own, for a task that takes the lookup before it can be held.
    pub(super) fn hold(&self) -> (Weak<Hold>, bool) {
        (Weak::clone(&self.hold), self.is_own)
    }

    /// Answers the lookup. One that has given up needs no answer.
    pub(super) fn answer(&mut self, outcome: Outcome) {
        if let Some(sender) = self.outcome.take() {
            drop(sender.send(outcome));
        }
    }

    /// Offers a row of a list or search. Returns whether the lookup wants it.
    pub(super) fn offer(&self, row: &OfferedRow<'_>, source: RowSource) -> bool {
        // A lookup that gives up clears its rows: from then on, none is offered.
        let mut rows = lock(&*self.rows);
        self.is_waiting() && (self.is_own || self.need.admits(row)) && rows.offer(row, source)
    }

    /// Whether all rows of a complete list or search decide the lookup.
    pub(super) fn is_decided(&self) -> bool {
        let rows = lock(&*self.rows);
        rows.skipped().is_empty() && self.need.is_decided_by_all_rows(!rows.is_empty())
    }
}
