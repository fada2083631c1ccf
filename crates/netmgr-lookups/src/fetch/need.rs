//! Needs of lookups, and the request that a lookup would send alone for each.

use std::sync::Arc;

use netmgr_transport::Get;

use crate::finding::query::{name, name_of_form, query};
use crate::finding::read::{By, Read};
use crate::finding::requests;
use crate::finding::rows::{OfferedRow, RowSource};

/// The next need of a lookup.
#[derive(Debug, Clone)]
pub(crate) enum Need {
    Path(Get),
    /// The object with this id, at its own path.
    Object(Arc<Read>, String),
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
                requests::search(read.tree.root(), query(read, name)).with_alternative()
            }
            Self::Search(read) => requests::search(read.tree.root(), query(read, name)),
            Self::PlainSearch(read) => requests::search(read.tree.root(), query(read, name_of_form)),
        }
    }

    /// Source of the rows of the own request; `None` if it is not paged.
    pub(super) fn source(&self) -> Option<RowSource> {
        match self {
            Self::Path(_) | Self::Object(..) => None,
            Self::List(_) => Some(RowSource::List),
            Self::Search(_) | Self::PlainSearch(_) => Some(RowSource::Search),
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

    /// The group of lookups that could share a wide request with this one.
    pub(super) fn group(&self) -> Option<Group> {
        match self {
            Self::Search(read) => Some(Group::Search(read.tree.root())),
            _ => Some(Group::Collection(self.collection()?.path_and_query())),
        }
    }

    /// The collection whose list also answers it, if there is one.
    pub(super) fn collection(&self) -> Option<Get> {
        match self {
            Self::Path(_) | Self::PlainSearch(_) => None,
            Self::List(_) if self.is_of_filters() => None,
            Self::Search(read) if !read.has_one_list() => None,
            Self::Object(read, _) | Self::List(read) | Self::Search(read) => Some(requests::list(read)),
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
    pub(super) fn admits(&self, row: &OfferedRow<'_>) -> bool {
        match self {
            Self::List(read) if !self.is_whole_list() => read
                .filter_check
                .as_ref()
                .is_none_or(|check| check.by.is_some_and(|by| by(row, &check.value))),
            _ => true,
        }
    }

    /// Whether only the response to the filters of its list answers it.
    fn is_of_filters(&self) -> bool {
        let shows_nothing = |read: &Read| read.filter_check.as_ref().is_some_and(|shown| shown.by.is_none());
        self.read().is_some_and(shows_nothing) && !self.is_whole_list()
    }

    /// Whether a complete list or search settles the lookup. `has_rows`: at least one row matched.
    pub(super) fn is_decided_by_all_rows(&self, has_rows: bool) -> bool {
        match self {
            // The object's own path is authoritative.
            Self::Path(_) | Self::Object(..) => false,
            // The manager may select objects by properties that they do not show.
            Self::List(read) => self.is_whole_list() || read.filter_check.is_none() || has_rows,
            Self::Search(_) | Self::PlainSearch(_) => true,
        }
    }
}

/// Lookups that could share a wide request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Group {
    /// Lookups of the collection at this path and query.
    Collection(String),
    /// The searches below this API root.
    Search(&'static str),
}
