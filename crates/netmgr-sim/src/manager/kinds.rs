//! The kinds of objects of the manager: their collections and list parameters. `data/templates.json` has the default
//! fields of each, shaped like the sample bodies of the VMware NSX REST API.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::settings::{ManagerKind, ManagerMode, ManagerSettings};

/// One kind of object and its collection.
pub(crate) struct CollectionKind {
    /// Collection below its root; `*` stands for one id.
    pub(crate) collection: &'static str,
    /// Roots under which the collection exists.
    pub(crate) roots: &'static [Root],
    /// Field that carries the id: `external_id` for inventory of compute managers.
    pub(crate) id_field: &'static str,
    /// First version with this API.
    pub(crate) since: [u64; 3],
    /// Whether the kind belongs to manager mode.
    pub(crate) manager_mode: bool,
    /// Filters of the list.
    pub(crate) filters: &'static [(&'static str, ListFilter)],
    /// Parameters of the read by id.
    pub(crate) read_parameters: &'static [&'static str],
    /// Whether the list is paged; the one of failure domains takes no parameter at all.
    pub(crate) paged: bool,
    /// Parts of an object that are read by their own path below it: `state`, `status`.
    pub(crate) parts: &'static [&'static str],
}

/// The tree of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Root {
    /// `/api/v1`
    Api,
    /// `/infra`
    Infra,
    /// `/global-infra`
    GlobalInfra,
    /// `/orgs/{org}`
    Org,
    /// `/orgs/{org}/projects/{project}/infra`
    Project,
    /// `/orgs/{org}/projects/{project}/vpcs/{vpc}`
    Vpc,
}

/// Effect of a filter parameter of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListFilter {
    /// A value of this (dotted) field equals the parameter.
    Equals(&'static str),
    /// Matches this field according to the setting for name filters.
    Name(&'static str),
    /// Whether the field is present must equal the parameter.
    Presence(&'static str),
    /// `true` removes this field from the rows.
    Without(&'static str),
    /// `true` shows entries that are system owned.
    SystemOwned,
    /// Accepted without an effect on the fields that lookups read.
    Accepted,
}

use ListFilter::{Accepted, Equals, Name, Presence, SystemOwned, Without};

const API: &[Root] = &[Root::Api];
const LOCAL: &[Root] = &[Root::Infra];
const LOCAL_AND_GLOBAL: &[Root] = &[Root::Infra, Root::GlobalInfra];
const ORG: &[Root] = &[Root::Org];
const EVERY_TREE: &[Root] = &[Root::Infra, Root::GlobalInfra, Root::Project, Root::Vpc];

/// A paged list of objects with `id` under the given roots, on every version.
const fn kind(collection: &'static str, roots: &'static [Root]) -> CollectionKind {
    CollectionKind {
        collection,
        roots,
        id_field: "id",
        since: [0; 3],
        manager_mode: false,
        filters: &[],
        read_parameters: &[],
        paged: true,
        parts: &[],
    }
}

const CERTIFICATE_FILTERS: &[(&str, ListFilter)] =
    &[("type", Accepted), ("node_id", Accepted), ("details", Accepted)];

/// Every kind of the simulated manager.
pub(crate) static KINDS: &[CollectionKind] = &[
    // Fabric, trust, upgrade, cluster: everywhere under /api/v1.
    CollectionKind {
        filters: CERTIFICATE_FILTERS,
        read_parameters: &["details"],
        ..kind("trust-management/certificates", API)
    },
    CollectionKind {
        id_field: "external_id",
        filters: &[
            ("display_name", Name("display_name")),
            ("external_id", Equals("external_id")),
            ("cm_local_id", Equals("cm_local_id")),
            ("origin_id", Equals("origin_id")),
            ("origin_type", Equals("origin_type")),
            ("owner_id", Equals("owner_id")),
            ("node_id", Equals("node_id")),
            ("discovered_node_id", Equals("discovered_node_id")),
        ],
        ..kind("fabric/compute-collections", API)
    },
    CollectionKind {
        filters: &[
            ("server", Equals("server")),
            ("origin_type", Equals("origin_type")),
        ],
        parts: &["state", "status"],
        ..kind("fabric/compute-managers", API)
    },
    CollectionKind {
        id_field: "external_id",
        filters: &[
            ("ip_address", Equals("ip_addresses")),
            ("display_name", Name("display_name")),
            ("external_id", Equals("external_id")),
            ("cm_local_id", Equals("cm_local_id")),
            ("origin_id", Equals("origin_id")),
            ("node_id", Equals("node_id")),
            ("node_type", Equals("node_type")),
            ("has_parent", Presence("parent_compute_collection")),
            ("parent_compute_collection", Equals("parent_compute_collection")),
        ],
        ..kind("fabric/discovered-nodes", API)
    },
    CollectionKind {
        filters: &[
            ("component_type", Equals("type")),
            ("summary", Without("upgrade_units")),
            ("sync", Accepted),
        ],
        read_parameters: &["summary"],
        ..kind("upgrade/upgrade-unit-groups", API)
    },
    CollectionKind {
        paged: false,
        ..kind("failure-domains", API)
    },
    kind("cluster/nodes", API),
    // Manager mode.
    manager_mode(kind("edge-clusters", API)),
    manager_mode(CollectionKind {
        filters: &[
            ("type", Equals("section_type")),
            ("filter_type", Accepted),
            ("applied_tos", Accepted),
            ("sources", Accepted),
            ("destinations", Accepted),
            ("services", Accepted),
            ("search_scope", Accepted),
            ("deep_search", Accepted),
            ("locked", Equals("locked")),
        ],
        ..kind("firewall/sections", API)
    }),
    manager_mode(kind("pools/ip-pools", API)),
    manager_mode(kind("pools/mac-pools", API)),
    manager_mode(CollectionKind {
        filters: &[
            ("router_type", Equals("router_type")),
            ("vrfs_on_logical_router_id", Equals("vrf_parent_id")),
        ],
        ..kind("logical-routers", API)
    }),
    manager_mode(CollectionKind {
        filters: &[("member_types", Accepted), ("populate_references", Accepted)],
        read_parameters: &["populate_references"],
        ..kind("ns-groups", API)
    }),
    manager_mode(CollectionKind {
        filters: &[("default_service", Equals("default_service"))],
        ..kind("ns-services", API)
    }),
    // Projects themselves.
    kind("projects", ORG),
    // Policy, in every tree.
    CollectionKind {
        filters: CERTIFICATE_FILTERS,
        read_parameters: &["details"],
        ..kind("certificates", EVERY_TREE)
    },
    kind("context-profiles", EVERY_TREE),
    kind("dhcp-server-configs", EVERY_TREE),
    kind("flood-protection-profiles", EVERY_TREE),
    // Policy, local and global.
    kind("bfd-profiles", LOCAL_AND_GLOBAL),
    kind(
        "sites/*/enforcement-points/*/edge-bridge-profiles",
        LOCAL_AND_GLOBAL,
    ),
    kind("sites/*/enforcement-points/*/edge-clusters", LOCAL_AND_GLOBAL),
    kind(
        "sites/*/enforcement-points/*/edge-clusters/*/edge-nodes",
        LOCAL_AND_GLOBAL,
    ),
    // Policy, local only.
    kind("distributed-vlan-connections", LOCAL),
    kind("sites/*/enforcement-points/*/cluster-control-planes", LOCAL),
    CollectionKind {
        since: [9, 0, 0],
        filters: &[("include_system_owned", SystemOwned)],
        ..kind(
            "sites/*/enforcement-points/*/edge-cluster-high-availability-profiles",
            LOCAL,
        )
    },
    CollectionKind {
        since: [9, 0, 0],
        filters: &[
            (
                "management_ip",
                Equals("management_interface.ip_assignment_specs.management_port_subnets.ip_addresses"),
            ),
            (
                "transport_zone_path",
                Equals("switch_spec.switches.transport_zone_endpoints.transport_zone_path"),
            ),
            ("in_maintenance_mode", Equals("in_maintenance_mode")),
        ],
        parts: &["state"],
        ..kind("sites/*/enforcement-points/*/edge-transport-nodes", LOCAL)
    },
    CollectionKind {
        since: [9, 1, 0],
        filters: &[
            ("feature_type", Equals("features.feature")),
            ("enabled", Equals("features.enabled")),
        ],
        read_parameters: &["enforcement_point_path"],
        ..kind("settings/security/cluster-configs", LOCAL)
    },
];

const fn manager_mode(kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        manager_mode: true,
        ..kind
    }
}

impl CollectionKind {
    /// The kind whose collection this is.
    pub(crate) fn of(collection: &TreePath<'_>) -> Option<&'static Self> {
        KINDS
            .iter()
            .find(|kind| kind.roots.contains(&collection.root) && covers(kind.collection, collection.below))
    }

    /// Default fields of an object, including `resource_type`.
    pub(crate) fn template(&self) -> Map<String, Value> {
        static TEMPLATES: LazyLock<BTreeMap<&str, Map<String, Value>>> = LazyLock::new(|| {
            serde_json::from_str(include_str!("data/templates.json")).expect("the tests read embedded data")
        });
        TEMPLATES[self.collection].clone()
    }

    /// Whether objects of the kind are policy objects, with a path of their own.
    pub(crate) fn is_policy(&self) -> bool {
        self.roots != API
    }

    /// Whether objects come from the inventory of compute managers.
    pub(crate) fn is_inventory(&self) -> bool {
        self.id_field == "external_id"
    }

    /// Whether this manager has the API.
    pub(crate) fn exists_on(&self, settings: &ManagerSettings) -> bool {
        let mode_served = !self.manager_mode || settings.manager_mode == ManagerMode::Served;
        let kind_served = match settings.kind {
            ManagerKind::Local => true,
            ManagerKind::Global => {
                self.roots.contains(&Root::GlobalInfra) || self.collection == "cluster/nodes"
            }
            ManagerKind::HostedCloud => self.is_policy(),
        };
        mode_served && kind_served && settings.is_at_least(self.since)
    }
}

impl fmt::Debug for CollectionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.collection)
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
        let names: Vec<&str> = segments.iter().take(5).map(String::as_str).collect();
        let (root, skip) = match names.as_slice() {
            ["api", "v1", ..] => (Root::Api, 2),
            ["infra", ..] => (Root::Infra, 1),
            ["global-infra", ..] => (Root::GlobalInfra, 1),
            ["orgs", _, "projects", _, "infra"] => (Root::Project, 5),
            ["orgs", _, "projects", _, "vpcs"] => (Root::Vpc, 6),
            ["orgs", _, ..] => (Root::Org, 2),
            _ => return None,
        };
        segments.get(skip..).map(|below| Self { root, below })
    }

    /// The place `count` segments further up.
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
            .all(|(part, segment)| part == "*" || part == segment)
}

#[cfg(test)]
mod tests {
    use super::KINDS;

    #[test]
    fn every_kind_has_default_fields() {
        for kind in KINDS {
            assert!(kind.template()["resource_type"].is_string(), "{kind:?}");
        }
    }
}
