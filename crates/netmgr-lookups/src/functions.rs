//! The lookup functions: one file each, one line each in the list.

use crate::registry::Entry;

pub mod get_certificate;
pub mod get_compute_collection;
pub mod get_compute_manager;
pub mod get_compute_manager_realization;
pub mod get_discovered_node;
pub mod get_edge_cluster;
pub mod get_edge_upgrade_group;
pub mod get_failure_domain;
pub mod get_firewall_section;
pub mod get_host_upgrade_group;
pub mod get_ip_pool;
pub mod get_logical_tier0_router;
pub mod get_logical_tier1_router;
pub mod get_mac_pool;
pub mod get_management_cluster;
pub mod get_manager_cluster_node;
pub mod get_manager_info;
pub mod get_ns_group;
pub mod get_ns_groups;
pub mod get_ns_service;
pub mod get_ns_services;
pub mod get_policy_bfd_profile;
pub mod get_policy_bridge_profile;
pub mod get_policy_certificate;
pub mod get_policy_cluster_security_config;
pub mod get_policy_container_cluster;
pub mod get_policy_container_clusters;
pub mod get_policy_context_profile;
pub mod get_policy_dhcp_server;
pub mod get_policy_distributed_flood_protection_profile;
pub mod get_policy_distributed_vlan_connection;
pub mod get_policy_edge_cluster;
pub mod get_policy_edge_high_availability_profile;
pub mod get_policy_edge_node;
pub mod get_policy_edge_transport_node;
pub mod get_policy_edge_transport_node_realization;

pub use get_certificate::GetCertificate;
pub use get_compute_collection::GetComputeCollection;
pub use get_compute_manager::GetComputeManager;
pub use get_compute_manager_realization::GetComputeManagerRealization;
pub use get_discovered_node::GetDiscoveredNode;
pub use get_edge_cluster::GetEdgeCluster;
pub use get_edge_upgrade_group::GetEdgeUpgradeGroup;
pub use get_failure_domain::GetFailureDomain;
pub use get_firewall_section::GetFirewallSection;
pub use get_host_upgrade_group::GetHostUpgradeGroup;
pub use get_ip_pool::GetIpPool;
pub use get_logical_tier0_router::GetLogicalTier0Router;
pub use get_logical_tier1_router::GetLogicalTier1Router;
pub use get_mac_pool::GetMacPool;
pub use get_management_cluster::GetManagementCluster;
pub use get_manager_cluster_node::GetManagerClusterNode;
pub use get_manager_info::GetManagerInfo;
pub use get_ns_group::GetNsGroup;
pub use get_ns_groups::GetNsGroups;
pub use get_ns_service::GetNsService;
pub use get_ns_services::GetNsServices;
pub use get_policy_bfd_profile::GetPolicyBfdProfile;
pub use get_policy_bridge_profile::GetPolicyBridgeProfile;
pub use get_policy_certificate::GetPolicyCertificate;
pub use get_policy_cluster_security_config::GetPolicyClusterSecurityConfig;
pub use get_policy_container_cluster::GetPolicyContainerCluster;
pub use get_policy_container_clusters::GetPolicyContainerClusters;
pub use get_policy_context_profile::GetPolicyContextProfile;
pub use get_policy_dhcp_server::GetPolicyDhcpServer;
pub use get_policy_distributed_flood_protection_profile::GetPolicyDistributedFloodProtectionProfile;
pub use get_policy_distributed_vlan_connection::GetPolicyDistributedVlanConnection;
pub use get_policy_edge_cluster::GetPolicyEdgeCluster;
pub use get_policy_edge_high_availability_profile::GetPolicyEdgeHighAvailabilityProfile;
pub use get_policy_edge_node::GetPolicyEdgeNode;
pub use get_policy_edge_transport_node::GetPolicyEdgeTransportNode;
pub use get_policy_edge_transport_node_realization::GetPolicyEdgeTransportNodeRealization;

/// Every lookup function, by name.
pub const ALL: &[Entry] = &[
    Entry::of::<GetCertificate>(),
    Entry::of::<GetComputeCollection>(),
    Entry::of::<GetComputeManager>(),
    Entry::of::<GetComputeManagerRealization>(),
    Entry::of::<GetDiscoveredNode>(),
    Entry::of::<GetEdgeCluster>(),
    Entry::of::<GetEdgeUpgradeGroup>(),
    Entry::of::<GetFailureDomain>(),
    Entry::of::<GetFirewallSection>(),
    Entry::of::<GetHostUpgradeGroup>(),
    Entry::of::<GetIpPool>(),
    Entry::of::<GetLogicalTier0Router>(),
    Entry::of::<GetLogicalTier1Router>(),
    Entry::of::<GetMacPool>(),
    Entry::of::<GetManagementCluster>(),
    Entry::of::<GetManagerClusterNode>(),
    Entry::of::<GetManagerInfo>(),
    Entry::of::<GetNsGroup>(),
    Entry::of::<GetNsGroups>(),
    Entry::of::<GetNsService>(),
    Entry::of::<GetNsServices>(),
    Entry::of::<GetPolicyBfdProfile>(),
    Entry::of::<GetPolicyBridgeProfile>(),
    Entry::of::<GetPolicyCertificate>(),
    Entry::of::<GetPolicyClusterSecurityConfig>(),
    Entry::of::<GetPolicyContainerCluster>(),
    Entry::of::<GetPolicyContainerClusters>(),
    Entry::of::<GetPolicyContextProfile>(),
    Entry::of::<GetPolicyDhcpServer>(),
    Entry::of::<GetPolicyDistributedFloodProtectionProfile>(),
    Entry::of::<GetPolicyDistributedVlanConnection>(),
    Entry::of::<GetPolicyEdgeCluster>(),
    Entry::of::<GetPolicyEdgeHighAvailabilityProfile>(),
    Entry::of::<GetPolicyEdgeNode>(),
    Entry::of::<GetPolicyEdgeTransportNode>(),
    Entry::of::<GetPolicyEdgeTransportNodeRealization>(),
];
