//! Tests of options of the engine that disable kinds of values and parts of a stack.

use std::collections::BTreeSet;

use serde_json::json;

use super::{CLUSTER, NODE_GROUP, node_group, resource, small};
use crate::engine::support::{Cloud, tools};

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_does_without_references_and_outputs_among_values() {
    let tools = tools!("a_cluster_does_without_references_and_outputs_among_values");
    let mut cloud = Cloud::new(tools).await;
    cloud
        .list(&json!([resource(CLUSTER, "main", small(json!({})))]))
        .await;
    cloud.stack.set("PULUMI_DISABLE_RESOURCE_REFERENCES", "true");
    cloud.stack.set("PULUMI_DISABLE_OUTPUT_VALUES", "true");
    cloud.stack.preview().await.succeeded();
    cloud.stack.up().await.succeeded();
    cloud.stack.is_settled().await;
    cloud.stack.destroy().await.succeeded();
}

#[tokio::test(flavor = "multi_thread")]
async fn one_child_alone_can_be_updated() {
    let tools = tools!("one_child_alone_can_be_updated");
    let mut cloud = Cloud::new(tools).await;
    let group = |owner: &str| {
        let mut inputs = node_group();
        inputs["tags"] = json!({ "owner": owner });
        json!([resource(NODE_GROUP, "web", inputs)])
    };
    let role = BTreeSet::from(["Role web-node-role".to_owned()]);
    // At first there are no other resources, so the outputs of the others are not known.
    cloud.list(&group("me")).await;
    let targets = vec![
        "--target=**index:AttachedNodeGroup::web",
        "--target=**web-node-role",
    ];
    cloud.stack.options.clone_from(&targets);
    cloud.stack.up().await.succeeded();
    assert_eq!(cloud.journal().names("created"), role);

    cloud.stack.options.clear();
    cloud.stack.up().await.succeeded();
    let rest = cloud.journal();
    assert!(rest.names("created").contains("NodeGroup web-nodes"));

    cloud.list(&group("you")).await;
    cloud.stack.options = targets;
    cloud.stack.up().await.succeeded();
    let later = cloud.journal();
    assert_eq!(later.names("updated"), role);
    assert_eq!(later.names("create"), [].into());
}
