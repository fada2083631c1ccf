//! Deletions that are refused: by the engine before the first one, or by the cloud in the middle.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{CLUSTER, resource, small, with};
use crate::engine::support::{Cloud, tools};

const PAGE: &str = include_str!("../../../../docs/operating-clusters.md");

fn cluster(more: Value) -> Value {
    json!([resource(CLUSTER, "main", small(more))])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_protected_cluster_is_refused_before_anything_is_deleted() {
    let tools = tools!("a_protected_cluster_is_refused_before_anything_is_deleted");
    let cloud = Cloud::new(tools).await;
    let entry = json!({ "principalArn": "arn:aws:iam::123456789012:role/ops", "groups": ["ops"] });
    let protected = |entries: Value| cluster(json!({ "deletionProtection": true, "accessEntries": entries }));
    cloud.list(&protected(json!({ "ops": entry }))).await;
    cloud.stack.up().await.succeeded();
    assert_eq!(
        cloud.state().await.get("cluster:Cluster main")["inputs"]["deletionProtection"],
        true
    );
    cloud.journal();
    // The engine finds protected resources in the preview.
    let destroy = ["destroy", "--yes", "--non-interactive", "--color=never"];
    cloud.stack.run(&destroy).await.failed().says("protect");
    assert_eq!(cloud.journal().names("delete"), [].into());

    // Only the control plane is protected, so access can be revoked.
    cloud.list(&protected(json!({}))).await;
    cloud.stack.up().await.succeeded();
    assert_eq!(
        cloud.journal().names("deleted"),
        ["AccessEntry main-access-ops".to_owned()].into()
    );

    cloud.list(&cluster(json!({ "deletionProtection": false }))).await;
    cloud.stack.up().await.succeeded();
    cloud.stack.destroy().await.succeeded();
    assert!(cloud.state().await.resources.is_empty());
}

/// Objects that end with the control plane leave the state before the cloud refuses to delete it.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_deletion_that_the_cloud_refuses_the_commands_of_the_page_help() {
    let tools = tools!("after_a_deletion_that_the_cloud_refuses_the_commands_of_the_page_help");
    let mut cloud = Cloud::new(tools).await;
    let everything = with(json!({
        "enableGatewayApi": true, "enableLoadBalancerController": true, "letsEncryptEmail": "ops@example.com",
        "proxyIngressConfig": { "enableExternal": false, "enableInternal": false },
    }));
    cloud.list(&json!([resource(CLUSTER, "main", everything)])).await;
    cloud.stack.up().await.succeeded();
    let before = cloud.state().await;
    cloud.journal();
    cloud.stack.set("STAND_IN_KEEP", "main");
    cloud.stack.destroy().await.failed().says("nodegroups attached");
    let (left, deleted) = (cloud.state().await.names(), cloud.journal().names("deleted"));
    let kept: Vec<_> = before
        .names()
        .into_iter()
        .filter(|name| !left.contains(name) && !deleted.contains(name))
        .filter(|name| {
            before.get(name)["type"]
                .as_str()
                .unwrap()
                .starts_with("kubernetes:")
        })
        .map(|name| before.get(&name)["id"].as_str().unwrap().to_owned())
        .collect();
    // Objects are taken over by the provider, and releases after the command, which deletes their records.
    let upserts = &before.get("kubernetes main-k8s-provider")["inputs"]["upsertExistingObjects"];
    assert_eq!(upserts, true);
    let releases: BTreeSet<_> = kept
        .iter()
        .filter_map(|id| id.strip_prefix("kube-system/"))
        .collect();
    let (_, command) = PAGE.split_once("name in (").unwrap();
    let (listed, _) = command.split_once(')').unwrap();
    assert_eq!(listed.split(',').collect::<BTreeSet<_>>(), releases);

    cloud.stack.set("STAND_IN_KEEP", "");
    cloud.stack.set("STAND_IN_TAKEN", kept.join(","));
    cloud.stack.up().await.failed().says("still in use");
    cloud.stack.set("STAND_IN_TAKEN", "");
    cloud.stack.up().await.succeeded();
    cloud.stack.is_settled().await;
    assert_eq!(cloud.state().await.names(), before.names());
    cloud.stack.destroy().await.succeeded();
}

/// What the cloud keeps if a property is absent is sent explicitly.
#[tokio::test(flavor = "multi_thread")]
async fn inputs_that_are_removed_have_their_defaults_and_replace_nothing() {
    let tools = tools!("inputs_that_are_removed_have_their_defaults_and_replace_nothing");
    let mut cloud = Cloud::new(tools).await;
    let entry = |more: Value| {
        let mut entry = json!({ "principalArn": "arn:aws:iam::123456789012:role/ops", "policies": ["AmazonEKSViewPolicy"] });
        entry
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!({ "ops": entry })
    };
    let set = json!({
        "accessEntries": entry(json!({ "groups": ["ops"] })),
        "clusterEndpointPrivateAccess": true,
        "deletionProtection": true,
        "enableZonalShift": true,
        "endpointPublicAccessCidrs": ["203.0.113.0/24"],
        "repairSystemNodes": true,
        "upgradePolicy": "STANDARD",
        "vpcCniConfig": { "enableNetworkPolicy": true },
    });
    cloud.list(&cluster(set)).await;
    cloud.stack.up().await.succeeded();
    cloud.journal();
    cloud
        .list(&cluster(json!({ "accessEntries": entry(json!({})) })))
        .await;
    cloud.stack.up().await.succeeded();
    let (state, journal) = (cloud.state().await, cloud.journal());
    assert_eq!(journal.names("delete"), [].into());
    assert_eq!(journal.names("create"), [].into());
    let inputs = |name: &str, path: &str| state.get(name)["inputs"].pointer(path).cloned();
    for (child, path, default) in [
        (
            "cluster:Cluster main",
            "/vpcConfig/publicAccessCidrs",
            json!(["0.0.0.0/0"]),
        ),
        (
            "cluster:Cluster main",
            "/vpcConfig/endpointPrivateAccess",
            json!(false),
        ),
        ("cluster:Cluster main", "/zonalShiftConfig/enabled", json!(false)),
        (
            "cluster:Cluster main",
            "/upgradePolicy/supportType",
            json!("EXTENDED"),
        ),
        ("cluster:Cluster main", "/deletionProtection", json!(false)),
        (
            "NodeGroup main-system-nodes",
            "/nodeRepairConfig/enabled",
            json!(false),
        ),
        ("AccessEntry main-access-ops", "/kubernetesGroups", json!([])),
        ("Addon main-vpc-cni", "/configurationValues", json!("{}")),
    ] {
        assert_eq!(inputs(child, path), Some(default), "{child} {path}");
    }
    cloud.stack.is_settled().await;
    cloud.stack.destroy().await.succeeded();
}
