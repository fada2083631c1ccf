//! `Cluster`: what comes before what, and through which provider.

use std::collections::BTreeSet;

use clusterpkg_components::Cluster;
use pulumi_plugin::components::Registration;
use serde_json::json;

use crate::cluster::{everything, with};
use crate::stage::{Shown, stage};

#[tokio::test]
async fn everything_comes_after_what_it_needs() {
    let shown = stage().show::<Cluster>(everything()).await;
    for (kind, name, needs) in [
        (
            "/cluster:Cluster",
            "main",
            &[
                "main-cluster-policy",
                "main-cluster-policy-vpc",
                "main-cluster-policy-kms",
            ][..],
        ),
        (
            ":Addon",
            "main-vpc-cni",
            &["main-vpc-cni-policy", "main-vpc-cni-logs-policy"],
        ),
        (
            ":NodeGroup",
            "main-system-nodes",
            &["main-vpc-cni", "main-kube-proxy", "main-admin-policy"],
        ),
        // The provider reads the API once, and the administrator's entry takes effect a while after it is made.
        (
            ":kubernetes",
            "main-k8s-provider",
            &["main", "main-admin-policy", "main-system-nodes"],
        ),
        (
            ":Release",
            "main-aws-auth",
            &["main-system-nodes", "main-iam-identity-mapping-crd"],
        ),
        (":Addon", "main-coredns", &["main-system-nodes"]),
        (
            ":Addon",
            "main-ebs-csi",
            &["main-system-nodes", "main-ebs-csi-policy"],
        ),
        (":StorageClass", "main-gp3-storage-class", &["main-ebs-csi"]),
        (
            ":Release",
            "main-nginx-ext",
            &["main-system-nodes", "main-coredns", "main-ebs-csi"],
        ),
        (
            ":Release",
            "main-external-dns",
            &["main-system-nodes", "main-external-dns-policy"],
        ),
        (
            ":Release",
            "main-cert-manager",
            &["main-system-nodes", "main-cert-manager-policy"],
        ),
        (":ClusterIssuer", "main-cluster-issuer", &["main-cert-manager"]),
        (
            ":Addon",
            "main-monitoring",
            &["main-system-nodes", "main-monitoring-agent-policy"],
        ),
        (":Addon", "main-otel", &["main-system-nodes", "main-cert-manager"]),
        (
            ":Release",
            "main-autoscaler",
            &[
                "main-autoscaler-crds",
                "main-system-nodes",
                "main-autoscaler-events-policy",
                "main-spot-interrupt",
                "main-autoscaler-node-worker-policy",
                "main-autoscaler-node-access",
                "main-autoscaler-nodes",
            ],
        ),
    ] {
        let after = shown.after(kind, name);
        let missing: Vec<_> = needs
            .iter()
            .filter(|need| !after.iter().any(|name| name == *need))
            .collect();
        assert_eq!(missing, Vec::<&&str>::new(), "{name}");
    }
}

/// A node group that is made from the role then goes before the autoscaler that has to end its machines.
#[tokio::test]
async fn what_is_made_from_the_role_of_autoscaled_nodes_comes_after_the_autoscaler() {
    let shown = stage().show::<Cluster>(with(json!({}))).await;
    let from = &shown.made.state_dependencies["nodeAutoscalerNodeRole"];
    let names: Vec<_> = from.iter().map(|urn| urn.parts().unwrap().name).collect();
    assert_eq!(names, ["main-autoscaler-node-role", "main-autoscaler"]);
}

/// Nodes of a group that is given the name then go before the network that they need.
#[tokio::test]
async fn what_is_made_from_the_name_of_a_cluster_comes_after_its_network() {
    let shown = stage().show::<Cluster>(with(json!({}))).await;
    let from = &shown.made.state_dependencies["clusterName"];
    let names: BTreeSet<_> = from.iter().map(|urn| urn.parts().unwrap().name).collect();
    assert_eq!(
        names,
        ["main", "main-admin-policy", "main-kube-proxy", "main-vpc-cni"].into()
    );
}

/// Objects of the cluster that are not managed through the cluster's own provider.
pub(crate) fn strays(shown: &Shown) -> Vec<&str> {
    let objects = shown
        .record
        .registrations
        .iter()
        .filter(|r| r.token.starts_with("kubernetes:"));
    let own = |urn: &str| urn.ends_with("::main-k8s-provider");
    let stray = objects.filter(|r| {
        !r.provider
            .as_ref()
            .is_some_and(|provider| own(provider.urn.as_str()))
    });
    stray.map(|r| r.name.as_str()).collect()
}

/// Resources and calls that do not use the explicit AWS provider of the program.
pub(crate) fn ungiven(shown: &Shown) -> Vec<&str> {
    let of_cloud = shown
        .record
        .registrations
        .iter()
        .filter(|r| r.token.starts_with("aws:"));
    let resources = of_cloud.map(|r| (r.name.as_str(), &r.provider));
    let calls = shown
        .record
        .calls
        .iter()
        .map(|call| (call.token.as_str(), &call.provider));
    let given = |urn: &str| urn.ends_with("::pulumi:providers:aws::given");
    resources
        .chain(calls)
        .filter(|(_, provider)| {
            !provider
                .as_ref()
                .is_some_and(|provider| given(provider.urn.as_str()))
        })
        .map(|(name, _)| name)
        .collect()
}

#[tokio::test]
async fn every_call_is_made_on_behalf_of_the_component() {
    let shown = stage().show::<Cluster>(everything()).await;
    let strangers = shown.record.calls.iter().filter(|call| call.parent.is_none());
    assert_eq!(
        strangers.map(|call| call.token.as_str()).collect::<Vec<_>>(),
        [""; 0]
    );
}

/// So that a second preview is empty, and nothing depends on the day or on chance.
#[tokio::test]
async fn the_same_program_registers_the_same_in_the_same_order() {
    let registered = async || {
        let shown = stage().show::<Cluster>(everything()).await;
        let Shown { record, .. } = shown;
        record.registrations
    };
    let (first, second): (Vec<Registration>, Vec<Registration>) = (registered().await, registered().await);
    assert_eq!(first, second);
}

/// Charts without a version are looked up at every preview, and differ from day to day; releases without a name have
/// one that is too long for some charts.
#[tokio::test]
async fn every_chart_is_pinned_named_and_given_time() {
    let shown = stage().show::<Cluster>(everything()).await;
    let releases = shown
        .record
        .registrations
        .iter()
        .filter(|r| r.token.ends_with(":Release"));
    let mut count = 0;
    for release in releases {
        let inputs = crate::oracle::plain(&release.inputs);
        let version = inputs["version"].as_str().unwrap().trim_start_matches('v');
        assert_eq!(version.split('.').count(), 3, "{}: {version}", release.name);
        assert!(
            inputs["name"].is_string() && inputs["namespace"] == "kube-system",
            "{}",
            release.name
        );
        assert_eq!(inputs["timeout"], 600, "{}", release.name);
        assert_eq!(inputs.get("skipAwait"), None, "{}", release.name);
        count += 1;
    }
    assert_eq!(count, 9);
}

/// The controller looks at mappings that are there, every 15 minutes, and then drops those that are gone. Without one
/// that stays, the last mapping of a program would never be revoked.
#[tokio::test]
async fn a_cluster_keeps_a_mapping_of_its_own_that_grants_nothing() {
    let shown = stage().show::<Cluster>(everything()).await;
    let mapping = shown.inputs(":IAMIdentityMapping", "main-own-role-mapping");
    assert_eq!(mapping["spec"]["groups"], json!([]));
    assert_eq!(
        mapping["spec"]["arn"],
        shown.inputs("/cluster:Cluster", "main")["roleArn"]
    );
    assert_eq!(mapping["metadata"]["name"], "clusterpkg-cluster");
    assert_eq!(
        shown.after(":IAMIdentityMapping", "main-own-role-mapping")[0],
        "main"
    );
}

/// Roles let nodes in by access entries, which need no controller.
#[tokio::test]
async fn nothing_of_the_package_needs_a_role_mapping() {
    let shown = stage().show::<Cluster>(everything()).await;
    let mapping =
        |r: &&Registration| r.token.ends_with("IamRoleMapping") || r.token.ends_with("IAMIdentityMapping");
    let mappings = shown.record.registrations.iter().filter(mapping);
    let names: Vec<_> = mappings.map(|r| r.name.as_str()).collect();
    assert_eq!(names, ["main-own-role-mapping"]);
    let nodes = shown.inputs(":AccessEntry", "main-autoscaler-node-access");
    assert_eq!(nodes["type"], "EC2_LINUX");
}

/// The flag that makes its creator an administrator cannot be changed later, so it is always said.
#[tokio::test]
async fn who_creates_a_cluster_gets_in_by_an_entry_of_its_own() {
    for principal in [
        json!({}),
        json!({ "adminAccessPrincipal": "arn:aws:iam::123456789012:role/deployer" }),
    ] {
        let shown = stage().show::<Cluster>(with(principal)).await;
        let access = &shown.inputs("/cluster:Cluster", "main")["accessConfig"];
        assert_eq!(access["bootstrapClusterCreatorAdminPermissions"], false);
        assert_eq!(access["authenticationMode"], "API_AND_CONFIG_MAP");
    }
}

/// Without the object types, the claims of running machines would be deleted with them.
#[tokio::test]
async fn the_object_types_of_the_autoscaler_stay_until_the_control_plane_is_deleted() {
    let shown = stage().show::<Cluster>(everything()).await;
    let values = shown.inputs(":Release", "main-autoscaler-crds")["values"].clone();
    assert_eq!(
        values,
        json!({ "additionalAnnotations": { "helm.sh/resource-policy": "keep" } })
    );
    let deleted_with = shown
        .child(":Release", "main-autoscaler-crds")
        .deleted_with
        .as_ref();
    assert_eq!(deleted_with.unwrap().parts().unwrap().name, "main");
}
