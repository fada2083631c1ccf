//! Points 2, 8 and 12: each component from the first preview to its deletion, and two clusters at once.

use serde_json::{Value, json};

use super::{CLUSTER, NODE_GROUP, SERVICE_ACCOUNT_ROLE, node_group, resource, service_account, with};
use crate::engine::support::{Cloud, Journal, State, tools};

/// The journals of a cluster's lifetime.
struct Life {
    /// The state while the resources lived.
    state: State,
    /// The events at the end.
    end: Journal,
}

/// Previews, creates, previews again, refreshes and destroys resources.
async fn live(cloud: &mut Cloud, resources: &Value) -> Life {
    cloud.list(resources).await;
    let previewed = cloud.stack.preview().await.succeeded();
    let preview = cloud.journal();
    assert_eq!(preview.all("create").count(), 0, "a preview creates nothing");

    cloud.stack.up().await.succeeded();
    let state = cloud.state().await;
    let made_by_program = state.resources.iter().filter(|resource| !is_default(resource));
    previewed.says(&format!("+ {} to create", made_by_program.count()));
    let begin = cloud.journal();
    begin.is_orderly(&state);

    cloud.stack.options = vec!["--expect-no-changes"];
    cloud.stack.preview().await.succeeded();
    cloud.stack.refresh().await.succeeded();
    cloud.stack.options.clear();
    let quiet = cloud.journal();
    for what in ["create", "update", "delete"] {
        assert_eq!(quiet.names(what), [].into(), "nothing changes without a reason");
    }

    cloud.stack.destroy().await.succeeded();
    assert!(cloud.state().await.resources.is_empty());
    let end = cloud.journal();
    end.is_orderly(&state);
    Life { state, end }
}

/// Whether the engine created it on its own: a provider that is not in the program.
fn is_default(resource: &Value) -> bool {
    let urn = resource["urn"].as_str().unwrap();
    urn.contains("::default")
}

/// The inputs of a cluster with every option.
fn everything() -> Value {
    with(json!({
        "enableGatewayApi": true,
        "enableLoadBalancerController": true,
        "enableMonitoringAgent": true,
        "enableOtel": true,
        "letsEncryptEmail": "ops@example.com",
        "tags": { "owner": "me" },
        "vpcCniConfig": { "nodeAgent": { "enableMonitoringLogs": true } },
    }))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_with_every_addon_lives_and_ends_in_the_right_order() {
    let tools = tools!("a_cluster_with_every_addon_lives_and_ends_in_the_right_order");
    let mut cloud = Cloud::new(tools).await;
    let Life { end, .. } = live(&mut cloud, &json!([resource(CLUSTER, "main", everything())])).await;

    // The autoscaler is deleted while its permissions, queue and nodes still exist.
    for last in [
        "RolePolicyAttachment main-autoscaler-nodes",
        "RolePolicyAttachment main-autoscaler-interruption",
        "RolePolicyAttachment main-autoscaler-node-worker-policy",
        "QueuePolicy main-autoscaler-events-policy",
        "EventTarget main-spot-interrupt",
        "AccessEntry main-autoscaler-node-access",
        "Addon main-coredns",
    ] {
        end.deleted_before(&["Release main-autoscaler"], last);
    }
    // Its object types end with the control plane.
    assert!(!end.names("delete").contains("Release main-autoscaler-crds"));
    // The load balancer controller is deleted after the services whose load balancers it removes.
    for last in [
        "RolePolicyAttachment main-load-balancers-policy",
        "Addon main-coredns",
    ] {
        end.deleted_before(&["Release main-load-balancers"], last);
    }
    // It removes the finalizers of its classes. The object types of gateways end with the control plane.
    end.deleted_before(
        &[
            "GatewayClass main-gateway-class-aws-alb",
            "GatewayClass main-gateway-class-aws-nlb",
        ],
        "Release main-load-balancers",
    );
    assert!(!end.names("delete").contains("Release main-gateway-api-crds"));
    end.deleted_before(
        &["Release main-nginx-ext", "Release main-nginx-int"],
        "Release main-load-balancers",
    );
    // Objects in the cluster are deleted while there are nodes and an administrator.
    let releases: Vec<_> = end
        .names("delete")
        .into_iter()
        .filter(|name| name.starts_with("Release "))
        .collect();
    let releases: Vec<_> = releases.iter().map(String::as_str).collect();
    assert!(!releases.is_empty());
    for last in [
        "NodeGroup main-system-nodes",
        "AccessPolicyAssociation main-admin-policy",
    ] {
        end.deleted_before(&releases, last);
    }
    // Nodes are deleted while their network exists.
    let nodes = ["NodeGroup main-system-nodes"];
    for last in [
        "Addon main-vpc-cni",
        "Addon main-kube-proxy",
        "AccessPolicyAssociation main-admin-policy",
        "RolePolicyAttachment main-system-node-worker-policy",
    ] {
        end.deleted_before(&nodes, last);
    }
    let network = ["Addon main-vpc-cni"];
    end.deleted_before(&network, "RolePolicyAttachment main-vpc-cni-policy");
    // First everything in the control plane, then the control plane, then its permissions.
    let inside = [
        "Addon main-ebs-csi",
        "Addon main-coredns",
        "Addon main-kube-proxy",
        "AccessEntry main-admin-access",
        "OpenIdConnectProvider main-oidc-provider",
    ];
    end.deleted_before(&inside, "Cluster main");
    for last in [
        "RolePolicyAttachment main-cluster-policy",
        "RolePolicyAttachment main-cluster-policy-vpc",
        "RolePolicy main-cluster-policy-kms",
        "Key main-cluster-kms-key",
        "Role main-cluster-role",
    ] {
        end.deleted_before(&["Cluster main"], last);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attached_node_group_lives_and_ends() {
    let tools = tools!("an_attached_node_group_lives_and_ends");
    let mut cloud = Cloud::new(tools).await;
    let Life { end, .. } = live(&mut cloud, &json!([resource(NODE_GROUP, "web", node_group())])).await;
    for last in ["worker", "ecr", "ssm"].map(|name| format!("RolePolicyAttachment web-node-{name}-policy")) {
        end.deleted_before(&["NodeGroup web-nodes"], &last);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attached_serverless_profile_lives_and_ends() {
    let tools = tools!("an_attached_serverless_profile_lives_and_ends");
    let mut cloud = Cloud::new(tools).await;
    let profile = json!({
        "clusterName": "main", "subnetIds": ["subnet-1"], "selectors": [{ "namespace": "batch" }],
    });
    let profile = resource("clusterpkg:index:AttachedServerlessProfile", "batch", profile);
    let Life { end, .. } = live(&mut cloud, &json!([profile])).await;
    for last in
        ["execution", "ecr"].map(|name| format!("RolePolicyAttachment batch-fargateprofile-{name}-policy"))
    {
        end.deleted_before(&["FargateProfile batch-fargateprofile"], &last);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_autoscaled_node_group_lives_and_ends() {
    let tools = tools!("an_autoscaled_node_group_lives_and_ends");
    let mut cloud = Cloud::new(tools).await;
    let group = json!({
        "nodeRole": "main-autoscaler-node-role",
        "diskSize": "50Gi",
        "securityGroupIds": ["sg-1"],
        "subnetIds": ["subnet-1"],
        "requirements": [{ "key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"] }],
    });
    let group = resource("clusterpkg:index:AutoscaledNodeGroup", "spot", group);
    let Life { end, .. } = live(&mut cloud, &json!([group])).await;
    end.deleted_before(&["NodePool spot-nodepool"], "EC2NodeClass spot-nodeclass");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_iam_role_mapping_lives_and_ends() {
    let tools = tools!("an_iam_role_mapping_lives_and_ends");
    let mut cloud = Cloud::new(tools).await;
    let mapping = json!({
        "roleArn": "arn:aws:iam::123456789012:role/developer", "username": "developer", "groups": ["viewers"],
    });
    let mapping = resource("clusterpkg:index:IamRoleMapping", "developers", mapping);
    let Life { end, .. } = live(&mut cloud, &json!([mapping])).await;
    assert_eq!(
        end.names("deleted"),
        ["IAMIdentityMapping developers".to_owned()].into()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_iam_service_account_role_lives_and_ends() {
    let tools = tools!("an_iam_service_account_role_lives_and_ends");
    let mut cloud = Cloud::new(tools).await;
    let role = resource(SERVICE_ACCOUNT_ROLE, "orders", service_account());
    let Life { end, .. } = live(&mut cloud, &json!([role])).await;
    assert_eq!(end.names("deleted"), ["Role orders".to_owned()].into());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_clusters_live_side_by_side_in_one_program() {
    let tools = tools!("two_clusters_live_side_by_side_in_one_program");
    let mut cloud = Cloud::new(tools).await;
    let clusters = ["blue", "green"].map(|name| resource(CLUSTER, name, with(json!({}))));
    let Life { state, .. } = live(&mut cloud, &json!(clusters)).await;
    // Each has its own children, and its objects its own provider.
    for name in ["blue", "green"] {
        let release = state.get(&format!("Release {name}-autoscaler"));
        let provider = release["provider"].as_str().unwrap();
        assert!(
            provider.contains(&format!("::{name}-k8s-provider::")),
            "{provider}"
        );
    }
    let of = |name: &str| state.names().iter().filter(|child| child.contains(name)).count();
    assert_eq!(of(" blue"), of(" green"));
}
