//! Points 4, 5 and 6: inputs that are not known yet, secret, or invalid.

use serde_json::{Value, json};

use super::{CLUSTER, NODE_GROUP, optioned, resource, small, with};
use crate::engine::support::{Cloud, Outcome, tools};

/// A control plane that the program itself creates.
fn control_plane() -> Value {
    let inputs = json!({ "roleArn": "arn:aws:iam::123456789012:role/eks", "vpcConfig": { "subnetIds": ["subnet-1"] } });
    resource("aws:eks/cluster:Cluster", "ours", inputs)
}

#[tokio::test(flavor = "multi_thread")]
async fn inputs_may_come_from_resources_and_other_resources_after_the_component() {
    let tools = tools!("inputs_may_come_from_resources_and_other_resources_after_the_component");
    let cloud = Cloud::new(tools).await;
    let group = json!({
        "clusterName": { "from": "ours.name" },
        "subnetIds": ["subnet-1"],
        "tags": { "token": { "secret": "hunter2" } },
    });
    let role = json!({ "assumeRolePolicy": "{}" });
    let after = json!({ "dependsOn": ["web"] });
    cloud
        .list(&json!([
            control_plane(),
            resource(NODE_GROUP, "web", group),
            optioned("aws:iam/role:Role", "last", role, after),
        ]))
        .await;
    cloud.stack.preview().await.succeeded();
    cloud.stack.up().await.succeeded().never_says("hunter2");
    let state = cloud.state().await;
    let (nodes, ours) = (state.get("NodeGroup web-nodes"), state.get("Cluster ours"));
    assert_eq!(nodes["inputs"]["clusterName"], ours["outputs"]["name"]);
    let made_from = state.property_dependencies("NodeGroup web-nodes", "clusterName");
    assert_eq!(made_from, ["Cluster ours".to_owned()].into());
    assert!(
        nodes["inputs"]["tags"]["token"]["ciphertext"].is_string(),
        "{nodes}"
    );
    assert!(!cloud.stack.exported().await.contains("hunter2"));

    // Resources that depend on a component depend on everything in it.
    let begin = cloud.journal();
    assert!(begin.moment("create", "Role last") >= begin.moment("created", "NodeGroup web-nodes"));
    cloud.stack.destroy().await.succeeded();
    let end = cloud.journal();
    end.deleted_before(&["Role last"], "NodeGroup web-nodes");
    end.deleted_before(&["NodeGroup web-nodes"], "Cluster ours");
}

/// Values inside JSON texts, charts and objects, of two components.
#[tokio::test(flavor = "multi_thread")]
async fn own_values_of_children_may_be_secret_or_come_from_resources() {
    let tools = tools!("own_values_of_children_may_be_secret_or_come_from_resources");
    let mut cloud = Cloud::new(tools).await;
    let secret = |text: &str| json!({ "secret": text });
    let ours = || json!({ "from": "ours.name" });
    let children = json!({
        "coredns": { "configurationValues": { "replicaCount": 3, "note": secret("hunter2") } },
        "gp3-storage-class": { "parameters": { "tagSpecification_1": ours() } },
        "system-nodes": { "labels": { "origin": ours() } },
    });
    let of_nodes = json!({
        "nodeclass": { "spec": { "userData": secret("hunter2"), "tags": { "cluster": ours() } } },
        "nodepool": { "spec": { "limits": { "cpu": "10" } } },
    });
    let nodes = json!({
        "nodeRole": ours(), "diskSize": "50Gi", "subnetIds": ["subnet-1"], "securityGroupIds": ["sg-1"],
        "requirements": [], "children": of_nodes,
    });
    cloud
        .list(&json!([
            control_plane(),
            resource(CLUSTER, "main", small(json!({ "children": children }))),
            resource("clusterpkg:index:AutoscaledNodeGroup", "web", nodes),
        ]))
        .await;
    cloud.stack.preview().await.succeeded().never_says("hunter2");
    cloud.stack.up().await.succeeded().never_says("hunter2");
    let state = cloud.state().await;
    let name = &state.get("Cluster ours")["outputs"]["name"];
    for (child, path) in [
        (
            "StorageClass main-gp3-storage-class",
            "/inputs/parameters/tagSpecification_1",
        ),
        ("NodeGroup main-system-nodes", "/inputs/labels/origin"),
        ("EC2NodeClass web-nodeclass", "/inputs/spec/tags/cluster"),
    ] {
        assert_eq!(state.get(child).pointer(path), Some(name), "{child}");
    }
    for (child, path) in [
        ("Addon main-coredns", "/inputs/configurationValues/ciphertext"),
        ("EC2NodeClass web-nodeclass", "/inputs/spec/userData/ciphertext"),
    ] {
        assert!(state.get(child).pointer(path).is_some(), "{child}");
    }
    assert!(!cloud.stack.exported().await.contains("hunter2"));
    cloud.stack.is_settled().await;
    cloud.stack.destroy().await.succeeded();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_input_that_is_not_known_is_an_input_error() {
    let tools = tools!("a_plain_input_that_is_not_known_is_an_input_error");
    let cloud = Cloud::new(tools).await;
    let inputs = small(json!({ "letsEncryptEmail": { "from": "ours.name" } }));
    cloud
        .list(&json!([control_plane(), resource(CLUSTER, "main", inputs)]))
        .await;
    let refused = cloud.stack.preview().await.failed();
    refused.says("letsEncryptEmail").says("must be known");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_inputs_are_reported_all_at_once_by_their_paths_and_deprecated_ones_warn() {
    let tools = tools!("wrong_inputs_are_reported_all_at_once_by_their_paths_and_deprecated_ones_warn");
    let cloud = Cloud::new(tools).await;
    let wrong = with(json!({
        "clusterSubnetIds": [],
        "enableExternalIngress": true,
        "ingressConfig": { "controllerReplicas": 1 },
        "proxyIngressConfig": { "enableExternal": false, "controllerReplicas": 2 },
        "systemNodeMinCount": 3,
        "systemNodeMaxCount": 2,
    }));
    cloud.list(&json!([resource(CLUSTER, "main", wrong)])).await;
    let refused = cloud.stack.up().await.failed();
    let said = [
        "clusterSubnetIds",
        "enableExternalIngress",
        "proxyIngressConfig.enableExternal",
        "ingressConfig.controllerReplicas",
        "systemNodeMinCount",
    ];
    said.into_iter().fold(refused, Outcome::says);
    assert_eq!(
        cloud.journal().all("create").count(),
        0,
        "checked before anything is created"
    );

    let deprecated = with(json!({ "enableExternalIngress": false, "enableInternalIngress": false }));
    cloud.list(&json!([resource(CLUSTER, "main", deprecated)])).await;
    let warned = cloud.stack.preview().await.succeeded();
    warned
        .says("warning")
        .says("use proxyIngressConfig.enableExternal");
}
