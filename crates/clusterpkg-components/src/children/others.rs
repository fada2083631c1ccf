//! Children of the components other than `Cluster`.

use pulumi_plugin::components::Child;

use super::kinds::{
    ACCESS_ENTRY, ATTACHMENT, LAUNCH_TEMPLATE, MAPPING, NODE_CLASS, NODE_GROUP, NODE_POOL, POD_IDENTITY,
    PROFILE, ROLE, ecr_policy, ssm_policy, worker_policy,
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
    worker_policy("node-worker-policy"),
    ecr_policy("node-ecr-policy"),
    ssm_policy("node-ssm-policy"),
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
    ecr_policy("fargateprofile-ecr-policy"),
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
