//! Tests over all functions.

use netmgr_types::InvalidProperty;
use serde_json::{Value, json};

use crate::{ALL, Lookups};

fn check(function: &str, input: Value) -> Vec<String> {
    let problems = Lookups::entry(function).unwrap().check(input);
    problems.iter().map(InvalidProperty::to_string).collect()
}

#[test]
fn no_output_of_a_function_has_a_secret_name() {
    for entry in ALL.iter() {
        for output in entry.describe().outputs {
            let mut member = json!({ output.name.clone(): "text" });
            netmgr_types::sensitive::redact(&mut member);
            assert_eq!(
                member[&output.name], "text",
                "{} {}",
                entry.spec.name, output.name
            );
        }
    }
}

#[test]
fn problems_are_found_without_a_manager() {
    for (function, input) in [
        ("getPolicyBfdProfile", json!({ "id": "a", "displayName": "b" })),
        ("getIpPool", json!({})),
        ("getIpPool", json!({ "displayNam": "a" })),
        (
            "getPolicyCertificate",
            json!({ "id": "a", "context": { "projectId": "default" } }),
        ),
        ("getComputeManagerRealization", json!({ "id": "" })),
        (
            "getComputeManagerRealization",
            json!({ "id": "a", "timeout": -1 }),
        ),
        (
            "getPolicyEdgeTransportNodeRealization",
            json!({ "path": "/infra" }),
        ),
        ("getPolicyClusterSecurityConfig", json!({ "clusterId": "" })),
        (
            "getPolicyEdgeNode",
            json!({ "edgeClusterPath": "x", "memberIndex": 0 }),
        ),
    ] {
        assert_ne!(check(function, input.clone()), [""; 0], "{function} {input}");
    }
}

/// Every function rejects an unknown property and, with the name of the property, a path of another kind of object.
#[test]
fn every_function_refuses_strangers_and_paths_of_other_objects() {
    let mut paths = 0;
    for entry in ALL.iter() {
        let name = entry.spec.name;
        let example: Value = serde_json::from_str(entry.spec.example).unwrap();
        let mut strange = example.clone();
        strange["stranger"] = json!("a");
        let problems = entry.check(strange);
        assert_eq!(problems[0].property, "stranger", "{name}");
        let schema = (entry.input_schema)();
        for (input, schema) in schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let pattern = schema["pattern"].as_str().unwrap_or_default();
            if !pattern.contains("/(infra|global-infra|") {
                continue;
            }
            let good = match example[input].as_str() {
                Some(path) => path.to_owned(),
                None => "/infra/sites/default".to_owned(),
            };
            let parts = [" ", "/.", "/..", "//a", "?a", "#a", "\t", "\u{7}", "/a /b"];
            let mut odd: Vec<String> = parts.iter().map(|part| format!("{good}{part}")).collect();
            odd.extend(
                [
                    "a",
                    "//sites/default",
                    "/infra/../sites/default",
                    " /infra/sites/default",
                ]
                .map(str::to_owned),
            );
            // One path may lead to any object.
            let is_of_a_kind = ["tier-", "sites", "edge", "segments", "services", "interfaces"];
            if is_of_a_kind.iter().any(|kind| pattern.contains(kind)) {
                odd.extend(["/infra/things/a/b", "/infra"].map(str::to_owned));
            }
            for path in odd {
                let mut other = example.clone();
                other[input] = json!(path);
                let problems = entry.check(other);
                assert!(
                    problems.iter().any(|problem| problem.property == *input),
                    "{name} {input} {path}: {problems:?}"
                );
                paths += 1;
            }
        }
    }
    assert!(paths > 500, "{paths}");
}

#[test]
fn what_only_one_kind_of_manager_requires_passes() {
    assert_eq!(check("getPolicyEdgeCluster", json!({ "id": "a" })), [""; 0]);
}

#[test]
fn every_example_passes() {
    for entry in ALL.iter() {
        let example = serde_json::from_str(entry.spec.example).unwrap();
        assert_eq!(entry.check(example), [], "{}", entry.spec.name);
    }
}
