//! `IamRoleMapping`.

use clusterpkg_components::IamRoleMapping;
use serde_json::{Value as Json, json};

use crate::picture::picture;
use crate::stage::{UNKNOWN, stage};

fn inputs() -> Json {
    json!({ "roleArn": "arn:aws:iam::123456789012:role/dev", "username": "dev", "groups": ["system:masters"] })
}

#[tokio::test]
async fn graph() {
    let shown = stage().show::<IamRoleMapping>(inputs()).await;
    assert_eq!(shown.messages(), Vec::<&str>::new());
    insta::assert_snapshot!(picture(&shown));
}

#[tokio::test]
async fn a_mapping_without_a_cluster_is_warned_about() {
    let shown = stage().providers(&["aws"]).show::<IamRoleMapping>(inputs()).await;
    assert!(shown.messages()[0].starts_with("this component has no explicit kubernetes provider"));
}

#[tokio::test]
async fn every_problem_is_named() {
    let problems = stage()
        .name("Developers")
        .problems::<IamRoleMapping>(json!({ "roleArn": "arn:aws:iam::1:user/dev", "username": "" }))
        .await;
    let expected = [
        "groups is required",
        "roleArn must be the ARN of a role, such as arn:aws:iam::123456789012:role/developer",
        "username must not be empty",
        "the name must be lower-case letters, digits, dots and dashes, because objects in the cluster are named after \
         it",
    ];
    assert_eq!(problems, expected);
}

#[tokio::test]
async fn a_role_with_a_path_is_refused_because_it_would_get_nothing() {
    let mut inputs = inputs();
    inputs["roleArn"] = json!("arn:aws:iam::123456789012:role/teams/a/dev");
    let found = stage().problems::<IamRoleMapping>(inputs).await;
    assert!(
        found[0].starts_with("roleArn has a path, so the mapping would have no effect"),
        "{found:?}"
    );
}

#[tokio::test]
async fn a_preview_with_everything_unknown_registers_the_mapping() {
    let inputs = json!({ "roleArn": UNKNOWN, "username": UNKNOWN, "groups": UNKNOWN });
    let shown = stage().preview().show::<IamRoleMapping>(inputs).await;
    assert!(shown.child(":IAMIdentityMapping", "main").inputs["spec"].contains_unknown());
    assert!(shown.made.state.is_empty());
}

/// An access entry needs no controller, no provider of a cluster, and takes roles with paths.
#[tokio::test]
async fn a_mapping_can_be_an_access_entry() {
    let inputs = json!({
        "clusterName": "shop", "roleArn": "arn:aws:iam::123456789012:role/teams/a/dev", "username": "dev",
        "groups": ["viewers"],
    });
    let shown = stage()
        .name("Developers")
        .providers(&["aws"])
        .show::<IamRoleMapping>(inputs)
        .await;
    assert_eq!(shown.messages(), [""; 0]);
    assert_eq!(
        shown.inputs(":AccessEntry", "Developers"),
        json!({
            "clusterName": "shop", "principalArn": "arn:aws:iam::123456789012:role/teams/a/dev", "userName": "dev",
            "kubernetesGroups": ["viewers"], "type": "STANDARD",
        })
    );
}

#[tokio::test]
async fn an_access_entry_with_reserved_names_is_refused() {
    let mut inputs = inputs();
    inputs["clusterName"] = json!("shop");
    inputs["username"] = json!("system:node:a");
    let found = stage().problems::<IamRoleMapping>(inputs).await;
    let reason = "is reserved by AWS, so an access entry cannot have it; remove clusterName";
    assert_eq!(
        found,
        [
            format!("groups[0] {reason}, or give the role an access policy with accessEntries of Cluster"),
            format!("username {reason}"),
        ]
    );
}
