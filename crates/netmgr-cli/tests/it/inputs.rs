//! How functions are named, how inputs are given, and how results are printed.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{INTERRUPT, Manager, Run, TERMINATE, assert_shown, netmgr, program, signal};

const ID: &str = "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0010";

#[test]
fn a_function_answers_to_four_spellings() {
    let manager = Manager::start();
    for function in [
        "policy-edge-cluster",
        "policy_edge_cluster",
        "getPolicyEdgeCluster",
        "netmgr:index/getPolicyEdgeCluster:getPolicyEdgeCluster",
    ] {
        let answer = manager.get(&[function, "--display-name", "edge"]).answer();
        assert_eq!(answer["id"], ID, "{function}");
    }
}

#[test]
fn an_input_comes_from_flags_from_text_from_a_file_and_from_standard_input() {
    let manager = Manager::start();
    let input = json!({ "displayName": "edge", "sitePath": "/infra/sites/default" }).to_string();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(input.as_bytes()).unwrap();
    let at_file = format!("@{}", file.path().display());

    let ask = |arguments: &[&str]| manager.get(&[&["policy-edge-cluster"], arguments].concat());
    let expected = ask(&["--display-name=edge", "--site-path", "/infra/sites/default"]).answer();
    assert_eq!(expected["sitePath"], "/infra/sites/default");
    assert_eq!(ask(&["--input", &input]).answer(), expected);
    assert_eq!(ask(&["--input", &at_file]).answer(), expected);
    let mut piped = manager.program(&["get", "policy-edge-cluster", "--input", "-", "-o", "json"]);
    assert_eq!(Run::with_input(&mut piped, &input).answer(), expected);
}

#[test]
fn an_input_that_is_no_object_is_refused_by_where_it_came_from() {
    let manager = Manager::start();
    let mut shown = String::new();
    for input in ["[1]", "{id: 1}", "@/nonexistent/input.json"] {
        let run = manager.get(&["manager-info", "--input", input]);
        shown.push_str(run.failure(2));
    }
    let mut piped = manager.program(&["get", "manager-info", "--input", "-"]);
    shown.push_str(Run::with_input(&mut piped, "").failure(2));
    assert_shown!("no_object", shown);
}

#[test]
fn a_path_that_is_no_policy_path_is_refused_by_flag_before_any_request() {
    for (arguments, flag) in [
        (
            &[
                "get",
                "policy-realization-info",
                "--timeout=2",
                "--path=/infra/../segments/lab",
            ][..],
            "--path",
        ),
        (
            &[
                "get",
                "policy-gateway-locale-service",
                "--gateway-path=/infra/../tier-0s/edge",
            ],
            "--gateway-path",
        ),
        (
            &[
                "get",
                "policy-edge-cluster",
                "cl-1",
                "--site-path=//sites/default",
            ],
            "--site-path",
        ),
        (
            &[
                "get",
                "policy-edge-node",
                "a",
                "--edge-cluster-path=/infra/edge-clusters/cl-1 ",
            ],
            "--edge-cluster-path",
        ),
        (&["get", "object", "/infra/./segments/lab"], "--path"),
        (&["find", "--below=/infra/segments/lab?a=b"], "--below"),
        (&["references", "/infra/segments//lab"], "`<PATH>`"),
        (
            &[
                "list",
                "policy-gateway-interface",
                "--gateway-path=/infra/tier-0s/a#b",
            ],
            "--gateway-path",
        ),
        (&["list", "policy-group", "--domain=.."], "--domain"),
    ] {
        // Nothing listens on this port.
        let login = ["--host=http://127.0.0.1:1", "--username=a"];
        let mut command = program([arguments, &login].concat());
        let run = Run::of(command.env("NETMGR_PASSWORD", "a"));
        assert!(run.failure(2).contains(flag), "{run:?}");
    }
}

#[test]
fn a_key_that_an_input_has_twice_is_refused_with_its_position() {
    let manager = Manager::start();
    for (input, error) in [
        (
            r#"{"displayName": "a", "displayName": "b"}"#,
            "\"displayName\" appears twice at line 1 column 34",
        ),
        (
            r#"{"context": {"projectId": "a", "projectId": "b"}}"#,
            "\"projectId\" appears twice at line 1 column 42",
        ),
    ] {
        let run = manager.get(&["policy-certificate", "--input", input]);
        assert!(run.failure(2).contains(error), "{run:?}");
    }
}

#[test]
fn an_answer_is_a_table_json_or_yaml() {
    let manager = Manager::start();
    let mut shown = String::new();
    for format in ["table", "json", "yaml"] {
        let arguments = ["get", "policy-certificate", "--id=lb-cert-web", "-o", format];
        let context = ["--context-project-id", "dev"];
        let run = Run::of(manager.program(&arguments).args(context));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
        shown.push_str(&format!("{format}\n{}\n", run.stdout));
    }
    assert_shown!("formats", shown);
}

#[test]
fn warnings_stay_out_of_the_answer() {
    let manager = Manager::start();
    let run = manager.get(&["edge-cluster", "--id", ID, "--display-name", "Edge"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.json()["displayName"], "edge");
    assert_shown!("warning", run.stderr);
}

#[test]
fn a_reader_that_went_away_is_no_failure() {
    let manager = Manager::start();
    for arguments in [&["types"][..], &["list", "policy-service"]] {
        let mut command = manager.program(arguments);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn the_demonstration_of_the_readme_needs_nothing_but_the_program() {
    let arguments = [
        "--simulate",
        "get",
        "policy-edge-cluster",
        "--display-name",
        "edge",
    ];
    let run = netmgr(&arguments);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    assert_shown!("demonstration", run.stdout);
    let json: Value = netmgr(&[&arguments[..], &["-o", "json"]].concat()).answer();
    assert_eq!(json["id"], ID);
}

#[test]
fn statistics_go_to_standard_error_beside_the_answer() {
    let run = Manager::start().get(&["policy-ip-pool", "--display-name", "pool-tep", "--stats"]);
    assert_eq!(run.code, 0);
    let line = run.stderr.trim();
    let expected = "statistics: lookups 1, shared reads 0, requests 3, retries 0, pages 1, bytes ";
    assert!(
        line.starts_with(expected) && line.contains(", seconds 0."),
        "{line}"
    );
}

#[cfg(unix)]
#[test]
fn what_is_not_utf_8_is_named_and_not_shown() {
    use std::os::unix::ffi::OsStrExt as _;

    let bytes = std::ffi::OsStr::from_bytes(b"hunter2-caf\xe9");
    let mut command = crate::support::program(["--simulate", "get", "ip-pool", "--display-name"]);
    let run = Run::of(command.arg(bytes));
    assert_eq!(
        run.failure(2),
        "error: an argument is not UTF-8\n  \
         caused by: argument 5 after --display-name: incomplete utf-8 byte sequence from index 11\n  \
         hint: use a UTF-8 terminal and shell; only file names may contain other bytes\n"
    );
    let manager = Manager::start();
    for variable in ["NETMGR_PASSWORD", "NETMGR_HOST", "NETMGR_PROFILE"] {
        let mut command = manager.program(&["get", "manager-info"]);
        let run = Run::of(command.env(variable, bytes));
        let report = run.failure(2);
        assert!(
            report.starts_with(&format!(
                "error: the environment variable {variable} cannot be used\n"
            )),
            "{report}"
        );
        assert!(
            report.contains("not UTF-8") && !report.contains("hunter2"),
            "{report}"
        );
    }
}

#[test]
fn yaml_means_the_same_to_readers_of_yaml_1_1() {
    let query = r#"{a: "2024-01-02", b: "=", c: "12:30:45"}, {"2024-01-02": 1}"#;
    let run = netmgr(&[
        "--simulate",
        "get",
        "manager-info",
        "-o",
        "yaml",
        "--query",
        query,
    ]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    assert_eq!(
        run.stdout,
        "---\na: \"2024-01-02\"\nb: \"=\"\nc: \"12:30:45\"\n---\n\"2024-01-02\": 1\n"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_inventory_may_have_a_byte_order_mark() {
    let mut file = tempfile::NamedTempFile::with_suffix(".json").unwrap();
    let pools = json!({ "/api/v1/pools/ip-pools": [{ "id": "p", "display_name": "marked" }] });
    write!(file, "\u{feff}{pools}").unwrap();
    let manager = Manager::with(&["--inventory", file.path().to_str().unwrap()]);
    assert_eq!(
        manager.get(&["ip-pool", "--id", "p"]).answer()["displayName"],
        "marked"
    );
}

#[test]
fn the_names_of_a_map_are_those_of_its_items() {
    let items = netmgr(&[
        "--simulate",
        "get",
        "ns-services",
        "-o",
        "json",
        "--query",
        ".items | keys",
    ]);
    let names = netmgr(&["--simulate", "get", "ns-services", "-o", "name"]);
    let listed: Vec<&str> = names.stdout.lines().collect();
    assert_eq!(json!(listed), items.json());
    assert!(listed.len() > 1, "{names:?}");
}

#[test]
fn errors_name_inputs_as_they_were_given() {
    let fail = |arguments: &[&str]| {
        let run = netmgr(&[&["--simulate", "get"], arguments].concat());
        run.stderr.lines().next().unwrap().to_owned()
    };
    assert_eq!(
        fail(&["ip-pool"]),
        "error: getIpPool: `--id` or `--display-name` is required"
    );
    assert_eq!(
        fail(&["policy-bfd-profile", "--id=x", "--display-name=y"]),
        "error: getPolicyBfdProfile: `--display-name` cannot be combined with `--id`"
    );
    assert_eq!(
        fail(&[
            "policy-bfd-profile",
            "--input",
            r#"{"id": "x", "displayName": "y"}"#
        ]),
        "error: getPolicyBfdProfile: `displayName` cannot be combined with `id`"
    );
    let project = [
        "policy-certificate",
        "--display-name=x",
        "--context-project-id=nope",
    ];
    let run = netmgr(&[&["--simulate", "get"], &project[..]].concat());
    let hint = "\n  hint: omit `--project` to select it\n";
    assert!(run.failure(3).ends_with(hint), "{run:?}");
}

#[test]
fn suggestions_are_what_was_meant_and_nothing_that_is_far_off() {
    for (arguments, hint) in [
        (
            &["get", "edge"][..],
            "did you mean `edge-cluster`, `policy-edge-node`, `edge-upgrade-group`, `policy-edge-cluster` or \
             `policy-edge-transport-node`?",
        ),
        (&["get", "ip-pol"], "did you mean `ip-pool` or `policy-ip-pool`?"),
        (&["get", "segmnt"], "did you mean `policy-segment`?"),
        (&["get", "bananas"], "`netmgr types` lists all object types"),
        (&["schema", "period"], "`netmgr types` lists all object types"),
        (
            &["get", "ip-pool", "tep", "pool"],
            "put a name with spaces in quotes",
        ),
        (
            &["get", "ip-pool", "--name", "tep-pool"],
            "did you mean `--display-name`?",
        ),
        (
            &["get", "ip-pool", "--name=tep-pool"],
            "did you mean `--display-name`?",
        ),
    ] {
        let run = netmgr(arguments);
        assert!(
            run.failure(2).ends_with(&format!("\n  hint: {hint}\n")),
            "{run:?}"
        );
    }
}

/// The ways in which commands read a file that a user names.
const READERS: [&str; 11] = [
    "simulate --inventory FILE",
    "diff FILE ./absent.json",
    "get policy-group --input @FILE",
    "config show --config FILE",
    "config set host x --config FILE",
    "doctor --config FILE",
    "get manager-info --config FILE",
    "get manager-info --host=x --username=x --password-file FILE",
    "get manager-info --host=x --username=x --ca-file FILE",
    "batch --simulate --file FILE",
    "login --host=x --username=x --password-file FILE",
];

fn reading(command: &str, file: &str) -> std::process::Command {
    let words = command.split(' ').map(|word| word.replace("FILE", file));
    let mut command = crate::support::program(words);
    command.envs([("NETMGR_PASSWORD", "x"), ("HOME", "/nonexistent")]);
    command
}

#[test]
fn a_file_of_another_kind_is_not_read_and_its_kind_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let _bound = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let [folder, socket] = [folder.path(), &socket].map(|path| path.to_str().unwrap());
    for (file, kind) in [
        ("/dev/zero", "a device"),
        (socket, "a socket"),
        (folder, "a folder"),
    ] {
        for reader in READERS {
            let run = Run::of(&mut reading(reader, file));
            let named = match reader.contains("--ca-file") {
                true => "is not a regular file".to_owned(),
                false => format!("it is {kind}, not a "),
            };
            let report = run.failure(2);
            assert!(
                report.contains(file) && report.contains(&named),
                "{reader}: {report}"
            );
        }
    }
    let mut piped = crate::support::program(["get", "manager-info", "--input", "-"]);
    let piped = Run::of(piped.stdin(std::fs::File::open("/dev/zero").unwrap()));
    assert!(piped.failure(2).contains("it is larger than 16 MiB"), "{piped:?}");
}

/// A pipe that has no writer, in a folder of its own.
fn pipe() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe").to_str().unwrap().to_owned();
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    (folder, pipe)
}

#[test]
fn a_setting_that_is_read_too_slowly_ends_with_the_deadline_and_is_named() {
    let (_folder, pipe) = pipe();
    let command = "get manager-info --host=x --username=x";
    for (command, named) in [
        (
            format!("{command} --password-file FILE"),
            "(first line of FILE) from flag --password-file",
        ),
        (
            format!("{command} --password-stdin"),
            "from flag --password-stdin",
        ),
        ("get manager-info --config FILE".to_owned(), "error: FILE could"),
        ("doctor --config FILE".to_owned(), "error: FILE could"),
        (
            "login --host=x --username=x --password-file FILE".to_owned(),
            "(first line of FILE) could",
        ),
    ] {
        let (reader, _writer) = std::io::pipe().unwrap();
        let mut command = reading(&format!("{command} --deadline 0.3"), &pipe);
        let run = Run::of(command.stdin(reader));
        let report = run.failure(8);
        assert!(report.contains(&named.replace("FILE", &pipe)), "{report}");
    }
}

#[test]
fn a_signal_ends_the_wait_for_a_pipe() {
    let (_folder, pipe) = pipe();
    for (reader, by) in READERS
        .into_iter()
        .zip([INTERRUPT, TERMINATE].into_iter().cycle())
    {
        let mut command = reading(reader, &pipe);
        let child = command.stderr(Stdio::piped()).spawn().unwrap();
        #[allow(clippy::disallowed_methods, reason = "another process, so no paused clock")]
        let start = std::time::Instant::now();
        while start.elapsed().as_millis() < 300 {
            std::thread::yield_now();
        }
        signal(&child, by);
        let ended = child.wait_with_output().unwrap();
        assert!(start.elapsed().as_secs() < 20, "{reader}: {ended:?}");
        // Settings that are changed and certificates are not read from pipes.
        let code = match reader.contains("set") || reader.contains("--ca-file") {
            true => 2,
            false if reader.starts_with("simulate") => 0,
            false => 130,
        };
        // On a busy machine, the signal may come before the program handles it.
        let is_right = ended.status.code().is_none_or(|found| found == code);
        assert!(is_right, "{reader}: {ended:?}");
    }
}
