//! The control plane, its role, its log group, and the key that encrypts its secrets.

use pulumi_plugin::components::{ChildOptions, Output, Resource, Scope, format_output, properties};

use crate::aws::{self, Partition};
use crate::check;
use crate::cluster::allowed;
use crate::cluster::auto_mode::{self, AutoMode};
use crate::cluster::inputs::{ClusterInputs, is_ipv6};
use crate::policy::{PolicyDocument, Statement};
use crate::versions;

/// Registers the control plane, with dependencies on the permissions of its role.
/// Returns it, and the role of the nodes of the program's own node pools in Auto Mode.
pub(super) fn control_plane(
    scope: &Scope,
    inputs: &ClusterInputs,
    partition: &Partition,
) -> (Resource, Option<Resource>) {
    warn_of_excluded_nodes(scope, inputs);
    let role = role(scope, inputs);
    let key = match &inputs.secrets_kms_key_arn {
        Some(key) => key.clone(),
        None => key(scope, inputs).output("arn"),
    };
    let auto_mode = auto_mode::auto_mode(scope, inputs, partition, &role);
    let rights = [
        attach(
            scope,
            partition,
            &role,
            "cluster-policy",
            "AmazonEKSClusterPolicy",
        ),
        attach(
            scope,
            partition,
            &role,
            "cluster-policy-vpc",
            "AmazonEKSVPCResourceController",
        ),
        use_of_key(scope, &role, &key),
    ];
    let log_types = || Output::known(allowed::LOG_TYPES.map(Output::from).into());
    let has_network = inputs.ip_family.is_some() || inputs.service_ipv4_cidr.is_some() || auto_mode.is_some();
    let properties = properties! {
        "name": inputs.name.clone(),
        "roleArn": role.output::<String>("arn"),
        "version": inputs.cluster_version.clone(),
        "forceUpdateVersion": inputs.force_update_version.clone(),
        "upgradePolicy": properties! { "supportType": inputs.upgrade_policy() },
        // The creator of the cluster has a separate access entry, because the flag cannot be changed later.
        "accessConfig": properties! {
            "authenticationMode": inputs.authentication_mode.clone(),
            "bootstrapClusterCreatorAdminPermissions": false,
        },
        "bootstrapSelfManagedAddons": auto_mode.as_ref().and_then(AutoMode::installs_addons),
        "computeConfig": auto_mode.as_ref().map(AutoMode::compute),
        "storageConfig": auto_mode.as_ref().map(AutoMode::storage),
        "vpcConfig": properties! {
            "subnetIds": inputs.cluster_subnet_ids.clone(),
            "endpointPublicAccess": inputs.cluster_endpoint_public_access.clone(),
            "securityGroupIds": inputs.additional_security_group_ids.clone(),
            "publicAccessCidrs": public_ranges(inputs),
            "endpointPrivateAccess": inputs.cluster_endpoint_private_access.clone(),
        },
        "encryptionConfig": properties! {
            "resources": ["secrets"],
            "provider": properties! { "keyArn": key },
        },
        "kubernetesNetworkConfig": has_network.then(|| properties! {
            "ipFamily": inputs.ip_family.clone(),
            "serviceIpv4Cidr": inputs.service_ipv4_cidr.clone(),
            "elasticLoadBalancing": auto_mode.as_ref().map(AutoMode::load_balancing),
        }),
        "deletionProtection": inputs.deletion_protection(),
        "zonalShiftConfig": properties! { "enabled": inputs.enable_zonal_shift() },
        "enabledClusterLogTypes": inputs.enabled_cluster_log_types.clone().unwrap_or_else(log_types),
        "tags": inputs.tags.clone(),
    };
    let mut options = ChildOptions::new()
        .depends_on(&rights)
        .depends_on(auto_mode.iter().flat_map(|mode| &mode.rights))
        .depends_on(&log_group(scope, inputs))
        // A change of this property, which only matters when AWS creates the cluster, would replace it.
        .ignore_changes(["bootstrapSelfManagedAddons"]);
    if is_protected(inputs) {
        options = options.protect_itself();
        scope.info(
            "deletionProtection: a destroy is refused in its preview; do not use --skip-preview, which deletes everything but \
             the control plane before it is refused",
        );
    }
    let control_plane = scope.register("aws:eks/cluster:Cluster", scope.name(), properties, options);
    warn_of_newer_version(scope, &control_plane);
    let own_nodes = auto_mode.and_then(|mode| mode.own_nodes(scope, partition, &control_plane, &inputs.tags));
    (control_plane, own_nodes)
}

/// Warns about a version of Kubernetes that the pinned charts may not support.
fn warn_of_newer_version(scope: &Scope, control_plane: &Resource) {
    let version = control_plane.output::<String>("version");
    scope.warn_if(version.map(|version| {
        let (major, minor) = versions::LAST_TESTED;
        (versions::minor_of(&version)? > versions::LAST_TESTED).then(|| {
            format!(
                "Kubernetes {version} is newer than {major}.{minor}, the last version for which the charts and the node \
                 autoscaler of this package were tested"
            )
        })
    }));
}

/// Whether the engine rejects the deletion of the control plane. AWS rejects it only after the engine has deleted
/// everything that depends on it. An unknown value only occurs in a preview.
fn is_protected(inputs: &ClusterInputs) -> bool {
    let protection = inputs.deletion_protection.as_ref();
    protection.and_then(Output::peek_known) == Some(&true)
}

/// Ranges that can reach the public endpoint. AWS keeps the former ranges if there are none, so the default is
/// explicit while the endpoint is public (decision removals).
fn public_ranges(inputs: &ClusterInputs) -> Output<Option<Vec<Output<String>>>> {
    let everywhere: &[&str] = match is_ipv6(inputs) {
        true => &["0.0.0.0/0", "::/0"],
        false => &["0.0.0.0/0"],
    };
    match &inputs.endpoint_public_access_cidrs {
        Some(ranges) => ranges.clone().map(Some),
        None => inputs
            .cluster_endpoint_public_access
            .clone()
            .map(|is_public| is_public.then(|| everywhere.iter().map(|range| (*range).into()).collect())),
    }
}

/// Registers the log group. AWS creates it with the control plane, without a retention, unless it exists.
fn log_group(scope: &Scope, inputs: &ClusterInputs) -> Option<Resource> {
    let days = inputs.log_retention_days.clone()?;
    let properties = properties! {
        "name": inputs.name.clone().map(|name| format_output!("/aws/eks/{name}/cluster", name = name)),
        "retentionInDays": days,
        "tags": inputs.tags.clone(),
    };
    Some(scope.register(
        "aws:cloudwatch/logGroup:LogGroup",
        format!("{}-logs", scope.name()),
        properties,
        ChildOptions::new(),
    ))
}

/// Warns if nodes may be unable to reach the API: without private access they use the public endpoint, from
/// the addresses of the network's NAT gateways, which are unknown here.
fn warn_of_excluded_nodes(scope: &Scope, inputs: &ClusterInputs) {
    let ranges = inputs.endpoint_public_access_cidrs.as_ref();
    if ranges.is_none() || check::known_elements(ranges).any(|(_, range)| range == "0.0.0.0/0") {
        return;
    }
    let private = inputs.cluster_endpoint_private_access.clone();
    scope.warn_if(private.map(|private| {
        (!private).then(|| {
            "endpointPublicAccessCidrs also applies to nodes, because they use the public endpoint while \
             clusterEndpointPrivateAccess is false; nodes with other addresses cannot join the cluster; set \
             clusterEndpointPrivateAccess to true"
                .to_owned()
        })
    }));
}

fn role(scope: &Scope, inputs: &ClusterInputs) -> Resource {
    let actions: &[&str] = match auto_mode::is_on(inputs) {
        true => &["sts:AssumeRole", "sts:TagSession"],
        false => &["sts:AssumeRole"],
    };
    let statement = Statement::allow(actions.iter().copied()).service(["eks.amazonaws.com"]);
    let trust = Output::known(PolicyDocument::new([statement]));
    aws::role(
        scope,
        format!("{}-cluster-role", scope.name()),
        trust,
        &inputs.permissions_boundary,
        &inputs.tags,
    )
}

fn attach(
    scope: &Scope,
    partition: &Partition,
    role: &Resource,
    suffix: &str,
    policy: &'static str,
) -> Resource {
    aws::attach(
        scope,
        format!("{}-{suffix}", scope.name()),
        role,
        partition.managed_policy(policy),
    )
}

fn key(scope: &Scope, inputs: &ClusterInputs) -> Resource {
    let properties = properties! {
        "description": format!("Encrypts the secrets of cluster {}", scope.name()),
        "enableKeyRotation": true,
        "tags": inputs.tags.clone(),
    };
    scope.register(
        "aws:kms/key:Key",
        format!("{}-cluster-kms-key", scope.name()),
        properties,
        ChildOptions::new(),
    )
}

/// An inline policy. A separate policy would have to be created and attached, which would delay all other
/// resources.
fn use_of_key(scope: &Scope, role: &Resource, key: &Output<String>) -> Resource {
    let document = key.clone().map(|arn| {
        let actions = ["kms:Encrypt", "kms:Decrypt", "kms:ListGrants", "kms:DescribeKey"];
        PolicyDocument::new([Statement::allow(actions).on([arn])])
    });
    let inputs = properties! { "role": role.output::<String>("name"), "policy": document };
    scope.register(
        "aws:iam/rolePolicy:RolePolicy",
        format!("{}-cluster-policy-kms", scope.name()),
        inputs,
        ChildOptions::below(role),
    )
}
