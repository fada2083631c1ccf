//! `export`: recordings of managers, as a process.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Manager, Run, netmgr};

/// Runs `netmgr export` against a manager.
fn export(manager: &Manager, file: &Path, arguments: &[&str]) -> Run {
    Run::of(manager.program(&["export", "-o"]).arg(file).args(arguments))
}

/// A simulated manager that serves a recording.
fn replay(file: &Path) -> Manager {
    Manager::with(&["--inventory", file.to_str().unwrap()])
}

/// The lines of a recording, without the header, which names the manager, and states, which change.
fn lines(file: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(file).unwrap();
    let is_state = |line: &str| line.contains("/state\":") || line.contains("/status\":");
    let lines = text.lines().skip(1).filter(|line| !is_state(line));
    lines.map(str::to_owned).collect()
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn functions_answer_from_a_recording_as_from_the_manager() {
    let folder = folder();
    let file = folder.path().join("monday.json");
    let manager = Manager::with(&["--manager-version", "9.0.1"]);
    let run = export(&manager, &file, &[]);
    let said = format!(" objects in {}\n", file.display());
    assert!(
        run.code == 0 && run.stderr.ends_with(&said) && run.stdout.is_empty(),
        "{run:?}"
    );
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let replayed = replay(&file);
    for question in [
        &["policy-segment", "web-tier"][..],
        &["policy-vm", "web-01"],
        &["policy-tags", "--scope", "env"],
        &["manager-info"],
        &["proxy-config"],
        &["ip-pool", "tep-pool"],
        &[
            "policy-certificate",
            "--context-project-id",
            "dev",
            "--id",
            "lb-cert-web",
        ],
        &["policy-realization-info", "--path", "/infra/segments/web-tier"],
        &["policy-distributed-vxlan-connection", "vxlan"],
        &["policy-segment", "nothing"],
    ] {
        let (expected, actual) = (manager.get(question), replayed.get(question));
        assert_eq!(
            (expected.code, &expected.stdout),
            (actual.code, &actual.stdout),
            "{question:?}"
        );
    }
}

#[test]
fn an_interrupted_export_goes_on_with_the_type_that_it_had_not_finished() {
    let folder = folder();
    let [whole, file] = ["whole.json", "file.json"].map(|name| folder.path().join(name));
    let partial = folder.path().join("file.json.partial");
    let manager = Manager::with(&[
        "--fault",
        "GET /policy/api/v1/infra/lb-monitor-profiles status=500 count=1",
    ]);
    let interrupted = export(&manager, &file, &["--max-retries", "0"]);
    assert_eq!(interrupted.code, 1, "{interrupted:?}");
    assert!(
        interrupted
            .stderr
            .contains("all objects of type lb-monitor-profiles"),
        "{interrupted:?}"
    );
    assert!(!file.exists() && partial.exists());
    // As if it had been killed while writing.
    let written = fs::read_to_string(&partial).unwrap();
    fs::write(&partial, format!("{written}{{\"/infra/segm")).unwrap();

    let resumed = export(&manager, &file, &["--stats"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert!(file.exists() && !partial.exists());
    let all = export(&manager, &whole, &["--stats"]);
    assert_eq!(lines(&file), lines(&whole));
    let requests = |run: &Run| {
        let (_, rest) = run.stderr.split_once("requests ").unwrap();
        rest.split(',').next().unwrap().parse::<u64>().unwrap()
    };
    assert!(
        requests(&resumed) * 2 < requests(&all) * 2 - 100,
        "{resumed:?} {all:?}"
    );
    let objects = |run: &Run| {
        run.stderr
            .lines()
            .find(|line| line.starts_with("recorded "))
            .unwrap()
            .to_owned()
    };
    assert_eq!(
        objects(&resumed).split(' ').nth(1),
        objects(&all).split(' ').nth(1)
    );
}

#[test]
fn the_unfinished_file_of_another_export_is_left_alone() {
    let folder = folder();
    let file = folder.path().join("file.json");
    let partial = folder.path().join("file.json.partial");
    let begun = "{\"inventory\":[{\"version\":1,\"manager\":\"policy\",\"host\":\"https://other\"}]}\n";
    fs::write(&partial, begun).unwrap();
    let manager = Manager::start();
    let run = export(&manager, &file, &[]);
    let said = run.failure(2);
    assert!(
        said.contains("it is from another manager") && said.contains("remove the file"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&partial).unwrap(), begun);
}

#[test]
fn types_and_a_project_restrict_what_is_recorded() {
    let folder = folder();
    let file = folder.path().join("file.json");
    let manager = Manager::start();
    let arguments = [
        "--type",
        "TlsCertificate",
        "--type",
        "lb-app-profiles",
        "--project",
        "dev",
    ];
    assert_eq!(export(&manager, &file, &arguments).code, 0);
    let paths: BTreeSet<String> = lines(&file)
        .iter()
        .flat_map(|line| {
            let document: Value = serde_json::from_str(line).unwrap();
            document.as_object().unwrap().keys().cloned().collect::<Vec<_>>()
        })
        .filter(|path| {
            path.starts_with('/') && !path.starts_with("/api/v1/") && !path.ends_with("/intrusion-services")
        })
        .collect();
    assert_eq!(
        paths.into_iter().collect::<Vec<_>>(),
        [
            "/orgs/default/projects/dev/infra/certificates",
            "/orgs/default/projects/dev/vpcs/web/certificates"
        ]
    );
}

#[test]
fn objects_whose_function_is_for_another_kind_of_manager_are_recorded() {
    let folder = folder();
    let file = folder.path().join("sites.json");
    assert_eq!(export(&Manager::start(), &file, &["--type", "Site"]).code, 0);
    let replay = replay(&file);
    let site = Run::of(&mut replay.program(&["get", "object", "/infra/sites/default", "-o", "name"]));
    assert_eq!((site.code, site.stdout.as_str()), (0, "default\n"), "{site:?}");
}

#[test]
fn a_project_that_does_not_exist_is_not_recorded() {
    let folder = folder();
    let file = folder.path().join("project.json");
    let manager = Manager::start();
    let unknown = export(&manager, &file, &["--project", "nope"]);
    assert_eq!(
        unknown.failure(3).lines().next(),
        Some("error: export: project nope does not exist")
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let known = export(&manager, &file, &["--project", "dev"]);
    assert_eq!(known.code, 0, "{known:?}");
}

#[test]
fn an_unknown_type_suggests_near_ones_before_anything_is_sent() {
    let run = netmgr(&[
        "export",
        "--host",
        "manager.invalid",
        "--type",
        "Segmnt",
        "-o",
        "/tmp/unused.json",
    ]);
    let said = run.failure(2);
    assert!(
        said.contains("there is no type \"Segmnt\"") && said.contains("`Segment`"),
        "{said}"
    );
}

#[test]
fn a_recording_of_one_type_has_all_that_a_whole_recording_has() {
    let folder = folder();
    let manager = Manager::start();
    let [all, one] = ["all.json", "one.json"].map(|name| folder.path().join(name));
    assert_eq!(export(&manager, &all, &[]).code, 0);
    for (word, count) in [
        ("policy-virtual-network-appliance", 4),
        ("policy-intrusion-service-policy-rule", 2),
        ("policy-idps-cluster-config", 4),
        ("certificate", 23),
        ("rules", 3),
        ("getCertificate", 6),
    ] {
        assert_eq!(export(&manager, &one, &["--type", word, "--force"]).code, 0);
        let [one, all] = [&one, &all].map(|file| file.to_str().unwrap());
        let compared = netmgr(&["diff", one, all]);
        let same = format!("no differences between {count} objects");
        assert!(
            compared.code == 0 && compared.stderr.contains(&same),
            "{word}: {compared:?}"
        );
    }
}

#[test]
fn a_recording_of_one_type_covers_all_sites() {
    let folder = folder();
    let point = "/infra/sites/s2/enforcement-points/default";
    let inventory = json!({
        "/infra/sites": [{ "id": "s2" }],
        format!("{point}/transport-node-collections"): [{ "id": "b", "display_name": "b" }],
    });
    let [file, all, one] = ["inventory.json", "all.json", "one.json"].map(|name| folder.path().join(name));
    fs::write(&file, inventory.to_string()).unwrap();
    let manager = Manager::with(&["--no-demo", "--inventory", file.to_str().unwrap()]);
    assert_eq!(export(&manager, &all, &[]).code, 0);
    let word = "policy-host-transport-node-collection";
    assert_eq!(export(&manager, &one, &["--type", word]).code, 0);
    let compared = netmgr(&["diff", one.to_str().unwrap(), all.to_str().unwrap()]);
    assert!(
        compared.stderr.contains("no differences between 1 object"),
        "{compared:?}"
    );
}

#[test]
fn a_redacted_recording_has_no_names_and_addresses_and_is_served() {
    let folder = folder();
    let [file, redacted] = ["whole.json", "redacted.json"].map(|name| folder.path().join(name));
    let manager = Manager::start();
    assert_eq!(export(&manager, &file, &[]).code, 0);
    assert_eq!(export(&manager, &redacted, &["--redact"]).code, 0);
    assert!(!folder.path().join("redacted.json.partial").exists());
    let text = fs::read_to_string(&redacted).unwrap();
    for left in [
        "127.0.0.1",
        "web-tier",
        "t0-prod",
        "tep-pool",
        "198.51.100",
        "Web server",
        "@",
        "edge-cluster-prod",
    ] {
        assert!(!text.contains(left), "{left}");
    }
    assert_eq!(
        fs::metadata(&redacted).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let (of_all, of_redacted) = (replay(&file), replay(&redacted));
    for function in [
        "policy-segment",
        "policy-tier1-gateway",
        "ip-pool",
        "policy-ipsec-vpn-service",
        "compute-collection",
    ] {
        let count = |manager: &Manager| {
            let run = Run::of(&mut manager.program(&["list", function, "-o", "json"]));
            run.json().as_array().unwrap().len()
        };
        let objects = count(&of_all);
        assert!(objects > 0, "{function}");
        assert_eq!(objects, count(&of_redacted), "{function}");
    }
    // References lead to the same objects as before.
    let documents = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let documents: Vec<Value> = documents.collect();
    let bodies = || {
        let lists = documents
            .iter()
            .flat_map(|document| document.as_object().unwrap().values());
        lists.flat_map(|list| list.as_array().unwrap())
    };
    let values = |member: &str| {
        let values = bodies().filter_map(|body| body.get(member)?.as_str());
        values.map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let (references, paths) = (values("connectivity_path"), values("path"));
    assert!(
        references.len() > 2 && references.is_subset(&paths),
        "{references:?}"
    );
}

#[test]
fn a_recording_of_a_newer_format_says_so() {
    let folder = folder();
    let file = folder.path().join("newer.json");
    fs::write(&file, json!({"inventory": [{"version": 2}]}).to_string()).unwrap();
    let file = file.to_str().unwrap();
    for arguments in [&["simulate", "--inventory", file][..], &["diff", file, file]] {
        let run = netmgr(arguments);
        let said = run.failure(2);
        assert!(
            said.contains("has format 2, but only formats up to 1 are supported"),
            "{said}"
        );
    }
}

#[test]
fn what_the_account_may_not_read_is_left_out_with_a_warning() {
    let folder = folder();
    let file = folder.path().join("file.json");
    let manager = Manager::with(&[
        "--fault",
        "GET /api/v1/upgrade/* status=403 code=401 message=Account_lacks_read",
    ]);
    let run = export(&manager, &file, &[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.stderr.contains("warning: UpgradeUnitGroup left out: "),
        "{run:?}"
    );
}

#[test]
fn an_empty_index_is_a_warning() {
    let fault = r#"GET /policy/api/v1/search/query body={"results":[],"result_count":0}"#;
    let manager = Manager::with(&["--fault", fault]);
    let folder = folder();
    let run = export(&manager, &folder.path().join("all.json"), &[]);
    assert!(run.stderr.contains("no search returned an object"), "{run:?}");
}

#[test]
fn a_list_behind_the_page_of_a_proxy_is_left_out_with_a_warning() {
    let fault = "GET /api/v1/fabric/compute-managers status=404 body=html";
    let manager = Manager::with(&["--fault", fault]);
    let folder = folder();
    let run = export(&manager, &folder.path().join("all.json"), &[]);
    assert!(
        run.stderr.contains("ComputeManager left out: ") && run.stderr.contains("web page"),
        "{run:?}"
    );
}

#[test]
fn a_login_that_fails_ends_the_export() {
    let manager = Manager::with(&["--fault", "POST * status=405 body=html"]);
    let folder = folder();
    let run = export(&manager, &folder.path().join("all.json"), &["--max-retries", "0"]);
    assert!(!run.failure(1).contains("left out"), "{run:?}");
}

#[test]
fn a_recording_has_no_credential() {
    let folder = folder();
    let file = folder.path().join("all.json");
    let manager = Manager::start();
    let run = export(&manager, &file, &[]);
    assert_eq!(run.code, 0, "{run:?}");
    let text = fs::read_to_string(&file).unwrap();
    let password = manager.variable("NETMGR_PASSWORD");
    assert!(text.len() > 10_000 && password.len() > 5, "{}", text.len());
    assert!(!text.contains(password));
}

#[test]
fn what_is_no_unfinished_export_is_left_alone() {
    let folder = folder();
    let file = folder.path().join("file.json");
    let partial = folder.path().join("file.json.partial");
    let manager = Manager::start();
    for other in ["[1]", "123", "{}"] {
        fs::write(&partial, other).unwrap();
        let run = export(&manager, &file, &[]);
        assert!(run.failure(2).contains("cannot continue the export"), "{run:?}");
        assert_eq!(fs::read_to_string(&partial).unwrap(), other);
    }
    // Another process is writing it.
    fs::remove_file(&partial).unwrap();
    let locked = fs::File::create(&partial).unwrap();
    locked.lock().unwrap();
    let run = export(&manager, &file, &[]);
    assert!(
        run.failure(2).contains("another process is writing it"),
        "{run:?}"
    );
    assert_eq!(fs::read_to_string(&partial).unwrap(), "");
}

/// Shell commands that put something else in the place of an unfinished file.
const STRANGE: [&str; 7] = [
    "echo old > other; ln -s other file.json.partial",
    "ln -s other file.json.partial",
    "echo old > other; ln other file.json.partial",
    "mkfifo file.json.partial",
    "mkdir file.json.partial",
    ": > file.json.partial; chmod 666 file.json.partial",
    // Only the superuser can change the owner; others get the same refusal from the group.
    ": > file.json.partial; chmod 660 file.json.partial; chown 65534 file.json.partial || true",
];

#[test]
fn an_unfinished_file_that_others_can_have_written_is_refused() {
    let manager = Manager::start();
    for strange in STRANGE {
        for flags in [&["--type", "Group"][..], &["--type", "Group", "--redact"]] {
            let folder = folder();
            let made = Command::new("sh")
                .args(["-c", strange])
                .current_dir(folder.path())
                .status();
            assert!(made.unwrap().success());
            let names = || {
                let names = fs::read_dir(folder.path()).unwrap();
                names
                    .map(|entry| entry.unwrap().file_name())
                    .collect::<BTreeSet<_>>()
            };
            let before = names();
            let run = export(&manager, &folder.path().join("file.json"), flags);
            assert!(run.failure(2).contains("file.json.partial"), "{strange}: {run:?}");
            assert_eq!(names(), before, "{strange}");
            if before.contains(std::ffi::OsStr::new("other")) {
                assert_eq!(fs::read_to_string(folder.path().join("other")).unwrap(), "old\n");
            }
        }
    }
}

#[test]
fn an_unfinished_file_of_another_user_is_refused() {
    let manager = Manager::start();
    let folder = folder();
    let [file, partial] = ["file.json", "file.json.partial"].map(|name| folder.path().join(name));
    // Everything but the owner is right.
    assert_eq!(export(&manager, &file, &["--type", "Group"]).code, 0);
    let header = fs::read_to_string(&file).unwrap();
    fs::write(&partial, format!("{}\n", header.lines().next().unwrap())).unwrap();
    fs::remove_file(&file).unwrap();
    fs::set_permissions(&partial, fs::Permissions::from_mode(0o600)).unwrap();
    if let Err(error) = std::os::unix::fs::chown(&partial, Some(65534), None) {
        eprintln!("skipped: only the superuser can change the owner of a file: {error}");
        return;
    }
    let run = export(&manager, &file, &["--type", "Group"]);
    assert!(run.failure(2).contains("file.json.partial"), "{run:?}");
    assert!(!file.exists() && partial.exists());
}

#[test]
fn an_unfinished_file_that_is_replaced_during_the_export_gets_no_name() {
    let manager = Manager::with(&["--latency", "100"]);
    let folder = folder();
    let [file, partial, other] =
        ["file.json", "file.json.partial", "other"].map(|name| folder.path().join(name));
    fs::write(&other, "old").unwrap();
    let mut command = manager.program(&["export", "--type", "Group", "-o"]);
    let running = command.arg(&file).stderr(Stdio::piped()).spawn().unwrap();
    while !partial.exists() {
        std::thread::yield_now();
    }
    fs::remove_file(&partial).unwrap();
    std::os::unix::fs::symlink(&other, &partial).unwrap();
    let run = Run::from(running.wait_with_output().unwrap());
    assert!(
        run.failure(2).contains("file.json.partial was replaced"),
        "{run:?}"
    );
    assert!(!file.exists());
    assert_eq!(fs::read_to_string(&other).unwrap(), "old");
}

#[test]
fn an_unfinished_file_becomes_readable_for_its_owner_only() {
    let manager = Manager::start();
    let folder = folder();
    let [file, partial] = ["file.json", "file.json.partial"].map(|name| folder.path().join(name));
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    // As if the export had been killed within the header.
    fs::write(&partial, "{\"inventory\":[{\"vers").unwrap();
    mode(&partial, 0o644);
    assert_eq!(
        export(&manager, &file, &["--type", "Group"]).code,
        2,
        "another order of members"
    );
    assert_eq!(
        fs::metadata(&partial).unwrap().permissions().mode() & 0o777,
        0o600
    );
    fs::write(&partial, "{\"inv").unwrap();
    mode(&partial, 0o644);
    let run = export(&manager, &file, &["--type", "Group"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn an_export_replaces_a_file_only_with_force() {
    let manager = Manager::start();
    let folder = folder();
    let file = folder.path().join("file.json");
    for there in ["file", "link"] {
        match there {
            "file" => fs::write(&file, "old").unwrap(),
            _ => std::os::unix::fs::symlink("other", &file).unwrap(),
        }
        let refused = netmgr(&[
            "export",
            "-o",
            file.to_str().unwrap(),
            "--host",
            "manager.invalid",
        ]);
        assert!(
            refused.failure(2).contains("replace it with --force"),
            "{refused:?}"
        );
        let run = export(&manager, &file, &["--type", "Group", "--force"]);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(!file.is_symlink() && fs::read_to_string(&file).unwrap().contains("inventory"));
        fs::remove_file(&file).unwrap();
    }
    for name in ["json", "JSON", "yaml", "table", "name", "-"] {
        let mut command = manager.program(&["export", "-o", name]);
        let run = Run::of(command.current_dir(folder.path()));
        let meant = if name == "-" {
            "standard output"
        } else {
            "a format"
        };
        let refused = format!("{name} is {meant}, but export writes a file");
        assert!(run.failure(2).contains(&refused), "{run:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn only_files_are_replaced_by_an_export() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let manager = Manager::start();
    for target in [pipe.as_path(), folder.path()] {
        let run = export(&manager, target, &["--type", "Group"]);
        assert!(run.failure(2).contains("cannot write"), "{run:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(!pipe.is_file());
}
