//! Where reads become requests: the one place that chooses between a path, a list and a search.
//!
//! By id, the object's own path is read, because the search index trails the store. By name, the
//! search narrows, and the list confirms before an exact name counts as missing. All objects come from
//! the list. Where one of list and search fails, the other is read when it may answer. Not here:
//! batches of objects ([`crate::batch`]) and choosing among them ([`crate::select`]).
//!
//! Source: manager-api A.1, B.1, C, D.

use std::sync::Arc;

use futures_util::future::{BoxFuture, Either, ready};
use netmgr_transport::{Error as RequestError, ErrorKind as RequestErrorKind, Get, Reply, Row};
use netmgr_types::wire::{ManagedObject, RowHead};
use serde::de::DeserializeOwned;

use crate::batch::{Batch, Source};
use crate::context::Context;
use crate::object::AnyObject;
use crate::read::{By, Place, Read};
use crate::sharing::{Answer, Ticket, is_of_kind};

/// What is kept of an object that is read.
pub(crate) trait Wanted: ManagedObject + Send + Sized + 'static {
    /// Decodes a row with this head.
    ///
    /// # Errors
    ///
    /// If the row is not a valid object of the type that `read` wants.
    fn of_row(read: &Read, row: &Row, head: Option<&RowHead<'_>>) -> Result<Self, serde_json::Error>;

    /// Decodes the answer at the object's own path.
    ///
    /// # Errors
    ///
    /// If the answer is not a valid object of the type that `read` wants.
    fn of_reply(read: &Read, reply: &Reply) -> Result<Self, RequestError>;

    /// Adds `other` if one value can stand for many rows, as in maps. Otherwise returns it.
    fn merge(&mut self, other: Self) -> Option<Self> {
        Some(other)
    }
}

impl Wanted for AnyObject {
    fn of_row(read: &Read, row: &Row, _: Option<&RowHead<'_>>) -> Result<Self, serde_json::Error> {
        (read.decoder.row)(row)
    }

    fn of_reply(read: &Read, reply: &Reply) -> Result<Self, RequestError> {
        (read.decoder.reply)(reply)
    }
}

/// Why objects could not be read.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The request failed.
    Request(RequestError),
    /// The manager has no such API.
    NoApi(RequestError),
}

impl From<RequestError> for Refused {
    fn from(error: RequestError) -> Self {
        match error.kind() {
            RequestErrorKind::NotFound => Self::NoApi(error),
            _ => Self::Request(error),
        }
    }
}

/// Makes the requests of one call, which it shares with other calls.
#[derive(Clone, Copy)]
pub(crate) struct Executor<'a>(pub(crate) &'a Context<'a>);

impl<'a> Executor<'a> {
    /// Reads the objects of `read`.
    ///
    /// The first answer is nearly always the last one. All that may follow it is boxed: a lookup that waits for the
    /// first one, as a thousand others do, needs no space for it (0105).
    pub(crate) fn find<T: Wanted>(
        self,
        read: &'a Arc<Read>,
    ) -> impl Future<Output = Result<Batch<T>, Refused>> + Send + 'a {
        // Not async, because an async function keeps its arguments twice (0291).
        let first = First::of(read);
        let mut ticket = match self.ask(first, read) {
            Ok(ticket) => ticket,
            Err(error) => return Either::Left(ready(Err(Refused::from(error)))),
        };
        Either::Right(async move {
            let answer = ticket.answer().await;
            let later = match self.answered(first, read, answer) {
                Answered::Now(outcome) => return outcome,
                Answered::Later(later) => later,
            };
            later.await
        })
    }

    /// Sends the first request of `read`, or joins the lookups that send it.
    fn ask<T: Wanted>(&self, first: First, read: &Arc<Read>) -> Result<Ticket<T>, RequestError> {
        match first {
            First::Direct => self.0.sharing.object(read, self.0.caller()),
            First::Search => self.0.sharing.search(read, self.0.caller()),
            First::List => self.0.sharing.list(read, self.0.caller()),
        }
    }

    /// What the first answer leads to.
    fn answered<T: Wanted>(self, first: First, read: &'a Arc<Read>, answer: Delivered<T>) -> Answered<'a, T> {
        let batch = match first {
            First::Direct => match direct(read, answer) {
                Ok(Ok(batch)) => Ok(batch),
                Ok(Err(missing)) => {
                    return Answered::Later(Box::pin(async move {
                        self.object_without_path(read, missing).await
                    }));
                }
                Err(refused) => return Answered::Now(Err(refused)),
            },
            First::Search => searched(read, answer),
            First::List => listed(read, answer),
        };
        match batch {
            Ok(batch) => Answered::Now(Ok(batch)),
            Err(refused) => Answered::Later(Box::pin(async move { self.other(first, read, refused).await })),
        }
    }

    /// Completes what a search found by the list, which is read at most once in a call.
    ///
    /// When the list fails, what was found stays, and the batch says what could not be read.
    pub(crate) async fn confirm<T: Wanted>(
        &self,
        read: &Arc<Read>,
        found: Batch<T>,
    ) -> Result<Batch<T>, Refused> {
        if found.source != Source::Search || found.missing.is_some() {
            return Ok(found);
        }
        match self.list(read).await {
            // The list is the store's word: what only the index has is deleted.
            Ok(listed) if listed.missing.is_some() || read.has_one_list() && listed.is_whole() => Ok(listed),
            Ok(listed) => Ok(listed.and(found.objects)),
            Err(Refused::NoApi(missing)) => Ok(Batch {
                missing: Some(missing),
                ..found
            }),
            Err(Refused::Request(error)) if found.objects.is_empty() => Err(Refused::Request(error)),
            Err(Refused::Request(error)) => Ok(Batch {
                unread: Some(error),
                ..found
            }),
        }
    }

    /// What answers `read` because its first request was refused.
    async fn other<T: Wanted>(
        &self,
        first: First,
        read: &Arc<Read>,
        refused: Refused,
    ) -> Result<Batch<T>, Refused> {
        match (first, read.kind.place) {
            (First::Search, _) => self.list_in_place_of_search(read, refused).await,
            (First::List, Place::Infra(_) | Place::Below(_)) => {
                self.search_in_place_of_list(read, refused).await
            }
            (First::List, Place::Fixed(_)) | (First::Direct, _) => Err(refused),
        }
    }

    /// The list where the search cannot answer.
    async fn list_in_place_of_search<T: Wanted>(
        &self,
        read: &Arc<Read>,
        refused: Refused,
    ) -> Result<Batch<T>, Refused> {
        let trouble = match refused {
            Refused::NoApi(_) => return self.list(read).await,
            Refused::Request(error) if is_search_trouble(&error) => error,
            refused => return Err(refused),
        };
        match self.list(read).await {
            Ok(batch) if read.has_one_list() => Ok(batch),
            Ok(batch) => Ok(Batch {
                unread: Some(trouble),
                ..batch
            }),
            Err(Refused::NoApi(_)) => Err(Refused::Request(trouble)),
            Err(refused) => Err(refused),
        }
    }

    /// The search where there is no list.
    async fn search_in_place_of_list<T: Wanted>(
        &self,
        read: &Arc<Read>,
        refused: Refused,
    ) -> Result<Batch<T>, Refused> {
        let Refused::NoApi(missing) = refused else {
            return Err(refused);
        };
        match self.search(read).await {
            Ok(batch) => Ok(Batch {
                missing: Some(missing),
                ..batch
            }),
            Err(Refused::NoApi(_)) => Err(Refused::NoApi(missing)),
            Err(refused) => Err(refused),
        }
    }

    /// The object at a fixed path.
    pub(crate) async fn one<T: DeserializeOwned>(&self, path: &str) -> Result<T, Refused> {
        let reply = self.0.sharing.path(Get::new(path), self.0.caller()).await?;
        Ok(reply.json()?)
    }

    /// The object whose own path is `missing`.
    async fn object_without_path<T: Wanted>(
        &self,
        read: &Arc<Read>,
        missing: RequestError,
    ) -> Result<Batch<T>, Refused> {
        match read.kind.place {
            Place::Fixed(_) if names_an_object(&missing) => Ok(Batch::missing(missing)),
            // A 404 that no object explains: only the list distinguishes a missing object from a missing API.
            Place::Fixed(_) => self.object_of_list(read, missing).await,
            Place::Infra(_) | Place::Below(_) => self.policy_object(read, missing).await,
        }
    }

    /// The object out of the list, because its own path is `missing`.
    async fn object_of_list<T: Wanted>(
        &self,
        read: &Arc<Read>,
        missing: RequestError,
    ) -> Result<Batch<T>, Refused> {
        match self.list(read).await {
            Ok(mut batch) => {
                batch
                    .objects
                    .retain(|object: &T| matches!(&read.by, By::Id(id) if object.id() == id));
                batch.missing = batch.objects.is_empty().then_some(missing);
                Ok(batch)
            }
            Err(Refused::NoApi(_)) => Err(Refused::NoApi(missing)),
            Err(refused) => Err(refused),
        }
    }

    async fn policy_object<T: Wanted>(
        &self,
        read: &Arc<Read>,
        missing: RequestError,
    ) -> Result<Batch<T>, Refused> {
        if names_an_object(&missing) {
            if read.has_one_list() {
                return Ok(Batch::missing(missing));
            }
            // The object may be below another enforcement point, which only the search knows.
            return match self.search(read).await {
                Ok(batch) if batch.objects.is_empty() => Ok(Batch {
                    missing: Some(missing),
                    ..batch
                }),
                Err(Refused::NoApi(_)) => Ok(Batch::missing(missing)),
                batch => batch,
            };
        }
        // The manager may not have the path at all, and the index trails the store.
        match self.search(read).await {
            Ok(batch) if batch.objects.is_empty() => match self.object_of_list(read, missing).await {
                Err(Refused::NoApi(missing)) => Ok(Batch {
                    missing: Some(missing),
                    ..batch
                }),
                batch => batch,
            },
            Err(Refused::NoApi(_)) => self.object_of_list(read, missing).await,
            Err(Refused::Request(trouble)) if is_search_trouble(&trouble) => {
                let batch = self.object_of_list(read, missing).await?;
                Ok(Batch {
                    unread: (!read.has_one_list()).then_some(trouble),
                    ..batch
                })
            }
            batch => batch,
        }
    }

    async fn list<T: Wanted>(&self, read: &Arc<Read>) -> Result<Batch<T>, Refused> {
        listed(read, self.0.sharing.list(read, self.0.caller())?.answer().await)
    }

    async fn search<T: Wanted>(&self, read: &Arc<Read>) -> Result<Batch<T>, Refused> {
        searched(read, self.0.sharing.search(read, self.0.caller())?.answer().await)
    }
}

/// The request that a read begins with.
#[derive(Debug, Clone, Copy)]
enum First {
    /// The object's own path.
    Direct,
    List,
    Search,
}

impl First {
    fn of(read: &Read) -> Self {
        match (&read.by, read.kind.place) {
            (By::Id(_), _) => Self::Direct,
            (By::Key { .. } | By::Name(_), Place::Infra(_) | Place::Below(_)) if read.kind.searched => {
                Self::Search
            }
            (By::Key { .. } | By::Name(_) | By::All, _) => Self::List,
        }
    }
}

/// What an answer leads to.
enum Answered<'a, T> {
    /// The objects, or a failure.
    Now(Result<Batch<T>, Refused>),
    /// Other requests.
    Later(BoxFuture<'a, Result<Batch<T>, Refused>>),
}

/// What a lane delivers.
type Delivered<T> = Result<Answer<T>, RequestError>;

/// The object at its own path; the inner error says that it is not there.
fn direct<T: Wanted>(read: &Read, answer: Delivered<T>) -> Result<Result<Batch<T>, RequestError>, Refused> {
    let objects: Vec<T> = match answer {
        Ok(Answer::Reply(reply)) => {
            let object = T::of_reply(read, &reply)?;
            if let By::Id(id) = &read.by
                && object.id() != id
            {
                let sent = format!("it is the object with id {:?}", object.id());
                return Err(reply.rejected(sent).into());
            }
            vec![object]
        }
        Ok(Answer::Rows(rows)) => rows.objects,
        Err(error) if error.kind() == RequestErrorKind::NotFound => return Ok(Err(error)),
        Err(error) => return Err(error.into()),
    };
    let mut batch = Batch::of(objects, Source::Direct);
    batch.objects.retain(|object| is_of_kind(read, object));
    Ok(Ok(batch))
}

/// The list. When the manager says that the parent is missing, so is everything below it.
fn listed<T: Wanted>(read: &Read, answer: Delivered<T>) -> Result<Batch<T>, Refused> {
    match answer.and_then(Answer::into_rows) {
        Ok(rows) => Ok(Batch::of_rows(rows)),
        Err(error) => match Refused::from(error) {
            Refused::NoApi(missing) if read.parent.is_some() && names_an_object(&missing) => Ok(Batch {
                source: Source::List,
                ..Batch::missing(missing)
            }),
            refused => Err(refused),
        },
    }
}

/// The search, or the list in its place where that costs less and answers the same.
fn searched<T: Wanted>(read: &Read, answer: Delivered<T>) -> Result<Batch<T>, Refused> {
    let mut batch = Batch::of_rows(answer?.into_rows()?);
    if batch.source == Source::List {
        return Ok(batch);
    }
    batch.objects.retain(|object: &T| {
        object.path().is_some_and(|path| read.covers(path))
            && !matches!(&read.by, By::Id(id) if object.id() != id)
    });
    Ok(batch)
}

/// Whether a search failed because of the index or the query, so that the list may still answer.
///
/// Source: manager-api C.8.
fn is_search_trouble(error: &RequestError) -> bool {
    let status = error.failure().status;
    status.is_some_and(|status| status.as_u16() == 400)
}

/// Whether the manager's 404 is about an object: a missing route has no error code.
pub(crate) fn names_an_object(missing: &RequestError) -> bool {
    let api = missing.failure().api.as_ref();
    api.is_some_and(|api| api.error_code.is_some())
}
