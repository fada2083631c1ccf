//! Own values for children: what is declared, and what arrives.

use std::collections::BTreeSet;

use clusterpkg_components::{
    ALL, AttachedNodeGroup, AutoscaledNodeGroup, Cluster, IamRoleMapping, IamServiceAccountRole,
};
use pulumi_plugin::components::Child;
use serde_json::{Value as Json, json};

use crate::stage::{UNKNOWN, stage};

/// A cluster with the least inputs, and without the add-ons that are not needed.
fn least() -> Json {
    json!({
        "clusterSubnetIds": ["subnet-1", "subnet-2"],
        "systemNodeSubnetIds": ["subnet-1", "subnet-2"],
        "proxyIngressConfig": { "enableExternal": false, "enableInternal": false },
        "addons": { "metrics-server": {} },
        "accessEntries": { "ops": {
            "principalArn": "arn:aws:iam::123456789012:role/ops", "policies": ["AmazonEKSViewPolicy"],
        } },
    })
}

fn with(mut inputs: Json, more: Json) -> Json {
    inputs
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    inputs
}

#[test]
fn every_declared_child_has_a_name_of_its_own() {
    for entry in ALL {
        let mut names = BTreeSet::new();
        let mut registered = BTreeSet::new();
        for child in entry.children {
            let Child { name, kind, .. } = child;
            assert!(
                names.insert(name) || name.ends_with('*'),
                "{}: {name}",
                entry.token
            );
            let registered_as = child.registered_as.unwrap_or(name);
            assert!(
                registered.insert((registered_as, kind.token)),
                "{}: {name}",
                entry.token
            );
            let condition = child.condition.unwrap_or("with `x`");
            assert!(condition.starts_with("with"), "{name}: {condition}");
        }
    }
}

/// `value` inside objects at a path.
pub(crate) fn at(path: &str, value: Json) -> Json {
    let path = path.replace("[\"", ".\u{1}").replace("\"]", "");
    // A quoted member contains dots.
    let (plain, quoted) = path
        .split_once(".\u{1}")
        .map_or((path.as_str(), None), |(plain, quoted)| (plain, Some(quoted)));
    let mut names: Vec<_> = plain.split('.').collect();
    names.extend(quoted);
    names
        .iter()
        .rev()
        .fold(value, |inner, name| json!({ *name: inner }))
}

/// Like [`problems`], also for a child that does not exist.
async fn problems_of_values(token: &str, child: &str, values: Json) -> Vec<String> {
    let mut problems = problems(token, child, values).await;
    problems.retain(|problem| !problem.contains(" does not exist: "));
    problems
}

/// Every component, with own values for one child.
async fn problems(token: &str, child: &str, values: Json) -> Vec<String> {
    let children = json!({ child: values });
    let stage = stage();
    match token.rsplit(':').next().unwrap() {
        "Cluster" => {
            stage
                .problems::<Cluster>(with(least(), json!({ "children": children })))
                .await
        }
        "AttachedNodeGroup" => {
            let inputs = json!({ "clusterName": "main", "subnetIds": ["subnet-1"], "children": children });
            stage.problems::<AttachedNodeGroup>(inputs).await
        }
        "AttachedServerlessProfile" => {
            let inputs = json!({
                "clusterName": "main", "subnetIds": ["subnet-1"], "selectors": [{ "namespace": "a" }], "children": children,
            });
            stage
                .problems::<clusterpkg_components::AttachedServerlessProfile>(inputs)
                .await
        }
        "AutoscaledNodeGroup" => {
            stage
                .problems::<AutoscaledNodeGroup>(with(autoscaled(), json!({ "children": children })))
                .await
        }
        "IamRoleMapping" => {
            let inputs = json!({
                "roleArn": "arn:aws:iam::123456789012:role/a", "username": "a", "groups": ["b"], "children": children,
            });
            stage.problems::<IamRoleMapping>(inputs).await
        }
        _ => {
            let inputs = json!({
                "oidcProviderArn": "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/AB",
                "oidcProviderUrl": "https://oidc.eks.eu-west-1.amazonaws.com/id/AB",
                "namespaceName": "a", "serviceAccountName": "b", "children": children,
            });
            stage.problems::<IamServiceAccountRole>(inputs).await
        }
    }
}

fn autoscaled() -> Json {
    json!({
        "nodeRole": "nodes", "diskSize": "20Gi", "subnetIds": ["subnet-1"], "securityGroupIds": ["sg-1"],
        "amiVersion": "v20260801", "requirements": [{ "key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"] }],
    })
}

#[tokio::test]
async fn own_properties_and_unknown_ones_of_every_child_are_refused() {
    for entry in ALL {
        for child in entry.children {
            let name = child.name.replace('*', "some");
            for path in child.all_own().flat_map(|own| own.paths) {
                let problems = problems_of_values(entry.token, &name, at(path, json!(UNKNOWN))).await;
                let [problem] = &problems[..] else {
                    panic!("{name}.{path}: {problems:?}")
                };
                // Children of two types have names of this form.
                let is_other = name == "access-some" && problem.contains("is an unknown property");
                assert!(
                    is_other || problem.contains("cannot be changed: "),
                    "{name}.{path}: {problem}"
                );
            }
            let problems = problems_of_values(entry.token, &name, json!({ "surplus": 1 })).await;
            let [problem] = &problems[..] else {
                panic!("{name}: {problems:?}")
            };
            assert!(
                problem.contains("surplus is an unknown property"),
                "{name}: {problem}"
            );
        }
    }
}

#[tokio::test]
async fn a_wrong_name_suggests_the_right_one() {
    for (name, values, expected) in [
        (
            "external-dsn",
            json!({}),
            r#"children["external-dsn"] is not the name of a child; did you mean `external-dns`?"#,
        ),
        (
            "external-dns",
            json!({ "repository": "https://charts.example" }),
            r#"children["external-dns"].repository is an unknown property; did you mean `repositoryOpts`?"#,
        ),
        (
            "control-plane",
            json!({ "vpcConfig": { "endpointPrivateAcces": true } }),
            r#"children["control-plane"].vpcConfig.endpointPrivateAcces is an unknown property; did you mean `endpointPrivateAccess`?"#,
        ),
        (
            "system-nodes",
            json!({ "updateConfig": { "maxUnavailable": "1" } }),
            r#"children["system-nodes"].updateConfig.maxUnavailable must be of type "integer""#,
        ),
        (
            "load-balancers",
            json!({}),
            r#"children["load-balancers"] does not exist: this child only exists with `enableLoadBalancerController`"#,
        ),
        (
            "addon-metrics-serve",
            json!({}),
            r#"children["addon-metrics-serve"] does not exist: this child only exists with an entry of `addons`; did you mean `addon-metrics-server`?"#,
        ),
        (
            "access-ops-AmazonEKSViewPolicy",
            json!({ "kubernetesGroups": [] }),
            r#"children["access-ops-AmazonEKSViewPolicy"].kubernetesGroups is an unknown property"#,
        ),
        (
            "access-ops",
            json!({ "accessScope": {} }),
            r#"children["access-ops"].accessScope is an unknown property"#,
        ),
        (
            "control-plane",
            json!({ "vpcConfig": null }),
            r#"children["control-plane"].vpcConfig is required"#,
        ),
        (
            "control-plane",
            json!({ "vpcConfig": { "subnetIds": [] } }),
            r#"children["control-plane"].vpcConfig.subnetIds must not be empty"#,
        ),
        (
            "system-nodes",
            json!({ "scalingConfig": { "minSize": null } }),
            r#"children["system-nodes"].scalingConfig.minSize is required"#,
        ),
        (
            "external-dns",
            json!({ "without": ["chart"] }),
            r#"children["external-dns"].chart is required"#,
        ),
        (
            "vpc-cni",
            json!({ "configurationValues": { "env": { "WARM_IP_TARGET": 2 } } }),
            r#"children["vpc-cni"].configurationValues.env.WARM_IP_TARGET must be text, such as "2""#,
        ),
        (
            "system-nodes",
            json!({ "updateConfig": { "maxUnavailable": 11 } }),
            r#"children["system-nodes"].updateConfig.maxUnavailable must be at most scalingConfig.maxSize, which is 10"#,
        ),
        (
            "system-node-role",
            json!({ "assumeRolePolicy": "none" }),
            r#"children["system-node-role"].assumeRolePolicy must be an object, or the JSON text of one"#,
        ),
        (
            "access-security",
            json!({}),
            r#"children["access-security"] does not exist: this child only exists with an entry of `accessEntries`"#,
        ),
        (
            "control-plane",
            json!({ "deletionProtection": true }),
            r#"children["control-plane"].deletionProtection cannot be changed: set the input `deletionProtection`"#,
        ),
        (
            "external-dns",
            json!({ "values": { "serviceAccount": null } }),
            r#"children["external-dns"].values.serviceAccount cannot be changed: it refers to another child of the component"#,
        ),
    ] {
        let found = problems("clusterpkg:index:Cluster", name, values).await;
        assert_eq!(found[0], expected, "{found:?}");
    }
}

/// EKS accepts an image of the program only with one type, without a version, and types of machines only in one place. Labels,
/// taints and sizes obey the rules of the inputs.
#[tokio::test]
async fn properties_of_a_group_and_of_its_launch_template_must_agree() {
    let of_group = async |more: Json, children: Json| {
        let group = json!({ "clusterName": "main", "subnetIds": ["subnet-1"], "children": children });
        stage().problems::<AttachedNodeGroup>(with(group, more)).await
    };
    let templated = || json!({ "useLaunchTemplate": true });
    let image = json!({ "imageId": "ami-7", "userData": "IyEvYmluL3NoCg==" });
    let custom = json!({ "amiType": "CUSTOM" });
    for (more, children, expected) in [
        (
            json!({}),
            json!({ "nodes": custom }),
            r#"children.nodes.amiType CUSTOM requires children["launch-template"].imageId"#,
        ),
        (
            templated(),
            json!({ "launch-template": image, "nodes": { "amiType": "AL2023_x86_64_STANDARD" } }),
            r#"children["launch-template"].imageId requires children.nodes.amiType CUSTOM"#,
        ),
        (
            with(templated(), json!({ "version": "1.35" })),
            json!({ "launch-template": image, "nodes": custom }),
            "children.nodes.version cannot be set if amiType is CUSTOM",
        ),
        (
            templated(),
            json!({ "nodes": { "remoteAccess": { "ec2SshKey": "ops" } } }),
            "children.nodes.remoteAccess cannot be set together with a launch template; give it to the child with the launch template",
        ),
        (
            json!({}),
            json!({ "nodes": { "labels": { "k8s.io/stage": "a" } } }),
            r#"children.nodes.labels["k8s.io/stage"] is reserved by EKS: labels of managed nodes must not be of the domains kubernetes.io, k8s.io and eks.amazonaws.com"#,
        ),
        (
            json!({}),
            json!({ "nodes": { "taints": [
                { "key": "a", "effect": "NO_EXECUTE" }, { "key": "a", "value": "b", "effect": "NO_EXECUTE" },
            ] } }),
            "children.nodes.taints[1] has the key and the effect of taints[0]",
        ),
        (
            json!({}),
            json!({ "nodes": { "scalingConfig": { "minSize": 11 } } }),
            "children.nodes.scalingConfig.minSize must not be greater than scalingConfig.desiredSize",
        ),
        (
            templated(),
            json!({ "launch-template": { "instanceType": "m7i.large" } }),
            r#"children["launch-template"].instanceType requires that children.nodes.instanceTypes is removed with `without`"#,
        ),
    ] {
        assert_eq!(of_group(more, children).await, [expected]);
    }
    let own = json!({ "system-launch-template": image, "system-nodes": custom });
    let inputs = json!({ "systemNodesUseLaunchTemplate": true, "children": own });
    let shown = stage().preview().show::<Cluster>(with(least(), inputs)).await;
    let nodes = shown.inputs("NodeGroup", "main-system-nodes");
    assert_eq!(
        (&nodes["amiType"], nodes.get("version")),
        (&json!("CUSTOM"), None)
    );
    let without = json!({ "system-launch-template": image });
    let inputs = json!({ "systemNodesUseLaunchTemplate": true, "children": without });
    let problems = stage().problems::<Cluster>(with(least(), inputs)).await;
    let expected =
        r#"children["system-launch-template"].imageId requires children["system-nodes"].amiType CUSTOM"#;
    assert_eq!(problems, [expected]);
}

#[tokio::test]
async fn components_inside_a_cluster_are_reached_by_its_own_input() {
    let children = json!({
        "system-nodes": { "updateConfig": { "maxUnavailablePercentage": 50 } },
        "system-node-role": { "maxSessionDuration": 7200 },
        "external-dns-role": { "description": "Records" },
        "external-dns-policy": { "description": "Zones" },
        "external-dns-policy-attachment": {},
    });
    let shown = stage()
        .show::<Cluster>(with(least(), json!({ "children": children })))
        .await;
    let nodes = shown.inputs("NodeGroup", "main-system-nodes");
    assert_eq!(nodes["updateConfig"], json!({ "maxUnavailablePercentage": 50 }));
    assert_eq!(
        shown.inputs(":Role", "main-system-node-role")["maxSessionDuration"],
        7200
    );
    assert_eq!(
        shown.inputs(":Role", "main-external-dns-role")["description"],
        "Records"
    );
    assert_eq!(
        shown.inputs(":Policy", "main-external-dns-policy")["description"],
        "Zones"
    );
}

/// The page about removed inputs has this example.
#[tokio::test]
async fn a_default_that_is_sent_can_be_left_out() {
    let children = json!({ "control-plane": { "without": ["zonalShiftConfig"] } });
    let inputs = with(least(), json!({ "children": children }));
    let shown = stage().show::<Cluster>(inputs).await;
    let control_plane = shown.inputs("/cluster:Cluster", "main");
    assert_eq!(control_plane.get("zonalShiftConfig"), None);
}

/// AWS and the CRDs accept only one of each pair.
#[tokio::test]
async fn a_property_that_excludes_one_of_the_component_replaces_it() {
    let children = json!({ "nodeclass": { "spec": { "instanceProfile": "nodes" } } });
    let inputs = with(autoscaled(), json!({ "children": children }));
    let shown = stage().show::<AutoscaledNodeGroup>(inputs).await;
    let class = shown.inputs("EC2NodeClass", "main-nodeclass");
    assert_eq!(class["spec"]["instanceProfile"], "nodes");
    assert_eq!(class["spec"].get("role"), None);

    let children = json!({ "cluster-issuer": { "spec": { "ca": { "secretName": "ca" } } } });
    let inputs = json!({ "letsEncryptEmail": "ops@example.com", "children": children });
    let shown = stage().show::<Cluster>(with(least(), inputs)).await;
    let issuer = shown.inputs("ClusterIssuer", "main-cluster-issuer");
    assert_eq!(issuer["spec"], json!({ "ca": { "secretName": "ca" } }));
    let both = json!({ "updateConfig": { "maxUnavailable": 2, "maxUnavailablePercentage": 50 } });
    assert_eq!(
        problems("clusterpkg:index:AttachedNodeGroup", "nodes", both).await,
        [
            "children.nodes.updateConfig.maxUnavailablePercentage cannot be set together with updateConfig.maxUnavailable"
        ]
    );
}

#[tokio::test]
async fn limits_of_the_object_types_are_checked() {
    for (child, spec, expected) in [
        (
            "nodepool",
            json!({ "disruption": { "consolidationPolicy": "Always", "consolidateAfter": "5m" } }),
            "disruption.consolidationPolicy must be one of WhenEmpty, WhenEmptyOrUnderutilized, Balanced",
        ),
        (
            "nodepool",
            json!({ "weight": 101 }),
            "weight must be from 1 to 100",
        ),
        (
            "nodepool",
            json!({ "template": { "spec": { "requirements": [{ "operator": "Exists" }] } } }),
            "template.spec.requirements[0].key is required",
        ),
        (
            "nodepool",
            json!({ "template": { "spec": { "expireAfter": "30d" } } }),
            "template.spec.expireAfter must match ^(([0-9]+(s|m|h))+|Never)$",
        ),
        (
            "nodeclass",
            json!({ "metadataOptions": { "httpPutResponseHopLimit": 65 } }),
            "metadataOptions.httpPutResponseHopLimit must be from 1 to 64",
        ),
        (
            "nodeclass",
            json!({ "instanceStorePolicy": "RAID1" }),
            "instanceStorePolicy must be one of RAID0",
        ),
        (
            "nodepool",
            json!({ "disruption": { "budgets": [{ "reasons": ["Empty"] }] } }),
            "disruption.consolidateAfter is required",
        ),
        ("nodeclass", Json::Null, "is required"),
        (
            "nodepool",
            json!({ "limits": { "cpu": true } }),
            r#"limits.cpu must be of type ["integer","string"]"#,
        ),
    ] {
        let token = "clusterpkg:index:AutoscaledNodeGroup";
        let found = problems(token, child, json!({ "spec": spec })).await;
        let separator = if spec.is_null() { ' ' } else { '.' };
        assert_eq!(found, [format!("children.{child}.spec{separator}{expected}")]);
    }
}

/// The rules need parts that the component adds, and the name of the node class, which is not known before it is created.
#[tokio::test]
async fn rules_of_the_object_types_are_checked_after_the_merge() {
    let of = async |child: &str, spec: Json| {
        let token = "clusterpkg:index:AutoscaledNodeGroup";
        problems(token, child, json!({ "spec": spec })).await
    };
    for (child, spec, expected) in [
        (
            "nodepool",
            json!({ "replicas": 2, "weight": 5 }),
            "spec breaks a rule of the object type: 'weight' is not supported on static NodePools",
        ),
        (
            "nodepool",
            json!({ "template": { "metadata": { "labels": { "karpenter.sh/team": "a" } } } }),
            r#"spec.template.metadata.labels breaks a rule of the object type: label domain "karpenter.sh" is restricted"#,
        ),
        (
            "nodepool",
            json!({ "template": { "spec": { "requirements": [{ "key": "a", "operator": "Lt", "values": ["b"] }] } } }),
            "spec.template.spec.requirements breaks a rule of the object type: requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value",
        ),
        (
            "nodeclass",
            json!({ "amiFamily": "Bottlerocket" }),
            "spec breaks a rule of the object type: if set, amiFamily must be 'AL2023' or 'Custom' when using an AL2023 alias",
        ),
        (
            "nodeclass",
            json!({ "kubelet": { "imageGCHighThresholdPercent": 70, "imageGCLowThresholdPercent": 80 } }),
            "spec.kubelet breaks a rule of the object type: imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent",
        ),
    ] {
        assert_eq!(of(child, spec).await, [format!("children.{child}.{expected}")]);
    }
    let inputs = |spec: Json| {
        with(
            autoscaled(),
            json!({ "children": { "nodepool": { "spec": spec } } }),
        )
    };
    // The API server adds the number of nodes.
    let budget = json!({ "consolidateAfter": "1m", "budgets": [{ "reasons": ["Empty"] }] });
    for spec in [
        json!({ "disruption": budget }),
        json!({ "limits": { "cpu": 100 }, "weight": 5 }),
        json!({ "limits": { "nodes": "4" }, "replicas": 2 }),
    ] {
        stage().preview().show::<AutoscaledNodeGroup>(inputs(spec)).await;
    }
}

#[tokio::test]
async fn values_of_charts_are_merged_as_helm_merges_them() {
    let children = json!({ "external-dns": {
        "repositoryOpts": { "repo": "https://charts.example" },
        "values": { "tolerations": null, "provider": { "name": "aws" } },
    } });
    let shown = stage()
        .show::<Cluster>(with(least(), json!({ "children": children })))
        .await;
    let release = shown.inputs("Release", "main-external-dns");
    assert_eq!(release["repositoryOpts"]["repo"], "https://charts.example");
    // Helm removes the default of the chart for a null.
    assert_eq!(release["values"]["tolerations"], Json::Null);
    assert!(release["values"].as_object().unwrap().contains_key("tolerations"));
    assert_eq!(release["values"]["serviceAccount"]["name"], "external-dns");
}

#[tokio::test]
async fn configuration_of_add_ons_stays_text_with_the_settings_of_the_component() {
    let settings = json!({ "env": { "WARM_IP_TARGET": "2" } });
    let more = json!({
        "vpcCniConfig": { "enablePrefixDelegation": true },
        "children": { "vpc-cni": { "configurationValues": settings } },
    });
    let shown = stage().show::<Cluster>(with(least(), more)).await;
    assert_eq!(
        shown.document("Addon", "main-vpc-cni", "configurationValues"),
        json!({ "env": { "ENABLE_PREFIX_DELEGATION": "true", "WARM_IP_TARGET": "2" } })
    );
}
