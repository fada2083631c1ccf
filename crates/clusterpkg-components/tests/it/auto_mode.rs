//! Auto Mode of `Cluster`: what AWS runs then, and what the component therefore does not install.

use clusterpkg_components::Cluster;
use serde_json::{Value as Json, json};

use crate::cluster::{everything, with};
use crate::stage::{Shown, stage};

async fn show(more: Json) -> Shown {
    stage().show::<Cluster>(with(more)).await
}

#[tokio::test]
async fn the_cloud_runs_nodes_volumes_and_load_balancers() {
    let boundary = "arn:aws:iam::123456789012:policy/boundary";
    let shown = show(json!({
        "autoMode": true, "ipFamily": "ipv4", "permissionsBoundary": boundary, "tags": { "owner": "me" },
    }))
    .await;
    let cluster = shown.inputs("/cluster:Cluster", "main");
    assert_eq!(
        cluster["computeConfig"],
        json!({
            "enabled": true, "nodePools": ["general-purpose", "system"],
            "nodeRoleArn": "arn:aws:iam:eu-west-1:123456789012:main-auto-node-role",
        })
    );
    assert_eq!(
        cluster["storageConfig"],
        json!({ "blockStorage": { "enabled": true } })
    );
    assert_eq!(
        cluster["kubernetesNetworkConfig"],
        json!({ "ipFamily": "ipv4", "elasticLoadBalancing": { "enabled": true } })
    );
    assert_eq!(cluster["bootstrapSelfManagedAddons"], false);
    assert_eq!(shown.untagged(), Vec::<&str>::new());

    // Switched on when both roles have their permissions.
    let after = shown.after("/cluster:Cluster", "main");
    for (name, policy) in [
        ("main-cluster-policy-compute", "AmazonEKSComputePolicy"),
        ("main-cluster-policy-storage", "AmazonEKSBlockStoragePolicy"),
        (
            "main-cluster-policy-load-balancing",
            "AmazonEKSLoadBalancingPolicy",
        ),
        ("main-cluster-policy-networking", "AmazonEKSNetworkingPolicy"),
        ("main-auto-node-worker-policy", "AmazonEKSWorkerNodeMinimalPolicy"),
        ("main-auto-node-ecr-policy", "AmazonEC2ContainerRegistryPullOnly"),
    ] {
        let right = shown.inputs(":RolePolicyAttachment", name);
        assert_eq!(right["policyArn"], format!("arn:aws:iam::aws:policy/{policy}"));
        assert!(after.contains(&name.to_owned()), "{name}");
    }
    let trust = shown.document(":Role", "main-cluster-role", "assumeRolePolicy");
    assert_eq!(
        trust["Statement"][0]["Action"],
        json!(["sts:AssumeRole", "sts:TagSession"])
    );
    let node_role = shown.inputs(":Role", "main-auto-node-role");
    assert_eq!(node_role["permissionsBoundary"], boundary);
    let trust = shown.document(":Role", "main-auto-node-role", "assumeRolePolicy");
    assert_eq!(
        trust["Statement"][0]["Principal"]["Service"],
        json!(["ec2.amazonaws.com"])
    );
}

/// The system nodes are managed nodes, which need the network add-ons.
#[tokio::test]
async fn what_it_replaces_is_not_installed_and_the_system_nodes_stay() {
    let (usual, auto) = (show(json!({})).await, show(json!({ "autoMode": true })).await);
    let only_in = |these: &Shown, others: &Shown| {
        let others = others.names().into_iter().map(str::to_owned).collect::<Vec<_>>();
        let mut names: Vec<_> = these
            .names()
            .into_iter()
            .filter(|name| !others.iter().any(|o| o == name))
            .map(str::to_owned)
            .collect();
        names.sort();
        names.dedup();
        names
    };
    let replaced = only_in(&usual, &auto);
    assert!(
        replaced.iter().all(|name| {
            ["main-autoscaler", "main-ebs-csi"]
                .iter()
                .any(|start| name.starts_with(start))
                || [
                    "health-event",
                    "rebalance",
                    "spot-interrupt",
                    "state-change",
                    "capacity",
                ]
                .iter()
                .any(|event| name.contains(event))
        }),
        "{replaced:?}"
    );
    assert!(replaced.iter().any(|name| name == "main-autoscaler"));
    let added = only_in(&auto, &usual);
    assert!(
        added
            .iter()
            .all(|name| name.starts_with("main-auto-node") || name.starts_with("main-cluster-policy")),
        "{added:?}"
    );
    for addon in ["main-vpc-cni", "main-kube-proxy", "main-coredns"] {
        assert_eq!(auto.inputs(":Addon", addon), usual.inputs(":Addon", addon));
    }
    assert_eq!(
        auto.inputs(":NodeGroup", "main-system-nodes"),
        usual.inputs(":NodeGroup", "main-system-nodes")
    );
    for output in [
        "systemNodes",
        "oidcProvider",
        "kubeconfig",
        "controlPlane",
        "clusterName",
    ] {
        assert!(auto.made.state.contains_key(output), "{output}");
    }
    for output in [
        "nodeAutoscalerRole",
        "nodeAutoscalerNodeRole",
        "nodeAutoscalerQueueName",
    ] {
        assert_eq!(auto.made.state.get(output), None);
    }
}

#[tokio::test]
async fn volumes_of_the_default_class_are_created_by_the_cloud() {
    let auto = show(json!({ "autoMode": true })).await;
    let class = auto.inputs(":StorageClass", "main-gp3-storage-class");
    assert_eq!(class["provisioner"], "ebs.csi.eks.amazonaws.com");
    assert_eq!(
        class["allowedTopologies"],
        json!([{ "matchLabelExpressions": [{ "key": "eks.amazonaws.com/compute-type", "values": ["auto"] }] }])
    );
    assert_eq!(class["parameters"]["encrypted"], "true");
    let usual = show(json!({})).await;
    let class = usual.inputs(":StorageClass", "main-gp3-storage-class");
    assert_eq!(
        (class.get("allowedTopologies"), &class["provisioner"]),
        (None, &json!("ebs.csi.aws.com"))
    );
}

/// The load balancers of AWS are of all types, and cannot have tags of the program.
#[tokio::test]
async fn services_have_the_load_balancers_of_the_cloud() {
    let shown = show(json!({
        "autoMode": true, "ipFamily": "ipv6", "lbType": "external", "tags": { "owner": "a=b" },
        "proxyIngressConfig": { "enableExternal": true, "enableInternal": true },
    }))
    .await;
    let release = shown.inputs(":Release", "main-nginx-ext");
    let annotations = &release["values"]["controller"]["service"]["annotations"];
    let of = |name: &str| annotations.get(format!("service.beta.kubernetes.io/aws-load-balancer-{name}"));
    assert_eq!(of("additional-resource-tags"), None);
    assert_eq!(of("scheme"), Some(&json!("internet-facing")));
    assert_eq!(release.get("skipAwait"), None);
    assert_eq!(shown.messages(), [""; 0]);
}

#[tokio::test]
async fn what_it_replaces_is_refused_or_warned_about_by_name() {
    let inputs = with(json!({
        "autoMode": true, "enableNodeAutoscaler": true, "enableLoadBalancerController": true,
        "addonVersions": { "aws-ebs-csi-driver": "latest" },
    }));
    assert_eq!(
        stage().problems::<Cluster>(inputs).await,
        [
            "enableNodeAutoscaler cannot be true with autoMode, which replaces it",
            "enableLoadBalancerController cannot be true with autoMode, which replaces it",
            "addonVersions[\"aws-ebs-csi-driver\"] is not installed, because autoMode replaces it",
        ]
    );
    let shown = show(json!({
        "autoMode": true, "enableNodeAutoscaler": false, "nodeAutoscalerVersion": "1.13.0",
        "loadBalancerControllerVersion": "3.5.0", "vpcCniConfig": { "enableNetworkPolicy": true },
        "proxyIngressConfig": { "enableExternal": false, "enableInternal": false },
    }))
    .await;
    assert_eq!(
        shown.messages(),
        [
            "vpcCniConfig only applies to the system nodes, because autoMode replaces the network plugin on others",
            "nodeAutoscalerVersion has no effect, because autoMode replaces the node autoscaler",
            "loadBalancerControllerVersion has no effect because enableLoadBalancerController is false",
        ]
    );
    // SDKs fill in the default.
    let shown = show(json!({
        "autoMode": true, "nodeAutoscalerVersion": "1.14.1",
        "proxyIngressConfig": { "enableExternal": false, "enableInternal": false },
    }))
    .await;
    assert_eq!(shown.messages(), [""; 0]);
}

/// AWS keeps the mode if the settings are merely removed.
#[tokio::test]
async fn it_is_turned_off_by_settings_and_never_replaces_a_cluster() {
    let off = show(json!({ "autoMode": false })).await;
    let cluster = off.inputs("/cluster:Cluster", "main");
    assert_eq!(cluster["computeConfig"], json!({ "enabled": false }));
    assert_eq!(
        cluster["storageConfig"],
        json!({ "blockStorage": { "enabled": false } })
    );
    assert_eq!(
        cluster["kubernetesNetworkConfig"],
        json!({ "elasticLoadBalancing": { "enabled": false } })
    );
    let never = show(json!({})).await;
    assert_eq!(off.names(), never.names());
    for (shown, has_addons_of_cloud) in [
        (&off, None),
        (&never, None),
        (&show(json!({ "autoMode": true })).await, Some(json!(false))),
    ] {
        let cluster = shown.child("/cluster:Cluster", "main");
        let inputs = shown.inputs("/cluster:Cluster", "main");
        assert_eq!(
            inputs.get("bootstrapSelfManagedAddons").cloned(),
            has_addons_of_cloud
        );
        assert_eq!(cluster.options.ignore_changes, ["bootstrapSelfManagedAddons"]);
    }
    for name in ["computeConfig", "storageConfig", "kubernetesNetworkConfig"] {
        assert_eq!(never.inputs("/cluster:Cluster", "main").get(name), None, "{name}");
    }
}

#[tokio::test]
async fn it_goes_together_with_every_other_addon() {
    let mut inputs = everything();
    for name in ["enableLoadBalancerController", "enableGatewayApi"] {
        inputs.as_object_mut().unwrap().remove(name);
    }
    inputs["autoMode"] = json!(true);
    let shown = stage().show::<Cluster>(inputs).await;
    assert_eq!(shown.untagged(), Vec::<&str>::new());
    assert_eq!(crate::cluster_order::strays(&shown), Vec::<&str>::new());
    assert_eq!(crate::cluster_order::ungiven(&shown), Vec::<&str>::new());
}
