//! `Cluster`: what it consists of. The order is in `cluster_order`, its inputs' rules in `cluster_inputs`, what it
//! costs in time in `concurrency`.

use clusterpkg_components::Cluster;
use serde_json::{Value as Json, json};

use crate::cluster_order::{strays, ungiven};
use crate::oracle;
use crate::pairs::{pairs, taken};
use crate::picture::{beside_the_least, differences, picture};
use crate::stage::{Shown, UNKNOWN, stage};

pub(crate) fn least() -> Json {
    json!({ "clusterSubnetIds": ["subnet-1", "subnet-2"], "systemNodeSubnetIds": ["subnet-3"] })
}

pub(crate) fn with(more: Json) -> Json {
    let mut inputs = least();
    inputs
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    inputs
}

/// Every add-on, with everything that adds a child.
pub(crate) fn everything() -> Json {
    with(json!({
        "enableGatewayApi": true,
        "enableLoadBalancerController": true,
        "enableMonitoringAgent": true,
        "enableOtel": true,
        "letsEncryptEmail": "ops@example.com",
        "tags": { "owner": "me" },
        "vpcCniConfig": { "nodeAgent": { "enableMonitoringLogs": true } },
    }))
}

#[tokio::test]
async fn graph_with_the_least_inputs() {
    insta::assert_snapshot!(picture(&stage().show::<Cluster>(least()).await));
}

#[tokio::test]
async fn graph_with_every_addon() {
    let shown = stage().show::<Cluster>(everything()).await;
    assert_eq!(shown.untagged(), Vec::<&str>::new());
    insta::assert_snapshot!(beside_the_least::<Cluster>(least(), &shown).await);
}

#[tokio::test]
async fn graph_with_every_input() {
    let inputs = with(json!({
        "adminAccessPrincipal": "arn:aws:iam::123456789012:role/deployer",
        "certManagerVersion": "v1.20.0",
        "certificateArn": "arn:aws:acm:eu-west-1:123456789012:certificate/1",
        "clusterEndpointPrivateAccess": true,
        "clusterEndpointPublicAccess": false,
        "clusterVersion": "1.35",
        "clusterIamAuthControllerVersion": "0.1.8",
        "enabledClusterLogTypes": ["audit"],
        "externalDNSVersion": "1.20.0",
        "letsEncryptEmail": "ops@example.com",
        "lbType": "external",
        "nodeAutoscalerVersion": "1.13.0",
        "proxyIngressConfig": {
            "additionalConfig": { "proxy-body-size": "8m", "use-forwarded-headers": "false" },
            "allowSnippetAnnotations": true,
            "controllerReplicas": 3,
            "enableExternal": true,
            "enableInternal": true,
            "enableMetrics": true,
            "enableServiceMonitor": true,
            "extraServiceAnnotations": { "team": "a" },
            "nlbTargetType": "instance",
            "serviceMonitorNamespace": "metrics",
        },
        "serviceMonitorCrdsInstalled": true,
        "proxyIngressRegistry": "registry.example",
        "proxyIngressTag": "v1.15.0",
        "proxyIngressVersion": "4.15.0",
        "systemNodeDesiredCount": 3,
        "systemNodeInstanceTypes": ["m7g.large"],
        "systemNodeMaxCount": 5,
        "systemNodeMinCount": 2,
        "tags": { "owner": "me" },
        "vpcCniConfig": {
            "enableNetworkPolicy": true,
            "nodeAgent": {
                "enableMonitoringLogs": false,
                "enablePolicyEventLogs": true,
                "healthProbeBindAddr": 8165,
                "metricsBindAddr": 8164,
            },
        },
    }));
    let shown = stage().show::<Cluster>(inputs).await;
    insta::assert_snapshot!(beside_the_least::<Cluster>(least(), &shown).await);
}

#[tokio::test]
async fn every_two_options_go_together() {
    let options = [
        ("enableCertManager", json!(false)),
        ("enableMonitoringAgent", json!(true)),
        ("enableExternalDns", json!(false)),
        ("enableExternalIngress", json!(false)),
        ("enableInternalIngress", json!(false)),
        ("enableNodeAutoscaler", json!(false)),
        ("enableOtel", json!(true)),
        ("letsEncryptEmail", json!("ops@example.com")),
        (
            "certificateArn",
            json!("arn:aws:acm:eu-west-1:123456789012:certificate/1"),
        ),
        (
            "adminAccessPrincipal",
            json!("arn:aws:iam::123456789012:role/deployer"),
        ),
        (
            "vpcCniConfig",
            json!({ "nodeAgent": { "enableMonitoringLogs": true } }),
        ),
        ("systemNodeInstanceTypes", json!(["m7g.large"])),
        ("ingressConfig", json!({ "enableMetrics": true })),
        (
            "proxyIngressConfig",
            json!({ "enableServiceMonitor": true, "allowSnippetAnnotations": true }),
        ),
        ("lbType", json!("external")),
        ("enableLoadBalancerController", json!(true)),
        ("enableGatewayApi", json!(true)),
        ("autoMode", json!(true)),
        ("clusterEndpointPrivateAccess", json!(true)),
        ("clusterVersion", json!("1.34")),
        ("enableIamAuthController", json!(false)),
        ("ipFamily", json!("ipv6")),
        (
            "permissionsBoundary",
            json!("arn:aws:iam::123456789012:policy/boundary"),
        ),
        ("systemNodesUseLaunchTemplate", json!(true)),
        ("upgradeSystemNodes", json!(false)),
    ];
    for combination in pairs(options.len()) {
        let mut inputs = with(taken(&options, &combination));
        if inputs["enableOtel"] == true {
            inputs.as_object_mut().unwrap().remove("enableCertManager");
        }
        if inputs["autoMode"] == true {
            inputs
                .as_object_mut()
                .unwrap()
                .remove("enableLoadBalancerController");
            inputs.as_object_mut().unwrap().remove("enableGatewayApi");
        } else if inputs["enableGatewayApi"] == true {
            inputs["enableLoadBalancerController"] = json!(true);
        }
        inputs["tags"] = json!({ "owner": "me" });
        inputs["serviceMonitorCrdsInstalled"] = json!(true);
        let shown = stage().show::<Cluster>(inputs).await;
        assert_eq!(shown.untagged(), Vec::<&str>::new());
        assert_eq!(strays(&shown), Vec::<&str>::new());
        assert_eq!(ungiven(&shown), Vec::<&str>::new());
    }
}

/// The system nodes are all there is at first, so what does not tolerate their taint waits for other nodes, and an
/// add-on or release that waits too long fails.
#[tokio::test]
async fn everything_that_is_installed_can_run_on_the_system_nodes() {
    let shown = stage().show::<Cluster>(everything()).await;
    let text = |registration: &pulumi_plugin::components::Registration, property: &str| {
        oracle::plain(&registration.inputs)[property].to_string()
    };
    let installed = |token: &'static str| {
        shown
            .record
            .registrations
            .iter()
            .filter(move |r| r.token == token)
    };
    let addons = installed("aws:eks/addon:Addon").filter(|r| {
        let configuration = text(r, "configurationValues");
        !configuration.contains("node.clusterpkg.dev/system") && !configuration.contains("Exists")
    });
    // Pods of the first two are on every node, whatever its taints; of a release of object types there are none.
    let names: Vec<_> = addons.map(|addon| addon.name.as_str()).collect();
    assert_eq!(names, ["main-vpc-cni", "main-kube-proxy"]);
    let releases = installed("kubernetes:helm.sh/v3:Release")
        .filter(|r| !text(r, "values").contains("node.clusterpkg.dev/system"));
    let names: Vec<_> = releases.map(|release| release.name.as_str()).collect();
    assert_eq!(names, ["main-gateway-api-crds", "main-autoscaler-crds"]);
}

#[tokio::test]
async fn what_is_off_leaves_no_child() {
    let off = with(json!({
        "enableCertManager": false,
        "enableExternalDns": false,
        "enableNodeAutoscaler": false,
        "proxyIngressConfig": { "enableExternal": false, "enableInternal": false },
    }));
    let shown = stage().show::<Cluster>(off).await;
    let mut names = shown.names();
    names.sort_unstable();
    names.dedup();
    let expected = [
        "main",
        "main-admin-access",
        "main-admin-policy",
        "main-aws-auth",
        "main-cluster-kms-key",
        "main-cluster-policy",
        "main-cluster-policy-kms",
        "main-cluster-policy-vpc",
        "main-cluster-role",
        "main-coredns",
        "main-ebs-csi",
        "main-ebs-csi-policy",
        "main-ebs-csi-role",
        "main-gp3-storage-class",
        "main-iam-identity-mapping-crd",
        "main-k8s-provider",
        "main-kube-proxy",
        "main-oidc-provider",
        "main-own-role-mapping",
        "main-system",
        "main-system-node-ecr-policy",
        "main-system-node-role",
        "main-system-node-ssm-policy",
        "main-system-node-worker-policy",
        "main-system-nodes",
        "main-vpc-cni",
        "main-vpc-cni-policy",
        "main-vpc-cni-role",
    ];
    assert_eq!(names, expected);
    for output in [
        "nodeAutoscalerRole",
        "nodeAutoscalerNodeRole",
        "nodeAutoscalerQueueName",
    ] {
        assert_eq!(shown.made.state.get(output), None);
    }
}

#[tokio::test]
async fn outputs_refer_to_the_resources_that_they_promise() {
    let shown = stage().show::<Cluster>(least()).await;
    let referred = |output: &str| match &shown.made.state[output] {
        pulumi_plugin::values::Value::Resource(reference) => {
            let parts = reference.urn.parts().unwrap();
            (
                parts.resource_type().to_owned(),
                parts.name.to_owned(),
                reference.package_version.clone().unwrap(),
            )
        }
        other => panic!("{other:?}"),
    };
    for (output, token, name) in [
        ("controlPlane", "aws:eks/cluster:Cluster", "main"),
        (
            "oidcProvider",
            "aws:iam/openIdConnectProvider:OpenIdConnectProvider",
            "main-oidc-provider",
        ),
        ("systemNodes", "aws:eks/nodeGroup:NodeGroup", "main-system-nodes"),
        ("nodeAutoscalerRole", "aws:iam/role:Role", "main-autoscaler-role"),
        (
            "nodeAutoscalerNodeRole",
            "aws:iam/role:Role",
            "main-autoscaler-node-role",
        ),
    ] {
        assert_eq!(
            referred(output),
            (token.to_owned(), name.to_owned(), "7.48.0".to_owned()),
            "{output}"
        );
    }
    assert_eq!(shown.made.state["clusterName"], "main-1a2b3c4".into());
    assert_eq!(shown.made.state["clusterSecurityGroupId"], "sg-0c1".into());
    assert_eq!(
        shown.made.state["nodeAutoscalerQueueName"],
        "main-autoscaler-events-1a2b3c4".into()
    );
}

#[tokio::test]
async fn a_preview_of_a_new_cluster_has_unknown_outputs_and_every_child() {
    let inputs = ["clusterSubnetIds", "systemNodeSubnetIds"].map(|name| (name.to_owned(), json!(UNKNOWN)));
    let preview = stage()
        .preview()
        .show::<Cluster>(inputs.into_iter().collect())
        .await;
    let update = stage().show::<Cluster>(least()).await;
    assert_eq!(sorted(preview.names()), sorted(update.names()));
    let outputs = |shown: &Shown| shown.made.state.keys().cloned().collect::<Vec<_>>();
    assert_eq!(outputs(&preview), outputs(&update));
    assert!(preview.made.state["clusterName"].contains_unknown());
    assert!(
        preview.made.state["kubeconfig"].contains_unknown()
            && preview.made.state["kubeconfig"].contains_secret()
    );
}

#[tokio::test]
async fn a_preview_with_everything_unknown_registers_every_child() {
    let names = [
        "clusterSubnetIds",
        "systemNodeSubnetIds",
        "adminAccessPrincipal",
        "certManagerVersion",
        "certificateArn",
        "clusterEndpointPrivateAccess",
        "clusterEndpointPublicAccess",
        "clusterVersion",
        "clusterIamAuthControllerVersion",
        "enabledClusterLogTypes",
        "externalDNSVersion",
        "ingressConfig",
        "nodeAutoscalerVersion",
        "lbType",
        "proxyIngressConfig",
        "proxyIngressRegistry",
        "proxyIngressTag",
        "proxyIngressVersion",
        "serviceMonitorCrdsInstalled",
        "systemNodeDesiredCount",
        "systemNodeInstanceTypes",
        "systemNodeMaxCount",
        "systemNodeMinCount",
        "tags",
        "vpcCniConfig",
    ];
    let inputs = names
        .into_iter()
        .map(|name| (name.to_owned(), json!(UNKNOWN)))
        .collect();
    let preview = stage().preview().show::<Cluster>(inputs).await;
    let update = stage().show::<Cluster>(least()).await;
    assert_eq!(sorted(preview.names()), sorted(update.names()));
    let outputs: Vec<_> = update.made.state.keys().map(String::as_str).collect();
    assert_eq!(preview.unknown_outputs(), outputs);
    insta::assert_snapshot!(differences(&picture(&update), &picture(&preview)));
}

fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names
}

#[tokio::test]
async fn a_failed_child_is_named_and_nothing_is_left_waiting() {
    let stage = stage().fail("main-vpc-cni");
    let error = stage.try_show::<Cluster>(least()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"could not register aws:eks/addon:Addon "main-vpc-cni""#
    );
    let names: Vec<_> = stage
        .engine
        .record()
        .registrations
        .into_iter()
        .map(|r| r.name)
        .collect();
    assert!(
        !names.contains(&"main-system-nodes".to_owned()),
        "what needs it is not registered"
    );
    assert!(
        stage
            .engine
            .record()
            .outputs
            .keys()
            .all(|urn| !urn.as_str().ends_with("Cluster::main"))
    );
}

#[tokio::test]
async fn two_clusters_do_not_get_in_each_others_way() {
    let (first, second) = (stage(), stage().name("other"));
    let second = crate::stage::Stage {
        engine: first.engine.clone(),
        ..second
    };
    first.try_show::<Cluster>(everything()).await.unwrap();
    second.try_show::<Cluster>(everything()).await.unwrap();
}
