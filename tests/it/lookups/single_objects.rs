//! Functions that read one known object or combine several requests, and whose cases do not fit in a table.

use netmgr_lookups::ErrorKind::{InvalidInput, NotFound};
use serde_json::json;

use super::harness::{World, chain};

const IDS: &str = "/infra/settings/firewall/security/intrusion-services";

fn bare() -> World {
    World::local().bare()
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
    bench
        .fails(FUNCTION, json!({"severity": "SEVERE"}), InvalidInput)
        .await;
    bench
        .fails(FUNCTION, json!({"versionId": "missing"}), NotFound)
        .await;
}

#[tokio::test(start_paused = true)]
async fn facts_of_the_provider_need_no_request() {
    const FUNCTION: &str = "getProviderInfo";
    let bench = bare().start();
    let output = bench.answer(FUNCTION, json!({})).await;
    assert_eq!(output["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(bench.requests(), [""; 0]);
    bench.fails(FUNCTION, json!({"version": "1"}), InvalidInput).await;
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_with_failures_or_open_warnings_is_not_ready() {
    const FUNCTION: &str = "getUpgradePrepareReady";
    const FAILURES: &str = "/api/v1/upgrade/pre-upgrade-checks/failures";
    let check = |id: &str, kind: &str, acked: bool| json!({"id": id, "type": kind, "acked": acked, "needs_ack": true, "component_type": "EDGE", "message": {"message": format!("text of {id}")}});
    let input = json!({"upgradePrepareId": "prepare"});
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
    bare().start().fails(FUNCTION, json!({}), InvalidInput).await;
}
