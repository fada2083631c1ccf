//! Features that preserve data and access: protection, records of routes, disks of custom images, tags that consumers accept, and
//! rights that name what they are for.

use clusterpkg_components::{AutoscaledNodeGroup, Cluster, IamServiceAccountRole};
use serde_json::{Value as Json, json};

use crate::cluster::with;
use crate::refused_late::{nodes, over, role};
use crate::stage::{Shown, UNKNOWN, stage};

async fn show(more: Json) -> Shown {
    stage().show::<Cluster>(with(more)).await
}

fn values(shown: &Shown, release: &str) -> Json {
    shown.inputs(":Release", release)["values"].clone()
}

/// Children of the control plane stay unprotected, so that access can be revoked.
#[tokio::test]
async fn deletion_protection_protects_the_control_plane_alone() {
    for (protection, of_control_plane, of_child) in [
        (json!(true), Some(true), Some(false)),
        (json!(false), None, None),
        (Json::Null, None, None),
    ] {
        let shown = show(json!({ "deletionProtection": protection })).await;
        let protected = |token: &str, name: &str| shown.child(token, name).options.protect;
        assert_eq!(protected("/cluster:Cluster", "main"), of_control_plane);
        assert_eq!(protected(":AccessEntry", "main-admin-access"), of_child);
        assert_eq!(protected(":NodeGroup", "main-system-nodes"), None);
    }
    let unknown = with(json!({ "deletionProtection": UNKNOWN }));
    let shown = stage().preview().show::<Cluster>(unknown).await;
    assert_eq!(shown.child("/cluster:Cluster", "main").options.protect, None);
}

#[tokio::test]
async fn names_of_routes_get_records_after_their_kinds_exist() {
    let gateways = json!({ "enableLoadBalancerController": true, "enableGatewayApi": true });
    let shown = show(gateways.clone()).await;
    let sources = json!(["service", "ingress", "gateway-httproute", "gateway-grpcroute"]);
    assert_eq!(values(&shown, "main-external-dns")["sources"], sources);
    let after = shown.after(":Release", "main-external-dns");
    assert!(after.contains(&"main-gateway-api-crds".to_owned()), "{after:?}");
    let installed = show(over(&gateways, &json!({ "gatewayApiCrdsInstalled": true }))).await;
    assert_eq!(values(&installed, "main-external-dns")["sources"], sources);
    assert_eq!(
        values(&show(json!({})).await, "main-external-dns").get("sources"),
        None
    );
}

#[tokio::test]
async fn records_of_clusters_with_one_name_have_owners_by_region() {
    let owner = async |more: Json| {
        let shown = show(more).await;
        let ignored = shown
            .child(":Release", "main-external-dns")
            .options
            .ignore_changes
            .clone();
        (values(&shown, "main-external-dns")["txtOwnerId"].clone(), ignored)
    };
    let kept = vec!["values.txtOwnerId".to_owned()];
    assert_eq!(owner(json!({})).await, (json!("main-1a2b3c4"), kept.clone()));
    assert_eq!(
        owner(json!({ "name": "shop" })).await,
        (json!("shop.eu-west-1"), kept)
    );
    let chosen = json!({ "name": "shop", "dnsOwnerId": "legacy" });
    assert_eq!(owner(chosen).await, (json!("legacy"), Vec::new()));
}

#[tokio::test]
async fn controllers_of_records_can_be_limited_to_zones() {
    let zones = json!(["Z0A1B2C3", "Z9"]);
    let shown = show(json!({ "hostedZoneIds": zones })).await;
    let arns = json!([
        "arn:aws:route53:::hostedzone/Z0A1B2C3",
        "arn:aws:route53:::hostedzone/Z9"
    ]);
    for policy in ["main-external-dns-policy", "main-cert-manager-policy"] {
        let document = shown.document(":Policy", policy, "policy");
        let statements = document["Statement"].as_array().unwrap().iter();
        let changes = statements.filter(|s| s["Action"] == json!(["route53:ChangeResourceRecordSets"]));
        let resources: Vec<_> = changes.map(|statement| statement["Resource"].clone()).collect();
        assert_eq!(json!(resources), json!([arns]), "{policy}");
    }
    let filters = json!(["--zone-id-filter=Z0A1B2C3", "--zone-id-filter=Z9"]);
    assert_eq!(values(&shown, "main-external-dns")["extraArgs"], filters);
}

#[tokio::test]
async fn the_disk_of_a_custom_image_is_its_root_device() {
    let image =
        json!({ "amiFamily": "Custom", "amiId": "ami-1", "userData": "#!/bin/sh", "diskSize": "90Gi" });
    let disks = async |more: Json| {
        let shown = stage()
            .show::<AutoscaledNodeGroup>(over(&over(&nodes(), &image), &more))
            .await;
        let class = shown.inputs(":EC2NodeClass", "main-nodeclass");
        (
            class["spec"]["blockDeviceMappings"].clone(),
            shown.messages().join("\n"),
        )
    };
    let (named, warnings) = disks(json!({ "rootDeviceName": "/dev/sda1" })).await;
    let volume = json!({ "encrypted": true, "volumeSize": "90Gi", "volumeType": "gp3" });
    assert_eq!(named, json!([{ "deviceName": "/dev/sda1", "ebs": volume }]));
    assert!(!warnings.contains("rootDeviceName"), "{warnings}");
    let (guessed, warnings) = disks(json!({})).await;
    assert_eq!(guessed[0]["deviceName"], "/dev/xvda");
    assert!(warnings.contains("set rootDeviceName"), "{warnings}");
}

/// The driver does not start with tags that it does not accept.
#[tokio::test]
async fn the_volume_driver_only_gets_tags_that_it_accepts() {
    let tags = json!({
        "team": "a", "sum": "a=b", "cost:center/unit": "a b", "kubernetes.io/cluster/shop": "owned",
        "CSIVolumeName": "x", "a=b": "c", "note": "a: b",
    });
    let shown = show(json!({ "tags": tags })).await;
    let driver = shown.document(":Addon", "main-ebs-csi", "configurationValues");
    let accepted = json!({ "team": "a", "sum": "a=b", "cost:center/unit": "a b" });
    assert_eq!(driver["controller"]["extraVolumeTags"], accepted);
    let warning = "volumes of the volume driver do not have the tags CSIVolumeName, a=b, kubernetes.io/cluster/shop, note:";
    assert!(
        shown.messages().iter().any(|text| text.starts_with(warning)),
        "{:?}",
        shown.messages()
    );
    let plain = show(json!({ "tags": { "team": "a" } })).await;
    assert!(
        !plain
            .messages()
            .iter()
            .any(|text| text.contains("do not have the tags"))
    );
}

#[tokio::test]
async fn pods_get_a_role_only_in_their_cluster_namespace_and_account() {
    let inputs = over(&role(), &json!({ "clusterName": "shop" }));
    let shown = stage().show::<IamServiceAccountRole>(inputs).await;
    let trust = shown.document("/role:Role", "main", "assumeRolePolicy");
    let of_pods = &trust["Statement"][1];
    assert_eq!(of_pods["Principal"]["Service"], json!(["pods.eks.amazonaws.com"]));
    assert_eq!(
        of_pods["Condition"],
        json!({
            "ArnEquals": { "aws:SourceArn": ["arn:aws:eks:eu-west-1:123456789012:cluster/shop"] },
            "StringEquals": {
                "aws:RequestTag/kubernetes-namespace": ["shop"],
                "aws:RequestTag/kubernetes-service-account": ["orders"],
                "aws:SourceAccount": ["123456789012"],
            },
        })
    );
}

#[tokio::test]
async fn policies_of_an_entry_are_not_lost_when_their_scope_changes() {
    let entry = json!({ "ops": {
        "principalArn": "arn:aws:iam::123456789012:role/ops", "policies": ["AmazonEKSViewPolicy"], "namespaces": ["shop"],
    } });
    let shown = show(json!({ "accessEntries": entry })).await;
    let association = shown.child(":AccessPolicyAssociation", "main-access-ops-AmazonEKSViewPolicy");
    assert_eq!(association.options.delete_before_replace, Some(true));
    assert_eq!(
        shown.inputs(":AccessEntry", "main-access-ops")["kubernetesGroups"],
        json!([])
    );
}

#[tokio::test]
async fn addons_tolerate_the_taint_of_the_system_nodes_or_are_named() {
    let own = json!({ "configurationValues": r#"{"controller":{"replicas":1}}"# });
    let tolerant =
        json!({ "configurationValues": r#"{"controller":{"tolerations":[{"operator":"Exists"}]}}"# });
    let addons = json!({
        "metrics-server": {}, "snapshot-controller": {}, "eks-pod-identity-agent": {}, "aws-efs-csi-driver": tolerant,
        "kube-state-metrics": {}, "cert-manager": own,
    });
    let shown = show(json!({ "addons": addons })).await;
    for name in ["metrics-server", "snapshot-controller"] {
        let addon = shown.document(":Addon", &format!("main-addon-{name}"), "configurationValues");
        assert_eq!(
            addon["tolerations"][0]["key"], "node.clusterpkg.dev/system",
            "{name}"
        );
    }
    let agent = shown.document(
        ":Addon",
        "main-addon-eks-pod-identity-agent",
        "configurationValues",
    );
    assert_eq!(agent, json!({}));
    let messages = shown.messages();
    let mut named: Vec<_> = messages
        .iter()
        .filter_map(|text| text.split_once(".configurationValues has no tolerations"))
        .map(|(path, _)| path)
        .collect();
    named.sort_unstable();
    assert_eq!(
        named,
        [r#"addons["cert-manager"]"#, r#"addons["kube-state-metrics"]"#]
    );
    let auto = show(json!({ "addons": { "kube-state-metrics": {} }, "autoMode": true })).await;
    assert!(
        !auto
            .messages()
            .iter()
            .any(|text| text.contains("has no tolerations"))
    );
}

#[tokio::test]
async fn system_nodes_that_are_too_small_are_named_with_figures() {
    let bare = json!({
        "enableCertManager": false, "enableExternalDns": false, "enableNodeAutoscaler": false,
        "enableIamAuthController": false,
        "proxyIngressConfig": { "enableExternal": false, "enableInternal": false },
    });
    let warning = async |types: Json, more: Json| {
        let inputs = over(&over(&bare, &json!({ "systemNodeInstanceTypes": types })), &more);
        let shown = show(inputs).await;
        shown.messages().into_iter().find_map(|text| {
            let (_, rest) = text.split_once("they need ")?;
            rest.split_once(';').map(|(figures, _)| figures.to_owned())
        })
    };
    let short = |figures: &str| Some(figures.to_owned());
    let none = || json!({});
    assert_eq!(
        warning(json!(["t3.micro"]), none()).await,
        short("7 pods and 480m CPU, but 1 x t3.micro provide 4 pods and 1930m")
    );
    assert_eq!(warning(json!(["c7g.medium"]), none()).await, None);
    let autoscaled = json!({ "enableNodeAutoscaler": true });
    assert_eq!(
        warning(json!(["c7g.medium"]), autoscaled.clone()).await,
        short("8 pods and 1480m CPU, but 1 x c7g.medium provide 8 pods and 940m")
    );
    let mixed = json!(["m5.large", "t3a.small", "m5.4xlarge"]);
    let addons = over(&autoscaled, &json!({ "addons": { "metrics-server": {} } }));
    assert_eq!(
        warning(mixed, addons.clone()).await,
        short("9 pods and 1480m CPU, but 1 x t3a.small provide 8 pods and 1930m")
    );
    assert_eq!(warning(json!(["m5.large"]), addons.clone()).await, None);
    assert_eq!(warning(json!(["m5.4xlarge"]), addons).await, None);
}

#[tokio::test]
async fn versions_newer_than_the_tested_ones_are_warned_about() {
    for (version, expected) in [("1.36", false), ("1.37", true), ("2.0", true)] {
        let shown = show(json!({ "clusterVersion": version })).await;
        let warned = shown
            .messages()
            .iter()
            .any(|text| text.contains("is newer than 1.36"));
        assert_eq!(warned, expected, "{version}");
    }
}
