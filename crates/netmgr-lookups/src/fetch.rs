//! The requests of a read, in the order in which a single lookup sends them.
//!
//! A lookup by id reads the object's own path, because the search index lags behind the store. A lookup by name
//! searches, and confirms with the list that a name is missing. Lookups of all objects read the list. If the list or
//! the search fails, the other one is read if it may answer. Objects with a known path but without a collection are
//! searched.
//!
//! Each request goes through the [`Batcher`], in which concurrent lookups share requests. Not here: which of the
//! objects is selected ([`crate::finding::find`]).

use std::sync::Arc;

use netmgr_transport::{
    Ending, Error as RequestError, ErrorKind as RequestErrorKind, Get, ReadSummary, Reply,
};

use crate::finding::query::{has_several_forms, is_refused_query};
use crate::finding::read::{By, Read};
use crate::finding::rows::{RowSource, SharedCollector, no_rows};
use crate::lock::lock;

mod batch;
mod choose;
mod compose;
mod in_flight;
mod matcher;
mod need;
mod waiting;

pub(crate) use batch::Batcher;
use need::Need;
pub(crate) use waiting::Caller;
use waiting::Received;

/// Makes the requests of one lookup.
#[derive(Clone, Copy)]
pub(crate) struct Fetch<'a> {
    pub(crate) batcher: &'a Arc<Batcher>,
    pub(crate) caller: Caller<'a>,
}

/// Outcome of a read. The objects are in its collector.
#[derive(Debug)]
pub(crate) struct Fetched {
    pub(crate) source: RowSource,
    /// Reason why the manager may have sent fewer objects than it has, if any.
    pub(crate) short: Option<String>,
    /// Whether pages are missing because the manager's cursors did not lead to the last page. A lower count than
    /// announced can also mean that objects were deleted in the meantime.
    pub(crate) lost: bool,
    /// Response of the manager if it reports that the object or its parent does not exist.
    pub(crate) missing: Option<RequestError>,
    /// Error of the other read: of the list that would confirm the search, or of the search that would complete the
    /// list.
    pub(crate) unread: Option<RequestError>,
}

/// Why objects could not be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    Request(RequestError),
    /// The manager has no such API.
    NoApi(RequestError),
}

impl From<RequestError> for ReadError {
    fn from(error: RequestError) -> Self {
        match error.kind() {
            RequestErrorKind::NotFound => Self::NoApi(error),
            _ => Self::Request(error),
        }
    }
}

impl Fetch<'_> {
    /// Reads the objects of `read` into `rows`.
    pub(crate) async fn find(&self, read: &Arc<Read>, rows: &SharedCollector) -> Result<Fetched, ReadError> {
        match &read.by {
            _ if !read.has_collection() => self.search(read, rows).await,
            By::Id(id) => self.by_id(read, id, rows).await,
            By::Key { .. } | By::Name(_) if read.is_indexed() && read.kind.searched => {
                match self.search(read, rows).await {
                    Err(ReadError::NoApi(_)) => self.list(read, rows).await,
                    Err(ReadError::Request(error)) if is_search_trouble(&error) => {
                        match self.list(read, rows).await {
                            Err(ReadError::NoApi(_)) => Err(ReadError::Request(error)),
                            listed => Ok(listed?.without_search(read, error)),
                        }
                    }
                    found => found,
                }
            }
            _ => match self.list(read, rows).await {
                Err(ReadError::NoApi(missing)) if read.is_indexed() => match self.search(read, rows).await {
                    Err(ReadError::NoApi(_)) => Err(ReadError::NoApi(missing)),
                    found => Ok(found?.but_missing(missing)),
                },
                listed => listed,
            },
        }
    }

    /// Reads the list of the collection into `rows`.
    pub(crate) async fn list(&self, read: &Arc<Read>, rows: &SharedCollector) -> Result<Fetched, ReadError> {
        let need = Need::List(Arc::clone(read));
        match self.batcher.fetch(need, rows, self.caller).await {
            Ok(answer) => Ok(Fetched::arrived(&answer)),
            Err(error) => match ReadError::from(error) {
                // If the manager reports that the parent is missing, so is everything below it.
                ReadError::NoApi(missing) if read.parent.is_some() && missing.names_an_object() => {
                    Ok(Fetched::whole(RowSource::List).but_missing(missing))
                }
                refused => Err(refused),
            },
        }
    }

    /// Reads the objects that the search finds into `rows`.
    ///
    /// A name with accents is searched in several forms at once. If the manager rejects that query, only the form that
    /// was requested is searched.
    pub(crate) async fn search(
        &self,
        read: &Arc<Read>,
        rows: &SharedCollector,
    ) -> Result<Fetched, ReadError> {
        let search =
            |need: fn(Arc<Read>) -> Need| self.batcher.fetch(need(Arc::clone(read)), rows, self.caller);
        let mut sent = search(Need::Search).await;
        if let Err(error) = &sent
            && is_refused_query(error.failure())
            && has_several_forms(read)
        {
            sent = search(Need::PlainSearch).await;
        }
        Ok(Fetched::arrived(&sent?))
    }

    /// The object with this id at its own path.
    async fn by_id(&self, read: &Arc<Read>, id: &str, rows: &SharedCollector) -> Result<Fetched, ReadError> {
        let need = Need::Object(Arc::clone(read), id.to_owned());
        let missing = match self.batcher.fetch(need, rows, self.caller).await {
            Ok(Received::Reply(reply)) => {
                lock(rows).take_reply(&reply)?;
                return Ok(Fetched::whole(RowSource::Direct));
            }
            Ok(Received::Rows(..)) => return Ok(Fetched::whole(RowSource::Direct)),
            Err(error) if error.kind() == RequestErrorKind::NotFound => error,
            Err(error) => return Err(error.into()),
        };
        match (read.is_indexed(), missing.names_an_object()) {
            (is_indexed, true) if !is_indexed || read.has_one_list() => Ok(Fetched::missing(missing)),
            // Only the search finds the object below another enforcement point.
            (_, true) => match self.search(read, rows).await {
                Ok(found) if lock(rows).is_empty() => Ok(found.but_missing(missing)),
                Err(ReadError::NoApi(_)) => Ok(Fetched::missing(missing)),
                found => found,
            },
            // The 404 is not about an object: only the list distinguishes a missing object from a missing API.
            (false, false) => self.object_of_list(read, rows, missing).await,
            // The manager may not support the path.
            (true, false) => match self.search(read, rows).await {
                // The index lags behind the store.
                Ok(found) if lock(rows).is_empty() => match self.object_of_list(read, rows, missing).await {
                    Err(ReadError::NoApi(missing)) => Ok(found.but_missing(missing)),
                    listed => listed,
                },
                Err(ReadError::NoApi(_)) => self.object_of_list(read, rows, missing).await,
                Err(ReadError::Request(error)) if is_search_trouble(&error) => {
                    let listed = self.object_of_list(read, rows, missing).await?;
                    Ok(listed.without_search(read, error))
                }
                found => found,
            },
        }
    }

    /// Finds the object in the list, because its own path is `missing`.
    async fn object_of_list(
        &self,
        read: &Arc<Read>,
        rows: &SharedCollector,
        missing: RequestError,
    ) -> Result<Fetched, ReadError> {
        match self.list(read, rows).await {
            Ok(listed) if lock(rows).is_empty() => Ok(listed.but_missing(missing)),
            Err(ReadError::NoApi(_)) => Err(ReadError::NoApi(missing)),
            listed => listed,
        }
    }

    /// The reply at a path.
    pub(crate) async fn path(&self, get: Get) -> Result<Reply, RequestError> {
        match self
            .batcher
            .fetch(Need::Path(get), &no_rows(), self.caller)
            .await?
        {
            Received::Reply(reply) => Ok(reply),
            Received::Rows(..) => unreachable!("a path has no rows"),
        }
    }
}

impl Fetched {
    /// A complete answer.
    fn whole(source: RowSource) -> Self {
        Self {
            source,
            short: None,
            lost: false,
            missing: None,
            unread: None,
        }
    }

    /// No objects, because the manager reported that there is none.
    fn missing(error: RequestError) -> Self {
        Self::whole(RowSource::Direct).but_missing(error)
    }

    /// The manager also reported that the object or its parent is `missing`.
    fn but_missing(self, missing: RequestError) -> Self {
        let missing = Some(missing);
        Self { missing, ..self }
    }

    /// A list without the search that would complete it, which failed with `error`.
    fn without_search(self, read: &Read, error: RequestError) -> Self {
        let unread = Some(error).filter(|_| !read.has_one_list());
        Self { unread, ..self }
    }

    /// The rows of a list or search.
    fn arrived(answer: &Received) -> Self {
        match answer {
            Received::Reply(_) => Self::whole(RowSource::Direct),
            Received::Rows(extent, source) => Self {
                short: extent.shortfall(),
                lost: is_lost(extent),
                ..Self::whole(*source)
            },
        }
    }

    /// Whether all objects of the manager were sent.
    pub(crate) fn is_whole(&self) -> bool {
        self.short.is_none() && self.unread.is_none()
    }

    /// Reason why objects may be missing, if any. `skipped` describes rows that could not be decoded.
    pub(crate) fn incomplete(&self, skipped: Option<String>) -> Option<String> {
        let other = match self.source {
            RowSource::Search => "list",
            RowSource::Direct | RowSource::List => "search",
        };
        let unread = self.unread.as_ref();
        let unread = unread.map(|error| format!("reading the {other} failed: {error}"));
        let reasons = [skipped, self.short.clone(), unread];
        let reasons: Vec<String> = reasons.into_iter().flatten().collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

/// Whether pages are missing, or the list changed each time it was read. If the manager announces more objects than it
/// sends, but marks the last page, objects may have been deleted in the meantime.
fn is_lost(extent: &ReadSummary) -> bool {
    match (extent.announced, extent.ending) {
        _ if extent.has_changed => true,
        (_, Some(Ending::NoCursor | Ending::LastOffset | Ending::EndMark)) => false,
        (Some(announced), _) => extent.rows < announced,
        (None, Some(Ending::NothingBehind)) => false,
        (None, _) => true,
    }
}

/// Whether a search failed because of the index or the query, so that the list may still answer.
fn is_search_trouble(error: &RequestError) -> bool {
    let status = error.failure().status;
    status.is_some_and(|status| status.as_u16() == 400)
}

#[cfg(test)]
mod tests;
