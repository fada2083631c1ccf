//! `AutoscaledNodeGroup`.

use clusterpkg_components::AutoscaledNodeGroup;
use serde_json::{Value as Json, json};

use crate::pairs::{pairs, taken};
use crate::picture::{beside_the_least, picture};
use crate::stage::{UNKNOWN, stage};

fn least() -> Json {
    json!({
        "nodeRole": "shop-nodes",
        "subnetIds": ["subnet-1"],
        "securityGroupIds": ["sg-1"],
        "requirements": [{ "key": "karpenter.k8s.aws/instance-category", "operator": "In", "values": ["m"] }],
    })
}

fn with(more: Json) -> Json {
    let mut inputs = least();
    inputs
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    inputs
}

/// `spec` of the node class and of the node pool.
async fn specs(more: Json) -> (Json, Json) {
    let shown = stage().show::<AutoscaledNodeGroup>(with(more)).await;
    let spec = |kind, name| shown.inputs(kind, name)["spec"].clone();
    (
        spec(":EC2NodeClass", "main-nodeclass"),
        spec(":NodePool", "main-nodepool"),
    )
}

#[tokio::test]
async fn graph_with_the_least_inputs() {
    insta::assert_snapshot!(picture(&stage().show::<AutoscaledNodeGroup>(least()).await));
}

#[tokio::test]
async fn graph_with_every_input() {
    let inputs = with(json!({
        "diskSize": "100Gi",
        "amiFamily": "Custom",
        "amiId": "ami-0abc",
        "annotations": { "team": "a" },
        "disruption": {
            "budgets": [{ "nodes": "2", "schedule": "0 9 * * mon-fri", "duration": "8h" }, {}],
            "consolidateAfter": "1h30m",
            "consolidationPolicy": "WhenEmpty",
            "expireAfter": "720h",
        },
        "labels": { "team": "a" },
        "nodeClassApiVersion": "karpenter.k8s.aws/v1",
        "nodePoolApiVersion": "karpenter.sh/v1",
        "requirements": [
            { "key": "kubernetes.io/arch", "operator": "Exists" },
            { "key": "karpenter.k8s.aws/instance-cpu", "operator": "Gt", "values": ["3"] },
        ],
        "taints": [{ "key": "only", "value": "a", "effect": "NoSchedule" }],
    }));
    let shown = stage().show::<AutoscaledNodeGroup>(inputs).await;
    insta::assert_snapshot!(beside_the_least::<AutoscaledNodeGroup>(least(), &shown).await);
}

#[tokio::test]
async fn disruption_is_left_out_when_not_given() {
    assert_eq!(specs(json!({})).await.1.get("disruption"), None);
}

#[tokio::test]
async fn consolidation_waits_as_its_policy_says() {
    let default = |policy, after| json!({ "consolidationPolicy": policy, "consolidateAfter": after });
    for (given, sent) in [
        (json!({}), default("WhenEmpty", "10m")),
        (
            json!({ "consolidationPolicy": "WhenEmpty" }),
            default("WhenEmpty", "10m"),
        ),
        (
            json!({ "consolidationPolicy": "WhenEmptyOrUnderutilized" }),
            default("WhenEmptyOrUnderutilized", "0s"),
        ),
        (
            json!({ "consolidateAfter": "Never" }),
            default("WhenEmpty", "Never"),
        ),
    ] {
        assert_eq!(specs(json!({ "disruption": given })).await.1["disruption"], sent);
    }
}

#[tokio::test]
async fn nodes_expire_where_the_node_pool_has_it() {
    let (_, pool) = specs(json!({ "disruption": { "expireAfter": "24h" } })).await;
    assert_eq!(pool["template"]["spec"]["expireAfter"], "24h");
    assert_eq!(pool["disruption"].get("expireAfter"), None);
}

#[tokio::test]
async fn image_and_disks_follow_the_family() {
    for (family, alias, devices) in [
        ("AL2", "al2@latest", json!([["/dev/xvda", "60Gi"]])),
        ("AL2023", "al2023@latest", json!([["/dev/xvda", "60Gi"]])),
        (
            "Bottlerocket",
            "bottlerocket@latest",
            json!([["/dev/xvda", "4Gi"], ["/dev/xvdb", "60Gi"]]),
        ),
        (
            "Windows2022",
            "windows2022@latest",
            json!([["/dev/sda1", "60Gi"]]),
        ),
    ] {
        let (class, _) = specs(json!({ "amiFamily": family, "diskSize": "60Gi" })).await;
        assert_eq!(class["amiSelectorTerms"], json!([{ "alias": alias }]));
        let disks = class["blockDeviceMappings"].as_array().unwrap();
        let disks: Json = disks
            .iter()
            .map(|disk| json!([disk["deviceName"], disk["ebs"]["volumeSize"]]))
            .collect();
        assert_eq!(disks, devices, "{family}");
    }
}

#[tokio::test]
async fn several_effects_make_several_taints() {
    let (_, pool) = specs(json!({ "taints": [{ "key": "k", "effect": ["NoSchedule", "NoExecute"] }] })).await;
    let expected = json!([{ "key": "k", "effect": "NoSchedule" }, { "key": "k", "effect": "NoExecute" }]);
    assert_eq!(pool["template"]["spec"]["taints"], expected);
}

#[tokio::test]
async fn the_pool_goes_before_the_class_and_may_take_its_time() {
    let shown = stage().show::<AutoscaledNodeGroup>(least()).await;
    let class = shown
        .record
        .events
        .iter()
        .find(|event| event.urn.as_str().ends_with("main-nodeclass"))
        .unwrap();
    let pool = shown.child(":NodePool", "main-nodepool");
    assert_eq!(pool.parent.as_ref(), Some(&class.urn));
    assert_eq!(pool.options.timeouts.delete.as_deref(), Some("1800s"));
}

#[tokio::test]
async fn every_problem_is_named() {
    let inputs = json!({
        "nodeRole": "arn:aws:iam::123456789012:role/nodes",
        "diskSize": "20 GB",
        "subnetIds": [],
        "securityGroupIds": [],
        "amiFamily": "Custom",
        "nodeClassApiVersion": "v1",
        "nodePoolApiVersion": UNKNOWN,
        "requirements": [
            { "key": "a", "operator": "in", "values": [] },
            { "key": "b", "operator": "In", "values": [] },
            { "key": "c", "operator": "Gt", "values": ["-1"] },
            { "key": "d", "operator": "Lte" },
            { "operator": "Exists" },
        ],
        "disruption": {
            "consolidationPolicy": "WhenEmptyOrUnderutilized",
            "consolidateAfter": "10 minutes",
            "expireAfter": "1d",
            "budgets": [
                { "nodes": "many" },
                { "schedule": "@daily" },
                { "duration": "90s" },
                { "schedule": "0 9 * *", "duration": "8h" },
            ],
        },
        "taints": [{ "key": "k", "effect": "NO_SCHEDULE" }, { "key": "k", "effect": ["NoExecute", "Never"] }],
    });
    insta::assert_snapshot!(
        stage()
            .preview()
            .problems::<AutoscaledNodeGroup>(inputs)
            .await
            .join("\n")
    );
}

#[tokio::test]
async fn an_unknown_policy_is_refused_and_named() {
    let inputs = with(json!({ "disruption": { "consolidationPolicy": "Balanced" } }));
    let problems = stage().problems::<AutoscaledNodeGroup>(inputs).await;
    assert_eq!(
        problems,
        ["disruption.consolidationPolicy must be one of WhenEmpty, WhenEmptyOrUnderutilized"]
    );
}

#[tokio::test]
async fn never_is_no_exception_to_where_consolidate_after_can_be_set() {
    let disruption =
        json!({ "consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "Never" });
    let problems = stage()
        .problems::<AutoscaledNodeGroup>(with(json!({ "disruption": disruption })))
        .await;
    let reason = "can only be set if disruption.consolidationPolicy is WhenEmpty, although version 1 of the \
                  autoscaler's API accepts it with every policy";
    assert_eq!(problems, [format!("disruption.consolidateAfter {reason}")]);
}

#[tokio::test]
async fn a_preview_with_everything_unknown_registers_both_objects() {
    let names = [
        "nodeRole",
        "diskSize",
        "subnetIds",
        "securityGroupIds",
        "requirements",
        "amiFamily",
        "amiId",
        "annotations",
        "disruption",
        "labels",
        "taints",
    ];
    let inputs = names
        .into_iter()
        .map(|name| (name.to_owned(), json!(UNKNOWN)))
        .collect();
    let shown = stage().preview().show::<AutoscaledNodeGroup>(inputs).await;
    insta::assert_snapshot!(beside_the_least::<AutoscaledNodeGroup>(least(), &shown).await);
}

#[tokio::test]
async fn every_two_inputs_go_together() {
    let options = [
        ("diskSize", json!("1Ti")),
        ("amiFamily", json!("Bottlerocket")),
        ("amiId", json!("ami-0abc")),
        ("annotations", json!({ "team": "a" })),
        (
            "disruption",
            json!({ "budgets": [{ "nodes": "1" }], "expireAfter": "Never" }),
        ),
        ("labels", json!({ "team": "a" })),
        ("taints", json!([{ "key": "only", "effect": "NoExecute" }])),
    ];
    for combination in pairs(options.len()) {
        stage()
            .show::<AutoscaledNodeGroup>(with(taken(&options, &combination)))
            .await;
    }
}

/// Names of objects are made of the component's, and so is a label.
#[tokio::test]
async fn a_name_that_no_object_can_have_is_refused() {
    let rule = "the name must be lower-case letters, digits, dots and dashes, because objects in the cluster are named \
                after it";
    for name in ["Batch", "batch_jobs", "-batch", "batch-"] {
        let problems = stage().name(name).problems::<AutoscaledNodeGroup>(least()).await;
        assert_eq!(problems, [rule], "{name}");
    }
}

/// Nodes are labelled with the names of both objects.
#[tokio::test]
async fn the_longest_name_leaves_room_in_the_labels_of_nodes() {
    let longest = "a-name-that-is-just-about-as-long-as-can-be1";
    let shown = stage().name(longest).show::<AutoscaledNodeGroup>(least()).await;
    for object in shown.record.registrations.iter().filter(|r| r.custom) {
        // A dash and eight letters make it unique.
        assert!(object.name.len() + 9 <= 63, "{}", object.name);
    }
    let problems = stage()
        .name("a-name-that-is-just-about-as-long-as-can-be12")
        .problems::<AutoscaledNodeGroup>(with(json!({ "labels": {} })))
        .await;
    let rule = "the name has 45 characters; at most 44 are allowed, because it is part of node labels";
    assert_eq!(problems, [rule]);
}

#[tokio::test]
async fn machines_are_limited_and_configured_as_the_program_says() {
    let kubelet = json!({
        "maxPods": 50, "podsPerCore": 10, "kubeReserved": { "cpu": "100m" },
        "systemReserved": { "memory": "256Mi" }, "evictionHard": { "memory.available": "5%" },
    });
    let metadata = json!({
        "httpEndpoint": "enabled", "httpProtocolIPv6": "disabled", "httpPutResponseHopLimit": 2, "httpTokens": "required",
    });
    let (class, pool) = specs(json!({
        "amiFamily": "Bottlerocket", "amiVersion": "v1.50.0", "kubelet": kubelet, "limits": { "cpu": "100", "memory": "400Gi" },
        "metadataOptions": metadata, "tags": { "owner": "me" }, "userData": "[settings]", "weight": 10,
    }))
    .await;
    assert_eq!(
        class["amiSelectorTerms"],
        json!([{ "alias": "bottlerocket@v1.50.0" }])
    );
    assert_eq!(
        (&class["kubelet"], &class["metadataOptions"]),
        (&kubelet, &metadata)
    );
    assert_eq!(
        (&class["tags"], &class["userData"]),
        (&json!({ "owner": "me" }), &json!("[settings]"))
    );
    assert_eq!(pool["limits"], json!({ "cpu": "100", "memory": "400Gi" }));
    assert_eq!(pool["weight"], 10);
}

#[tokio::test]
async fn machines_that_follow_every_image_by_default_are_warned_about() {
    let warnings = async |more: Json| {
        let shown = stage().show::<AutoscaledNodeGroup>(with(more)).await;
        shown
            .messages()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let [warning] = &warnings(json!({})).await[..] else {
        panic!("one warning")
    };
    assert!(
        warning.starts_with("the nodes have the latest image (al2023@latest)"),
        "{warning}"
    );
    for chosen in [
        json!({ "amiVersion": "latest" }),
        json!({ "amiVersion": "v20260801" }),
        json!({ "amiId": "ami-0abc" }),
    ] {
        assert_eq!(warnings(chosen.clone()).await, [""; 0], "{chosen}");
    }
}

#[tokio::test]
async fn settings_of_machines_that_the_autoscaler_would_refuse_are_input_errors() {
    let found = stage()
        .problems::<AutoscaledNodeGroup>(with(json!({
            "amiFamily": "Windows2022", "amiVersion": "v1", "diskSize": "50Gi",
            "kubelet": { "maxPods": 0, "kubeReserved": { "disk": "1Gi" }, "evictionHard": { "memory.available": "half" } },
            "limits": { "cpu": "many" }, "metadataOptions": { "httpTokens": "never", "httpPutResponseHopLimit": 65 },
            "tags": { "karpenter.sh/nodepool": "mine" }, "userData": "", "weight": 101,
        })))
        .await;
    assert_eq!(
        found,
        [
            "kubelet.evictionHard[\"memory.available\"] must be an amount or a percentage, such as 256Mi or 5%",
            "kubelet.kubeReserved.disk the key must be one of cpu, memory, ephemeral-storage, pid",
            "kubelet.maxPods must be at least 1",
            "limits.cpu must be an amount, such as 100m or 256Mi",
            "metadataOptions.httpPutResponseHopLimit must be from 1 to 64",
            "metadataOptions.httpTokens must be one of required, optional",
            "userData must not be empty",
            "weight must be from 1 to 100",
            "amiVersion must be latest for images of Windows",
            "tags[\"karpenter.sh/nodepool\"] is set by the autoscaler",
        ]
    );
    let both = with(json!({ "amiId": "ami-0abc", "amiVersion": "latest" }));
    assert_eq!(
        stage().problems::<AutoscaledNodeGroup>(both).await,
        ["amiVersion cannot be set if amiId is set"]
    );
}

/// A changed label would replace all machines.
#[tokio::test]
async fn the_default_label_survives_a_rename() {
    let label = async |aliases: &[&'static str]| {
        let shown = stage()
            .formerly(aliases)
            .show::<AutoscaledNodeGroup>(least())
            .await;
        let pool = shown.inputs(":NodePool", "main-nodepool");
        pool["spec"]["template"]["metadata"]["labels"]["node.clusterpkg.dev/name"].clone()
    };
    assert_eq!(label(&[]).await, "main");
    assert_eq!(label(&["first", "second"]).await, "first");
}

/// The API server rejects an empty value, which Kubernetes itself treats as none.
#[tokio::test]
async fn an_empty_value_of_a_taint_is_left_out() {
    let (_, pool) = specs(json!({ "taints": [{ "key": "k", "value": "", "effect": "NoSchedule" }] })).await;
    let expected = json!([{ "key": "k", "effect": "NoSchedule" }]);
    assert_eq!(pool["template"]["spec"]["taints"], expected);
}
