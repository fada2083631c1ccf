//! Sizes of node groups from one update to the next.

use serde_json::{Value, json};

use super::{CLUSTER, NODE_GROUP, node_group, resource, small};
use crate::engine::support::{Cloud, tools};

/// The last scaling configuration of the group.
async fn scaling(cloud: &Cloud, group: &str) -> Value {
    cloud.state().await.get(group)["inputs"]["scalingConfig"].clone()
}

/// The cloud rejects a minimum above the desired size.
#[tokio::test(flavor = "multi_thread")]
async fn raising_the_minimum_of_system_nodes_is_one_update() {
    let tools = tools!("raising_the_minimum_of_system_nodes_is_one_update");
    let cloud = Cloud::new(tools).await;
    let cluster = |more: Value| json!([resource(CLUSTER, "main", small(more))]);
    cloud.list(&cluster(json!({}))).await;
    cloud.stack.up().await.succeeded();
    cloud.list(&cluster(json!({ "systemNodeMinCount": 2 }))).await;
    cloud.stack.up().await.succeeded();
    let sent = scaling(&cloud, "NodeGroup main-system-nodes").await;
    assert_eq!(sent, json!({ "minSize": 2, "desiredSize": 2, "maxSize": 10 }));
    cloud.stack.destroy().await.succeeded();
}

/// An attached group keeps the size that an autoscaler set, unless the program states that it has no autoscaler.
#[tokio::test(flavor = "multi_thread")]
async fn the_size_of_an_attached_group_changes_only_where_nothing_scales_it() {
    let tools = tools!("the_size_of_an_attached_group_changes_only_where_nothing_scales_it");
    let cloud = Cloud::new(tools).await;
    let group = |size: u32, more: Value| {
        let mut inputs = node_group();
        inputs["scalingConfig"] = json!({ "minSize": 1, "desiredSize": size, "maxSize": 5 });
        inputs
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!([resource(NODE_GROUP, "web", inputs)])
    };
    cloud.list(&group(1, json!({}))).await;
    cloud.stack.up().await.succeeded();
    cloud.list(&group(3, json!({}))).await;
    cloud.stack.up().await.succeeded();
    assert_eq!(scaling(&cloud, "NodeGroup web-nodes").await["desiredSize"], 1);
    cloud.list(&group(3, json!({ "ignoreDesiredSize": false }))).await;
    cloud.stack.up().await.succeeded();
    assert_eq!(scaling(&cloud, "NodeGroup web-nodes").await["desiredSize"], 3);
    cloud.stack.destroy().await.succeeded();
}
