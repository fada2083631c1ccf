//! The URL space: every call of manager-api A.1 on the default inventory.

use super::support::{default_manager, read};

const POINT: &str = "/policy/api/v1/infra/sites/default/enforcement-points/default";

/// By-id and list or search reads of every function, and the type of what they show.
fn rows() -> Vec<(&'static str, String, &'static str)> {
    let search = |resource_type: &str| {
        format!(
            "/policy/api/v1/search/query?query=resource_type:{resource_type} AND marked_for_delete:false AND path:\\/infra*"
        )
    };
    let mut rows: Vec<(&str, String, &str)> = Vec::new();
    for (function, url, resource_type) in [
        (
            "getCertificate",
            "/api/v1/trust-management/certificates/0a4e7b9c-2d31-4b0e-9c7f-1a2b3c4d0001",
            "certificate_self_signed",
        ),
        (
            "getCertificate",
            "/api/v1/trust-management/certificates?page_size=1000",
            "",
        ),
        (
            "getComputeCollection",
            "/api/v1/fabric/compute-collections/7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20",
            "ComputeCollection",
        ),
        (
            "getComputeCollection",
            "/api/v1/fabric/compute-collections?display_name=Compute-Cluster-01",
            "ComputeCollection",
        ),
        (
            "getComputeManager",
            "/api/v1/fabric/compute-managers/9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001",
            "ComputeManager",
        ),
        (
            "getComputeManager",
            "/api/v1/fabric/compute-managers",
            "ComputeManager",
        ),
        (
            "getComputeManagerRealization",
            "/api/v1/fabric/compute-managers/9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001/state",
            "",
        ),
        (
            "getComputeManagerRealization",
            "/api/v1/fabric/compute-managers/9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001/status",
            "",
        ),
        (
            "getDiscoveredNode",
            "/api/v1/fabric/discovered-nodes/7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:host-41",
            "DiscoveredNode",
        ),
        (
            "getDiscoveredNode",
            "/api/v1/fabric/discovered-nodes?ip_address=198.51.100.141",
            "DiscoveredNode",
        ),
        (
            "getEdgeCluster",
            "/api/v1/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001",
            "EdgeCluster",
        ),
        ("getEdgeCluster", "/api/v1/edge-clusters", "EdgeCluster"),
        (
            "getEdgeUpgradeGroup",
            "/api/v1/upgrade/upgrade-unit-groups/c4d5e6f7-0819-4a2b-8c3d-5e6f70810001?summary=true",
            "UpgradeUnitGroup",
        ),
        (
            "getEdgeUpgradeGroup",
            "/api/v1/upgrade/upgrade-unit-groups?component_type=EDGE",
            "UpgradeUnitGroup",
        ),
        (
            "getFailureDomain",
            "/api/v1/failure-domains/4fc1e3b0-1cd4-4339-86c8-f76baddb0001",
            "FailureDomain",
        ),
        ("getFailureDomain", "/api/v1/failure-domains", "FailureDomain"),
        (
            "getFirewallSection",
            "/api/v1/firewall/sections/7a6b5c4d-3e2f-4101-9a8b-7c6d5e4f0001",
            "FirewallSection",
        ),
        (
            "getFirewallSection",
            "/api/v1/firewall/sections",
            "FirewallSection",
        ),
        (
            "getHostUpgradeGroup",
            "/api/v1/upgrade/upgrade-unit-groups/c4d5e6f7-0819-4a2b-8c3d-5e6f70810002",
            "UpgradeUnitGroup",
        ),
        (
            "getHostUpgradeGroup",
            "/api/v1/upgrade/upgrade-unit-groups?component_type=HOST",
            "UpgradeUnitGroup",
        ),
        (
            "getIpPool",
            "/api/v1/pools/ip-pools/1d2c3b4a-5968-4778-8695-a4b3c2d10001",
            "IpPool",
        ),
        ("getIpPool", "/api/v1/pools/ip-pools", "IpPool"),
        (
            "getLogicalTier0Router",
            "/api/v1/logical-routers/8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40001",
            "LogicalRouter",
        ),
        (
            "getLogicalTier0Router",
            "/api/v1/logical-routers?router_type=TIER0",
            "LogicalRouter",
        ),
        (
            "getLogicalTier1Router",
            "/api/v1/logical-routers/8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40003",
            "LogicalRouter",
        ),
        (
            "getLogicalTier1Router",
            "/api/v1/logical-routers",
            "LogicalRouter",
        ),
        (
            "getMacPool",
            "/api/v1/pools/mac-pools/3e4d5c6b-7a89-4c0b-8d1e-2f3041520001",
            "MacPool",
        ),
        ("getMacPool", "/api/v1/pools/mac-pools", "MacPool"),
        ("getManagementCluster", "/api/v1/cluster", ""),
        (
            "getManagerClusterNode",
            "/api/v1/cluster/nodes/3c1b5a70-9e0d-4d3b-8a34-7d0a5a6e1001",
            "ClusterNodeConfig",
        ),
        (
            "getManagerClusterNode",
            "/api/v1/cluster/nodes",
            "ClusterNodeConfig",
        ),
        ("getManagerInfo", "/api/v1/node/version", ""),
        (
            "getNsGroup",
            "/api/v1/ns-groups/5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0001?populate_references=true",
            "NSGroup",
        ),
        ("getNsGroups", "/api/v1/ns-groups", "NSGroup"),
        (
            "getNsService",
            "/api/v1/ns-services/6b5c4d3e-2f10-4bac-9d8e-7f6051420001",
            "NSService",
        ),
        ("getNsServices", "/api/v1/ns-services", "NSService"),
        (
            "getPolicyBfdProfile",
            "/policy/api/v1/infra/bfd-profiles/fast-bfd",
            "BfdProfile",
        ),
        (
            "getPolicyBfdProfile",
            "/policy/api/v1/infra/bfd-profiles?include_mark_for_delete_objects=false",
            "BfdProfile",
        ),
        (
            "getPolicyCertificate",
            "/policy/api/v1/infra/certificates/lb-cert-web",
            "TlsCertificate",
        ),
        (
            "getPolicyCertificate",
            "/policy/api/v1/orgs/default/projects/dev/infra/certificates/lb-cert-web",
            "TlsCertificate",
        ),
        (
            "getPolicyClusterSecurityConfig",
            "/policy/api/v1/infra/settings/security/cluster-configs/7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20",
            "ClusterSecurityConfiguration",
        ),
        (
            "getPolicyClusterSecurityConfig",
            "/policy/api/v1/infra/settings/security/cluster-configs?feature_type=DFW",
            "ClusterSecurityConfiguration",
        ),
        (
            "getPolicyContextProfile",
            "/policy/api/v1/infra/context-profiles/DIAMETER",
            "PolicyContextProfile",
        ),
        (
            "getPolicyDhcpServer",
            "/policy/api/v1/infra/dhcp-server-configs/dhcp-2",
            "DhcpServerConfig",
        ),
        (
            "getPolicyDistributedFloodProtectionProfile",
            "/policy/api/v1/infra/flood-protection-profiles/dfpp-1",
            "DistributedFloodProtectionProfile",
        ),
        (
            "getPolicyDistributedVlanConnection",
            "/policy/api/v1/infra/distributed-vlan-connections/vlan-100",
            "DistributedVlanConnection",
        ),
        (
            "getPolicyDistributedVlanConnection",
            "/policy/api/v1/infra/distributed-vlan-connections",
            "DistributedVlanConnection",
        ),
    ] {
        rows.push((function, url.to_owned(), resource_type));
    }
    for (function, below, resource_type) in [
        (
            "getPolicyBridgeProfile",
            "edge-bridge-profiles/bridge-prod",
            "L2BridgeEndpointProfile",
        ),
        (
            "getPolicyBridgeProfile",
            "edge-bridge-profiles",
            "L2BridgeEndpointProfile",
        ),
        (
            "getPolicyContainerCluster",
            "cluster-control-planes/antrea-prod",
            "ClusterControlPlane",
        ),
        (
            "getPolicyContainerClusters",
            "cluster-control-planes?sort_ascending=false",
            "ClusterControlPlane",
        ),
        (
            "getPolicyEdgeCluster",
            "edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001",
            "PolicyEdgeCluster",
        ),
        ("getPolicyEdgeCluster", "edge-clusters", "PolicyEdgeCluster"),
        (
            "getPolicyEdgeHighAvailabilityProfile",
            "edge-cluster-high-availability-profiles/edge-ha-fast",
            "PolicyEdgeHighAvailabilityProfile",
        ),
        (
            "getPolicyEdgeHighAvailabilityProfile",
            "edge-cluster-high-availability-profiles",
            "PolicyEdgeHighAvailabilityProfile",
        ),
        (
            "getPolicyEdgeNode",
            "edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001/edge-nodes/0",
            "PolicyEdgeNode",
        ),
        (
            "getPolicyEdgeNode",
            "edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001/edge-nodes",
            "PolicyEdgeNode",
        ),
        (
            "getPolicyEdgeTransportNode",
            "edge-transport-nodes/edge-01",
            "PolicyEdgeTransportNode",
        ),
        (
            "getPolicyEdgeTransportNode",
            "edge-transport-nodes",
            "PolicyEdgeTransportNode",
        ),
        (
            "getPolicyEdgeTransportNodeRealization",
            "edge-transport-nodes/edge-01/state",
            "",
        ),
    ] {
        rows.push((function, format!("{POINT}/{below}"), resource_type));
    }
    for (function, resource_type) in [
        ("getPolicyBfdProfile", "BfdProfile"),
        ("getPolicyBridgeProfile", "L2BridgeEndpointProfile"),
        ("getPolicyCertificate", "TlsCertificate"),
        ("getPolicyContextProfile", "PolicyContextProfile"),
        ("getPolicyDhcpServer", "DhcpServerConfig"),
        (
            "getPolicyDistributedFloodProtectionProfile",
            "DistributedFloodProtectionProfile",
        ),
        ("getPolicyDistributedVlanConnection", "DistributedVlanConnection"),
        ("getPolicyEdgeCluster", "PolicyEdgeCluster"),
        ("getPolicyEdgeNode", "PolicyEdgeNode"),
        ("getPolicyEdgeTransportNode", "PolicyEdgeTransportNode"),
    ] {
        rows.push((function, search(resource_type), resource_type));
    }
    rows
}

#[test]
fn every_function_finds_something_in_the_default_inventory() {
    let manager = default_manager();
    let mut functions: Vec<&str> = Vec::new();
    for (function, url, resource_type) in rows() {
        functions.push(function);
        let body = read(&manager, &url);
        let shown = match body["results"].as_array() {
            Some(results) => {
                assert!(!results.is_empty(), "{url} is empty");
                results.clone()
            }
            None => vec![body],
        };
        if !resource_type.is_empty() {
            for row in shown {
                assert_eq!(row["resource_type"], resource_type, "{url}");
            }
        }
    }
    functions.sort_unstable();
    functions.dedup();
    assert_eq!(functions.len(), 36);
}
