//! Children of the components other than `Cluster`.

use pulumi_plugin::components::Child;

use super::kinds::{
    ACCESS_ENTRY, ATTACHMENT, LAUNCH_TEMPLATE, MAPPING, NODE_CLASS, NODE_GROUP, NODE_POOL, POD_IDENTITY,
    PROFILE, ROLE,
};

/// Children of `AttachedNodeGroup`.
pub(crate) const ATTACHED_NODE_GROUP: &[Child] = &[
    Child::new("nodes", &NODE_GROUP, "The group of nodes"),
    Child::new(
        "launch-template",
        &LAUNCH_TEMPLATE,
        "Disks, metadata service and tags of the machines",
    )
    .registered_as("nodes")
    .only("with `useLaunchTemplate` or `metadataHopLimit`"),
    Child::new("node-role", &ROLE, "Role of the machines"),
    Child::new("node-worker-policy", &ATTACHMENT, "Right to join the cluster"),
    Child::new("node-ecr-policy", &ATTACHMENT, "Right to pull images"),
    Child::new(
        "node-ssm-policy",
        &ATTACHMENT,
        "Right to be reached through the session manager",
    ),
];

/// Children of `AttachedServerlessProfile`.
pub(crate) const ATTACHED_SERVERLESS_PROFILE: &[Child] = &[
    Child::new("fargateprofile", &PROFILE, "The profile"),
    Child::new("fargateprofile-role", &ROLE, "Role with which pods are started"),
    Child::new(
        "fargateprofile-execution-policy",
        &ATTACHMENT,
        "Right to start pods",
    ),
    Child::new("fargateprofile-ecr-policy", &ATTACHMENT, "Right to pull images"),
];

/// Children of `AutoscaledNodeGroup`.
pub(crate) const AUTOSCALED_NODE_GROUP: &[Child] = &[
    Child::new("nodeclass", &NODE_CLASS, "Machines: images, disks, network"),
    Child::new("nodepool", &NODE_POOL, "Nodes: requirements, limits, disruption"),
];

/// Children of `IamRoleMapping`.
pub(crate) const IAM_ROLE_MAPPING: &[Child] = &[
    Child::new("access-entry", &ACCESS_ENTRY, "The mapping in AWS")
        .registered_as("")
        .only("with `clusterName`"),
    Child::new("mapping", &MAPPING, "The mapping in the cluster")
        .registered_as("")
        .only("without `clusterName`"),
];

/// Children of `IamServiceAccountRole`.
pub(crate) const IAM_SERVICE_ACCOUNT_ROLE: &[Child] = &[
    Child::new("role", &ROLE, "The role").registered_as(""),
    Child::new(
        "pod-identity",
        &POD_IDENTITY,
        "The use of the role through Pod Identity",
    )
    .registered_as("")
    .only("with `clusterName`"),
];
