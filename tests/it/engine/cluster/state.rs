//! Point 3: the state that the engine keeps of a component and its children.

use serde_json::json;

use super::{CLUSTER, resource, small};
use crate::engine::support::{Cloud, tools};

/// The key of objects in the state with a special meaning, and its values for secrets and for
/// references to resources.
const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
const REFERENCE: &str = "5cf8f73096256a8f31e491e813e4eb8e";

#[tokio::test(flavor = "multi_thread")]
async fn the_state_says_what_a_cluster_was_made_from_and_what_belongs_to_what() {
    let tools = tools!("the_state_says_what_a_cluster_was_made_from_and_what_belongs_to_what");
    let cloud = Cloud::new(tools).await;
    let inputs = small(json!({ "tags": { "owner": "me", "token": { "secret": "hunter2" } } }));
    cloud
        .list(&json!([resource(CLUSTER, "main", inputs.clone())]))
        .await;
    cloud.stack.up().await.succeeded();
    let state = cloud.state().await;
    let (component, control_plane) = (state.get("index:Cluster main"), state.get("cluster:Cluster main"));

    // The component: its inputs as the program gave them, its outputs as declared.
    assert_eq!(
        component["inputs"]["clusterSubnetIds"],
        inputs["clusterSubnetIds"]
    );
    assert_eq!(
        component["inputs"]["proxyIngressConfig"],
        inputs["proxyIngressConfig"]
    );
    let outputs = component["outputs"].as_object().unwrap();
    let names: Vec<_> = outputs.keys().collect();
    assert_eq!(
        names,
        [
            "clusterName",
            "clusterSecurityGroupId",
            "controlPlane",
            "kubeconfig",
            "oidcProvider",
            "systemNodes"
        ]
    );
    assert_eq!(outputs["clusterName"], control_plane["outputs"]["name"]);
    assert_eq!(outputs["controlPlane"][SIGNATURE], REFERENCE);
    assert_eq!(outputs["controlPlane"]["urn"], control_plane["urn"]);
    assert_eq!(outputs["controlPlane"]["id"], control_plane["id"]);

    // Secrets are kept secret: the kubeconfig, also in the provider, and values that the program marks as secret.
    let provider = state.get("kubernetes main-k8s-provider");
    for secret in [
        &outputs["kubeconfig"],
        &provider["inputs"]["kubeconfig"],
        &component["inputs"]["tags"]["token"],
        &control_plane["inputs"]["tags"]["token"],
        &control_plane["outputs"]["tags"]["token"],
    ] {
        assert_eq!(secret[SIGNATURE], SECRET, "{secret}");
    }
    assert_eq!(control_plane["inputs"]["tags"]["owner"], "me");
    let text = cloud.stack.exported().await;
    assert!(!text.contains("hunter2") && !text.contains("certificate-authority-data"));

    // The parents of resources.
    for (child, parent) in [
        ("Role main-cluster-role", "index:Cluster main"),
        (
            "RolePolicyAttachment main-cluster-policy",
            "Role main-cluster-role",
        ),
        ("cluster:Cluster main", "index:Cluster main"),
        ("Addon main-vpc-cni", "cluster:Cluster main"),
        ("AttachedNodeGroup main-system", "index:Cluster main"),
        ("NodeGroup main-system-nodes", "AttachedNodeGroup main-system"),
    ] {
        assert_eq!(state.get(child)["parent"], state.urn(parent), "{child}");
    }

    // The resources from whose outputs others were created.
    let after = state.dependencies("cluster:Cluster main");
    for needed in [
        "Role main-cluster-role",
        "RolePolicyAttachment main-cluster-policy-vpc",
    ] {
        assert!(after.contains(needed), "{after:?}");
    }
    let made_from = |property| state.property_dependencies("cluster:Cluster main", property);
    assert_eq!(made_from("roleArn"), ["Role main-cluster-role".to_owned()].into());
    assert_eq!(
        made_from("encryptionConfig"),
        ["Key main-cluster-kms-key".to_owned()].into()
    );
    assert_eq!(made_from("vpcConfig"), [].into());

    // The providers of resources: the cloud's default provider, and the cluster's own for objects inside it.
    for resource in &state.resources {
        let kind = resource["type"].as_str().unwrap();
        let manager = resource["provider"].as_str().unwrap_or_default();
        if kind.starts_with("aws:") {
            assert!(
                manager.contains("pulumi:providers:aws::default_7_48_0::"),
                "{kind}: {manager}"
            );
        } else if kind.starts_with("kubernetes:") {
            assert!(
                manager.starts_with(provider["urn"].as_str().unwrap()),
                "{kind}: {manager}"
            );
        }
    }
}
