//! The manager itself, compute managers and upgrades.

use super::get_compute_collection::GetComputeCollection;
use super::get_compute_manager::GetComputeManager;
use super::get_compute_manager_realization::GetComputeManagerRealization;
use super::get_discovered_node::GetDiscoveredNode;
use super::get_edge_upgrade_group::GetEdgeUpgradeGroup;
use super::get_host_upgrade_group::GetHostUpgradeGroup;
use super::get_management_cluster::GetManagementCluster;
use super::get_manager_cluster_node::GetManagerClusterNode;
use super::get_manager_info::GetManagerInfo;
use crate::declared::lookups;
use crate::registry::Entry;

lookups! {
    /// Functions about the manager itself.
    ENTRIES, with [
        Entry::of_objects::<GetComputeCollection>(),
        Entry::of_objects::<GetComputeManager>(),
        Entry::of::<GetComputeManagerRealization>(),
        Entry::of_objects::<GetDiscoveredNode>(),
        Entry::of_objects::<GetEdgeUpgradeGroup>(),
        Entry::of_objects::<GetHostUpgradeGroup>(),
        Entry::of::<GetManagementCluster>(),
        Entry::of_objects::<GetManagerClusterNode>(),
        Entry::of::<GetManagerInfo>(),
    ];
}
