//! The objects of a running manager: their current versions, and those in the search index, which is updated later.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::kinds::{CollectionKind, Place};
use super::matcher::fits;
use super::object::StoredObject;
use super::paging;
use super::query::{Query, lower};

/// Bodies of several objects.
pub(crate) type Rows = Arc<[Arc<Value>]>;

/// All objects, by the path of their collection.
#[derive(Debug, Default)]
pub(crate) struct Store(BTreeMap<String, Collection>);

#[derive(Debug)]
struct Collection {
    kind: &'static CollectionKind,
    /// By id. A single object has none here, because its collection is its path.
    objects: BTreeMap<String, History>,
    /// The types of its objects in lower case, which a search names to limit what it reads.
    resource_types: Vec<String>,
    /// The objects as a list shows them by default, until one of them changes: every page needs all of them in order.
    listing: OnceLock<Rows>,
}

/// The versions of an object, oldest first; the last one is current.
#[derive(Debug, Default)]
struct History(Vec<Version>);

#[derive(Debug)]
struct Version {
    /// `None` is a deleted object.
    body: Option<Arc<Value>>,
    indexed_at: Instant,
}

/// An object as the search index shows it.
pub(crate) struct IndexedObject<'a> {
    pub(crate) path: String,
    pub(crate) body: &'a Arc<Value>,
}

impl History {
    fn current(&self) -> Option<&Arc<Value>> {
        self.0.last()?.body.as_ref()
    }

    fn indexed(&self, now: Instant) -> Option<&Arc<Value>> {
        let mut latest_first = self.0.iter().rev();
        latest_first
            .find(|version| version.indexed_at <= now)?
            .body
            .as_ref()
    }

    fn push(&mut self, version: Version, now: Instant) {
        // Versions that neither reads nor the index return any more.
        if let Some(shown) = self.0.iter().rposition(|old| old.indexed_at <= now) {
            self.0.drain(..shown);
        }
        self.0.push(version);
    }
}

impl Collection {
    fn new(kind: &'static CollectionKind) -> Self {
        Self {
            kind,
            objects: BTreeMap::new(),
            resource_types: Vec::new(),
            listing: OnceLock::new(),
        }
    }

    fn put(&mut self, id: &str, version: Version, now: Instant) {
        let resource_type = version
            .body
            .as_ref()
            .and_then(|body| body["resource_type"].as_str())
            .map(|name| lower(name).collect::<String>());
        if let Some(resource_type) = resource_type
            && !self.resource_types.contains(&resource_type)
        {
            self.resource_types.push(resource_type);
        }
        self.listing = OnceLock::new();
        self.objects.entry(id.to_owned()).or_default().push(version, now);
    }

    /// The objects in the order of their ids.
    fn rows(&self) -> Vec<Arc<Value>> {
        self.objects
            .values()
            .filter_map(History::current)
            .cloned()
            .collect()
    }
}

impl Store {
    /// Stores the object, or deletes it if `body` is `None`. The index is updated after `lag`.
    pub(crate) fn put(
        &mut self,
        path: &str,
        kind: &'static CollectionKind,
        body: Option<Arc<Value>>,
        now: Instant,
        lag: Duration,
    ) {
        let (collection, id) = match kind.place {
            Place::Single => (path, ""),
            _ => divide(path),
        };
        let version = Version {
            body,
            indexed_at: now + lag,
        };
        self.0
            .entry(collection.to_owned())
            .or_insert_with(|| Collection::new(kind))
            .put(id, version, now);
    }

    pub(crate) fn extend(&mut self, objects: impl IntoIterator<Item = StoredObject>, now: Instant) {
        for object in objects {
            self.put(&object.path, object.kind, Some(object.body), now, Duration::ZERO);
        }
    }

    /// The object at exactly this path.
    pub(crate) fn get(&self, path: &str) -> Option<(&'static CollectionKind, &Arc<Value>)> {
        let current = |(collection, id): (&str, &str)| {
            let collection = self.0.get(collection)?;
            Some((collection.kind, collection.objects.get(id)?.current()?))
        };
        current(divide(path)).or_else(|| current((path, "")))
    }

    /// The objects whose collections begin with `prefix`, without those that are marked for deletion.
    pub(crate) fn below(&self, prefix: &str) -> impl Iterator<Item = &Arc<Value>> {
        self.0
            .range(prefix.to_owned()..)
            .take_while(move |(collection, _)| collection.starts_with(prefix))
            .flat_map(|(_, collection)| collection.objects.values())
            .filter_map(History::current)
            .filter(|object| !is_marked_for_delete(object))
    }

    /// The objects of a collection, by display name, including those that are marked for deletion.
    pub(crate) fn complete_listing(&self, collection: &str) -> Rows {
        let mut rows = self.0.get(collection).map(Collection::rows).unwrap_or_default();
        paging::sort(&mut rows, paging::DEFAULT_ORDER, true);
        rows.into()
    }

    /// The objects of a collection that are not marked for deletion, by display name.
    pub(crate) fn listing(&self, collection: &str) -> Rows {
        let Some(found) = self.0.get(collection) else {
            return Rows::default();
        };
        let listing = found.listing.get_or_init(|| {
            let rows = self.complete_listing(collection);
            rows.iter()
                .filter(|row| !is_marked_for_delete(row))
                .cloned()
                .collect()
        });
        Arc::clone(listing)
    }

    /// Whether there is an object at the path or below.
    pub(crate) fn reaches(&self, path: &str) -> bool {
        let below = format!("{path}/");
        let has_objects = |collection: &Collection| {
            collection
                .objects
                .values()
                .any(|object| object.current().is_some())
        };
        self.get(path).is_some()
            || self.0.get(path).is_some_and(has_objects)
            || self
                .0
                .range(below.clone()..)
                .take_while(|(collection, _)| collection.starts_with(&below))
                .any(|(_, collection)| has_objects(collection))
    }

    /// The objects that match a query in the collections that the searcher `sees`, as the search index shows them.
    pub(crate) fn search<'a>(
        &'a self,
        query: &'a Query,
        now: Instant,
        sees: impl Fn(&str, &CollectionKind) -> bool + 'a,
    ) -> impl Iterator<Item = IndexedObject<'a>> {
        let types = query.resource_types();
        self.0
            .iter()
            .filter(move |(path, collection)| {
                let has_type = types
                    .as_ref()
                    .is_none_or(|types| collection.resource_types.iter().any(|has| types.contains(has)));
                has_type && sees(path, collection.kind)
            })
            .flat_map(move |(path, collection)| {
                let indexed = collection
                    .objects
                    .iter()
                    .filter_map(move |(id, object)| Some((id, object.indexed(now)?)));
                indexed
                    .filter(|(_, body)| fits(query, body))
                    .map(move |(id, body)| IndexedObject {
                        path: format!("{path}/{id}"),
                        body,
                    })
            })
    }
}

/// The collection of an object and its id.
fn divide(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

pub(crate) fn is_marked_for_delete(row: &Value) -> bool {
    row["marked_for_delete"] == true
}

#[cfg(test)]
mod tests;
