//! `IamServiceAccountRole`.

use clusterpkg_components::IamServiceAccountRole;
use serde_json::{Value as Json, json};

use crate::picture::picture;
use crate::stage::{UNKNOWN, stage};

fn inputs(url: &str) -> Json {
    json!({
        "oidcProviderArn": "arn:aws:iam::123456789012:oidc-provider/oidc.example/id/A",
        "oidcProviderUrl": url,
        "namespaceName": "web",
        "serviceAccountName": "shop",
        "tags": { "owner": "me" },
    })
}

#[tokio::test]
async fn graph() {
    let shown = stage()
        .show::<IamServiceAccountRole>(inputs("oidc.example/id/A"))
        .await;
    assert_eq!(shown.untagged(), Vec::<&str>::new());
    insta::assert_snapshot!(picture(&shown));
}

#[tokio::test]
async fn the_issuer_is_named_without_scheme_and_slash() {
    let bare = stage()
        .show::<IamServiceAccountRole>(inputs("oidc.example/id/A"))
        .await;
    let whole = stage()
        .show::<IamServiceAccountRole>(inputs("https://oidc.example/id/A/"))
        .await;
    assert_eq!(bare.inputs(":Role", "main"), whole.inputs(":Role", "main"));
}

#[tokio::test]
async fn names_that_mean_more_than_one_account_are_refused() {
    let mut inputs = inputs("oidc.example");
    inputs["namespaceName"] = json!("*");
    inputs["serviceAccountName"] = json!("a:b");
    let rule = "must name one namespace or service account, without `:`, `*` and `?`";
    let problems = stage().problems::<IamServiceAccountRole>(inputs).await;
    assert_eq!(
        problems,
        [
            format!("namespaceName {rule}"),
            format!("serviceAccountName {rule}")
        ]
    );
}

#[tokio::test]
async fn a_name_leaves_room_for_what_makes_it_unique() {
    let name = "a-service-account-whose-name-is-longer-than-a-role-can-be";
    assert_eq!(
        stage()
            .name(name)
            .problems::<IamServiceAccountRole>(inputs("oidc.example"))
            .await,
        ["the name has 57 characters; at most 56 are allowed, so that the name of the role fits"]
    );
}

#[tokio::test]
async fn required_inputs_are_asked_for_together() {
    let problems = stage().problems::<IamServiceAccountRole>(json!({})).await;
    let names = [
        "oidcProviderArn",
        "oidcProviderUrl",
        "namespaceName",
        "serviceAccountName",
    ];
    assert_eq!(problems, names.map(|name| format!("{name} is required")));
}

#[tokio::test]
async fn a_secret_part_makes_the_trust_secret() {
    let mut inputs = inputs("oidc.example");
    inputs["namespaceName"] =
        json!({ "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "value": "web" });
    let shown = stage().show::<IamServiceAccountRole>(inputs).await;
    assert!(shown.child(":Role", "main").inputs["assumeRolePolicy"].contains_secret());
}

#[tokio::test]
async fn a_preview_with_everything_unknown_has_an_unknown_role() {
    let names = [
        "oidcProviderArn",
        "oidcProviderUrl",
        "namespaceName",
        "serviceAccountName",
        "tags",
    ];
    let inputs = names.map(|name| (name.to_owned(), json!(UNKNOWN)));
    let shown = stage()
        .preview()
        .show::<IamServiceAccountRole>(inputs.into_iter().collect())
        .await;
    assert!(shown.child(":Role", "main").inputs["assumeRolePolicy"].contains_unknown());
    assert_eq!(shown.unknown_outputs(), ["role"]);
}

#[tokio::test]
async fn a_role_can_also_be_given_through_pod_identity() {
    let mut inputs = json!({
        "oidcProviderArn": "arn:aws:iam::123456789012:oidc-provider/oidc.example/id/A",
        "oidcProviderUrl": "oidc.example/id/A",
        "namespaceName": "web",
        "serviceAccountName": "shop",
    });
    let plain = stage().show::<IamServiceAccountRole>(inputs.clone()).await;
    let statements = |shown: &crate::stage::Shown| {
        shown.document(":Role", "main", "assumeRolePolicy")["Statement"]
            .as_array()
            .unwrap()
            .clone()
    };
    assert_eq!(
        (statements(&plain).len(), plain.names()),
        (1, vec!["main", "main"])
    );
    inputs["clusterName"] = json!("shop");
    inputs["tags"] = json!({ "owner": "me" });
    let shown = stage().show::<IamServiceAccountRole>(inputs).await;
    let pods = &statements(&shown)[1];
    assert_eq!(pods["Principal"]["Service"], json!(["pods.eks.amazonaws.com"]));
    assert_eq!(pods["Action"], json!(["sts:AssumeRole", "sts:TagSession"]));
    let association = shown.inputs(":PodIdentityAssociation", "main");
    assert_eq!(
        (
            &association["clusterName"],
            &association["namespace"],
            &association["serviceAccount"]
        ),
        (&json!("shop"), &json!("web"), &json!("shop"))
    );
    assert_eq!(association["roleArn"], "arn:aws:iam:eu-west-1:123456789012:main");
    assert_eq!(shown.untagged(), Vec::<&str>::new());
}
