//! The kinds of objects of the simulated manager, and the kind of a path. Each subject has a file with its kinds.

mod collection;
mod declare;
mod manager_api;
mod networking;
mod security;
mod tenants;
mod transport;

pub(crate) use collection::{CollectionKind, ListFilter, Paging, Place, Root};

/// The kinds of each subject.
const KINDS: [&[CollectionKind]; 5] = [
    manager_api::KINDS,
    tenants::KINDS,
    networking::KINDS,
    security::KINDS,
    transport::KINDS,
];

impl CollectionKind {
    /// Every kind.
    pub(crate) fn all() -> impl Iterator<Item = &'static Self> {
        KINDS.into_iter().flatten()
    }

    /// The kind whose collection this is.
    pub(crate) fn of(collection: &TreePath<'_>) -> Option<&'static Self> {
        Self::all()
            .find(|kind| kind.roots.contains(&collection.root) && covers(kind.collection, collection.below))
    }

    /// The collection of inventory of this type.
    pub(crate) fn of_inventory(resource_type: &str) -> Option<String> {
        let kind = Self::all().find(|kind| kind.is_inventory() && kind.resource_type == resource_type)?;
        let root = match kind.roots {
            [Root::Api] => "/api/v1",
            _ => "/inventory",
        };
        Some(format!("{root}/{}", kind.collection))
    }
}

/// A path, divided into its tree and the segments below.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreePath<'a> {
    pub(crate) root: Root,
    pub(crate) below: &'a [String],
}

impl<'a> TreePath<'a> {
    /// Divides the segments of a policy path, or of a path that starts with `api`, `v1`.
    pub(crate) fn of(segments: &'a [String]) -> Option<Self> {
        let names: Vec<&str> = segments.iter().take(7).map(String::as_str).collect();
        let (root, skip) = match names.as_slice() {
            ["api", "v1", ..] => (Root::Api, 2),
            ["infra", ..] => (Root::Infra, 1),
            ["global-infra", ..] => (Root::GlobalInfra, 1),
            ["aaa", ..] => (Root::Access, 1),
            ["inventory", ..] => (Root::Inventory, 1),
            ["orgs", _, "projects", _, "infra", ..] => (Root::Project, 5),
            ["orgs", _, "projects", _, "vpcs", _, _, ..] => (Root::Vpc, 6),
            ["orgs", _, ..] => (Root::Org, 2),
            _ => return None,
        };
        segments.get(skip..).map(|below| Self { root, below })
    }

    /// The location `count` segments further up.
    pub(crate) fn above(self, count: usize) -> Option<Self> {
        let end = self.below.len().checked_sub(count)?;
        Some(Self {
            root: self.root,
            below: &self.below[..end],
        })
    }
}

fn covers(pattern: &str, segments: &[String]) -> bool {
    let parts = pattern.split('/');
    parts.clone().count() == segments.len()
        && parts
            .zip(segments)
            .all(|(part, segment)| part == "*" || part.split('|').any(|name| name == segment))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Map, Value};

    use super::CollectionKind;

    #[test]
    fn default_fields_belong_to_a_kind() {
        let templates: Map<String, Value> =
            serde_json::from_str(include_str!("data/templates.json")).unwrap();
        let collections: BTreeSet<&str> = CollectionKind::all().map(|kind| kind.collection).collect();
        for collection in templates.keys() {
            assert!(collections.contains(collection.as_str()), "{collection}");
        }
    }

    #[test]
    fn a_collection_has_one_kind() {
        let all: Vec<&CollectionKind> = CollectionKind::all().collect();
        for (at, kind) in all.iter().enumerate() {
            let again = all[at + 1..]
                .iter()
                .find(|other| other.collection == kind.collection);
            let shared = again.is_some_and(|other| kind.roots.iter().any(|root| other.roots.contains(root)));
            assert!(!shared, "{kind:?}");
        }
    }
}
