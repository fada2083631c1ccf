//! Sites, hosts, edges and transport zones.

use super::collection::CollectionKind;
use super::collection::ListFilter::{Accepted, Equals, SystemOwned};
use super::declare::{GLOBAL, LOCAL, filtered, kind, since, unpaged, with_state};

pub(super) const KINDS: &[CollectionKind] = &[
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
];
