//! Contents of a recording, type by type: the objects that functions read, and the documents and the parts of objects
//! that are listed here.

use std::collections::{BTreeMap, BTreeSet};

use netmgr_lookups::{ALL, CollectionPlace, FunctionEntry, Lookups, ObjectKind};
use netmgr_types::{Deployment, PolicyPath};

/// Name of the types that have no function, so that only the search finds them.
const FURTHER: &str = "further types";
/// Name of the type of the documents that are not objects.
pub(super) const SETTINGS: &str = "settings";
/// Collection below which policy trees list realized objects.
pub(super) const REALIZED_POINTS: &str = "realized-state/enforcement-points";

/// Documents that are not objects, each after a function that reads it.
const DOCUMENTS: [(&str, &str); 4] = [
    ("getManagementCluster", "/api/v1/cluster"),
    ("getManagerInfo", "/api/v1/node/version"),
    ("getProxyConfig", "/api/v1/proxy/config"),
    (
        "getPolicyIdpsSettings",
        "/policy/api/v1/infra/settings/firewall/security/intrusion-services",
    ),
];

/// Parts of objects that are read by separate requests, by the collection of the objects, each after a function that
/// reads it.
const PARTS: [(&str, &str, &str); 12] = [
    ("getComputeManagerRealization", "compute-managers", "state"),
    ("getComputeManagerRealization", "compute-managers", "status"),
    (
        "getPolicyEdgeTransportNodeRealization",
        "edge-transport-nodes",
        "state",
    ),
    ("getPolicyGatewaySecurityConfig", "tier-0s", "security-config"),
    ("getPolicyGatewaySecurityConfig", "tier-1s", "security-config"),
    (
        "getPolicyHostTransportNodeCollectionRealization",
        "transport-node-collections",
        "state",
    ),
    ("getPolicyIdpsSettings", "custom-signature-versions", "settings"),
    (
        "getPolicyIdpsSignatureDiff",
        "custom-signature-versions",
        "custom-signatures-diff",
    ),
    ("getPolicySegmentRealization", "segments", "state"),
    (
        "getPolicyVirtualNetworkApplianceClusterRealization",
        "virtual-network-appliance-clusters",
        "state",
    ),
    (
        "getPolicyVirtualNetworkApplianceRealization",
        "virtual-network-appliances",
        "state",
    ),
    ("getTransportNodeRealization", "transport-nodes", "state"),
];

/// Parents of the collections that are only listed below other objects.
const PARENTS: [(&str, &[&str]); 7] = [
    ("custom-signatures", &["custom-signature-versions"]),
    ("intrusion-service-gateway-policies", &["domains"]),
    ("intrusion-service-policies", &["domains"]),
    (
        "rules",
        &["intrusion-service-gateway-policies", "intrusion-service-policies"],
    ),
    ("signatures", &["signature-versions"]),
    ("vifs", &[REALIZED_POINTS]),
    (
        "virtual-network-appliances",
        &["virtual-network-appliance-clusters"],
    ),
];

/// A type of objects with everything that has to be read for it.
#[derive(Debug, Clone)]
pub(super) struct RecordedType {
    pub(super) name: String,
    pub(super) sources: Vec<RecordedSource>,
}

/// The sources of a type by rank, without duplicates.
#[derive(Debug, Default)]
struct SourcesOfType {
    sources: BTreeMap<(u8, String), RecordedSource>,
    /// The highest rank.
    last: u8,
}

/// Source of objects or documents.
#[derive(Debug, Clone)]
pub(super) enum RecordedSource {
    /// The search for all objects of a kind.
    Search(&'static ObjectKind),
    /// The search for all objects of these types.
    Further(Vec<String>),
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
    Objects(&'static [&'static str]),
    /// The objects of collections with these names. A domain `default` is also in the trees of the projects.
    ObjectsOfTrees(&'static [&'static str]),
}

/// The types that functions read on this kind of manager. Lists follow the objects that they are below.
pub(super) fn types(deployment: Deployment) -> Vec<RecordedType> {
    let is_available = |function: &str| {
        let entry = Lookups::entry(function);
        entry.is_ok_and(|entry| entry.spec.availability.includes(deployment))
    };
    let of_kinds = ALL
        .iter()
        .filter(|entry| is_available(entry.spec.name))
        .flat_map(of_kinds);
    let documents = DOCUMENTS.iter().filter(|(function, _)| is_available(function));
    let documents = documents.map(|(_, path)| (SETTINGS.to_owned(), RecordedSource::Document(path)));
    let parts = PARTS.iter().filter(|(function, ..)| is_available(function));
    let parts = parts.map(|(_, of, part)| (format!("{of}/{part}"), RecordedSource::Part(of, part)));
    let further = (FURTHER.to_owned(), RecordedSource::Further(further(deployment)));
    let mut types: BTreeMap<String, SourcesOfType> = BTreeMap::new();
    for (name, source) in of_kinds.chain(documents).chain(parts).chain([further]) {
        let rank = source.rank();
        let type_ = types.entry(name).or_default();
        type_.last = rank.max(type_.last);
        type_
            .sources
            .entry((rank, format!("{source:?}")))
            .or_insert(source);
    }
    let mut types: Vec<_> = types.into_iter().collect();
    types.sort_by_key(|(_, type_)| type_.last);
    let types = types.into_iter().map(|(name, type_)| RecordedType {
        name,
        sources: type_.sources.into_values().collect(),
    });
    types.collect()
}

/// The names of the types that functions read on any kind of manager.
pub(super) fn type_names() -> BTreeSet<String> {
    let deployments = [
        Deployment::PolicyManager,
        Deployment::GlobalManager,
        Deployment::HostedCloud,
    ];
    let types = deployments.into_iter().flat_map(types);
    let names = types.flat_map(|type_| type_.names().into_iter().map(str::to_owned).collect::<Vec<_>>());
    names.collect()
}

/// Adds the types of the objects that have lists or parts of the selected types.
pub(super) fn add_parents(selected: &mut Vec<String>, types: &[RecordedType]) {
    let mut next = 0;
    while let Some(name) = selected.get(next).cloned() {
        let sources = types
            .iter()
            .filter(|type_| type_.name == name)
            .flat_map(|type_| &type_.sources);
        for parent in sources.flat_map(RecordedSource::parents).flat_map(types_in) {
            if !selected.iter().any(|known| known == parent) {
                selected.push(parent.to_owned());
            }
        }
        next += 1;
    }
}

/// Names of the types of objects that are in collections of this name.
pub(crate) fn types_in(collection: &str) -> Vec<&'static str> {
    let is_in = |kind: &&ObjectKind| kind.place.collection().rsplit('/').next() == Some(collection);
    let kinds = ALL.iter().flat_map(FunctionEntry::kinds).filter(is_in);
    let domains = (collection == "domains").then_some("Domain");
    kinds.map(ObjectKind::type_name).chain(domains).collect()
}

/// Whether the collection at `path` is one of the selected types, of those that are collections.
pub(crate) fn lists(selected: &[String], path: &str) -> bool {
    let is_listed = |kind: &ObjectKind| match kind.place {
        CollectionPlace::Fixed(fixed) => fixed.ends_with(path),
        CollectionPlace::Nested(collection) => {
            let parent = path.strip_suffix(collection).unwrap_or_default();
            let parent = PolicyPath::trusted(parent).collection_name();
            parents_of(collection).contains(&parent)
        }
        place => path.ends_with(&format!("/{}", place.collection())),
    };
    let kinds = ALL.iter().flat_map(FunctionEntry::kinds);
    let mut collections = kinds.filter(|kind| kind.resource_type.is_empty());
    !selected.is_empty()
        && collections.any(|kind| selected.iter().any(|name| name == kind.type_name()) && is_listed(kind))
}

/// The types that functions for any object accept, and that have no function of their own on this kind of manager.
fn further(deployment: Deployment) -> Vec<String> {
    let own: BTreeSet<&str> = ALL
        .iter()
        .filter(|entry| entry.spec.availability.includes(deployment))
        .flat_map(FunctionEntry::kinds)
        .map(|kind| kind.resource_type)
        .collect();
    let types = Lookups::object_types().into_iter();
    types.filter(|name| !own.contains(name.as_str())).collect()
}

/// Whether the function reads objects of projects.
fn has_context(entry: &FunctionEntry) -> bool {
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
pub(crate) fn collection_words() -> BTreeSet<&'static str> {
    let collections = ALL
        .iter()
        .flat_map(FunctionEntry::kinds)
        .map(|kind| kind.place.collection());
    let documents = DOCUMENTS.iter().map(|(_, path)| *path);
    let parts = PARTS.iter().map(|(_, _, part)| *part);
    let segments = collections
        .chain(documents)
        .chain(parts)
        .flat_map(|path| path.split('/'));
    segments
        .filter(|segment| !segment.is_empty())
        .chain(OTHER_WORDS)
        .collect()
}

/// The parents of a collection that is only listed below them.
fn parents_of(collection: &str) -> &'static [&'static str] {
    let parents = PARENTS.iter().find(|(name, _)| *name == collection);
    parents.map_or(&[], |(_, parents)| parents)
}

/// The sources of the objects that a function reads, each with the name of its type.
fn of_kinds(entry: &FunctionEntry) -> Vec<(String, RecordedSource)> {
    let in_projects = has_context(entry);
    let sources = |kind| {
        let name = ObjectKind::type_name(kind);
        let sources = of_kind(kind, in_projects).into_iter();
        sources.map(move |source| (name.to_owned(), source))
    };
    entry.kinds().flat_map(sources).collect()
}

/// The sources of the objects of a kind, in projects or not.
fn of_kind(kind: &'static ObjectKind, in_projects: bool) -> Vec<RecordedSource> {
    let below = |collection, parents| RecordedSource::Below(kind, collection, parents);
    let trees = if in_projects {
        Parents::Trees
    } else {
        Parents::Tree
    };
    let mut sources = Vec::new();
    if kind.is_indexed() {
        sources.push(RecordedSource::Search(kind));
    }
    match kind.place {
        CollectionPlace::Fixed(_) => sources.push(RecordedSource::List(kind)),
        // The search does not show which inventory belongs to a project, and not every manager has it.
        CollectionPlace::Infra(collection) if kind.is_inventory => sources.push(below(collection, trees)),
        _ if kind.is_indexed() => {}
        CollectionPlace::Infra(collection) => sources.push(below(collection, trees)),
        CollectionPlace::Project(collection) => sources.push(below(collection, Parents::Projects)),
        CollectionPlace::Below(collection) => sources.push(below(collection, Parents::Points)),
        CollectionPlace::Nested(collection) => {
            let parents = match in_projects {
                true => Parents::ObjectsOfTrees(parents_of(collection)),
                false => Parents::Objects(parents_of(collection)),
            };
            sources.push(below(collection, parents));
        }
        CollectionPlace::Anywhere => {}
    }
    sources
}

impl Parents {
    /// The collections whose objects they are, or whose objects contain them.
    fn collections(&self) -> Vec<&'static str> {
        match self {
            Self::Tree => Vec::new(),
            Self::Trees | Self::Projects => vec!["projects"],
            Self::Points => vec!["sites", "enforcement-points"],
            Self::Objects(collections) => collections.to_vec(),
            Self::ObjectsOfTrees(collections) => [&["projects"], *collections].concat(),
        }
    }
}

impl RecordedType {
    /// The names of the types that it consists of.
    pub(super) fn names(&self) -> Vec<&str> {
        match self.sources.as_slice() {
            [RecordedSource::Further(types)] => types.iter().map(String::as_str).collect(),
            _ => vec![&self.name],
        }
    }
}

impl RecordedSource {
    /// The collections whose objects have the lists or parts of this source.
    pub(super) fn parents(&self) -> Vec<&'static str> {
        match self {
            Self::Below(_, _, parents) => parents.collections(),
            Self::Part(of, _) => vec![*of],
            _ => Vec::new(),
        }
    }

    /// The step in which the source is read: parents are read before their children.
    fn rank(&self) -> u8 {
        match self {
            Self::Document(_) | Self::List(_) => 0,
            Self::Search(_) | Self::Further(_) => 1,
            Self::Below(_, _, Parents::Objects(parents) | Parents::ObjectsOfTrees(parents)) => {
                let is_deeper = parents.iter().any(|parent| !parents_of(parent).is_empty());
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
    fn every_source_below_objects_names_them_and_every_function_exists() {
        for type_ in types(Deployment::PolicyManager) {
            for source in &type_.sources {
                if let RecordedSource::Below(
                    _,
                    _,
                    Parents::Objects(parents) | Parents::ObjectsOfTrees(parents),
                ) = source
                {
                    assert!(!parents.is_empty(), "{type_:?} is missing in PARENTS");
                }
            }
        }
        let functions = DOCUMENTS.iter().map(|(function, _)| function);
        for function in functions.chain(PARTS.iter().map(|(function, ..)| function)) {
            assert!(Lookups::entry(function).is_ok(), "{function}");
        }
    }

    #[test]
    fn further_types_are_those_without_a_function() {
        let further = further(Deployment::PolicyManager);
        assert!(further.contains(&"StaticRoutes".to_owned()), "{further:?}");
        // Its function is for global managers.
        assert!(further.contains(&"Site".to_owned()), "{further:?}");
        assert!(!further.contains(&"Segment".to_owned()), "{further:?}");
    }
}
