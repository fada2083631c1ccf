//! Points 3, 7, 8 and 9: options of a component that are passed to its children, and the provider inside a component.

use serde_json::json;

use super::{
    CLUSTER, NODE_GROUP, SERVICE_ACCOUNT_ROLE, node_group, optioned, resource, service_account, small,
};
use crate::engine::support::{ALIASES_OF_COMPONENTS, Cloud, Journal, NAMES_IN_CONFIGURE, tools};

#[tokio::test(flavor = "multi_thread")]
async fn children_are_protected_and_retained_with_their_component() {
    let tools = tools!("children_are_protected_and_retained_with_their_component");
    let cloud = Cloud::new(tools).await;
    let listed = |protect: bool| {
        let role = json!({ "protect": protect });
        json!([
            optioned(SERVICE_ACCOUNT_ROLE, "orders", service_account(), role),
            optioned(NODE_GROUP, "web", node_group(), json!({ "retainOnDelete": true })),
        ])
    };
    cloud.list(&listed(true)).await;
    cloud.stack.up().await.succeeded();
    let state = cloud.state().await;
    for protected in ["IamServiceAccountRole orders", "Role orders"] {
        assert_eq!(state.get(protected)["protect"], true, "{protected}");
    }
    for retained in [
        "AttachedNodeGroup web",
        "NodeGroup web-nodes",
        "RolePolicyAttachment web-node-ssm-policy",
    ] {
        assert_eq!(state.get(retained)["retainOnDelete"], true, "{retained}");
    }
    cloud.stack.destroy().await.failed().says("protected");

    cloud.list(&listed(false)).await;
    cloud.stack.up().await.succeeded();
    cloud.stack.destroy().await.succeeded();
    let journal = cloud.journal();
    assert_eq!(journal.names("deleted"), ["Role orders".to_owned()].into());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_child_of_a_protected_and_retained_cluster_is_protected_and_retained() {
    let tools = tools!("every_child_of_a_protected_and_retained_cluster_is_protected_and_retained");
    let cloud = Cloud::new(tools).await;
    let options = json!({ "protect": true, "retainOnDelete": true });
    cloud
        .list(&json!([optioned(CLUSTER, "main", small(json!({})), options)]))
        .await;
    cloud.stack.up().await.succeeded();
    let state = cloud.state().await;
    let is_inside = |urn: &str| urn.contains("clusterpkg:index:Cluster$");
    let mut count = 0;
    for resource in &state.resources {
        let urn = resource["urn"].as_str().unwrap();
        if is_inside(urn) {
            count += 1;
            assert_eq!(resource["protect"], true, "{urn}");
            assert_eq!(resource["retainOnDelete"], true, "{urn}");
        }
    }
    assert!(count > 20, "{count} children");
}

#[tokio::test(flavor = "multi_thread")]
async fn children_use_the_providers_given_to_their_component_and_need_no_default_one() {
    let tools = tools!("children_use_the_providers_given_to_their_component_and_need_no_default_one");
    let cloud = Cloud::new(tools).await;
    for (index, package) in ["aws", "kubernetes"].into_iter().enumerate() {
        let key = format!("pulumi:disable-default-providers[{index}]");
        cloud.stack.configure(&["--path"], &key, package).await;
    }
    cloud
        .list(&json!([resource(CLUSTER, "main", small(json!({})))]))
        .await;
    cloud.stack.preview().await.failed().says("disabled");

    let group = json!({
        "nodeRole": { "from": "main.clusterName" }, "securityGroupIds": ["sg-1"], "subnetIds": ["subnet-1"],
        "diskSize": "50Gi", "requirements": [],
    });
    let inside = json!({ "kubeconfig": { "from": "main.kubeconfig" } });
    cloud
        .list(&json!([
            resource("pulumi:providers:aws", "ours", json!({ "region": "eu-west-1" })),
            optioned(
                CLUSTER,
                "main",
                small(json!({})),
                json!({ "providers": ["ours"] })
            ),
            resource("pulumi:providers:kubernetes", "inside", inside),
            optioned(
                "clusterpkg:index:AutoscaledNodeGroup",
                "spot",
                group,
                json!({ "providers": ["inside"] })
            ),
        ]))
        .await;
    cloud.stack.preview().await.succeeded();
    cloud.stack.up().await.succeeded();
    let state = cloud.state().await;
    let managers = [
        ("Role main-cluster-role", "aws ours"),
        ("cluster:Cluster main", "aws ours"),
        ("Addon main-vpc-cni", "aws ours"),
        ("NodeGroup main-system-nodes", "aws ours"),
        ("Role main-vpc-cni-role", "aws ours"),
        ("Release main-aws-auth", "kubernetes main-k8s-provider"),
        ("EC2NodeClass spot-nodeclass", "kubernetes inside"),
        ("NodePool spot-nodepool", "kubernetes inside"),
    ];
    for (child, manager) in managers {
        let reference = state.get(child)["provider"].as_str().unwrap();
        assert!(reference.starts_with(state.urn(manager)), "{child}: {reference}");
    }
    cloud.stack.destroy().await.succeeded();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_inside_a_component_is_used_in_a_preview_that_does_not_know_its_configuration() {
    let tools =
        tools!("a_provider_inside_a_component_is_used_in_a_preview_that_does_not_know_its_configuration");
    let cloud = Cloud::new(tools).await;
    cloud
        .list(&json!([resource(CLUSTER, "main", small(json!({})))]))
        .await;
    let is_configured = |journal: &Journal| {
        let mut configured = journal.all("configured");
        configured.any(|entry| entry.subject.ends_with("::main-k8s-provider"))
    };
    let preview = cloud.stack.preview().await.succeeded();
    preview
        .says("main-gp3-storage-class")
        .says("main-aws-auth")
        .never_says("warning");
    if tools.lacks(
        "a_provider_inside_a_component_is_used_in_a_preview_that_does_not_know_its_configuration",
        NAMES_IN_CONFIGURE,
    ) {
        cloud.stack.up().await.succeeded();
        cloud.stack.preview().await.succeeded();
        return;
    }
    assert!(!is_configured(&cloud.journal()), "there is no kubeconfig yet");

    cloud.stack.up().await.succeeded();
    assert!(is_configured(&cloud.journal()));
    // Now it is known from the start.
    cloud.stack.preview().await.succeeded();
    assert!(is_configured(&cloud.journal()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renamed_component_keeps_its_children_by_an_alias() {
    let tools = tools!("a_renamed_component_keeps_its_children_by_an_alias");
    if tools.lacks(
        "a_renamed_component_keeps_its_children_by_an_alias",
        ALIASES_OF_COMPONENTS,
    ) {
        return;
    }
    let cloud = Cloud::new(tools).await;
    cloud
        .list(&json!([resource(CLUSTER, "old", small(json!({})))]))
        .await;
    cloud.stack.up().await.succeeded();
    let before = cloud.state().await;
    cloud.journal();

    let alias = json!({ "aliases": ["old"] });
    cloud
        .list(&json!([optioned(CLUSTER, "new", small(json!({})), alias)]))
        .await;
    cloud.stack.up().await.succeeded().never_says("replace");
    let (after, journal) = (cloud.state().await, cloud.journal());
    assert_eq!(journal.names("create"), [].into());
    assert_eq!(journal.names("delete"), [].into());
    assert_eq!(before.names().len(), after.names().len());
    assert_eq!(
        before.get("cluster:Cluster old")["id"],
        after.get("cluster:Cluster new")["id"]
    );
}

/// The cloud accepts one access entry for a principal, and one role for a service account.
#[tokio::test(flavor = "multi_thread")]
async fn entries_and_roles_under_new_names_do_not_collide_with_themselves() {
    let tools = tools!("entries_and_roles_under_new_names_do_not_collide_with_themselves");
    if tools.lacks(
        "entries_and_roles_under_new_names_do_not_collide_with_themselves",
        ALIASES_OF_COMPONENTS,
    ) {
        return;
    }
    let cloud = Cloud::new(tools).await;
    let list = |entry: &str, former: Option<&str>, role: &str, aliases: &[&str]| {
        let principal = "arn:aws:iam::123456789012:role/ops";
        let ops =
            json!({ "principalArn": principal, "policies": ["AmazonEKSViewPolicy"], "formerName": former });
        let mut account = service_account();
        account["clusterName"] = json!("main");
        json!([
            resource(CLUSTER, "main", small(json!({ "accessEntries": { entry: ops } }))),
            optioned(SERVICE_ACCOUNT_ROLE, role, account, json!({ "aliases": aliases })),
        ])
    };
    cloud.list(&list("ops", None, "orders", &[])).await;
    cloud.stack.up().await.succeeded();
    cloud.journal();

    for refused in [
        list("admins", None, "orders", &[]),
        list("ops", None, "shop-orders", &[]),
    ] {
        cloud.list(&refused).await;
        cloud.stack.up().await.failed().says("already in use");
    }
    cloud.list(&list("ops", None, "orders", &[])).await;
    cloud.stack.up().await.succeeded();
    cloud.journal();

    cloud
        .list(&list("admins", Some("ops"), "shop-orders", &["orders"]))
        .await;
    cloud.stack.up().await.succeeded().never_says("replace");
    let journal = cloud.journal();
    assert_eq!(journal.names("create"), [].into());
    assert_eq!(journal.names("delete"), [].into());
    let state = cloud.state().await;
    state.get("AccessEntry main-access-admins");
    state.get("PodIdentityAssociation shop-orders");
    // Without the former name, the entry has its new one.
    cloud.list(&list("admins", None, "shop-orders", &[])).await;
    cloud.stack.up().await.succeeded();
    assert_eq!(cloud.journal().names("create"), [].into());
    cloud.stack.destroy().await.succeeded();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_administrator_stays_if_another_identity_runs_the_program() {
    let tools = tools!("the_administrator_stays_if_another_identity_runs_the_program");
    let mut cloud = Cloud::new(tools).await;
    cloud
        .list(&json!([resource(CLUSTER, "main", small(json!({})))]))
        .await;
    cloud.stack.up().await.succeeded();
    cloud.journal();
    cloud.stack.set("STAND_IN_IDENTITY", "pipeline");
    cloud
        .stack
        .up()
        .await
        .succeeded()
        .says("role/deployer, which created it");
    let journal = cloud.journal();
    for what in ["create", "update", "delete"] {
        assert_eq!(journal.names(what), [].into(), "{what}");
    }
}
