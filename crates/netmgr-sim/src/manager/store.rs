//! The objects of a running manager: their current versions, and those in the search index, which is updated later.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::body::ObjectBody;
use super::index::Index;
use super::kinds::ObjectKind;
use super::listing::CollectionRows;
use super::matcher::fits;
use super::object::StoredObject;
use super::query::Query;

/// All objects.
#[derive(Debug, Default)]
pub(crate) struct Store {
    /// Numbers of the objects by path.
    numbers: BTreeMap<Arc<str>, u32>,
    /// By number.
    objects: Vec<StoredVersions>,
    index: Index,
    /// Collections as lists show them by default, kept until one of their objects changes: sorting a large
    /// collection for each page would dominate the run time.
    listings: Mutex<HashMap<String, Arc<CollectionRows>>>,
    /// Number of changes so far.
    changes: u64,
    /// When the search index shows all of them.
    settled_at: Option<Instant>,
}

#[derive(Debug)]
struct StoredVersions {
    path: Arc<str>,
    kind: &'static ObjectKind,
    /// Oldest first; the last one is current. `None` is a deleted object.
    versions: Vec<Version>,
}

#[derive(Debug)]
struct Version {
    body: Option<Arc<ObjectBody>>,
    indexed_at: Instant,
}

/// An object as the search index shows it.
pub(crate) struct Indexed<'a> {
    pub(crate) path: &'a str,
    pub(crate) kind: &'static ObjectKind,
    pub(crate) body: &'a Arc<ObjectBody>,
}

impl StoredVersions {
    fn current(&self) -> Option<&Arc<ObjectBody>> {
        self.versions.last()?.body.as_ref()
    }

    fn indexed(&self, now: Instant) -> Option<Indexed<'_>> {
        let mut latest_first = self.versions.iter().rev();
        let shown = latest_first.find(|version| version.indexed_at <= now)?;
        Some(Indexed {
            path: &self.path,
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
        kind: &'static ObjectKind,
        body: Option<ObjectBody>,
        now: Instant,
        lag: Duration,
    ) {
        if let Some((collection, _)) = path.rsplit_once('/') {
            self.listings().remove(collection);
        }
        let number = self.number(path, kind);
        if let Some(body) = &body {
            self.index.add(number, &body.body());
        }
        let version = Version {
            body: body.map(Arc::new),
            indexed_at: now + lag,
        };
        self.changes += 1;
        self.settled_at = self.settled_at.max(Some(version.indexed_at));
        let versions = &mut self.objects[number as usize].versions;
        // Versions that neither reads nor the index return any more.
        if let Some(shown) = versions.iter().rposition(|old| old.indexed_at <= now) {
            versions.drain(..shown);
        }
        // Most objects of a large inventory never change.
        versions.reserve_exact(1);
        versions.push(version);
    }

    /// The number of the object at `path`, which is a new one if there was none.
    fn number(&mut self, path: &str, kind: &'static ObjectKind) -> u32 {
        if let Some(number) = self.numbers.get(path) {
            return *number;
        }
        let number = u32::try_from(self.objects.len()).expect("memory holds fewer objects");
        let path: Arc<str> = path.into();
        self.objects.push(StoredVersions {
            path: Arc::clone(&path),
            kind,
            versions: Vec::new(),
        });
        self.numbers.insert(path, number);
        number
    }

    pub(crate) fn extend(&mut self, objects: impl IntoIterator<Item = StoredObject>, now: Instant) {
        for object in objects {
            self.put(&object.path, object.kind, Some(object.body), now, Duration::ZERO);
        }
    }

    /// The object at exactly this path.
    pub(crate) fn get(&self, path: &str) -> Option<(&'static ObjectKind, &Arc<ObjectBody>)> {
        let entry = &self.objects[*self.numbers.get(path)? as usize];
        Some((entry.kind, entry.current()?))
    }

    /// The objects whose path begins with `prefix`, in the order of their paths.
    fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a StoredVersions> {
        self.numbers
            .range(Arc::<str>::from(prefix)..)
            .take_while(move |(path, _)| path.starts_with(prefix))
            .map(|(_, number)| &self.objects[*number as usize])
    }

    /// The objects of one collection, in the order of their paths.
    pub(crate) fn collection(&self, collection: &str) -> Vec<Arc<ObjectBody>> {
        let prefix = format!("{collection}/");
        self.below(&prefix)
            .filter(|entry| !entry.path[prefix.len()..].contains('/'))
            .filter_map(|entry| entry.current().cloned())
            .collect()
    }

    /// The objects of one collection that are not marked for deletion, by display name.
    pub(crate) fn listing(&self, collection: &str) -> Arc<CollectionRows> {
        if let Some(listing) = self.listings().get(collection) {
            return Arc::clone(listing);
        }
        let mut rows = self.collection(collection);
        rows.retain(|row| !is_marked_for_delete(row));
        let listing = Arc::new(CollectionRows::new(rows));
        self.listings()
            .insert(collection.to_owned(), Arc::clone(&listing));
        listing
    }

    // The cache can be rebuilt, so a panic in another thread does not corrupt it.
    fn listings(&self) -> MutexGuard<'_, HashMap<String, Arc<CollectionRows>>> {
        self.listings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there is an object at the path or below.
    pub(crate) fn reaches(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.get(path).is_some() || self.below(&below).any(|entry| entry.current().is_some())
    }

    /// The objects that match a query and that the searcher `sees`, as the search index shows them.
    pub(crate) fn search(
        &self,
        query: &Query,
        now: Instant,
        sees: impl Fn(&Indexed<'_>) -> bool,
    ) -> Vec<Indexed<'_>> {
        let shown = |number: u32| self.objects[number as usize].indexed(now);
        let matches = |shown: &Indexed<'_>, queries: &[&Query]| {
            sees(shown) && {
                let body = shown.body.body();
                queries.iter().all(|query| fits(query, &body))
            }
        };
        let found = self.index.search(query, &|number, queries| {
            shown(number).is_some_and(|shown| matches(&shown, queries))
        });
        match found {
            Some(numbers) => numbers.into_iter().filter_map(shown).collect(),
            None => self
                .objects
                .iter()
                .filter_map(|entry| entry.indexed(now))
                .filter(|shown| matches(shown, &[query]))
                .collect(),
        }
    }

    /// What a search finds from now on depends on this alone; none while the search index trails.
    pub(crate) fn state(&self, now: Instant) -> Option<u64> {
        self.settled_at
            .is_none_or(|settled_at| settled_at <= now)
            .then_some(self.changes)
    }
}

pub(crate) fn is_marked_for_delete(row: &ObjectBody) -> bool {
    row.body()["marked_for_delete"] == true
}

#[cfg(test)]
mod tests;
