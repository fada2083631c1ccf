//! `netmgr doctor`: its lines for a healthy manager and for each kind of trouble.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::Command;

use serde_json::Value;

use crate::support::{Manager, Run, VARYING, closed_port, program};
use crate::terminal::Terminal;

/// Compares lines with a snapshot, except parts that differ between runs and machines.
macro_rules! assert_lines {
    ($name:expr, $text:expr) => {{
        let mut filters = VARYING.to_vec();
        filters.push((r"\b\d+ ms\b", "[n] ms"));
        filters.push((r"\(os error \d+\)", "(os error [n])"));
        filters.push((r"(?m)^ +[0-9A-F:]{2,}$", "                       [thumbprint]"));
        insta::with_settings!({ filters => filters, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        })
    }};
}

fn doctor(manager: &Manager) -> Command {
    manager.program(&["doctor"])
}

/// The document of `-o json`, of a run that ends with `code`.
#[track_caller]
fn document(command: &mut Command, code: i32) -> Value {
    let run = Run::of(command.args(["-o", "json"]));
    assert_eq!((run.code, run.stderr.as_str()), (code, ""), "{run:?}");
    let document = run.json();
    assert_eq!(document["exitCode"], code);
    document
}

/// Status, summary and action of a check.
fn found(document: &Value, check: &str) -> (String, String, String) {
    let found = of_check(document, check);
    let text = |name: &str| found[name].as_str().unwrap_or_default().to_owned();
    (text("status"), text("summary"), text("action"))
}

fn details<'a>(document: &'a Value, check: &str) -> &'a Value {
    &of_check(document, check)["details"]
}

fn of_check<'a>(document: &'a Value, check: &str) -> &'a Value {
    let checks = document["checks"].as_array().unwrap();
    checks.iter().find(|found| found["check"] == check).unwrap()
}

#[test]
fn a_healthy_manager_is_ok_line_by_line() {
    let manager = Manager::with(&["--counters"]);
    let run = Run::of(&mut doctor(&manager));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    assert_lines!("healthy", run.stdout);
    let counted: Value = serde_json::from_str(&manager.last_words()).unwrap();
    assert_eq!(counted["logins"], 1);
    assert_eq!(counted["sessionsDestroyed"], 1);
    assert_eq!(counted["writes"], 0);
}

#[test]
fn the_document_has_every_check() {
    let document = document(&mut doctor(&Manager::start()), 0);
    assert_eq!(document["status"], "ok");
    assert_eq!(document["notChecked"].as_array().unwrap().len(), 0);
    let checks = document["checks"].as_array().unwrap().iter();
    let names: Vec<_> = checks.map(|check| check["check"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "settings",
            "nameResolution",
            "tcp",
            "tls",
            "login",
            "clock",
            "version",
            "role",
            "rateLimits",
            "searchIndex"
        ]
    );
    let chain = &document["checks"][3]["details"]["chain"][0];
    assert_eq!(chain["subject"], "CN=Simulated manager");
    assert_eq!(chain["notAfter"], "4096-01-01T00:00:00Z");
    assert_eq!(chain["sha256"].as_str().unwrap().split(':').count(), 32);
}

#[test]
fn each_check_is_a_row_of_csv_and_ndjson() {
    // Several runs within a second exceed the usual limit.
    let manager = Manager::with(&["--requests-per-second", "0"]);
    let run = Run::of(doctor(&manager).args(["-o", "csv"]));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!((lines[0], lines.len()), ("check,status,summary,action", 11));
    assert!(lines[6].starts_with("clock,ok,"), "{run:?}");
    let run = Run::of(doctor(&manager).args(["-o", "name"]));
    assert!(
        run.stdout.starts_with("settings\nnameResolution\ntcp\n"),
        "{run:?}"
    );
    let run = Run::of(doctor(&manager).args(["-o", "ndjson", "--query", ".status"]));
    assert_eq!((run.code, run.stdout), (0, "\"ok\"\n".repeat(10)));
}

#[test]
fn a_wrong_password_is_sent_once() {
    for mode in ["--session-auth=true", "--session-auth=false"] {
        let manager = Manager::with(&["--counters"]);
        let mut command = doctor(&manager);
        command.env("NETMGR_PASSWORD", "wrong").arg(mode);
        let run = Run::of(&mut command);
        assert_eq!(run.code, 5, "{run:?}");
        assert!(!format!("{run:?}").contains("wrong\""), "{run:?}");
        if mode == "--session-auth=true" {
            assert_lines!("wrong_password", run.stdout);
        }
        let counted: Value = serde_json::from_str(&manager.last_words()).unwrap();
        assert_eq!(counted["failedLogins"], 1, "{mode}");
    }
}

#[test]
fn sessions_that_are_refused_end_the_reads() {
    let manager = Manager::with(&["--counters", "--fault", "GET /policy/* status=401"]);
    let run = Run::of(&mut doctor(&manager));
    assert_ne!(run.code, 0, "{run:?}");
    let counted: Value = serde_json::from_str(&manager.last_words()).unwrap();
    let logins = counted["logins"].as_u64().unwrap();
    assert!((2..20).contains(&logins), "{logins}");
}

#[test]
fn reads_that_hang_are_not_waited_for_one_after_the_other() {
    let manager = Manager::with(&["--counters", "--fault", "GET /policy/* delay=60s"]);
    let run = Run::of(doctor(&manager).args(["--deadline", "1", "--max-retries", "0"]));
    assert_ne!(run.code, 0, "{run:?}");
    let counted: Value = serde_json::from_str(&manager.last_words()).unwrap();
    let requests = counted["requests"].as_object().unwrap().values();
    let requests: u64 = requests.filter_map(Value::as_u64).sum();
    assert!(requests < 60, "{counted}");
}

#[test]
fn an_unknown_authority_is_shown_with_its_certificate() {
    let manager = Manager::start();
    let run = Run::of(doctor(&manager).env_remove("NETMGR_CA_FILE"));
    assert_eq!(run.code, 6, "{run:?}");
    assert_lines!("unknown_authority", run.stdout);
}

#[test]
fn a_certificate_that_is_not_verified_is_a_warning() {
    let manager = Manager::start();
    let mut command = doctor(&manager);
    command.env_remove("NETMGR_CA_FILE").arg("--allow-unverified-ssl");
    let document = document(&mut command, 0);
    let (status, summary, action) = found(&document, "tls");
    assert_eq!(status, "warn");
    assert_eq!(
        summary,
        "TLS 1.3, but `--allow-unverified-ssl` accepts any certificate"
    );
    assert!(action.contains("remove `--allow-unverified-ssl`"), "{action}");
}

#[test]
fn a_name_that_does_not_exist_and_a_closed_port_are_6() {
    let unknown = ["doctor", "--host", "nothing.invalid", "--username", "admin"];
    let mut command = program(unknown);
    let document = document(command.env("NETMGR_PASSWORD", "x"), 6);
    assert_eq!(found(&document, "nameResolution").0, "fail");
    assert_eq!(document["notChecked"][0], "tcp");

    let (_closed, address) = closed_port();
    let mut command = program(["doctor", "--host", &address, "--username", "admin"]);
    let run = Run::of(command.env("NETMGR_PASSWORD", "x"));
    assert_eq!(run.code, 6, "{run:?}");
    assert_lines!("refused", run.stdout);
}

#[test]
fn an_unanswered_handshake_ends_after_the_deadline() {
    // Accepts connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap().to_string();
    let arguments = ["doctor", "--host", &address, "--username=admin", "--deadline=2"];
    let document = document(program(arguments).env("NETMGR_PASSWORD", "x"), 6);
    let (status, summary, _) = found(&document, "tls");
    assert_eq!(
        (status.as_str(), summary.as_str()),
        ("fail", "no response within 2 s")
    );
}

#[test]
fn a_clock_that_differs_is_a_warning() {
    let manager = Manager::with(&["--fault", "GET * date=Tue,_01_Jul_2025_12:00:00_GMT header=x-y:z"]);
    let document = document(&mut doctor(&manager), 0);
    let (status, summary, action) = found(&document, "clock");
    assert_eq!(status, "warn", "{document}");
    assert!(summary.ends_with(" s behind this machine"), "{summary}");
    assert!(action.starts_with("synchronize both"), "{action}");
    assert_eq!(document["status"], "warn");
}

#[test]
fn an_old_version_excludes_functions() {
    let manager = Manager::with(&["--manager-version", "4.2.1"]);
    let run = Run::of(&mut doctor(&manager));
    assert_eq!(run.code, 0, "{run:?}");
    assert_lines!("old_version", run.stdout);
}

#[test]
fn a_healthy_global_manager_has_no_warning() {
    let manager = Manager::with(&["--kind", "global"]);
    let report = document(&mut doctor(&manager), 0);
    let checks = report["checks"].as_array().unwrap();
    assert!(checks.iter().all(|check| check["status"] == "ok"), "{report}");
}

#[test]
fn a_role_that_reads_some_objects_is_a_warning_and_one_that_reads_none_is_10() {
    let denied = |path: &str| format!("GET {path} status=403 code=401 message=Account_admin_lacks_read");
    let manager = Manager::with(&["--fault", &denied("/api/v1/pools/*")]);
    let some = document(&mut doctor(&manager), 0);
    let (status, summary, action) = found(&some, "role");
    assert_eq!(status, "warn");
    let role = details(&some, "role");
    let kinds = |of: &str| role[of].as_array().unwrap().len();
    assert_eq!(kinds("denied"), 2, "{role}");
    let (read, all) = (kinds("readable"), kinds("readable") + 2);
    assert_eq!(summary, format!("can read {read} of {all} object types"));
    assert!(action.starts_with("grant the account a role"), "{action}");

    let all = [
        "/policy/*",
        "/api/v1/pools/*",
        "/api/v1/fabric/*",
        "/api/v1/cluster/nodes*",
        "/api/v1/edge-clusters*",
        "/api/v1/failure-domains*",
        "/api/v1/firewall/*",
        "/api/v1/logical-routers*",
        "/api/v1/ns-*",
        "/api/v1/switching-profiles*",
        "/api/v1/transport-*",
        "/api/v1/trust-management/*",
        "/api/v1/upgrade/*",
    ];
    let faults: Vec<String> = all.iter().map(|path| denied(path)).collect();
    let options: Vec<&str> = faults.iter().flat_map(|fault| ["--fault", fault]).collect();
    let manager = Manager::with(&options);
    let none = document(&mut doctor(&manager), 10);
    assert_eq!(found(&none, "role").0, "fail");

    // The first fault that matches applies.
    let failing = ["--fault", "GET /api/v1/upgrade/* status=500"];
    let manager = Manager::with(&[&failing[..], &options].concat());
    let run = Run::of(&mut doctor(&manager));
    assert_eq!(run.code, 10, "{run:?}");
    let (_, role) = run
        .stdout
        .split_once("fail  role             cannot read any object types\n")
        .unwrap();
    let lines: Vec<&str> = role.lines().map(str::trim).collect();
    assert!(lines[0].starts_with("not permitted: certificate, "), "{run:?}");
    assert!(lines[1].starts_with("edge-upgrade-group: "), "{run:?}");
}

#[test]
fn limits_below_those_of_the_program_are_a_warning() {
    let manager = Manager::with(&["--requests-in-flight", "20"]);
    let document = document(&mut doctor(&manager), 0);
    let (status, summary, _) = found(&document, "rateLimits");
    assert_eq!(status, "warn");
    assert_eq!(
        summary,
        "100 requests per second, 20 concurrent; netmgr sends up to 90 and 32"
    );
}

#[test]
fn a_search_index_that_is_rebuilt_is_a_failure_and_one_type_a_warning() {
    let manager = Manager::with(&["--fault", "GET /policy/api/v1/search/query status=400 code=60508"]);
    let all = document(&mut doctor(&manager), 12);
    let (status, _, action) = found(&all, "searchIndex");
    assert_eq!(status, "fail", "{all}");
    assert!(action.contains("index"), "{action}");
}

#[test]
fn a_low_limit_of_requests_is_a_warning_and_no_other_trouble() {
    let manager = Manager::with(&["--requests-per-second", "16"]);
    let document = document(&mut doctor(&manager), 0);
    assert_eq!(found(&document, "rateLimits").0, "warn");
    for check in ["role", "searchIndex"] {
        assert_eq!(found(&document, check).0, "ok", "{document}");
    }
}

#[test]
fn a_page_of_a_proxy_is_no_answer_of_the_index() {
    let manager = Manager::with(&["--fault", "GET /policy/api/v1/search/query status=200 body=html"]);
    let document = document(&mut doctor(&manager), 1);
    assert_eq!(found(&document, "searchIndex").0, "fail", "{document}");
}

#[test]
fn a_server_that_knows_no_path_has_none_of_the_objects() {
    let faults = ["/policy/*", "/api/v1/*"].map(|path| format!("GET {path} status=404 body=html"));
    let options: Vec<&str> = faults.iter().flat_map(|fault| ["--fault", fault]).collect();
    let manager = Manager::with(&options);
    let document = document(&mut doctor(&manager), 3);
    let (status, summary, _) = found(&document, "role");
    assert_eq!(
        (status.as_str(), summary.as_str()),
        ("fail", "this server has no objects of a manager")
    );
}

#[test]
fn another_product_is_doubted_before_its_sessions() {
    let manager = Manager::with(&["--fault", "POST /api/session/create status=404 body=html"]);
    let document = document(&mut doctor(&manager), 1);
    let (status, _, action) = found(&document, "login");
    assert_eq!(status, "fail", "{document}");
    let run = Run::of(&mut manager.program(&["get", "policy-group", "x"]));
    let (_, hint) = run.failure(1).split_once("hint: ").unwrap();
    for advice in [action.as_str(), hint] {
        assert!(
            advice.starts_with("host may refer to another product"),
            "{advice}"
        );
    }
}

#[test]
fn a_redirect_to_a_login_page_is_no_address_for_host() {
    let manager = Manager::with(&["--fault", "GET /policy/* status=302 header=location:/signin"]);
    for command in [&["get", "policy-group", "x"][..], &["list", "policy-groups"]] {
        let run = Run::of(&mut manager.program(command));
        let error = run.failure(1);
        assert!(error.contains("redirected to /signin"), "{error}");
        assert!(
            error.contains("hint: redirects usually lead to a login page"),
            "{error}"
        );
        assert!(!error.contains("set host to"), "{error}");
    }
}

/// A command for a manager behind the proxy in `variable`.
fn behind(arguments: &[&str], variable: &str, proxy: &str) -> Command {
    let mut command = program(["--host", "manager.invalid", "--username", "a"]);
    command
        .args(arguments)
        .env("NETMGR_PASSWORD", "b")
        .env(variable, proxy);
    command
}

/// The address of a proxy that sends `answer` and ends the connection.
fn proxy(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for mut connection in listener.incoming().map(Result::unwrap) {
            let mut request = [0; 1024];
            let _ = connection.read(&mut request);
            let _ = connection.write_all(answer.as_bytes());
        }
    });
    address
}

#[test]
fn through_a_proxy_with_tls_the_login_checks_the_manager() {
    let address = format!("https://{}", proxy(""));
    let document = document(&mut behind(&["doctor"], "HTTPS_PROXY", &address), 6);
    assert_eq!(found(&document, "tcp").0, "ok", "{document}");
    let (status, summary, _) = found(&document, "tls");
    assert_eq!(status, "ok");
    let hidden = format!("not shown behind the proxy {address} (HTTPS_PROXY)");
    assert!(summary.starts_with(&hidden), "{summary}");
    let (status, summary, _) = found(&document, "login");
    assert_eq!(status, "fail", "{document}");
    assert!(summary.contains(&address), "{summary}");
}

#[test]
fn a_proxy_variable_that_cannot_be_used_is_2_and_no_direct_connection() {
    let get = ["get", "policy-segment", "x", "--max-retries=0"];
    for (variable, value) in [
        ("HTTPS_PROXY", "http://me:a b/c@proxy.example:3128"),
        ("https_proxy", "htp://proxy.example:3128"),
        ("ALL_PROXY", "http://my proxy.example:3128"),
        ("all_proxy", "http://127.0.0.1:99999"),
        ("HTTPS_PROXY", "http://me:a/c@proxy.example:3128"),
        ("ALL_PROXY", "socks5://proxy.example:1080"),
    ] {
        let run = Run::of(&mut behind(&get, variable, value));
        let error = run.failure(2);
        assert!(error.starts_with(&format!("error: `{variable}`: ")), "{run:?}");
        assert!(!error.contains(value) && !error.contains("me:"), "{run:?}");
        let document = document(&mut behind(&["doctor"], variable, value), 2);
        let (status, summary, action) = found(&document, "settings");
        assert_eq!(status, "fail", "{document}");
        assert!(summary.starts_with(&format!("`{variable}`: ")), "{summary}");
        assert!(action.contains("NO_PROXY"), "{action}");
        // The host that needs no proxy is resolved.
        let run = Run::of(behind(&get, variable, value).env("NO_PROXY", "manager.invalid"));
        assert!(run.failure(6).contains("cannot be resolved"), "{run:?}");
    }
    // A variable that is not used.
    for (variable, other) in [("HTTP_PROXY", "http_proxy"), ("ALL_PROXY", "HTTPS_PROXY")] {
        let mut command = behind(&get, variable, "htp://x");
        let address = format!("http://{}", proxy(""));
        let run = Run::of(command.env(other, address));
        assert_eq!(run.code, 6, "{run:?}");
    }
}

#[test]
fn a_proxy_that_does_not_connect_is_named_by_each_command() {
    let (_closed, closed) = closed_port();
    let closed = closed.trim_start_matches("https://").to_owned();
    for (address, reason) in [
        (closed, "connection refused"),
        (proxy(""), "closed"),
        (
            proxy("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"),
            "user name and password",
        ),
        (
            proxy("HTTP/1.1 403 Forbidden\r\n\r\n"),
            "it refused to connect to the manager",
        ),
        (proxy("SSH-2.0-OpenSSH_9.9\r\n"), "the server is not a proxy"),
        // It answers every request itself.
        (proxy("HTTP/1.1 200 OK\r\n\r\n<html>"), "closed"),
    ] {
        let value = format!("http://me:hunter2@{address}");
        let named = format!("proxy http://{address} (HTTPS_PROXY)");
        let get = ["get", "policy-segment", "x", "--max-retries=0"];
        let run = Run::of(&mut behind(&get, "HTTPS_PROXY", &value));
        let error = run.failure(6);
        assert!(error.contains(&named) && error.contains(reason), "{run:?}");
        let checked = Run::of(&mut behind(&["doctor"], "HTTPS_PROXY", &value));
        assert_eq!(checked.code, 6, "{checked:?}");
        assert!(checked.stdout.contains(&named), "{checked:?}");
        assert!(
            !format!("{run:?}{checked:?}").contains("hunter2"),
            "{run:?}{checked:?}"
        );
    }
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    let get = ["get", "policy-segment", "x", "--deadline=1"];
    // An empty variable counts as unset.
    let run = Run::of(behind(&get, "https_proxy", &address).env("HTTPS_PROXY", ""));
    let named = format!("proxy {address} (https_proxy)");
    assert!(run.failure(8).contains(&named), "{run:?}");
}

#[test]
fn an_asterisk_or_a_port_in_no_proxy_excludes_addresses() {
    let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
    proxy.set_nonblocking(true).unwrap();
    let (_closed, closed) = closed_port();
    // An address of this machine that is not the loopback address.
    let host = closed.replace("127.0.0.1", "0.0.0.0");
    let with_port = format!("0.0.0.0:{}", host.rsplit_once(':').unwrap().1);
    for excluded in ["*", "mgr.example.com, *", &with_port] {
        let get = ["get", "policy-segment", "x", "--max-retries=0", "--username=a"];
        let run = Run::of(
            program(get)
                .args(["--host", &host])
                .env("NETMGR_PASSWORD", "b")
                .env("HTTPS_PROXY", format!("http://{}", proxy.local_addr().unwrap()))
                .env("NO_PROXY", excluded),
        );
        assert!(!run.failure(6).contains("proxy"), "{run:?}");
        assert!(proxy.accept().is_err(), "{excluded}");
    }
}

#[test]
fn a_manager_that_fails_after_the_login_fails_at_the_version() {
    let manager = Manager::with(&["--fault", "GET /api/v1/node/version status=503"]);
    let document = document(&mut doctor(&manager), 12);
    assert_eq!(found(&document, "login").0, "ok");
    assert_eq!(found(&document, "version").0, "fail");
}

#[test]
fn a_global_manager_has_other_functions() {
    let manager = Manager::with(&["--kind", "global"]);
    let document = document(&mut doctor(&manager), 0);
    let (_, summary, _) = found(&document, "settings");
    assert!(summary.contains("global manager"), "{summary}");
    let (status, summary, _) = found(&document, "version");
    assert_eq!(status, "ok");
    let all = format!(" of {} functions", netmgr_lookups::ALL.len());
    assert!(summary.ends_with(&all), "{summary}");
}

#[test]
fn lines_fit_the_terminal_and_the_status_has_a_colour() {
    let manager = Manager::start();
    let mut command = doctor(&manager);
    let ended = Terminal::run(&command, 64).end();
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.output.contains("\x1b[32mok"), "{}", ended.output);
    // The status line names each type while it is read.
    assert!(
        ended.output.contains("reading policy-segment\r\x1b"),
        "{}",
        ended.output
    );
    assert!(!ended.screen.contains("reading"), "{}", ended.screen);
    command.env("TERM", "dumb");
    let ended = Terminal::run(&command, 64).end();
    let text = anstream::adapter::strip_str(&ended.output).to_string();
    for row in text.lines() {
        // A word that is longer than a line, such as a thumbprint, is not split.
        assert!(
            row.chars().count() <= 64 || !row.trim_start().contains(' '),
            "{row}"
        );
    }
    assert_lines!("narrow", text);
    let plain = Terminal::run(doctor(&manager).env("NO_COLOR", "1"), 200).end();
    assert!(!plain.output.contains("\x1b[3"), "{}", plain.output);
}

#[test]
fn ctrl_c_ends_it() {
    let manager = Manager::with(&["--latency", "600000"]);
    let mut terminal = Terminal::run(&doctor(&manager), 200);
    terminal.wait_for("trusted certificate");
    terminal.ctrl_c();
    assert_eq!(terminal.end().code, 130);
}

#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    let manager = Manager::start();
    let mut shell = Command::new("sh");
    let script = format!("{} doctor | head -n 1", env!("CARGO_BIN_EXE_netmgr"));
    let run = Run::of(
        shell
            .env_clear()
            .envs(manager.environment())
            .env("PATH", "/usr/bin:/bin")
            .args(["-c", &script]),
    );
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    assert_eq!(run.stdout.lines().count(), 1);
}
