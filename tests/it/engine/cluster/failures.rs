//! Point 10: children that are slow or fail.

use serde_json::{Value, json};

use super::{CLUSTER, NODE_GROUP, node_group, resource, small};
use crate::engine::support::{Cloud, Outcome, tools, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_child_is_named_and_leaves_a_stack_that_can_go_on_or_end() {
    let tools = tools!("a_failed_child_is_named_and_leaves_a_stack_that_can_go_on_or_end");
    let mut cloud = Cloud::new(tools).await;
    cloud
        .list(&json!([resource(CLUSTER, "main", small(json!({})))]))
        .await;
    cloud.stack.set("STAND_IN_FAIL", "main-system-nodes");
    let failed = cloud.stack.up().await.failed();
    failed
        .says("main-system-nodes")
        .says("the quota is exceeded")
        .never_says("bug")
        .never_says("panic");
    let journal = cloud.journal();
    assert_eq!(
        journal.names("failed"),
        ["NodeGroup main-system-nodes".to_owned()].into()
    );
    // What exists is known to the engine.
    let state = cloud.state().await;
    assert!(journal.names("created").is_subset(&state.names()));

    cloud.stack.set("STAND_IN_FAIL", "");
    cloud.stack.up().await.succeeded();
    let again = cloud.journal();
    assert_eq!(
        again
            .names("created")
            .intersection(&journal.names("created"))
            .count(),
        0,
        "nothing is made twice"
    );
    cloud.stack.is_settled().await;

    cloud.stack.destroy().await.succeeded();
    assert!(cloud.state().await.resources.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_need_a_failed_child_is_made_when_the_user_wants_to_continue() {
    let tools = tools!("what_does_not_need_a_failed_child_is_made_when_the_user_wants_to_continue");
    let mut cloud = Cloud::new(tools).await;
    cloud
        .list(&json!([resource(CLUSTER, "main", small(json!({})))]))
        .await;
    cloud.stack.set("STAND_IN_FAIL", "main-system-nodes");
    cloud.stack.options = vec!["--continue-on-error"];
    let failed = cloud.stack.up().await.failed();
    failed.says("the quota is exceeded").never_says("bug");
    let journal = cloud.journal();
    let made = journal.names("created");
    // A sibling is made although it starts later; what runs on nodes is not.
    assert!(made.contains("Role main-ebs-csi-role"), "{made:?}");
    assert!(!made.contains("Addon main-coredns"), "{made:?}");

    cloud.stack.set("STAND_IN_FAIL", "");
    cloud.stack.options.clear();
    cloud.stack.up().await.succeeded();
    cloud.stack.destroy().await.succeeded();
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_control_plane_a_cluster_is_incomplete_and_the_rest_is_made() {
    let tools = tools!("without_its_control_plane_a_cluster_is_incomplete_and_the_rest_is_made");
    let mut cloud = Cloud::new(tools).await;
    let listed = |tags: Value| {
        let apart = json!({ "assumeRolePolicy": "{}" });
        json!([
            resource(CLUSTER, "main", small(json!({ "tags": tags }))),
            resource("aws:iam/role:Role", "apart", apart),
        ])
    };
    cloud.list(&listed(json!({}))).await;
    cloud.stack.set("STAND_IN_FAIL", "main");
    cloud.stack.options = vec!["--continue-on-error"];
    let incomplete = r#"resources failed that others depend on: aws:eks/cluster:Cluster "main""#;
    let said_once = |failed: Outcome| {
        failed
            .says("the quota is exceeded")
            .says(incomplete)
            .never_says("is required")
            .never_says("Missing required")
            .never_says("the operation was cancelled")
            .never_says("bug");
    };
    said_once(cloud.stack.up().await.failed());
    let made = cloud.journal().names("created");
    for expected in ["Role apart", "Role main-cluster-role"] {
        assert!(made.contains(expected), "no {expected} in {made:?}");
    }
    assert!(!made.contains("NodeGroup main-system-nodes"), "{made:?}");

    cloud.stack.set("STAND_IN_FAIL", "");
    cloud.stack.up().await.succeeded();
    cloud.journal();
    // What is not registered for want of it stays as it is.
    cloud.list(&listed(json!({ "team": "platform" }))).await;
    cloud.stack.set("STAND_IN_FAIL", "main");
    said_once(cloud.stack.up().await.failed());
    let journal = cloud.journal();
    assert_eq!(journal.names("failed"), ["Cluster main".to_owned()].into());
    assert_eq!(journal.names("delete"), [].into());
}

#[tokio::test(flavor = "multi_thread")]
async fn siblings_of_a_slow_child_are_made_beside_it() {
    let tools = tools!("siblings_of_a_slow_child_are_made_beside_it");
    let mut cloud = Cloud::new(tools).await;
    cloud
        .list(&json!([resource(NODE_GROUP, "web", node_group())]))
        .await;
    cloud.stack.set("STAND_IN_DELAY_MS", "500");
    cloud.stack.set("STAND_IN_SLOW", "web-node-ssm-policy=6");
    cloud.stack.up().await.succeeded();
    let journal = cloud.journal();
    let policy = |name: &str| format!("RolePolicyAttachment web-node-{name}-policy");
    let slow = journal.moment("created", &policy("ssm"));
    for sibling in ["worker", "ecr"] {
        assert!(journal.moment("created", &policy(sibling)) < slow, "{sibling}");
    }
    assert!(journal.moment("create", "NodeGroup web-nodes") >= slow);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_ends_the_construction_and_leaves_no_process() {
    let tools = tools!("an_interrupt_ends_the_construction_and_leaves_no_process");
    let mut cloud = Cloud::new(tools).await;
    cloud
        .list(&json!([resource(NODE_GROUP, "web", node_group())]))
        .await;
    cloud.stack.set("STAND_IN_DELAY_MS", "10");
    cloud.stack.set("STAND_IN_SLOW", "web-node-ssm-policy=60000");
    let command = cloud
        .stack
        .start(&["up", "--yes", "--skip-preview", "--non-interactive"]);
    let slow = "RolePolicyAttachment web-node-ssm-policy";
    let begun = || cloud.glance().names("create").contains(slow);
    until("begun with the slow one", begun).await;
    let output = cloud.stack.interrupt(command).await;
    assert!(!output.status.success());
    assert_eq!(cloud.stack.processes(), [""; 0], "processes are left");
    assert!(!cloud.glance().names("create").contains("NodeGroup web-nodes"));

    // The state contains what was created, and the engine continues from there.
    cloud.stack.set("STAND_IN_SLOW", "");
    cloud.stack.up().await.succeeded();
    cloud.stack.destroy().await.succeeded();
}
