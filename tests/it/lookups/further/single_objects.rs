//! Functions that read one known object or combine several requests.

use netmgr_lookups::ErrorKind::{self, Ambiguous, InvalidInput, NotFound};
use serde_json::{Value, json};

use crate::lookups::harness::{Bench, World, chain};
use crate::lookups::table::fits_schema;

const IDS: &str = "/infra/settings/firewall/security/intrusion-services";

/// Calls a function and compares members of its output. Requests, except those for the version, are below `paths` or
/// have this type.
async fn answers(bench: &Bench, function: &str, input: Value, paths: &[&str], expected: Value) {
    let output = bench.answer(function, input.clone()).await;
    fits_schema(function, &output).unwrap();
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(output[name], *value, "{function} {input} {name}");
    }
    let requests = bench.requests();
    let others = requests
        .iter()
        .filter(|request| !request.ends_with(" /api/v1/node/version"));
    for request in others {
        assert!(
            paths.iter().any(|part| has_whole(request, part)),
            "{function} {input}: {request}"
        );
    }
}

/// Whether the request has the part, which does not end within a name.
fn has_whole(request: &str, part: &str) -> bool {
    let is_end = |rest: &str| part.ends_with([' ', '/']) || rest.is_empty() || rest.starts_with(['/', ' ']);
    request
        .match_indices(part)
        .any(|(at, _)| is_end(&request[at + part.len()..]))
}

async fn fails(bench: &Bench, function: &str, input: Value, kind: ErrorKind) {
    bench.requests();
    let error = bench.failure(function, input.clone()).await;
    assert_eq!(error.kind(), kind, "{function} {input}: {}", chain(&error));
    if kind == InvalidInput {
        assert_eq!(bench.requests(), [""; 0], "{function} {input}");
    }
}

fn bare() -> World {
    World::local().bare()
}

#[tokio::test(start_paused = true)]
async fn dns_forwarders_are_found_by_gateway_name_and_id() {
    const FUNCTION: &str = "getPolicyGatewayDnsForwarder";
    let at = |world: World, gateway: &str, name: &str| {
        let path = format!("{gateway}/dns-forwarder");
        world.with(&path, json!({"display_name": name, "description": "text"}))
    };
    let world = at(bare(), "/infra/tier-1s/one", "dns");
    let world = at(world, "/infra/tier-1s/one-2", "dns-2");
    let world = at(world, "/infra/tier-0s/zero", "north");
    let world = at(world, "/orgs/default/projects/dev/infra/tier-1s/one", "dev");
    let bench = at(world, "/orgs/default/projects/dev2/infra/tier-1s/one", "dev2").start();
    let (dev, search) = (
        json!({"projectId": "dev"}),
        ["resource_type:PolicyDnsForwarder ", "/dns-forwarder"],
    );
    for (input, path) in [
        (json!({"displayName": "dns"}), "/infra/tier-1s/one/dns-forwarder"),
        (json!({"displayName": "nor"}), "/infra/tier-0s/zero/dns-forwarder"),
        (
            json!({"gatewayPath": "/infra/tier-1s/one"}),
            "/infra/tier-1s/one/dns-forwarder",
        ),
        (
            json!({"gatewayPath": "/infra/tier-1s/one-2"}),
            "/infra/tier-1s/one-2/dns-forwarder",
        ),
        (
            json!({"gatewayPath": "/infra/tier-0s/zero", "id": "dns-forwarder"}),
            "/infra/tier-0s/zero/dns-forwarder",
        ),
        (
            json!({"context": dev}),
            "/orgs/default/projects/dev/infra/tier-1s/one/dns-forwarder",
        ),
    ] {
        let expected = json!({"id": "dns-forwarder", "path": path, "description": "text"});
        answers(&bench, FUNCTION, input, &search, expected).await;
    }
    fails(&bench, FUNCTION, json!({}), Ambiguous).await;
    fails(&bench, FUNCTION, json!({"id": "dns-forwarder"}), Ambiguous).await;
    fails(&bench, FUNCTION, json!({"displayName": "dev"}), NotFound).await;
    fails(
        &bench,
        FUNCTION,
        json!({"displayName": "dns", "gatewayPath": "/infra/tier-0s/zero"}),
        NotFound,
    )
    .await;
    fails(
        &bench,
        FUNCTION,
        json!({"displayName": "dev2", "context": dev}),
        NotFound,
    )
    .await;
    fails(
        &bench,
        FUNCTION,
        json!({"gatewayPath": "/infra/segments/one"}),
        InvalidInput,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn interfaces_are_found_below_gateways_and_locale_services_of_both_tiers() {
    const FUNCTION: &str = "getPolicyGatewayInterface";
    let mut world = bare();
    for (gateway, service, name) in [
        ("tier-0s/one", "a", "uplink"),
        ("tier-0s/one", "b", "uplink-2"),
        ("tier-0s/one-2", "a", "uplink"),
        ("tier-1s/one", "a", "uplink"),
    ] {
        let collection = format!("/infra/{gateway}/locale-services/{service}/interfaces");
        let edge =
            format!("/infra/sites/default/enforcement-points/default/edge-clusters/{service}/edge-nodes/0");
        let interface = json!({"id": name, "display_name": name, "edge_path": edge});
        world = world.with(&collection, interface);
    }
    let bench = world.start();
    let types = [
        "resource_type:Tier0Interface ",
        "resource_type:Tier1Interface ",
        "/interfaces",
    ];
    for (input, path) in [
        (
            json!({"gatewayPath": "/infra/tier-0s/one", "displayName": "uplink"}),
            "tier-0s/one/locale-services/a/interfaces/uplink",
        ),
        (
            json!({"gatewayPath": "/infra/tier-0s/one", "displayName": "up", "edgeClusterPath":
                "/infra/sites/default/enforcement-points/default/edge-clusters/b/edge-nodes/0"}),
            "tier-0s/one/locale-services/b/interfaces/uplink-2",
        ),
        (
            json!({"gatewayPath": "/infra/tier-1s/one", "displayName": "up"}),
            "tier-1s/one/locale-services/a/interfaces/uplink",
        ),
        (
            json!({"servicePath": "/infra/tier-0s/one/locale-services/b", "displayName": "uplink"}),
            "tier-0s/one/locale-services/b/interfaces/uplink-2",
        ),
        (
            json!({"servicePath": "/infra/tier-1s/one/locale-services/a", "id": "uplink"}),
            "tier-1s/one/locale-services/a/interfaces/uplink",
        ),
    ] {
        answers(
            &bench,
            FUNCTION,
            input,
            &types,
            json!({"path": format!("/infra/{path}")}),
        )
        .await;
    }
    fails(&bench, FUNCTION, json!({"displayName": "uplink"}), InvalidInput).await;
    fails(
        &bench,
        FUNCTION,
        json!({"servicePath": "/infra/tier-0s/one", "displayName": "uplink"}),
        InvalidInput,
    )
    .await;
    fails(
        &bench,
        FUNCTION,
        json!({"gatewayPath": "/infra/tier-0s/one", "displayName": "missing"}),
        NotFound,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn gateways_have_the_edge_cluster_of_their_locale_service() {
    let cluster = |id: &str| format!("/infra/sites/default/enforcement-points/default/edge-clusters/{id}");
    for (function, collection) in [
        ("getPolicyTier0Gateway", "/infra/tier-0s"),
        ("getPolicyTier1Gateway", "/infra/tier-1s"),
    ] {
        let at = |gateway: &str| format!("{collection}/{gateway}/locale-services");
        let mut world = bare();
        for gateway in ["default", "named", "none", "empty"] {
            world = world.with(collection, json!({"id": gateway, "display_name": gateway}));
        }
        let bench = world
            .with(
                &at("default"),
                json!({"id": "default", "edge_cluster_path": cluster("a")}),
            )
            .with(
                &at("default"),
                json!({"id": "aaa", "edge_cluster_path": cluster("b")}),
            )
            .with(&at("named"), json!({"id": "first"}))
            .with(
                &at("named"),
                json!({"id": "second", "edge_cluster_path": cluster("b")}),
            )
            .with(&at("empty"), json!({"id": "default"}))
            .start();
        let requests = [
            collection,
            "resource_type:Tier0 ",
            "resource_type:Tier1 ",
            "resource_type:LocaleServices ",
        ];
        for (gateway, found) in [
            ("default", cluster("a")),
            ("named", cluster("b")),
            ("none", String::new()),
            ("empty", String::new()),
        ] {
            let expected = json!({"id": gateway, "edgeClusterPath": found});
            answers(
                &bench,
                function,
                json!({"displayName": gateway}),
                &requests,
                expected,
            )
            .await;
        }
        let fits = json!({"displayName": "default", "edgeClusterPath": cluster("a")});
        answers(&bench, function, fits, &requests, json!({"id": "default"})).await;
        let differs = json!({"displayName": "default", "edgeClusterPath": cluster("b")});
        fails(&bench, function, differs, NotFound).await;
        fails(
            &bench,
            function,
            json!({"displayName": "default", "edgeClusterPath": "b"}),
            InvalidInput,
        )
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn gateways_can_be_vrfs_and_are_found_by_path() {
    let config = json!({
        "tier0_path": "/infra/tier-0s/parent", "evpn_transit_vni": 75001, "route_distinguisher": "65000:1",
        "route_targets": [{"address_family": "L2VPN_EVPN", "import_route_targets": ["1:1"], "export_route_targets": ["2:2"]}],
    });
    let bench = bare()
        .with("/infra/tier-0s", json!({"id": "vrf", "vrf_config": config}))
        .start();
    let output = bench.answer("getPolicyTier0Gateway", json!({"id": "vrf"})).await;
    fits_schema("getPolicyTier0Gateway", &output).unwrap();
    let expected = json!({
        "gatewayPath": "/infra/tier-0s/parent", "evpnTransitVni": 75001, "routeDistinguisher": "65000:1",
        "routeTarget": [{"addressFamily": "L2VPN_EVPN", "importTargets": ["1:1"], "exportTargets": ["2:2"]}],
    });
    assert_eq!(output["vrfConfig"], expected);
    let tree = "/orgs/default/projects/dev/infra";
    let bench = bare()
        .with("/infra/tier-1s", json!({"id": "one"}))
        .with(&format!("{tree}/tier-1s"), json!({"id": "one"}))
        .start();
    for (input, path) in [
        (
            json!({"path": "/infra/tier-1s/one"}),
            "/infra/tier-1s/one".to_owned(),
        ),
        (
            json!({"path": format!("{tree}/tier-1s/one"), "context": {"projectId": "dev"}}),
            format!("{tree}/tier-1s/one"),
        ),
    ] {
        let output = bench.answer("getPolicyTier1Gateway", input).await;
        assert_eq!(output["path"], *path);
    }
    fails(
        &bench,
        "getPolicyTier1Gateway",
        json!({"path": "/infra/tier-1s/missing"}),
        NotFound,
    )
    .await;
    // Gateways are only directly below the root of a tree.
    for path in ["/infra/tier-0s/one", "/infra/sites/default/tier-1s/one"] {
        fails(
            &bench,
            "getPolicyTier1Gateway",
            json!({"path": path}),
            InvalidInput,
        )
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn security_settings_of_a_gateway_are_read() {
    const FUNCTION: &str = "getPolicyGatewaySecurityConfig";
    let features = |on: &[&str]| -> Vec<Value> {
        let all = ["IDPS", "IDFW", "MALWAREPREVENTION", "TLS"].iter();
        all.map(|feature| json!({"feature": feature, "enable": on.contains(feature)}))
            .collect()
    };
    let bench = bare()
        .with(
            "/infra/tier-0s/zero/security-config",
            json!({"features": features(&["IDPS", "TLS", "MALWAREPREVENTION"])}),
        )
        .with(
            "/infra/tier-1s/one/security-config",
            json!({"features": features(&["IDFW", "MALWAREPREVENTION"])}),
        )
        .with("/infra/tier-1s/bare/security-config", json!({"features": []}))
        .start();
    // Tier-0 gateways have only the first two features.
    for (input, path, flags) in [
        (
            json!({"tier0Id": "zero"}),
            "/infra/tier-0s/zero/security-config",
            [true, false, false, false],
        ),
        (
            json!({"tier1Id": "one"}),
            "/infra/tier-1s/one/security-config",
            [false, true, true, false],
        ),
        (
            json!({"tier1Id": "bare"}),
            "/infra/tier-1s/bare/security-config",
            [false; 4],
        ),
    ] {
        let expected = json!({
            "path": path, "idpsEnabled": flags[0], "idfwEnabled": flags[1],
            "malwarePreventionEnabled": flags[2], "tlsEnabled": flags[3],
        });
        answers(
            &bench,
            FUNCTION,
            input,
            &[&format!("/policy/api/v1{path}")],
            expected,
        )
        .await;
    }
    fails(&bench, FUNCTION, json!({"tier1Id": "zero"}), NotFound).await;
    fails(&bench, FUNCTION, json!({}), InvalidInput).await;
    fails(
        &bench,
        FUNCTION,
        json!({"tier0Id": "zero", "tier1Id": "one"}),
        InvalidInput,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn policies_of_the_intrusion_service_have_their_rules() {
    for (function, policies) in [
        ("getPolicyIntrusionServicePolicy", "intrusion-service-policies"),
        (
            "getPolicyIntrusionServiceGatewayPolicy",
            "intrusion-service-gateway-policies",
        ),
    ] {
        let collection = format!("/infra/domains/default/{policies}");
        let mut world = bare().with(&collection, json!({"id": "p", "display_name": "policy"}));
        world.settings.max_page_size = 1;
        for (id, number) in [("b", 1), ("a", 2)] {
            let rule = json!({"id": id, "display_name": id, "sequence_number": number, "source_groups": ["ANY"], "action": "DETECT"});
            world = world.with(&format!("{collection}/p/rules"), rule);
        }
        let bench = world.start();
        for input in [json!({"id": "p"}), json!({"displayName": "policy"})] {
            let output = bench.answer(function, input.clone()).await;
            fits_schema(function, &output).unwrap();
            let rules = output["rules"].as_array().unwrap();
            assert_eq!(rules.len(), 2, "{function} {input}");
            assert!(
                rules.iter().any(|rule| rule.to_string().contains("\"b\"")),
                "{rules:?}"
            );
            assert!(rules[0].to_string().contains("DETECT"), "{rules:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn rules_with_null_members_and_numbers_as_text_are_kept() {
    let collection = "/infra/domains/default/intrusion-service-policies";
    let rule = json!({"id": "r", "display_name": null, "notes": null, "scope": null, "source_groups": ["ANY", null],
        "tags": null, "rule_id": "1001", "sequence_number": "7", "_revision": 3, "logged": null});
    let bench = bare()
        .with(collection, json!({"id": "p", "sequence_number": "5"}))
        .with(&format!("{collection}/p/rules"), rule)
        .start();
    let output = bench
        .answer("getPolicyIntrusionServicePolicy", json!({"id": "p"}))
        .await;
    assert_eq!(output["sequenceNumber"], 5);
    let rule = &output["rules"][0];
    for (name, value) in [
        ("id", json!("r")),
        ("displayName", json!("r")),
        ("notes", json!("")),
        ("scope", json!([])),
        ("sourceGroups", json!(["ANY"])),
        ("ruleId", json!(1001)),
        ("revision", json!(3)),
        ("sequenceNumber", json!(7)),
        ("logged", json!(false)),
    ] {
        assert_eq!(rule[name], value, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn parts_of_objects_with_null_members_are_kept() {
    let vrf =
        json!({"tier0_path": null, "evpn_transit_vni": "75001", "route_targets": [{"address_family": null}]});
    let roles =
        json!([{"path": "/", "roles": [{"role": "auditor"}, {"role": null}]}, {"path": "/a", "roles": null}]);
    let bench = bare()
        .with("/infra/tier-0s", json!({"id": "t", "vrf_config": vrf}))
        .with(
            "/infra/segments",
            json!({"id": "s", "subnets": [{"gateway_address": "10.0.0.1/24", "network": null}]}),
        )
        .with(
            "/orgs/default/projects",
            json!({"id": "dev", "site_infos": [{"site_path": "/infra/sites/default", "edge_cluster_paths": null}]}),
        )
        .with(
            "/aaa/role-bindings",
            json!({"id": "b", "name": "n", "type": "local_user", "roles_for_paths": roles}),
        )
        .start();
    for (function, id, member, expected) in [
        (
            "getPolicyTier0Gateway",
            "t",
            "vrfConfig",
            json!({"evpnTransitVni": 75001, "gatewayPath": "", "routeDistinguisher": "",
                "routeTarget": [{"addressFamily": "", "exportTargets": [], "importTargets": []}]}),
        ),
        (
            "getPolicySegment",
            "s",
            "subnet",
            json!([{"cidr": "10.0.0.1/24", "network": ""}]),
        ),
        (
            "getPolicyProject",
            "dev",
            "siteInfo",
            json!([{"edgeClusterPaths": [], "sitePath": "/infra/sites/default"}]),
        ),
        (
            "getPolicyUserManagementRoleBinding",
            "b",
            "rolesForPath",
            json!([{"path": "/", "roles": ["auditor"]}, {"path": "/a", "roles": []}]),
        ),
    ] {
        let output = bench.answer(function, json!({"id": id})).await;
        assert_eq!(output[member], expected, "{function}");
    }
}

#[tokio::test(start_paused = true)]
async fn intrusion_detection_settings_are_read() {
    const FUNCTION: &str = "getPolicyIdpsSettings";
    let body = json!({"display_name": "s", "description": "text", "auto_update": true, "ids_events_to_syslog": true, "oversubscription": "DROPPED"});
    let bench = bare()
        .with(IDS, body)
        .with(
            &format!("{IDS}/custom-signature-versions/v/settings"),
            json!({"enable_custom_signatures": true}),
        )
        .start();
    let expected = json!({
        "displayName": "s", "description": "text", "path": IDS, "autoUpdateSignatures": true, "enableSyslog": true,
        "oversubscription": "DROPPED", "enableCustomSignatures": false,
    });
    answers(
        &bench,
        FUNCTION,
        json!({}),
        &[&format!("/policy/api/v1{IDS}")],
        expected.clone(),
    )
    .await;
    let mut with_custom = expected;
    with_custom["enableCustomSignatures"] = json!(true);
    answers(
        &bench,
        FUNCTION,
        json!({"customSignatureVersionId": "v"}),
        &[IDS],
        with_custom,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn custom_signatures_and_their_changes_are_read() {
    let versions = format!("{IDS}/custom-signature-versions");
    let bench = bare()
        .with(
            &format!("{versions}/v/custom-signatures"),
            json!({
                "id": "7", "display_name": "n", "signature_id": "s", "original_signature_id": "o",
                "original_signature": "alert", "validation_status": "VALID", "validation_message": "m",
                "severity": "HIGH", "signature_severity": "LOW", "name": "name", "signature_revision": "2",
                "enable": true, "_revision": 4,
            }),
        )
        .with(
            &format!("{versions}/v/custom-signatures-diff"),
            json!({"newly_added_signatures": ["1"], "deleted_signatures": ["2"], "existing_signatures": ["3"]}),
        )
        .start();
    let path = format!("{versions}/v/custom-signatures/7");
    let expected = json!({
        "path": path, "displayName": "n", "signatureId": "s", "originalSignatureId": "o",
        "originalSignature": "alert", "validationStatus": "VALID", "validationMessage": "m", "severity": "HIGH",
        "signatureSeverity": "LOW", "name": "name", "signatureRevision": "2", "enable": true, "revision": 4,
    });
    for input in [
        json!({"id": "7", "signatureVersionId": "v"}),
        json!({"id": "v/7"}),
    ] {
        let requests = [&*format!("{versions}/v/custom-signatures")];
        answers(
            &bench,
            "getPolicyIdpsCustomSignature",
            input,
            &requests,
            expected.clone(),
        )
        .await;
    }
    let missing = json!({"id": "8", "signatureVersionId": "v"});
    fails(&bench, "getPolicyIdpsCustomSignature", missing, NotFound).await;
    fails(
        &bench,
        "getPolicyIdpsCustomSignature",
        json!({"id": "7"}),
        InvalidInput,
    )
    .await;
    fails(&bench, "getPolicyIdpsCustomSignature", json!({}), InvalidInput).await;
    let expected =
        json!({"newlyAddedSignatures": ["1"], "deletedSignatures": ["2"], "existingSignatures": ["3"]});
    let requests = [&*format!("{versions}/v/custom-signatures-diff")];
    answers(
        &bench,
        "getPolicyIdpsSignatureDiff",
        json!({"signatureVersionId": "v"}),
        &requests,
        expected,
    )
    .await;
    fails(
        &bench,
        "getPolicyIdpsSignatureDiff",
        json!({"signatureVersionId": "w"}),
        NotFound,
    )
    .await;
    fails(&bench, "getPolicyIdpsSignatureDiff", json!({}), InvalidInput).await;
}

#[tokio::test(start_paused = true)]
async fn system_signatures_are_those_of_the_active_version() {
    const FUNCTION: &str = "getPolicyIdpsSystemSignatures";
    let versions = format!("{IDS}/signature-versions");
    let signature = |id: &str, name: &str, severity: &str, product: &str, class: &str| {
        json!({
            "id": id, "signature_id": id, "display_name": name, "name": name, "severity": severity,
            "product_affected": product, "class_type": class, "categories": ["c"], "attack_target": "t", "cvss": "1",
            "cvssv2": "2", "cvssv3": "3", "cves": ["CVE"], "urls": ["https://example.com"], "signature_revision": "4",
        })
    };
    let mut world = bare()
        .with(&versions, json!({"id": "a", "state": "NOTACTIVE"}))
        .with(&versions, json!({"id": "b", "state": "ACTIVE"}))
        .with(
            &format!("{versions}/a/signatures"),
            signature("0", "old", "LOW", "p", "k"),
        )
        .with(
            &format!("{versions}/b/signatures"),
            signature("1", "Web Shell", "HIGH", "p", "k"),
        )
        .with(
            &format!("{versions}/b/signatures"),
            signature("2", "web scan", "LOW", "q", "k"),
        )
        .with(
            &format!("{versions}/b/signatures"),
            signature("3", "worm", "HIGH", "q", "l"),
        );
    world.settings.max_page_size = 2;
    let bench = world.start();
    for (input, version, expected) in [
        (json!({}), "b", vec!["1", "2", "3"]),
        (json!({"versionId": "a"}), "a", vec!["0"]),
        (json!({"severity": "HIGH"}), "b", vec!["1", "3"]),
        (json!({"productAffected": "q"}), "b", vec!["2", "3"]),
        (json!({"displayName": "WEB"}), "b", vec!["1", "2"]),
        (json!({"classType": "l"}), "b", vec!["3"]),
        (json!({"severity": "HIGH", "classType": "k"}), "b", vec!["1"]),
        (json!({"severity": "MEDIUM"}), "b", vec![]),
    ] {
        let output = bench.answer(FUNCTION, input.clone()).await;
        fits_schema(FUNCTION, &output).unwrap();
        let signatures = output["signatures"].as_array().unwrap();
        let mut ids: Vec<&str> = signatures
            .iter()
            .filter_map(|signature| signature["id"].as_str())
            .collect();
        ids.sort_unstable();
        assert_eq!(ids, expected, "{input}");
        assert_eq!(output["versionId"], version);
        assert_eq!(output["path"], format!("{versions}/{version}/signatures"));
        for request in bench.requests() {
            let expected = request.contains(&versions) || request.ends_with("/node/version");
            assert!(expected, "{request}");
        }
    }
    let output = bench.answer(FUNCTION, json!({"classType": "l"})).await;
    let expected = json!({
        "id": "3", "signatureId": "3", "displayName": "worm", "name": "worm", "severity": "HIGH",
        "productAffected": "q", "classType": "l", "categories": ["c"], "attackTarget": "t", "cvss": "1",
        "cvssv2": "2", "cvssv3": "3", "cves": ["CVE"], "urls": ["https://example.com"], "signatureRevision": "4",
        "path": format!("{versions}/b/signatures/3"),
    });
    assert_eq!(output["signatures"], json!([expected]));
    fails(&bench, FUNCTION, json!({"severity": "SEVERE"}), InvalidInput).await;
    fails(&bench, FUNCTION, json!({"versionId": "missing"}), NotFound).await;
}

#[tokio::test(start_paused = true)]
async fn vpn_services_of_gateways_and_transit_gateways_are_found() {
    const FUNCTION: &str = "getPolicyIpsecVpnService";
    let gateways = [
        "/infra/tier-0s/one",
        "/infra/tier-1s/one",
        "/orgs/default/projects/dev/transit-gateways/one",
    ];
    let mut world = bare();
    for (gateway, id) in gateways.iter().zip(["a", "b", "c"]) {
        let service = json!({"id": id, "display_name": "vpn", "description": "text"});
        world = world.with(&format!("{gateway}/ipsec-vpn-services"), service);
    }
    let bench = world.start();
    for (gateway, id) in gateways.iter().zip(["a", "b", "c"]) {
        let services = format!("{gateway}/ipsec-vpn-services");
        let expected = json!({"id": id, "displayName": "vpn", "path": format!("{services}/{id}"), "description": "text"});
        let input = json!({"gatewayPath": gateway, "displayName": "vpn"});
        answers(
            &bench,
            FUNCTION,
            input,
            &[&services, "resource_type:IPSecVpnService "],
            expected,
        )
        .await;
    }
    fails(
        &bench,
        FUNCTION,
        json!({"gatewayPath": "/infra/segments/one"}),
        InvalidInput,
    )
    .await;
    // There are no L2 VPN services of transit gateways.
    fails(
        &bench,
        "getPolicyL2VpnService",
        json!({"gatewayPath": gateways[2]}),
        InvalidInput,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn nat_of_a_transit_gateway_is_found_by_its_type() {
    const FUNCTION: &str = "getPolicyTransitGatewayNat";
    let gateways = "/orgs/default/projects/dev/transit-gateways";
    let mut world = bare();
    for (gateway, nat) in [("one", "USER"), ("one", "INTERNAL"), ("one-2", "USER")] {
        let body = json!({"id": nat, "display_name": nat, "nat_type": nat, "description": "text"});
        world = world.with(&format!("{gateways}/{gateway}/nat"), body);
    }
    let bench = world.start();
    let gateway = format!("{gateways}/one");
    let nat = format!("{gateway}/nat");
    for (input, id) in [
        (json!({"transitGatewayPath": gateway}), "USER"),
        (
            json!({"transitGatewayPath": gateway, "natType": "INTERNAL"}),
            "INTERNAL",
        ),
    ] {
        let expected = json!({"id": id, "path": format!("{nat}/{id}"), "description": "text"});
        answers(
            &bench,
            FUNCTION,
            input,
            &[&nat, "resource_type:PolicyNat "],
            expected,
        )
        .await;
    }
    let missing = json!({"transitGatewayPath": format!("{gateways}/one-2"), "natType": "INTERNAL"});
    fails(&bench, FUNCTION, missing, NotFound).await;
    fails(&bench, FUNCTION, json!({}), InvalidInput).await;
    fails(
        &bench,
        FUNCTION,
        json!({"transitGatewayPath": "/infra/tier-0s/one"}),
        InvalidInput,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn subnet_ports_are_found_by_virtual_machine() {
    const FUNCTION: &str = "getVpcSubnetPort";
    let subnets = "/orgs/default/projects/dev/vpcs/web/subnets";
    let mut world = bare();
    for (subnet, id, attachment) in [
        ("one", "a", Some("vif-1")),
        ("one", "b", None),
        ("one-2", "c", Some("vif-2")),
    ] {
        let body =
            json!({"id": id, "display_name": id, "description": "text", "attachment": {"id": attachment}});
        world = world.with(&format!("{subnets}/{subnet}/ports"), body);
    }
    for (id, machine, attachment) in [
        ("1", "vm", Some("vif-1")),
        ("2", "vm", Some("vif-2")),
        ("3", "other", None),
    ] {
        let body = json!({"external_id": id, "owner_vm_id": machine, "lport_attachment_id": attachment});
        world = world.with("/api/v1/fabric/vifs", body);
    }
    let bench = world.start();
    let requests = [
        "/realized-state/enforcement-points/default/vifs",
        "resource_type:VirtualNetworkInterface",
        "resource_type:VpcSubnetPort ",
        &format!("{subnets}/one/ports"),
        &format!("{subnets}/one-2/ports"),
    ];
    for (subnet, id) in [("one", "a"), ("one-2", "c")] {
        let input = json!({"subnetPath": format!("{subnets}/{subnet}"), "vmId": "vm"});
        let path = format!("{subnets}/{subnet}/ports/{id}");
        let expected = json!({"id": id, "path": path, "displayName": id, "description": "text"});
        answers(&bench, FUNCTION, input, &requests, expected).await;
    }
    for machine in ["other", "missing"] {
        let input = json!({"subnetPath": format!("{subnets}/one"), "vmId": machine});
        fails(&bench, FUNCTION, input, NotFound).await;
    }
    fails(&bench, FUNCTION, json!({"vmId": "vm"}), InvalidInput).await;
    fails(
        &bench,
        FUNCTION,
        json!({"subnetPath": "/infra/segments/one", "vmId": "vm"}),
        InvalidInput,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn role_bindings_are_found_by_id_and_by_name_and_type() {
    const FUNCTION: &str = "getPolicyUserManagementRoleBinding";
    const BINDINGS: &str = "/aaa/role-bindings";
    let binding = |id: &str, name: &str, user_type: &str, source: &str| {
        json!({
            "id": id, "display_name": name, "description": "text", "name": name, "type": user_type, "user_id": "7",
            "identity_source_id": source, "identity_source_type": "LDAP", "_revision": 2,
            "tags": [{"scope": "s", "tag": "t"}],
            "roles_for_paths": [{"path": "/", "roles": [{"role": "auditor", "role_display_name": "Auditor"}]}],
        })
    };
    let bench = bare()
        .with(BINDINGS, binding("1", "ops", "remote_group", "a"))
        .with(BINDINGS, binding("2", "ops", "remote_user", "a"))
        .with(BINDINGS, binding("3", "ops-2", "remote_group", "a"))
        .with(BINDINGS, binding("4", "two", "remote_group", "a"))
        .with(BINDINGS, binding("5", "two", "remote_group", "b"))
        .start();
    let requests = ["GET /policy/api/v1/aaa/role-bindings"];
    for (input, id) in [
        (json!({"id": "1"}), "1"),
        (json!({"name": "ops", "type": "remote_group"}), "1"),
        (json!({"name": "ops", "type": "remote_user"}), "2"),
        (
            json!({"name": "two", "type": "remote_group", "identitySourceId": "b"}),
            "5",
        ),
    ] {
        let expected = json!({
            "id": id, "description": "text", "userId": "7", "identitySourceType": "LDAP", "revision": 2,
            "tags": [{"scope": "s", "tag": "t"}],
        });
        answers(&bench, FUNCTION, input, &requests, expected).await;
    }
    let output = bench.answer(FUNCTION, json!({"id": "1"})).await;
    assert_eq!(output["rolesForPath"][0]["path"], "/");
    assert!(
        output["rolesForPath"][0]["roles"].to_string().contains("auditor"),
        "{output}"
    );
    fails(&bench, FUNCTION, json!({"id": "missing"}), NotFound).await;
    fails(
        &bench,
        FUNCTION,
        json!({"name": "op", "type": "remote_group"}),
        NotFound,
    )
    .await;
    fails(
        &bench,
        FUNCTION,
        json!({"name": "two", "type": "remote_group"}),
        Ambiguous,
    )
    .await;
    fails(&bench, FUNCTION, json!({}), InvalidInput).await;
}

#[tokio::test(start_paused = true)]
async fn the_proxy_of_the_manager_is_read() {
    const FUNCTION: &str = "getProxyConfig";
    let body = json!({
        "id": "TelemetryConfigIdentifier", "display_name": "proxy", "description": "text", "enabled": true,
        "scheme": "HTTPS", "host": "h", "port": 3128, "username": "u", "password": "Hidden-1", "certificate_id": "c",
        "test_connection_url": "https://example.com",
    });
    let bench = bare().with("/api/v1/proxy/config", body).start();
    let expected = json!({
        "displayName": "proxy", "description": "text", "enabled": true, "scheme": "HTTPS", "host": "h", "port": 3128,
        "username": "u", "certificateId": "c", "testConnectionUrl": "https://example.com",
        "path": "/api/v1/proxy/config",
    });
    answers(
        &bench,
        FUNCTION,
        json!({}),
        &["GET /api/v1/proxy/config"],
        expected,
    )
    .await;
    let output = bench.answer(FUNCTION, json!({})).await;
    assert!(!output.to_string().contains("Hidden-1"), "{output}");
}

#[tokio::test(start_paused = true)]
async fn facts_of_the_provider_need_no_request() {
    const FUNCTION: &str = "getProviderInfo";
    let bench = bare().start();
    let output = bench.answer(FUNCTION, json!({})).await;
    fits_schema(FUNCTION, &output).unwrap();
    assert_eq!(output["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(bench.requests(), [""; 0]);
    fails(&bench, FUNCTION, json!({"version": "1"}), InvalidInput).await;
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_is_ready_without_failures_and_open_warnings() {
    const FUNCTION: &str = "getUpgradePrepareReady";
    const FAILURES: &str = "/api/v1/upgrade/pre-upgrade-checks/failures";
    let check = |id: &str, kind: &str, acked: bool| json!({"id": id, "type": kind, "acked": acked, "needs_ack": true, "component_type": "EDGE", "message": {"message": format!("text of {id}")}});
    let input = json!({"upgradePrepareId": "prepare"});
    let ready = bare().with(FAILURES, check("a", "WARNING", true)).start();
    answers(
        &ready,
        FUNCTION,
        input.clone(),
        &[FAILURES],
        json!({"upgradePrepareId": "prepare"}),
    )
    .await;
    let empty = bare().start();
    answers(&empty, FUNCTION, input.clone(), &[FAILURES], json!({})).await;
    for (id, kind, acked) in [
        ("open", "WARNING", false),
        ("broken", "FAILURE", false),
        ("known", "FAILURE", true),
    ] {
        let mut world = bare();
        world.settings.max_page_size = 1;
        let bench = world
            .with(FAILURES, check("aaa", "WARNING", true))
            .with(FAILURES, check(id, kind, acked))
            .start();
        let error = bench.failure(FUNCTION, input.clone()).await;
        let text = chain(&error);
        assert!(text.contains(id), "{text}");
    }
    fails(&empty, FUNCTION, json!({}), InvalidInput).await;
}
