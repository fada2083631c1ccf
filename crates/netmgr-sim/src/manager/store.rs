//! The objects of a running manager: their current versions, and those in the search index, which is updated
//! later (manager-api C.8.1).

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::index::Index;
use super::kinds::Kind;
use super::object::StoredObject;
use super::paging;
use super::query::Query;
use super::row::Row;

/// All objects by path.
#[derive(Debug, Default)]
pub(crate) struct Store {
    entries: BTreeMap<Arc<str>, Entry>,
    index: Index,
    /// Collections as lists show them by default, kept until one of their objects changes: sorting a large
    /// collection for each page would dominate the run time.
    sorted: Mutex<HashMap<String, Arc<[Arc<Row>]>>>,
}

#[derive(Debug)]
struct Entry {
    kind: &'static Kind,
    /// Oldest first; the last one is current. `None` is a deleted object.
    versions: Vec<Version>,
}

#[derive(Debug)]
struct Version {
    body: Option<Arc<Row>>,
    indexed_at: Instant,
}

/// An object as the search index shows it.
pub(crate) struct Indexed<'a> {
    pub(crate) path: &'a str,
    pub(crate) kind: &'static Kind,
    pub(crate) body: &'a Arc<Row>,
}

impl Entry {
    fn current(&self) -> Option<&Arc<Row>> {
        self.versions.last()?.body.as_ref()
    }

    fn indexed<'a>(&'a self, path: &'a str, now: Instant) -> Option<Indexed<'a>> {
        let mut latest_first = self.versions.iter().rev();
        let shown = latest_first.find(|version| version.indexed_at <= now)?;
        Some(Indexed {
            path,
            kind: self.kind,
            body: shown.body.as_ref()?,
        })
    }
}

impl Store {
    /// Stores the object, or deletes it if `body` is `None`. The index is updated after `lag`.
    pub(crate) fn put(
        &mut self,
        path: &str,
        kind: &'static Kind,
        body: Option<Row>,
        now: Instant,
        lag: Duration,
    ) {
        let path: Arc<str> = path.into();
        if let Some((collection, _)) = path.rsplit_once('/') {
            self.sorted().remove(collection);
        }
        if let Some(body) = &body {
            self.index.add(&path, &body.body());
        }
        let entry = self.entries.entry(path).or_insert(Entry {
            kind,
            versions: Vec::new(),
        });
        // Versions that neither reads nor the index return any more.
        if let Some(shown) = entry.versions.iter().rposition(|old| old.indexed_at <= now) {
            entry.versions.drain(..shown);
        }
        entry.versions.push(Version {
            body: body.map(Arc::new),
            indexed_at: now + lag,
        });
    }

    pub(crate) fn extend(&mut self, objects: impl IntoIterator<Item = StoredObject>, now: Instant) {
        for object in objects {
            self.put(&object.path, object.kind, Some(object.body), now, Duration::ZERO);
        }
    }

    /// The object at exactly this path.
    pub(crate) fn get(&self, path: &str) -> Option<(&'static Kind, &Arc<Row>)> {
        let entry = self.entries.get(path)?;
        Some((entry.kind, entry.current()?))
    }

    /// The objects of one collection, in the order of their paths.
    pub(crate) fn collection(&self, collection: &str) -> impl Iterator<Item = &Arc<Row>> {
        let prefix = format!("{collection}/");
        let start: Arc<str> = prefix.as_str().into();
        self.entries
            .range(start..)
            .map_while(move |(path, entry)| Some((path.strip_prefix(prefix.as_str())?, entry)))
            .filter(|(id, _)| !id.contains('/'))
            .filter_map(|(_, entry)| entry.current())
    }

    /// The objects of one collection that are not marked for deletion, by display name.
    pub(crate) fn sorted_collection(&self, collection: &str) -> Arc<[Arc<Row>]> {
        if let Some(sorted) = self.sorted().get(collection) {
            return Arc::clone(sorted);
        }
        let mut rows: Vec<_> = self
            .collection(collection)
            .filter(|row| !is_marked_for_delete(row))
            .cloned()
            .collect();
        paging::sort(&mut rows, paging::DEFAULT_ORDER, true);
        let rows: Arc<[_]> = rows.into();
        self.sorted().insert(collection.to_owned(), Arc::clone(&rows));
        rows
    }

    // The cache can be rebuilt, so a panic in another thread does not corrupt it.
    fn sorted(&self) -> MutexGuard<'_, HashMap<String, Arc<[Arc<Row>]>>> {
        self.sorted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there is an object at the path or below.
    pub(crate) fn reaches(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.get(path).is_some()
            || self
                .entries
                .range(Arc::<str>::from(below.as_str())..)
                .take_while(|(path, _)| path.starts_with(&below))
                .any(|(_, entry)| entry.current().is_some())
    }

    /// The indexed versions of the objects that a query can match.
    pub(crate) fn indexed(&self, query: &Query, now: Instant) -> Vec<Indexed<'_>> {
        match self.index.candidates(query) {
            None => self
                .entries
                .iter()
                .filter_map(|(path, entry)| entry.indexed(path, now))
                .collect(),
            Some(paths) => paths
                .iter()
                .filter_map(|path| {
                    let (path, entry) = self.entries.get_key_value(path)?;
                    entry.indexed(path, now)
                })
                .collect(),
        }
    }
}

pub(crate) fn is_marked_for_delete(row: &Row) -> bool {
    row.body()["marked_for_delete"] == true
}
