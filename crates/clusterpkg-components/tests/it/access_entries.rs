//! `accessEntries` of `Cluster`.

use clusterpkg_components::Cluster;
use pulumi_plugin::components::Alias;
use serde_json::{Value as Json, json};

use crate::cluster::with;
use crate::stage::{CHINA, UNKNOWN, stage, stage_in};

const DEVELOPER: &str = "arn:aws-cn:iam::123456789012:role/teams/a/developer";

async fn problems(entries: Json) -> Vec<String> {
    stage()
        .problems::<Cluster>(with(json!({ "accessEntries": entries })))
        .await
}

#[tokio::test]
async fn an_entry_has_its_groups_and_a_child_for_each_policy() {
    let entries = json!({
        "developers": {
            "principalArn": DEVELOPER,
            "policies": ["AmazonEKSViewPolicy", "arn:aws-cn:eks::aws:cluster-access-policy/AmazonEKSEditPolicy"],
            "namespaces": ["shop"],
        },
        "auditors": { "principalArn": "arn:aws-cn:iam::123456789012:user/ann", "groups": ["auditors"] },
    });
    let inputs = with(json!({ "accessEntries": entries, "tags": { "owner": "me" } }));
    let shown = stage_in(CHINA).show::<Cluster>(inputs).await;
    let entry = shown.inputs(":AccessEntry", "main-access-developers");
    assert_eq!(entry["principalArn"], DEVELOPER);
    assert_eq!(entry["type"], "STANDARD");
    for policy in ["AmazonEKSViewPolicy", "AmazonEKSEditPolicy"] {
        let name = format!("main-access-developers-{policy}");
        let association = shown.inputs(":AccessPolicyAssociation", &name);
        let arn = format!("arn:aws-cn:eks::aws:cluster-access-policy/{policy}");
        assert_eq!(association["policyArn"], arn);
        assert_eq!(
            association["accessScope"],
            json!({ "type": "namespace", "namespaces": ["shop"] })
        );
    }
    let auditors = shown.inputs(":AccessEntry", "main-access-auditors");
    assert_eq!(auditors["kubernetesGroups"], json!(["auditors"]));
    assert_eq!(shown.untagged(), Vec::<&str>::new());
}

#[tokio::test]
async fn a_renamed_entry_has_its_former_name_as_an_alias() {
    let entry =
        json!({ "principalArn": DEVELOPER, "policies": ["AmazonEKSViewPolicy"], "formerName": "old" });
    let inputs = with(json!({ "accessEntries": { "new": entry } }));
    let shown = stage_in(CHINA).show::<Cluster>(inputs).await;
    for (kind, rest) in [
        (":AccessEntry", ""),
        (":AccessPolicyAssociation", "-AmazonEKSViewPolicy"),
    ] {
        let child = shown.child(kind, &format!("main-access-new{rest}"));
        let former = format!("main-access-old{rest}");
        assert_eq!(child.options.aliases, [Alias::named(former)]);
    }
    let entry = |name: &str, former: &str| {
        let arn = format!("arn:aws:iam::123456789012:role/{name}");
        json!({ "principalArn": arn, "groups": ["viewers"], "formerName": former })
    };
    let found = problems(json!({
        "a": entry("a", "old"), "b": entry("b", "old"), "c": entry("c", "a"), "d": entry("d", "e.f"),
    }))
    .await;
    assert_eq!(
        found,
        [
            "accessEntries.d.formerName must be letters, digits and dashes",
            "accessEntries.b.formerName is the name of another entry",
            "accessEntries.c.formerName is the name of another entry",
        ]
    );
}

#[tokio::test]
async fn a_principal_may_be_made_by_the_same_program() {
    let entries = json!({ "ci": { "principalArn": UNKNOWN, "policies": ["AmazonEKSClusterAdminPolicy"] } });
    let shown = stage()
        .preview()
        .show::<Cluster>(with(json!({ "accessEntries": entries })))
        .await;
    assert!(
        shown
            .names()
            .contains(&"main-access-ci-AmazonEKSClusterAdminPolicy")
    );
}

#[tokio::test]
async fn entries_that_the_cloud_would_refuse_are_input_errors() {
    let found = problems(json!({
        "a.b": { "principalArn": "arn:aws:iam::123456789012:root", "groups": ["viewers"] },
        "empty": { "principalArn": "arn:aws:iam::123456789012:role/a" },
        "groups": { "principalArn": "arn:aws:iam::123456789012:role/b", "groups": ["system:masters", ""], "namespaces": ["shop"] },
        "policies": { "principalArn": "arn:aws:iam::123456789012:role/c", "policies": ["View Policy", "A", "A"], "namespaces": [] },
        "session": { "principalArn": "arn:aws:sts::123456789012:assumed-role/c/d", "groups": ["viewers"] },
        "twice": { "principalArn": "arn:aws:iam::123456789012:role/a", "groups": ["viewers"] },
        "twice-case": { "principalArn": "arn:aws:iam::123456789012:role/teams/A", "groups": ["viewers"] },
        "user": { "principalArn": "arn:aws:iam::123456789012:user/a", "groups": ["viewers"] },
    }))
    .await;
    insta::assert_snapshot!(found.join("\n"));
    let administrator = json!({
        "adminAccessPrincipal": "arn:aws:iam::123456789012:role/admin",
        "accessEntries": { "again": { "principalArn": "arn:aws:iam::123456789012:role/Admin", "groups": ["a"] } },
    });
    let found = stage().problems::<Cluster>(with(administrator)).await;
    assert!(
        found[0].starts_with("accessEntries.again.principalArn already has an access entry"),
        "{found:?}"
    );
}
