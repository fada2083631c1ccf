//! Tests of `--trace`: a line for each request, and nothing secret.

use crate::support::{Manager, Run, assert_shown};

#[test]
fn a_trace_has_a_line_for_each_request_and_no_secrets() {
    let manager = Manager::start();
    for session in ["true", "false"] {
        let arguments = [
            "get",
            "policy-edge-cluster",
            "--display-name",
            "edge",
            "--trace",
            "--stats",
        ];
        let run = Run::of(manager.program(&arguments).env("NETMGR_SESSION_AUTH", session));
        assert_eq!(run.code, 0, "{run:?}");
        let password = manager.variable("NETMGR_PASSWORD");
        for secret in [password, "Basic ", "JSESSIONID", "j_password", "display_name"] {
            assert!(!run.stderr.contains(secret), "{secret}: {run:?}");
        }
        let lines: Vec<&str> = run
            .stderr
            .lines()
            .filter(|line| line.starts_with("GET "))
            .collect();
        assert_eq!(lines.len(), 1, "{run:?}");
        // Only sessions have a login and a logout.
        let posted = |path: &str| run.stderr.contains(&format!("POST {path} 200 "));
        for path in ["/api/session/create", "/api/session/destroy"] {
            assert_eq!(posted(path), session == "true", "{run:?}");
        }
        assert!(
            lines[0].starts_with("GET /policy/api/v1/search/query 200 "),
            "{run:?}"
        );
        assert!(lines[0].ends_with(" ms"), "{run:?}");
        assert!(run.stderr.contains("statistics: lookups 1, "), "{run:?}");
    }
}

#[test]
fn a_trace_shows_failures_and_attempts() {
    let manager = Manager::with(&["--fault", "GET * status=503"]);
    let run = Run::of(&mut manager.program(&["get", "manager-info", "--trace", "--max-retries=2"]));
    let mut lines = run.failure(12).lines();
    let line = lines.find(|line| line.starts_with("GET ")).unwrap();
    assert!(line.starts_with("GET /api/v1/node/version "), "{run:?}");
    assert!(line.ends_with(" 3 attempts"), "{run:?}");
}

#[test]
fn every_command_explains_itself() {
    let mut help = String::new();
    for command in ["get", "list", "batch", "types", "schema", "config"] {
        let run = crate::support::netmgr(&[command, "-h"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
        help.push_str(&format!("$ netmgr {command} -h\n{}\n", run.stdout));
    }
    assert_shown!("help_of_commands", help);
}
