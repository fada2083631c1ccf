//! Inputs that the cloud refuses only when it makes the resource, some after half an hour: each is an input error with
//! its path, in a preview too.

use clusterpkg_components::{
    AttachedNodeGroup, AttachedServerlessProfile, AutoscaledNodeGroup, Cluster, IamRoleMapping,
    IamServiceAccountRole,
};
use pulumi_plugin::components::Component;
use serde_json::{Map, Value as Json, json};

use crate::cluster;
use crate::stage::{UNKNOWN, stage};

pub(crate) fn over(base: &Json, more: &Json) -> Json {
    let mut inputs = base.clone();
    inputs
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    inputs
}

/// Every one of the inputs is refused, in an update and in a preview, with one problem that begins like this.
pub(crate) async fn refused<C: Component>(base: Json, cases: &[(Json, &str)]) {
    for (more, expected) in cases {
        for stage in [stage(), stage().preview()] {
            let found = stage.problems::<C>(over(&base, more)).await;
            let [problem] = &found[..] else {
                panic!("{more}: {found:?}")
            };
            assert!(problem.starts_with(expected), "{more}: {problem}");
        }
    }
}

pub(crate) fn group() -> Json {
    json!({ "clusterName": "shop", "subnetIds": ["subnet-1"] })
}

pub(crate) fn nodes() -> Json {
    json!({ "nodeRole": "nodes", "subnetIds": ["subnet-1"], "securityGroupIds": ["sg-1"], "requirements": [] })
}

pub(crate) fn profile(selector: Json) -> Json {
    json!({ "clusterName": "shop", "subnetIds": ["subnet-1"], "selectors": [selector] })
}

pub(crate) fn role() -> Json {
    json!({
        "oidcProviderArn": "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABCD",
        "oidcProviderUrl": "oidc.eks.eu-west-1.amazonaws.com/id/ABCD",
        "namespaceName": "shop",
        "serviceAccountName": "orders",
    })
}

/// So many members, each with this value.
fn members(count: usize, value: &str) -> Json {
    let members: Map<_, _> = (0..count)
        .map(|index| (format!("k{index}"), json!(value)))
        .collect();
    Json::Object(members)
}

#[tokio::test]
async fn values_that_are_listed_twice_or_are_no_addresses() {
    let agent = json!({ "healthProbeBindAddr": 8162, "metricsBindAddr": 8162 });
    refused::<Cluster>(
        cluster::least(),
        &[
            (
                json!({ "clusterSubnetIds": ["subnet-1", "subnet-1"] }),
                "clusterSubnetIds[1] must not be listed twice",
            ),
            (
                json!({ "hostedZoneIds": ["Z1", "Z2", "Z1"] }),
                "hostedZoneIds[2] must not be listed twice",
            ),
            (
                json!({ "letsEncryptEmail": "ops" }),
                "letsEncryptEmail must be an e-mail address",
            ),
            (
                json!({ "certificateArn": "arn:aws:acm:eu-west-1:123456789012:key/0a1b" }),
                "certificateArn must be the ARN of a certificate of ACM or IAM",
            ),
            (
                json!({ "certificateArn": "shop.example.com" }),
                "certificateArn must be the ARN of a certificate",
            ),
            (
                json!({ "vpcCniConfig": { "nodeAgent": agent } }),
                "vpcCniConfig.nodeAgent.metricsBindAddr must not be the port of healthProbeBindAddr",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn selectors_with_many_labels_or_no_namespace() {
    let labelled = profile(json!({ "namespace": "web", "labels": members(6, "v") }));
    refused::<AttachedServerlessProfile>(
        labelled,
        &[(
            json!({}),
            "selectors[0].labels must have at most 5 entries, not 6",
        )],
    )
    .await;
    let unnamed = profile(json!({ "namespace": "" }));
    refused::<AttachedServerlessProfile>(
        unnamed,
        &[(json!({}), "selectors[0].namespace must not be empty")],
    )
    .await;
}

#[tokio::test]
async fn labels_of_nodes_that_are_empty_or_long() {
    let long = "k".repeat(64);
    refused::<AttachedNodeGroup>(
        group(),
        &[
            (json!({ "labels": { "team": "" } }), "labels.team must be letters"),
            (
                json!({ "labels": { "team": long } }),
                "labels.team must have at most 63 characters, not 64",
            ),
            (
                json!({ "labels": { &long: "a" } }),
                &format!("labels.{long} the key must have at most 63 characters, not 64"),
            ),
            (
                json!({ "labels": { "": "a" } }),
                r#"labels[""] the key must be a name of at most 63"#,
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn tags_that_are_many_empty_or_reserved() {
    let cases = [
        (
            json!({ "tags": members(51, "v") }),
            "tags must have at most 50 entries, not 51",
        ),
        (
            json!({ "tags": { "": "v" } }),
            r#"tags[""] the key must not be empty"#,
        ),
        (
            json!({ "tags": { "aws:owner": "v" } }),
            r#"tags["aws:owner"] the key is reserved"#,
        ),
        (
            json!({ "tags": { "AWS:owner": "v" } }),
            r#"tags["AWS:owner"] the key is reserved"#,
        ),
        (
            json!({ "tags": { "owner": "v".repeat(257) } }),
            "tags.owner must have at most 256 characters",
        ),
    ];
    refused::<Cluster>(cluster::least(), &cases).await;
    refused::<AttachedNodeGroup>(group(), &cases).await;
    refused::<AttachedServerlessProfile>(profile(json!({ "namespace": "web" })), &cases).await;
    refused::<IamServiceAccountRole>(role(), &cases).await;
}

#[tokio::test]
async fn oidc_providers_that_are_empty_or_malformed_and_trusts_that_are_long() {
    let long = "n".repeat(1900);
    refused::<IamServiceAccountRole>(
        role(),
        &[
            (
                json!({ "oidcProviderUrl": "" }),
                "oidcProviderUrl must be the URL of an OIDC provider",
            ),
            (
                json!({ "oidcProviderUrl": "https://" }),
                "oidcProviderUrl must be the URL",
            ),
            (
                json!({ "oidcProviderUrl": "http://oidc.example/id" }),
                "oidcProviderUrl must be the URL",
            ),
            (
                json!({ "oidcProviderArn": "" }),
                "oidcProviderArn must be the ARN of an OIDC provider",
            ),
            (
                json!({ "oidcProviderArn": "arn:aws:iam::123456789012:role/dev" }),
                "oidcProviderArn must be the ARN",
            ),
            (
                json!({ "serviceAccountName": long }),
                "the trust policy built from the inputs has ",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn disks_that_are_smaller_than_their_image() {
    refused::<AttachedNodeGroup>(
        group(),
        &[
            (
                json!({ "diskSize": 19 }),
                "diskSize must be at least 20 for images of Amazon Linux",
            ),
            (
                json!({ "diskSize": 19, "amiType": "AL2_x86_64" }),
                "diskSize must be at least 20",
            ),
            (
                json!({ "amiType": "WINDOWS_CORE_2022_x86_64" }),
                "diskSize must be at least 50 for images of Windows; the default is 40",
            ),
        ],
    )
    .await;
    let autoscaled = json!({
        "nodeRole": "nodes", "diskSize": "19Gi", "subnetIds": ["subnet-1"], "securityGroupIds": ["sg-1"],
        "requirements": [],
    });
    refused::<AutoscaledNodeGroup>(
        autoscaled.clone(),
        &[
            (
                json!({}),
                "diskSize must be at least 20Gi for images of Amazon Linux",
            ),
            (json!({ "diskSize": "20G" }), "diskSize must be at least 20Gi"),
            (
                json!({ "diskSize": "20Gi", "amiFamily": "Windows2022" }),
                "diskSize must be at least 50Gi for images of Windows",
            ),
        ],
    )
    .await;
    for fine in [
        json!({ "amiFamily": "Bottlerocket" }),
        json!({ "amiId": "ami-0123456789abcdef0" }),
    ] {
        stage()
            .show::<AutoscaledNodeGroup>(over(&autoscaled, &fine))
            .await;
    }
    let bottlerocket = json!({ "diskSize": 19, "amiType": "BOTTLEROCKET_x86_64" });
    stage()
        .show::<AttachedNodeGroup>(over(&group(), &bottlerocket))
        .await;
    let unknown = json!({ "diskSize": 19, "amiType": UNKNOWN });
    stage()
        .preview()
        .show::<AttachedNodeGroup>(over(&group(), &unknown))
        .await;
}

#[tokio::test]
async fn names_with_spaces_dots_or_other_letters() {
    for name in ["my cluster", "shop.eu", "größe", "_shop", ""] {
        let rule = "the name must be letters, digits, dashes and underscores";
        let found = stage().name(name).problems::<Cluster>(cluster::least()).await;
        assert!(found[0].starts_with(rule), "{name}: {found:?}");
        let found = stage().name(name).problems::<AttachedNodeGroup>(group()).await;
        assert!(found[0].starts_with(rule), "{name}: {found:?}");
        let inputs = profile(json!({ "namespace": "web" }));
        let found = stage()
            .name(name)
            .problems::<AttachedServerlessProfile>(inputs)
            .await;
        assert!(found[0].starts_with(rule), "{name}: {found:?}");
        if name != "shop.eu" && name != "_shop" {
            let found = stage().name(name).problems::<IamServiceAccountRole>(role()).await;
            assert!(
                found[0].starts_with("the name must be letters, digits and"),
                "{name}: {found:?}"
            );
        }
        let inputs = over(&group(), &json!({ "clusterName": name }));
        let found = stage().problems::<AttachedNodeGroup>(inputs).await;
        assert!(
            found[0].starts_with("clusterName must be the name of a cluster"),
            "{name}: {found:?}"
        );
    }
}

#[tokio::test]
async fn values_of_the_wrong_type_have_one_problem() {
    let scaling = json!({ "minSize": -1.5, "desiredSize": 1, "maxSize": 1 });
    refused::<AttachedNodeGroup>(
        group(),
        &[
            (json!({ "capacityType": 5 }), "capacityType expected a string"),
            (
                json!({ "metadataHopLimit": 70.5 }),
                "metadataHopLimit expected an integer",
            ),
            (
                json!({ "scalingConfig": scaling }),
                "scalingConfig.minSize expected an integer",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn images_and_capacities_that_are_unknown_or_need_a_launch_template() {
    refused::<AttachedNodeGroup>(
        group(),
        &[
            (
                json!({ "amiType": "AL2022_x86_64" }),
                "amiType must be one of AL2023_x86_64_STANDARD",
            ),
            (
                json!({ "amiType": "CUSTOM" }),
                "amiType is set by `children.nodes`",
            ),
            (
                json!({ "amiType": "AL2023_ARM_64_STANDARD" }),
                "amiType does not match the CPU architecture",
            ),
            (
                json!({ "amiType": "BOTTLEROCKET_x86_64", "instanceTypes": ["m7g.large"] }),
                "amiType does not match the CPU architecture",
            ),
            (
                json!({ "capacityType": "spot" }),
                "capacityType must be one of ON_DEMAND, SPOT",
            ),
            (
                json!({ "capacityType": "CAPACITY_BLOCK" }),
                "capacityType is set by `children.nodes`",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn principals_that_are_malformed() {
    let rule = "adminAccessPrincipal must be the ARN of a role or user";
    let cases = [
        (
            json!({ "adminAccessPrincipal": "arn:aws:iam::123456789012:root" }),
            rule,
        ),
        (
            json!({ "adminAccessPrincipal": "arn:aws:iam::1:role/admin" }),
            rule,
        ),
        (json!({ "adminAccessPrincipal": "admin" }), rule),
    ];
    refused::<Cluster>(cluster::least(), &cases).await;
}

#[tokio::test]
async fn taints_with_keys_that_are_empty_or_long_and_too_many_of_them() {
    let taint = |key: &str| json!({ "key": key, "effect": "NO_EXECUTE" });
    let many: Vec<_> = (0..51).map(|index| taint(&format!("k{index}"))).collect();
    let valued = json!({ "key": "k", "value": "v".repeat(64), "effect": "NO_EXECUTE" });
    refused::<AttachedNodeGroup>(
        group(),
        &[
            (json!({ "taints": [taint("")] }), "taints[0].key must be a name"),
            (
                json!({ "taints": [taint(&"k".repeat(64))] }),
                "taints[0].key must have at most 63 characters, not 64",
            ),
            (
                json!({ "taints": [valued] }),
                "taints[0].value must have at most 63 characters",
            ),
            (
                json!({ "taints": many }),
                "taints must have at most 50 elements, not 51",
            ),
        ],
    )
    .await;
}

/// The cloud drops them, so that what was made differs from the program at every update.
#[tokio::test]
async fn empty_texts_in_lists_of_subnets_and_instance_types() {
    refused::<Cluster>(
        cluster::least(),
        &[
            (
                json!({ "clusterSubnetIds": ["subnet-1", ""] }),
                "clusterSubnetIds[1] must be an id",
            ),
            (
                json!({ "systemNodeSubnetIds": [""] }),
                "systemNodeSubnetIds[0] must be an id",
            ),
            (
                json!({ "systemNodeInstanceTypes": ["t3.large", ""] }),
                "systemNodeInstanceTypes[1] must not be empty",
            ),
        ],
    )
    .await;
    refused::<AttachedNodeGroup>(
        group(),
        &[
            (json!({ "subnetIds": [""] }), "subnetIds[0] must be an id"),
            (
                json!({ "instanceTypes": [""] }),
                "instanceTypes[0] must not be empty",
            ),
        ],
    )
    .await;
    let profile = profile(json!({ "namespace": "web" }));
    refused::<AttachedServerlessProfile>(
        profile,
        &[(json!({ "subnetIds": [""] }), "subnetIds[0] must be an id")],
    )
    .await;
}

/// The API server accepts none of them.
#[tokio::test]
async fn names_labels_and_ids_that_kubernetes_or_the_cloud_refuses() {
    for name in ["a..b", "a.-b", "a-.b", ".a"] {
        let found = stage().name(name).problems::<AutoscaledNodeGroup>(nodes()).await;
        assert!(
            found[0].starts_with("the name must be lower-case letters"),
            "{name}: {found:?}"
        );
    }
    let mapping = json!({ "roleArn": "arn:aws:iam::123456789012:role/dev", "username": "dev", "groups": [] });
    let long: &'static str = "a".repeat(245).leak();
    let found = stage().name(long).problems::<IamRoleMapping>(mapping).await;
    assert_eq!(found, ["the name has 245 characters; at most 244 are allowed"]);
    let requirement = |key: &str, operator: &str, value: &str| json!({ "requirements": [{ "key": key, "operator": operator, "values": [value] }] });
    let taint = |key: &str, value: &str| json!({ "taints": [{ "key": key, "value": value, "effect": "NoSchedule" }] });
    refused::<AutoscaledNodeGroup>(
        nodes(),
        &[
            (
                requirement("a", "Gt", "9223372036854775808"),
                "requirements[0].values must be one whole number if the operator is Gt",
            ),
            (
                requirement("a b", "In", "c"),
                "requirements[0].key must be a name of at most 63",
            ),
            (
                requirement("-/a", "In", "c"),
                "requirements[0].key must be a name of at most 63",
            ),
            (
                requirement("a", "In", "b c"),
                "requirements[0].values[0] must be letters, digits",
            ),
            (taint("a b", "c"), "taints[0].key must be a name of at most 63"),
            (taint("a", "-"), "taints[0].value must be letters, digits"),
            (
                json!({ "labels": { "a b": "c" } }),
                r#"labels["a b"] the key must be a name of at most 63"#,
            ),
            (
                json!({ "labels": { "a": "b c" } }),
                "labels.a must be letters, digits",
            ),
            (
                json!({ "subnetIds": ["private"] }),
                "subnetIds[0] must be an id, such as subnet-0a1b2c3d",
            ),
            (
                json!({ "securityGroupIds": ["default"] }),
                "securityGroupIds[0] must be an id, such as sg-0a1b2c3d",
            ),
            (
                json!({ "amiId": "al2023" }),
                "amiId must be the id of an image, such as ami-0a1b2c3d",
            ),
        ],
    )
    .await;
    refused::<Cluster>(
        cluster::least(),
        &[
            (
                json!({ "clusterSubnetIds": ["subnet-1", "Subnet-2"] }),
                "clusterSubnetIds[1] must be an id, such as subnet-0a1b2c3d",
            ),
            (
                json!({ "systemNodeSubnetIds": ["vpc-1"] }),
                "systemNodeSubnetIds[0] must be an id",
            ),
        ],
    )
    .await;
    refused::<AttachedNodeGroup>(
        group(),
        &[
            (
                json!({ "labels": { "a": "b c" } }),
                "labels.a must be letters, digits",
            ),
            (
                json!({ "subnetIds": ["a"] }),
                "subnetIds[0] must be an id, such as subnet-0a1b2c3d",
            ),
        ],
    )
    .await;
}
