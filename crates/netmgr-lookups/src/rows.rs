//! Rows on their way from a request to a lookup.
//!
//! A request offers its rows one by one, and a lookup keeps what it needs of them, so that no more than a page of a
//! list is in memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use netmgr_transport::{Error as RequestError, Reply, Row};

/// Keeps what a lookup needs of the rows that it is offered.
pub(crate) trait RowCollector: Send {
    /// Takes a row that may be wanted. Returns whether it is.
    fn offer(&mut self, row: &Row, source: Source) -> bool;

    /// Takes the reply at the path of a single object.
    ///
    /// # Errors
    ///
    /// If the reply is not the wanted object.
    fn take_reply(&mut self, reply: &Reply) -> Result<(), RequestError>;

    /// Whether no row was kept.
    fn is_empty(&self) -> bool;

    /// Whether every row that may be wanted could be decoded.
    fn is_sound(&self) -> bool;

    /// Forgets all rows.
    fn clear(&mut self);
}

/// A collector that a lookup shares with the request that fills it.
pub(crate) type SharedCollector = Arc<Mutex<dyn RowCollector>>;

/// Locks a collector. A panic in another lookup leaves it usable.
pub(crate) fn lock<C: RowCollector + ?Sized>(collector: &Mutex<C>) -> MutexGuard<'_, C> {
    collector.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The collector of a request without rows.
pub(crate) fn no_rows() -> SharedCollector {
    Arc::new(Mutex::new(NoRows))
}

struct NoRows;

impl RowCollector for NoRows {
    fn offer(&mut self, _: &Row, _: Source) -> bool {
        false
    }

    fn take_reply(&mut self, _: &Reply) -> Result<(), RequestError> {
        Ok(())
    }

    fn is_empty(&self) -> bool {
        true
    }

    fn is_sound(&self) -> bool {
        true
    }

    fn clear(&mut self) {}
}

/// Source of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The object's own path.
    Direct,
    /// The list of the collection.
    List,
    /// The search index, which is updated after the store.
    Search,
}

/// Rows that may be wanted and could not be decoded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Skipped {
    count: usize,
    /// Description of the first problem.
    first: String,
}

impl Skipped {
    /// Counts a row.
    pub(crate) fn add(&mut self, problem: &serde_json::Error) {
        if self.count == 0 {
            self.first = problem.to_string();
        }
        self.count += 1;
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Their number.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Description of the first problem, which quotes the row.
    pub(crate) fn first(&self) -> &str {
        &self.first
    }
}

/// The name of a row that could not be decoded, or its id, if one of them is readable.
pub(crate) fn readable_name(row: &Row) -> Option<String> {
    let head = row.head()?;
    Some(head.name().to_owned()).filter(|name| !name.is_empty())
}
