//! Bodies of the documented shape with invented values, one file per body.

use netmgr_types::wire::{
    ApiError, ClusterConfig, ComputeManagerState, ComputeManagerStatus, EdgeTransportNodeState, NodeVersion,
};

use crate::line::{
    ClusterNodeConfig, ClusterSecurityConfig, ComputeCollection, ComputeManager, DiscoveredNode, EdgeCluster,
    EdgeNode, LogicalRouter, ManagerObject, PolicyObject, UpgradeUnitGroup,
};

use crate::{Case, list, one};

#[rustfmt::skip]
pub(crate) const CASES: &[Case] = &[
    ("bfd-profile", one::<PolicyObject>, &[
        "BfdProfile | fast-bfd | bfd-fast | 300 ms probes | /infra/bfd-profiles/fast-bfd | /infra | aa000000-0000-4000-8000-000000000002",
    ]),
    ("bfd-profiles-list", list::<PolicyObject>, &[
        "count 2 cursor -",
        "BfdProfile | default-gateway-bfd-profile | default-gateway-bfd-profile | - | /infra/bfd-profiles/default-gateway-bfd-profile | /infra | aa000000-0000-4000-8000-000000000001",
        "BfdProfile | fast-bfd | bfd-fast | 300 ms probes | /infra/bfd-profiles/fast-bfd | /infra | aa000000-0000-4000-8000-000000000002",
    ]),
    ("certificate", one::<ManagerObject>, &[
        "certificate_self_signed | 0a4e7b9c-2d31-4b0e-9c7f-1a2b3c4d0001 | edge-lb-cert | Load balancer certificate",
    ]),
    ("certificates-list", list::<ManagerObject>, &[
        "count 2 cursor -",
        "certificate_self_signed | 0a4e7b9c-2d31-4b0e-9c7f-1a2b3c4d0001 | edge-lb-cert | Load balancer certificate",
        "certificate_ca | 0a4e7b9c-2d31-4b0e-9c7f-1a2b3c4d0002 | root-ca | -",
    ]),
    ("cluster-config", one::<ClusterConfig>, &[
        "b7c2d9b6-1f53-4a7e-8d0c-9f3a52c10001 | 3c1b5a70-9e0d-4d3b-8a34-7d0a5a6e1001 mgr-a mgr-a.lab.example JOINED 192.0.2.11 mgr-a.lab.example 6a1f0c3e9b7d42588f10c6d2a4e3b5f7081929304a5b6c7d8e9fa0b1c2d3e4f5 | 3c1b5a70-9e0d-4d3b-8a34-7d0a5a6e1002 mgr-b mgr-b.lab.example JOINED 192.0.2.12 mgr-b.lab.example 0d5e8a7b6c4f3e2d1c0b9a8f7e6d5c4b3a291807f6e5d4c3b2a1908f7e6d5c4b | 3c1b5a70-9e0d-4d3b-8a34-7d0a5a6e1003 mgr-c mgr-c.lab.example JOINED 192.0.2.13 mgr-c.lab.example f1e2d3c4b5a697887766554433221100ffeeddccbbaa99887766554433221100",
    ]),
    ("cluster-control-plane", one::<PolicyObject>, &[
        "ClusterControlPlane | antrea-prod | antrea-prod | Antrea production cluster | /infra/sites/default/enforcement-points/default/cluster-control-planes/antrea-prod | /infra/sites/default/enforcement-points/default | ae000000-0000-4000-8000-000000000001",
    ]),
    ("cluster-control-planes-list-page1", list::<PolicyObject>, &[
        "count 2 cursor 0001antrea-prod",
        "ClusterControlPlane | antrea-prod | antrea-prod | Antrea production cluster | /infra/sites/default/enforcement-points/default/cluster-control-planes/antrea-prod | /infra/sites/default/enforcement-points/default | ae000000-0000-4000-8000-000000000001",
    ]),
    ("cluster-control-planes-list-page2", list::<PolicyObject>, &[
        "count - cursor -",
        "ClusterControlPlane | antrea-prod-2 | antrea-prod-2 | - | /infra/sites/default/enforcement-points/default/cluster-control-planes/antrea-prod-2 | /infra/sites/default/enforcement-points/default | ae000000-0000-4000-8000-000000000002",
    ]),
    ("cluster-control-planes-list", list::<PolicyObject>, &[
        "count 2 cursor -",
        "ClusterControlPlane | antrea-prod | antrea-prod | Antrea production cluster | /infra/sites/default/enforcement-points/default/cluster-control-planes/antrea-prod | /infra/sites/default/enforcement-points/default | ae000000-0000-4000-8000-000000000001",
        "ClusterControlPlane | antrea-prod-2 | antrea-prod-2 | - | /infra/sites/default/enforcement-points/default/cluster-control-planes/antrea-prod-2 | /infra/sites/default/enforcement-points/default | ae000000-0000-4000-8000-000000000002",
    ]),
    ("cluster-node", one::<ClusterNodeConfig>, &[
        "ClusterNodeConfig | 3c1b5a70-9e0d-4d3b-8a34-7d0a5a6e1001 | mgr-a | - | 192.0.2.11",
    ]),
    ("cluster-nodes-list", list::<ClusterNodeConfig>, &[
        "count 4 cursor -",
        "ClusterNodeConfig | 3c1b5a70-9e0d-4d3b-8a34-7d0a5a6e1001 | mgr-a | - | 192.0.2.11",
        "ClusterNodeConfig | 3c1b5a70-9e0d-4d3b-8a34-7d0a5a6e1002 | mgr-b |  | 192.0.2.12",
        "ClusterNodeConfig | 3c1b5a70-9e0d-4d3b-8a34-7d0a5a6e1003 | mgr-c |  | 192.0.2.13",
        "ClusterNodeConfig | 5d8e2f11-4b6a-4f0b-9a42-c0ffee000001 | ctl-a | - | -",
    ]),
    ("cluster-security-config-off", one::<ClusterSecurityConfig>, &[
        "ClusterSecurityConfiguration | 7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20 | Compute-Cluster-01 | - | /infra/settings/security/cluster-configs/7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20 | DFW=false",
    ]),
    ("cluster-security-config", one::<ClusterSecurityConfig>, &[
        "ClusterSecurityConfiguration | 7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20 | Compute-Cluster-01 | - | /infra/settings/security/cluster-configs/7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20 | DFW=true | INFRA_SECURITY_DFW=false",
    ]),
    ("cluster-security-configs-list", list::<ClusterSecurityConfig>, &[
        "count 1 cursor -",
        "ClusterSecurityConfiguration | 7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20 | Compute-Cluster-01 | - | /infra/settings/security/cluster-configs/7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20 | DFW=true | INFRA_SECURITY_DFW=false",
    ]),
    ("compute-collection", one::<ComputeCollection>, &[
        "ComputeCollection | 7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20 | Compute-Cluster-01 | - | domain-c20 | 9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001 | VC_Cluster",
    ]),
    ("compute-collections-list-filtered", list::<ComputeCollection>, &[
        "count 1 cursor -",
        "ComputeCollection | 7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20 | Compute-Cluster-01 | - | domain-c20 | 9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001 | VC_Cluster",
    ]),
    ("compute-collections-list", list::<ComputeCollection>, &[
        "count 2 cursor -",
        "ComputeCollection | 7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20 | Compute-Cluster-01 | - | domain-c20 | 9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001 | VC_Cluster",
        "ComputeCollection | 7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c31 | Edge-Cluster-01 | - | domain-c31 | 9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001 | VC_Cluster",
    ]),
    ("compute-manager-state-failed", one::<ComputeManagerState>, &[
        "failed | 7057 | Extension could not be installed on the compute manager. | ComputeManager 9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001 failed 7057 Extension could not be installed on the compute manager.",
    ]),
    ("compute-manager-state-pending", one::<ComputeManagerState>, &[
        "pending | - | -",
    ]),
    ("compute-manager-state-success", one::<ComputeManagerState>, &[
        "success | - | -",
    ]),
    ("compute-manager-status-errors", one::<ComputeManagerStatus>, &[
        "REGISTERED_WITH_ERRORS | DOWN | registration: 7057 Extension registration is incomplete. | connection: 7062 Compute manager is not reachable.",
    ]),
    ("compute-manager-status-registered", one::<ComputeManagerStatus>, &[
        "REGISTERED | UP",
    ]),
    ("compute-manager-status-registering", one::<ComputeManagerStatus>, &[
        "REGISTERING | CONNECTING",
    ]),
    ("compute-manager", one::<ComputeManager>, &[
        "ComputeManager | 9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001 | vc-prod | Production vCenter | vc-prod.lab.example",
    ]),
    ("compute-managers-list-single", list::<ComputeManager>, &[
        "count 1 cursor -",
        "ComputeManager | 9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001 | vc-prod | Production vCenter | vc-prod.lab.example",
    ]),
    ("compute-managers-list", list::<ComputeManager>, &[
        "count 2 cursor -",
        "ComputeManager | 9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001 | vc-prod | Production vCenter | vc-prod.lab.example",
        "ComputeManager | 9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0002 | vc-prod-dr | - | 198.51.100.20",
    ]),
    ("context-profile", one::<PolicyObject>, &[
        "PolicyContextProfile | DIAMETER | DIAMETER | - | /infra/context-profiles/DIAMETER | /infra | af000000-0000-4000-8000-000000000001",
    ]),
    ("dhcp-server-config", one::<PolicyObject>, &[
        "DhcpServerConfig | dhcp-2 | dhcp-2 | DHCP for lab | /infra/dhcp-server-configs/dhcp-2 | /infra | b0000000-0000-4000-8000-000000000001",
    ]),
    ("discovered-node", one::<DiscoveredNode>, &[
        "DiscoveredNode | 7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:host-41 | esx-01.lab.example | - | 198.51.100.41 | 198.51.100.141",
    ]),
    ("discovered-nodes-list-empty", list::<DiscoveredNode>, &[
        "count 0 cursor -",
    ]),
    ("discovered-nodes-list", list::<DiscoveredNode>, &[
        "count 1 cursor -",
        "DiscoveredNode | 7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:host-41 | esx-01.lab.example | - | 198.51.100.41 | 198.51.100.141",
    ]),
    ("distributed-vlan-connection", one::<PolicyObject>, &[
        "DistributedVlanConnection | vlan-100 | vlan-100 | - | /infra/distributed-vlan-connections/vlan-100 | /infra | b2000000-0000-4000-8000-000000000001",
    ]),
    ("edge-bridge-profile", one::<PolicyObject>, &[
        "L2BridgeEndpointProfile | bridge-prod | bridge-prod | Bridge for legacy VLANs | /infra/sites/default/enforcement-points/default/edge-bridge-profiles/bridge-prod | /infra/sites/default/enforcement-points/default | ab000000-0000-4000-8000-000000000001",
    ]),
    ("edge-cluster-empty", one::<EdgeCluster>, &[
        "EdgeCluster | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0002 | edge-cluster-spare | - | UNKNOWN | UNKNOWN",
    ]),
    ("edge-cluster", one::<EdgeCluster>, &[
        "EdgeCluster | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | edge-cluster-prod | Production edges | VIRTUAL_MACHINE | EDGE_NODE | 0=6e5d4c3b-2a19-4f08-9e7d-6c5b4a390001 | 1=6e5d4c3b-2a19-4f08-9e7d-6c5b4a390002",
    ]),
    ("edge-clusters-list", list::<EdgeCluster>, &[
        "count 2 cursor -",
        "EdgeCluster | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | edge-cluster-prod | Production edges | VIRTUAL_MACHINE | EDGE_NODE | 0=6e5d4c3b-2a19-4f08-9e7d-6c5b4a390001 | 1=6e5d4c3b-2a19-4f08-9e7d-6c5b4a390002",
        "EdgeCluster | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0002 | edge-cluster-spare | - | UNKNOWN | UNKNOWN",
    ]),
    ("edge-high-availability-profile", one::<PolicyObject>, &[
        "PolicyEdgeHighAvailabilityProfile | edge-ha-fast | edge-ha-fast | Fast failover | /infra/sites/default/enforcement-points/default/edge-cluster-high-availability-profiles/edge-ha-fast | /infra/sites/default/enforcement-points/default | b3000000-0000-4000-8000-000000000002",
    ]),
    ("edge-high-availability-profiles-list", list::<PolicyObject>, &[
        "count 2 cursor -",
        "PolicyEdgeHighAvailabilityProfile | edge-ha-default | nsx-default-edge-high-availability-profile | - | /infra/sites/default/enforcement-points/default/edge-cluster-high-availability-profiles/edge-ha-default | /infra/sites/default/enforcement-points/default | 91bcaa06-47a1-11e4-8316-17ffc7700001",
        "PolicyEdgeHighAvailabilityProfile | edge-ha-fast | edge-ha-fast | Fast failover | /infra/sites/default/enforcement-points/default/edge-cluster-high-availability-profiles/edge-ha-fast | /infra/sites/default/enforcement-points/default | b3000000-0000-4000-8000-000000000002",
    ]),
    ("edge-nodes-list", list::<EdgeNode>, &[
        "count 2 cursor -",
        "PolicyEdgeNode | 0 | edge-01 | - | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001/edge-nodes/0 | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | 0 | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390001 | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390001",
        "PolicyEdgeNode | 1 | edge-02 | - | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001/edge-nodes/1 | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | 1 | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390002 | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390002",
    ]),
    ("edge-transport-node-state-error", one::<EdgeTransportNodeState>, &[
        "/infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-01 | ERROR | VM_DEPLOYMENT_FAILED | 16020 | Edge VM could not be deployed. | VM_DEPLOYMENT_FAILED | 16020 | Datastore has no free space.",
    ]),
    ("edge-transport-node-state-in-progress", one::<EdgeTransportNodeState>, &[
        "/infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-01 | IN_PROGRESS | VM_DEPLOYMENT_IN_PROGRESS | - | - | VM_DEPLOYMENT_IN_PROGRESS | - | -",
    ]),
    ("edge-transport-node-state-success", one::<EdgeTransportNodeState>, &[
        "/infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-01 | SUCCESS | success | - | - | NODE_READY | - | -",
    ]),
    ("edge-transport-node-state-unset", one::<EdgeTransportNodeState>, &[
        "/infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-01",
    ]),
    ("edge-transport-node", one::<PolicyObject>, &[
        "PolicyEdgeTransportNode | edge-01 | edge-01 | First edge | /infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-01 | /infra/sites/default/enforcement-points/default | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390001",
    ]),
    ("edge-transport-nodes-list", list::<PolicyObject>, &[
        "count 2 cursor -",
        "PolicyEdgeTransportNode | edge-01 | edge-01 | First edge | /infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-01 | /infra/sites/default/enforcement-points/default | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390001",
        "PolicyEdgeTransportNode | edge-02 | edge-02 | - | /infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-02 | /infra/sites/default/enforcement-points/default | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390002",
    ]),
    ("error-400-index-in-progress", one::<ApiError>, &[
        "BAD_REQUEST | 60508 | search | Indexing of the objects is still running; try again later. | -",
    ]),
    ("error-400-index-out-of-sync", one::<ApiError>, &[
        "BAD_REQUEST | 60515 | search | The search index is out of date. | -",
    ]),
    ("error-400-related", one::<ApiError>, &[
        "BAD_REQUEST | 500000 | policy | The request has several problems. | see related errors | related 500012 policy The path is not valid. - | related 500090 policy The parent object is missing. -",
    ]),
    ("error-400-search-timeout", one::<ApiError>, &[
        "BAD_REQUEST | 60514 | search | The search took too long. | -",
    ]),
    ("error-403-credentials", one::<ApiError>, &[
        "- | 403 | common-services | User name or password is wrong, or the account is locked. | -",
    ]),
    ("error-403-xsrf", one::<ApiError>, &[
        "- | 98 | common-services | The session or its XSRF token is no longer valid. | -",
    ]),
    ("error-404-object", one::<ApiError>, &[
        "NOT_FOUND | 600 | common-services | No object has the identifier /infra/bfd-profiles/missing; identifiers are case sensitive. | -",
    ]),
    ("error-429-rate-limit", one::<ApiError>, &[
        "TOO_MANY_REQUESTS | 429 | common-services | More requests per second than allowed for this client. | -",
    ]),
    ("error-500", one::<ApiError>, &[
        "INTERNAL_SERVER_ERROR | 98 | common-services | The backend service could not be reached. | -",
    ]),
    ("error-503-page-too-large", one::<ApiError>, &[
        "SERVICE_UNAVAILABLE | 60576 | search | The result page is too large. | -",
    ]),
    ("failure-domain", one::<ManagerObject>, &[
        "FailureDomain | 4fc1e3b0-1cd4-4339-86c8-f76baddb0001 | fd-rack-1 | Rack 1",
    ]),
    ("failure-domains-list", list::<ManagerObject>, &[
        "count 2 cursor -",
        "FailureDomain | 4fc1e3b0-1cd4-4339-86c8-f76baddb0001 | fd-rack-1 | Rack 1",
        "FailureDomain | 4fc1e3b0-1cd4-4339-86c8-f76baddb0000 | system_default_failure_domain | -",
    ]),
    ("firewall-section", one::<ManagerObject>, &[
        "FirewallSection | 7a6b5c4d-3e2f-4101-9a8b-7c6d5e4f0001 | block all | Explicit drop section",
    ]),
    ("firewall-sections-list", list::<ManagerObject>, &[
        "count 3 cursor -",
        "FirewallSection | 7a6b5c4d-3e2f-4101-9a8b-7c6d5e4f0001 | block all | Explicit drop section",
        "FirewallSection | 7a6b5c4d-3e2f-4101-9a8b-7c6d5e4f0002 | Default Layer3 Section | -",
        "FirewallSection | 7a6b5c4d-3e2f-4101-9a8b-7c6d5e4f0003 | Default Layer2 Section | -",
    ]),
    ("flood-protection-profile", one::<PolicyObject>, &[
        "DistributedFloodProtectionProfile | dfpp-1 | dfpp-test | Limits for test VMs | /infra/flood-protection-profiles/dfpp-1 | /infra | b1000000-0000-4000-8000-000000000001",
    ]),
    ("ip-pool", one::<ManagerObject>, &[
        "IpPool | 1d2c3b4a-5968-4778-8695-a4b3c2d10001 | tep-pool | Tunnel endpoints",
    ]),
    ("ip-pools-list", list::<ManagerObject>, &[
        "count 2 cursor -",
        "IpPool | 1d2c3b4a-5968-4778-8695-a4b3c2d10001 | tep-pool | Tunnel endpoints",
        "IpPool | 1d2c3b4a-5968-4778-8695-a4b3c2d10002 | tep-pool-edge | -",
    ]),
    ("logical-router-tier0", one::<LogicalRouter>, &[
        "LogicalRouter | 8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40001 | t0-prod | North-south router | TIER0 | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | ACTIVE_ACTIVE",
    ]),
    ("logical-router-tier1-no-edge", one::<LogicalRouter>, &[
        "LogicalRouter | 8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40004 | t1-dist | - | TIER1 | - | -",
    ]),
    ("logical-router-tier1", one::<LogicalRouter>, &[
        "LogicalRouter | 8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40003 | t1-web | - | TIER1 | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | ACTIVE_STANDBY",
    ]),
    ("logical-routers-list", list::<LogicalRouter>, &[
        "count 5 cursor -",
        "LogicalRouter | 8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40001 | t0-prod | North-south router | TIER0 | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | ACTIVE_ACTIVE",
        "LogicalRouter | 8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40002 | t0-prod-lab | - | TIER0 | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | ACTIVE_STANDBY",
        "LogicalRouter | 8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40003 | t1-web | - | TIER1 | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | ACTIVE_STANDBY",
        "LogicalRouter | 8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40004 | t1-dist | - | TIER1 | - | -",
        "LogicalRouter | 8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40005 | vrf-red | - | VRF | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | ACTIVE_ACTIVE",
    ]),
    ("mac-pool", one::<ManagerObject>, &[
        "MacPool | 3e4d5c6b-7a89-4c0b-8d1e-2f3041520001 | DefaultMacPool | Shipped pool",
    ]),
    ("mac-pools-list", list::<ManagerObject>, &[
        "count 2 cursor -",
        "MacPool | 3e4d5c6b-7a89-4c0b-8d1e-2f3041520001 | DefaultMacPool | Shipped pool",
        "MacPool | 3e4d5c6b-7a89-4c0b-8d1e-2f3041520002 | lab-mac-pool | -",
    ]),
    ("node-version-old", one::<NodeVersion>, &[
        "- | 4.2.1.0.0.24304122 | version 4.2.1.0.0.24304122",
    ]),
    ("node-version", one::<NodeVersion>, &[
        "9.1.0.0.0.24812349 | 9.1.0.0.0.24812345 | version 9.1.0.0.0.24812349",
    ]),
    ("ns-group", one::<ManagerObject>, &[
        "NSGroup | 5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0001 | group-web | Web tier",
    ]),
    ("ns-groups-list-page1", list::<ManagerObject>, &[
        "count 3 cursor 00035a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0002group-app",
        "NSGroup | 5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0001 | group-web | Web tier",
        "NSGroup | 5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0002 | group-app | -",
    ]),
    ("ns-groups-list-page2", list::<ManagerObject>, &[
        "count - cursor -",
        "NSGroup | 5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0003 | group-db | -",
    ]),
    ("ns-groups-list", list::<ManagerObject>, &[
        "count 3 cursor -",
        "NSGroup | 5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0001 | group-web | Web tier",
        "NSGroup | 5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0002 | group-app | -",
        "NSGroup | 5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0003 | group-db | -",
    ]),
    ("ns-service", one::<ManagerObject>, &[
        "NSService | 6b5c4d3e-2f10-4bac-9d8e-7f6051420001 | HTTP | HTTP",
    ]),
    ("ns-services-list", list::<ManagerObject>, &[
        "count 3 cursor -",
        "NSService | 6b5c4d3e-2f10-4bac-9d8e-7f6051420001 | HTTP | HTTP",
        "NSService | 6b5c4d3e-2f10-4bac-9d8e-7f6051420002 | HTTPS | -",
        "NSService | 6b5c4d3e-2f10-4bac-9d8e-7f6051420003 | web-8443 | -",
    ]),
    ("policy-certificate", one::<PolicyObject>, &[
        "TlsCertificate | lb-cert-web | lb-cert-web | Web front end | /infra/certificates/lb-cert-web | /infra | ac000000-0000-4000-8000-000000000001",
    ]),
    ("policy-edge-cluster", one::<PolicyObject>, &[
        "PolicyEdgeCluster | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | edge-cluster-prod | Production edges | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | /infra/sites/default/enforcement-points/default | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001",
    ]),
    ("policy-edge-clusters-list", list::<PolicyObject>, &[
        "count 2 cursor -",
        "PolicyEdgeCluster | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | edge-cluster-prod | Production edges | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | /infra/sites/default/enforcement-points/default | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001",
        "PolicyEdgeCluster | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0002 | edge-cluster-spare | - | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0002 | /infra/sites/default/enforcement-points/default | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0002",
    ]),
    ("search-bfd-profile", list::<PolicyObject>, &[
        "count 1 cursor 1",
        "BfdProfile | fast-bfd | bfd-fast | 300 ms probes | /infra/bfd-profiles/fast-bfd | /infra | aa000000-0000-4000-8000-000000000002",
    ]),
    ("search-bridge-profile", list::<PolicyObject>, &[
        "count 1 cursor 1",
        "L2BridgeEndpointProfile | bridge-prod | bridge-prod | Bridge for legacy VLANs | /infra/sites/default/enforcement-points/default/edge-bridge-profiles/bridge-prod | /infra/sites/default/enforcement-points/default | ab000000-0000-4000-8000-000000000001",
    ]),
    ("search-certificate-project", list::<PolicyObject>, &[
        "count 1 cursor 1",
        "TlsCertificate | lb-cert-web | lb-cert-web | - | /orgs/default/projects/dev/infra/certificates/lb-cert-web | /orgs/default/projects/dev/infra | ac000000-0000-4000-8000-000000000003",
    ]),
    ("search-certificate", list::<PolicyObject>, &[
        "count 2 cursor 2",
        "TlsCertificate | lb-cert | lb-cert | - | /infra/certificates/lb-cert | /infra | ac000000-0000-4000-8000-000000000002",
        "TlsCertificate | lb-cert-web | lb-cert-web | Web front end | /infra/certificates/lb-cert-web | /infra | ac000000-0000-4000-8000-000000000001",
    ]),
    ("search-context-profile-project", list::<PolicyObject>, &[
        "count 1 cursor 1",
        "PolicyContextProfile | demoprof | demoprof | - | /orgs/default/projects/dev/infra/context-profiles/demoprof | /orgs/default/projects/dev/infra | af000000-0000-4000-8000-000000000002",
    ]),
    ("search-context-profile", list::<PolicyObject>, &[
        "count 1 cursor 1",
        "PolicyContextProfile | DIAMETER | DIAMETER | - | /infra/context-profiles/DIAMETER | /infra | af000000-0000-4000-8000-000000000001",
    ]),
    ("search-dhcp-server-project", list::<PolicyObject>, &[
        "count 1 cursor 1",
        "DhcpServerConfig | demodhcp | demodhcp | - | /orgs/default/projects/dev/infra/dhcp-server-configs/demodhcp | /orgs/default/projects/dev/infra | b0000000-0000-4000-8000-000000000002",
    ]),
    ("search-dhcp-server", list::<PolicyObject>, &[
        "count 1 cursor 1",
        "DhcpServerConfig | dhcp-2 | dhcp-2 | DHCP for lab | /infra/dhcp-server-configs/dhcp-2 | /infra | b0000000-0000-4000-8000-000000000001",
    ]),
    ("search-distributed-flood-protection-profile-project", list::<PolicyObject>, &[
        "count 1 cursor 1",
        "DistributedFloodProtectionProfile | dfpp-2 | dfpp-proj | - | /orgs/default/projects/dev/infra/flood-protection-profiles/dfpp-2 | /orgs/default/projects/dev/infra | b1000000-0000-4000-8000-000000000002",
    ]),
    ("search-distributed-flood-protection-profile", list::<PolicyObject>, &[
        "count 1 cursor 1",
        "DistributedFloodProtectionProfile | dfpp-1 | dfpp-test | Limits for test VMs | /infra/flood-protection-profiles/dfpp-1 | /infra | b1000000-0000-4000-8000-000000000001",
    ]),
    ("search-distributed-vlan-connection", list::<PolicyObject>, &[
        "count 1 cursor 1",
        "DistributedVlanConnection | vlan-100 | vlan-100 | - | /infra/distributed-vlan-connections/vlan-100 | /infra | b2000000-0000-4000-8000-000000000001",
    ]),
    ("search-edge-node", list::<EdgeNode>, &[
        "count 1 cursor 1",
        "PolicyEdgeNode | 1 | edge-02 | - | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001/edge-nodes/1 | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | 1 | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390002 | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390002",
    ]),
    ("search-edge-nodes", list::<EdgeNode>, &[
        "count 2 cursor 2",
        "PolicyEdgeNode | 0 | edge-01 | - | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001/edge-nodes/0 | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | 0 | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390001 | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390001",
        "PolicyEdgeNode | 1 | edge-02 | - | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001/edge-nodes/1 | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | 1 | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390002 | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390002",
    ]),
    ("search-edge-transport-node", list::<PolicyObject>, &[
        "count 1 cursor 1",
        "PolicyEdgeTransportNode | edge-01 | edge-01 | First edge | /infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-01 | /infra/sites/default/enforcement-points/default | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390001",
    ]),
    ("search-empty", list::<PolicyObject>, &[
        "count 0 cursor -",
    ]),
    ("search-gm-bfd-profile", list::<PolicyObject>, &[
        "count 1 cursor 1",
        "BfdProfile | fast-bfd | bfd-fast | 300 ms probes | /global-infra/bfd-profiles/fast-bfd | /global-infra | aa000000-0000-4000-8000-000000000012",
    ]),
    ("search-gm-edge-node", list::<EdgeNode>, &[
        "count 1 cursor 1",
        "PolicyEdgeNode | 0 | edge-paris-01 | - | /global-infra/sites/paris/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0101/edge-nodes/0 | /global-infra/sites/paris/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0101 | 0 | 6e5d4c3b-2a19-4f08-9e7d-6c5b4a390001 | -",
    ]),
    ("search-gm-policy-edge-cluster", list::<PolicyObject>, &[
        "count 1 cursor 1",
        "PolicyEdgeCluster | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0101 | ec-paris | - | /global-infra/sites/paris/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0101 | /global-infra/sites/paris/enforcement-points/default | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0101",
    ]),
    ("search-mixed-types-by-id", list::<PolicyObject>, &[
        "count 2 cursor 2",
        "DistributedFloodProtectionProfile | dfpp-1 | dfpp-test | Limits for test VMs | /infra/flood-protection-profiles/dfpp-1 | /infra | b1000000-0000-4000-8000-000000000001",
        "GatewayFloodProtectionProfile | dfpp-1 | dfpp-test | - | /infra/flood-protection-profiles/dfpp-1 | /infra | b1000000-0000-4000-8000-000000000009",
    ]),
    ("search-page1", list::<PolicyObject>, &[
        "count 3 cursor 2",
        "PolicyEdgeCluster | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | edge-cluster-prod | Production edges | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | /infra/sites/default/enforcement-points/default | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001",
        "PolicyEdgeCluster | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0002 | edge-cluster-spare | - | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0002 | /infra/sites/default/enforcement-points/default | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0002",
    ]),
    ("search-page2", list::<PolicyObject>, &[
        "count 3 cursor 3",
        "PolicyEdgeCluster | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0003 | edge-cluster-third | - | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0003 | /infra/sites/default/enforcement-points/default | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0003",
    ]),
    ("search-policy-edge-cluster", list::<PolicyObject>, &[
        "count 2 cursor 2",
        "PolicyEdgeCluster | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | edge-cluster-prod | Production edges | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001 | /infra/sites/default/enforcement-points/default | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001",
        "PolicyEdgeCluster | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0002 | edge-cluster-spare | - | /infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0002 | /infra/sites/default/enforcement-points/default | 2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0002",
    ]),
    ("upgrade-unit-group-edge", one::<UpgradeUnitGroup>, &[
        "UpgradeUnitGroup | c4d5e6f7-0819-4a2b-8c3d-5e6f70810001 | edge-cluster-prod | - | EDGE",
    ]),
    ("upgrade-unit-group-host", one::<UpgradeUnitGroup>, &[
        "UpgradeUnitGroup | c4d5e6f7-0819-4a2b-8c3d-5e6f70810002 | Compute-Cluster-01 | Hosts of Compute-Cluster-01 | HOST",
    ]),
    ("upgrade-unit-groups-list-edge", list::<UpgradeUnitGroup>, &[
        "count 1 cursor -",
        "UpgradeUnitGroup | c4d5e6f7-0819-4a2b-8c3d-5e6f70810001 | edge-cluster-prod | - | EDGE",
    ]),
    ("upgrade-unit-groups-list-host", list::<UpgradeUnitGroup>, &[
        "count 1 cursor -",
        "UpgradeUnitGroup | c4d5e6f7-0819-4a2b-8c3d-5e6f70810002 | Compute-Cluster-01 | Hosts of Compute-Cluster-01 | HOST",
    ]),
];
