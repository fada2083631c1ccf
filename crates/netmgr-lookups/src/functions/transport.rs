//! Transport zones, nodes, clusters and sites.

use std::sync::Arc;

use netmgr_types::shapes::{NameMap, ObjectOutput, PolicyOutput};
use netmgr_types::wire::ManagedObject;
use netmgr_types::{Deployment, PolicyPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::spec::{Availability, ResultKind, Since};
use crate::declared::OfKind as _;
use crate::declared::paths::{EDGE_CLUSTER, HOST_PROFILE, VNA_CLUSTER};
use crate::declared::rules::Rule::{EnforcementPoint, Flag, NoEffect, Number, OneOf, Parent, PathOf, Site};
use crate::declared::wording::{EXCLUSIVE, MAP, POLICY_INPUT, Wording};
use crate::declared::{EVERYWHERE, POLICY, POLICY_AND_GLOBAL, calls, lookups};
use crate::finding::plan::Plan;
use crate::finding::read::{By, KeyField};
use crate::functions::name_map::names;

/// First version with virtual network appliances.
pub(super) const WITH_APPLIANCES: &[Since] = &[Since::version("9.1.1")];

/// All managers, in the order of the specification.
const EVERY_MANAGER: Availability = Availability::Only(&[
    Deployment::GlobalManager,
    Deployment::PolicyManager,
    Deployment::HostedCloud,
]);

/// Types of transport zones. Source: the VMware NSX REST API, `PolicyTransportZone`.
const TRANSPORT_TYPES: &[&str] = &[
    "OVERLAY_STANDARD",
    "OVERLAY_ENS",
    "VLAN_BACKED",
    "OVERLAY_BACKED",
    "UNKNOWN",
];

const PROFILE: Wording = Wording::of("profile").shared(
    "EdgeHighAvailabilityProfileInput",
    "Input of `getPolicyEdgeHighAvailabilityProfile`.",
);

const CLUSTER: Wording =
    Wording::of("cluster").inputs(&[("description", "Description that the cluster must have.")]);

const NODE: Wording = Wording::of("node").inputs(&[(
    "id",
    "Member index of the node as a string, or the UUID or policy id of its transport node. Takes precedence over all other \
     inputs.",
)]);

/// Fields that identify the transport node of an edge node. Managers of version 9.x may only have the last two.
const TRANSPORT_NODE: &[KeyField] = &[
    KeyField::Whole("nsx_id"),
    KeyField::Whole("edge_transport_node_uuid"),
    KeyField::LastSegment("edge_transport_node_path"),
];

lookups! {
    ENTRIES;

    /// Finds a BFD profile by id or display name.
    GetPolicyBfdProfile = "getPolicyBfdProfile", "BFD profile" {
        kind: infra("BfdProfile", "bfd-profiles"),
        inputs: Exclusive as EXCLUSIVE {},
        output: PolicyOutput,
        facts: availability(EVERY_MANAGER)
            .since(&[Since::on(Deployment::HostedCloud, "3.0.0")])
            .example(r#"{"displayName": "bfd-fast"}"#)
            .source("1, 4.2 and 9")
    }

    /// Finds a bridge profile by id or display name.
    GetPolicyBridgeProfile = "getPolicyBridgeProfile", "bridge profile" {
        kind: below("L2BridgeEndpointProfile", "edge-bridge-profiles"),
        inputs: Exclusive as EXCLUSIVE {},
        output: PolicyOutput,
        facts: availability(POLICY).example(r#"{"displayName": "bridge-prod"}"#).source("1 and 4.2")
    }

    /// Finds a container cluster by id or display name.
    GetPolicyContainerCluster = "getPolicyContainerCluster", "container cluster" {
        // The site and the enforcement point are always `default`, regardless of the configuration.
        kind: fixed(
            "ClusterControlPlane",
            "/policy/api/v1/infra/sites/default/enforcement-points/default/cluster-control-planes"
        ),
        inputs: Exclusive as EXCLUSIVE {},
        output: PolicyOutput,
        facts: availability(POLICY).example(r#"{"displayName": "antrea-prod"}"#).source("1 and 4.2")
    }

    /// Finds an edge cluster by id or display name.
    GetPolicyEdgeCluster = "getPolicyEdgeCluster", "edge cluster" {
        kind: below("PolicyEdgeCluster", "edge-clusters"),
        inputs: PrefixOrOnlyOfSite as CLUSTER {
            /// Path of the site that the cluster belongs to, such as `/global-infra/sites/paris`. Required on a
            /// global manager. If the site has a single edge cluster, `id` and `displayName` can be omitted.
            site_path: Option<String> => Site,
        },
        repeats: [site_path],
        output: PolicyEdgeClusterOutput {
            named;
            /// Policy path.
            path: String,
            /// Site path from the input.
            site_path: Option<String>,
        },
        facts: availability(EVERY_MANAGER)
            .example(r#"{"displayName": "edge-cluster-prod", "sitePath": "/infra/sites/default"}"#)
            .source("4.2")
    }

    /// Finds an edge high availability profile by id or display name.
    GetPolicyEdgeHighAvailabilityProfile = "getPolicyEdgeHighAvailabilityProfile", "edge high availability profile" {
        // The list may omit the built-in profile unless it is requested.
        kind: below("PolicyEdgeHighAvailabilityProfile", "edge-cluster-high-availability-profiles")
            .listed_with(&[("include_system_owned", "true")]),
        inputs: Prefix as PROFILE {
            /// Path of the site that the profile belongs to, such as `/infra/sites/paris`. Defaults to the site
            /// `default`.
            site_path: Option<String> => Site,
        },
        repeats: [site_path],
        output: EdgeHighAvailabilityProfile {
            named;
            /// Policy path.
            path: String,
            /// Site path from the input.
            site_path: Option<String>,
            /// Identifier assigned by the system.
            unique_id: String,
        },
        facts: availability(POLICY)
            .since(&[Since::version("9.0.0")])
            .example(r#"{"displayName": "edge-ha-fast"}"#)
            .source("4.2 and 9")
    }

    /// Finds a node of an edge cluster.
    GetPolicyEdgeNode = "getPolicyEdgeNode", "edge node" {
        kind: nested("PolicyEdgeNode", "edge-nodes"),
        inputs: PrefixOrOnly as NODE first {
            /// Policy path of the edge cluster that the node belongs to.
            edge_cluster_path: String => Parent(EDGE_CLUSTER),
        } {
            /// Member index of the node in its cluster, starting at 0.
            #[serde(default, deserialize_with = "netmgr_types::number::whole")]
            member_index: Option<u32> => Number("member_index"),
        },
        plan: by_index_or_transport_node,
        repeats: [edge_cluster_path],
        output: PolicyEdgeNode {
            bare;
            /// Description; empty if the object has none.
            description: String,
            /// Display name.
            display_name: String => ManagedObject::name,
            /// Policy path of the edge cluster from the input.
            edge_cluster_path: String,
            /// Id: the member index as a string.
            id: String => ManagedObject::id,
            /// Member index, if the object has one.
            member_index: Option<i64>,
            /// Policy path.
            path: String,
            /// Identifier of the realization; empty if there is none.
            realization_id: String,
            /// Identifier assigned by the system; empty if there is none.
            unique_id: String,
        },
        facts: availability(POLICY_AND_GLOBAL)
            .example(r#"{"edgeClusterPath": "/infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001", "memberIndex": 1}"#)
            .source("4.2")
    }

    /// Finds an edge transport node by id or display name.
    GetPolicyEdgeTransportNode = "getPolicyEdgeTransportNode", "edge transport node" {
        kind: below("PolicyEdgeTransportNode", "edge-transport-nodes"),
        inputs: Prefix as POLICY_INPUT {},
        output: EdgeTransportNode {
            named;
            /// Policy path.
            path: String,
            /// Identifier assigned by the system, which is the UUID of the transport node.
            unique_id: String,
        },
        facts: availability(POLICY)
            .since(&[Since::version("9.0.0")])
            .example(r#"{"displayName": "edge-01"}"#)
            .source("4.2 and 9")
    }

    /// Finds a host transport node by id or display name.
    GetPolicyHostTransportNode = "getPolicyHostTransportNode", "host transport node" {
        kind: below("HostTransportNode", "host-transport-nodes"),
        inputs: Prefix {},
        output: PolicyHostTransportNode {
            /// Identifier assigned by the system.
            unique_id: String,
        },
        facts: availability(POLICY).example(r#"{"displayName": "esx-01"}"#)
    }

    /// Finds a host transport node collection by id or display name, or the only one if neither is set.
    GetPolicyHostTransportNodeCollection = "getPolicyHostTransportNodeCollection", "host transport node collection" {
        kind: below("", "transport-node-collections").listed_with(&[]).unpaged(),
        inputs: PrefixOrOnly {
            /// Path of the site that the collection belongs to.
            site_path: Option<String> => Site,
            /// Policy path of the transport node profile that the collection must have.
            transport_node_profile_id: Option<String> => PathOf("transport_node_profile_id", HOST_PROFILE),
        },
        output: PolicyHostTransportNodeCollection {
            /// Policy path of the transport node profile; empty if there is none.
            transport_node_profile_id: String,
            /// Identifier assigned by the system.
            unique_id: String,
        },
        facts: availability(POLICY).example(r#"{"displayName": "tnc-cluster-1"}"#)
    }

    /// Finds a host transport node profile by id or display name.
    GetPolicyHostTransportNodeProfile = "getPolicyHostTransportNodeProfile", "host transport node profile" {
        kind: infra("PolicyHostTransportNodeProfile", "host-transport-node-profiles"),
        inputs: Prefix {},
        output: ObjectOutput,
        facts: availability(POLICY).example(r#"{"displayName": "tnp-default"}"#)
    }

    /// Finds a site of a global manager by id or display name.
    GetPolicySite = "getPolicySite", "site" {
        kind: infra("Site", "sites"),
        inputs: Prefix {},
        output: ObjectOutput,
        facts: availability(Availability::Only(&[Deployment::GlobalManager])).example(r#"{"displayName": "paris"}"#)
    }

    /// Finds an uplink host switch profile by id or display name, or the only one if neither is set.
    GetPolicyUplinkHostSwitchProfile = "getPolicyUplinkHostSwitchProfile", "uplink host switch profile" {
        kind: infra("PolicyUplinkHostSwitchProfile", "host-switch-profiles"),
        inputs: PrefixOrOnly {},
        output: PolicyUplinkHostSwitchProfile {
            /// Id of the realized profile; empty if there is none.
            realized_id: String = "realization_id",
        },
        facts: availability(POLICY).example(r#"{"displayName": "uplink-esx"}"#)
    }

    /// Finds a virtual network appliance of a cluster by id or display name.
    GetPolicyVirtualNetworkAppliance = "getPolicyVirtualNetworkAppliance", "virtual network appliance" {
        kind: nested("", "virtual-network-appliances").listed_with(&[]).unpaged(),
        inputs: Prefix {
            /// Policy path of the cluster.
            cluster_path: String => Parent(VNA_CLUSTER),
        },
        output: PolicyVirtualNetworkAppliance {
            /// Policy path of the failure domain; empty if there is none.
            failure_domain_path: String,
            /// Host name.
            hostname: String,
        },
        facts: availability(POLICY).since(WITH_APPLIANCES).example(r#"{"clusterPath": "/infra/sites/default/enforcement-points/default/virtual-network-appliance-clusters/vna", "displayName": "vna-1"}"#)
    }

    /// Finds a cluster of virtual network appliances by id or display name.
    GetPolicyVirtualNetworkApplianceCluster = "getPolicyVirtualNetworkApplianceCluster", "cluster of virtual network appliances" {
        kind: below("", "virtual-network-appliance-clusters").listed_with(&[]),
        inputs: Prefix {
            /// Path of the site that the cluster belongs to.
            site_path: Option<String> => Site,
            /// Id of the enforcement point, by default the configured one.
            enforcement_point: Option<String> => EnforcementPoint,
        },
        output: PolicyVirtualNetworkApplianceCluster {
            /// Form factor of the appliances.
            appliance_form_factor: String,
            /// Appliances.
            member: Vec<ClusterMember> = "members",
            /// Type of the service.
            service_type: String,
        },
        facts: availability(POLICY).since(WITH_APPLIANCES).example(r#"{"displayName": "vna"}"#)
    }

    /// Finds a VNI pool by id or display name.
    GetPolicyVniPool = "getPolicyVniPool", "VNI pool" {
        kind: infra("VniPoolConfig", "vni-pools"),
        inputs: Prefix {},
        output: PolicyVniPool {
            /// Last VNI.
            end: Option<i64>,
            /// First VNI.
            start: Option<i64>,
        },
        facts: availability(POLICY).example(r#"{"displayName": "vni-evpn"}"#)
    }

    /// Finds a VTEP HA host switch profile by id or display name, or the only one if neither is set.
    GetPolicyVtepHaHostSwitchProfile = "getPolicyVtepHaHostSwitchProfile", "VTEP HA host switch profile" {
        kind: infra("PolicyVtepHAHostSwitchProfile", "host-switch-profiles"),
        inputs: PrefixOrOnly {},
        output: ObjectOutput,
        facts: availability(POLICY).example(r#"{"displayName": "vtep-ha"}"#)
    }

    /// Finds a transport zone by id or display name, or the default one of a type.
    GetPolicyTransportZone = "getPolicyTransportZone", "transport zone" {
        kind: below("PolicyTransportZone", "transport-zones"),
        inputs: PrefixOrFilter {
            /// Whether the transport zone is the default of its type.
            is_default: Option<bool> => Flag("is_default"),
            /// Path of the site that the transport zone belongs to. Required on a global manager.
            site_path: Option<String> => Site,
            /// Type of the transport zone: `OVERLAY_STANDARD`, `OVERLAY_ENS`, `OVERLAY_BACKED`, `VLAN_BACKED` or
            /// `UNKNOWN`.
            transport_type: Option<String> => OneOf("tz_type", TRANSPORT_TYPES),
        },
        output: PolicyTransportZone {
            /// Whether it is the default of its type.
            is_default: bool,
            /// Id of the transport zone in the older manager API; empty if there is none.
            realized_id: String = "realization_id",
            /// Type, such as `VLAN_BACKED`.
            transport_type: String = "tz_type",
        },
        facts: availability(EVERYWHERE).example(r#"{"displayName": "overlay"}"#)
    }
}

calls! {
    CALLS;

    /// Reads the policy paths of all container clusters, by display name.
    GetPolicyContainerClusters = "getPolicyContainerClusters", "container cluster" {
        inputs: as MAP {
            /// Id to return in the output. Has no effect on the lookup.
            id: Option<String> => NoEffect,
        },
        output: NameMap => names[GetPolicyContainerCluster::KIND, |cluster| cluster.path().unwrap_or_default().to_owned()](id),
        reads: [GetPolicyContainerCluster::KIND],
        facts: source("4.2").answer(ResultKind::Table)
    }
}

/// Selects an edge node by an id that is its member index, or else one of its transport node.
fn by_index_or_transport_node(mut plan: Plan) -> Plan {
    let read = Arc::make_mut(&mut plan.read);
    if let By::Id(id) = &read.by
        && !id.bytes().all(|byte| byte.is_ascii_digit())
    {
        read.by = By::Key {
            fields: TRANSPORT_NODE,
            value: id.clone(),
        };
    }
    let identifies = |node: &ManagedObject, id: &str| {
        let path = node.text("edge_transport_node_path");
        [
            Some(node.id()),
            node.text("nsx_id"),
            node.text("edge_transport_node_uuid"),
            path.map(|path| PolicyPath::trusted(path).id()),
        ]
        .contains(&Some(id))
    };
    plan.key = Some(("id".to_owned(), identifies));
    plan
}

impl GetPolicyEdgeNode {
    /// Selects the only node of the edge cluster with this policy path, unless an input selects another one.
    pub fn of(edge_cluster_path: impl Into<String>) -> Self {
        Self::default().edge_cluster_path(edge_cluster_path)
    }
}

/// A member of a cluster of virtual network appliances.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all(serialize = "camelCase"), default)]
#[non_exhaustive]
pub struct ClusterMember {
    /// Policy path of the appliance.
    pub appliance_path: String,
    /// Identifier of the appliance, assigned by the system.
    pub appliance_unique_id: String,
    /// Policy path of its edge transport node; empty if there is none.
    pub edge_transport_node_path: String,
}
