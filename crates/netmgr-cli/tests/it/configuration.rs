//! The sources of settings, the secrecy of secrets, and that nothing is sent too early.

use std::io::{ErrorKind, Write as _};
use std::net::TcpListener;

use serde_json::json;

use crate::support::{Manager, Run, assert_shown, netmgr, program};

/// An address without a listener.
const NOBODY: &str = "127.0.0.1:1";

fn file(text: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

#[test]
fn a_flag_beats_the_environment_which_beats_the_file() {
    let manager = Manager::start();
    let host = manager.variable("NETMGR_HOST");
    let elsewhere = file(&json!({ "host": "127.0.0.1:2", "maxRetries": 0 }).to_string());
    let config = elsewhere.path().to_str().unwrap();
    let mut command = manager.program(&["get", "manager-info", "-o", "json", "--config", config]);
    command.env("NETMGR_HOST", NOBODY);
    let shown = Run::of(&mut command);
    assert!(
        shown.failure(6).contains("127.0.0.1:1: connection refused"),
        "{shown:?}"
    );
    assert_eq!(
        Run::of(command.args(["--host", host])).answer()["id"],
        "manager-info"
    );
}

#[test]
fn a_file_alone_configures_a_connection_as_json_and_as_yaml() {
    let manager = Manager::start();
    let settings: Vec<(&str, &str)> = manager
        .environment()
        .map(|(name, value)| {
            let property = match name {
                "NETMGR_HOST" => "host",
                "NETMGR_USERNAME" => "username",
                "NETMGR_PASSWORD" => "password",
                "NETMGR_CA_FILE" => "caFile",
                other => panic!("{other}"),
            };
            (property, value)
        })
        .collect();
    let json = settings
        .iter()
        .map(|(name, value)| format!("{name:?}: {value:?}"))
        .collect::<Vec<_>>();
    let yaml = settings
        .iter()
        .map(|(name, value)| format!("{name}: '{value}'\n"))
        .collect::<String>();
    for text in [format!("{{{}}}", json.join(",")), yaml] {
        let file = file(&text);
        let config = ["--config", file.path().to_str().unwrap(), "-o", "json"];
        let run = Run::of(program(["get", "manager-info"]).args(config));
        assert_eq!(run.answer()["version"], "9.1.1.0.25108400");
    }
}

#[test]
fn what_is_wrong_with_a_configuration_is_reported_at_once_and_without_secrets() {
    let written = file(&json!({ "hots": "m", "password": "hunter2", "maxRetries": "many" }).to_string());
    let config = written.path().to_str().unwrap();
    let mut shown = netmgr(&["get", "manager-info"]).failure(2).to_owned();
    shown.push_str(netmgr(&["get", "manager-info", "--config", config]).failure(2));
    let mut command = program(["get", "manager-info", "--host", "m"]);
    command.envs([("NETMGR_PASSWORD", "hunter2"), ("NETMGR_MAX_RETRIES", "many")]);
    shown.push_str(Run::of(&mut command).failure(2));
    let login =
        file(&json!({ "host": "m", "username": "a", "password": "hunter2", "retryMinDelay": 9 }).to_string());
    let with_login = || program(["get", "manager-info", "--config", login.path().to_str().unwrap()]);
    let absent = "/nonexistent/ca.pem";
    for command in [
        with_login().args(["--ca-file", absent]),
        with_login().env("NETMGR_CA_FILE", absent),
        with_login().args(["--retry-max-delay", "4"]),
        with_login().env("NETMGR_RETRY_MAX_DELAY", "5"),
    ] {
        shown.push_str(Run::of(command).failure(2));
    }
    let broken = file("{ \"password\": \"hunter2\" \"host\" }");
    let run = netmgr(&["get", "manager-info", "--config", broken.path().to_str().unwrap()]);
    shown.push_str(&run.failure(2).replace(broken.path().to_str().unwrap(), "[file]"));
    assert!(!shown.contains("hunter2"), "{shown}");
    assert_shown!("problems", shown);
}

#[test]
fn a_setting_in_another_spelling_suggests_the_right_one() {
    for (written, meant) in [
        ("password_file", "`passwordFile`"),
        ("password-command", "`passwordCommand`"),
        ("ca_file", "caFile"),
    ] {
        let file = file(&json!({ "host": "m", written: "x" }).to_string());
        let run = netmgr(&["get", "manager-info", "--config", file.path().to_str().unwrap()]);
        let suggestion = format!("did you mean {meant}?");
        assert!(run.failure(2).contains(&suggestion), "{run:?}");
    }
}

#[test]
fn nothing_is_sent_before_the_input_is_known_to_be_good() {
    let manager = TcpListener::bind("127.0.0.1:0").unwrap();
    manager.set_nonblocking(true).unwrap();
    let host = manager.local_addr().unwrap().to_string();
    for arguments in [
        &["get", "policy-edge-cluster", "--input", r#"{"displayNam": "x"}"#][..],
        &["get", "policy-bfd-profile", "--id=x", "--display-name=y"],
        &["get", "compute-manager-realization", "--id=x", "--timeout=0"],
    ] {
        let mut command = program(arguments);
        command.envs([
            ("NETMGR_HOST", host.as_str()),
            ("NETMGR_USERNAME", "admin"),
            ("NETMGR_PASSWORD", "x"),
            ("NETMGR_ON_DEMAND_CONNECTION", "false"),
        ]);
        Run::of(&mut command).failure(2);
        let seen = manager.accept().map(|(_, from)| from);
        assert_eq!(seen.unwrap_err().kind(), ErrorKind::WouldBlock, "{arguments:?}");
    }
}

#[test]
fn the_log_reports_requests_and_no_secrets() {
    let manager = Manager::start();
    for verbose in ["-v", "-vvv"] {
        let arguments = ["get", "policy-edge-cluster", "--display-name=edge", verbose];
        for session in ["true", "false"] {
            let mut command = manager.program(&arguments);
            let run = Run::of(command.env("NETMGR_SESSION_AUTH", session));
            assert_eq!(run.code, 0, "{run:?}");
            assert!(run.stderr.contains("path=/policy/api/v1/search/query"), "{run:?}");
            let password = manager.variable("NETMGR_PASSWORD");
            for secret in [password, "Basic ", "JSESSIONID=", "j_password", "display_name"] {
                assert!(!run.stderr.contains(secret), "{secret}: {}", run.stderr);
            }
        }
    }
}

#[test]
fn words_of_ours_are_shown_even_if_they_are_the_password() {
    let manager = Manager::start();
    // The name of the user is not secret, and the other words are in our messages.
    for (password, shown) in [
        ("admin", "Login refused for client admin: wrong name"),
        ("rejected", "the manager rejected the login: POST"),
        ("version", "getManagerInfo: could not read the manager version"),
    ] {
        let mut command = manager.program(&["get", "manager-info"]);
        let run = Run::of(command.env("NETMGR_PASSWORD", password));
        assert!(run.failure(5).contains(shown), "{password}: {run:?}");
    }
    // A password in the text of the manager is replaced.
    let mut command = manager.program(&["get", "manager-info"]);
    let run = Run::of(command.env("NETMGR_PASSWORD", "common-services"));
    assert!(run.failure(5).contains("module_name [redacted])"), "{run:?}");
    assert!(!run.stderr.contains("common-services"), "{run:?}");
}

#[test]
fn more_verbosity_logs_how_lookups_share_requests_and_no_warnings_of_libraries() {
    let log = |verbose| {
        let run = netmgr(&[
            "--simulate",
            "get",
            "policy-group",
            "--display-name",
            "web-servers",
            verbose,
        ]);
        assert_eq!(run.code, 0, "{run:?}");
        run.stderr
    };
    let (once, twice) = (log("-v"), log("-vv"));
    for line in once.lines().chain(twice.lines()) {
        assert!(line.contains(" DEBUG "), "{line}");
    }
    assert!(!once.contains("netmgr_lookups::"), "{once}");
    assert!(twice.contains("netmgr_lookups::"), "{twice}");
}

#[test]
fn the_simulated_manager_inside_ignores_the_environment_and_refuses_another_address() {
    let demonstration = ["--simulate", "get", "manager-info", "-o", "json"];
    let mut command = program(demonstration);
    command.envs([("NETMGR_HOST", NOBODY), ("NETMGR_PASSWORD", "x")]);
    assert_eq!(Run::of(&mut command).answer()["version"], "9.1.1.0.25108400");
    for flag in ["--host", "--config", "--profile", "--password-file"] {
        let run = Run::of(program(demonstration).args([flag, NOBODY]));
        assert_eq!(
            run.failure(2),
            format!("error: {flag} has no effect with --simulate\n  hint: remove one of the two\n")
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn configured_licence_keys_are_added_when_the_manager_lacks_them() {
    let key = "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE";
    let manager = netmgr_sim::Simulator::builder().start().await.unwrap();
    for shown in ["added licence keys to the manager: 1\n", ""] {
        let mut command = program(["get", "manager-info", "-o", "json"]);
        command.envs(manager.env()).env("NETMGR_LICENSE_KEYS", key);
        let run = tokio::task::spawn_blocking(move || Run::of(&mut command))
            .await
            .unwrap();
        assert_eq!((run.code, run.stderr.as_str()), (0, shown));
    }
    assert!(manager.license_keys().contains(&key.to_owned()));
}
