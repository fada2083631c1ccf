//! `Cluster`: rules, defaults and deprecations of its inputs.

use clusterpkg_components::Cluster;
use serde_json::{Value as Json, json};

use crate::cluster::{everything, least, with};
use crate::stage::{Shown, UNKNOWN, stage};

async fn show(more: Json) -> Shown {
    stage().show::<Cluster>(with(more)).await
}

async fn problems(more: Json) -> Vec<String> {
    stage().problems::<Cluster>(with(more)).await
}

/// Values of an ingress controller's chart.
fn values(shown: &Shown, name: &str) -> Json {
    shown.inputs(":Release", name)["values"].clone()
}

#[tokio::test]
async fn every_problem_is_named_at_once() {
    let problems = stage()
        .preview()
        .name("a-cluster-whose-name-is-just-too-long")
        .problems::<Cluster>(json!({
            "clusterSubnetIds": [],
            "systemNodeSubnetIds": [],
            "adminAccessPrincipal": "arn:aws:sts::123456789012:assumed-role/deployer/session",
            "clusterEndpointPublicAccess": false,
            "enableCertManager": false,
            "enableOtel": true,
            "enableExternalDns": UNKNOWN,
            "enabledClusterLogTypes": ["audit", "audits"],
            "lbType": "alb",
            "nodeAutoscalerVersion": "0.36.2",
            "systemNodeInstanceTypes": ["t3.medium", "t4g.medium"],
            "systemNodeMinCount": 1.5,
            "systemNodeDesiredCount": 4,
            "systemNodeMaxCount": 3,
            "cluserVersion": "1.35",
            "proxyIngressConfig": { "controllerReplicas": "2" },
        }))
        .await;
    insta::assert_snapshot!(problems.join("\n"));
}

#[tokio::test]
async fn deprecated_inputs_work_alone_and_warn() {
    let shown = show(json!({
        "enableExternalIngress": false,
        "ingressConfig": { "nlbTargetType": "instance", "controllerReplicas": 2 },
    }))
    .await;
    assert!(!shown.names().contains(&"main-nginx-ext"));
    let values = values(&shown, "main-nginx-int");
    assert_eq!(values["controller"]["replicaCount"], 2);
    assert_eq!(
        shown.messages(),
        [
            "enableExternalIngress is deprecated; use proxyIngressConfig.enableExternal",
            "ingressConfig is deprecated; use proxyIngressConfig",
        ]
    );
}

#[tokio::test]
async fn deprecated_inputs_that_contradict_their_replacement_are_refused() {
    let found = problems(json!({
        "enableExternalIngress": true,
        "enableInternalIngress": false,
        "ingressConfig": { "nlbTargetType": "ip", "enableMetrics": true, "additionalConfig": { "a": "1" } },
        "proxyIngressConfig": {
            "enableExternal": false,
            "enableInternal": false,
            "nlbTargetType": "instance",
            "additionalConfig": { "a": "2" },
        },
    }))
    .await;
    let refused = |path: &str, name: &str| {
        format!("{path} is deprecated and contradicts proxyIngressConfig.{name}; leave it out")
    };
    assert_eq!(
        found,
        [
            refused("enableExternalIngress", "enableExternal"),
            refused("ingressConfig.additionalConfig", "additionalConfig"),
            refused("ingressConfig.nlbTargetType", "nlbTargetType"),
        ]
    );
}

#[tokio::test]
async fn deprecated_inputs_that_agree_with_their_replacement_pass_with_a_warning() {
    let shown = show(json!({
        "enableExternalIngress": true,
        "ingressConfig": { "nlbTargetType": "instance" },
        "proxyIngressConfig": { "enableExternal": true, "nlbTargetType": "instance" },
    }))
    .await;
    assert_eq!(shown.messages().len(), 2);
    assert!(shown.names().contains(&"main-nginx-ext"));
}

#[tokio::test]
async fn one_of_two_objects_may_say_what_the_other_leaves_open() {
    let shown = show(json!({
        "ingressConfig": { "nlbTargetType": "instance" },
        "proxyIngressConfig": { "controllerReplicas": 4 },
    }))
    .await;
    let values = values(&shown, "main-nginx-ext");
    assert_eq!(values["controller"]["replicaCount"], 4);
    let annotations = &values["controller"]["service"]["annotations"];
    assert_eq!(
        annotations["service.beta.kubernetes.io/aws-load-balancer-nlb-target-type"],
        "instance"
    );
}

#[tokio::test]
async fn an_unknown_flag_for_a_controller_shows_it_in_a_preview() {
    let inputs = with(json!({ "proxyIngressConfig": { "enableExternal": UNKNOWN } }));
    let shown = stage().preview().show::<Cluster>(inputs).await;
    assert!(shown.names().contains(&"main-nginx-ext"));
}

#[tokio::test]
async fn only_one_ingress_class_is_the_default() {
    let default =
        |shown: &Shown, name| values(shown, name)["controller"]["ingressClassResource"]["default"].clone();
    let both = show(json!({})).await;
    assert_eq!(
        (default(&both, "main-nginx-ext"), default(&both, "main-nginx-int")),
        (json!(true), json!(false))
    );
    let internal = show(json!({ "proxyIngressConfig": { "enableExternal": false } })).await;
    assert_eq!(default(&internal, "main-nginx-int"), json!(true));
}

#[tokio::test]
async fn a_certificate_ends_tls_at_both_load_balancers() {
    let shown = show(json!({
        "certificateArn": "arn:aws:acm:eu-west-1:123456789012:certificate/1",
        "proxyIngressConfig": { "extraServiceAnnotations": { "service.beta.kubernetes.io/aws-load-balancer-type": "x" } },
    }))
    .await;
    for name in ["main-nginx-ext", "main-nginx-int"] {
        let controller = &values(&shown, name)["controller"];
        assert_eq!(
            controller["service"]["targetPorts"],
            json!({ "http": "tohttps", "https": "http" })
        );
        assert_eq!(controller["containerPort"]["tohttps"], 2443);
        let annotations = &controller["service"]["annotations"];
        assert_eq!(
            annotations["service.beta.kubernetes.io/aws-load-balancer-nlb-target-type"],
            "ip"
        );
        assert_eq!(
            annotations["service.beta.kubernetes.io/aws-load-balancer-ssl-ports"],
            "https"
        );
        assert_eq!(
            annotations["service.beta.kubernetes.io/aws-load-balancer-type"], "x",
            "the program's win"
        );
    }
}

#[tokio::test]
async fn another_load_balancer_type_is_warned_about() {
    let shown = show(json!({ "lbType": "external" })).await;
    assert_eq!(
        shown.messages(),
        ["lbType external needs a load balancer controller, which this package does not install"]
    );
}

#[tokio::test]
async fn the_administrator_is_who_runs_the_program_unless_another_is_named() {
    let principal = |shown: &Shown| shown.inputs(":AccessEntry", "main-admin-access")["principalArn"].clone();
    let own = show(json!({})).await;
    assert_eq!(principal(&own), "arn:aws:iam::123456789012:role/deployer");
    let same = show(json!({ "adminAccessPrincipal": "arn:aws:iam::123456789012:role/path/deployer" })).await;
    assert_eq!(same.messages(), Vec::<&str>::new());
    let other = show(json!({ "adminAccessPrincipal": "arn:aws:iam::123456789012:user/ann" })).await;
    assert_eq!(principal(&other), "arn:aws:iam::123456789012:user/ann");
    assert!(other.messages()[0].starts_with("adminAccessPrincipal is not who runs the program"));
}

#[tokio::test]
async fn counts_that_are_not_given_make_room_for_those_that_are() {
    for (given, (min, desired, max)) in [
        (json!({}), (1, 1, 10)),
        (json!({ "systemNodeMinCount": 3 }), (3, 3, 10)),
        (json!({ "systemNodeDesiredCount": 12 }), (1, 12, 12)),
        (json!({ "systemNodeDesiredCount": 0 }), (0, 0, 10)),
        (json!({ "systemNodeMinCount": 0 }), (0, 1, 10)),
        (
            json!({ "systemNodeMinCount": 2.0, "systemNodeMaxCount": 2.0 }),
            (2, 2, 2),
        ),
    ] {
        let shown = show(given.clone()).await;
        let scaling = shown.inputs(":NodeGroup", "main-system-nodes")["scalingConfig"].clone();
        assert_eq!(
            scaling,
            json!({ "minSize": min, "desiredSize": desired, "maxSize": max }),
            "{given}"
        );
        let replicas = &shown.inputs(":Release", "main-autoscaler")["values"]["replicas"];
        assert_eq!(replicas, &json!(desired.clamp(1, 2)));
    }
}

#[tokio::test]
async fn the_network_plugin_is_configured_with_what_is_set_as_text() {
    let configuration = |shown: &Shown| shown.inputs(":Addon", "main-vpc-cni")["configurationValues"].clone();
    for (given, sent) in [
        (json!({}), Json::Null),
        (json!({ "nodeAgent": {} }), Json::Null),
        (
            json!({ "enableNetworkPolicy": false }),
            json!(r#"{"enableNetworkPolicy":"false"}"#),
        ),
        (
            json!({ "nodeAgent": { "metricsBindAddr": 8162 } }),
            json!(r#"{"nodeAgent":{"metricsBindAddr":"8162"}}"#),
        ),
    ] {
        assert_eq!(configuration(&show(json!({ "vpcCniConfig": given })).await), sent);
    }
}

#[tokio::test]
async fn the_network_plugin_may_write_logs_only_when_it_does() {
    let logs = |on: bool| json!({ "vpcCniConfig": { "nodeAgent": { "enableMonitoringLogs": on } } });
    assert!(
        show(logs(true))
            .await
            .names()
            .contains(&"main-vpc-cni-logs-policy")
    );
    assert!(
        !show(logs(false))
            .await
            .names()
            .contains(&"main-vpc-cni-logs-policy")
    );
}

#[tokio::test]
async fn without_a_contact_address_no_certificates_are_issued() {
    for email in [json!(null), json!("")] {
        let shown = show(json!({ "letsEncryptEmail": email })).await;
        assert!(!shown.names().contains(&"main-cluster-issuer"));
    }
}

#[tokio::test]
async fn a_contact_address_without_certificate_manager_is_warned_about() {
    let shown = show(json!({ "letsEncryptEmail": "ops@example.com", "enableCertManager": false })).await;
    assert_eq!(
        shown.messages(),
        ["letsEncryptEmail has no effect, because enableCertManager is false"]
    );
}

#[tokio::test]
async fn a_secret_input_stays_secret_in_every_child_that_gets_it() {
    let secret = json!({ "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "value": "ops@example.com" });
    let shown = show(json!({ "letsEncryptEmail": secret })).await;
    assert!(shown.child(":ClusterIssuer", "main-cluster-issuer").inputs["spec"].contains_secret());
    let leaks = shown.record.registrations.iter().filter(|r| {
        let text = format!("{:?}", r.inputs);
        text.contains("ops@example.com")
    });
    assert_eq!(leaks.count(), 0);
}

#[tokio::test]
async fn the_longest_name_leaves_room_for_every_child() {
    let name = "a-cluster-whose-name-is-just-enough";
    let shown = stage().name(name).show::<Cluster>(everything()).await;
    let limits = [
        (":Role", 64),
        (":Policy", 128),
        (":Queue", 80),
        (":EventRule", 64),
        (":Cluster", 100),
        (":NodeGroup", 63),
    ];
    for registration in shown
        .record
        .registrations
        .iter()
        .filter(|registration| registration.custom)
    {
        for (_, limit) in limits
            .iter()
            .filter(|(token, _)| registration.token.ends_with(token))
        {
            assert!(registration.name.len() + 8 <= *limit, "{}", registration.name);
        }
    }
    let too_long = stage()
        .name("a-cluster-whose-name-is-just-enough-")
        .problems::<Cluster>(least())
        .await;
    assert_eq!(too_long.len(), 1);
}

/// Subnets of one zone are refused by the cloud after minutes; one subnet is always in one zone.
#[tokio::test]
async fn a_control_plane_needs_two_subnets() {
    let found = problems(json!({ "clusterSubnetIds": ["subnet-1"] })).await;
    assert_eq!(
        found,
        ["clusterSubnetIds must have at least 2 elements, in different zones"]
    );
}

#[tokio::test]
async fn ports_counts_and_target_types_are_checked_where_they_are() {
    let found = problems(json!({
        "ingressConfig": { "nlbTargetType": "pod" },
        "proxyIngressConfig": { "controllerReplicas": -1 },
        "vpcCniConfig": { "nodeAgent": { "healthProbeBindAddr": 0, "metricsBindAddr": 65536 } },
    }))
    .await;
    let expected = [
        "ingressConfig.nlbTargetType must be one of ip, instance",
        "proxyIngressConfig.controllerReplicas must not be negative",
        "vpcCniConfig.nodeAgent.healthProbeBindAddr must be a port, from 1 to 65535",
        "vpcCniConfig.nodeAgent.metricsBindAddr must be a port, from 1 to 65535",
    ];
    assert_eq!(found, expected);
}

/// Since its version 1.12 the controller takes snippets for critical and refuses what is.
#[tokio::test]
async fn snippets_that_are_allowed_are_not_too_risky() {
    let risk = |shown: &Shown| {
        values(shown, "main-nginx-ext")["controller"]["config"]["annotations-risk-level"].clone()
    };
    assert_eq!(risk(&show(json!({})).await), Json::Null);
    let allowed = json!({ "proxyIngressConfig": { "allowSnippetAnnotations": true } });
    assert_eq!(risk(&show(allowed).await), "Critical");
    let own =
        json!({ "allowSnippetAnnotations": true, "additionalConfig": { "annotations-risk-level": "High" } });
    assert_eq!(risk(&show(json!({ "proxyIngressConfig": own })).await), "High");
}

/// A load balancer controller makes internal ones unless it is told otherwise.
#[tokio::test]
async fn only_the_internal_controller_is_internal_whoever_makes_its_load_balancer() {
    let scheme = |shown: &Shown, name| {
        let annotations = &values(shown, name)["controller"]["service"]["annotations"];
        annotations["service.beta.kubernetes.io/aws-load-balancer-scheme"].clone()
    };
    let shown = show(json!({ "lbType": "external" })).await;
    assert_eq!(scheme(&shown, "main-nginx-ext"), "internet-facing");
    assert_eq!(scheme(&shown, "main-nginx-int"), "internal");
}

#[tokio::test]
async fn a_service_monitor_without_metrics_is_warned_about() {
    let shown = show(json!({ "proxyIngressConfig": { "enableServiceMonitor": true } })).await;
    assert_eq!(
        shown.messages(),
        ["enableServiceMonitor has no effect, because enableMetrics is false"]
    );
}

#[tokio::test]
async fn the_autoscaler_s_charts_are_named_without_a_v() {
    let shown = show(json!({ "nodeAutoscalerVersion": "v1.13.0" })).await;
    for name in ["main-autoscaler-crds", "main-autoscaler"] {
        assert_eq!(shown.inputs(":Release", name)["version"], "1.13.0");
    }
}

#[tokio::test]
async fn an_autoscaler_that_is_too_old_for_the_cluster_is_warned_about() {
    let versions = |cluster: &str, autoscaler: &str| json!({ "clusterVersion": cluster, "nodeAutoscalerVersion": autoscaler });
    let old = show(versions("1.35", "1.8.2")).await;
    assert_eq!(
        old.messages(),
        ["nodeAutoscalerVersion 1.8.2 is too old for Kubernetes 1.35, which needs 1.9 or newer"]
    );
    for (cluster, autoscaler) in [
        ("1.35", "1.9.0"),
        ("1.30", "1.0.0"),
        ("1.99", "1.14.1"),
        ("newest", "1.0.0"),
    ] {
        assert_eq!(
            show(versions(cluster, autoscaler)).await.messages(),
            Vec::<&str>::new()
        );
    }
}
