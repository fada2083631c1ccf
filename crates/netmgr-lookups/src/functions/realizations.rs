//! Functions that wait for a state.

use std::time::Duration;

use super::transport::WITH_APPLIANCES;
use crate::contract::spec::ResultKind;
use crate::declared::OfKind as _;
use crate::declared::paths::{HOST_COLLECTION, INTERFACE, OBJECT, SEGMENT, VNA, VNA_CLUSTER};
use crate::declared::rules::Rule::{AnyPathOf, Keyword, NoEffect, Required, Site, Unchecked};
use crate::declared::rules::{at_least_one, delay};
use crate::declared::{POLICY, POLICY_AND_GLOBAL, calls};
use crate::functions::gateways_and_segments::GetPolicySegment;
use crate::functions::realization::Realization;
use crate::functions::realization::appliances::{ApplianceClusterRealization, appliance, appliance_cluster};
use crate::functions::realization::entities::ENTITY;
use crate::functions::realization::entities::{
    PolicyGatewayInterfaceRealization, PolicyRealizationInfo, interface, realization_info,
};
use crate::functions::realization::hosts::NODE;
use crate::functions::realization::hosts::{
    PolicySegmentRealization, host_collection, segment, transport_node,
};
use crate::functions::realization::upgrade::{CHECKED_EDGE_GROUP, CHECKED_HOST_GROUP};
use crate::functions::realization::upgrade::{UpgradePostcheck, upgrade_postcheck};

calls! {
    CALLS;

    /// Waits until an interface of a gateway is realized.
    GetPolicyGatewayInterfaceRealization = "getPolicyGatewayInterfaceRealization", "gateway interface" {
        inputs: in project {
            /// Seconds before the first poll. Default 5.
            delay: Option<Duration> => delay(5),
            /// Display name of the realized entity, or a part of it.
            display_name: Option<String> => Unchecked,
            /// Policy path of the interface. Required unless `gatewayPath` is set.
            gateway_interface_path: Option<String> => AnyPathOf(INTERFACE),
            /// Policy path of the interface. Alternative to `gatewayInterfacePath`.
            #[schemars(extend("x-deprecation" = "use `gatewayInterfacePath`"))]
            gateway_path: Option<String> => AnyPathOf(INTERFACE),
            /// Id of the realized entity.
            id: Option<String> => Unchecked,
            /// Path of the site. Required on a global manager.
            site_path: Option<String> => Site,
            /// Maximum duration of the wait in seconds, including the delay. At least 1. Default 600.
            timeout: Option<Duration> => at_least_one(600),
        },
        output: PolicyGatewayInterfaceRealization =>
            interface(gateway_interface_path, gateway_path, id, display_name, site_path, delay, timeout),
        reads: [&ENTITY],
        facts: availability(POLICY_AND_GLOBAL).answer(ResultKind::State).example(
            r#"{"gatewayInterfacePath": "/infra/tier-0s/t0-prod/locale-services/default/interfaces/uplink-1"}"#
        )
    }

    /// Waits until a collection of host transport nodes is realized.
    GetPolicyHostTransportNodeCollectionRealization = "getPolicyHostTransportNodeCollectionRealization", "host transport node collection" {
        inputs: {
            /// Seconds before the first poll. Default 1.
            delay: Option<Duration> => delay(1),
            /// Policy path of the collection.
            path: String => AnyPathOf(HOST_COLLECTION),
            /// Maximum duration of the wait in seconds, including the delay. At least 1. Default 1200.
            timeout: Option<Duration> => at_least_one(1200),
        },
        output: Realization => host_collection(path, delay, timeout),
        facts: availability(POLICY).answer(ResultKind::State).example(
            r#"{"path": "/infra/sites/default/enforcement-points/default/transport-node-collections/tnc-cluster-1"}"#
        )
    }

    /// Waits until a policy object is realized.
    GetPolicyRealizationInfo = "getPolicyRealizationInfo", "policy object" {
        inputs: in project {
            /// Seconds before the first poll. Default 1.
            delay: Option<Duration> => delay(1),
            /// Type of the realized entity, ignoring case. Default: the first one, or any with an error.
            entity_type: Option<String> => Unchecked,
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
            /// Policy path of the object.
            path: String => AnyPathOf(OBJECT),
            /// Path of the site. Required on a global manager.
            site_path: Option<String> => Site,
            /// Maximum duration of the wait in seconds, including the delay. At least 1. Default 1200.
            timeout: Option<Duration> => at_least_one(1200),
        },
        output: PolicyRealizationInfo => realization_info(path, entity_type, site_path, delay, timeout),
        reads: [&ENTITY],
        facts: availability(POLICY_AND_GLOBAL)
            .answer(ResultKind::State)
            .without_effect(&["id"])
            .example(r#"{"path": "/infra/segments/web-tier"}"#)
    }

    /// Waits until a segment is realized on its hosts.
    GetPolicySegmentRealization = "getPolicySegmentRealization", "segment" {
        inputs: in project {
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
            /// Policy path of the segment.
            path: String => AnyPathOf(SEGMENT),
        },
        output: PolicySegmentRealization => segment(path),
        reads: [GetPolicySegment::KIND],
        facts: availability(POLICY)
            .answer(ResultKind::State)
            .without_effect(&["id"])
            .example(r#"{"path": "/infra/segments/web-tier"}"#)
    }

    /// Waits until a cluster of virtual network appliances and all of its appliances are realized.
    GetPolicyVirtualNetworkApplianceClusterRealization = "getPolicyVirtualNetworkApplianceClusterRealization", "cluster of virtual network appliances" {
        inputs: {
            /// Seconds before the first poll. Default 1.
            delay: Option<Duration> => delay(1),
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
            /// Policy path of the cluster.
            path: String => AnyPathOf(VNA_CLUSTER),
            /// Maximum duration of each wait in seconds, including the delay. At least 1. Default 1800.
            timeout: Option<Duration> => at_least_one(1800),
        },
        output: ApplianceClusterRealization => appliance_cluster(path, delay, timeout),
        facts: availability(POLICY)
            .since(WITH_APPLIANCES)
            .answer(ResultKind::State)
            .without_effect(&["id"])
            .example(r#"{"path": "/infra/sites/default/enforcement-points/default/virtual-network-appliance-clusters/vna"}"#)
    }

    /// Waits until a virtual network appliance is realized.
    GetPolicyVirtualNetworkApplianceRealization = "getPolicyVirtualNetworkApplianceRealization", "virtual network appliance" {
        inputs: {
            /// Seconds before the first poll. Default 1.
            delay: Option<Duration> => delay(1),
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
            /// Policy path of the appliance.
            path: String => AnyPathOf(VNA),
            /// Maximum duration of the wait in seconds, including the delay. At least 1. Default 1800.
            timeout: Option<Duration> => at_least_one(1800),
        },
        output: Realization => appliance(path, delay, timeout),
        facts: availability(POLICY)
            .since(WITH_APPLIANCES)
            .answer(ResultKind::State)
            .without_effect(&["id"])
            .example(r#"{"path": "/infra/sites/default/enforcement-points/default/virtual-network-appliance-clusters/vna/virtual-network-appliances/vna-1"}"#)
    }

    /// Waits until a transport node of the manager API is realized.
    GetTransportNodeRealization = "getTransportNodeRealization", "transport node" {
        inputs: {
            /// Seconds before the first poll. Default 1.
            delay: Option<Duration> => delay(1),
            /// Id of the transport node.
            id: String => Required,
            /// Maximum duration of the wait in seconds, including the delay. At least 1. Default 1200.
            timeout: Option<Duration> => at_least_one(1200),
        },
        output: Realization => transport_node(id, delay, timeout),
        reads: [&NODE],
        facts: successors(&["getPolicyEdgeTransportNodeRealization"])
            .answer(ResultKind::State)
            .example(r#"{"id": "6e5d4c3b-2a19-4f08-9e7d-6c5b4a390001"}"#)
    }

    /// Waits until the checks after an upgrade are complete, and lists the groups in which they failed.
    GetUpgradePostcheck = "getUpgradePostcheck", "upgrade check" {
        inputs: {
            /// Seconds before the first poll. Default 30.
            delay: Option<Duration> => delay(30),
            /// Seconds between two polls. At least 1. Default 30.
            interval: Option<Duration> => at_least_one(30),
            /// Maximum duration of the wait in seconds, including the delay. At least 1. Default 1800.
            timeout: Option<Duration> => at_least_one(1800),
            /// Kind of the components: `EDGE` or `HOST`.
            #[serde(rename = "type")]
            type_: String => Keyword(&["EDGE", "HOST"]),
            /// Id of the upgrade run resource. Has no effect on the lookup.
            upgrade_run_id: String => Required,
        },
        output: UpgradePostcheck => upgrade_postcheck(upgrade_run_id, type_, delay, interval, timeout),
        reads: [&CHECKED_EDGE_GROUP, &CHECKED_HOST_GROUP],
        facts: availability(POLICY).answer(ResultKind::State).example(r#"{"type": "EDGE", "upgradeRunId": "run"}"#)
    }
}
