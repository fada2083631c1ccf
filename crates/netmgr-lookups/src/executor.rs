//! Where reads become requests: the one place that chooses between a path, a list and a search.
//!
//! By id, the object's own path is read, because the search index trails the store. By name, the
//! search narrows and the list is asked once more before an exact name counts as missing. All objects
//! come from the list. Not here: choosing among the objects ([`crate::select`]).
//!
//! Source: manager-api A.1, B.1, C, D.

use std::collections::HashSet;

use netmgr_transport::{Client, Error as RequestError, Extent, Get, Pager, Row};
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use crate::query::query;
use crate::read::{By, CollectionPath, Place, Query, Read};
use netmgr_types::wire::Object;

/// Objects read, and what is known of those that were not.
#[derive(Debug)]
pub(crate) struct Batch<T> {
    /// The objects, each of the right kind and in the right place.
    pub objects: Vec<T>,
    /// Objects that could not be decoded.
    pub skipped: Vec<Skipped>,
    /// Why the manager may have sent fewer objects than it has, when it may have.
    pub short: Option<String>,
    /// Where they come from.
    pub source: Source,
    /// The manager's answer when it says that nothing is there.
    pub missing: Option<RequestError>,
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

/// An object that could not be decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Skipped {
    /// Its display name or id, when it has a readable one.
    pub name: Option<String>,
    /// What is wrong with it.
    pub reason: String,
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
        Self::Request(error)
    }
}

/// Sends the requests of one call.
pub(crate) struct Executor<'a> {
    pub(crate) client: &'a Client,
    pub(crate) deadline: Instant,
}

impl Executor<'_> {
    /// Reads what `read` asks for.
    pub(crate) async fn find<T: DeserializeOwned + Object>(&self, read: &Read) -> Result<Batch<T>, Refused> {
        match (&read.by, read.kind.place) {
            (By::Id(id), Place::Fixed(_)) => self.fixed_object(read, id).await,
            (By::Id(id), Place::Infra(_) | Place::Below(_)) => self.policy_object(read, id).await,
            (_, Place::Fixed(_)) => self.list(read).await,
            (By::Key { .. } | By::Name(_), _) if read.kind.searched => match self.search(read).await {
                Err(Refused::NoApi(_)) => self.list(read).await,
                batch => batch,
            },
            (By::Key { .. } | By::Name(_) | By::All, _) => match self.list(read).await {
                Err(Refused::NoApi(_)) => self.search(read).await,
                batch => batch,
            },
        }
    }

    /// Asks the list for what the search did not have; none when there is nothing more to ask.
    pub(crate) async fn look_again<T: DeserializeOwned + Object>(
        &self,
        read: &Read,
        first: &Batch<T>,
    ) -> Result<Option<Batch<T>>, Refused> {
        if first.source != Source::Search {
            return Ok(None);
        }
        match self.list(read).await {
            Ok(batch) => Ok(Some(batch)),
            Err(Refused::NoApi(_)) => Ok(None),
            Err(refused) => Err(refused),
        }
    }

    /// The object at a fixed path.
    pub(crate) async fn one<T: DeserializeOwned>(&self, path: &str) -> Result<T, Refused> {
        let get = Get::new(path).deadline(self.deadline);
        match self.client.get(&get).await {
            Ok(reply) => Ok(reply.json()?),
            Err(error @ RequestError::NotFound(_)) => Err(Refused::NoApi(error)),
            Err(error) => Err(error.into()),
        }
    }

    async fn fixed_object<T: DeserializeOwned + Object>(
        &self,
        read: &Read,
        id: &str,
    ) -> Result<Batch<T>, Refused> {
        match self.direct(read, id).await? {
            Ok(batch) => Ok(batch),
            Err(missing) if names_an_object(&missing) => Ok(Batch::missing(missing)),
            // A 404 that no object explains: only the list tells a missing object from a missing API.
            Err(missing) => self.listed(read, id, missing).await,
        }
    }

    /// The object out of the list, because its own path is `missing`.
    async fn listed<T: DeserializeOwned + Object>(
        &self,
        read: &Read,
        id: &str,
        missing: RequestError,
    ) -> Result<Batch<T>, Refused> {
        match self.list(read).await {
            Ok(mut batch) => {
                batch.objects.retain(|object: &T| object.id() == id);
                batch.missing = batch.objects.is_empty().then_some(missing);
                Ok(batch)
            }
            Err(Refused::NoApi(_)) => Err(Refused::NoApi(missing)),
            Err(refused) => Err(refused),
        }
    }

    async fn policy_object<T: DeserializeOwned + Object>(
        &self,
        read: &Read,
        id: &str,
    ) -> Result<Batch<T>, Refused> {
        let missing = match self.direct(read, id).await? {
            Ok(batch) => return Ok(batch),
            Err(missing) => missing,
        };
        let elsewhere = matches!(read.kind.place, Place::Below(_));
        let names_it = names_an_object(&missing);
        if !elsewhere && names_it {
            return Ok(Batch::missing(missing));
        }
        let found = match self.search(read).await {
            Ok(batch) if batch.objects.is_empty() => batch,
            Err(Refused::NoApi(_)) if names_it => return Ok(Batch::missing(missing)),
            Err(Refused::NoApi(_)) => return self.listed(read, id, missing).await,
            batch => return batch,
        };
        // The manager may not have the path at all, and the index trails the store.
        if !names_it
            && let Some(listed) = self.look_again(read, &found).await?
            && let Some(object) = listed.objects.into_iter().find(|object: &T| object.id() == id)
        {
            return Ok(Batch {
                objects: vec![object],
                ..found
            });
        }
        Ok(Batch {
            missing: Some(missing),
            ..found
        })
    }

    /// The object at its own path; the inner error says that it is not there.
    async fn direct<T: DeserializeOwned + Object>(
        &self,
        read: &Read,
        id: &str,
    ) -> Result<Result<Batch<T>, RequestError>, Refused> {
        let get = with(self.collection(read).segment(id), read.kind.by_id);
        match self.client.get(&get).await {
            Ok(reply) => {
                let object: T = reply.json()?;
                let objects = if of_kind(read, &object) {
                    vec![object]
                } else {
                    Vec::new()
                };
                Ok(Ok(Batch {
                    objects,
                    skipped: Vec::new(),
                    short: None,
                    source: Source::Direct,
                    missing: None,
                }))
            }
            Err(error @ RequestError::NotFound(_)) => Ok(Err(error)),
            Err(error) => Err(error.into()),
        }
    }

    async fn list<T: DeserializeOwned + Object>(&self, read: &Read) -> Result<Batch<T>, Refused> {
        let mut batch = self
            .pages(self.client.pages(self.list_request(read)), Source::List)
            .await?;
        batch.objects.retain(|object: &T| of_kind(read, object));
        Ok(batch)
    }

    async fn search<T: DeserializeOwned + Object>(&self, read: &Read) -> Result<Batch<T>, Refused> {
        let get = Get::new(format!("{}/search/query", read.tree.root()))
            .query("query", query(read))
            .deadline(self.deadline);
        let mut batch = self.pages(self.client.pages(get), Source::Search).await?;
        batch.objects.retain(|object: &T| {
            of_kind(read, object)
                && object.path().is_some_and(|path| read.covers(path))
                && !matches!(&read.by, By::Id(id) if object.id() != id)
        });
        Ok(batch)
    }

    async fn pages<T: DeserializeOwned>(
        &self,
        mut pages: Pager,
        source: Source,
    ) -> Result<Batch<T>, Refused> {
        let mut batch = Batch {
            objects: Vec::new(),
            skipped: Vec::new(),
            short: None,
            source,
            missing: None,
        };
        loop {
            match pages.next().await {
                Ok(Some(rows)) => {
                    for row in rows {
                        match row.decode() {
                            Ok(object) => batch.objects.push(object),
                            Err(error) => batch.skipped.push(Skipped::new(&row, &error)),
                        }
                    }
                }
                Ok(None) => break,
                Err(error @ RequestError::NotFound(_)) => return Err(Refused::NoApi(error)),
                Err(error) => return Err(error.into()),
            }
        }
        batch.short = shortfall(&pages.extent());
        Ok(batch)
    }

    fn list_request(&self, read: &Read) -> Get {
        let mut get = with(self.collection(read), read.kind.list);
        // An id decides alone: what else was given must not hide its object.
        if !matches!(read.by, By::Id(_)) {
            for (name, value) in &read.list_filters {
                get = get.query(name, value.as_str());
            }
        }
        if read.kind.paged { get } else { get.unpaged() }
    }

    fn collection(&self, read: &Read) -> Get {
        let get = match read.collection() {
            CollectionPath::Fixed(path) => Get::new(path),
            CollectionPath::Policy { root, path } => Get::new(root).policy_path(&path),
        };
        get.deadline(self.deadline)
    }
}

fn with(get: Get, query: Query) -> Get {
    query
        .iter()
        .fold(get, |get, (name, value)| get.query(name, *value))
}

impl<T> Batch<T> {
    fn missing(error: RequestError) -> Self {
        Self {
            objects: Vec::new(),
            skipped: Vec::new(),
            short: None,
            source: Source::Direct,
            missing: Some(error),
        }
    }

    /// The batch with those of `others` that it lacks: a search reaches further than one list.
    pub(crate) fn and(mut self, others: Vec<T>) -> Self
    where
        T: Object,
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
        match (unreadable, &self.short) {
            (Some(a), Some(b)) => Some(format!("{a}; {b}")),
            (a, b) => a.or_else(|| b.clone()),
        }
    }
}

impl Skipped {
    fn new(row: &Row, error: &serde_json::Error) -> Self {
        let text = |value: &serde_json::Value, field: &str| value.get(field)?.as_str().map(str::to_owned);
        let name = row
            .decode::<serde_json::Value>()
            .ok()
            .and_then(|value| text(&value, "display_name").or_else(|| text(&value, "id")));
        Self {
            name,
            reason: error.to_string(),
        }
    }
}

/// Why a read may not have reached every object; none when it did.
fn shortfall(extent: &Extent) -> Option<String> {
    extent.maybe_incomplete().then(|| match extent.announced {
        Some(announced) => format!(
            "the manager announced {announced} objects and sent {}",
            extent.rows
        ),
        None => format!("the manager's pages led nowhere after {} objects", extent.rows),
    })
}

/// Whether the manager's 404 is about an object: a missing route has no error code.
pub(crate) fn names_an_object(missing: &RequestError) -> bool {
    missing
        .failure()
        .and_then(|failure| failure.api.as_ref())
        .is_some_and(|api| api.error_code.is_some())
}

/// Whether `object` is of the kind asked for and still wanted by its owner.
fn of_kind<T: Object>(read: &Read, object: &T) -> bool {
    let wanted = read.kind.resource_type;
    !object.marked_for_delete()
        && (wanted.is_empty() || object.resource_type().is_none_or(|sent| sent == wanted))
}
