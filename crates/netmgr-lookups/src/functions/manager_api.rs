//! Objects of the older manager API. Managers from version 9.0 on lack parts of it.

use netmgr_types::Deployment;
use netmgr_types::shapes::NamedOutput;
use netmgr_types::wire::ManagedObject;

use super::{get_edge_cluster, get_logical_tier0_router, get_logical_tier1_router};
use crate::context::LookupContext;
use crate::declared::rules::Rule::Text;
use crate::declared::{lookups, maps};
use crate::error::Error;
use crate::registry::Entry;

lookups! {
    /// Functions about objects of the older manager API.
    ENTRIES, with [
        Entry::of_objects::<get_edge_cluster::GetEdgeCluster>(),
        Entry::of_objects::<get_logical_tier0_router::GetLogicalTier0Router>(),
        Entry::of_objects::<get_logical_tier1_router::GetLogicalTier1Router>(),
    ];

    /// Finds a certificate of the manager API by id or display name.
    GetCertificate = "getCertificate", "certificate" {
        kind: fixed("", "/api/v1/trust-management/certificates"),
        shape: NamedInput => NamedOutput,
        facts: on(&[Deployment::PolicyManager])
            .successors(&["getPolicyCertificate"])
            .example(r#"{"displayName": "portal"}"#)
    }

    /// Finds a failure domain by id or display name.
    GetFailureDomain = "getFailureDomain", "failure domain" {
        kind: fixed("FailureDomain", "/api/v1/failure-domains").unpaged(),
        shape: PolicyInput => NamedOutput,
        facts: example(r#"{"displayName": "fd-rack-1"}"#)
    }

    /// Finds a firewall section of the manager API by id or display name.
    GetFirewallSection = "getFirewallSection", "firewall section" {
        kind: fixed("FirewallSection", "/api/v1/firewall/sections"),
        shape: NamedInput => NamedOutput,
        facts: removed_in("9.0.0").successors(&["getPolicySecurityPolicy", "getPolicyGatewayPolicy"])
            .example(r#"{"displayName": "block all"}"#)
    }

    /// Finds an IP pool of the manager API by id or display name.
    GetIpPool = "getIpPool", "IP pool" {
        kind: fixed("IpPool", "/api/v1/pools/ip-pools"),
        shape: NamedInput => NamedOutput,
        facts: removed_in("9.0.0").successors(&["getPolicyIpPool"]).example(r#"{"displayName": "tep-pool"}"#)
    }

    /// Finds a switching profile of the manager API by id or display name.
    GetSwitchingProfile = "getSwitchingProfile", "switching profile" {
        kind: fixed("", "/api/v1/switching-profiles").listed_with(&[("include_system_owned", "true")]),
        inputs: exact {},
        output: SwitchingProfile {
            without path;
            /// Type of the profile, such as `QosSwitchingProfile`.
            resource_type: String,
        },
        facts: removed_in("9.0.0").successors(&[
            "getPolicyQosProfile",
            "getPolicyIpDiscoveryProfile",
            "getPolicyMacDiscoveryProfile",
            "getPolicySegmentSecurityProfile",
            "getPolicySpoofguardProfile"
        ])
        .example(r#"{"displayName": "qos-switching"}"#)
    }

    /// Finds an edge transport node by id or display name, or the only one if neither is set.
    GetTransportNode = "getTransportNode", "edge transport node" {
        kind: fixed("TransportNode", "/api/v1/transport-nodes").listed_with(&[("node_types", "EdgeNode")]),
        inputs: exclusive_or_only {},
        then: edge_node(),
        output: TransportNode {
            without path;
        },
        facts: successors(&["getPolicyEdgeTransportNode"]).example(r#"{"displayName": "edge-01"}"#)
    }

    /// Finds a transport zone of the manager API by id or display name.
    GetTransportZone = "getTransportZone", "transport zone" {
        kind: fixed("TransportZone", "/api/v1/transport-zones"),
        inputs: prefix {
            /// Name of the host switch that the transport zone must have.
            host_switch_name: Option<String> => Text("host_switch_name"),
            /// Type that the transport zone must have: `OVERLAY` or `VLAN`.
            transport_type: Option<String> => Text("transport_type"),
        },
        output: TransportZone {
            without path;
            /// Name of the host switch; empty if it has none.
            host_switch_name: String,
            /// Type: `OVERLAY` or `VLAN`.
            transport_type: String,
        },
        facts: successors(&["getPolicyTransportZone"]).example(r#"{"displayName": "tz-overlay"}"#)
    }

    /// Finds a MAC pool of the manager API by id or display name.
    GetMacPool = "getMacPool", "MAC pool" {
        kind: fixed("MacPool", "/api/v1/pools/mac-pools"),
        shape: NamedInput => NamedOutput,
        facts: removed_in("9.0.0").example(r#"{"displayName": "lab-mac-pool"}"#)
    }

    /// Finds a group of the manager API by id or display name.
    GetNsGroup = "getNsGroup", "group" {
        kind: fixed("NSGroup", "/api/v1/ns-groups").by_id_with(&[("populate_references", "true")]),
        shape: NamedInput => NamedOutput,
        facts: removed_in("9.0.0").successors(&["getPolicyGroup"]).example(r#"{"displayName": "group-web"}"#)
    }

    /// Finds a service of the manager API by id or display name.
    GetNsService = "getNsService", "service" {
        kind: fixed("NSService", "/api/v1/ns-services"),
        shape: NamedInput => NamedOutput,
        facts: removed_in("9.0.0").successors(&["getPolicyService"]).example(r#"{"displayName": "HTTPS"}"#)
    }
}

maps! {
    /// Functions that return maps.
    MAPS;

    /// Reads the ids of all groups of the manager API, by display name.
    GetNsGroups = "getNsGroups", "group" {
        of: GetNsGroup,
        value: id,
        facts: removed_in("9.0.0").successors(&["getPolicyGroups"]).source("4.2 and 4.3")
    }

    /// Reads the ids of all services of the manager API, by display name.
    GetNsServices = "getNsServices", "service" {
        of: GetNsService,
        value: id,
        facts: removed_in("9.0.0").successors(&["getPolicyServices"]).source("4.2 and 4.3")
    }
}

/// Checks that a transport node is an edge node. Lists contain no others.
async fn edge_node(cx: &LookupContext<'_>, node: &mut ManagedObject) -> Result<(), Error> {
    match node.text("node_deployment_info.resource_type") {
        Some("EdgeNode") | None => Ok(()),
        Some(other) => {
            let what = format!(
                "the transport node with id {} is of type {}, not EdgeNode",
                cx.quoted(node.id()),
                cx.shown(other)
            );
            Err(cx.not_found(what, None, None))
        }
    }
}
