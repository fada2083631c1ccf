//! Rights and volumes as narrow as they can be, and warnings of what ends.

use clusterpkg_components::{AttachedNodeGroup, AutoscaledNodeGroup, Cluster};
use serde_json::json;

use crate::cluster::{everything, with};
use crate::stage::{AWS, CHINA, EUROPE, GOVERNMENT, stage, stage_in};

#[tokio::test]
async fn the_volume_driver_has_the_newer_policy_where_there_is_one() {
    for (partition, policy) in [
        (AWS, "arn:aws:iam::aws:policy/AmazonEBSCSIDriverPolicyV2"),
        (
            CHINA,
            "arn:aws-cn:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy",
        ),
        (
            GOVERNMENT,
            "arn:aws-us-gov:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy",
        ),
        (
            EUROPE,
            "arn:aws-eusc:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy",
        ),
    ] {
        let shown = stage_in(partition).show::<Cluster>(everything()).await;
        assert_eq!(
            shown.inputs(":RolePolicyAttachment", "main-ebs-csi-policy")["policyArn"],
            policy
        );
    }
}

#[tokio::test]
async fn the_certificate_manager_changes_texts_alone() {
    let shown = stage().show::<Cluster>(everything()).await;
    let policy = shown.document(":Policy", "main-cert-manager-policy", "policy");
    let statements = policy["Statement"].as_array().unwrap();
    let changes = statements
        .iter()
        .find(|s| s["Action"] == json!(["route53:ChangeResourceRecordSets"]));
    let only_texts = json!({
        "ForAllValues:StringEquals": { "route53:ChangeResourceRecordSetsRecordTypes": ["TXT"] },
    });
    assert_eq!(changes.unwrap()["Condition"], only_texts);
}

#[tokio::test]
async fn volumes_of_the_default_class_are_encrypted_and_can_grow() {
    let shown = stage().show::<Cluster>(everything()).await;
    let class = shown.inputs(":StorageClass", "main-gp3-storage-class");
    assert_eq!(class["allowVolumeExpansion"], true);
    assert_eq!(class["parameters"]["encrypted"], "true");
}

#[tokio::test]
async fn what_ends_with_a_version_of_kubernetes_is_warned_about() {
    let warned = |messages: &[&str], text: &str| messages.iter().any(|message| message.contains(text));
    for (version, expected) in [("1.35", false), ("1.36", true)] {
        let shown = stage()
            .show::<Cluster>(with(json!({ "clusterVersion": version })))
            .await;
        assert_eq!(
            warned(&shown.messages(), "ingress-nginx) is retired"),
            expected,
            "{version}"
        );
    }
    let group = |image: &str| json!({ "clusterName": "shop", "subnetIds": ["subnet-1"], "amiType": image });
    for (image, expected) in [("AL2_x86_64", true), ("AL2023_x86_64_STANDARD", false)] {
        let shown = stage().show::<AttachedNodeGroup>(group(image)).await;
        assert_eq!(
            warned(
                &shown.messages(),
                "Amazon Linux 2 images are only available up to Kubernetes 1.32"
            ),
            expected,
            "{image}"
        );
    }
    let nodes = json!({
        "nodeRole": "nodes", "diskSize": "20Gi", "subnetIds": ["subnet-1"], "securityGroupIds": ["sg-1"],
        "requirements": [], "amiFamily": "AL2",
    });
    let shown = stage().show::<AutoscaledNodeGroup>(nodes).await;
    assert!(warned(
        &shown.messages(),
        "Amazon Linux 2 images are only available up to Kubernetes 1.32"
    ));
}

#[tokio::test]
async fn images_without_a_driver_for_the_machines_are_warned_about() {
    let warning = async |types: serde_json::Value, image: serde_json::Value| {
        let inputs = json!({
            "clusterName": "shop", "subnetIds": ["subnet-1"], "instanceTypes": types, "amiType": image,
        });
        let shown = stage().show::<AttachedNodeGroup>(inputs).await;
        let warning = shown
            .messages()
            .into_iter()
            .find(|text| text.contains("has no driver"));
        warning.map(|text| {
            text.split(" set amiType to ")
                .nth(1)
                .unwrap()
                .split(',')
                .next()
                .unwrap()
                .to_owned()
        })
    };
    for (types, image, better) in [
        (json!(["g5.xlarge"]), json!(null), Some("AL2023_x86_64_NVIDIA")),
        (json!(["g5g.xlarge"]), json!(null), Some("AL2023_ARM_64_NVIDIA")),
        (
            json!(["inf2.xlarge"]),
            json!("AL2023_x86_64_STANDARD"),
            Some("AL2023_x86_64_NEURON"),
        ),
        (
            json!(["p5.48xlarge"]),
            json!("BOTTLEROCKET_x86_64"),
            Some("BOTTLEROCKET_x86_64_NVIDIA"),
        ),
        (json!(["g5.xlarge"]), json!("AL2023_x86_64_NVIDIA"), None),
        (json!(["m7i.large"]), json!(null), None),
    ] {
        assert_eq!(warning(types.clone(), image).await.as_deref(), better, "{types}");
    }
}

#[tokio::test]
async fn images_that_need_something_else_are_warned_about() {
    let autoscaled = async |more: serde_json::Value| {
        let mut inputs = json!({
            "nodeRole": "nodes", "diskSize": "50Gi", "subnetIds": ["subnet-1"], "securityGroupIds": ["sg-1"],
            "requirements": [], "amiId": "ami-0abc",
        });
        inputs
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let shown = stage().show::<AutoscaledNodeGroup>(inputs).await;
        shown.messages().join("\n")
    };
    assert!(
        autoscaled(json!({ "amiFamily": "Custom" }))
            .await
            .contains("set userData")
    );
    assert_eq!(
        autoscaled(json!({ "amiFamily": "Custom", "userData": "#!/bin/sh", "rootDeviceName": "/dev/sda1" }))
            .await,
        ""
    );
    assert!(
        autoscaled(json!({ "amiFamily": "Windows2022" }))
            .await
            .contains("EC2_WINDOWS")
    );
    assert_eq!(autoscaled(json!({ "amiFamily": "Bottlerocket" })).await, "");
    let group = json!({
        "clusterName": "shop", "subnetIds": ["subnet-1"], "amiType": "WINDOWS_CORE_2025_x86_64", "diskSize": 50,
    });
    let shown = stage().show::<AttachedNodeGroup>(group).await;
    assert!(shown.messages()[0].contains("vpcCniConfig.enableWindowsIpam"));
    let cluster = stage()
        .show::<Cluster>(with(json!({ "vpcCniConfig": { "enableWindowsIpam": true } })))
        .await;
    let configuration = cluster.document(":Addon", "main-vpc-cni", "configurationValues");
    assert_eq!(configuration, json!({ "enableWindowsIpam": "true" }));
}

/// The version of the cluster is the version of the control plane, which a program need not choose.
#[tokio::test]
async fn an_autoscaler_that_is_too_old_is_warned_about_also_with_a_default_version() {
    let warning = async |version: &'static str, more: serde_json::Value| {
        let stage = stage();
        let engine = stage.engine.clone().outputs(move |registration| {
            let mut outputs = crate::stage::outputs_of(AWS, registration);
            if registration.token == "aws:eks/cluster:Cluster" {
                outputs.insert("version".to_owned(), version.into());
            }
            outputs
        });
        let shown = crate::stage::Stage { engine, ..stage }
            .show::<Cluster>(with(more))
            .await;
        let warning = shown
            .messages()
            .into_iter()
            .find(|text| text.contains("is too old for Kubernetes"));
        warning.map(str::to_owned)
    };
    let old = json!({ "nodeAutoscalerVersion": "1.8.0" });
    let expected = "nodeAutoscalerVersion 1.8.0 is too old for Kubernetes 1.35, which requires 1.9 or newer";
    assert_eq!(warning("1.35", old.clone()).await.as_deref(), Some(expected));
    assert_eq!(warning("1.34", old).await, None);
    assert_eq!(warning("1.36", json!({})).await, None);
}
