//! Kinds under `/api/v1`, inventory and role bindings.

use super::collection::CollectionKind;
use super::collection::ListFilter::{Accepted, Equals, Name, Presence, Without};
use super::declare::{
    ACCESS, API, CERTIFICATE_FILTERS, INVENTORY, filtered, inventory, kind, list_only, manager_mode, since,
    single, unpaged, with_state,
};

pub(super) const KINDS: &[CollectionKind] = &[
    // Fabric, trust, upgrade, cluster: everywhere under /api/v1.
    CollectionKind {
        filters: CERTIFICATE_FILTERS,
        read_parameters: &["details"],
        ..kind("trust-management/certificates", API, "certificate_self_signed")
    },
    inventory(
        "fabric/compute-collections",
        API,
        "ComputeCollection",
        &[
            ("display_name", Name("display_name")),
            ("external_id", Equals("external_id")),
            ("cm_local_id", Equals("cm_local_id")),
            ("origin_id", Equals("origin_id")),
            ("origin_type", Equals("origin_type")),
            ("owner_id", Equals("owner_id")),
            ("node_id", Equals("node_id")),
            ("discovered_node_id", Equals("discovered_node_id")),
        ],
    ),
    CollectionKind {
        filters: &[
            ("server", Equals("server")),
            ("origin_type", Equals("origin_type")),
        ],
        parts: &["state", "status"],
        ..kind("fabric/compute-managers", API, "ComputeManager")
    },
    inventory(
        "fabric/discovered-nodes",
        API,
        "DiscoveredNode",
        &[
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
    ),
    list_only(inventory(
        "fabric/virtual-machines",
        API,
        "VirtualMachine",
        &[
            ("display_name", Name("display_name")),
            ("external_id", Equals("external_id")),
            ("host_id", Equals("host_id")),
            ("exclude_vm_type", Accepted),
        ],
    )),
    list_only(inventory(
        "fabric/vifs",
        API,
        "VirtualNetworkInterface",
        &[
            ("host_id", Equals("host_id")),
            ("lport_attachment_id", Equals("lport_attachment_id")),
            ("owner_vm_id", Equals("owner_vm_id")),
            ("vm_id", Equals("owner_vm_id")),
        ],
    )),
    since(
        [9, 0, 0],
        inventory("bare-metal-servers", INVENTORY, "BareMetalServer", &[]),
    ),
    since(
        [9, 0, 0],
        inventory(
            "bare-metal-server-interfaces",
            INVENTORY,
            "BareMetalServerInterface",
            &[],
        ),
    ),
    list_only(filtered(
        &[
            ("component_type", Equals("type")),
            ("summary", Accepted),
            ("sync", Accepted),
        ],
        kind(
            "upgrade/upgrade-unit-groups/aggregate-info",
            API,
            "UpgradeUnitGroupAggregateInfo",
        ),
    )),
    CollectionKind {
        filters: &[
            ("component_type", Equals("type")),
            ("summary", Without("upgrade_units")),
            ("sync", Accepted),
        ],
        read_parameters: &["summary"],
        ..kind("upgrade/upgrade-unit-groups", API, "UpgradeUnitGroup")
    },
    list_only(filtered(
        &[
            ("component_type", Equals("component_type")),
            ("type", Equals("type")),
            ("needs_ack", Equals("needs_ack")),
            ("origin_type", Equals("origin_type")),
            ("filter_text", Accepted),
        ],
        kind("upgrade/pre-upgrade-checks/failures", API, "UpgradeCheckFailure"),
    )),
    unpaged(kind("failure-domains", API, "FailureDomain")),
    kind("cluster/nodes", API, "ClusterNodeConfig"),
    single("proxy/config", API, "Proxy"),
    with_state(filtered(
        &[
            ("node_types", Equals("node_deployment_info.resource_type")),
            ("node_id", Equals("id")),
            ("node_ip", Equals("node_deployment_info.ip_addresses")),
            ("in_maintenance_mode", Accepted),
            ("transport_zone_id", Accepted),
        ],
        kind("transport-nodes", API, "TransportNode"),
    )),
    // Manager mode.
    manager_mode(filtered(
        &[
            ("display_name", Name("display_name")),
            ("is_default", Equals("is_default")),
            ("transport_type", Equals("transport_type")),
            ("include_system_owned", Accepted),
            ("uplink_teaming_policy_name", Accepted),
        ],
        kind("transport-zones", API, "TransportZone"),
    )),
    manager_mode(filtered(
        &[
            ("switching_profile_type", Equals("resource_type")),
            ("include_system_owned", Accepted),
        ],
        kind("switching-profiles", API, "QosSwitchingProfile"),
    )),
    manager_mode(kind("edge-clusters", API, "EdgeCluster")),
    manager_mode(filtered(
        &[
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
        kind("firewall/sections", API, "FirewallSection"),
    )),
    manager_mode(kind("pools/ip-pools", API, "IpPool")),
    manager_mode(kind("pools/mac-pools", API, "MacPool")),
    manager_mode(filtered(
        &[
            ("router_type", Equals("router_type")),
            ("vrfs_on_logical_router_id", Equals("vrf_parent_id")),
        ],
        kind("logical-routers", API, "LogicalRouter"),
    )),
    manager_mode(CollectionKind {
        filters: &[("member_types", Accepted), ("populate_references", Accepted)],
        read_parameters: &["populate_references"],
        ..kind("ns-groups", API, "NSGroup")
    }),
    manager_mode(filtered(
        &[("default_service", Equals("default_service"))],
        kind("ns-services", API, "NSService"),
    )),
    // Access.
    filtered(
        &[
            ("name", Equals("name")),
            ("type", Equals("type")),
            ("identity_source_id", Equals("identity_source_id")),
            ("identity_source_type", Equals("identity_source_type")),
            ("path", Equals("roles_for_paths.path")),
            ("role", Equals("roles_for_paths.roles.role")),
            ("root_path", Accepted),
        ],
        kind("role-bindings", ACCESS, "RoleBinding"),
    ),
];
