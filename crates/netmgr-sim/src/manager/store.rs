//! The objects of a running manager: what reads show now, and what the search index shows, which
//! trails behind (manager-api C.8.1).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::kinds::Kind;
use super::object::Object;

/// All objects by path.
#[derive(Debug, Default)]
pub(crate) struct Store {
    entries: BTreeMap<String, Entry>,
    /// Paths by resource type in lower case, for searches that name one. A path stays under every
    /// type it ever had.
    types: HashMap<String, BTreeSet<String>>,
}

#[derive(Debug)]
struct Entry {
    kind: &'static Kind,
    /// Oldest first; the last one is what reads show. None is a deleted object.
    versions: Vec<Version>,
}

#[derive(Debug)]
struct Version {
    body: Option<Arc<Value>>,
    indexed_at: Instant,
}

/// An object as the search index shows it.
pub(crate) struct Indexed<'a> {
    pub(crate) path: &'a str,
    pub(crate) kind: &'static Kind,
    pub(crate) body: &'a Arc<Value>,
}

impl Entry {
    fn current(&self) -> Option<&Arc<Value>> {
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
    /// Keeps the object, or forgets it when `body` is none. The index follows after `lag`.
    pub(crate) fn put(
        &mut self,
        path: &str,
        kind: &'static Kind,
        body: Option<Value>,
        now: Instant,
        lag: Duration,
    ) {
        let entry = self.entries.entry(path.to_owned()).or_insert(Entry {
            kind,
            versions: Vec::new(),
        });
        // Versions that neither a read nor the index will show again.
        if let Some(shown) = entry.versions.iter().rposition(|old| old.indexed_at <= now) {
            entry.versions.drain(..shown);
        }
        if let Some(resource_type) = body.as_ref().and_then(|body| body["resource_type"].as_str()) {
            let paths = self.types.entry(resource_type.to_lowercase()).or_default();
            paths.insert(path.to_owned());
        }
        entry.versions.push(Version {
            body: body.map(Arc::new),
            indexed_at: now + lag,
        });
    }

    pub(crate) fn extend(&mut self, objects: impl IntoIterator<Item = Object>, now: Instant) {
        for object in objects {
            self.put(&object.path, object.kind, Some(object.body), now, Duration::ZERO);
        }
    }

    /// The object at exactly this path.
    pub(crate) fn get(&self, path: &str) -> Option<(&'static Kind, &Arc<Value>)> {
        let entry = self.entries.get(path)?;
        Some((entry.kind, entry.current()?))
    }

    /// The objects of one collection, in the order of their paths.
    pub(crate) fn collection(&self, collection: &str) -> impl Iterator<Item = &Arc<Value>> {
        let prefix = format!("{collection}/");
        let start = prefix.clone();
        self.entries
            .range(start..)
            .map_while(move |(path, entry)| Some((path.strip_prefix(prefix.as_str())?, entry)))
            .filter(|(id, _)| !id.contains('/'))
            .filter_map(|(_, entry)| entry.current())
    }

    /// Whether an object lies at the path or anywhere below.
    pub(crate) fn reaches(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.get(path).is_some()
            || self
                .entries
                .range(below.clone()..)
                .take_while(|(path, _)| path.starts_with(&below))
                .any(|(_, entry)| entry.current().is_some())
    }

    /// What the search index shows of one resource type, given in lower case, or of all.
    pub(crate) fn indexed(
        &self,
        resource_type: Option<&str>,
        now: Instant,
    ) -> Box<dyn Iterator<Item = Indexed<'_>> + '_> {
        match resource_type {
            None => Box::new(
                self.entries
                    .iter()
                    .filter_map(move |(path, entry)| entry.indexed(path, now)),
            ),
            Some(resource_type) => {
                let paths = self.types.get(resource_type).into_iter().flatten();
                Box::new(paths.filter_map(move |path| self.entries.get(path)?.indexed(path, now)))
            }
        }
    }
}
