//! The result of a read: objects, and information about objects that may be missing.

use std::collections::HashSet;

use netmgr_transport::{Ending, Error as RequestError, ReadSummary};
use netmgr_types::wire::ManagedObject;

use crate::sharing::{Rows, Skipped};

/// Objects that were read, and information about objects that may be missing.
#[derive(Debug)]
pub(crate) struct Batch<T> {
    /// Objects of the requested kind and place.
    pub objects: Vec<T>,
    /// Objects that could not be decoded.
    pub skipped: Vec<Skipped>,
    /// Reason why the manager may have sent fewer objects than it has, if any.
    pub short: Option<String>,
    /// Whether pages are missing because the manager's cursors did not lead to the last page. A lower count
    /// than announced can also mean that objects were deleted in the meantime.
    pub lost: bool,
    /// Source of the objects.
    pub source: Source,
    /// Response of the manager if it reports that the object does not exist.
    pub missing: Option<RequestError>,
    /// Error of another read: of the list that would confirm the search, or of the search that would complete
    /// the list.
    pub unread: Option<RequestError>,
}

/// Source of the objects of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The object's own path.
    Direct,
    /// The collection's list.
    List,
    /// The search index, which is updated after the store.
    Search,
}

impl<T> Batch<T> {
    /// Creates a complete batch of `objects`.
    pub(crate) fn of(objects: Vec<T>, source: Source) -> Self {
        Self {
            objects,
            skipped: Vec::new(),
            short: None,
            lost: false,
            source,
            missing: None,
            unread: None,
        }
    }

    /// Creates an empty batch, because the manager reported that the object does not exist.
    pub(crate) fn missing(error: RequestError) -> Self {
        Self {
            missing: Some(error),
            ..Self::of(Vec::new(), Source::Direct)
        }
    }

    /// A batch of the rows of a list or search.
    pub(crate) fn of_rows(rows: Rows<T>) -> Self {
        Self {
            skipped: rows.skipped,
            short: shortfall(&rows.extent),
            lost: is_lost(&rows.extent),
            ..Self::of(rows.objects, rows.source)
        }
    }

    /// Whether the batch contains every object of the manager.
    pub(crate) fn is_whole(&self) -> bool {
        self.skipped.is_empty() && self.short.is_none() && self.unread.is_none()
    }

    /// Adds those of `others` that the batch lacks, because a search can find objects of other lists.
    pub(crate) fn and(mut self, others: Vec<T>) -> Self
    where
        T: ManagedObject,
    {
        let named = |object: &T| (object.id().to_owned(), object.path().map(str::to_owned));
        let known: HashSet<_> = self.objects.iter().map(named).collect();
        let lacking = others.into_iter().filter(|other| !known.contains(&named(other)));
        self.objects.extend(lacking);
        self
    }

    /// Reason why objects for which `concerns` returns true may be missing, if any.
    pub(crate) fn incomplete(&self, concerns: impl Fn(Option<&str>) -> bool) -> Option<String> {
        let skipped: Vec<&Skipped> = self
            .skipped
            .iter()
            .filter(|skipped| concerns(skipped.name.as_deref()))
            .collect();
        let unreadable = skipped.first().map(|first| match skipped.len() {
            1 => format!("1 object could not be decoded: {}", first.reason),
            many => format!(
                "{many} objects could not be decoded; the first error is: {}",
                first.reason
            ),
        });
        let other = match self.source {
            Source::Search => "list",
            Source::Direct | Source::List => "search",
        };
        let unread = self.unread.as_ref();
        let unread = unread.map(|error| format!("reading the {other} failed: {error}"));
        let reasons = [unreadable, self.short.clone(), unread];
        let reasons: Vec<String> = reasons.into_iter().flatten().collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

/// Whether pages are missing. If the manager announces more objects than it sends but marks the last page,
/// objects may have been deleted in the meantime.
fn is_lost(extent: &ReadSummary) -> bool {
    match (extent.announced, extent.ending) {
        (_, Some(Ending::NoCursor | Ending::LastOffset | Ending::EndMark)) => false,
        (Some(announced), _) => extent.rows < announced,
        (None, Some(Ending::NothingBehind)) => false,
        (None, _) => true,
    }
}

/// Reason why a read may be incomplete, if any.
fn shortfall(extent: &ReadSummary) -> Option<String> {
    extent.maybe_incomplete().then(|| match extent.announced {
        Some(announced) => format!(
            "the manager announced {announced} objects but sent {}",
            extent.rows
        ),
        None => format!(
            "the manager's pages ended without a last page after {} objects",
            extent.rows
        ),
    })
}
