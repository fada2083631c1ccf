//! Gateways, segments, load balancing and connections.

use super::collection::CollectionKind;
use super::declare::{GLOBAL, LOCAL, PROJECTS, TREES, kind, since, single, with_segment_state};

pub(super) const KINDS: &[CollectionKind] = &[
    // Gateways.
    kind("tier-0s", GLOBAL, "Tier0"),
    kind("tier-1s", TREES, "Tier1"),
    kind("tier-0s|tier-1s/*/locale-services", TREES, "LocaleServices"),
    kind("tier-0s/*/locale-services/*/interfaces", GLOBAL, "Tier0Interface"),
    kind("tier-1s/*/locale-services/*/interfaces", TREES, "Tier1Interface"),
    single("tier-0s/*/locale-services/*/bgp", GLOBAL, "BgpRoutingConfig"),
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
    kind("tier-0s|tier-1s/*/static-routes", TREES, "StaticRoutes"),
    kind("tier-0s|tier-1s/*/nat/*/nat-rules", TREES, "PolicyNatRule"),
    kind("tier-0s/*/community-lists", GLOBAL, "CommunityList"),
    kind("dhcp-relay-configs", TREES, "DhcpRelayConfig"),
    kind("gateway-qos-profiles", TREES, "GatewayQosProfile"),
    kind("ipv6-dad-profiles", TREES, "Ipv6DadProfile"),
    kind("ipv6-ndra-profiles", TREES, "Ipv6NdraProfile"),
    kind("bfd-profiles", GLOBAL, "BfdProfile"),
    // Segments.
    with_segment_state(kind("segments", TREES, "Segment")),
    with_segment_state(kind("tier-1s/*/segments", TREES, "Segment")),
    kind(
        "segments/*/segment-discovery-profile-binding-maps",
        TREES,
        "SegmentDiscoveryProfileBindingMap",
    ),
    kind(
        "segments/*/segment-qos-profile-binding-maps",
        TREES,
        "SegmentQoSProfileBindingMap",
    ),
    kind(
        "segments/*/segment-security-profile-binding-maps",
        TREES,
        "SegmentSecurityProfileBindingMap",
    ),
    kind("segments/*/ports", TREES, "SegmentPort"),
    kind("tier-1s/*/segments/*/ports", TREES, "SegmentPort"),
    kind("ip-discovery-profiles", TREES, "IPDiscoveryProfile"),
    kind("mac-discovery-profiles", TREES, "MacDiscoveryProfile"),
    kind("qos-profiles", TREES, "QoSProfile"),
    kind("segment-security-profiles", TREES, "SegmentSecurityProfile"),
    kind("spoofguard-profiles", TREES, "SpoofGuardProfile"),
    kind("ip-pools", PROJECTS, "IpAddressPool"),
    kind("ip-pools/*/ip-subnets", PROJECTS, "IpAddressPoolStaticSubnet"),
    kind("ip-pools/*/ip-allocations", PROJECTS, "IpAddressAllocation"),
    CollectionKind {
        read_parameters: &["ignore_ipblock_usage"],
        ..kind("ip-blocks", PROJECTS, "IpAddressBlock")
    },
    kind("vni-pools", LOCAL, "VniPoolConfig"),
    // Load balancing.
    kind("lb-services", LOCAL, "LBService"),
    kind("lb-pools", LOCAL, "LBPool"),
    kind("lb-virtual-servers", LOCAL, "LBVirtualServer"),
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
];
