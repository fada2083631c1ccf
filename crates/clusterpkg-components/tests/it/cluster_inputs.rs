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

/// The warnings, except that the external controller was not chosen, which nearly no test does, and that the
/// ingress controllers' project is retired, which nearly no test chooses either.
fn warnings(shown: &Shown) -> Vec<&str> {
    let messages = shown.messages().into_iter();
    messages
        .filter(|text| !text.contains("requires public subnets") && !text.contains("retired"))
        .collect()
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
        warnings(&shown),
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
        format!("{path} is deprecated and contradicts proxyIngressConfig.{name}; remove it")
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
    assert_eq!(warnings(&shown).len(), 2);
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

/// Since version 3.3.0 of its chart the controller has an empty list of its own, which applies instead of the list of
/// the whole chart.
#[tokio::test]
async fn the_monitoring_addon_and_its_controller_tolerate_every_taint() {
    let shown = show(json!({ "enableMonitoringAgent": true })).await;
    let configuration = shown.document(":Addon", "main-monitoring", "configurationValues");
    let everything = json!([{ "operator": "Exists" }]);
    assert_eq!(configuration["tolerations"], everything);
    assert_eq!(configuration["manager"]["tolerations"], everything);
}

#[tokio::test]
async fn addons_that_do_not_fit_the_system_nodes_are_warned_about_with_the_figures() {
    let monitored = |more: Json| {
        let mut inputs = json!({ "enableMonitoringAgent": true });
        inputs
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        inputs
    };
    let shown = show(monitored(json!({}))).await;
    let [warning] = warnings(&shown)[..] else {
        panic!("{:?}", warnings(&shown))
    };
    assert!(
        warning.contains("need 18 pods and 2090m CPU, but 1 x t3.medium provide 17 pods and 1930m"),
        "{warning}"
    );
    for roomy in [
        json!({ "systemNodeMinCount": 2 }),
        json!({ "systemNodeInstanceTypes": ["t3.xlarge"] }),
        json!({ "enableNodeAutoscaler": false, "enableCertManager": false }),
    ] {
        let shown = show(monitored(roomy.clone())).await;
        assert_eq!(warnings(&shown), Vec::<&str>::new(), "{roomy}");
    }
    assert_eq!(warnings(&show(json!({})).await), Vec::<&str>::new());
}

/// A network load balancer sets no headers, so a client could forge its address, host and scheme. Decrypted
/// requests arrive on the HTTP port, from which the controller would redirect indefinitely.
#[tokio::test]
async fn behind_a_network_load_balancer_clients_are_not_believed_and_not_redirected_endlessly() {
    let certificate = "arn:aws:acm:eu-west-1:123456789012:certificate/1";
    let shown = show(json!({ "certificateArn": certificate })).await;
    for name in ["main-nginx-ext", "main-nginx-int"] {
        let config = &values(&shown, name)["controller"]["config"];
        assert_eq!(config["use-forwarded-headers"], "false");
        assert_eq!(config["ssl-redirect"], "false");
        assert!(
            config["http-snippet"]
                .as_str()
                .unwrap()
                .contains("return 308 https://")
        );
    }
    let own = json!({ "use-forwarded-headers": "true", "proxy-real-ip-cidr": "10.0.0.0/16" });
    let inputs = json!({ "certificateArn": certificate, "proxyIngressConfig": { "additionalConfig": own } });
    let config = values(&show(inputs).await, "main-nginx-ext")["controller"]["config"].clone();
    assert_eq!(config["use-forwarded-headers"], "true", "the program's win");
    // Without a certificate the controllers end TLS themselves and redirect.
    for none in [json!({}), json!({ "certificateArn": "" })] {
        let controller = values(&show(none).await, "main-nginx-ext")["controller"].clone();
        assert_eq!(controller["config"], json!({}));
        let annotations = controller["service"]["annotations"].as_object().unwrap();
        assert!(!annotations.keys().any(|name| name.ends_with("ssl-cert")));
    }
    let several = format!("arn:aws:iam::123456789012:server-certificate/shops/eu,{certificate}");
    let shown = show(json!({ "certificateArn": several })).await;
    let annotations = &values(&shown, "main-nginx-int")["controller"]["service"]["annotations"];
    let name = "service.beta.kubernetes.io/aws-load-balancer-ssl-cert";
    assert_eq!(annotations[name], json!(several));
}

#[tokio::test]
async fn another_load_balancer_type_is_warned_about() {
    let shown = show(json!({ "lbType": "external" })).await;
    assert_eq!(
        warnings(&shown),
        [
            "lbType external requires a load balancer controller; set enableLoadBalancerController; otherwise, the program \
             does not wait for the ingress controllers, and their load balancers stay pending until such a controller runs"
        ]
    );
}

/// Their controller can be installed only after the cluster, so waiting for such load balancers would end in a failure
/// after 600 seconds.
#[tokio::test]
async fn load_balancers_of_another_controller_are_not_waited_for() {
    let skipped = |shown: &Shown, name| shown.inputs(":Release", name)["skipAwait"].clone();
    for (lb_type, expected) in [
        (json!(null), Json::Null),
        (json!("nlb"), Json::Null),
        (json!("nlb-ip"), json!(true)),
        (json!("external"), json!(true)),
    ] {
        let shown = show(json!({ "lbType": lb_type })).await;
        for name in ["main-nginx-ext", "main-nginx-int"] {
            assert_eq!(skipped(&shown, name), expected, "{lb_type}");
        }
        assert_eq!(skipped(&shown, "main-cert-manager"), Json::Null);
    }
}

#[tokio::test]
async fn an_external_controller_by_default_is_warned_about() {
    let warned = |shown: &Shown| {
        let messages = shown.record.messages.iter();
        messages
            .filter(|message| message.text.contains("requires public subnets"))
            .count()
    };
    assert_eq!(warned(&stage().show::<Cluster>(least()).await), 1);
    for chosen in [
        json!({ "proxyIngressConfig": { "enableExternal": true } }),
        json!({ "proxyIngressConfig": { "enableExternal": false } }),
        json!({ "ingressConfig": { "enableExternal": true } }),
        json!({ "enableExternalIngress": true }),
        json!({ "lbType": "external" }),
    ] {
        let shown = stage().show::<Cluster>(with(chosen.clone())).await;
        assert_eq!(warned(&shown), 0, "{chosen}");
    }
}

#[tokio::test]
async fn the_administrator_is_who_runs_the_program_unless_another_is_named() {
    let principal = |shown: &Shown| shown.inputs(":AccessEntry", "main-admin-access")["principalArn"].clone();
    let own = show(json!({})).await;
    assert_eq!(principal(&own), "arn:aws:iam::123456789012:role/deployer");
    let same = show(json!({ "adminAccessPrincipal": "arn:aws:iam::123456789012:role/path/deployer" })).await;
    assert_eq!(warnings(&same), Vec::<&str>::new());
    let other = show(json!({ "adminAccessPrincipal": "arn:aws:iam::123456789012:user/ann" })).await;
    assert_eq!(principal(&other), "arn:aws:iam::123456789012:user/ann");
    assert!(
        warnings(&other)[0].starts_with("adminAccessPrincipal is not the identity that runs the program")
    );
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

/// The cloud refuses a minimum above the desired size, and nothing else scales the system nodes.
#[tokio::test]
async fn raising_the_minimum_of_system_nodes_raises_their_number_in_the_same_update() {
    let shown = show(json!({ "systemNodeMinCount": 2 })).await;
    let nodes = shown.child(":NodeGroup", "main-system-nodes");
    assert_eq!(nodes.options.ignore_changes, [""; 0]);
    assert_eq!(
        shown.inputs(":NodeGroup", "main-system-nodes")["scalingConfig"]["desiredSize"],
        2
    );
}

#[tokio::test]
async fn the_network_plugin_is_configured_with_what_is_set_as_text() {
    let configuration = |shown: &Shown| shown.inputs(":Addon", "main-vpc-cni")["configurationValues"].clone();
    for (given, sent) in [
        (json!({}), json!("{}")),
        (json!({ "nodeAgent": {} }), json!("{}")),
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
        warnings(&shown),
        ["letsEncryptEmail has no effect because enableCertManager is false"]
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
        ["clusterSubnetIds must have at least 2 elements, in different availability zones"]
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

/// A load balancer controller creates internal load balancers by default.
#[tokio::test]
async fn only_the_internal_controller_is_internal_with_each_load_balancer() {
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
        warnings(&shown),
        ["enableServiceMonitor has no effect because enableMetrics is false"]
    );
}

/// The chart fails as a whole where the kind is not known, and a new cluster does not know it. The specification
/// allows the input without another one.
#[tokio::test]
async fn a_service_monitor_whose_kind_may_be_missing_is_warned_about() {
    let monitored = json!({ "enableServiceMonitor": true, "enableMetrics": true });
    for object in ["proxyIngressConfig", "ingressConfig"] {
        let shown = show(json!({ object: monitored })).await;
        let metrics = &values(&shown, "main-nginx-ext")["controller"]["metrics"];
        assert_eq!(metrics["serviceMonitor"]["enabled"], true);
        let is_warned = |shown: &Shown| {
            warnings(shown)
                .iter()
                .any(|text| text.starts_with("enableServiceMonitor requires the kind ServiceMonitor"))
        };
        assert!(is_warned(&shown), "{object}");
        let stated = show(json!({ object: monitored, "serviceMonitorCrdsInstalled": true })).await;
        assert!(!is_warned(&stated), "{object}");
    }
    let off = json!({ "enableServiceMonitor": true, "enableMetrics": true, "enableExternal": false, "enableInternal": false });
    let shown = show(json!({ "proxyIngressConfig": off })).await;
    assert_eq!(warnings(&shown), [""; 0], "without a controller nothing fails");
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
        warnings(&old),
        ["nodeAutoscalerVersion 1.8.2 is too old for Kubernetes 1.35, which requires 1.9 or newer"]
    );
    for (cluster, autoscaler) in [("1.35", "1.9.0"), ("1.30", "1.0.0"), ("1.36", "1.14.1")] {
        assert_eq!(
            warnings(&show(versions(cluster, autoscaler)).await),
            Vec::<&str>::new()
        );
    }
}

/// The last release of the retired project lacks fixes of its web server.
#[tokio::test]
async fn retired_controllers_by_default_are_warned_about() {
    let warning = async |more: Json| {
        let shown = show(more).await;
        let messages = shown.messages().into_iter();
        messages
            .filter(|text| text.contains("CVE-2026-42945"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let [both] = &warning(json!({})).await[..] else {
        panic!("one warning")
    };
    assert!(
        both.contains("set enableExternal and enableInternal of proxyIngressConfig"),
        "{both}"
    );
    let [internal] = &warning(json!({ "proxyIngressConfig": { "enableExternal": false } })).await[..] else {
        panic!("one warning")
    };
    assert!(
        internal.contains("set enableInternal of proxyIngressConfig"),
        "{internal}"
    );
    for chosen in [
        json!({ "proxyIngressConfig": { "enableExternal": true, "enableInternal": true } }),
        json!({ "proxyIngressConfig": { "enableExternal": false, "enableInternal": false } }),
        json!({ "ingressConfig": { "enableExternal": false }, "enableInternalIngress": true }),
        json!({ "proxyIngressConfig": { "image": { "repository": "registry.example/controller" } } }),
    ] {
        assert_eq!(warning(chosen.clone()).await, [""; 0], "{chosen}");
    }
}

#[tokio::test]
async fn the_image_of_a_fork_takes_precedence_over_registry_and_tag() {
    let digest = format!("sha256:{}", "0f".repeat(32));
    let fork = json!({ "repository": "registry.example/controller", "tag": "v1.15.7", "digest": digest });
    for object in ["ingressConfig", "proxyIngressConfig"] {
        let inputs = json!({ object: { "image": fork }, "proxyIngressRegistry": "mirror.example", "proxyIngressTag": "v1.15.0" });
        for name in ["main-nginx-ext", "main-nginx-int"] {
            let image = values(&show(inputs.clone()).await, name)["controller"]["image"].clone();
            assert_eq!(image["repository"], "registry.example/controller");
            assert_eq!(
                (&image["tag"], &image["digest"]),
                (&json!("v1.15.7"), &json!(digest))
            );
        }
    }
    let tagless = json!({ "proxyIngressConfig": { "image": { "repository": "registry.example/controller" } }, "proxyIngressTag": "v1.15.0" });
    assert_eq!(
        values(&show(tagless).await, "main-nginx-int")["controller"]["image"]["tag"],
        "v1.15.0"
    );
    let found = problems(json!({ "proxyIngressConfig": { "image": { "tag": "latest", "digest": "sha256:0", "repository": "" } } })).await;
    assert_eq!(
        found,
        [
            "proxyIngressConfig.image.digest must be sha256: and 64 hexadecimal digits in lower case",
            "proxyIngressConfig.image.repository must not be empty",
            "proxyIngressConfig.image.tag must be a version, such as v1.15.1, because the chart rejects other tags",
        ]
    );
}

/// Without private access, nodes reach the API through the public endpoint.
#[tokio::test]
async fn ranges_of_the_public_endpoint_that_may_exclude_nodes_are_warned_about() {
    let warned = async |more: Json| {
        let mut inputs = json!({ "endpointPublicAccessCidrs": ["203.0.113.0/24"] });
        inputs
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let shown = show(inputs).await;
        warnings(&shown)
            .iter()
            .any(|text| text.contains("nodes with other addresses cannot join"))
    };
    assert!(warned(json!({})).await);
    assert!(warned(json!({ "clusterEndpointPrivateAccess": false })).await);
    assert!(!warned(json!({ "clusterEndpointPrivateAccess": true })).await);
    let everyone = json!(["198.51.100.0/24", "0.0.0.0/0"]);
    assert!(!warned(json!({ "endpointPublicAccessCidrs": everyone })).await);
    assert_eq!(warnings(&show(json!({})).await), [""; 0]);
}

/// A pipeline would otherwise take over the access of the developer who created the cluster.
#[tokio::test]
async fn an_administrator_by_default_stays_when_another_identity_runs_the_program() {
    let ignored = |shown: &Shown, kind, name| shown.child(kind, name).options.ignore_changes.clone();
    let children = [
        (":AccessEntry", "main-admin-access"),
        (":AccessPolicyAssociation", "main-admin-policy"),
    ];
    let (own, named) = (
        show(json!({})).await,
        show(json!({ "adminAccessPrincipal": "arn:aws:iam::123456789012:role/deployer" })).await,
    );
    for (kind, name) in children {
        assert_eq!(ignored(&own, kind, name), ["principalArn"], "{name}");
        assert_eq!(ignored(&named, kind, name), [""; 0], "{name}");
    }
    assert_eq!(warnings(&own), [""; 0]);
}

/// With the principal ignored, the engine answers with the principal in its state.
#[tokio::test]
async fn an_administrator_who_is_no_longer_the_caller_is_warned_about() {
    let stage = stage();
    let engine = stage.engine.clone().outputs(|registration| {
        let mut outputs = crate::stage::outputs_of(crate::stage::AWS, registration);
        if registration.name == "main-admin-access" {
            outputs.insert(
                "principalArn".to_owned(),
                "arn:aws:iam::123456789012:user/ann".into(),
            );
        }
        outputs
    });
    let shown = crate::stage::Stage { engine, ..stage }
        .show::<Cluster>(least())
        .await;
    let [warning] = warnings(&shown)[..] else {
        panic!("{:?}", warnings(&shown))
    };
    assert!(
        warning.starts_with("the administrator of the cluster is arn:aws:iam::123456789012:user/ann"),
        "{warning}"
    );
}

/// With the controller, other types of load balancers work: nothing is skipped, and the controllers come after it.
#[tokio::test]
async fn the_load_balancer_controller_makes_other_load_balancers_work() {
    let inputs =
        json!({ "enableLoadBalancerController": true, "lbType": "external", "tags": { "owner": "me" } });
    let shown = show(inputs).await;
    assert_eq!(warnings(&shown), [""; 0]);
    for name in ["main-nginx-ext", "main-nginx-int"] {
        assert_eq!(shown.inputs(":Release", name).get("skipAwait"), None);
        assert!(
            shown
                .after(":Release", name)
                .contains(&"main-load-balancers".to_owned()),
            "{name}"
        );
    }
    let values = values(&shown, "main-load-balancers");
    assert_eq!(values["vpcId"], "vpc-0a1");
    assert_eq!(values["enableServiceMutatorWebhook"], false);
    assert_eq!(values["defaultTags"], json!({ "owner": "me" }));
    let after = shown.after(":Release", "main-load-balancers");
    for needed in ["main-coredns", "main-load-balancers-policy", "main-system-nodes"] {
        assert!(after.contains(&needed.to_owned()), "{after:?}");
    }
    let policy = shown.inputs(":Policy", "main-load-balancers-policy")["policy"].to_string();
    assert!(
        policy.len() < 6144,
        "a policy has at most 6144 characters, not {}",
        policy.len()
    );
    assert!(!show(json!({})).await.names().contains(&"main-load-balancers"));
}

/// The room on a node depends on the network of its pods.
#[tokio::test]
async fn the_room_on_system_nodes_follows_the_addons_and_the_network() {
    let warned = async |more: Json| {
        let mut inputs = with(json!({ "enableNodeAutoscaler": false }));
        let members = inputs.as_object_mut().unwrap();
        members.extend(more.as_object().unwrap().clone());
        let shown = stage().show::<Cluster>(inputs).await;
        let warning = shown.messages().into_iter().find_map(|text| {
            text.split_once("do not fit on the system nodes: ")
                .map(|(_, rest)| rest.to_owned())
        });
        warning.map(|text| text.split(';').next().unwrap().to_owned())
    };
    let many = |more: Json| {
        let mut inputs = json!({ "enableMonitoringAgent": true, "enableOtel": true });
        inputs
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        inputs
    };
    let needs = "they need 18 pods and 1195m CPU, but 1 x t3.medium provide 17 pods and 1930m";
    assert_eq!(warned(many(json!({}))).await.as_deref(), Some(needs));
    for enough in [
        json!({ "enableIamAuthController": false }),
        json!({ "ipFamily": "ipv6" }),
        json!({ "vpcCniConfig": { "enablePrefixDelegation": true } }),
    ] {
        assert_eq!(warned(many(enough.clone())).await, None, "{enough}");
    }
    let other_subnets = json!({ "vpcCniConfig": { "podSubnetIds": { "eu-west-1a": "subnet-0a1" } } });
    let needs = "they need 14 pods and 690m CPU, but 1 x t3.medium provide 12 pods and 1930m";
    assert_eq!(warned(other_subnets).await.as_deref(), Some(needs));
}
