//! Every kind of the simulated manager, one line each. Paths, types and parameters are those of the VMware NSX REST
//! API reference.

use super::ListFilter::{Accepted, Equals, Name, Presence, Required, SystemOwned, TypeOfTarget, Without};
use super::{CollectionKind, ListFilter, Paging, Place, Root};
use crate::manager::views::View;

const API: &[Root] = &[Root::Api];
const ACCESS: &[Root] = &[Root::Access];
const INVENTORY: &[Root] = &[Root::Inventory];
const LOCAL: &[Root] = &[Root::Infra];
const GLOBAL: &[Root] = &[Root::Infra, Root::GlobalInfra];
const PROJECTS: &[Root] = &[Root::Infra, Root::Project];
const TREES: &[Root] = &[Root::Infra, Root::GlobalInfra, Root::Project];
const EVERY_TREE: &[Root] = &[Root::Infra, Root::GlobalInfra, Root::Project, Root::Vpc];
const ORG: &[Root] = &[Root::Org];
const ORG_AND_VPC: &[Root] = &[Root::Org, Root::Vpc];
const VPC: &[Root] = &[Root::Vpc];

/// A paged list of objects with `id` under the given roots, on every version.
const fn kind(
    collection: &'static str,
    roots: &'static [Root],
    resource_type: &'static str,
) -> CollectionKind {
    CollectionKind {
        collection,
        resource_type,
        roots,
        id_field: "id",
        since: [0; 3],
        manager_mode: false,
        filters: &[],
        read_parameters: &[],
        paging: Paging::Cursor,
        place: Place::Collection,
        parts: &[],
        part_parameters: &[],
        embeds: &[],
    }
}

/// The only object of its kind below its parent.
const fn single(path: &'static str, roots: &'static [Root], resource_type: &'static str) -> CollectionKind {
    CollectionKind {
        place: Place::Single,
        ..kind(path, roots, resource_type)
    }
}

/// A list that is derived from other objects.
const fn derived(
    path: &'static str,
    roots: &'static [Root],
    view: View,
    filters: &'static [(&'static str, ListFilter)],
) -> CollectionKind {
    CollectionKind {
        place: Place::Derived(view),
        filters,
        ..kind(path, roots, "")
    }
}

/// An object from the inventory of compute managers, which has `external_id`.
const fn inventory(
    collection: &'static str,
    roots: &'static [Root],
    resource_type: &'static str,
    filters: &'static [(&'static str, ListFilter)],
) -> CollectionKind {
    CollectionKind {
        id_field: "external_id",
        filters,
        ..kind(collection, roots, resource_type)
    }
}

const fn filtered(filters: &'static [(&'static str, ListFilter)], kind: CollectionKind) -> CollectionKind {
    CollectionKind { filters, ..kind }
}

const fn manager_mode(kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        manager_mode: true,
        ..kind
    }
}

const fn since(version: [u64; 3], kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        since: version,
        ..kind
    }
}

const fn with_state(kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        parts: &["state"],
        ..kind
    }
}

const fn list_only(kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        place: Place::ListOnly,
        ..kind
    }
}

const fn unpaged(kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        paging: Paging::None,
        ..kind
    }
}

const fn with_rules(kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        embeds: &["rules"],
        filters: &[("include_rule_count", Accepted)],
        ..kind
    }
}

const fn with_segment_state(kind: CollectionKind) -> CollectionKind {
    CollectionKind {
        filters: &[("segment_type", Accepted)],
        parts: &["state"],
        part_parameters: &["enforcement_point_path", "source"],
        ..kind
    }
}

const CERTIFICATE_FILTERS: &[(&str, ListFilter)] =
    &[("type", Accepted), ("node_id", Accepted), ("details", Accepted)];
const MEMBER_FILTERS: &[(&str, ListFilter)] = &[("enforcement_point_path", Accepted)];

pub(super) static KINDS: &[CollectionKind] = &[
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
    // Projects and VPCs.
    CollectionKind {
        filters: &[("instance_id", Accepted)],
        read_parameters: &["short_format"],
        ..kind("projects", ORG, "Project")
    },
    kind("projects/*/vpcs", ORG, "Vpc"),
    kind(
        "projects/*/vpc-connectivity-profiles",
        ORG,
        "VpcConnectivityProfile",
    ),
    kind("projects/*/vpc-service-profiles", ORG, "VpcServiceProfile"),
    kind(
        "projects/*/ip-address-allocations",
        ORG,
        "ProjectIpAddressAllocation",
    ),
    since(
        [9, 0, 0],
        kind("projects/*/transit-gateways", ORG, "TransitGateway"),
    ),
    since(
        [9, 0, 0],
        kind("projects/*/transit-gateways/*/nat", ORG, "PolicyNat"),
    ),
    unpaged(filtered(
        &[("resource_type", TypeOfTarget("resource_objects.resource_path"))],
        list_only(kind("shared-with-me", ORG_AND_VPC, "SharedResource")),
    )),
    unpaged(filtered(
        &[("resource_type", TypeOfTarget("resource_objects.resource_path"))],
        list_only(kind("projects/*/shared-with-me", ORG, "SharedResource")),
    )),
    filtered(&[("member_types", Accepted)], kind("groups", VPC, "Group")),
    kind("ip-address-allocations", VPC, "VpcIpAddressAllocation"),
    kind("nat", VPC, "PolicyNat"),
    kind("subnets", VPC, "VpcSubnet"),
    kind("subnets/*/ports", VPC, "VpcSubnetPort"),
    // Policy, in every tree.
    CollectionKind {
        filters: CERTIFICATE_FILTERS,
        read_parameters: &["details"],
        ..kind("certificates", EVERY_TREE, "TlsCertificate")
    },
    kind("context-profiles", EVERY_TREE, "PolicyContextProfile"),
    kind("dhcp-server-configs", EVERY_TREE, "DhcpServerConfig"),
    kind(
        "flood-protection-profiles",
        EVERY_TREE,
        "DistributedFloodProtectionProfile",
    ),
    // Groups, services and their policies.
    filtered(
        &[("member_types", Accepted)],
        kind("domains/*/groups", TREES, "Group"),
    ),
    derived(
        "domains/*/groups/*/members/bms",
        GLOBAL,
        View::Members("BareMetalServer"),
        MEMBER_FILTERS,
    ),
    derived(
        "domains/*/groups/*/members/bmsi",
        GLOBAL,
        View::Members("BareMetalServerInterface"),
        MEMBER_FILTERS,
    ),
    derived(
        "bms-group-associations",
        TREES,
        View::Associations("BareMetalServer", "bms_external_id"),
        &[
            ("bms_external_id", Accepted),
            ("enforcement_point_path", Accepted),
        ],
    ),
    derived(
        "bmsi-group-associations",
        TREES,
        View::Associations("BareMetalServerInterface", "bmsi_external_id"),
        &[
            ("bmsi_external_id", Accepted),
            ("enforcement_point_path", Accepted),
        ],
    ),
    filtered(
        &[("default_service", Equals("is_default"))],
        kind("services", TREES, "Service"),
    ),
    with_rules(kind("domains/*/security-policies", TREES, "SecurityPolicy")),
    with_rules(kind("domains/*/gateway-policies", TREES, "GatewayPolicy")),
    kind(
        "domains/*/security-policies|gateway-policies/*/rules",
        TREES,
        "Rule",
    ),
    with_rules(kind(
        "domains/*/intrusion-service-policies",
        PROJECTS,
        "IdsSecurityPolicy",
    )),
    with_rules(kind(
        "domains/*/intrusion-service-gateway-policies",
        LOCAL,
        "IdsGatewayPolicy",
    )),
    kind(
        "domains/*/intrusion-service-policies|intrusion-service-gateway-policies/*/rules",
        PROJECTS,
        "IdsRule",
    ),
    // Gateways.
    kind("tier-0s", GLOBAL, "Tier0"),
    kind("tier-1s", TREES, "Tier1"),
    kind("tier-0s|tier-1s/*/locale-services", TREES, "LocaleServices"),
    kind("tier-0s/*/locale-services/*/interfaces", GLOBAL, "Tier0Interface"),
    kind("tier-1s/*/locale-services/*/interfaces", TREES, "Tier1Interface"),
    kind("tier-0s/*/prefix-lists", GLOBAL, "PrefixList"),
    kind("tier-0s/*/route-maps", GLOBAL, "Tier0RouteMap"),
    single("tier-0s|tier-1s/*/dns-forwarder", TREES, "PolicyDnsForwarder"),
    CollectionKind {
        read_parameters: &[
            "feature",
            "cursor",
            "page_size",
            "sort_by",
            "sort_ascending",
            "included_fields",
        ],
        ..single("tier-0s|tier-1s/*/security-config", PROJECTS, "SecurityFeatures")
    },
    kind(
        "tier-0s|tier-1s/*/ipsec-vpn-services",
        PROJECTS,
        "IPSecVpnService",
    ),
    kind(
        "tier-0s|tier-1s/*/ipsec-vpn-services/*/local-endpoints",
        PROJECTS,
        "IPSecVpnLocalEndpoint",
    ),
    kind("tier-0s|tier-1s/*/l2vpn-services", PROJECTS, "L2VPNService"),
    kind("ipsec-vpn-dpd-profiles", PROJECTS, "IPSecVpnDpdProfile"),
    kind("ipsec-vpn-ike-profiles", PROJECTS, "IPSecVpnIkeProfile"),
    kind("ipsec-vpn-tunnel-profiles", PROJECTS, "IPSecVpnTunnelProfile"),
    kind("gateway-qos-profiles", TREES, "GatewayQosProfile"),
    kind("ipv6-dad-profiles", TREES, "Ipv6DadProfile"),
    kind("ipv6-ndra-profiles", TREES, "Ipv6NdraProfile"),
    kind("bfd-profiles", GLOBAL, "BfdProfile"),
    // Segments.
    with_segment_state(kind("segments", TREES, "Segment")),
    with_segment_state(kind("tier-1s/*/segments", TREES, "Segment")),
    kind("segments/*/ports", TREES, "SegmentPort"),
    kind("tier-1s/*/segments/*/ports", TREES, "SegmentPort"),
    kind("ip-discovery-profiles", TREES, "IPDiscoveryProfile"),
    kind("mac-discovery-profiles", TREES, "MacDiscoveryProfile"),
    kind("qos-profiles", TREES, "QoSProfile"),
    kind("segment-security-profiles", TREES, "SegmentSecurityProfile"),
    kind("spoofguard-profiles", TREES, "SpoofGuardProfile"),
    kind("ip-pools", PROJECTS, "IpAddressPool"),
    CollectionKind {
        read_parameters: &["ignore_ipblock_usage"],
        ..kind("ip-blocks", PROJECTS, "IpAddressBlock")
    },
    kind("vni-pools", LOCAL, "VniPoolConfig"),
    // Load balancing.
    kind("lb-services", LOCAL, "LBService"),
    kind("lb-app-profiles", LOCAL, "LBHttpProfile"),
    kind("lb-monitor-profiles", LOCAL, "LBHttpMonitorProfile"),
    kind("lb-persistence-profiles", LOCAL, "LBSourceIpPersistenceProfile"),
    kind("lb-client-ssl-profiles", LOCAL, "LBClientSslProfile"),
    kind("lb-server-ssl-profiles", LOCAL, "LBServerSslProfile"),
    // Connections between gateways, VPCs and the outside.
    kind("distributed-vlan-connections", LOCAL, "DistributedVlanConnection"),
    since([9, 0, 0], kind("gateway-connections", LOCAL, "GatewayConnection")),
    since(
        [9, 1, 0],
        kind(
            "distributed-vxlan-connections",
            LOCAL,
            "DistributedVxlanConnection",
        ),
    ),
    since([9, 1, 0], kind("network-spans", LOCAL, "NetworkSpan")),
    since([9, 1, 0], kind("route-controllers", LOCAL, "RouteController")),
    since(
        [9, 1, 0],
        kind(
            "route-controllers/*/interfaces",
            LOCAL,
            "RouteControllerInterface",
        ),
    ),
    since(
        [9, 1, 0],
        kind(
            "route-controllers/*/bgp/neighbors",
            LOCAL,
            "RouteControllerBgpNeighborConfig",
        ),
    ),
    // Intrusion detection.
    single(
        "settings/firewall/security/intrusion-services",
        LOCAL,
        "IdsSettings",
    ),
    kind(
        "settings/firewall/security/intrusion-services/profiles",
        PROJECTS,
        "IdsProfile",
    ),
    CollectionKind {
        filters: MEMBER_FILTERS,
        read_parameters: &["enforcement_point_path"],
        ..kind(
            "settings/firewall/security/intrusion-services/cluster-configs",
            LOCAL,
            "IdsClusterConfig",
        )
    },
    kind(
        "settings/firewall/security/intrusion-services/signature-versions",
        LOCAL,
        "IdsSignatureVersion",
    ),
    list_only(kind(
        "settings/firewall/security/intrusion-services/signature-versions/*/signatures",
        LOCAL,
        "IdsSignature",
    )),
    kind(
        "settings/firewall/security/intrusion-services/custom-signature-versions",
        PROJECTS,
        "IdsCustomSignatureVersion",
    ),
    filtered(
        &[("include", Accepted)],
        kind(
            "settings/firewall/security/intrusion-services/custom-signature-versions/*/custom-signatures",
            PROJECTS,
            "IdsCustomSignature",
        ),
    ),
    single(
        "settings/firewall/security/intrusion-services/custom-signature-versions/*/custom-signatures-diff",
        PROJECTS,
        "IdsCustomSignaturesDiff",
    ),
    single(
        "settings/firewall/security/intrusion-services/custom-signature-versions/*/settings",
        LOCAL,
        "IdsCustomSignatureSettings",
    ),
    since(
        [9, 1, 0],
        CollectionKind {
            filters: &[
                ("feature_type", Equals("features.feature")),
                ("enabled", Equals("features.enabled")),
            ],
            read_parameters: &["enforcement_point_path"],
            ..kind(
                "settings/security/cluster-configs",
                LOCAL,
                "ClusterSecurityConfiguration",
            )
        },
    ),
    // Sites and transport.
    kind("sites", GLOBAL, "Site"),
    filtered(
        &[
            ("hostswitch_profile_type", Equals("resource_type")),
            ("include_system_owned", Accepted),
            ("deployment_type", Accepted),
            ("node_type", Accepted),
            ("max_active_uplink_count", Accepted),
            ("uplink_teaming_policy_name", Accepted),
        ],
        kind("host-switch-profiles", LOCAL, "PolicyUplinkHostSwitchProfile"),
    ),
    kind(
        "host-transport-node-profiles",
        LOCAL,
        "PolicyHostTransportNodeProfile",
    ),
    with_state(filtered(
        &[
            ("discovered_node_id", Accepted),
            ("in_maintenance_mode", Accepted),
            ("node_ip", Accepted),
            ("node_types", Accepted),
            ("transport_zone_path", Accepted),
        ],
        kind(
            "sites/*/enforcement-points/*/host-transport-nodes",
            LOCAL,
            "HostTransportNode",
        ),
    )),
    with_state(unpaged(filtered(
        &[
            ("cluster_moid", Accepted),
            ("compute_collection_id", Equals("compute_collection_id")),
            ("vc_instance_uuid", Accepted),
        ],
        kind(
            "sites/*/enforcement-points/*/transport-node-collections",
            LOCAL,
            "HostTransportNodeCollection",
        ),
    ))),
    filtered(
        &[("include_system_owned", Accepted)],
        kind(
            "sites/*/enforcement-points/*/transport-zones",
            GLOBAL,
            "PolicyTransportZone",
        ),
    ),
    since(
        [9, 1, 0],
        with_state(kind(
            "sites/*/enforcement-points/*/virtual-network-appliance-clusters",
            LOCAL,
            "VirtualNetworkApplianceCluster",
        )),
    ),
    since(
        [9, 1, 0],
        with_state(unpaged(kind(
            "sites/*/enforcement-points/*/virtual-network-appliance-clusters/*/virtual-network-appliances",
            LOCAL,
            "VirtualNetworkAppliance",
        ))),
    ),
    kind(
        "sites/*/enforcement-points/*/edge-bridge-profiles",
        GLOBAL,
        "L2BridgeEndpointProfile",
    ),
    kind(
        "sites/*/enforcement-points/*/edge-clusters",
        GLOBAL,
        "PolicyEdgeCluster",
    ),
    kind(
        "sites/*/enforcement-points/*/edge-clusters/*/edge-nodes",
        GLOBAL,
        "PolicyEdgeNode",
    ),
    kind(
        "sites/*/enforcement-points/*/cluster-control-planes",
        LOCAL,
        "ClusterControlPlane",
    ),
    since(
        [9, 0, 0],
        filtered(
            &[("include_system_owned", SystemOwned)],
            kind(
                "sites/*/enforcement-points/*/edge-cluster-high-availability-profiles",
                LOCAL,
                "PolicyEdgeHighAvailabilityProfile",
            ),
        ),
    ),
    since(
        [9, 0, 0],
        with_state(filtered(
            &[
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
            kind(
                "sites/*/enforcement-points/*/edge-transport-nodes",
                LOCAL,
                "PolicyEdgeTransportNode",
            ),
        )),
    ),
    // Shares, tags and realized state.
    kind("shares", PROJECTS, "Share"),
    derived(
        "tags",
        TREES,
        View::Tags,
        &[
            ("scope", Equals("scope")),
            ("tag", Equals("tag")),
            ("source", Accepted),
            ("enforcement_point_path", Accepted),
        ],
    ),
    unpaged(filtered(
        &[("intent_path", Required("intent_paths")), ("site_path", Accepted)],
        list_only(kind(
            "realized-state/realized-entities",
            TREES,
            "GenericPolicyRealizedResource",
        )),
    )),
    CollectionKind {
        paging: Paging::Offset,
        ..derived(
            "realized-state/virtual-machines",
            PROJECTS,
            View::Machines,
            &[("enforcement_point_path", Accepted)],
        )
    },
    derived(
        "realized-state/enforcement-points/*/virtual-machines",
        LOCAL,
        View::Machines,
        &[("query", Accepted), ("dsl", Accepted)],
    ),
    derived(
        "realized-state/enforcement-points/*/vifs",
        LOCAL,
        View::Interfaces,
        &[("lport_attachment_id", Equals("lport_attachment_id"))],
    ),
];
