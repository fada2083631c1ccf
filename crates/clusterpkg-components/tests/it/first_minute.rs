//! Inputs that a service refuses by rules that it publishes, minutes or half an hour after the program started: each is
//! an input error in a preview too, and values beside it are accepted.

use std::collections::BTreeSet;

use clusterpkg_components::{
    AttachedNodeGroup, AttachedServerlessProfile, AutoscaledNodeGroup, Cluster, IamRoleMapping,
    IamServiceAccountRole,
};
use pulumi_plugin::components::{Component, ConstructError};
use serde_json::{Value as Json, json};

use crate::cluster::{least, with};
use crate::oracle;
use crate::refused_late::{group, nodes, over, profile, refused, role};
use crate::stage::{AWS, Stage, outputs_of, stage};

/// Every one of the inputs is accepted.
async fn accepted<C: Component>(base: Json, cases: &[Json]) {
    for more in cases {
        stage().show::<C>(over(&base, more)).await;
    }
}

#[tokio::test]
async fn labels_of_managed_nodes_that_the_service_or_the_kubelet_reserves() {
    let label = |key: &str| json!({ "labels": { key: "a" } });
    let eks = "is reserved by EKS";
    let kubelet = "is reserved by Kubernetes";
    for (key, reason) in [
        ("kubernetes.io/role", eks),
        ("kubernetes.io/arch", eks),
        ("k8s.io/team", eks),
        ("eks.amazonaws.com/nodegroup", eks),
        ("compute.eks.amazonaws.com/kind", eks),
        ("node-role.kubernetes.io/worker", kubelet),
        ("kops.k8s.io/instancegroup", kubelet),
        ("node-restriction.kubernetes.io/pci", kubelet),
    ] {
        let expected = format!(r#"labels["{key}"] {reason}"#);
        refused::<AttachedNodeGroup>(group(), &[(label(key), &expected)]).await;
    }
    let free = [
        "team",
        "kubernetes.io.example/team",
        "mykubernetes.io/team",
        "amazonaws.com/team",
        "node.kubernetes.io/pool",
        "gpu.node.kubernetes.io/pool",
        "kubelet.kubernetes.io/pool",
        "topology.kubernetes.io/zone",
    ];
    accepted::<AttachedNodeGroup>(group(), &free.map(label)).await;
}

/// The component rejects everything that the rules of the node pool reject.
#[tokio::test]
async fn labels_and_requirements_of_autoscaled_nodes_that_the_autoscaler_reserves() {
    let reserved = [
        "karpenter.sh/nodepool",
        "karpenter.sh/team",
        "sub.karpenter.sh/team",
        "karpenter.k8s.aws/team",
        "kubernetes.io/hostname",
        "mykarpenter.sh",
    ];
    let free = [
        "team",
        "example.com/team",
        "karpenter.sh.example/team",
        "node.kubernetes.io/pool",
        "node-restriction.kubernetes.io/pci",
        "kops.k8s.io/instancegroup",
        "kubernetes.io/team",
        "sub.kubernetes.io/team",
        "mykubernetes.io/team",
        "node-role.kubernetes.io/worker",
        "k8s.io/team",
        "karpenter.sh/capacity-type",
        "karpenter.k8s.aws/instance-family",
        "topology.kubernetes.io/zone",
        "kubernetes.io/arch",
    ];
    let label = |key: &str| json!({ "labels": { key: "a" } });
    let requirement =
        |key: &str| json!({ "requirements": [{ "key": key, "operator": "NotIn", "values": ["a"] }] });
    for key in reserved {
        let path = if key.contains('/') || key.contains('.') {
            format!(r#"labels["{key}"]"#)
        } else {
            format!("labels.{key}")
        };
        let expected = format!("{path} is reserved by the autoscaler");
        refused::<AutoscaledNodeGroup>(nodes(), &[(label(key), &expected)]).await;
        let expected = "requirements[0].key is reserved by the autoscaler";
        refused::<AutoscaledNodeGroup>(nodes(), &[(requirement(key), expected)]).await;
    }
    accepted::<AutoscaledNodeGroup>(nodes(), &free.map(label)).await;
    accepted::<AutoscaledNodeGroup>(nodes(), &free.map(requirement)).await;
    // Every known key of the machine in the rules is accepted, so that the two lists agree. The autoscaler does not know
    // one of them.
    let unknown = "karpenter.k8s.aws/ec2nodeclass";
    refused::<AutoscaledNodeGroup>(nodes(), &[(label(unknown), "labels")]).await;
    let rules = oracle::RULES["rules"]["NodePool"].as_array().unwrap().iter();
    let words = rules.flat_map(|rule| rule["rule"].as_str().unwrap().split('"'));
    let known = words.filter(|word| word.starts_with("karpenter.k8s.aws/"));
    for key in known
        .collect::<BTreeSet<_>>()
        .into_iter()
        .filter(|key| *key != unknown)
    {
        accepted::<AutoscaledNodeGroup>(nodes(), &[requirement(key)]).await;
    }
}

#[tokio::test]
async fn requirements_without_a_value_that_exists() {
    let requirement = |key: &str, operator: &str, values: Json| json!({ "requirements": [{ "key": key, "operator": operator, "values": values }] });
    let path = "requirements[0].values must contain at least one of";
    refused::<AutoscaledNodeGroup>(
        nodes(),
        &[
            (
                requirement("karpenter.sh/capacity-type", "In", json!(["SPOT"])),
                &format!("{path} on-demand, reserved, spot"),
            ),
            (
                requirement("kubernetes.io/arch", "In", json!(["x86_64", "aarch64"])),
                &format!("{path} amd64, arm64"),
            ),
            (
                requirement("karpenter.k8s.aws/instance-tenancy", "In", json!(["host"])),
                &format!("{path} dedicated, default"),
            ),
        ],
    )
    .await;
    accepted::<AutoscaledNodeGroup>(
        nodes(),
        &[
            requirement("karpenter.sh/capacity-type", "In", json!(["SPOT", "spot"])),
            requirement("kubernetes.io/os", "NotIn", json!(["darwin"])),
            requirement("team", "In", json!(["SPOT"])),
        ],
    )
    .await;
    for (key, expected) in [
        ("eks.amazonaws.com/capacityType", true),
        ("compute.eks.amazonaws.com/kind", true),
        ("example.com/capacityType", false),
    ] {
        let inputs = over(&nodes(), &requirement(key, "In", json!(["SPOT"])));
        let shown = stage().show::<AutoscaledNodeGroup>(inputs).await;
        let warning = format!("requirements[0].key: {key} is a label of managed nodes");
        let warned = shown.messages().iter().any(|text| text.starts_with(&warning));
        assert_eq!(warned, expected, "{key}");
    }
}

#[tokio::test]
async fn taints_with_one_key_and_effect() {
    let taint = |value: &str, effect: Json| json!({ "key": "team", "value": value, "effect": effect });
    let twice = [taint("a", json!("NO_SCHEDULE")), taint("b", json!("NO_SCHEDULE"))];
    let expected = "taints[1] has the key and the effect of taints[0]";
    refused::<AttachedNodeGroup>(group(), &[(json!({ "taints": twice }), expected)]).await;
    let listed = [
        taint("a", json!(["NoExecute", "NoSchedule"])),
        taint("b", json!("NoSchedule")),
    ];
    let started = json!({
        "taints": [taint("a", json!("NoSchedule"))], "startupTaints": [taint("b", json!("NoSchedule"))],
    });
    let cases = [
        (json!({ "taints": listed }), expected),
        (
            started,
            "startupTaints[0] has the key and the effect of taints[0]",
        ),
    ];
    refused::<AutoscaledNodeGroup>(nodes(), &cases).await;
    let apart = json!({ "taints": [taint("a", json!("NoExecute"))], "startupTaints": [taint("a", json!("NoSchedule"))] });
    accepted::<AutoscaledNodeGroup>(nodes(), &[apart]).await;
}

#[tokio::test]
async fn tags_that_a_role_cannot_have() {
    let characters = "must consist of letters, digits, spaces and the characters _.:/=+-@, because IAM does not accept others \
                      for the role";
    let cases = [
        (
            json!({ "tags": { "owner": "a;b" } }),
            format!("tags.owner {characters}"),
        ),
        (
            json!({ "tags": { "owner": "a, b" } }),
            format!("tags.owner {characters}"),
        ),
        (
            json!({ "tags": { "team!": "a" } }),
            format!(r#"tags["team!"] the key {characters}"#),
        ),
        (
            json!({ "tags": { "Owner": "a", "owner": "b" } }),
            "tags.owner differs from another key only in case, which IAM does not accept for the role"
                .to_owned(),
        ),
    ];
    let cases = cases
        .each_ref()
        .map(|(more, expected)| (more.clone(), expected.as_str()));
    refused::<Cluster>(least(), &cases).await;
    refused::<AttachedNodeGroup>(group(), &cases).await;
    refused::<AttachedServerlessProfile>(profile(json!({ "namespace": "web" })), &cases).await;
    refused::<AutoscaledNodeGroup>(nodes(), &cases).await;
    refused::<IamServiceAccountRole>(role(), &cases).await;
    let free = [
        json!({ "tags": { "Größe": "50 %".replace('%', "@") } }),
        json!({ "tags": { "a.b_c:d/e=f+g-h@i": "" } }),
    ];
    accepted::<IamServiceAccountRole>(role(), &free).await;
}

#[tokio::test]
async fn roles_of_the_identity_center_without_their_path() {
    let short = "arn:aws:iam::123456789012:role/AWSReservedSSO_admin_0a1b2c";
    let whole =
        "arn:aws:iam::123456789012:role/aws-reserved/sso.amazonaws.com/eu-west-1/AWSReservedSSO_admin_0a1b2c";
    let reason = "is a role of IAM Identity Center without its path";
    let administrator = |arn: &str| json!({ "adminAccessPrincipal": arn });
    let entry = |arn: &str| json!({ "accessEntries": { "ops": { "principalArn": arn, "groups": ["ops"] } } });
    let mapping = json!({ "clusterName": "shop", "username": "ops", "groups": ["ops"] });
    let of_mapping = |arn: &str| json!({ "roleArn": arn });
    refused::<Cluster>(
        least(),
        &[
            (administrator(short), &format!("adminAccessPrincipal {reason}")),
            (entry(short), &format!("accessEntries.ops.principalArn {reason}")),
        ],
    )
    .await;
    let expected = format!("roleArn {reason}");
    refused::<IamRoleMapping>(mapping.clone(), &[(of_mapping(short), &expected)]).await;
    accepted::<Cluster>(least(), &[administrator(whole), entry(whole)]).await;
    accepted::<IamRoleMapping>(mapping, &[of_mapping(whole)]).await;
}

#[tokio::test]
async fn images_and_releases_of_another_version() {
    let images = |version: &str, image: &str, release: Json| json!({ "version": version, "amiType": image, "releaseVersion": release });
    let other = "releaseVersion is not a release for Kubernetes 1.34";
    let form = "releaseVersion must be a release of the image, such as 1.35.1-20260801";
    let kind = "releaseVersion is a release of another type of image";
    let old = "amiType Amazon Linux 2 images are only available";
    refused::<AttachedNodeGroup>(
        group(),
        &[
            (
                json!({ "version": "1.34", "releaseVersion": "1.33.1-20260401" }),
                other,
            ),
            (
                images("1.34", "AL2023_x86_64_NVIDIA", json!("1.35.0-20260801")),
                other,
            ),
            (
                over(
                    &images("1.34", "WINDOWS_CORE_2022_x86_64", json!("1.35-2026.01.01")),
                    &json!({ "diskSize": 50 }),
                ),
                other,
            ),
            (json!({ "releaseVersion": "1.50.0-0a1b2c3d" }), kind),
            (
                json!({ "amiType": "BOTTLEROCKET_x86_64", "releaseVersion": "1.35-2026.01.01" }),
                kind,
            ),
            (json!({ "releaseVersion": "" }), form),
            (json!({ "releaseVersion": "latest" }), form),
            (json!({ "releaseVersion": "20260101" }), form),
            (json!({ "releaseVersion": "v1.35.0-20260101" }), form),
            (images("1.33", "AL2_x86_64", Json::Null), old),
            (
                json!({ "amiType": "AL2_x86_64_GPU", "releaseVersion": "1.34.1-20260401" }),
                old,
            ),
        ],
    )
    .await;
    accepted::<AttachedNodeGroup>(
        group(),
        &[
            json!({ "version": "1.34", "releaseVersion": "1.34.1-20260401" }),
            json!({ "releaseVersion": "1.34.1-20260401" }),
            images("1.35", "BOTTLEROCKET_x86_64", json!("1.50.0-0a1b2c3d")),
            images("1.32", "AL2_x86_64", json!("1.32.9-20251101")),
        ],
    )
    .await;
    let versions = [(
        json!({ "clusterVersion": "1.35.2" }),
        "clusterVersion must be a version such as 1.35",
    )];
    refused::<Cluster>(least(), &versions).await;
}

#[tokio::test]
async fn objects_of_another_autoscaler() {
    refused::<AutoscaledNodeGroup>(
        nodes(),
        &[
            (
                json!({ "nodeClassApiVersion": "eks.amazonaws.com/v1" }),
                "nodeClassApiVersion is not of the autoscaler's group, as in karpenter.k8s.aws/v1",
            ),
            (
                json!({ "nodePoolApiVersion": "karpenter.k8s.aws/v1" }),
                "nodePoolApiVersion is not of the autoscaler's group, as in karpenter.sh/v1",
            ),
            (
                json!({ "nodePoolApiVersion": "karpenter.sh/V1" }),
                "nodePoolApiVersion must be a group and a version, such as karpenter.sh/v1",
            ),
            (
                json!({ "nodeClassApiVersion": "karpenter.k8s.aws/1" }),
                "nodeClassApiVersion must be a group and a version, such as karpenter.k8s.aws/v1",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn zones_owners_and_devices_that_do_not_exist() {
    refused::<Cluster>(
        least(),
        &[
            (json!({ "hostedZoneIds": [] }), "hostedZoneIds must not be empty"),
            (
                json!({ "hostedZoneIds": ["Z1", "example.com"] }),
                "hostedZoneIds[1] must be the id of a hosted zone",
            ),
            (json!({ "dnsOwnerId": "a,b" }), "dnsOwnerId must be letters"),
        ],
    )
    .await;
    let image = json!({ "amiFamily": "Custom", "amiId": "ami-1", "userData": "#!/bin/sh" });
    refused::<AutoscaledNodeGroup>(
        over(&nodes(), &image),
        &[(
            json!({ "rootDeviceName": "xvda" }),
            "rootDeviceName must be the name of a device",
        )],
    )
    .await;
    let device = json!({ "rootDeviceName": "/dev/sda1" });
    let only = "rootDeviceName can only be set if amiFamily is Custom";
    refused::<AutoscaledNodeGroup>(
        nodes(),
        &[
            (device.clone(), only),
            (over(&device, &json!({ "amiFamily": "AL2023" })), only),
        ],
    )
    .await;
}

/// The identity that runs the program is the default administrator, which the component only learns from the cloud.
#[tokio::test]
async fn an_entry_for_the_default_administrator_fails_by_name_before_it_is_made() {
    let entries =
        |arn: &str| with(json!({ "accessEntries": { "self": { "principalArn": arn, "groups": ["ops"] } } }));
    let caller = "arn:aws:iam::123456789012:role/deployer";
    for stage in [stage(), stage().preview()] {
        let failed = stage.try_show::<Cluster>(entries(caller)).await;
        let Err(error) = failed else { panic!("accepted") };
        let reasons = chain(&error);
        assert!(
            reasons.contains("accessEntries.self.principalArn already has an access entry"),
            "{reasons}"
        );
        let names: Vec<_> = stage
            .engine
            .record()
            .registrations
            .iter()
            .map(|r| r.name.clone())
            .collect();
        assert!(!names.contains(&"main-access-self".to_owned()), "{names:?}");
    }
    // The administrator of an existing cluster is the identity that created it.
    let stage = stage();
    let engine = stage.engine.clone().outputs(|registration| {
        let mut outputs = outputs_of(AWS, registration);
        if registration.name == "main-admin-access" {
            outputs.insert(
                "principalArn".to_owned(),
                "arn:aws:iam::123456789012:role/creator".into(),
            );
        }
        outputs
    });
    Stage { engine, ..stage }.show::<Cluster>(entries(caller)).await;
}

fn chain(error: &ConstructError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}
