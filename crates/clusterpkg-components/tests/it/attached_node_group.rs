//! `AttachedNodeGroup`.

use clusterpkg_components::AttachedNodeGroup;
use serde_json::{Value as Json, json};

use crate::pairs::{pairs, taken};
use crate::picture::{beside_the_least, picture};
use crate::stage::{CHINA, EUROPE, GOVERNMENT, stage, stage_in};

const GROUP: &str = ":NodeGroup";

fn least() -> Json {
    json!({ "clusterName": "shop", "subnetIds": ["subnet-1", "subnet-2"] })
}

fn with(more: Json) -> Json {
    let mut inputs = least();
    inputs
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    inputs
}

#[tokio::test]
async fn graph_with_the_least_inputs() {
    insta::assert_snapshot!(picture(&stage().show::<AttachedNodeGroup>(least()).await));
}

#[tokio::test]
async fn graph_with_every_input() {
    let inputs = with(json!({
        "amiType": "BOTTLEROCKET_x86_64",
        "capacityType": "SPOT",
        "diskSize": 80,
        "instanceTypes": ["m7i.large", "m6a.large"],
        "labels": { "team": "a" },
        "releaseVersion": "1.50.0-abc",
        "scalingConfig": { "minSize": 2, "desiredSize": 3, "maxSize": 9 },
        "tags": { "owner": "me" },
        "taints": [{ "key": "only", "value": "a", "effect": "NO_EXECUTE" }],
    }));
    let shown = stage().show::<AttachedNodeGroup>(inputs).await;
    assert_eq!(shown.untagged(), Vec::<&str>::new());
    insta::assert_snapshot!(beside_the_least::<AttachedNodeGroup>(least(), &shown).await);
}

#[tokio::test]
async fn image_type_follows_the_architecture_of_the_instances() {
    for (types, image) in [
        (json!(["t3.large"]), "AL2023_x86_64_STANDARD"),
        (json!(["m7g.large", "t4g.small"]), "AL2023_ARM_64_STANDARD"),
    ] {
        let shown = stage()
            .show::<AttachedNodeGroup>(with(json!({ "instanceTypes": types })))
            .await;
        assert_eq!(shown.inputs(GROUP, "main-nodes")["amiType"], image);
    }
}

#[tokio::test]
async fn trust_and_policies_fit_the_partition() {
    for partition in [CHINA, EUROPE, GOVERNMENT] {
        let shown = stage_in(partition).show::<AttachedNodeGroup>(least()).await;
        let trust = shown.document(":Role", "main-node-role", "assumeRolePolicy");
        assert_eq!(
            trust["Statement"][0]["Principal"]["Service"],
            match partition.name {
                "aws-cn" => json!(["ec2.amazonaws.com.cn"]),
                _ => json!(["ec2.amazonaws.com"]),
            }
        );
        let arn = shown.inputs(":RolePolicyAttachment", "main-node-ssm-policy")["policyArn"].clone();
        assert_eq!(
            arn,
            format!(
                "arn:{}:iam::aws:policy/AmazonSSMManagedInstanceCore",
                partition.name
            )
        );
    }
}

#[tokio::test]
async fn nodes_come_after_and_go_before_what_they_may_do() {
    let shown = stage().show::<AttachedNodeGroup>(least()).await;
    let after = shown.after(GROUP, "main-nodes");
    assert_eq!(
        after,
        [
            "main-node-ecr-policy",
            "main-node-role",
            "main-node-ssm-policy",
            "main-node-worker-policy"
        ]
    );
}

/// An autoscaler outside of the package may change the size; a group that is not autoscaled can use the
/// program's size.
#[tokio::test]
async fn the_size_of_a_group_is_left_to_an_autoscaler_unless_the_program_keeps_it() {
    let ignored = async |more: Json| {
        let shown = stage().show::<AttachedNodeGroup>(with(more)).await;
        shown.child(GROUP, "main-nodes").options.ignore_changes.clone()
    };
    assert_eq!(ignored(json!({})).await, ["scalingConfig.desiredSize"]);
    assert_eq!(
        ignored(json!({ "ignoreDesiredSize": true })).await,
        ["scalingConfig.desiredSize"]
    );
    assert_eq!(ignored(json!({ "ignoreDesiredSize": false })).await, [""; 0]);
}

#[tokio::test]
async fn every_problem_is_named() {
    let problems = stage()
        .name("a-name-that-is-so-long-that-no-role-can-be-called-like-it")
        .problems::<AttachedNodeGroup>(json!({
            "clusterName": "shop",
            "subnetIds": [],
            "diskSize": 0,
            "instanceTypes": ["t3.medium", "t4g.medium"],
            "scalingConfig": { "minSize": 3, "desiredSize": 2, "maxSize": 1 },
            "taints": [{ "key": "k", "effect": "NO_SCHEDULE" }, { "key": "k", "effect": "NoSchedule" }],
        }))
        .await;
    insta::assert_snapshot!(problems.join("\n"));
}

#[tokio::test]
async fn counts_out_of_order_are_reported_once_and_unknown_ones_not() {
    let counts = json!({ "minSize": 3, "desiredSize": "04da6b54-80e4-46f7-96ec-b56ff0331ba9", "maxSize": 2 });
    let problems = stage()
        .preview()
        .problems::<AttachedNodeGroup>(with(json!({ "scalingConfig": counts })))
        .await;
    assert_eq!(
        problems,
        ["scalingConfig.minSize must not be greater than scalingConfig.maxSize"]
    );
}

#[tokio::test]
async fn a_preview_with_everything_unknown_ends_with_unknown_ids() {
    let unknown = json!("04da6b54-80e4-46f7-96ec-b56ff0331ba9");
    let names = [
        "clusterName",
        "subnetIds",
        "amiType",
        "capacityType",
        "diskSize",
        "instanceTypes",
        "labels",
        "releaseVersion",
        "scalingConfig",
        "tags",
        "taints",
    ];
    let inputs = names
        .into_iter()
        .map(|name| (name.to_owned(), unknown.clone()))
        .collect();
    let shown = stage().preview().show::<AttachedNodeGroup>(inputs).await;
    assert_eq!(shown.unknown_outputs(), ["nodeGroup", "nodeRole"]);
    insta::assert_snapshot!(beside_the_least::<AttachedNodeGroup>(least(), &shown).await);
}

#[tokio::test]
async fn every_two_inputs_go_together() {
    let options = [
        ("amiType", json!("AL2023_x86_64_NVIDIA")),
        ("capacityType", json!("SPOT")),
        ("diskSize", json!(80)),
        ("instanceTypes", json!(["m7i.large"])),
        ("labels", json!({ "team": "a" })),
        ("releaseVersion", json!("1.35.0-20260801")),
        (
            "scalingConfig",
            json!({ "minSize": 2, "desiredSize": 3, "maxSize": 9 }),
        ),
        ("taints", json!([{ "key": "only", "effect": "NO_EXECUTE" }])),
    ];
    for combination in pairs(options.len()) {
        let mut inputs = with(taken(&options, &combination));
        inputs["tags"] = json!({ "owner": "me" });
        let shown = stage().show::<AttachedNodeGroup>(inputs).await;
        assert_eq!(shown.untagged(), Vec::<&str>::new());
        let sent = shown.inputs(GROUP, "main-nodes");
        for ((name, value), given) in options.iter().zip(&combination) {
            assert!(!given || &sent[name] == value, "{name} is sent as it is given");
        }
    }
}
