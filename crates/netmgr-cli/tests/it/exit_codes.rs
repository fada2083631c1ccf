//! Tests of every documented exit code and its message.

use std::process::Command;

use serde_json::json;

use crate::support::{INTERRUPT, Manager, Run, assert_shown, closed_port, netmgr, program};

const FAILING: &str = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0012";
const PENDING: &str = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0013";

#[track_caller]
fn fails_with(name: &str, command: &mut Command, code: i32) {
    let run = Run::of(command);
    assert_shown!(name, run.failure(code));
}

/// The most common lookup against a manager with these options.
#[track_caller]
fn reported_by(name: &str, options: &[&str], arguments: &[&str], code: i32) {
    let manager = Manager::with(options);
    let arguments = [&["get", "policy-edge-cluster", "--id", "x"], arguments].concat();
    fails_with(name, &mut manager.program(&arguments), code);
}

#[test]
fn an_answer_is_0() {
    let run = Manager::start().get(&["manager-info"]);
    assert_eq!(run.answer()["version"], "9.1.1.0.25108400");
}

#[test]
fn a_manager_that_fails_is_1() {
    reported_by(
        "server_error",
        &["--fault", "GET * status=500"],
        &["--max-retries", "0"],
        1,
    );
    reported_by("proxy_page", &["--fault", "GET * body=html"], &[], 1);
}

#[test]
fn a_manager_that_is_unavailable_is_12() {
    reported_by(
        "overloaded",
        &["--fault", "GET * status=503"],
        &["--max-retries=2"],
        12,
    );
}

#[test]
fn wrong_usage_is_2() {
    let manager = Manager::start();
    for (name, arguments) in [
        ("no_function", &["get", "edge-clustre"][..]),
        ("nothing_like_it", &["get", "bananas"]),
        ("function_without_get", &["policy-edge-cluster", "--id", "x"]),
        ("required_input", &["get", "compute-collection"]),
        ("wrong_format", &["get", "manager-info", "-o", "xml"]),
        ("wrong_number", &["get", "manager-info", "--max-retries", "many"]),
        ("two_ways", &["get", "manager-info", "--id", "x", "--input", "{}"]),
        ("secret_flag", &["get", "manager-info", "--password=hunter2"]),
    ] {
        fails_with(name, &mut manager.program(arguments), 2);
    }
}

#[test]
fn nothing_found_is_3_and_several_are_4() {
    let manager = Manager::start();
    let get = |arguments: &[&str]| manager.get(&[&["ns-group"], arguments].concat());
    assert_shown!("not_found", get(&["--display-name", "GROUP-web"]).failure(3));
    assert_shown!("ambiguous", get(&["--display-name", "twin-group"]).failure(4));
}

#[test]
fn a_wrong_password_is_5() {
    let manager = Manager::start();
    let mut command = manager.program(&["get", "manager-info"]);
    fails_with("wrong_password", command.env("NETMGR_PASSWORD", "Xy-12"), 5);
    let basic = command.arg("--session-auth=false");
    fails_with("wrong_password_basic", basic, 5);
}

#[test]
fn a_refused_connection_is_6() {
    let (_closed, address) = closed_port();
    let mut command = program(["get", "manager-info", "--max-retries=1", "--host", &address]);
    command.envs([("NETMGR_USERNAME", "admin"), ("NETMGR_PASSWORD", "x")]);
    fails_with("refused", &mut command, 6);
}

#[test]
fn a_certificate_that_is_not_trusted_is_6() {
    let manager = Manager::start();
    let mut command = manager.program(&["get", "manager-info"]);
    fails_with("unknown_authority", command.env_remove("NETMGR_CA_FILE"), 6);
}

/// On Linux, netmgr reads the platform's authorities from the files of OpenSSL.
#[cfg(target_os = "linux")]
#[test]
fn a_given_certificate_does_not_exclude_the_authorities_of_the_platform() {
    let (manager, other) = (Manager::start(), Manager::start());
    let mut command = manager.program(&["get", "manager-info"]);
    command.env("NETMGR_CA_FILE", other.variable("NETMGR_CA_FILE"));
    let of_platform = command.env("SSL_CERT_FILE", manager.variable("NETMGR_CA_FILE"));
    let run = Run::of(of_platform);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run}");
    let of_neither = command.env("SSL_CERT_FILE", other.variable("NETMGR_CA_FILE"));
    let message = Run::of(of_neither).failure(6).to_owned();
    assert!(message.contains("is signed by an unknown authority"), "{message}");
}

#[test]
fn a_manager_that_goes_on_throttling_is_7() {
    reported_by(
        "throttled",
        &["--fault", "GET * status=429"],
        &["--max-retries", "2"],
        7,
    );
}

#[test]
fn a_deadline_is_8() {
    reported_by("deadline", &["--latency", "9000"], &["--deadline", "1"], 8);
    let endless = [
        "get",
        "--simulate",
        "manager-info",
        "--deadline=1",
        "--query",
        "def f: f; f",
    ];
    assert_eq!(
        netmgr(&endless).failure(8),
        "error: the deadline of 1 s expired\n  hint: increase --deadline\n"
    );
}

#[test]
fn a_wait_that_takes_too_long_is_8() {
    let manager = Manager::start();
    let run = |more: &[&str]| {
        manager.get(
            &[
                &["compute-manager-realization", "--id", PENDING, "--delay=0"],
                more,
            ]
            .concat(),
        )
    };
    assert_shown!("wait_exceeded", run(&["--timeout", "1"]).failure(8));
    assert_shown!("wait_deadline", run(&["--deadline", "1.5"]).failure(8));
}

#[test]
fn a_function_that_the_manager_does_not_have_is_9() {
    let manager = Manager::with(&["--kind", "global"]);
    let get = |arguments: &[&str]| manager.get(arguments);
    assert_shown!("global_manager", get(&["policy-bridge-profile"]).failure(9));
    assert_shown!(
        "global_manager_missing",
        get(&["ip-pool", "--id", "x"]).failure(9)
    );
    for arguments in [&["get", "policy-group", "web"][..], &["find", "web"]] {
        let as_local = Run::of(manager.program(arguments).env_remove("NETMGR_GLOBAL_MANAGER"));
        let advice = "it is a global manager; set `--global-manager`";
        assert!(as_local.failure(9).contains(advice), "{as_local:?}");
    }
}

#[test]
fn a_function_whose_api_was_removed_names_its_successor() {
    let manager = Manager::with(&["--fault", "GET /api/v1/ns-groups* status=404"]);
    let run = manager.get(&["ns-group", "web"]);
    assert!(
        run.failure(9)
            .contains("version 9.1.1.0.25108400 has no API for groups; use `getPolicyGroup` instead"),
        "{run:?}"
    );
}

#[test]
fn a_function_that_the_hosted_cloud_does_not_have_is_9_before_anything_is_sent() {
    let mut command = program(["get", "policy-certificate", "--id", "x", "--host", "192.0.2.1"]);
    fails_with("hosted_cloud", command.env("NETMGR_CLOUD_TOKEN", "t"), 9);
}

#[test]
fn a_version_that_is_too_old_is_9() {
    let manager = Manager::with(&["--manager-version", "4.2.1"]);
    let get = |arguments: &[&str]| manager.get(arguments);
    assert_shown!(
        "old_version",
        get(&["policy-edge-transport-node", "--id=x"]).failure(9)
    );
    let security = ["policy-cluster-security-config", "--cluster-id=x"];
    assert_shown!("old_version_fixed_text", get(&security).failure(9));
    let spans = Run::of(&mut manager.program(&["find", "--type", "NetworkSpan"]));
    assert!(
        spans
            .failure(9)
            .contains("version 4.2.1 has no API for network spans"),
        "{spans:?}"
    );
}

#[test]
fn a_role_that_may_not_read_is_10() {
    reported_by(
        "role_denied",
        &[
            "--fault",
            "GET /policy/* status=403 code=401 message=Account_admin_lacks_read",
        ],
        &[],
        10,
    );
}

#[test]
fn a_realization_that_failed_is_11() {
    let run = Manager::start().get(&["compute-manager-realization", "--id", FAILING, "--delay=0"]);
    assert_shown!("realization_failed", run.failure(11));
    // The other front ends return such a state, with a warning.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("inventory.json");
    let entity = |id: &str, state: &str| json!({ "id": id, "state": state, "intent_paths": ["/infra/segments/lab"], "runtime_error": "no free `id`" });
    let entities = [entity("a", "REALIZED"), entity("b", "ERROR")];
    let inventory = json!({ "/infra/realized-state/realized-entities": entities });
    std::fs::write(&file, inventory.to_string()).unwrap();
    let manager = Manager::with(&["--no-demo", "--inventory", file.to_str().unwrap()]);
    let run = manager.get(&[
        "policy-realization-info",
        "--path=/infra/segments/lab",
        "--delay=0",
    ]);
    assert!(
        run.failure(11)
            .contains("failed with state ERROR: no free `id`\n"),
        "{run:?}"
    );
}

#[test]
fn a_misspelt_path_is_3() {
    let manager = Manager::start();
    for path in ["/infra/segment/lab", "/infra/domains/nope"] {
        let waits = manager.get(&["policy-realization-info", "--path", path, "--delay=0"]);
        assert!(waits.failure(3).contains("hint: check `--path`"), "{waits:?}");
        let finds = Run::of(&mut manager.program(&["find", "--below", path]));
        assert!(finds.failure(3).contains("hint: check `--below`"), "{finds:?}");
    }
    for (arguments, input) in [
        (
            &["policy-intrusion-service-policy", "--domain", "nope"][..],
            "--domain",
        ),
        (
            &[
                "policy-gateway-prefix-list",
                "--gateway-path",
                "/infra/tier-1s/nope",
            ],
            "--gateway-path",
        ),
        (
            &["vpc-subnet", "--project", "nope", "--context-vpc-id", "web"],
            "--project",
        ),
    ] {
        let lists = Run::of(&mut manager.program(&[&["list"], arguments].concat()));
        assert!(
            lists.failure(3).contains(&format!("hint: check `{input}`")),
            "{lists:?}"
        );
    }
    let collection = Run::of(&mut manager.program(&["find", "--below", "/infra/nope"]));
    assert!(
        collection.failure(3).contains("hint: check `--below`"),
        "{collection:?}"
    );
    // No single list shows whether the gateway exists.
    let nowhere = [
        "policy-gateway-interface",
        "x",
        "--gateway-path",
        "/infra/tier-0s/nope",
    ];
    let run = manager.get(&nowhere);
    let gets = run.failure(3);
    assert!(
        gets.contains("the gateway does not exist") && gets.contains("check `--gateway-path`"),
        "{gets}"
    );
    // A manager without projects has none of this id.
    let old = Manager::with(&["--manager-version", "3.2.1"]);
    for arguments in [
        &["get", "policy-route-controller", "rc-1"][..],
        &["list", "policy-route-controller"],
        &["find", "--type", "RouteController"],
    ] {
        let absent = Run::of(&mut old.program(arguments));
        assert!(
            absent.failure(9).contains("has no API for route controllers"),
            "{absent:?}"
        );
    }
    let lists = Run::of(&mut old.program(&["list", "policy-group", "--project", "nope"]));
    assert!(
        lists.failure(3).contains("project nope does not exist"),
        "{lists:?}"
    );
    let nothing = Manager::with(&["--fault", "GET * status=404"]);
    let counts = Run::of(&mut nothing.program(&["list", "--all"]));
    assert_ne!(counts.code, 0, "{counts:?}");
    // A proxy's page does not show that an object is missing.
    let behind = Manager::with(&["--fault", "GET /policy/* status=404 body=html"]);
    for command in [&["get", "object"][..], &["who"]] {
        let arguments = [command, &["/infra/segments/web-tier"]].concat();
        let run = Run::of(&mut behind.program(&arguments));
        let error = run.failure(9);
        assert!(
            error.contains("the response is a web page") && !error.contains("did you mean"),
            "{error}"
        );
    }
    let lists = Manager::with(&[
        "--fault",
        "GET /policy/api/v1/infra/domains/default/groups status=404 body=html",
        "--fault",
        r#"GET /policy/api/v1/search/query body={"results":[],"result_count":0}"#,
    ]);
    for arguments in [["list", "policy-group"], ["get", "policy-groups"]] {
        let run = Run::of(&mut lists.program(&arguments));
        assert!(run.failure(9).contains("the response is a web page"), "{run:?}");
    }
    // The root of a tree exists.
    let root = Run::of(&mut manager.program(&["find", "nope", "--below", "/infra"]));
    assert_eq!(root.code, 0, "{root:?}");
}

#[test]
fn a_simulated_manager_that_cannot_listen_is_1_and_one_that_is_ended_is_0() {
    let manager = Manager::start();
    let address = manager.variable("NETMGR_HOST").trim_start_matches("https://");
    fails_with(
        "address_in_use",
        &mut program(["simulate", "--listen", address]),
        1,
    );
    assert_eq!(manager.end(INTERRUPT).0, 0);
}
