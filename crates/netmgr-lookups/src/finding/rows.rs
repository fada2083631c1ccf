//! Rows on their way from a request to a lookup.
//!
//! A request offers its rows one by one, and a lookup keeps the parts that it needs, so that no more than a page of a
//! list is in memory.

use std::cell::OnceCell;
use std::sync::{Arc, Mutex};

use netmgr_transport::{Error as RequestError, Reply, Row};
use netmgr_types::wire::{ManagedObject, MaybeIdentified, RowHead};

/// A row that is offered to lookups. It is decoded when the first of them needs its object, which they share.
pub(crate) struct OfferedRow<'a> {
    row: &'a Row,
    object: OnceCell<Result<Arc<ManagedObject>, String>>,
}

impl<'a> OfferedRow<'a> {
    pub(crate) fn new(row: &'a Row) -> Self {
        let object = OnceCell::new();
        Self { row, object }
    }

    /// Its JSON text.
    pub(crate) fn text(&self) -> &[u8] {
        self.row.text()
    }

    /// The object, which may have no id.
    ///
    /// # Errors
    ///
    /// Describes why the row cannot be decoded.
    pub(crate) fn object(&self) -> Result<&Arc<ManagedObject>, &str> {
        let decoded = self.object.get_or_init(|| match self.row.decode() {
            Ok(MaybeIdentified(object)) => Ok(Arc::new(object)),
            // The position is one in the row, which is no document of its own.
            Err(problem) => Err(problem
                .to_string()
                .trim_end_matches(&format!(
                    " at line {} column {}",
                    problem.line(),
                    problem.column()
                ))
                .to_owned()),
        });
        decoded.as_ref().map_err(String::as_str)
    }

    /// The name of the object, or its id, if one of them is readable although the row may not be decoded.
    pub(crate) fn readable_name(&self) -> Option<String> {
        let head = self.row.head()?;
        Some(head.name().to_owned()).filter(|name| !name.is_empty())
    }
}

/// Keeps the parts of the offered rows that a lookup needs.
pub(crate) trait RowCollector: Send {
    /// Accepts a row that may be wanted. Returns whether it is.
    fn offer(&mut self, row: &OfferedRow<'_>, source: RowSource) -> bool;

    /// Accepts the reply at the path of a single object. Default: the collector expects a list.
    ///
    /// # Errors
    ///
    /// If the reply is not the wanted object.
    fn take_reply(&mut self, reply: &Reply) -> Result<(), RequestError> {
        Err(reply.rejected("it is a single object".to_owned(), None))
    }

    /// Whether no row was kept.
    fn is_empty(&self) -> bool;

    /// Rows that may be wanted and could not be decoded.
    fn skipped(&self) -> &Skipped;

    /// Removes all rows.
    fn clear(&mut self);
}

/// A collector that a lookup shares with the request that fills it.
pub(crate) type SharedCollector = Arc<Mutex<dyn RowCollector>>;

/// Makes the value of a row that is kept, or describes why the row cannot be decoded.
type Keep<V> = Box<dyn Fn(&OfferedRow<'_>, RowSource) -> Result<Option<V>, String> + Send>;

/// Collects values of rows.
pub(crate) struct Kept<V> {
    keep: Keep<V>,
    /// Maximum number of values.
    most: usize,
    pub(crate) values: Vec<V>,
    /// Number of rows with a value.
    pub(crate) total: usize,
    skipped: Skipped,
}

impl<V> Kept<V> {
    /// An empty collector of at most `most` values.
    pub(crate) fn of(
        most: usize,
        keep: impl Fn(&OfferedRow<'_>, RowSource) -> Result<Option<V>, String> + Send + 'static,
    ) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            keep: Box::new(keep),
            most,
            values: Vec::new(),
            total: 0,
            skipped: Skipped::default(),
        }))
    }
}

impl<V: Send> RowCollector for Kept<V> {
    fn offer(&mut self, row: &OfferedRow<'_>, source: RowSource) -> bool {
        match (self.keep)(row, source) {
            Ok(Some(value)) => {
                self.total += 1;
                if self.values.len() < self.most {
                    self.values.push(value);
                }
                return true;
            }
            Ok(None) => {}
            Err(problem) => self.skipped.add(row, &problem),
        }
        false
    }

    fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn skipped(&self) -> &Skipped {
        &self.skipped
    }

    fn clear(&mut self) {
        self.values.clear();
        self.total = 0;
        self.skipped = Skipped::default();
    }
}

/// The collector of a request without rows.
pub(crate) fn no_rows() -> SharedCollector {
    Kept::<()>::of(0, |_, _| Ok(None))
}

/// Source of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowSource {
    /// The object's own path.
    Direct,
    /// The list of the collection.
    List,
    /// The search index, which lags behind the store.
    Search,
}

/// Rows that may be wanted and could not be decoded.
#[derive(Default)]
pub(crate) struct Skipped {
    count: usize,
    /// The members of the first row that identify it, as far as they could be decoded.
    head: RowHead<'static>,
    /// Why the first row could not be decoded.
    problem: String,
}

impl Skipped {
    pub(crate) fn add(&mut self, row: &OfferedRow<'_>, problem: &str) {
        if self.count == 0 {
            self.head = row.row.head().unwrap_or_default().into_owned();
            problem.clone_into(&mut self.problem);
        }
        self.count += 1;
    }

    /// Whether no row was skipped.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The identity of the first row, and why it could not be decoded. Both can contain text of the manager, which has to be
    /// sanitized before it is shown.
    pub(crate) fn first(&self) -> (&RowHead<'static>, &str) {
        (&self.head, &self.problem)
    }
}
