//! Volumes: the driver and the storage classes.

use pulumi_plugin::components::{ConstructError, Output, Properties, Resource, properties};

use crate::aws;
use crate::cluster::auto_mode;
use crate::cluster::foundation::{Addon, InstalledCluster, NAMESPACE, configuration, tolerations};
use crate::cluster::inputs::ClusterInputs;
use crate::tags::Consumer;

/// Registers the driver, which Auto Mode replaces, and the default class `gp3`. Returns the driver.
pub(super) fn install(
    cluster: &InstalledCluster,
    inputs: &ClusterInputs,
) -> Result<Option<Resource>, ConstructError> {
    let driver = match auto_mode::is_on(inputs) {
        true => None,
        false => Some(driver(cluster)?),
    };
    default_class(cluster, driver.as_ref());
    Ok(driver)
}

fn driver(cluster: &InstalledCluster) -> Result<Resource, ConstructError> {
    let base = &cluster.base;
    base.warn_of_refused_tags(Consumer::Volumes);
    let role = base.service_account_role("ebs-csi-role", NAMESPACE, "ebs-csi-controller-sa")?;
    let right = aws::attach(
        &base.scope,
        base.name("ebs-csi-policy"),
        &role,
        driver_policy(cluster),
    );
    let addon = Addon {
        name: "aws-ebs-csi-driver",
        role: Some(&role),
        configuration: configuration(properties! {
            "controller": properties! {
                "extraVolumeTags": base.tags.as_ref().map(|tags| tags.accepted_by(Consumer::Volumes)),
                "tolerations": tolerations(),
            },
        }),
    };
    Ok(base.addon("ebs-csi", addon, &[cluster.system_nodes.clone(), right]))
}

/// The policy of the driver. The newer policy only covers volumes that the driver created, and is only
/// available in the `aws` partition.
fn driver_policy(cluster: &InstalledCluster) -> Output<String> {
    cluster.base.partition.name.clone().map(|partition| {
        let name = match partition.as_str() {
            "aws" => "AmazonEBSCSIDriverPolicyV2",
            _ => "service-role/AmazonEBSCSIDriverPolicy",
        };
        format!("arn:{partition}:iam::aws:policy/{name}")
    })
}

/// Since Kubernetes 1.30, AWS does not mark its class `gp2` as the default, so this is the only one. Without a
/// driver, AWS creates the volumes, and only its own nodes can mount them.
fn default_class(cluster: &InstalledCluster, driver: Option<&Resource>) {
    let (provisioner, topologies) = match driver {
        Some(_) => ("ebs.csi.aws.com", None),
        None => ("ebs.csi.eks.amazonaws.com", Some(nodes_of_auto_mode())),
    };
    let inputs = properties! {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": properties! { "name": "gp3", "annotations": properties! { "storageclass.kubernetes.io/is-default-class": "true" } },
        "provisioner": provisioner,
        "allowedTopologies": topologies,
        "volumeBindingMode": "WaitForFirstConsumer",
        "reclaimPolicy": "Delete",
        "allowVolumeExpansion": true,
        "parameters": properties! { "type": "gp3", "csi.storage.k8s.io/fstype": "ext4", "encrypted": "true" },
    };
    let options = cluster
        .in_cluster()
        .depends_on(driver)
        .deleted_with(&cluster.base.control_plane)
        .delete_before_replace(true);
    let name = cluster.base.name("gp3-storage-class");
    cluster
        .base
        .scope
        .register("kubernetes:storage.k8s.io/v1:StorageClass", name, inputs, options);
}

fn nodes_of_auto_mode() -> [Properties; 1] {
    let is_auto = properties! { "key": "eks.amazonaws.com/compute-type", "values": ["auto"] };
    [properties! { "matchLabelExpressions": [is_auto] }]
}
