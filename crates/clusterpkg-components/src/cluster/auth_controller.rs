//! The controller of `IamRoleMapping`, its object type, and a mapping that triggers it (decision cluster-access).

use pulumi_plugin::components::{Resource, properties};

use crate::cluster::foundation::{InstalledCluster, Release, tolerations};
use crate::cluster::inputs::ClusterInputs;
use crate::iam_role_mapping::{API_VERSION, KIND};
use crate::versions;

/// Name of the cluster's own mapping, and of the user in it.
const OWN_MAPPING: &str = "clusterpkg-cluster";

/// Registers the object type, the controller and the cluster's own mapping, if enabled.
pub(super) fn install(cluster: &InstalledCluster, inputs: &ClusterInputs) {
    if !*inputs.enable_iam_auth_controller.get() {
        warn_of_unused(cluster, inputs);
        return;
    }
    warn_of_mode(cluster, inputs);
    let crd = object_type(cluster);
    let version = inputs.cluster_iam_auth_controller_version();
    let values =
        properties! { "image": inputs.iam_auth_controller_image.clone(), "tolerations": tolerations() };
    let mut release = Release::new("iam-auth-controller", versions::AUTH_CONTROLLER, version, values);
    // The chart contains the object type as well.
    release.skip_crds = Some(true);
    let options = cluster
        .in_cluster()
        .depends_on([&crd])
        .deleted_with(&cluster.base.control_plane);
    cluster.release("aws-auth", release, options);
    own_mapping(cluster, &crd);
}

/// Warns if the cluster ignores the mappings of the controller.
fn warn_of_mode(cluster: &InstalledCluster, inputs: &ClusterInputs) {
    cluster.base.scope.warn_if(inputs.authentication_mode.clone().map(|mode| {
        (mode == "API").then(|| {
            "the IAM auth controller has no effect because authenticationMode is API; set enableIamAuthController to false"
                .to_owned()
        })
    }));
}

/// Warns about inputs of the controller that have no effect without it.
fn warn_of_unused(cluster: &InstalledCluster, inputs: &ClusterInputs) {
    for (path, is_set) in [
        (
            "clusterIamAuthControllerVersion",
            inputs.cluster_iam_auth_controller_version.is_some(),
        ),
        (
            "iamAuthControllerImage",
            inputs.iam_auth_controller_image.is_some(),
        ),
    ] {
        if is_set {
            let reason = "has no effect because enableIamAuthController is false";
            cluster.base.scope.warn(format!("{path} {reason}"));
        }
    }
}

/// A mapping that grants nothing. The controller does not react to deletions: it removes deleted mappings
/// when it next processes any existing mapping, every 15 minutes. Without this one, the last mapping of a
/// program would never be removed.
fn own_mapping(cluster: &InstalledCluster, crd: &Resource) {
    let inputs = properties! {
        "apiVersion": API_VERSION,
        "kind": KIND,
        "metadata": properties! { "name": OWN_MAPPING },
        "spec": properties! {
            // Only an AWS service can assume this role, and it never authenticates to the cluster.
            "arn": cluster.base.control_plane.output::<String>("roleArn"),
            "username": OWN_MAPPING,
            "groups": Vec::<String>::new(),
        },
    };
    let options = cluster
        .in_cluster()
        .depends_on([crd])
        .deleted_with(&cluster.base.control_plane);
    let name = cluster.base.name("own-role-mapping");
    let token = format!("kubernetes:{API_VERSION}:{KIND}");
    cluster.base.scope.register(&token, name, inputs, options);
}

fn object_type(cluster: &InstalledCluster) -> Resource {
    let (group, version) = API_VERSION.split_once('/').expect("the constant has both");
    let text = || properties! { "type": "string" };
    let spec = properties! {
        "type": "object",
        "required": ["arn", "username"],
        "properties": properties! {
            "arn": text(),
            "username": text(),
            "groups": properties! { "type": "array", "items": text() },
        },
    };
    let schema = properties! { "type": "object", "properties": properties! { "spec": spec } };
    let inputs = properties! {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": properties! { "name": format!("iamidentitymappings.{group}") },
        "spec": properties! {
            "group": group,
            "scope": "Cluster",
            "names": properties! {
                "plural": "iamidentitymappings",
                "singular": "iamidentitymapping",
                "kind": KIND,
                "categories": ["all"],
            },
            "versions": [properties! {
                "name": version,
                "served": true,
                "storage": true,
                "schema": properties! { "openAPIV3Schema": schema },
            }],
        },
    };
    let options = cluster.in_cluster().deleted_with(&cluster.base.control_plane);
    let name = cluster.base.name("iam-identity-mapping-crd");
    let token = "kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition";
    cluster.base.scope.register(token, name, inputs, options)
}
