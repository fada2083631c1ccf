//! The lookup functions with their outputs: one file each, one line each in the list.

use crate::registry::Entry;

mod get_certificate;
mod get_compute_collection;
mod get_compute_manager;
mod get_compute_manager_realization;
mod get_discovered_node;
mod get_edge_cluster;
mod get_edge_upgrade_group;
mod get_failure_domain;
mod get_firewall_section;
mod get_host_upgrade_group;
mod get_ip_pool;
mod get_logical_tier0_router;
mod get_logical_tier1_router;
mod get_mac_pool;
mod get_management_cluster;
mod get_manager_cluster_node;
mod get_manager_info;
mod get_ns_group;
mod get_ns_groups;
mod get_ns_service;
mod get_ns_services;
mod get_policy_bfd_profile;
mod get_policy_bridge_profile;
mod get_policy_certificate;
mod get_policy_cluster_security_config;
mod get_policy_container_cluster;
mod get_policy_container_clusters;
mod get_policy_context_profile;
mod get_policy_dhcp_server;
mod get_policy_distributed_flood_protection_profile;
mod get_policy_distributed_vlan_connection;
mod get_policy_edge_cluster;
mod get_policy_edge_high_availability_profile;
mod get_policy_edge_node;
mod get_policy_edge_transport_node;
mod get_policy_edge_transport_node_realization;

use typed::*;

pub mod typed {
    //! The lookups as values with their inputs, and what they return.

    pub use super::get_certificate::*;
    pub use super::get_compute_collection::*;
    pub use super::get_compute_manager::*;
    pub use super::get_compute_manager_realization::*;
    pub use super::get_discovered_node::*;
    pub use super::get_edge_cluster::*;
    pub use super::get_edge_upgrade_group::*;
    pub use super::get_failure_domain::*;
    pub use super::get_firewall_section::*;
    pub use super::get_host_upgrade_group::*;
    pub use super::get_ip_pool::*;
    pub use super::get_logical_tier0_router::*;
    pub use super::get_logical_tier1_router::*;
    pub use super::get_mac_pool::*;
    pub use super::get_management_cluster::*;
    pub use super::get_manager_cluster_node::*;
    pub use super::get_manager_info::*;
    pub use super::get_ns_group::*;
    pub use super::get_ns_groups::*;
    pub use super::get_ns_service::*;
    pub use super::get_ns_services::*;
    pub use super::get_policy_bfd_profile::*;
    pub use super::get_policy_bridge_profile::*;
    pub use super::get_policy_certificate::*;
    pub use super::get_policy_cluster_security_config::*;
    pub use super::get_policy_container_cluster::*;
    pub use super::get_policy_container_clusters::*;
    pub use super::get_policy_context_profile::*;
    pub use super::get_policy_dhcp_server::*;
    pub use super::get_policy_distributed_flood_protection_profile::*;
    pub use super::get_policy_distributed_vlan_connection::*;
    pub use super::get_policy_edge_cluster::*;
    pub use super::get_policy_edge_high_availability_profile::*;
    pub use super::get_policy_edge_node::*;
    pub use super::get_policy_edge_transport_node::*;
    pub use super::get_policy_edge_transport_node_realization::*;
    pub use crate::upgrade_group::UpgradeGroup;
    pub use netmgr_types::shapes::{ContextOutput, NameMap, NamedOutput, PolicyOutput, TenantContext};
}

/// Every lookup function, sorted by name.
pub const ALL: &[Entry] = &[
    Entry::of_objects::<GetCertificate>(),
    Entry::of_objects::<GetComputeCollection>(),
    Entry::of_objects::<GetComputeManager>(),
    Entry::of::<GetComputeManagerRealization>(),
    Entry::of_objects::<GetDiscoveredNode>(),
    Entry::of_objects::<GetEdgeCluster>(),
    Entry::of_objects::<GetEdgeUpgradeGroup>(),
    Entry::of_objects::<GetFailureDomain>(),
    Entry::of_objects::<GetFirewallSection>(),
    Entry::of_objects::<GetHostUpgradeGroup>(),
    Entry::of_objects::<GetIpPool>(),
    Entry::of_objects::<GetLogicalTier0Router>(),
    Entry::of_objects::<GetLogicalTier1Router>(),
    Entry::of_objects::<GetMacPool>(),
    Entry::of::<GetManagementCluster>(),
    Entry::of_objects::<GetManagerClusterNode>(),
    Entry::of::<GetManagerInfo>(),
    Entry::of_objects::<GetNsGroup>(),
    Entry::of::<GetNsGroups>(),
    Entry::of_objects::<GetNsService>(),
    Entry::of::<GetNsServices>(),
    Entry::of_objects::<GetPolicyBfdProfile>(),
    Entry::of_objects::<GetPolicyBridgeProfile>(),
    Entry::of_objects::<GetPolicyCertificate>(),
    Entry::of::<GetPolicyClusterSecurityConfig>(),
    Entry::of_objects::<GetPolicyContainerCluster>(),
    Entry::of::<GetPolicyContainerClusters>(),
    Entry::of_objects::<GetPolicyContextProfile>(),
    Entry::of_objects::<GetPolicyDhcpServer>(),
    Entry::of_objects::<GetPolicyDistributedFloodProtectionProfile>(),
    Entry::of_objects::<GetPolicyDistributedVlanConnection>(),
    Entry::of_objects::<GetPolicyEdgeCluster>(),
    Entry::of_objects::<GetPolicyEdgeHighAvailabilityProfile>(),
    Entry::of_objects::<GetPolicyEdgeNode>(),
    Entry::of_objects::<GetPolicyEdgeTransportNode>(),
    Entry::of::<GetPolicyEdgeTransportNodeRealization>(),
];
