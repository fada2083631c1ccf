//! `AttachedServerlessProfile`.

use clusterpkg_components::AttachedServerlessProfile;
use serde_json::{Value as Json, json};

use crate::picture::picture;
use crate::stage::{CHINA, stage, stage_in};

fn inputs() -> Json {
    json!({
        "clusterName": "shop",
        "subnetIds": ["subnet-1"],
        "selectors": [{ "namespace": "web" }, { "namespace": "jobs", "labels": { "size": "small" } }],
        "tags": { "owner": "me" },
    })
}

#[tokio::test]
async fn graph() {
    let shown = stage().show::<AttachedServerlessProfile>(inputs()).await;
    assert_eq!(shown.untagged(), Vec::<&str>::new());
    insta::assert_snapshot!(picture(&shown));
}

#[tokio::test]
async fn the_role_is_for_profiles_of_this_cluster_in_any_partition() {
    let shown = stage_in(CHINA).show::<AttachedServerlessProfile>(inputs()).await;
    let trust = shown.document(":Role", "main-fargateprofile-role", "assumeRolePolicy");
    let expected = json!([{
        "Effect": "Allow",
        "Principal": { "Service": ["eks-fargate-pods.amazonaws.com"] },
        "Action": ["sts:AssumeRole"],
        "Condition": { "ArnLike": { "aws:SourceArn": ["arn:aws-cn:eks:cn-north-1:123456789012:fargateprofile/shop/*"] } },
    }]);
    assert_eq!(trust["Statement"], expected);
}

#[tokio::test]
async fn empty_lists_are_refused() {
    let inputs = json!({ "clusterName": "shop", "subnetIds": [], "selectors": [] });
    let problems = stage().problems::<AttachedServerlessProfile>(inputs).await;
    assert_eq!(
        problems,
        ["subnetIds must not be empty", "selectors must not be empty"]
    );
}

#[tokio::test]
async fn a_selector_needs_a_namespace() {
    let mut inputs = inputs();
    inputs["selectors"] = json!([{ "labels": {} }]);
    assert_eq!(
        stage().problems::<AttachedServerlessProfile>(inputs).await,
        ["selectors[0].namespace is required"]
    );
}
