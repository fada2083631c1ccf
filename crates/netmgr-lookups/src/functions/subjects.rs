//! The functions of each subject. Not here: those about any object, which depend on these.

use std::sync::LazyLock;

use super::{
    bare_metal_servers, gateways_and_segments, get_compute_manager_realization, get_management_cluster,
    get_policy_cluster_security_config, get_policy_edge_transport_node_realization,
    get_policy_group_associations, groups_and_services, load_balancers_and_vpns, manager_api, realizations,
    security, security_settings, system, transport, vpcs_and_projects,
};
use crate::contract::registry::{FunctionEntry, sorted};
use crate::contract::spec::FunctionGroup;

/// The functions of each subject.
pub(crate) const SUBJECTS: &[(FunctionGroup, &[FunctionEntry])] = &[
    (FunctionGroup::GroupsAndServices, groups_and_services::ENTRIES),
    (FunctionGroup::GroupsAndServices, groups_and_services::CALLS),
    (
        FunctionGroup::GroupsAndServices,
        get_policy_group_associations::ENTRIES,
    ),
    (FunctionGroup::GroupsAndServices, bare_metal_servers::ENTRIES),
    (FunctionGroup::GroupsAndServices, bare_metal_servers::CALLS),
    (FunctionGroup::GatewaysAndSegments, gateways_and_segments::ENTRIES),
    (FunctionGroup::GatewaysAndSegments, gateways_and_segments::CALLS),
    (
        FunctionGroup::GatewaysAndSegments,
        load_balancers_and_vpns::ENTRIES,
    ),
    (FunctionGroup::Transport, transport::ENTRIES),
    (FunctionGroup::Transport, transport::CALLS),
    (FunctionGroup::Realization, realizations::CALLS),
    (
        FunctionGroup::Realization,
        get_compute_manager_realization::ENTRIES,
    ),
    (
        FunctionGroup::Realization,
        get_policy_edge_transport_node_realization::ENTRIES,
    ),
    (FunctionGroup::Security, security::ENTRIES),
    (FunctionGroup::Security, security_settings::CALLS),
    (
        FunctionGroup::Security,
        get_policy_cluster_security_config::ENTRIES,
    ),
    (FunctionGroup::VpcsAndProjects, vpcs_and_projects::ENTRIES),
    (FunctionGroup::VpcsAndProjects, vpcs_and_projects::CALLS),
    (FunctionGroup::System, system::ENTRIES),
    (FunctionGroup::System, system::CALLS),
    (FunctionGroup::System, get_management_cluster::ENTRIES),
    (FunctionGroup::ManagerApi, manager_api::ENTRIES),
    (FunctionGroup::ManagerApi, manager_api::CALLS),
];

/// The functions of all subjects, sorted by name.
pub(crate) static OF_SUBJECTS: LazyLock<Vec<FunctionEntry>> =
    LazyLock::new(|| sorted(SUBJECTS.iter().copied()));
