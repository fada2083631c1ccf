//! A lookup that waits for a shared request: what it wants, and where the rows that concern it go.
//!
//! Not here: when requests are sent (`lane.rs`) and which ones (`collection.rs`, `search.rs`).

use std::sync::{Arc, Mutex, PoisonError, Weak};

use netmgr_transport::{Error as RequestError, Get, ReadSummary, Reply, Row};
use netmgr_types::wire::{ManagedObject, RowHead};
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;
use tracing::{Dispatch, Span};

use super::{Answer, Caller, Rows, Skipped};
use crate::batch::Source;
use crate::executor::Wanted;
use crate::read::{By, Read, Shown};

/// What a lookup wants from a lane.
#[derive(Debug, Clone)]
pub(super) enum Want {
    /// The answer at a fixed path.
    Path(Box<Get>),
    /// The object with the id of this read. Its own path has the last word.
    Object(Arc<Read>),
    /// The rows of a list or search that this read concerns.
    Rows(Arc<Read>),
    /// The rows of a search that this read concerns; the list of the collection has them all as well.
    Named(Arc<Read>),
}

impl Want {
    pub(super) fn read(&self) -> Option<&Read> {
        match self {
            Self::Path(_) => None,
            Self::Object(read) | Self::Rows(read) | Self::Named(read) => Some(read),
        }
    }

    /// What shows that a row of the whole list is meant, where not every row of the kind is.
    pub(super) fn shown(&self) -> Option<&Shown> {
        match self {
            Self::Rows(read) if !matches!(read.by, By::Id(_)) => read.shown.as_deref(),
            _ => None,
        }
    }

    /// Whether a row of the whole list may be meant.
    pub(super) fn is_shown(&self, row: &Row) -> bool {
        self.shown()
            .is_none_or(|shown| (shown.by)(row.text(), &shown.value))
    }
}

/// One waiting lookup, as its lane keeps it.
pub(super) struct Waiter {
    pub(super) want: Want,
    /// When the lookup joined.
    pub(super) since: Instant,
    pub(super) deadline: Instant,
    pub(super) sink: Box<dyn Sink>,
    /// Where the lookup logs: nowhere when its arguments are secret.
    pub(super) log: Dispatch,
    /// Number of the lookup, for the log.
    lookup: u64,
    /// Its span, which the requests that it causes are below.
    pub(super) span: Span,
    /// Whether the list may answer in the place of the search.
    pub(super) may_list: bool,
    /// Whether a list for the lookup began again, which happens once.
    pub(super) has_begun_again: bool,
    alive: Weak<Alive>,
}

/// Exists as long as a lookup waits.
struct Alive {
    /// Rung when the lookup stops waiting, so that a request without waiters is dropped. It belongs
    /// to the lane in which the lookup waits.
    bell: Mutex<Option<Arc<Notify>>>,
}

/// Says later whether a lookup still waits.
pub(super) struct Interest(Weak<Alive>);

impl Interest {
    pub(super) fn lasts(&self) -> bool {
        self.0.strong_count() > 0
    }
}

/// What an answer is delivered to. One waiter is answered once.
pub(super) trait Sink: Send {
    /// Takes a row with this head if it is what the lookup wants, and says whether it was.
    fn take(&mut self, row: &Row, head: Option<&RowHead<'_>>) -> bool;
    /// Whether rows were taken.
    fn has_rows(&self) -> bool;
    /// Drops the rows taken.
    fn forget(&mut self);
    /// Ends the wait with the rows taken.
    fn rows(self: Box<Self>, extent: &ReadSummary, source: Source);
    /// Ends the wait with the answer at a path of its own.
    fn reply(self: Box<Self>, reply: Reply);
    /// Ends the wait with a failure.
    fn fail(self: Box<Self>, error: RequestError);
}

/// What a lookup receives in the end. Boxed, because a lookup that waits has the space for it (0299).
type Delivery<T> = Box<Result<Answer<T>, RequestError>>;

/// The lookup's end of a [`Waiter`]. Dropping it gives up the wait.
pub(crate) struct Ticket<T> {
    pub(super) answer: oneshot::Receiver<Delivery<T>>,
    /// When the lookup joined.
    pub(super) since: Instant,
    pub(super) deadline: Instant,
    alive: Option<Arc<Alive>>,
}

impl<T> Drop for Ticket<T> {
    fn drop(&mut self) {
        let Some(alive) = self.alive.take() else { return };
        let bell = alive.bell.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(alive);
        if let Some(bell) = bell {
            bell.notify_waiters();
        }
    }
}

impl Waiter {
    /// A waiter whose rows are decoded as `T`, and the lookup's end of it.
    pub(super) fn new<T>(want: Want, caller: Caller) -> (Self, Ticket<T>)
    where
        T: Wanted,
    {
        let (sender, answer) = oneshot::channel();
        let sink = Collector {
            want: want.clone(),
            objects: Vec::new(),
            skipped: Vec::new(),
            sender,
        };
        Self::with(Box::new(sink), answer, want, caller)
    }

    /// A waiter for the answer at a path, and the lookup's end of it.
    pub(super) fn at_path(get: Get, caller: Caller) -> (Self, Ticket<()>) {
        let (sender, answer) = oneshot::channel();
        Self::with(Box::new(sender), answer, Want::Path(Box::new(get)), caller)
    }

    fn with<T>(
        sink: Box<dyn Sink>,
        answer: oneshot::Receiver<Delivery<T>>,
        want: Want,
        caller: Caller,
    ) -> (Self, Ticket<T>) {
        let alive = Arc::new(Alive {
            bell: Mutex::default(),
        });
        let since = Instant::now();
        let waiter = Self {
            want,
            since,
            deadline: caller.deadline,
            sink,
            log: tracing::dispatcher::get_default(Dispatch::clone),
            lookup: caller.lookup,
            span: Span::current(),
            may_list: true,
            has_begun_again: false,
            alive: Arc::downgrade(&alive),
        };
        let ticket = Ticket {
            answer,
            since,
            deadline: caller.deadline,
            alive: Some(alive),
        };
        (waiter, ticket)
    }

    /// Whether the lookup still waits.
    pub(super) fn is_waiting(&self) -> bool {
        self.alive.strong_count() > 0
    }

    /// A handle that says later whether the lookup still waits.
    pub(super) fn interest(&self) -> Interest {
        Interest(self.alive.clone())
    }

    /// Sets the bell that is rung when the lookup stops waiting.
    pub(super) fn hang(&self, bell: &Arc<Notify>) {
        if let Some(alive) = self.alive.upgrade() {
            *alive.bell.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(bell));
        }
    }

    /// Logs for the lookup which round of requests answers it.
    pub(super) fn log_round(&self, round: u64, lookups: usize) {
        tracing::dispatcher::with_default(&self.log, || {
            tracing::debug!(lookup = self.lookup, round, lookups, "waits for a shared request");
        });
    }
}

/// Decodes the rows of one lookup.
struct Collector<T> {
    want: Want,
    objects: Vec<T>,
    skipped: Vec<Skipped>,
    sender: oneshot::Sender<Delivery<T>>,
}

impl<T: Wanted> Sink for Collector<T> {
    fn take(&mut self, row: &Row, head: Option<&RowHead<'_>>) -> bool {
        let Some(read) = self.want.read() else {
            return false;
        };
        match T::of_row(read, row, head) {
            Ok(object) => {
                let is_object = matches!(self.want, Want::Object(_));
                let wanted = is_of_kind(read, &object)
                    && (!is_object || matches!(&read.by, By::Id(id) if object.id() == id));
                if wanted {
                    let left = match self.objects.last_mut() {
                        Some(last) => last.merge(object),
                        None => Some(object),
                    };
                    self.objects.extend(left);
                }
                wanted
            }
            Err(error) => {
                self.skipped.push(Skipped::new(row, &error));
                false
            }
        }
    }

    fn has_rows(&self) -> bool {
        !self.objects.is_empty()
    }

    fn forget(&mut self) {
        self.objects = Vec::new();
        self.skipped = Vec::new();
    }

    fn rows(self: Box<Self>, extent: &ReadSummary, source: Source) {
        let rows = Rows {
            objects: self.objects,
            skipped: self.skipped,
            extent: *extent,
            source,
        };
        // A lookup that gave up meanwhile needs no answer.
        let _ = self.sender.send(Box::new(Ok(Answer::Rows(rows))));
    }

    fn reply(self: Box<Self>, reply: Reply) {
        let _ = self.sender.send(Box::new(Ok(Answer::Reply(reply))));
    }

    fn fail(self: Box<Self>, error: RequestError) {
        let _ = self.sender.send(Box::new(Err(error)));
    }
}

/// A lookup of one path takes no rows.
impl Sink for oneshot::Sender<Delivery<()>> {
    fn take(&mut self, _: &Row, _: Option<&RowHead<'_>>) -> bool {
        false
    }

    fn has_rows(&self) -> bool {
        false
    }

    fn forget(&mut self) {}

    fn rows(self: Box<Self>, _: &ReadSummary, _: Source) {}

    fn reply(self: Box<Self>, reply: Reply) {
        let _ = self.send(Box::new(Ok(Answer::Reply(reply))));
    }

    fn fail(self: Box<Self>, error: RequestError) {
        let _ = self.send(Box::new(Err(error)));
    }
}

/// Whether `object` is of the kind that `read` wants and not about to be deleted.
pub(crate) fn is_of_kind<T: ManagedObject>(read: &Read, object: &T) -> bool {
    let wanted = read.kind.resource_type;
    !object.marked_for_delete()
        && (wanted.is_empty() || object.resource_type().is_none_or(|sent| sent == wanted))
}
