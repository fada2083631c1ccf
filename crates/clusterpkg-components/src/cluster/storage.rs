//! Volumes: the driver and the storage classes.

use pulumi_plugin::components::{Output, Resource, properties};

use crate::aws;
use crate::cluster::foundation::{Addon, Ground, NAMESPACE, configuration, tolerations};

/// Registers the driver and the default class `gp3`. Returns the driver.
pub(super) fn install(ground: &Ground) -> Resource {
    let base = &ground.base;
    let role = base.service_account_role("ebs-csi-role", NAMESPACE, "ebs-csi-controller-sa");
    let right = aws::attach(
        &base.scope,
        base.name("ebs-csi-policy"),
        &role,
        driver_policy(ground),
    );
    let addon = Addon {
        name: "aws-ebs-csi-driver",
        role: Some(&role),
        configuration: configuration(properties! {
            "controller": properties! {
                "extraVolumeTags": base.tags.clone(),
                "tolerations": tolerations(),
            },
        }),
    };
    let driver = base.addon("ebs-csi", addon, &[ground.system_nodes.clone(), right]);
    default_class(ground, &driver);
    former_default_class(ground);
    driver
}

/// The policy of the driver. The newer policy only covers volumes that the driver created, and is only
/// available in the `aws` partition.
fn driver_policy(ground: &Ground) -> Output<String> {
    ground.base.partition.name.clone().map(|partition| {
        let name = match partition.as_str() {
            "aws" => "AmazonEBSCSIDriverPolicyV2",
            _ => "service-role/AmazonEBSCSIDriverPolicy",
        };
        format!("arn:{partition}:iam::aws:policy/{name}")
    })
}

fn default_class(ground: &Ground, driver: &Resource) {
    let inputs = properties! {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": properties! { "name": "gp3", "annotations": properties! { "storageclass.kubernetes.io/is-default-class": "true" } },
        "provisioner": "ebs.csi.aws.com",
        "volumeBindingMode": "WaitForFirstConsumer",
        "reclaimPolicy": "Delete",
        "allowVolumeExpansion": true,
        "parameters": properties! { "type": "gp3", "csi.storage.k8s.io/fstype": "ext4", "encrypted": "true" },
    };
    let options = ground
        .in_cluster()
        .depends_on([driver])
        .deleted_with(&ground.base.control_plane)
        .delete_before_replace(true);
    let name = ground.base.name("gp3-storage-class");
    ground
        .base
        .scope
        .register("kubernetes:storage.k8s.io/v1:StorageClass", name, inputs, options);
}

/// Patches the existing class `gp2`, so that it is no longer the default.
fn former_default_class(ground: &Ground) {
    let annotations = properties! { "storageclass.kubernetes.io/is-default-class": "false", "pulumi.com/patchForce": "true" };
    let inputs = properties! {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": properties! { "name": "gp2", "annotations": annotations },
    };
    let options = ground.in_cluster().deleted_with(&ground.base.control_plane);
    let name = ground.base.name("gp2-storage-class");
    ground.base.scope.register(
        "kubernetes:storage.k8s.io/v1:StorageClassPatch",
        name,
        inputs,
        options,
    );
}
