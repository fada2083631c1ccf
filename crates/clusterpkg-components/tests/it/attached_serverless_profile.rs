//! `AttachedServerlessProfile`.

use clusterpkg_components::AttachedServerlessProfile;
use serde_json::{Value as Json, json};

use crate::pairs::{pairs, taken};
use crate::picture::picture;
use crate::stage::{CHINA, UNKNOWN, stage, stage_in};

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
        ["selectors must not be empty", "subnetIds must not be empty"]
    );
}

#[tokio::test]
async fn a_name_leaves_room_for_that_of_the_role() {
    let (longest, too_long) = (
        "a-profile-whose-name-is-long-enough-",
        "a-profile-whose-name-is-not-short-now",
    );
    stage()
        .name(longest)
        .show::<AttachedServerlessProfile>(inputs())
        .await;
    assert_eq!(
        stage()
            .name(too_long)
            .problems::<AttachedServerlessProfile>(inputs())
            .await,
        ["the name has 37 characters; at most 36 are allowed, so that the name of the profile's role fits"]
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

#[tokio::test]
async fn a_profile_takes_no_more_than_five_selectors() {
    let mut inputs = inputs();
    inputs["selectors"] = vec![json!({ "namespace": "web" }); 6].into();
    assert_eq!(
        stage().problems::<AttachedServerlessProfile>(inputs).await,
        ["selectors must have at most 5 elements, not 6"]
    );
}

#[tokio::test]
async fn a_preview_with_everything_unknown_has_unknown_resources() {
    let names = ["clusterName", "subnetIds", "selectors", "tags"];
    let inputs = names.map(|name| (name.to_owned(), json!(UNKNOWN)));
    let shown = stage()
        .preview()
        .show::<AttachedServerlessProfile>(inputs.into_iter().collect())
        .await;
    assert_eq!(shown.names().len(), 5);
    assert_eq!(shown.unknown_outputs(), ["profile", "role"]);
}

#[tokio::test]
async fn every_two_inputs_go_together() {
    let options = [
        ("tags", json!({ "owner": "me" })),
        ("subnetIds", json!(["subnet-1", "subnet-2"])),
        (
            "selectors",
            json!([{ "namespace": "jobs", "labels": { "size": "small" } }]),
        ),
    ];
    for combination in pairs(options.len()) {
        let mut inputs = json!({ "clusterName": "shop", "subnetIds": ["subnet-1"], "selectors": [{ "namespace": "web" }] });
        let more = taken(&options, &combination);
        inputs
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let shown = stage().show::<AttachedServerlessProfile>(inputs.clone()).await;
        let sent = shown.inputs(":FargateProfile", "main-fargateprofile");
        for name in ["subnetIds", "selectors", "tags"] {
            assert_eq!(sent[name], inputs[name], "{name} is sent as it is given");
        }
    }
}
