//! The lookup functions with their outputs. Those that are data are declared in one file for each subject; those with
//! their own logic have their own files, which the file of their subject lists.

use std::sync::LazyLock;

use crate::contract::registry::{FunctionEntry, sorted};
use crate::contract::spec::FunctionGroup;
use subjects::SUBJECTS;

pub(crate) mod any_object;
mod bare_metal_servers;
pub(crate) mod edge_clusters;
pub(crate) mod gateway_security;
mod gateways_and_segments;
mod get_compute_collection;
pub(crate) mod get_compute_manager_realization;
mod get_discovered_node;
mod get_management_cluster;
mod get_policy_cluster_security_config;
mod get_policy_edge_transport_node_realization;
mod get_policy_group_associations;
mod get_policy_group_members;
mod get_policy_object;
mod get_policy_objects;
mod get_policy_references;
pub(crate) mod group_associations;
pub(crate) mod groups_and_services;
mod load_balancers_and_vpns;
mod manager_api;
pub(crate) mod name_map;
pub(crate) mod realization;
mod realizations;
mod security;
mod security_settings;
pub(crate) mod shared_objects;
pub(crate) mod subjects;
pub(crate) mod system;
pub(crate) mod transport;
pub(crate) mod virtual_machines;
mod vpcs_and_projects;

pub mod typed {
    //! The lookups as values with their inputs, and their outputs.

    pub use super::bare_metal_servers::*;
    pub use super::gateways_and_segments::*;
    pub use super::get_compute_collection::*;
    pub use super::get_compute_manager_realization::*;
    pub use super::get_discovered_node::*;
    pub use super::get_management_cluster::*;
    pub use super::get_policy_cluster_security_config::*;
    pub use super::get_policy_edge_transport_node_realization::*;
    pub use super::get_policy_group_associations::*;
    pub use super::get_policy_group_members::*;
    pub use super::get_policy_object::*;
    pub use super::get_policy_objects::*;
    pub use super::get_policy_references::*;
    pub use super::groups_and_services::*;
    pub use super::load_balancers_and_vpns::*;
    pub use super::manager_api::*;
    pub use super::realizations::*;
    pub use super::security::*;
    pub use super::security_settings::*;
    pub use super::system::*;
    pub use super::transport::*;
    pub use super::vpcs_and_projects::*;
    pub use crate::functions::any_object::AnyObject;
    pub use crate::functions::gateway_security::PolicyGatewaySecurityConfig;
    pub use crate::functions::group_associations::{GroupAssociations, GroupReference};
    pub use crate::functions::realization::Realization;
    pub use crate::functions::realization::appliances::ApplianceClusterRealization;
    pub use crate::functions::realization::entities::{
        PolicyGatewayInterfaceRealization, PolicyRealizationInfo,
    };
    pub use crate::functions::realization::hosts::PolicySegmentRealization;
    pub use crate::functions::realization::upgrade::{FailedUpgradeGroup, UpgradePostcheck};
    pub use netmgr_types::shapes::{
        ContextOutput, GlobalContext, NameMap, NamedOutput, ObjectMap, ObjectOutput, PolicyOutput,
        ProjectContext, Tag, TenantContext, VpcContext,
    };
}

/// Functions about policy objects of any type.
const OF_ANY_TYPE: &[FunctionEntry] = &[
    FunctionEntry::of::<typed::GetPolicyObject>(),
    FunctionEntry::of::<typed::GetPolicyObjects>(),
    FunctionEntry::of::<typed::GetPolicyReferences>(),
];

/// Every lookup function, sorted by name.
pub static ALL: LazyLock<Vec<FunctionEntry>> = LazyLock::new(|| {
    let of_any_type = (FunctionGroup::AnyObject, OF_ANY_TYPE);
    sorted(SUBJECTS.iter().copied().chain([of_any_type]))
});
