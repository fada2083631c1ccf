//! `netmgr simulate`: its output, the effects of its options, and its end.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use crate::support::{INTERRUPT, Manager, Run, TERMINATE, assert_shown, netmgr, program};

#[test]
fn the_lines_point_a_client_in_a_shell_at_it() {
    let manager = Manager::start();
    let script = format!(
        "{}\n{} get manager-info -o json",
        manager.lines,
        env!("CARGO_BIN_EXE_netmgr")
    );
    let run = Run::of(Command::new("sh").env_clear().args(["-c", &script]));
    assert_eq!(run.answer()["version"], "9.1.1.0.25108400");
    let ca = manager.variable("NETMGR_CA_FILE").to_owned();
    assert_shown!("lines", manager.lines.replace(&ca, "[file]"));
}

#[test]
fn it_ends_on_ctrl_c_and_on_request_and_takes_its_file_along() {
    for signal in [INTERRUPT, TERMINATE] {
        let manager = Manager::start();
        let ca = manager.variable("NETMGR_CA_FILE").to_owned();
        assert!(Path::new(&ca).exists());
        assert_eq!(manager.end(signal), (0, String::new()));
        assert!(!Path::new(&ca).exists(), "{ca}");
    }
}

#[test]
fn it_ends_while_a_pipe_to_write_has_no_reader() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for option in ["--write-ca", "--request-log"] {
        let mut command = Command::new("timeout");
        command.args([
            "-k",
            "9",
            "1",
            env!("CARGO_BIN_EXE_netmgr"),
            "simulate",
            "--tls",
            option,
        ]);
        // It is not killed.
        assert_eq!(Run::of(command.arg(&pipe)).code, 124, "{option}");
    }
}

#[test]
fn without_tls_it_serves_plain_http() {
    let manager = Manager::serve(&[]);
    assert!(manager.variable("NETMGR_HOST").starts_with("http://127.0.0.1:"));
    assert!(!manager.lines.contains("NETMGR_CA"));
    assert_eq!(manager.get(&["manager-info"]).answer()["id"], "manager-info");
}

#[test]
fn the_certificate_of_its_authority_goes_where_it_is_asked_to_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let ca = folder.path().join("ca.pem");
    let manager = Manager::with(&["--write-ca", ca.to_str().unwrap()]);
    assert_eq!(manager.variable("NETMGR_CA_FILE"), ca.to_str().unwrap());
    manager.get(&["manager-info"]).answer();
    manager.end(INTERRUPT);
    assert!(
        fs::read_to_string(&ca)
            .unwrap()
            .starts_with("-----BEGIN CERTIFICATE-----")
    );
}

#[test]
fn objects_are_generated_and_the_same_seed_gives_the_same_ones() {
    let groups = |options: &[&str]| {
        let run = Manager::with(options).get(&["ns-groups"]);
        run.json()["items"].as_object().unwrap().clone()
    };
    let demonstration = groups(&[]);
    let generated = groups(&["--objects", "3000", "--seed", "7"]);
    assert!(generated.len() > demonstration.len() + 50, "{}", generated.len());
    assert!(demonstration.keys().all(|name| generated.contains_key(name)));
    assert_eq!(generated, groups(&["--objects", "3000", "--seed", "7"]));
    assert_ne!(generated, groups(&["--objects", "3000", "--seed", "8"]));
}

#[test]
fn objects_can_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("inventory.json");
    let file = file.to_str().unwrap();
    fs::write(
        file,
        r#"{"/infra/certificates": [{"id": "from-file", "display_name": "of the file"}]}"#,
    )
    .unwrap();
    let manager = Manager::with(&["--inventory", file]);
    let answer = manager
        .get(&["policy-certificate", "--display-name=of the file"])
        .answer();
    assert_eq!(answer["path"], "/infra/certificates/from-file");
    fs::write(file, r#"{"/infra/nothing": []"#).unwrap();
    let refused = netmgr(&["simulate", "--inventory", file]);
    assert_shown!("inventory_refused", refused.failure(2).replace(file, "[file]"));
}

#[test]
fn what_was_counted_is_printed_at_the_end() {
    let manager = Manager::with(&["--counters", "--http1-only"]);
    manager.get(&["ip-pool", "--display-name=nothing-like-it"]);
    let counted: serde_json::Value = serde_json::from_str(&manager.last_words()).unwrap();
    assert_eq!(counted["requests"]["GET /api/v1/pools/ip-pools"], 1);
    assert_eq!(
        (&counted["connections"], &counted["tlsHandshakes"]),
        (&1.into(), &1.into())
    );
    assert!(counted["bodyBytes"].as_u64() > Some(1000));
}

#[test]
fn the_limit_of_requests_can_be_set() {
    let manager = Manager::with(&["--requests-per-second", "1"]);
    // The login is the one request that is allowed.
    let run = manager.get(&["manager-info", "--max-retries=0"]);
    assert!(run.failure(7).contains("429 Too Many Requests"));
    let manager = Manager::with(&["--requests-per-second", "0", "--requests-in-flight", "0"]);
    manager.get(&["manager-info", "--max-retries=0"]).answer();
}

#[test]
fn searches_with_alternatives_can_be_refused() {
    for (option, status) in [
        (&[][..], "200 OK"),
        (&["--refuse-combined-searches"], "400 Bad Request"),
    ] {
        let manager = Manager::serve(option);
        let address = manager.variable("NETMGR_HOST").strip_prefix("http://").unwrap();
        let mut connection = TcpStream::connect(address).unwrap();
        let request = "GET /policy/api/v1/search/query?query=id:a%20OR%20id:b HTTP/1.1\r\nhost: m\r\n\
                       connection: close\r\nauthorization: Basic YWRtaW46RGVtbytQYXNzJTQx\r\n\r\n";
        connection.write_all(request.as_bytes()).unwrap();
        let mut reply = String::new();
        connection.read_to_string(&mut reply).unwrap();
        assert!(reply.starts_with(&format!("HTTP/1.1 {status}")), "{reply}");
    }
}

#[test]
fn every_answer_takes_the_latency_given() {
    let manager = Manager::with(&["--latency", "400"]);
    let at_once = manager.get(&["manager-info", "--deadline", "0.2"]);
    assert!(
        at_once.failure(8).contains("no usable response within 0.2 s"),
        "{at_once:?}"
    );
    manager.get(&["manager-info", "--deadline", "30"]).answer();
}

#[test]
fn a_fault_happens_as_often_as_it_says() {
    let manager = Manager::with(&[
        "--fault",
        "GET * status=503 count=2",
        "--fault",
        "GET /api/* reset count=1",
    ]);
    let get = |retries: &str| manager.get(&["manager-info", "--max-retries", retries]);
    assert!(get("0").failure(12).contains("503 Service Unavailable"));
    get("3").answer();
    get("0").answer();
}

#[test]
fn it_serves_a_global_manager_and_old_versions() {
    let global = Manager::with(&["--kind", "global"]);
    assert_eq!(global.variable("NETMGR_GLOBAL_MANAGER"), "true");
    let answer = global.get(&["policy-certificate", "--id=global-cert"]).answer();
    assert_eq!(answer["path"], "/global-infra/certificates/global-cert");
    let old = Manager::with(&["--manager-version", "3.2.1"]);
    assert_eq!(old.get(&["manager-info"]).answer()["version"], "3.2.1");
}

#[test]
fn options_that_make_no_sense_are_refused_with_what_would() {
    let mut messages = String::new();
    for option in [
        &["--fault", "GET status=503"][..],
        &["--fault", "GET /x stauts=503"],
        &["--fault", "GET /x"],
        &["--listen", "localhost:8443"],
        &["--listen", "127.0.0.1"],
        &["--write-ca", "ca.pem"],
        &["--latency", "1s"],
        &["--kind", "cloud"],
        &["--host", "m"],
        &["-o", "json"],
    ] {
        let run = Run::of(program(["simulate"]).args(option));
        messages.push_str(&format!(
            "$ netmgr simulate {}\n{}\n",
            option.join(" "),
            run.failure(2)
        ));
    }
    assert_shown!("refused_options", messages);
}

#[test]
fn an_address_that_other_machines_can_reach_is_a_warning() {
    for (address, warns) in [("0.0.0.0:0", true), ("127.0.0.1:0", false)] {
        let (_, errors) = Manager::with(&["--listen", address]).end(INTERRUPT);
        let warned = errors.contains("warning: other machines can reach");
        assert_eq!(warned, warns, "{errors}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let run = netmgr(&["simulate", "--tls", "--write-ca", "/dev/null/ca.pem"]);
    assert_shown!("unwritable", run.failure(1));
}

#[test]
fn a_script_reads_one_line_of_json_when_the_manager_is_ready() {
    let mut command = program(["simulate", "--tls", "--json", "--kind", "global"]);
    let mut process = command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(
        &mut std::io::BufReader::new(process.stdout.as_mut().unwrap()),
        &mut line,
    )
    .unwrap();
    let ready: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        (&ready["ready"], &ready["processId"]),
        (&true.into(), &process.id().into())
    );
    let port = ready["port"].as_u64().unwrap();
    assert_eq!(ready["url"], format!("https://127.0.0.1:{port}"));
    let environment = ready["environment"].as_object().unwrap();
    let variables = environment
        .iter()
        .map(|(name, value)| (name, value.as_str().unwrap()));
    let run = Run::of(program(["get", "manager-info", "-o", "json"]).envs(variables));
    assert_eq!(run.answer()["version"], "9.1.1.0.25108400");
    crate::support::signal(&process, INTERRUPT);
    assert_eq!(process.wait().unwrap().code(), Some(0));
}

#[test]
fn only_the_objects_of_the_files_are_served() {
    let folder = tempfile::tempdir().unwrap();
    let (yaml, json) = (folder.path().join("a.yaml"), folder.path().join("b.json"));
    fs::write(&yaml, "/api/v1/ns-groups:\n  - {id: g-1, display_name: blue}\n").unwrap();
    fs::write(
        &json,
        r#"{"/api/v1/ns-groups": [{"id": "g-2", "display_name": "red"}]}"#,
    )
    .unwrap();
    let files = [yaml.to_str().unwrap(), json.to_str().unwrap()];
    let manager = Manager::with(&["--no-demo", "--inventory", files[0], "--inventory", files[1]]);
    let groups = manager.get(&["ns-groups"]).answer();
    assert_eq!(
        groups["items"],
        serde_json::json!({ "blue": "g-1", "red": "g-2" })
    );
}

#[test]
fn an_error_of_an_inventory_names_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("inventory.yaml");
    let mut messages = String::new();
    for text in [
        "/infra/certificates:\n  - id: [web\n",
        "/infra/certificate:\n  - id: web\n",
        "/infra/certificates:\n  - id: web\n  - id: a/b\n",
        "/infra/certificates:\n  - {id: web, displayName: web}\n",
        "{\"/infra/certificates\": [\n{\"id\": \"web\", \"id\": \"mail\"}]}\n",
    ] {
        fs::write(&file, text).unwrap();
        let run = netmgr(&["simulate", "--inventory", file.to_str().unwrap()]);
        messages.push_str(&format!("{text}---\n{}\n", run.failure(2)));
    }
    assert_shown!(
        "inventory_places",
        messages.replace(file.to_str().unwrap(), "[file]")
    );
}

#[test]
fn a_version_is_a_version() {
    for text in ["abc", "9.x", "1e3", "4..2", "3.2.1-beta"] {
        let run = netmgr(&["simulate", "--manager-version", text]);
        assert!(run.failure(2).contains("is not a version"), "{run:?}");
    }
}

#[test]
fn each_request_is_a_line_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("requests.ndjson");
    let manager = Manager::with(&[
        "--request-log",
        log.to_str().unwrap(),
        "--fault",
        "GET /api/v1/node/version status=503 count=1",
    ]);
    manager.get(&["manager-info"]).answer();
    manager.end(INTERRUPT);
    let text = fs::read_to_string(&log).unwrap();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let facts: Vec<_> = lines
        .iter()
        .map(|line| {
            (
                line["path"].as_str().unwrap(),
                line["status"].as_u64(),
                line["fault"] == true,
            )
        })
        .collect();
    assert_eq!(
        facts,
        [
            ("/api/session/create", Some(200), false),
            ("/api/v1/node/version", Some(503), true),
            ("/api/v1/node/version", Some(200), false),
            ("/api/session/destroy", Some(200), false),
        ]
    );
    assert!(
        lines[2]["bytes"].as_u64() > Some(10) && lines[2]["milliseconds"].is_number(),
        "{text}"
    );
    // Passwords are part of bodies, which are not logged.
    assert!(!text.contains("Demo"), "{text}");
    let refused = netmgr(&["simulate", "--request-log", "/dev/null/log"]);
    assert!(
        refused
            .failure(2)
            .contains("cannot write the request log /dev/null/log"),
        "{refused:?}"
    );
}

#[test]
fn the_faults_of_the_documentation_are_accepted() {
    let page = include_str!("../../../../docs/simulator.md");
    let examples = page
        .lines()
        .filter_map(|line| line.strip_prefix("    netmgr simulate --fault "));
    let mut count = 0;
    for example in examples {
        let fault = shlex::split(example).unwrap();
        let manager = Manager::with(
            &[
                &["--fault"],
                &fault.iter().map(String::as_str).collect::<Vec<_>>()[..],
            ]
            .concat(),
        );
        assert_eq!(manager.end(INTERRUPT).0, 0, "{example}");
        count += 1;
    }
    assert!(count >= 4, "{count}");
}

#[test]
fn the_inventory_of_the_documentation_is_accepted() {
    let page = include_str!("../../../../docs/simulator.md");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("example.yaml");
    let (_, block) = page.split_once("```yaml\n").unwrap();
    fs::write(&file, block.split("```").next().unwrap()).unwrap();
    let manager = Manager::with(&["--inventory", file.to_str().unwrap()]);
    assert_eq!(manager.end(INTERRUPT).0, 0, "{block}");
}

#[test]
fn the_command_of_the_container_serves_a_manager() {
    let file = include_str!("../../../../containers/simulator/Containerfile");
    let entry = file
        .lines()
        .find_map(|line| line.strip_prefix("ENTRYPOINT "))
        .unwrap();
    let words: Vec<String> = serde_json::from_str(entry).unwrap();
    assert_eq!(words[..2], ["/usr/local/bin/netmgr", "simulate"]);
    let options = words[2..]
        .iter()
        .map(|word| word.replace("0.0.0.0:8443", "127.0.0.1:0"));
    let options: Vec<String> = options.collect();
    let manager = Manager::serve(&options.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(manager.lines.starts_with("{\"address\":"), "{}", manager.lines);
    assert_eq!(manager.end(TERMINATE).0, 0);
}

#[test]
fn the_image_contains_a_build_with_the_simulator() {
    let file = include_str!("../../../../containers/simulator/Containerfile");
    let build = file
        .lines()
        .find(|line| line.starts_with("RUN cargo build"))
        .unwrap();
    for option in ["--release", "--features simulator,yaml"] {
        assert!(build.contains(option), "{option}: {build}");
    }
    assert!(
        file.contains("COPY --from=build /workspace/target/release/netmgr "),
        "{file}"
    );
}

#[test]
fn more_objects_than_a_machine_has_memory_for_are_rejected() {
    let run = netmgr(&["simulate", "--objects", "1000001"]);
    assert_eq!(
        run.failure(2),
        "error: invalid value '1000001' for '--objects <N>': must be at most 1000000\n  hint: `--help` describes the \
         options\n"
    );
}
