//! What a read brought: objects, and what is known of those that it did not bring.

use std::collections::HashSet;
use std::sync::Arc;

use netmgr_transport::{Ending, Error as RequestError, ReadSummary};
use netmgr_types::wire::ManagedObject;

use crate::sharing::{Rows, Skipped};

/// Objects read, and what is known of those that were not.
#[derive(Debug)]
pub(crate) struct Batch<T> {
    /// The objects, each of the right kind and in the right place.
    pub objects: Vec<T>,
    /// Objects that could not be decoded.
    pub skipped: Vec<Skipped>,
    /// Why the manager may have sent fewer objects than it has, when it may have.
    pub short: Option<String>,
    /// Whether pages are missing, because the manager's cursors led nowhere. A lower count alone can
    /// also mean that objects were deleted meanwhile.
    pub lost: bool,
    /// Where they come from.
    pub source: Source,
    /// The manager's answer when it says that nothing is there.
    pub missing: Option<Arc<RequestError>>,
    /// Why another part could not be read: the list for what the search found, or the search for
    /// what is in no list that was read.
    pub unread: Option<Arc<RequestError>>,
}

/// Where the objects of a batch come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The object's own path.
    Direct,
    /// The collection's list.
    List,
    /// The search index, which trails the store.
    Search,
}

impl<T> Batch<T> {
    /// A batch of `objects` that lacks nothing.
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

    /// An empty batch, because the manager reported that the object does not exist.
    pub(crate) fn missing(error: Arc<RequestError>) -> Self {
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

    /// Whether every object that the manager has is here.
    pub(crate) fn is_whole(&self) -> bool {
        self.skipped.is_empty() && self.short.is_none() && self.unread.is_none()
    }

    /// The batch with those of `others` that it lacks: a search reaches further than one list.
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

    /// Why objects that `concerns` may be missing; none when nothing suggests it.
    pub(crate) fn incomplete(&self, concerns: impl Fn(Option<&str>) -> bool) -> Option<String> {
        let skipped: Vec<&Skipped> = self
            .skipped
            .iter()
            .filter(|skipped| concerns(skipped.name.as_deref()))
            .collect();
        let unreadable = skipped.first().map(|first| {
            format!(
                "{} of the manager's objects could not be read, the first because of: {}",
                skipped.len(),
                first.reason
            )
        });
        let other = match self.source {
            Source::Search => "list",
            Source::Direct | Source::List => "search",
        };
        let unread = self.unread.as_ref();
        let unread = unread.map(|error| format!("the {other} could not be read: {error}"));
        let reasons = [unreadable, self.short.clone(), unread];
        let reasons: Vec<String> = reasons.into_iter().flatten().collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

/// Whether pages are missing. A manager that announces more than it sends and says where the end is
/// may have deleted objects meanwhile.
fn is_lost(extent: &ReadSummary) -> bool {
    match (extent.announced, extent.ending) {
        (_, Some(Ending::NoCursor | Ending::LastOffset | Ending::EndMark)) => false,
        (Some(announced), _) => extent.rows < announced,
        (None, Some(Ending::NothingBehind)) => false,
        (None, _) => true,
    }
}

/// Why a read may not have reached every object; none when it did.
fn shortfall(extent: &ReadSummary) -> Option<String> {
    extent.maybe_incomplete().then(|| match extent.announced {
        Some(announced) => format!(
            "the manager announced {announced} objects and sent {}",
            extent.rows
        ),
        None => format!("the manager's pages led nowhere after {} objects", extent.rows),
    })
}
