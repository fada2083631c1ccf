//! `diff`: comparisons of managers and recordings, as a process.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Manager, Run, netmgr, program};

/// Writes a recording with these documents.
fn recording(folder: &Path, name: &str, documents: &[Value]) -> String {
    let header = json!({"inventory": [{"version": 1, "manager": "policy"}]});
    let end = json!({"end": []});
    let lines = [&header].into_iter().chain(documents).chain([&end]);
    let lines = lines.map(Value::to_string);
    let file = folder.join(name);
    fs::write(&file, lines.collect::<Vec<_>>().join("\n")).unwrap();
    file.to_str().unwrap().to_owned()
}

/// Objects of two days: a changed segment, and a group that another one replaces.
fn two_days(folder: &Path) -> [String; 2] {
    let segment = |revision: u64, vlan: &str| {
        json!({"/infra/segments": [{
            "id": "web", "path": "/infra/segments/web", "resource_type": "Segment", "vlan_ids": [vlan],
            "_revision": revision, "_last_modified_user": format!("user-{revision}"), "unique_id": vlan,
        }]})
    };
    let group = |id: &str| {
        let path = format!("/infra/domains/default/groups/{id}");
        json!({"/infra/domains/default/groups": [{"id": id, "path": path, "resource_type": "Group"}]})
    };
    let same = json!({"/orgs/default/projects/dev/infra/services": [{"id": "s", "_revision": 1}]});
    let state = |state: &str| json!({"/infra/segments/web/state": [{"state": state}]});
    [
        recording(
            folder,
            "monday.json",
            &[segment(1, "7"), group("a"), same.clone(), state("success")],
        ),
        recording(
            folder,
            "tuesday.json",
            &[state("failed"), same, group("b"), segment(2, "8")],
        ),
    ]
}

#[test]
fn objects_are_compared_by_path_and_members() {
    let folder = tempfile::tempdir().unwrap();
    let [monday, tuesday] = two_days(folder.path());
    let run = netmgr(&["diff", &monday, &tuesday, "-o", "json"]);
    assert_eq!(run.code, 1, "{run:?}");
    let group = |id: &str, change: &str| json!({"path": format!("/infra/domains/default/groups/{id}"), "change": change, "member": "", "before": null, "after": null});
    let member = |member: &str| json!({"path": "/infra/segments/web", "change": "changed", "member": member, "before": "7", "after": "8"});
    let expected = [
        group("a", "removed"),
        group("b", "added"),
        member("unique_id"),
        member("vlan_ids[0]"),
    ];
    assert_eq!(run.json(), json!(expected));
    assert_eq!(run.stderr, "1 removed, 1 added, 1 changed\n");
    let names = netmgr(&["diff", &monday, &tuesday, "-o", "name"]);
    let paths = [
        "domains/default/groups/a",
        "domains/default/groups/b",
        "segments/web",
    ];
    assert_eq!(
        names.stdout,
        paths.map(|path| format!("/infra/{path}\n")).concat()
    );
    let table = netmgr(&["diff", &monday, &tuesday]);
    assert_eq!(table.code, 1);
    assert!(
        table.stdout.starts_with("PATH") && table.stdout.contains("vlan_ids[0]"),
        "{table:?}"
    );
}

#[test]
fn sides_that_are_the_same_exit_with_0() {
    let folder = tempfile::tempdir().unwrap();
    let [monday, tuesday] = two_days(folder.path());
    let run = netmgr(&["diff", &monday, &monday]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{run:?}");
    assert_eq!(run.stderr, "no differences between 3 objects\n");
    // No differences remain.
    for selection in [
        &["--project", "dev"][..],
        &["--type", "Service"],
        &[
            "--type",
            "Segment",
            "--ignore",
            "vlan_ids",
            "--ignore",
            "unique_id",
        ],
    ] {
        let run = netmgr(&[&["diff", &monday, &tuesday, "-o", "json"], selection].concat());
        assert_eq!((run.code, run.stdout.as_str()), (0, "[]\n"), "{run:?}");
    }
    let run = netmgr(&[
        "diff", &monday, &tuesday, "--type", "Segment", "--ignore", "vlan_ids",
    ]);
    assert_eq!(run.code, 1, "{run:?}");
}

#[test]
fn failures_have_other_exit_codes_than_differences() {
    let folder = tempfile::tempdir().unwrap();
    let [monday, _] = two_days(folder.path());
    let missing = netmgr(&["diff", &monday, "./absent.json"]);
    assert!(
        missing.failure(2).contains("cannot read ./absent.json"),
        "{missing:?}"
    );
    let profile = netmgr(&["diff", &monday, "absent", "--config", &monday]);
    assert_eq!(profile.code, 2, "{profile:?}");
    let broken = folder.path().join("broken.json");
    fs::write(&broken, "{\"/infra/segments\": [").unwrap();
    let broken = netmgr(&["diff", &monday, broken.to_str().unwrap()]);
    assert!(broken.failure(2).contains("EOF"), "{broken:?}");
    // A copy that ends after a whole line is not a recording with fewer objects.
    let cut = folder.path().join("cut.json");
    let whole = fs::read_to_string(&monday).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    fs::write(&cut, lines[..lines.len() - 1].join("\n")).unwrap();
    let cut = netmgr(&["diff", &monday, cut.to_str().unwrap()]);
    assert!(cut.failure(2).contains("its last line is missing"), "{cut:?}");
    // Objects without a type have that of their list.
    let written = |text: &str| {
        let file = folder.path().join(format!("{text}.json"));
        let named = json!([{ "id": "a", "display_name": text }]);
        let groups = json!({ "/infra/domains/default/groups": named, "/infra/lb-pools": named });
        fs::write(&file, groups.to_string()).unwrap();
        file.to_str().unwrap().to_owned()
    };
    for name in ["Group", "LBPool"] {
        let changed = netmgr(&["diff", &written("one"), &written("two"), "--type", name]);
        assert_eq!(changed.code, 1, "{changed:?}");
    }
    let unknown = netmgr(&["diff", &monday, &monday, "--type", "Sgment"]);
    assert!(unknown.failure(2).contains("`Segment`"), "{unknown:?}");
}

#[test]
fn profiles_are_compared_with_each_other_and_with_files() {
    let folder = tempfile::tempdir().unwrap();
    let extra = folder.path().join("extra.json");
    fs::write(
        &extra,
        r#"{"/infra/segments": [{"id": "extra", "display_name": "extra"}]}"#,
    )
    .unwrap();
    let [east, west, failing] = [
        &[][..],
        &["--inventory", extra.to_str().unwrap()],
        &["--fault", "GET /policy/* status=500"],
    ]
    .map(Manager::with);
    let profile = |(name, manager): (&str, &Manager)| {
        let variable = |name: &str| manager.variable(name);
        format!(
            "[profiles.{name}]\nhost = {:?}\nusername = {:?}\npasswordCommand = [\"echo\", {:?}]\ncaFile = {:?}\nmaxRetries = 0\n",
            variable("NETMGR_HOST"),
            variable("NETMGR_USERNAME"),
            variable("NETMGR_PASSWORD"),
            variable("NETMGR_CA_FILE"),
        )
    };
    let profiles = [("east", &east), ("west", &west), ("failing", &failing)].map(profile);
    let config = folder.path().join("config.toml");
    fs::write(&config, profiles.concat()).unwrap();
    let config = config.to_str().unwrap();
    let compare = |arguments: &[&str]| {
        let mut command = program(["diff", "--config", config]);
        command.env("PATH", std::env::var_os("PATH").unwrap());
        Run::of(
            command
                .args(arguments)
                .args(["--type", "Segment", "-o", "ndjson"]),
        )
    };
    let run = compare(&["east", "west"]);
    assert_eq!(run.code, 1, "{run:?}");
    let added = json!({"path": "/infra/segments/extra", "change": "added", "member": "", "before": null, "after": null});
    assert_eq!(run.json(), added);
    let file = folder.path().join("west.json");
    let export = west
        .program(&["export", "-o", file.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(export.status.success());
    assert_eq!(compare(&["west", file.to_str().unwrap()]).code, 0);
    assert_eq!(compare(&[file.to_str().unwrap(), "east"]).code, 1);
    let failed = compare(&["east", "failing"]);
    assert_eq!((failed.code, failed.stdout.as_str()), (13, ""), "{failed:?}");
    let two = compare(&["east", "west", "--profile", "east"]);
    assert_eq!(two.code, 2, "{two:?}");
}

#[test]
fn objects_that_cannot_be_decoded_differ_and_an_empty_file_is_no_recording() {
    let folder = tempfile::tempdir().unwrap();
    let with = |name: &str, value: &str| {
        let file = recording(
            folder.path(),
            name,
            &[json!({"/infra/segments": [{"id": "a", "x": "VALUE"}]})],
        );
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replace("\"VALUE\"", value)).unwrap();
        file
    };
    let files = [with("a.json", r#""\ud800 1""#), with("b.json", r#""\ud800 2""#)];
    let run = netmgr(&["diff", &files[0], &files[1], "-o", "json"]);
    assert_eq!((run.code, &run.json()[0]["member"]), (1, &json!("x")), "{run:?}");
    assert_eq!(netmgr(&["diff", &files[0], &files[0]]).code, 0);
    let empty = folder.path().join("empty.json");
    fs::write(&empty, "").unwrap();
    let empty = empty.to_str().unwrap();
    assert!(
        netmgr(&["diff", empty, empty])
            .failure(2)
            .contains("cannot use the recording")
    );
}

#[test]
fn secrets_that_changed_are_reported_and_hidden_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let side = |side: &str| {
        let secret = |number: u8| format!("hidden-{side}-{number}");
        let segment = json!({
            "id": "lab", "vlan": format!("{side}-vlan"), "psk": secret(1), "admin_password": secret(2),
            "l2_extension": {"peer_code": secret(3)}, "key": format!("-----BEGIN PRIVATE KEY-----{}", secret(4)),
            "clientSecret": secret(5), "pairs": [{"key": "db_password", "value": secret(6)}],
            "url": format!("https://u:{}@h", secret(7)), "credentials": {"a": [secret(8)]},
        });
        recording(
            folder.path(),
            &format!("{side}.json"),
            &[json!({"/infra/segments": [segment]})],
        )
    };
    let (before, after) = (side("before"), side("after"));
    for format in ["table", "wide", "json", "yaml", "ndjson", "csv", "name"] {
        let run = netmgr(&["diff", &before, &after, "-o", format]);
        assert_eq!(
            (run.code, run.stderr.as_str()),
            (1, "0 removed, 0 added, 1 changed\n"),
            "{run:?}"
        );
        assert!(!run.stdout.contains("hidden-"), "{run:?}");
        if format == "name" {
            continue;
        }
        assert!(
            run.stdout.contains("before-vlan") && run.stdout.contains("after-vlan"),
            "{run:?}"
        );
        for member in [
            "psk",
            "admin_password",
            "l2_extension.peer_code",
            "key",
            "clientSecret",
            "pairs[0].value",
            "url",
        ] {
            assert!(run.stdout.contains(member), "{member}: {run:?}");
        }
    }
    let query = ["--query", ".[] | select(.member == \"psk\") | .before, .after"];
    let run = netmgr(&[&["diff", before.as_str(), &after][..], &query].concat());
    assert_eq!(run.stdout, "[redacted]\n[redacted]\n");
}

#[test]
fn what_cannot_be_compared_is_refused_and_the_rest_is_compared_within_what_both_contain() {
    let folder = tempfile::tempdir().unwrap();
    let with = |name: &str, header: Value, ids: &[&str]| {
        let object = |id: &&str| {
            [
                json!({"/infra/segments": [{"id": id, "resource_type": "Segment"}]}),
                json!({"/orgs/default/projects/dev/infra/services": [{"id": id, "resource_type": "Service"}]}),
            ]
        };
        let documents: Vec<Value> = ids.iter().flat_map(object).collect();
        let file = recording(folder.path(), name, &documents);
        let text = fs::read_to_string(&file).unwrap();
        let (_, rest) = text.split_once('\n').unwrap();
        fs::write(&file, format!("{}\n{rest}", json!({"inventory": [header]}))).unwrap();
        file
    };
    let full = with(
        "full.json",
        json!({"version": 1, "types": [], "project": null}),
        &["a", "b"],
    );
    let segments = with(
        "segments.json",
        json!({"version": 1, "types": ["Segment"]}),
        &["a"],
    );
    let dev = with("dev.json", json!({"version": 1, "project": "dev"}), &["a"]);
    let redacted = with("redacted.json", json!({"version": 1, "redacted": true}), &["a"]);
    let diff = |arguments: &[&str]| netmgr(&[&["diff", "-o", "name"], arguments].concat());
    let run = diff(&[&full, &segments]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (1, "/infra/segments/b\n"),
        "{run:?}"
    );
    assert!(
        run.stderr
            .starts_with("compared within what both sides contain: objects of Segment\n"),
        "{run:?}"
    );
    let run = diff(&[&dev, &full]);
    assert_eq!(
        run.stdout, "/orgs/default/projects/dev/infra/services/b\n",
        "{run:?}"
    );
    assert!(run.stderr.contains("contain: project dev\n"), "{run:?}");
    assert_eq!(diff(&[&full, &full]).stderr, "no differences between 4 objects\n");
    for refused in [
        &[full.as_str(), &redacted][..],
        &[&redacted, &full],
        &[&segments, &full, "--type", "Service"],
        &[&dev, &full, "--project", "prod"],
    ] {
        let run = diff(refused);
        assert!(run.failure(2).starts_with("error: cannot compare "), "{run:?}");
    }
    // Before the other side is read.
    let unknown = diff(&["./absent.json", "nope"]);
    assert!(unknown.failure(2).contains("nope"), "{unknown:?}");
}

#[test]
fn a_written_object_without_an_id_cannot_be_compared() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let named = write(
        "named.json",
        r#"{"/infra/services": [{"id": "a"}, {"display_name": "web"}]}"#,
    );
    let single = |name: &str, mode: &str| {
        let path = "/infra/tier-1s/t/dns-forwarder";
        write(
            name,
            &json!({ path: [{ "path": path, "enabled": mode }] }).to_string(),
        )
    };
    let run = netmgr(&["diff", &named, &named]);
    assert!(
        run.failure(2)
            .contains("an object of /infra/services has neither an id nor a path"),
        "{run:?}"
    );
    let run = netmgr(&[
        "diff",
        &single("one.json", "x"),
        &single("other.json", "y"),
        "-o",
        "name",
    ]);
    assert_eq!(run.stdout, "/infra/tier-1s/t/dns-forwarder\n", "{run:?}");
}
