//! Optional inputs beyond the specification. Without them nothing differs, which the snapshots of the graphs show.

use clusterpkg_components::{AttachedNodeGroup, AttachedServerlessProfile, Cluster, IamServiceAccountRole};
use serde_json::{Value as Json, json};

use crate::cluster::{everything, with};
use crate::stage::{Shown, stage};

async fn show(more: Json) -> Shown {
    stage().show::<Cluster>(with(more)).await
}

#[tokio::test]
async fn addons_have_the_versions_that_are_chosen_and_others_none() {
    let mut inputs = everything();
    inputs["addonVersions"] = json!({ "vpc-cni": "v1.21.0-eksbuild.1", "adot": "v0.131.0-eksbuild.1" });
    let shown = stage().show::<Cluster>(inputs).await;
    for (name, version) in [
        ("main-vpc-cni", json!("v1.21.0-eksbuild.1")),
        ("main-otel", json!("v0.131.0-eksbuild.1")),
        ("main-coredns", Json::Null),
    ] {
        assert_eq!(shown.inputs(":Addon", name)["addonVersion"], version, "{name}");
    }
}

/// Each name of an add-on is the name of a child, so that none is accepted and then ignored.
#[tokio::test]
async fn every_addon_can_be_given_a_version() {
    let mut inputs = everything();
    let names = [
        "vpc-cni",
        "kube-proxy",
        "coredns",
        "aws-ebs-csi-driver",
        "amazon-cloudwatch-observability",
        "adot",
    ];
    inputs["addonVersions"] = names
        .into_iter()
        .map(|name| (name.to_owned(), json!("v1")))
        .collect();
    let shown = stage().show::<Cluster>(inputs).await;
    let addons = shown
        .record
        .registrations
        .iter()
        .filter(|r| r.token.ends_with(":Addon"));
    assert!(
        addons
            .clone()
            .all(|addon| crate::oracle::plain(&addon.inputs)["addonVersion"] == "v1")
    );
    assert_eq!(addons.count(), names.len());
}

#[tokio::test]
async fn the_public_endpoint_and_support_are_as_the_program_says() {
    let ranges = json!(["203.0.113.0/24", "198.51.100.7/32"]);
    let shown = show(json!({ "endpointPublicAccessCidrs": ranges, "upgradePolicy": "STANDARD" })).await;
    let cluster = shown.inputs("/cluster:Cluster", "main");
    assert_eq!(cluster["vpcConfig"]["publicAccessCidrs"], ranges);
    assert_eq!(cluster["upgradePolicy"], json!({ "supportType": "STANDARD" }));
}

#[tokio::test]
async fn a_limited_metadata_service_makes_a_launch_template_with_the_disk() {
    let group = |more: Json| {
        let mut inputs = json!({ "clusterName": "shop", "subnetIds": ["subnet-1"], "metadataHopLimit": 1 });
        inputs
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        inputs
    };
    for (image, device) in [
        ("AL2023_x86_64_STANDARD", "/dev/xvda"),
        ("BOTTLEROCKET_x86_64", "/dev/xvdb"),
        ("WINDOWS_CORE_2025_x86_64", "/dev/sda1"),
    ] {
        let inputs = group(json!({ "amiType": image, "diskSize": 80, "tags": { "owner": "me" } }));
        let shown = stage().show::<AttachedNodeGroup>(inputs).await;
        let template = shown.inputs(":LaunchTemplate", "main-nodes");
        assert_eq!(template["metadataOptions"]["httpPutResponseHopLimit"], 1);
        assert_eq!(template["metadataOptions"]["httpTokens"], "required");
        assert_eq!(template["blockDeviceMappings"][0]["deviceName"], device);
        assert_eq!(template["blockDeviceMappings"][0]["ebs"]["volumeSize"], 80);
        let nodes = shown.inputs(":NodeGroup", "main-nodes");
        assert_eq!(nodes.get("diskSize"), None, "the cloud refuses both");
        assert_eq!(nodes["launchTemplate"]["version"], "1");
        assert_eq!(shown.untagged(), Vec::<&str>::new());
    }
    let shown = show(json!({ "systemNodeMetadataHopLimit": 2 })).await;
    let template = shown.inputs(":LaunchTemplate", "main-system-nodes");
    assert_eq!(template["metadataOptions"]["httpPutResponseHopLimit"], 2);
}

#[tokio::test]
async fn additions_that_mean_nothing_are_refused() {
    let inputs = with(json!({
        "addonVersions": { "coredns": "", "dns": "v1" },
        "clusterEndpointPrivateAccess": true,
        "clusterEndpointPublicAccess": false,
        "endpointPublicAccessCidrs": ["203.0.113.0", "300.0.0.0/8", "10.0.0.0/33", "2001:db8::/129", "::/0"],
        "systemNodeMetadataHopLimit": 0,
        "upgradePolicy": "NONE",
    }));
    insta::assert_snapshot!(stage().problems::<Cluster>(inputs).await.join("\n"));
}

#[tokio::test]
async fn addons_can_follow_the_version_of_the_control_plane() {
    let versions = json!({ "coredns": "latest", "kube-proxy": "default", "vpc-cni": "v1.21.0-eksbuild.1" });
    let shown = show(json!({ "addonVersions": versions, "clusterVersion": "1.35" })).await;
    let calls = shown
        .record
        .calls
        .iter()
        .filter(|call| call.token.ends_with(":getAddonVersion"));
    let mut calls: Vec<_> = calls.map(|call| crate::oracle::plain(&call.arguments)).collect();
    calls.sort_by_key(|call| call["addonName"].to_string());
    assert_eq!(
        calls,
        [
            json!({ "addonName": "coredns", "kubernetesVersion": "1.35", "mostRecent": true }),
            json!({ "addonName": "kube-proxy", "kubernetesVersion": "1.35", "mostRecent": false }),
        ]
    );
    for (name, version) in [
        ("main-coredns", "some-version"),
        ("main-kube-proxy", "some-version"),
        ("main-vpc-cni", "v1.21.0-eksbuild.1"),
    ] {
        assert_eq!(shown.inputs(":Addon", name)["addonVersion"], version, "{name}");
    }
}

#[tokio::test]
async fn the_archived_auth_controller_can_be_left_out_or_pulled_from_elsewhere() {
    let with_it = show(json!({})).await;
    let without =
        show(json!({ "enableIamAuthController": false, "clusterIamAuthControllerVersion": "0.1.9" })).await;
    let left_out: Vec<_> = with_it
        .names()
        .into_iter()
        .filter(|name| !without.names().contains(name))
        .collect();
    assert_eq!(
        left_out,
        [
            "main-iam-identity-mapping-crd",
            "main-aws-auth",
            "main-own-role-mapping"
        ]
    );
    assert!(
        without.messages().contains(
            &"clusterIamAuthControllerVersion has no effect because enableIamAuthController is false"
        )
    );
    let image = json!({ "repository": "registry.example/auth", "tag": "v1" });
    let mirrored = show(json!({ "iamAuthControllerImage": image })).await;
    assert_eq!(
        mirrored.inputs(":Release", "main-aws-auth")["values"]["image"],
        image
    );
    assert_eq!(
        with_it.inputs(":Release", "main-aws-auth")["values"].get("image"),
        None
    );
}

#[tokio::test]
async fn a_launch_template_encrypts_the_disks_and_tags_the_machines() {
    for (image, devices) in [
        ("AL2023_x86_64_STANDARD", json!(["/dev/xvda"])),
        ("BOTTLEROCKET_x86_64", json!(["/dev/xvda", "/dev/xvdb"])),
        ("WINDOWS_CORE_2025_x86_64", json!(["/dev/sda1"])),
    ] {
        let inputs = json!({
            "clusterName": "shop", "subnetIds": ["subnet-1"], "amiType": image, "diskSize": 80,
            "useLaunchTemplate": true, "tags": { "owner": "me" },
        });
        let shown = stage().show::<AttachedNodeGroup>(inputs).await;
        let template = shown.inputs(":LaunchTemplate", "main-nodes");
        let disks = template["blockDeviceMappings"].as_array().unwrap();
        assert!(
            disks.iter().all(|disk| disk["ebs"]["encrypted"] == "true"),
            "{image}"
        );
        let names: Json = disks.iter().map(|disk| disk["deviceName"].clone()).collect();
        assert_eq!(names, devices);
        assert_eq!(disks.last().unwrap()["ebs"]["volumeSize"], 80);
        let tagged: Json = template["tagSpecifications"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["resourceType"].clone())
            .collect();
        assert_eq!(tagged, json!(["instance", "volume", "network-interface"]));
        assert_eq!(template["tagSpecifications"][0]["tags"], json!({ "owner": "me" }));
        assert_eq!(template.get("metadataOptions"), None);
        assert_eq!(shown.inputs(":NodeGroup", "main-nodes").get("diskSize"), None);
    }
    let shown = show(json!({ "systemNodesUseLaunchTemplate": true })).await;
    let template = shown.inputs(":LaunchTemplate", "main-system-nodes");
    assert_eq!(template["blockDeviceMappings"][0]["ebs"]["encrypted"], "true");
}

/// A group that had a template before is not changed.
#[tokio::test]
async fn a_template_for_the_metadata_service_alone_is_as_before() {
    let inputs = json!({
        "clusterName": "shop", "subnetIds": ["subnet-1"], "metadataHopLimit": 1, "tags": { "owner": "me" },
    });
    let shown = stage().show::<AttachedNodeGroup>(inputs).await;
    let template = shown.inputs(":LaunchTemplate", "main-nodes");
    assert_eq!(template.get("tagSpecifications"), None);
    assert_eq!(template["blockDeviceMappings"][0]["ebs"].get("encrypted"), None);
}

#[tokio::test]
async fn volumes_and_load_balancers_have_the_tags_of_the_cluster() {
    let shown = show(json!({ "tags": { "owner": "me", "team": "a b", "sum": "a=b" } })).await;
    let driver = shown.document(":Addon", "main-ebs-csi", "configurationValues");
    assert_eq!(
        driver["controller"]["extraVolumeTags"],
        json!({ "owner": "me", "team": "a b", "sum": "a=b" })
    );
    for name in ["main-nginx-ext", "main-nginx-int"] {
        let annotations =
            shown.inputs(":Release", name)["values"]["controller"]["service"]["annotations"].clone();
        assert_eq!(
            annotations["service.beta.kubernetes.io/aws-load-balancer-additional-resource-tags"],
            "owner=me,team=a b"
        );
    }
    assert!(
        shown
            .messages()
            .iter()
            .any(|text| text.contains("do not have the tags sum:"))
    );
}

#[tokio::test]
async fn the_load_balancer_controller_only_has_tags_that_its_flag_can_express() {
    let shown = show(json!({
        "enableLoadBalancerController": true, "tags": { "owner": "me", "sum": "a=b" },
        "proxyIngressConfig": { "enableExternal": false, "enableInternal": false },
    }))
    .await;
    let values = shown.inputs(":Release", "main-load-balancers")["values"].clone();
    assert_eq!(values["defaultTags"], json!({ "owner": "me" }));
    let is_warning = |text: &&&str| text.contains("do not have the tags sum:");
    assert_eq!(shown.messages().iter().filter(is_warning).count(), 1);
}

#[tokio::test]
async fn further_managed_addons_are_installed_as_the_program_says() {
    let configuration = r#"{"replicas":2}"#;
    let role = "arn:aws:iam::123456789012:role/snapshots";
    let addons = json!({
        "metrics-server": { "version": "latest", "configurationValues": configuration },
        "snapshot-controller": { "version": "v8.3.0-eksbuild.1", "roleArn": role, "resolveConflictsOnUpdate": "OVERWRITE" },
        "eks-pod-identity-agent": {},
    });
    let shown = show(json!({ "addons": addons, "tags": { "owner": "me" } })).await;
    let metrics = shown.inputs(":Addon", "main-addon-metrics-server");
    assert_eq!(
        (&metrics["addonVersion"], &metrics["configurationValues"]),
        (&json!("some-version"), &json!(configuration))
    );
    let snapshots = shown.inputs(":Addon", "main-addon-snapshot-controller");
    assert_eq!(snapshots["serviceAccountRoleArn"], role);
    assert_eq!(snapshots["resolveConflictsOnUpdate"], "OVERWRITE");
    let agent = shown.inputs(":Addon", "main-addon-eks-pod-identity-agent");
    assert_eq!(
        (agent.get("addonVersion"), &agent["resolveConflictsOnCreate"]),
        (None, &json!("OVERWRITE"))
    );
    assert!(
        shown
            .after(":Addon", "main-addon-metrics-server")
            .contains(&"main-system-nodes".to_owned())
    );
    assert_eq!(shown.untagged(), Vec::<&str>::new());
    let wrong = with(json!({ "addons": {
        "coredns": {}, "Metrics": {}, "a": { "configurationValues": "[]", "roleArn": "a", "resolveConflictsOnCreate": "PRESERVE" },
    } }));
    assert_eq!(
        stage().problems::<Cluster>(wrong).await,
        [
            "addons.Metrics the key must be the name of an add-on, such as metrics-server",
            "addons.a.resolveConflictsOnCreate must be one of NONE, OVERWRITE",
            "addons.a.roleArn must be the ARN of a role, such as arn:aws:iam::123456789012:role/developer",
            "addons.coredns the key is installed by the cluster; set its version in addonVersions",
            "addons.a.configurationValues must be a JSON object",
        ]
    );
}

#[tokio::test]
async fn safety_switches_reach_the_control_plane_the_autoscaler_and_the_nodes() {
    let inputs = json!({
        "authenticationMode": "API", "deletionProtection": true, "enableZonalShift": true, "repairSystemNodes": true,
        "enableIamAuthController": false,
    });
    let shown = show(inputs).await;
    let cluster = shown.inputs("/cluster:Cluster", "main");
    assert_eq!(cluster["accessConfig"]["authenticationMode"], "API");
    assert_eq!(
        (&cluster["deletionProtection"], &cluster["zonalShiftConfig"]),
        (&json!(true), &json!({ "enabled": true }))
    );
    let settings = shown.inputs(":Release", "main-autoscaler")["values"]["settings"].clone();
    assert_eq!(settings["enableZonalShift"], true);
    let nodes = shown.inputs(":NodeGroup", "main-system-nodes");
    assert_eq!(nodes["nodeRepairConfig"], json!({ "enabled": true }));
    assert!(
        !shown
            .messages()
            .iter()
            .any(|text| text.contains("authenticationMode"))
    );
    let useless = show(json!({ "authenticationMode": "API" })).await;
    assert!(useless.messages().iter().any(|text| {
        text.starts_with("the IAM auth controller has no effect because authenticationMode is API")
    }));
    let group = json!({ "clusterName": "shop", "subnetIds": ["subnet-1"], "repairNodes": true });
    let shown = stage().show::<AttachedNodeGroup>(group).await;
    assert_eq!(
        shown.inputs(":NodeGroup", "main-nodes")["nodeRepairConfig"],
        json!({ "enabled": true })
    );
    let found = stage()
        .problems::<Cluster>(with(json!({ "authenticationMode": "CONFIG_MAP" })))
        .await;
    assert_eq!(
        found,
        ["authenticationMode must be one of API, API_AND_CONFIG_MAP"]
    );
}

#[tokio::test]
async fn the_network_of_pods_and_of_the_control_plane_is_as_the_program_says() {
    let key = "arn:aws:kms:eu-west-1:123456789012:key/0a1b";
    let shown = show(json!({
        "additionalSecurityGroupIds": ["sg-0a1"], "secretsKmsKeyArn": key, "serviceIpv4Cidr": "172.20.0.0/16",
        "vpcCniConfig": {
            "enablePrefixDelegation": true, "podSecurityGroupIds": ["sg-0b2"],
            "podSubnetIds": { "eu-west-1a": "subnet-0a1", "eu-west-1b": "subnet-0b2" },
        },
    }))
    .await;
    assert_eq!(
        shown.document(":Addon", "main-vpc-cni", "configurationValues"),
        json!({
            "env": {
                "AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG": "true", "ENABLE_PREFIX_DELEGATION": "true",
                "ENI_CONFIG_LABEL_DEF": "topology.kubernetes.io/zone",
            },
            "eniConfig": { "create": true, "region": "eu-west-1", "subnets": {
                "eu-west-1a": { "id": "subnet-0a1", "securityGroups": ["sg-0b2"] },
                "eu-west-1b": { "id": "subnet-0b2", "securityGroups": ["sg-0b2"] },
            } },
        })
    );
    let settings = |shown: &Shown| shown.inputs(":Release", "main-autoscaler")["values"]["settings"].clone();
    assert_eq!(settings(&shown)["reservedENIs"], "1");
    let one_network = show(json!({ "vpcCniConfig": { "enablePrefixDelegation": true } })).await;
    assert_eq!(settings(&one_network).get("reservedENIs"), None);
    let cluster = shown.inputs("/cluster:Cluster", "main");
    assert_eq!(cluster["vpcConfig"]["securityGroupIds"], json!(["sg-0a1"]));
    assert_eq!(
        cluster["kubernetesNetworkConfig"],
        json!({ "serviceIpv4Cidr": "172.20.0.0/16" })
    );
    assert_eq!(cluster["encryptionConfig"]["provider"]["keyArn"], key);
    assert!(!shown.names().contains(&"main-cluster-kms-key"));
    assert!(
        shown
            .document(":RolePolicy", "main-cluster-policy-kms", "policy")
            .to_string()
            .contains(key)
    );
    let wrong = with(json!({
        "additionalSecurityGroupIds": ["a"], "secretsKmsKeyArn": "alias/a", "serviceIpv4Cidr": "a",
        "vpcCniConfig": { "podSecurityGroupIds": ["sg-1"] },
    }));
    assert_eq!(
        stage().problems::<Cluster>(wrong).await,
        [
            "additionalSecurityGroupIds[0] must be an id, such as sg-0a1b2c3d",
            "secretsKmsKeyArn must be the ARN of a KMS key, such as arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d",
            "serviceIpv4Cidr must be a range from /12 to /24 within 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, such as 172.20.0.0/16",
            "vpcCniConfig.podSecurityGroupIds requires podSubnetIds",
        ]
    );
}

/// AWS creates the log group together with the cluster, unless it exists.
#[tokio::test]
async fn logs_end_after_the_days_of_the_program() {
    let shown = show(json!({ "name": "shop", "logRetentionDays": 90, "tags": { "owner": "me" } })).await;
    let group = shown.inputs(":LogGroup", "main-logs");
    assert_eq!(group["name"], "/aws/eks/shop/cluster");
    assert_eq!(group["retentionInDays"], 90);
    assert_eq!(shown.inputs("/cluster:Cluster", "main")["name"], "shop");
    assert!(
        shown
            .after("/cluster:Cluster", "main")
            .contains(&"main-logs".to_owned())
    );
    assert_eq!(shown.untagged(), Vec::<&str>::new());
    let usual = show(json!({})).await;
    assert!(!usual.names().contains(&"main-logs"));
    assert_eq!(usual.inputs("/cluster:Cluster", "main").get("name"), None);
    let wrong = with(json!({ "name": "a b", "logRetentionDays": 2 }));
    assert_eq!(
        stage().problems::<Cluster>(wrong).await,
        [
            "logRetentionDays must be one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, \
             2192, 2557, 2922, 3288, 3653",
            "name must be the name of a cluster: at most 100 letters, digits, dashes and underscores",
        ]
    );
    let nameless = with(json!({ "logRetentionDays": 90 }));
    assert_eq!(
        stage().problems::<Cluster>(nameless).await,
        [
            "logRetentionDays requires name, because AWS creates the log group /aws/eks/<name>/cluster together with the \
             cluster"
        ]
    );
}

/// Every role has the boundary, also the roles of nested components.
#[tokio::test]
async fn all_roles_have_the_permissions_boundary_of_the_program() {
    let boundary = "arn:aws:iam::123456789012:policy/boundary";
    let of_roles = |shown: &Shown| {
        let roles = shown
            .record
            .registrations
            .iter()
            .filter(|child| child.token == "aws:iam/role:Role");
        roles
            .map(|role| crate::oracle::plain(&role.inputs)["permissionsBoundary"].clone())
            .collect::<Vec<_>>()
    };
    let mut inputs = everything();
    inputs["permissionsBoundary"] = json!(boundary);
    let cluster = stage().show::<Cluster>(inputs).await;
    let group = json!({ "clusterName": "shop", "subnetIds": ["subnet-1"], "permissionsBoundary": boundary });
    let group = stage().show::<AttachedNodeGroup>(group).await;
    let profile = json!({
        "clusterName": "shop", "subnetIds": ["subnet-1"], "selectors": [{ "namespace": "batch" }],
        "permissionsBoundary": boundary,
    });
    let profile = stage().show::<AttachedServerlessProfile>(profile).await;
    let account = json!({
        "oidcProviderArn": "arn:aws:iam::123456789012:oidc-provider/oidc.example/id/A",
        "oidcProviderUrl": "oidc.example/id/A", "namespaceName": "web", "serviceAccountName": "shop",
        "permissionsBoundary": boundary,
    });
    let account = stage().show::<IamServiceAccountRole>(account).await;
    for (shown, roles) in [(&cluster, 10), (&group, 1), (&profile, 1), (&account, 1)] {
        assert_eq!(of_roles(shown), vec![json!(boundary); roles]);
    }
    let wrong = with(json!({ "permissionsBoundary": "boundary" }));
    assert_eq!(
        stage().problems::<Cluster>(wrong).await,
        [
            "permissionsBoundary must be the ARN of an IAM policy, such as arn:aws:iam::123456789012:policy/boundary"
        ]
    );
}

#[tokio::test]
async fn a_cluster_with_ipv6_has_the_permissions_and_load_balancers_for_it() {
    let shown = show(json!({
        "enableLoadBalancerController": true, "ipFamily": "ipv6", "lbType": "external", "tags": { "owner": "me" },
    }))
    .await;
    let cluster = shown.inputs("/cluster:Cluster", "main");
    assert_eq!(cluster["kubernetesNetworkConfig"], json!({ "ipFamily": "ipv6" }));
    let policy = shown.document(":Policy", "main-vpc-cni-ipv6-policy", "policy");
    assert!(policy.to_string().contains("ec2:AssignIpv6Addresses"));
    assert!(
        shown
            .after(":Addon", "main-vpc-cni")
            .contains(&"main-vpc-cni-ipv6-policy".to_owned())
    );
    let dualstack = |shown: &Shown| {
        let annotations =
            shown.inputs(":Release", "main-nginx-ext")["values"]["controller"]["service"]["annotations"]
                .clone();
        annotations
            .get("service.beta.kubernetes.io/aws-load-balancer-ip-address-type")
            .cloned()
    };
    assert_eq!(dualstack(&shown), Some(json!("dualstack")));
    assert_eq!(shown.untagged(), Vec::<&str>::new());
    let is_warning = |text: &&str| text.starts_with("load balancers of the type nlb cannot reach pods");
    assert!(!shown.messages().iter().any(is_warning));
    let ranges = json!(["203.0.113.0/24", "2001:db8::/32"]);
    let unreachable = show(json!({ "ipFamily": "ipv6", "endpointPublicAccessCidrs": ranges })).await;
    let cluster = unreachable.inputs("/cluster:Cluster", "main");
    assert_eq!(cluster["vpcConfig"]["publicAccessCidrs"], ranges);
    assert!(unreachable.messages().iter().any(is_warning));
    let usual = show(json!({ "ipFamily": "ipv4" })).await;
    assert_eq!(dualstack(&usual), None);
    assert!(!usual.names().contains(&"main-vpc-cni-ipv6-policy"));
    let wrong = with(json!({
        "ipFamily": "ipv6", "serviceIpv4Cidr": "172.20.0.0/16",
        "vpcCniConfig": { "enableWindowsIpam": true, "podSubnetIds": { "eu-west-1a": "subnet-0a1" } },
    }));
    assert_eq!(
        stage().problems::<Cluster>(wrong).await,
        [
            "serviceIpv4Cidr is not supported if ipFamily is ipv6",
            "vpcCniConfig.enableWindowsIpam is not supported if ipFamily is ipv6",
            "vpcCniConfig.podSubnetIds is not supported if ipFamily is ipv6",
        ]
    );
    let unknown = with(json!({ "ipFamily": "ipv5" }));
    assert_eq!(
        stage().problems::<Cluster>(unknown).await,
        ["ipFamily must be one of ipv4, ipv6"]
    );
}
