//! Nine functions, one of each kind, with all possible results: found by id, by name and by prefix, not found,
//! ambiguous, rejected because of a property or a type.

use serde_json::json;

use crate::support::{Manager, Run, assert_shown};

/// An input with a property that no function has, and one whose type does not match any property.
const UNKNOWN: &[&str] = &["--input", r#"{"displayNam": "x"}"#];
const WRONG_ID: &[&str] = &["--input", r#"{"id": 7}"#];
const WRONG_NAME: &[&str] = &["--input", r#"{"displayName": ["x"]}"#];

#[test]
fn manager_info() {
    let shown = Manager::start().transcript(
        "manager-info",
        &[(0, &[]), (0, &["--id", "mine"]), (2, UNKNOWN), (2, WRONG_ID)],
    );
    assert_shown!("manager_info", shown);
}

#[test]
fn compute_manager() {
    let shown = Manager::start().transcript(
        "compute-manager",
        &[
            (0, &["--id", "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001"]),
            (0, &["--display-name", "vc-prod"]),
            (3, &["--id", "nowhere"]),
            (3, &["--display-name", "vc-pro"]),
            (4, &[]),
            (2, UNKNOWN),
            (2, WRONG_NAME),
        ],
    );
    assert_shown!("compute_manager", shown);
}

#[test]
fn compute_collection() {
    let shown = Manager::start().transcript(
        "compute-collection",
        &[
            (
                0,
                &[
                    "--id",
                    "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20",
                    "--display-name",
                    "Compute-Cluster-01",
                ],
            ),
            (0, &["--display-name", "Rack (2)/Zürich"]),
            (
                0,
                &[
                    "--display-name",
                    "twin",
                    "--origin-id",
                    "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0002",
                ],
            ),
            (3, &["--display-name", "Compute-Cluster"]),
            (3, &["--display-name", "twin", "--origin-type", "VC_Host"]),
            (4, &["--display-name", "twin"]),
            (2, &[]),
            (2, UNKNOWN),
            (2, WRONG_NAME),
        ],
    );
    assert_shown!("compute_collection", shown);
}

#[test]
fn edge_cluster() {
    let shown = Manager::start().transcript(
        "edge-cluster",
        &[
            (0, &["--id", "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001"]),
            (0, &["--display-name", "edge"]),
            (0, &["--display-name", "edge-cluster-p"]),
            (
                0,
                &["--display-name", "edge-", "--deployment-type", "PHYSICAL_MACHINE"],
            ),
            (3, &["--id", "nowhere"]),
            (3, &["--display-name", "Edge-Cluster"]),
            (4, &["--display-name", "edge-cluster"]),
            (2, UNKNOWN),
            (2, WRONG_ID),
        ],
    );
    assert_shown!("edge_cluster", shown);
}

#[test]
fn ns_groups() {
    let shown = Manager::start().transcript(
        "ns-groups",
        &[(0, &[]), (0, &["--id", "mine"]), (2, UNKNOWN), (2, WRONG_ID)],
    );
    assert_shown!("ns_groups", shown);
}

#[test]
fn policy_bfd_profile() {
    let shown = Manager::start().transcript(
        "policy-bfd-profile",
        &[
            (0, &["--id", "fast-bfd"]),
            (0, &["--display-name", "bfd-fast"]),
            (0, &["--display-name", "Zürich"]),
            (0, &["--display-name", "100% [x] {y} ^~*?"]),
            (3, &["--id", "nowhere"]),
            (3, &["--display-name", "fast"]),
            (4, &["--display-name", "bfd-"]),
            (4, &["--display-name", "bfd-twin"]),
            (2, &["--id", "fast-bfd", "--display-name", "bfd-fast"]),
            (2, UNKNOWN),
            (2, WRONG_NAME),
        ],
    );
    assert_shown!("policy_bfd_profile", shown);
}

#[test]
fn policy_certificate() {
    let shown = Manager::start().transcript(
        "policy-certificate",
        &[
            (0, &["--id", "lb-cert-web"]),
            (0, &["--id", "lb-cert-web", "--context-project-id", "dev"]),
            (0, &["--display-name", "lb-cert"]),
            (0, &["--display-name", "dev-", "--context-project-id", "dev"]),
            (3, &["--id", "dev-only"]),
            (3, &["--display-name", "dev2", "--context-project-id", "dev"]),
            (4, &["--display-name", "cert-twin"]),
            (2, UNKNOWN),
            (2, &["--input", r#"{"context": {"project": "dev"}}"#]),
            (2, &["--input", r#"{"context": "dev"}"#]),
        ],
    );
    assert_shown!("policy_certificate", shown);
}

#[test]
fn policy_edge_cluster() {
    let shown = Manager::start().transcript(
        "policy-edge-cluster",
        &[
            (0, &["--id", "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001"]),
            (0, &["--display-name", "edge"]),
            (0, &["--display-name", "edge-cluster-t"]),
            (
                0,
                &["--display-name", "edge", "--site-path", "/infra/sites/default"],
            ),
            (3, &["--id", "nowhere"]),
            (3, &["--display-name", "paris"]),
            (4, &["--display-name", "edge-cluster"]),
            (2, UNKNOWN),
            (2, WRONG_ID),
        ],
    );
    assert_shown!("policy_edge_cluster", shown);
}

#[test]
fn policy_edge_cluster_of_a_global_manager() {
    let shown = Manager::with(&["--kind", "global"]).transcript(
        "policy-edge-cluster",
        &[
            (0, &["--site-path", "/global-infra/sites/paris"]),
            (
                0,
                &[
                    "--site-path",
                    "/global-infra/sites/london",
                    "--display-name",
                    "edge",
                ],
            ),
            (4, &["--site-path", "/global-infra/sites/london"]),
            (
                3,
                &[
                    "--site-path",
                    "/global-infra/sites/rome",
                    "--display-name",
                    "edge",
                ],
            ),
            (2, &["--display-name", "edge"]),
            (2, &["--site-path", "paris"]),
        ],
    );
    assert_shown!("policy_edge_cluster_global", shown);
}

#[test]
fn compute_manager_realization() {
    let shown = Manager::start().transcript(
        "compute-manager-realization",
        &[
            (
                0,
                &["--id", "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001", "--delay", "0"],
            ),
            (
                0,
                &[
                    "--id",
                    "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0002",
                    "--delay=0",
                    "--check-registration=false",
                ],
            ),
            (3, &["--id", "nowhere", "--delay", "0"]),
            (2, &[]),
            (2, &["--id", "x", "--timeout", "0"]),
            (2, &["--input", r#"{"id": "x", "timeout": "soon"}"#]),
            (2, &["--input", r#"{"id": "x", "displayName": "vc-prod"}"#]),
        ],
    );
    assert_shown!("compute_manager_realization", shown);
}

/// Advice after failed lookups names flags. Messages name the object by the input that selects it.
#[test]
fn the_advice_of_failed_lookups_works() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = folder.path().join("inventory.json");
    let port = |id: &str, vif: &str| json!({"id": id, "display_name": id, "attachment": {"id": vif}});
    let document = json!({
        "/infra/domains/default/groups": [
            {"id": "billing", "display_name": "billing"},
            {"id": "billing-old", "display_name": "billing"},
            {"id": "warehouse", "display_name": "storage"},
        ],
        "/infra/segments": [
            {"id": "lab", "display_name": "lab"},
            {"id": "web", "display_name": "web"},
        ],
        "/infra/segments/lab/ports": [port("port-a", "att-500"), port("port-b", "att-500"), port("same", "1")],
        "/infra/segments/web/ports": [port("same", "2"), {"id": "port-c", "display_name": "third"}],
        "/orgs/default/projects": [{"id": "pa", "display_name": "Project A"}],
        "/infra/sites/default/enforcement-points/default/edge-clusters": [{"id": "cl-1", "display_name": "cl-1"}],
        "/api/v1/pools/ip-pools": [
            {"id": "pool-a", "display_name": "rack 7 "},
            {"id": "pool-b", "display_name": "row\t9"},
        ],
    });
    std::fs::write(&inventory, document.to_string()).unwrap();
    let manager = Manager::serve(&["--no-demo", "--inventory", inventory.to_str().unwrap()]);
    let interface = "/infra/tier-0s/edge/locale-services/main/interfaces/uplink";
    let cluster = "/infra/sites/default/enforcement-points/default/edge-clusters/cl-1 ";
    for (code, arguments, report) in [
        (
            4,
            &["get", "policy-group", "billing"][..],
            "hint: select one of them by `--id` instead of `--display-name`",
        ),
        (
            4,
            &["get", "policy-group", "bill"],
            "hint: select one of them by `--id` instead of `--display-name`",
        ),
        (0, &["get", "policy-group", "--id", "billing-old"], ""),
        (
            3,
            &["get", "policy-group", "--id", "storage"],
            "hint: use `--display-name` if this is a display name and not an id",
        ),
        (
            3,
            &["get", "policy-group", "warehouse"],
            "hint: this is the id of \"storage\"; use `--id` for an id",
        ),
        (
            0,
            &[
                "get",
                "policy-group",
                "--id",
                "warehouse",
                "--display-name",
                "depot",
            ],
            "which does not match `--display-name` \"depot\"; `--id` takes precedence",
        ),
        (
            4,
            &["find", "--type", "Group", "--limit", "2"],
            "hint: increase `--limit`",
        ),
        (
            4,
            &["get", "object", "--resource-type", "SegmentPort", "--id", "same"],
            "hint: select one of them by `--path` alone",
        ),
        (
            0,
            &["get", "object", "--path", "/infra/segments/web/ports/same"],
            "",
        ),
        (
            4,
            &["get", "policy-segment-port", "--id", "same"],
            "hint: restrict the selection with `--segment-path`",
        ),
        (
            0,
            &[
                "get",
                "policy-segment-port",
                "--id",
                "same",
                "--segment-path",
                "/infra/segments/web",
            ],
            "",
        ),
        (
            4,
            &["get", "policy-segment-port", "--vif-id", "att-500"],
            "hint: select one of them by `--id` instead of `--vif-id`",
        ),
        (0, &["get", "policy-segment-port", "--id", "port-b"], ""),
        (
            3,
            &["get", "policy-segment-port", "--vif-id", "att-501"],
            "there is no segment port with `--vif-id` \"att-501\"",
        ),
        (
            3,
            &["get", "ip-pool", "rack 7"],
            "hint: did you mean \"rack 7 \"?",
        ),
        (0, &["get", "ip-pool", "rack 7 "], ""),
        (3, &["get", "ip-pool", "row 9"], "hint: did you mean \"row\\t9\"?"),
        (
            3,
            &["get", "policy-segment", "lab", "--context-project-id", "none"],
            "hint: omit `--project` to select it",
        ),
        (
            3,
            &["get", "policy-segment", "lab", "--project", "Project A"],
            "project Project A does not exist, but the project with id pa has this name",
        ),
        (
            3,
            &["get", "policy-segment-port", "port-c"],
            "hint: this is the id of \"third\"; use `--id` for an id",
        ),
        (
            3,
            &["get", "policy-group", "--id", "billing", "--domain", "none"],
            "hint: check `--domain`",
        ),
        (
            3,
            &["get", "policy-segment", "--id", "other", "--project", "none"],
            "hint: check `--project`, the id of the project",
        ),
        (
            3,
            &["list", "policy-segment", "--project", "none"],
            "hint: check `--project`, the id of the project",
        ),
        (
            3,
            &["find", "--project", "none"],
            "hint: check `--project`, the id",
        ),
        (
            3,
            &["get", "policy-group", "billing", "--domain", "none"],
            "hint: check `--domain`",
        ),
        (
            3,
            &[
                "list",
                "policy-segment-port",
                "--segment-path",
                "/infra/segments/none",
            ],
            "hint: check `--segment-path`",
        ),
        (
            9,
            &["get", "policy-group", "billing", "--global-manager"],
            "has no API for groups of a global manager; check `--global-manager`",
        ),
        (
            2,
            &[
                "get",
                "policy-edge-node",
                "unit-a",
                "--edge-cluster-path",
                cluster,
            ],
            "it begins or ends with a blank",
        ),
        (
            2,
            &["get", "policy-vms", "--display-name", "cache("],
            "`--display-name` is not a valid regular expression: unclosed group",
        ),
        (
            2,
            &[
                "get",
                "policy-gateway-interface-realization",
                "--gateway-interface-path",
                interface,
                "--gateway-path",
                interface,
            ],
            "`--gateway-interface-path` cannot be combined with `--gateway-path`",
        ),
        (
            2,
            &["find", "--project", "default"],
            "omit `--project` for objects outside all projects",
        ),
        (
            2,
            &["export", "-o", "/nonexistent/x.json", "--project", ""],
            "omit `--project` for objects outside all projects",
        ),
        (
            2,
            &["diff", "a", "b", "--project", "default"],
            "must not be \"default\"",
        ),
        (
            2,
            &["who", "x", "--project", "default"],
            "must not be \"default\"",
        ),
    ] {
        let run = Run::of(&mut manager.program(arguments));
        assert_eq!(run.code, code, "{arguments:?}: {run:?}");
        assert!(run.stderr.contains(report), "{arguments:?}: {run:?}");
        let hints = run.stderr.matches("hint: ").count();
        assert_eq!(hints, usize::from(code != 0), "{arguments:?}: {run:?}");
    }
}

#[test]
fn help_names_one_input_that_takes_precedence() {
    for entry in netmgr_lookups::ALL.iter() {
        let inputs = entry.describe().inputs;
        let first = inputs
            .iter()
            .filter(|input| input.description.contains("precedence over all other inputs"));
        let first: Vec<&str> = first.map(|input| input.name.as_str()).collect();
        let others = inputs
            .iter()
            .filter(|input| input.description.contains("precedence over `id`"));
        assert!(
            first.len() + others.count() <= 1,
            "{}: {first:?}",
            entry.spec.name
        );
    }
}
