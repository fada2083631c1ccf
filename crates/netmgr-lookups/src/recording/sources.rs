//! Contents of a recording, type by type, derived from the reads of all functions.

use std::collections::{BTreeMap, BTreeSet};

use netmgr_types::Deployment;

use crate::contract::registry::Entry;
use crate::finding::read::{CollectionPlace, ObjectKind};
use crate::finding::reads::FunctionRead;
use crate::functions::ALL;

/// Name of the types that only the search finds.
pub(super) const SEARCHED: &str = "further types";
/// Name of the type of the documents that are not objects.
pub(super) const SETTINGS: &str = "settings";

/// A type of objects with everything that has to be read for it.
#[derive(Debug, Clone)]
pub(super) struct RecordedType {
    pub(super) name: String,
    pub(super) sources: Vec<Source>,
}

/// The sources of a type by rank, without duplicates.
#[derive(Debug, Default)]
struct SourcesOfType {
    sources: BTreeMap<(u8, String), Source>,
    /// The highest rank.
    last: u8,
}

/// Source of objects or documents.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// The search for all objects of a kind.
    Search(&'static ObjectKind),
    /// The search for all objects of several kinds.
    Searched(&'static [ObjectKind]),
    /// The list at a fixed path.
    List(&'static ObjectKind),
    /// One list for each parent, in collections of this name.
    Below(&'static ObjectKind, &'static str, Parents),
    /// The document at a path.
    Document(&'static str),
    /// A part of each object in collections of this name.
    Part(&'static str, &'static str),
}

/// Parent of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Parents {
    /// The policy tree of the manager.
    Tree,
    /// The policy trees of the manager and of the projects.
    Trees,
    /// The projects themselves.
    Projects,
    /// Enforcement points.
    Points,
    /// The objects of collections with these names. A domain `default` is in the tree of the manager.
    Objects(Vec<&'static str>),
    /// The objects of collections with these names. A domain `default` is also in the trees of the projects.
    ObjectsOfTrees(Vec<&'static str>),
}

/// The types that functions read on this kind of manager. Lists follow the objects that they are below.
pub(super) fn types(deployment: Deployment) -> Vec<RecordedType> {
    let entries = ALL
        .iter()
        .filter(|entry| entry.spec.availability.includes(deployment));
    let reads = entries.flat_map(|entry| {
        let in_projects = has_context(entry);
        (entry.reads)().into_iter().map(move |read| (read, in_projects))
    });
    let reads: Vec<(FunctionRead, bool)> = reads.collect();
    let mut types: BTreeMap<String, SourcesOfType> = BTreeMap::new();
    let nested: BTreeSet<&str> = reads.iter().filter_map(|(read, _)| nested(read)).collect();
    for (read, in_projects) in reads {
        for (name, source) in sources(read, in_projects) {
            let rank = source.rank(&nested);
            let type_ = types.entry(name).or_default();
            type_.last = rank.max(type_.last);
            type_
                .sources
                .entry((rank, format!("{source:?}")))
                .or_insert(source);
        }
    }
    let mut types: Vec<_> = types.into_iter().collect();
    types.sort_by_key(|(_, type_)| type_.last);
    let types = types.into_iter().map(|(name, type_)| RecordedType {
        name,
        sources: type_.sources.into_values().collect(),
    });
    types.collect()
}

/// Whether the function reads objects of projects.
fn has_context(entry: &Entry) -> bool {
    let schema = (entry.input_schema)();
    let inputs = schema.get("properties");
    inputs.is_some_and(|inputs| inputs.get("context").is_some())
}

/// Segments of paths, in addition to those that functions read.
const OTHER_WORDS: [&str; 24] = [
    "aaa",
    "api",
    "bgp",
    "cluster",
    "default",
    "dns-forwarder",
    "domains",
    "enforcement-points",
    "gateway-policies",
    "global-infra",
    "infra",
    "ipsec-vpn-services",
    "l2vpn-services",
    "local-endpoints",
    "neighbors",
    "orgs",
    "projects",
    "realized-entities",
    "realized-state",
    "rules",
    "security-policies",
    "sites",
    "v1",
    "vmc-enforcementpoint",
];

/// Segments of the paths of objects that are the same on all managers.
pub(super) fn collection_words() -> BTreeSet<&'static str> {
    let paths = ALL
        .iter()
        .flat_map(|entry| (entry.reads)())
        .flat_map(|read| match read {
            FunctionRead::Searched(_) => Vec::new(),
            FunctionRead::Document(path) => vec![path],
            FunctionRead::Part { of, part } => vec![of, part],
            FunctionRead::Objects { kind, parents } => {
                let collection = match kind.place {
                    CollectionPlace::Fixed(collection)
                    | CollectionPlace::Infra(collection)
                    | CollectionPlace::Project(collection)
                    | CollectionPlace::Below(collection)
                    | CollectionPlace::Nested(collection) => collection,
                    CollectionPlace::Anywhere => "",
                };
                parents.into_iter().chain([collection]).collect()
            }
        });
    let segments = paths.flat_map(|path| path.split('/'));
    segments
        .filter(|segment| !["", "*"].contains(segment))
        .chain(OTHER_WORDS)
        .collect()
}

/// The collection of objects that are only in lists below other objects.
fn nested(read: &FunctionRead) -> Option<&'static str> {
    match read {
        FunctionRead::Objects { kind, .. } if !kind.is_indexed() => match kind.place {
            CollectionPlace::Nested(collection) => Some(collection),
            _ => None,
        },
        _ => None,
    }
}

/// The sources of what a function reads, in projects or not, each with the name of its type.
fn sources(read: FunctionRead, in_projects: bool) -> Vec<(String, Source)> {
    let (kind, ends) = match read {
        FunctionRead::Searched(kinds) => return vec![(SEARCHED.to_owned(), Source::Searched(kinds))],
        FunctionRead::Document(path) => return vec![(SETTINGS.to_owned(), Source::Document(path))],
        FunctionRead::Part { of, part } => {
            let of = collection_of(of);
            return vec![(format!("{of}/{part}"), Source::Part(of, part))];
        }
        FunctionRead::Objects { kind, parents } => (kind, parents),
    };
    let below = |collection, parents| Source::Below(kind, collection, parents);
    let trees = if in_projects {
        Parents::Trees
    } else {
        Parents::Tree
    };
    let mut sources = Vec::new();
    if kind.is_indexed() {
        sources.push(Source::Search(kind));
    }
    match kind.place {
        CollectionPlace::Fixed(_) => sources.push(Source::List(kind)),
        // The search does not show which inventory belongs to a project, and not every manager has it.
        CollectionPlace::Infra(collection) if kind.is_inventory => sources.push(below(collection, trees)),
        _ if kind.is_indexed() => {}
        CollectionPlace::Infra(collection) => sources.push(below(collection, trees)),
        CollectionPlace::Project(collection) => sources.push(below(collection, Parents::Projects)),
        CollectionPlace::Below(collection) => sources.push(below(collection, Parents::Points)),
        CollectionPlace::Nested(collection) => {
            let parents = ends.into_iter().map(collection_of).collect();
            let parents = match in_projects {
                true => Parents::ObjectsOfTrees(parents),
                false => Parents::Objects(parents),
            };
            sources.push(below(collection, parents));
        }
        CollectionPlace::Anywhere => {}
    }
    let name = kind.type_name();
    sources
        .into_iter()
        .map(|source| (name.to_owned(), source))
        .collect()
}

/// `segments/*` as `segments`.
fn collection_of(end: &'static str) -> &'static str {
    end.trim_end_matches("/*")
}

impl RecordedType {
    /// The names of the types that it consists of.
    pub(super) fn names(&self) -> Vec<&str> {
        let searched = self.sources.iter().filter_map(|source| match source {
            Source::Searched(kinds) => Some(kinds.iter().map(|kind| kind.resource_type)),
            _ => None,
        });
        let names: Vec<&str> = searched.flatten().collect();
        if names.is_empty() { vec![&self.name] } else { names }
    }
}

impl Source {
    /// The step in which the source is read: parents are read before their children.
    fn rank(&self, nested: &BTreeSet<&str>) -> u8 {
        match self {
            Self::Document(_) | Self::List(_) => 0,
            Self::Search(_) | Self::Searched(_) => 1,
            Self::Below(_, _, Parents::Objects(parents) | Parents::ObjectsOfTrees(parents)) => {
                let is_deeper = parents.iter().any(|parent| nested.contains(parent));
                if is_deeper { 4 } else { 3 }
            }
            Self::Below(..) => 2,
            Self::Part(..) => 5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_objects_is_read_after_them() {
        let types = types(Deployment::PolicyManager);
        let place = |name: &str| {
            let place = types.iter().position(|one| one.name == name);
            place.unwrap_or_else(|| panic!("{name} is missing"))
        };
        for order in [
            ["Project", "Group", "shared-with-me"],
            ["Project", "lb-app-profiles", "intrusion-service-policies"],
            ["Project", "intrusion-service-policies", "rules"],
            [
                "virtual-network-appliance-clusters",
                "virtual-network-appliances",
                "segments/state",
            ],
        ] {
            assert!(order.map(place).is_sorted(), "{order:?}");
        }
    }

    #[test]
    fn every_source_below_objects_names_them() {
        for type_ in types(Deployment::PolicyManager) {
            for source in &type_.sources {
                let parents = match source {
                    Source::Below(_, _, Parents::Objects(parents) | Parents::ObjectsOfTrees(parents)) => {
                        parents.clone()
                    }
                    Source::Part(of, _) => vec![*of],
                    _ => continue,
                };
                assert!(!parents.is_empty(), "{type_:?}");
                assert!(parents.iter().all(|parent| !parent.contains('*')), "{type_:?}");
            }
        }
    }
}
