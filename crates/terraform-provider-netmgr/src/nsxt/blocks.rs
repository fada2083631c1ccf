//! Data sources with blocks of `nsxt` that are lists of objects in `netmgr_*`.

/// The data sources, without prefix, whose tags are blocks `tag`.
pub(crate) const TAGGED: &[&str] = &[
    "policy_baremetal_server_interface_tags",
    "policy_baremetal_server_tags",
    "policy_intrusion_service_gateway_policy",
    "policy_intrusion_service_gateway_policy_rule",
    "policy_intrusion_service_policy",
    "policy_intrusion_service_policy_rule",
    "policy_parent_intrusion_service_gateway_policy",
    "policy_parent_intrusion_service_policy",
    "policy_user_management_role_binding",
    "policy_vm",
];

/// Those whose rules are blocks `rule`.
pub(crate) const RULED: &[&str] = &[
    "policy_intrusion_service_gateway_policy",
    "policy_intrusion_service_policy",
];
