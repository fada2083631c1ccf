//! Point 11: outputs that are resources, used by others, in a typical program.

use serde_json::json;

use super::{SERVICE_ACCOUNT_ROLE, resource, service_account};
use crate::engine::support::{Cloud, State, tools};

#[tokio::test(flavor = "multi_thread")]
async fn outputs_of_children_are_nested_as_deep_as_protobuf_allows() {
    let tools = tools!("outputs_of_children_are_nested_as_deep_as_protobuf_allows");
    let mut cloud = Cloud::new(tools).await;
    cloud
        .list(&json!([resource(
            SERVICE_ACCOUNT_ROLE,
            "orders",
            service_account()
        )]))
        .await;
    cloud.stack.set("STAND_IN_NESTED", "30");
    cloud.stack.up().await.succeeded();
    let state = cloud.stack.exported().await;
    assert_eq!(state.matches("\"inner\"").count(), 29);
    cloud.stack.set("STAND_IN_NESTED", "300");
    cloud
        .list(&json!([resource(
            SERVICE_ACCOUNT_ROLE,
            "again",
            service_account()
        )]))
        .await;
    let refused = cloud.stack.up().await.failed();
    refused.says("values are nested too deeply; at most 32 levels of objects or 49 of lists are supported");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_python_program_builds_on_the_resources_that_a_cluster_gives_out() {
    let tools = tools!("a_python_program_builds_on_the_resources_that_a_cluster_gives_out");
    let mut cloud = Cloud::of(tools, "cluster-python").await;
    cloud.stack.preview().await.succeeded();
    cloud.stack.up().await.succeeded();
    let state = cloud.state().await;
    let control_plane = state.get("cluster:Cluster main");
    let outputs = cloud.stack.outputs().await;
    assert_eq!(outputs["endpoint"], control_plane["outputs"]["endpoint"]);
    assert_eq!(outputs["cluster"], control_plane["outputs"]["name"]);
    assert!(
        outputs["kubeconfig"]
            .as_str()
            .unwrap()
            .contains("certificate-authority-data")
    );
    assert_eq!(
        of(
            &state,
            "NodePool spot-nodepool",
            "/inputs/spec/template/spec/nodeClassRef/name"
        ),
        of(&state, "EC2NodeClass spot-nodeclass", "/outputs/metadata/name")
    );
    let node_role = of(&state, "Role main-autoscaler-node-role", "/outputs/name");
    assert_eq!(
        of(&state, "EC2NodeClass spot-nodeclass", "/inputs/spec/role"),
        node_role
    );
    assert_eq!(of(&state, "RolePolicyAttachment logs", "/inputs/role"), node_role);
    assert_eq!(
        of(&state, "NodeGroup web-nodes", "/inputs/clusterName"),
        outputs["cluster"]
    );

    cloud.stack.is_settled().await;
    cloud.journal();
    cloud.stack.destroy().await.succeeded();
    // Autoscaled nodes are deleted before the controller that removes them.
    let end = cloud.journal();
    end.is_orderly(&state);
    end.deleted_before(&["NodePool spot-nodepool"], "Release main-autoscaler");
    end.deleted_before(&["NodeGroup web-nodes"], "Addon main-vpc-cni");
}

fn of(state: &State, name: &str, pointer: &str) -> serde_json::Value {
    state
        .get(name)
        .pointer(pointer)
        .cloned()
        .unwrap_or_else(|| panic!("{name} has no {pointer}"))
}
