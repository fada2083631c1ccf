//! Objects of the older manager API. Managers from version 9.0 on lack parts of it.

use netmgr_types::shapes::{NameMap, NamedOutput};
use netmgr_types::wire::ManagedObject;
use serde_json::Value;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::spec::ResultKind;
use crate::declared::OfKind as _;
use crate::declared::rules::Rule::{Computed, NoEffect, Text};
use crate::declared::wording::{MAP, NAMED, POLICY_INPUT, Wording};
use crate::declared::{POLICY, calls, lookups};
use crate::functions::name_map::names;

/// Path of the collection of logical routers, which differ in tier.
const LOGICAL_ROUTERS: &str = "/api/v1/logical-routers";

const CLUSTER: Wording =
    Wording::of("cluster").inputs(&[("description", "Description that the cluster must have.")]);
const ROUTER: Wording = Wording::of("router");

lookups! {
    ENTRIES;

    /// Finds a certificate of the manager API by id or display name.
    GetCertificate = "getCertificate", "certificate" {
        kind: fixed("", "/api/v1/trust-management/certificates"),
        inputs: Exact as NAMED {},
        output: NamedOutput,
        facts: availability(POLICY)
            .successors(&["getPolicyCertificate"])
            .example(r#"{"displayName": "portal"}"#)
            .source("4.2")
    }

    /// Finds an edge cluster of the manager API by id or display name.
    GetEdgeCluster = "getEdgeCluster", "edge cluster" {
        kind: fixed("EdgeCluster", "/api/v1/edge-clusters"),
        inputs: Prefix as CLUSTER first {
            /// Deployment type that the cluster must have: `VIRTUAL_MACHINE`, `PHYSICAL_MACHINE` or `UNKNOWN`.
            deployment_type: Option<String> => Computed(deployment_type),
        } {
            /// Member node type that the cluster must have, such as `EDGE_NODE`.
            member_node_type: Option<String> => Text("member_node_type"),
        },
        output: EdgeClusterOutput {
            bare;
            /// Deployment type: `VIRTUAL_MACHINE`, `PHYSICAL_MACHINE`, or `UNKNOWN` if the cluster has no members.
            /// Empty if the manager does not report one.
            deployment_type: String => deployment_type,
            /// Description; empty if the object has none.
            description: String,
            /// Display name.
            display_name: String => ManagedObject::name,
            /// Id.
            id: String => ManagedObject::id,
            /// Type of all transport nodes in the cluster.
            member_node_type: String,
        },
        facts: removed_in(Some("9.0.0"))
            .successors(&["getPolicyEdgeCluster"])
            .example(r#"{"displayName": "edge-cluster-prod"}"#)
            .source("4.2 and 4.3")
    }

    /// Finds a failure domain by id or display name.
    GetFailureDomain = "getFailureDomain", "failure domain" {
        kind: fixed("FailureDomain", "/api/v1/failure-domains").unpaged(),
        inputs: Prefix as POLICY_INPUT {},
        output: NamedOutput,
        facts: example(r#"{"displayName": "fd-rack-1"}"#)
            .source("4.2")
    }

    /// Finds a firewall section of the manager API by id or display name.
    GetFirewallSection = "getFirewallSection", "firewall section" {
        kind: fixed("FirewallSection", "/api/v1/firewall/sections"),
        inputs: Exact as NAMED {},
        output: NamedOutput,
        facts: removed_in(Some("9.0.0")).successors(&["getPolicySecurityPolicy", "getPolicyGatewayPolicy"])
            .example(r#"{"displayName": "block all"}"#)
            .source("4.2")
    }

    /// Finds an IP pool of the manager API by id or display name.
    GetIpPool = "getIpPool", "IP pool" {
        kind: fixed("IpPool", "/api/v1/pools/ip-pools"),
        inputs: Exact as NAMED {},
        output: NamedOutput,
        facts: removed_in(Some("9.0.0")).successors(&["getPolicyIpPool"]).example(r#"{"displayName": "tep-pool"}"#)
            .source("4.2")
    }

    /// Finds a switching profile of the manager API by id or display name.
    GetSwitchingProfile = "getSwitchingProfile", "switching profile" {
        kind: fixed("", "/api/v1/switching-profiles").listed_with(&[("include_system_owned", "true")]),
        inputs: Exact {},
        output: SwitchingProfile {
            without path;
            /// Type of the profile, such as `QosSwitchingProfile`.
            resource_type: String,
        },
        facts: removed_in(Some("9.0.0")).successors(&[
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
        inputs: ExclusiveOrOnly {},
        then: edge_node(),
        output: TransportNode {
            without path;
        },
        facts: successors(&["getPolicyEdgeTransportNode"]).example(r#"{"displayName": "edge-01"}"#)
    }

    /// Finds a transport zone of the manager API by id or display name.
    GetTransportZone = "getTransportZone", "transport zone" {
        kind: fixed("TransportZone", "/api/v1/transport-zones"),
        inputs: Prefix {
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

    /// Finds a tier-0 router of the manager API by id or display name.
    GetLogicalTier0Router = "getLogicalTier0Router", "tier-0 router" {
        kind: fixed("LogicalRouter", LOGICAL_ROUTERS).listed_with(&[("router_type", "TIER0")]),
        inputs: Prefix as ROUTER {
            /// Id of the edge cluster that the router must run on.
            edge_cluster_id: Option<String> => Text("edge_cluster_id"),
            /// High availability mode that the router must have: `ACTIVE_ACTIVE` or `ACTIVE_STANDBY`.
            high_availability_mode: Option<String> => Text("high_availability_mode"),
        },
        must_be: |router| check_tier(router, "TIER0"),
        output: LogicalTier0Router {
            bare;
            /// Description; empty if the object has none.
            description: String,
            /// Display name.
            display_name: String => ManagedObject::name,
            /// Id of the edge cluster that the router runs on; empty if there is none.
            edge_cluster_id: String,
            /// High availability mode; empty if the router has none.
            high_availability_mode: String,
            /// Id.
            id: String => ManagedObject::id,
        },
        facts: removed_in(Some("9.0.0"))
            .successors(&["getPolicyTier0Gateway"])
            .example(r#"{"displayName": "t0-prod-lab"}"#)
            .source("4.2")
    }

    /// Finds a tier-1 router of the manager API by id or display name.
    GetLogicalTier1Router = "getLogicalTier1Router", "tier-1 router" {
        kind: fixed("LogicalRouter", LOGICAL_ROUTERS).listed_with(&[("router_type", "TIER1")]),
        inputs: Prefix as ROUTER {
            /// Id of the edge cluster that the router must run on.
            edge_cluster_id: Option<String> => Text("edge_cluster_id"),
        },
        must_be: |router| check_tier(router, "TIER1"),
        output: LogicalTier1Router {
            bare;
            /// Description; empty if the object has none.
            description: String,
            /// Display name.
            display_name: String => ManagedObject::name,
            /// Id of the edge cluster that the router runs on; empty if there is none.
            edge_cluster_id: String,
            /// Id.
            id: String => ManagedObject::id,
        },
        facts: removed_in(Some("9.0.0"))
            .successors(&["getPolicyTier1Gateway"])
            .example(r#"{"displayName": "t1-dist"}"#)
            .source("4.2")
    }

    /// Finds a MAC pool of the manager API by id or display name.
    GetMacPool = "getMacPool", "MAC pool" {
        kind: fixed("MacPool", "/api/v1/pools/mac-pools"),
        inputs: Exact as NAMED {},
        output: NamedOutput,
        facts: removed_in(Some("9.0.0")).example(r#"{"displayName": "lab-mac-pool"}"#)
            .source("4.2")
    }

    /// Finds a group of the manager API by id or display name.
    GetNsGroup = "getNsGroup", "group" {
        kind: fixed("NSGroup", "/api/v1/ns-groups").by_id_with(&[("populate_references", "true")]),
        inputs: Exact as NAMED {},
        output: NamedOutput,
        facts: removed_in(Some("9.0.0")).successors(&["getPolicyGroup"]).example(r#"{"displayName": "group-web"}"#)
            .source("4.2")
    }

    /// Finds a service of the manager API by id or display name.
    GetNsService = "getNsService", "service" {
        kind: fixed("NSService", "/api/v1/ns-services"),
        inputs: Exact as NAMED {},
        output: NamedOutput,
        facts: removed_in(Some("9.0.0")).successors(&["getPolicyService"]).example(r#"{"displayName": "HTTPS"}"#)
            .source("4.2")
    }
}

calls! {
    CALLS;

    /// Reads the ids of all groups of the manager API, by display name.
    GetNsGroups = "getNsGroups", "group" {
        inputs: as MAP {
            /// Id to return in the output. Has no effect on the lookup.
            id: Option<String> => NoEffect,
        },
        output: NameMap => names[GetNsGroup::KIND, |group| group.id().to_owned()](id),
        reads: [GetNsGroup::KIND],
        facts: removed_in(Some("9.0.0")).successors(&["getPolicyGroups"]).source("4.2 and 4.3").answer(ResultKind::Table)
    }

    /// Reads the ids of all services of the manager API, by display name.
    GetNsServices = "getNsServices", "service" {
        inputs: as MAP {
            /// Id to return in the output. Has no effect on the lookup.
            id: Option<String> => NoEffect,
        },
        output: NameMap => names[GetNsService::KIND, |service| service.id().to_owned()](id),
        reads: [GetNsService::KIND],
        facts: removed_in(Some("9.0.0")).successors(&["getPolicyServices"]).source("4.2 and 4.3").answer(ResultKind::Table)
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
                cx.sanitized(other)
            );
            Err(cx.not_found(what, None, None))
        }
    }
}

/// The deployment type of the object, or `UNKNOWN` if the cluster has no members. If the list of members is absent, the
/// cluster may have members.
fn deployment_type(cluster: &ManagedObject) -> String {
    let stated = cluster.text("deployment_type");
    match (cluster.member("members").and_then(Value::as_array), stated) {
        (Some(members), _) if members.is_empty() => "UNKNOWN",
        (_, Some(stated)) => stated,
        (None, None) => "UNKNOWN",
        (Some(_), None) => "",
    }
    .to_owned()
}

/// Checks that `router` has the tier `wanted`. The error names the actual tier.
fn check_tier(router: &ManagedObject, wanted: &str) -> Result<(), String> {
    match router.text("router_type") {
        Some(tier) if tier == wanted => Ok(()),
        Some(tier) => Err(format!(
            "the router with this id is of the wrong tier: its type is {tier}, not {wanted}"
        )),
        None => Err(format!(
            "the router with this id has no type, so it is not of type {wanted}"
        )),
    }
}
