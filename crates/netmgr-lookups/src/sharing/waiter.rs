//! A lookup that waits for a shared request: what it wants, and where the rows that concern it go.
//!
//! Not here: when requests are sent (`lane.rs`) and which ones (`collection.rs`, `search.rs`).

use std::sync::{Arc, Weak};

use netmgr_transport::{Error as RequestError, Extent, Get, Reply, Row};
use netmgr_types::wire::Object;
use serde::de::DeserializeOwned;
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;
use tracing::Dispatch;

use super::{Answer, Rows, Skipped};
use crate::read::{By, Read};

/// What a lookup wants from a lane.
#[derive(Debug, Clone)]
pub(super) enum Want {
    /// The answer at a fixed path.
    Path(Get),
    /// The object with the id of this read. Its own path has the last word.
    Object(Read),
    /// The rows of a list or search that this read concerns.
    Rows(Read),
}

impl Want {
    pub(super) fn read(&self) -> Option<&Read> {
        match self {
            Self::Path(_) => None,
            Self::Object(read) | Self::Rows(read) => Some(read),
        }
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
    alive: Weak<()>,
}

/// What an answer is delivered to. One waiter is answered once.
pub(super) trait Sink: Send {
    /// Takes a row if it is what the lookup wants, and says whether it was.
    fn take(&mut self, row: &Row) -> bool;
    /// Drops the rows taken.
    fn forget(&mut self);
    /// Ends the wait with the rows taken.
    fn rows(self: Box<Self>, extent: &Extent);
    /// Ends the wait with the answer at a path of its own.
    fn reply(self: Box<Self>, reply: Reply);
    /// Ends the wait with a failure.
    fn fail(self: Box<Self>, error: Arc<RequestError>);
}

/// What a lookup receives in the end.
type Delivery<T> = Result<Answer<T>, Arc<RequestError>>;

/// The lookup's end of a [`Waiter`]. Dropping it gives up the wait.
pub(super) struct Ticket<T> {
    pub(super) answer: oneshot::Receiver<Delivery<T>>,
    alive: Option<Arc<()>>,
    /// Rung when the lookup stops waiting, so that a request without waiters is dropped.
    pub(super) bell: Option<Arc<Notify>>,
}

impl<T> Drop for Ticket<T> {
    fn drop(&mut self) {
        self.alive = None;
        if let Some(bell) = &self.bell {
            bell.notify_waiters();
        }
    }
}

impl Waiter {
    /// A waiter whose rows are decoded as `T`, and the lookup's end of it.
    pub(super) fn new<T>(want: Want, deadline: Instant) -> (Self, Ticket<T>)
    where
        T: DeserializeOwned + Object + Send + 'static,
    {
        let (sender, answer) = oneshot::channel();
        let sink = Collector {
            want: want.clone(),
            rows: Rows::default(),
            sender,
        };
        Self::with(Box::new(sink), answer, want, deadline)
    }

    /// A waiter for the answer at a path, and the lookup's end of it.
    pub(super) fn at_path(get: Get, deadline: Instant) -> (Self, Ticket<()>) {
        let (sender, answer) = oneshot::channel();
        Self::with(Box::new(sender), answer, Want::Path(get), deadline)
    }

    fn with<T>(
        sink: Box<dyn Sink>,
        answer: oneshot::Receiver<Delivery<T>>,
        want: Want,
        deadline: Instant,
    ) -> (Self, Ticket<T>) {
        let alive = Arc::new(());
        let waiter = Self {
            want,
            since: Instant::now(),
            deadline,
            sink,
            log: tracing::dispatcher::get_default(Dispatch::clone),
            alive: Arc::downgrade(&alive),
        };
        let ticket = Ticket {
            answer,
            alive: Some(alive),
            bell: None,
        };
        (waiter, ticket)
    }

    /// Whether the lookup still waits.
    pub(super) fn is_waiting(&self) -> bool {
        self.alive.strong_count() > 0
    }

    /// A handle that says later whether the lookup still waits.
    pub(super) fn interest(&self) -> Weak<()> {
        self.alive.clone()
    }
}

/// Decodes the rows of one lookup.
struct Collector<T> {
    want: Want,
    rows: Rows<T>,
    sender: oneshot::Sender<Delivery<T>>,
}

impl<T: DeserializeOwned + Object + Send> Sink for Collector<T> {
    fn take(&mut self, row: &Row) -> bool {
        match row.decode::<T>() {
            Ok(object) => {
                let wanted = match &self.want {
                    Want::Path(_) => false,
                    Want::Object(read) => {
                        is_of_kind(read, &object) && matches!(&read.by, By::Id(id) if object.id() == id)
                    }
                    Want::Rows(read) => is_of_kind(read, &object),
                };
                if wanted {
                    self.rows.objects.push(object);
                }
                wanted
            }
            Err(error) => {
                self.rows.skipped.push(Skipped::new(row, &error));
                false
            }
        }
    }

    fn forget(&mut self) {
        self.rows = Rows::default();
    }

    fn rows(mut self: Box<Self>, extent: &Extent) {
        self.rows.extent = Some(*extent);
        // A lookup that gave up meanwhile needs no answer.
        let _ = self.sender.send(Ok(Answer::Rows(self.rows)));
    }

    fn reply(self: Box<Self>, reply: Reply) {
        let _ = self.sender.send(Ok(Answer::Reply(reply)));
    }

    fn fail(self: Box<Self>, error: Arc<RequestError>) {
        let _ = self.sender.send(Err(error));
    }
}

/// A lookup of one path takes no rows.
impl Sink for oneshot::Sender<Delivery<()>> {
    fn take(&mut self, _: &Row) -> bool {
        false
    }

    fn forget(&mut self) {}

    fn rows(self: Box<Self>, _: &Extent) {}

    fn reply(self: Box<Self>, reply: Reply) {
        let _ = self.send(Ok(Answer::Reply(reply)));
    }

    fn fail(self: Box<Self>, error: Arc<RequestError>) {
        let _ = self.send(Err(error));
    }
}

/// Whether `object` is of the kind that `read` wants and not about to be deleted.
pub(crate) fn is_of_kind<T: Object>(read: &Read, object: &T) -> bool {
    let wanted = read.kind.resource_type;
    !object.marked_for_delete()
        && (wanted.is_empty() || object.resource_type().is_none_or(|sent| sent == wanted))
}
