//! Gateways, segments and their parts.

use netmgr_types::PolicyPath;
use netmgr_types::shapes::{ContextOutput, ObjectMap, ObjectOutput};
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::spec::ResultKind;
use crate::contract::spec::Since;
use crate::declared::output::listed;
use crate::declared::paths::InterfaceKinds;
use crate::declared::paths::{
    EDGE, EDGE_CLUSTER, GATEWAY, LOCALE_SERVICE, ROUTE_CONTROLLER, ROUTE_CONTROLLER_BGP, SEGMENT, TIER0,
    TIER1,
};
use crate::declared::rules::Rule::{
    AnyPathOf, ExactName, Interfaces, Key, NamePattern, OwnPath, Parent, PathOf, TagScope, TagValue, Text,
};
use crate::declared::wording::{POLICY_INPUT, TENANT};
use crate::declared::{EVERYWHERE, OfKind as _, POLICY, POLICY_AND_GLOBAL, calls, lists, lookups, output};
use crate::finding::object_kind::ObjectKind;
use crate::finding::read::KeyField;
use crate::functions::edge_clusters::edge_cluster;

const INTERFACE: &str = "gateway interface";
const GATEWAY_INTERFACES: InterfaceKinds = InterfaceKinds {
    tier0: ObjectKind::anywhere(INTERFACE, "Tier0Interface"),
    tier1: ObjectKind::anywhere(INTERFACE, "Tier1Interface"),
    instead_of: None,
};
const SERVICE_INTERFACES: InterfaceKinds = InterfaceKinds {
    tier0: ObjectKind::nested(INTERFACE, "Tier0Interface", "interfaces"),
    tier1: ObjectKind::nested(INTERFACE, "Tier1Interface", "interfaces"),
    instead_of: Some("gatewayPath"),
};

/// The field of the interface that a port is attached to.
const VIF_ID: &[KeyField] = &[KeyField::Whole("attachment.id")];

lookups! {
    ENTRIES;

    /// Finds a distributed VLAN connection by id or display name, or the only one if neither is set.
    GetPolicyDistributedVlanConnection = "getPolicyDistributedVlanConnection", "distributed VLAN connection" {
        kind: infra("DistributedVlanConnection", "distributed-vlan-connections"),
        inputs: PrefixOrOnly as POLICY_INPUT {},
        output: DistributedVlanConnection {
            bare;
            /// Description, if the object has one.
            description: Option<String> => output::sent_description,
            /// Display name.
            display_name: String => ManagedObject::name,
            /// Id.
            id: String => ManagedObject::id,
            /// Policy path.
            path: String,
        },
        facts: availability(POLICY).example(r#"{"displayName": "vlan-100"}"#).source("4.2")
    }

    /// Finds a DHCP server by id or display name.
    GetPolicyDhcpServer = "getPolicyDhcpServer", "DHCP server" {
        kind: infra("DhcpServerConfig", "dhcp-server-configs"),
        inputs: Prefix in project as TENANT {},
        repeats: [context],
        output: ContextOutput,
        facts: availability(EVERYWHERE).example(r#"{"displayName": "dhcp-2"}"#)
            .source("4.2")
    }

    /// Finds a tier-0 gateway by id or display name.
    GetPolicyTier0Gateway = "getPolicyTier0Gateway", "tier-0 gateway" {
        kind: infra("Tier0", "tier-0s"),
        inputs: Prefix in project_or_global {
            /// Policy path of the edge cluster that the gateway must have.
            edge_cluster_path: Option<String> => AnyPathOf(EDGE_CLUSTER),
        },
        then: edge_cluster(edge_cluster_path),
        output: PolicyTier0Gateway {
            /// Policy path of the edge cluster; empty if there is none.
            edge_cluster_path: String,
            /// Configuration of a VRF gateway.
            vrf_config: Option<VrfConfig> => vrf_config,
        },
        facts: availability(EVERYWHERE).completed(&["edgeClusterPath"]).example(r#"{"displayName": "t0-prod"}"#)
    }

    /// Finds a tier-1 gateway by id, display name or policy path.
    GetPolicyTier1Gateway = "getPolicyTier1Gateway", "tier-1 gateway" {
        kind: infra("Tier1", "tier-1s"),
        inputs: Prefix in project_or_global {
            /// Policy path of the edge cluster that the gateway must have.
            edge_cluster_path: Option<String> => AnyPathOf(EDGE_CLUSTER),
            /// Policy path of the gateway. Alternative to `id` and `displayName`.
            path: Option<String> => OwnPath(TIER1),
        },
        then: edge_cluster(edge_cluster_path),
        output: PolicyTier1Gateway {
            /// Policy path of the edge cluster; empty if there is none.
            edge_cluster_path: String,
        },
        facts: availability(EVERYWHERE).completed(&["edgeClusterPath"]).example(r#"{"displayName": "t1-web"}"#)
    }

    /// Finds a distributed VXLAN connection by id or display name, or the only one if neither is set.
    GetPolicyDistributedVxlanConnection = "getPolicyDistributedVxlanConnection", "distributed VXLAN connection" {
        kind: infra("DistributedVxlanConnection", "distributed-vxlan-connections"),
        inputs: PrefixOrOnly {},
        output: ObjectOutput,
        facts: availability(POLICY).example(r#"{"displayName": "vxlan-1"}"#)
    }

    /// Finds a gateway connection by id or display name, or the only one if neither is set.
    GetPolicyGatewayConnection = "getPolicyGatewayConnection", "gateway connection" {
        kind: infra("GatewayConnection", "gateway-connections"),
        inputs: PrefixOrOnly {
            /// Policy path of the tier-0 gateway that the connection must have.
            tier0_path: Option<String> => PathOf("tier0_path", TIER0),
        },
        output: PolicyGatewayConnection {
            /// Policy path of the tier-0 gateway.
            tier0_path: String,
        },
        facts: availability(POLICY).since(&[Since::version("9.0.0")]).example(r#"{"displayName": "connection-1"}"#)
    }

    /// Finds a DNS forwarder of a gateway by id or display name, or the only one if neither is set.
    GetPolicyGatewayDnsForwarder = "getPolicyGatewayDnsForwarder", "DNS forwarder" {
        kind: anywhere("PolicyDnsForwarder"),
        inputs: PrefixOrOnly in project {
            /// Policy path of the gateway that the forwarder belongs to.
            gateway_path: Option<String> => Parent(GATEWAY),
        },
        output: ObjectOutput,
        facts: availability(EVERYWHERE).example(r#"{"gatewayPath": "/infra/tier-1s/t1-web"}"#)
    }

    /// Finds an interface of a gateway by id or display name.
    GetPolicyGatewayInterface = "getPolicyGatewayInterface", "gateway interface" {
        kind: anywhere("Tier0Interface"),
        inputs: Prefix {
            /// Policy path of the edge node or cluster that the interface must have.
            edge_cluster_path: Option<String> => PathOf("edge_path", EDGE),
            /// Policy path of the gateway. This or `servicePath` is required.
            gateway_path: Option<String> => Interfaces(GATEWAY, &GATEWAY_INTERFACES),
            /// Policy path of the segment that the interface must have.
            segment_path: Option<String> => PathOf("segment_path", SEGMENT),
            /// Policy path of the locale service. Alternative to `gatewayPath`.
            service_path: Option<String> => Interfaces(LOCALE_SERVICE, &SERVICE_INTERFACES),
        },
        also_reads: [
            &GATEWAY_INTERFACES.tier0,
            &GATEWAY_INTERFACES.tier1,
            &SERVICE_INTERFACES.tier0,
            &SERVICE_INTERFACES.tier1,
        ],
        output: PolicyGatewayInterface {
            /// Policy path of the edge node or cluster; empty if there is none.
            edge_cluster_path: String = "edge_path",
            /// Policy path of the segment; empty if there is none.
            segment_path: String,
        },
        facts: availability(POLICY_AND_GLOBAL)
            .example(r#"{"displayName": "uplink-1", "gatewayPath": "/infra/tier-0s/t0-prod"}"#)
    }

    /// Finds a locale service of a gateway by id or display name, or the only one if neither is set.
    GetPolicyGatewayLocaleService = "getPolicyGatewayLocaleService", "locale service" {
        kind: nested("LocaleServices", "locale-services"),
        inputs: PrefixOrOnly in project {
            /// Policy path of the edge cluster that the locale service must have.
            edge_cluster_path: Option<String> => PathOf("edge_cluster_path", EDGE_CLUSTER),
            /// Policy path of the gateway.
            gateway_path: String => Parent(GATEWAY),
        },
        output: PolicyGatewayLocaleService {
            /// Policy path of the BGP configuration.
            bgp_path: String => bgp_path,
            /// Policy path of the edge cluster; empty if there is none.
            edge_cluster_path: String,
        },
        facts: availability(EVERYWHERE).example(r#"{"gatewayPath": "/infra/tier-0s/t0-prod"}"#)
    }

    /// Finds a prefix list of a gateway by id or display name, or the only one if neither is set.
    GetPolicyGatewayPrefixList = "getPolicyGatewayPrefixList", "prefix list" {
        kind: nested("PrefixList", "prefix-lists"),
        inputs: PrefixOrOnly {
            /// Policy path of the gateway that the list belongs to.
            gateway_path: Option<String> => Parent(GATEWAY),
        },
        output: ObjectOutput,
        facts: availability(EVERYWHERE).example(r#"{"displayName": "default-route"}"#)
    }

    /// Finds a gateway QoS profile by id or display name.
    GetPolicyGatewayQosProfile = "getPolicyGatewayQosProfile", "gateway QoS profile" {
        kind: infra("GatewayQosProfile", "gateway-qos-profiles"),
        inputs: Prefix in project {},
        output: ObjectOutput,
        facts: availability(POLICY_AND_GLOBAL).example(r#"{"displayName": "gateway-qos-gold"}"#)
    }

    /// Finds a route map of a gateway by id or display name, or the only one if neither is set.
    GetPolicyGatewayRouteMap = "getPolicyGatewayRouteMap", "route map" {
        kind: nested("Tier0RouteMap", "route-maps"),
        inputs: PrefixOrOnly {
            /// Policy path of the gateway that the map belongs to.
            gateway_path: Option<String> => Parent(GATEWAY),
        },
        output: ObjectOutput,
        facts: availability(EVERYWHERE).example(r#"{"displayName": "to-core"}"#)
    }

    /// Finds an IP block by id or display name.
    GetPolicyIpBlock = "getPolicyIpBlock", "IP block" {
        kind: infra("IpAddressBlock", "ip-blocks"),
        inputs: Prefix in project {},
        output: PolicyIpBlock {
            /// Type of the addresses: `IPV4` or `IPV6`.
            ip_address_type: String,
        },
        facts: availability(POLICY).example(r#"{"displayName": "block-public"}"#)
    }

    /// Finds an IP discovery profile by id or display name.
    GetPolicyIpDiscoveryProfile = "getPolicyIpDiscoveryProfile", "IP discovery profile" {
        kind: infra("IPDiscoveryProfile", "ip-discovery-profiles"),
        inputs: Prefix in project {},
        output: ObjectOutput,
        facts: availability(EVERYWHERE).example(r#"{"displayName": "ip-discovery-arp"}"#)
    }

    /// Finds an IP pool by id or display name.
    GetPolicyIpPool = "getPolicyIpPool", "IP pool" {
        kind: infra("IpAddressPool", "ip-pools"),
        inputs: Prefix in project {},
        output: PolicyIpPool {
            /// Id of the realized pool; empty if there is none.
            realized_id: String = "realization_id",
        },
        facts: availability(POLICY).example(r#"{"displayName": "pool-tep"}"#)
    }

    /// Finds an IPv6 DAD profile by id or display name.
    GetPolicyIpv6DadProfile = "getPolicyIpv6DadProfile", "IPv6 DAD profile" {
        kind: infra("Ipv6DadProfile", "ipv6-dad-profiles"),
        inputs: Prefix in project {},
        output: ObjectOutput,
        facts: availability(POLICY_AND_GLOBAL).example(r#"{"displayName": "dad-default"}"#)
    }

    /// Finds an IPv6 NDRA profile by id or display name.
    GetPolicyIpv6NdraProfile = "getPolicyIpv6NdraProfile", "IPv6 NDRA profile" {
        kind: infra("Ipv6NdraProfile", "ipv6-ndra-profiles"),
        inputs: Prefix in project {},
        output: ObjectOutput,
        facts: availability(POLICY_AND_GLOBAL).example(r#"{"displayName": "ndra-default"}"#)
    }

    /// Finds a MAC discovery profile by id or display name.
    GetPolicyMacDiscoveryProfile = "getPolicyMacDiscoveryProfile", "MAC discovery profile" {
        kind: infra("MacDiscoveryProfile", "mac-discovery-profiles"),
        inputs: Prefix in project {},
        output: ObjectOutput,
        facts: availability(EVERYWHERE).example(r#"{"displayName": "mac-learning"}"#)
    }

    /// Finds a QoS profile by id or display name.
    GetPolicyQosProfile = "getPolicyQosProfile", "QoS profile" {
        kind: infra("QoSProfile", "qos-profiles"),
        inputs: Prefix in project {},
        output: ObjectOutput,
        facts: availability(EVERYWHERE).example(r#"{"displayName": "qos-gold"}"#)
    }

    /// Finds a route controller by id or display name, or the only one if neither is set.
    GetPolicyRouteController = "getPolicyRouteController", "route controller" {
        kind: infra("RouteController", "route-controllers"),
        inputs: PrefixOrOnly {},
        output: ObjectOutput,
        facts: availability(POLICY).example(r#"{"displayName": "rc-1"}"#)
    }

    /// Finds a BGP neighbor of a route controller by id or display name, or the only one if neither is set.
    GetPolicyRouteControllerBgpNeighbor = "getPolicyRouteControllerBgpNeighbor", "BGP neighbor" {
        kind: anywhere("RouteControllerBgpNeighborConfig"),
        inputs: PrefixOrOnly {
            /// Policy path of the route controller or its BGP configuration.
            parent_path: Option<String> => Parent(ROUTE_CONTROLLER_BGP),
        },
        output: ObjectOutput,
        facts: availability(POLICY).example(r#"{"parentPath": "/infra/route-controllers/rc-1"}"#)
    }

    /// Finds an interface of a route controller by id or display name, or the only one if neither is set.
    GetPolicyRouteControllerInterface = "getPolicyRouteControllerInterface", "route controller interface" {
        kind: nested("RouteControllerInterface", "interfaces"),
        inputs: PrefixOrOnly {
            /// Policy path of the route controller.
            parent_path: Option<String> => Parent(ROUTE_CONTROLLER),
        },
        output: ObjectOutput,
        facts: availability(POLICY).example(r#"{"parentPath": "/infra/route-controllers/rc-1"}"#)
    }

    /// Finds a port of a segment by id, display name or the interface that is attached to it.
    GetPolicySegmentPort = "getPolicySegmentPort", "segment port" {
        kind: nested("SegmentPort", "ports"),
        inputs: Prefix in project_or_global {
            /// Policy path of the segment that the port belongs to.
            segment_path: Option<String> => Parent(SEGMENT),
            /// Id of the interface that is attached to the port. Takes precedence over `id` and `displayName`.
            vif_id: Option<String> => Key(VIF_ID, |port, id| port.text("attachment.id") == Some(id)),
        },
        output: PolicySegmentPort {
            /// Policy path of the segment.
            segment_path: String => segment_path,
            /// Id of the interface that is attached; empty if there is none.
            vif_id: String = "attachment.id",
        },
        facts: availability(EVERYWHERE).example(r#"{"displayName": "web-01-port"}"#)
    }

    /// Finds a segment security profile by id or display name.
    GetPolicySegmentSecurityProfile = "getPolicySegmentSecurityProfile", "segment security profile" {
        kind: infra("SegmentSecurityProfile", "segment-security-profiles"),
        inputs: Prefix in project {},
        output: ObjectOutput,
        facts: availability(EVERYWHERE).example(r#"{"displayName": "segment-security-strict"}"#)
    }

    /// Finds a SpoofGuard profile by id or display name.
    GetPolicySpoofguardProfile = "getPolicySpoofguardProfile", "SpoofGuard profile" {
        kind: infra("SpoofGuardProfile", "spoofguard-profiles"),
        inputs: Prefix in project {},
        output: ObjectOutput,
        facts: availability(EVERYWHERE).example(r#"{"displayName": "spoofguard-on"}"#)
    }

    /// Finds a segment by id or display name.
    GetPolicySegment = "getPolicySegment", "segment" {
        kind: infra("Segment", "segments").also_elsewhere(),
        inputs: Exclusive in project_or_global {},
        output: PolicySegment {
            /// Policy path of the gateway that the segment is connected to; empty if there is none.
            connectivity_path: String,
            /// Subnets.
            subnet: Vec<Subnet> = "subnets",
            /// Policy path of the transport zone.
            transport_zone_path: String,
            /// VLAN ids and ranges.
            vlan_ids: Vec<String>,
        },
        facts: availability(EVERYWHERE).example(r#"{"displayName": "web-tier"}"#)
    }
}

calls! {
    CALLS;

    /// Lists ports of segments.
    GetPolicySegmentPorts = "getPolicySegmentPorts", "segment port" {
        of: GetPolicySegmentPort::KIND,
        inputs: in project_or_global {
            /// Display name of the ports.
            display_name: Option<String> => ExactName,
            /// Policy path of the segment that the ports belong to.
            segment_path: Option<String> => Parent(SEGMENT),
            /// Scope of a tag that the ports must have.
            tag_scope: Option<String> => TagScope,
            /// Value of a tag that the ports must have.
            tag: Option<String> => TagValue,
            /// Id of the interface that is attached to the ports.
            vif_id: Option<String> => Text("attachment.id"),
        },
        output: SegmentPorts, of PolicySegmentPort => listed(),
        facts: availability(EVERYWHERE).example(r#"{"segmentPath": "/infra/segments/web-tier"}"#).answer(ResultKind::Table)
    }

    /// Lists tier-0 gateways.
    GetPolicyTier0Gateways = "getPolicyTier0Gateways", "tier-0 gateway" {
        of: GetPolicyTier0Gateway::KIND,
        inputs: in project_or_global {
            /// Regular expression that the display name must match.
            display_name: Option<String> => NamePattern,
            /// Scope of a tag that the gateways must have.
            tag_scope: Option<String> => TagScope,
            /// Value of a tag that the gateways must have.
            tag: Option<String> => TagValue,
        },
        output: ObjectMap, of ObjectOutput => names_by_id(),
        facts: availability(EVERYWHERE).example(r#"{"displayName": "^t0-"}"#).answer(ResultKind::Table)
    }

    /// Lists tier-1 gateways.
    GetPolicyTier1Gateways = "getPolicyTier1Gateways", "tier-1 gateway" {
        of: GetPolicyTier1Gateway::KIND,
        inputs: in project_or_global {
            /// Regular expression that the display name must match.
            display_name: Option<String> => NamePattern,
            /// Scope of a tag that the gateways must have.
            tag_scope: Option<String> => TagScope,
            /// Value of a tag that the gateways must have.
            tag: Option<String> => TagValue,
        },
        output: ObjectMap, of ObjectOutput => names_by_id(),
        facts: availability(EVERYWHERE).example(r#"{"displayName": "web"}"#).answer(ResultKind::Table)
    }
}

lists! {
    /// Output of `getPolicySegmentPorts`.
    SegmentPorts of PolicySegmentPort {
        /// A constant.
        id,
        /// The ports, sorted by path.
        items,
        /// The same list as `items`.
        objects,
    }
}

/// Gateways with their display names, keyed by id.
async fn names_by_id(cx: &LookupContext<'_>, objects: Vec<ObjectOutput>) -> Result<ObjectMap, Error> {
    let items = objects
        .iter()
        .map(|object| (object.id.clone(), object.display_name.clone()));
    Ok(ObjectMap {
        id: cx.spec.name.to_owned(),
        items: items.collect(),
        objects,
    })
}

fn bgp_path(service: &ManagedObject) -> String {
    let path = service.text("path");
    path.map(|path| format!("{path}/bgp")).unwrap_or_default()
}

fn segment_path(port: &ManagedObject) -> String {
    PolicyPath::trusted(port.text("path").unwrap_or_default())
        .parent()
        .to_owned()
}

fn vrf_config(gateway: &ManagedObject) -> Option<VrfConfig> {
    gateway.value("vrf_config")
}

/// Configuration of a VRF gateway.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all(serialize = "camelCase"), default)]
#[non_exhaustive]
pub struct VrfConfig {
    /// VNI for overlay traffic.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "netmgr_types::wire::number"
    )]
    pub evpn_transit_vni: Option<i64>,
    /// Policy path of the tier-0 gateway that the VRF gateway is linked to.
    #[serde(rename(deserialize = "tier0_path"))]
    pub gateway_path: String,
    /// Route distinguisher; empty if there is none.
    pub route_distinguisher: String,
    /// Route targets.
    #[serde(rename(deserialize = "route_targets"))]
    pub route_target: Vec<RouteTarget>,
}

/// Route targets of a VRF gateway.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all(serialize = "camelCase"), default)]
#[non_exhaustive]
pub struct RouteTarget {
    /// Address family, such as `L2VPN_EVPN`.
    pub address_family: String,
    /// Export route targets.
    #[serde(rename(deserialize = "export_route_targets"))]
    pub export_targets: Vec<String>,
    /// Import route targets.
    #[serde(rename(deserialize = "import_route_targets"))]
    pub import_targets: Vec<String>,
}

/// A subnet of a segment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[non_exhaustive]
pub struct Subnet {
    /// Address of the gateway with its prefix length.
    #[serde(rename(deserialize = "gateway_address"))]
    pub cidr: String,
    /// Network in CIDR notation.
    pub network: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interfaces_are_declared_with_the_kind_of_one_tier() {
        // Inputs replace the declared kind, so no lookup tests it.
        let declared = GetPolicyGatewayInterface::KIND;
        assert_eq!(declared.resource_type, GATEWAY_INTERFACES.tier0.resource_type);
        assert_eq!(declared.place, GATEWAY_INTERFACES.tier0.place);
    }
}
