//! Objects of any type, their members, and references to them.

use serde_json::{Value, json};

use crate::support::{Manager, Run, netmgr};

const GROUP: &str = "/infra/domains/default/groups/web-servers";

fn simulated(arguments: &[&str]) -> Run {
    netmgr(&[&["--simulate"], arguments].concat())
}

#[test]
fn an_object_is_found_by_its_path_or_its_name() {
    let by_path = simulated(&["get", "object", GROUP, "-o", "json"]).answer();
    assert_eq!(
        (&by_path["id"], &by_path["exists"]),
        (&json!("web-servers"), &json!(true))
    );
    assert_eq!(by_path["object"]["path"], GROUP);
    let arguments = [
        "get",
        "policy-object",
        "web-servers",
        "--resource-type",
        "Group",
        "--parent-path",
        "/infra/domains/default",
        "-o",
        "json",
    ];
    assert_eq!(simulated(&arguments).answer(), by_path);
    // Other functions with a path also accept it.
    let gateway = simulated(&["get", "tier1-gateway", "/infra/tier-1s/t1-web", "-o", "json"]).answer();
    assert_eq!(gateway["displayName"], "t1-web");
    let missing = ["get", "object", "/infra/domains/default/groups/none"];
    assert!(
        simulated(&missing)
            .failure(3)
            .contains("there is no object at /infra/domains/default/groups/none")
    );
    let absent = [
        &missing[..],
        &["--on-missing", "null", "-o", "json", "--query", ".exists"],
    ]
    .concat();
    assert_eq!(simulated(&absent).answer(), false);
    // The path of a list is not the path of an object.
    let list = ["get", "object", "/infra/domains/default/groups"];
    assert!(simulated(&list).failure(3).contains("there is no object at"));
    // An unknown collection is a mistake, also where objects may be missing.
    let unknown = simulated(&["get", "object", "/infra/segment/web", "--on-missing", "null"]);
    let problem = unknown.failure(3);
    assert!(
        problem.contains("the manager has no API at /infra/segment/web")
            && problem.contains("did you mean \"segments\" or"),
        "{problem}"
    );
    let named = [
        "get",
        "object",
        "none",
        "--resource-type",
        "Group",
        "--on-missing",
        "null",
    ];
    let absent = [&named[..], &["-o", "json", "--query", ".exists"]].concat();
    assert_eq!(simulated(&absent).answer(), false);
    let unknown = simulated(&["get", "object", "web", "--resource-type", "Grop"]);
    assert!(
        unknown
            .failure(2)
            .contains("`--resource-type` must be a type of policy object; similar types are `Group`")
    );
}

#[test]
fn raw_objects_have_all_members_but_secrets() {
    let raw = simulated(&["get", "policy-group", "web-servers", "-o", "raw"]).answer();
    assert_eq!(raw["display_name"], "web-servers");
    assert_eq!(raw["expression"][0]["member_type"], "VirtualMachine");
    assert!(raw.get("displayName").is_none(), "{raw}");
    let fields = [
        "get",
        "policy-group",
        "web-servers",
        "-o",
        "raw",
        "--fields",
        "displayName,id",
    ];
    assert_eq!(
        simulated(&fields).answer(),
        json!({ "displayName": "web-servers", "id": "web-servers" })
    );
    let of_object = simulated(&["get", "object", GROUP, "-o", "raw"]).answer();
    assert_eq!(of_object, raw);
    let found = simulated(&[
        "find",
        "--type",
        "Group",
        "--name",
        "web-servers",
        "--below",
        "/infra/domains/default",
        "-o",
        "raw",
    ])
    .answer();
    assert_eq!(found, json!([raw]));
    let listed = simulated(&[
        "list",
        "policy-group",
        "--query",
        "map(select(.id == \"web-servers\" and .tags != null))",
        "-o",
        "raw",
    ])
    .answer();
    assert_eq!(listed, json!([raw]));
    // Objects that are decoded as their own type.
    let cluster = simulated(&[
        "get",
        "edge-cluster",
        "--id",
        "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001",
        "-o",
        "raw",
    ]);
    assert!(cluster.answer()["members"].is_array());
    let query = [
        "list",
        "policy-certificate",
        "-o",
        "raw",
        "--query",
        "map(.pem_encoded | type) | unique",
    ];
    assert_eq!(simulated(&query).answer(), json!(["string"]));
}

#[test]
fn fields_can_be_members_of_the_object() {
    let fields = [
        "get",
        "policy-group",
        "web-servers",
        "--fields",
        "displayName,tags,_revision",
        "-o",
        "json",
    ];
    let tags = json!([{"scope": "tier", "tag": "web"}]);
    assert_eq!(
        simulated(&fields).answer(),
        json!({"displayName": "web-servers", "tags": tags, "_revision": 0})
    );
    let listed = simulated(&[
        "list",
        "policy-group",
        "--fields",
        "displayName,expression.0,unique_id",
        "-o",
        "csv",
    ]);
    assert_eq!(listed.code, 0, "{listed:?}");
    assert!(
        listed.stdout.contains("c3000000-0000-4000-8000-000000000001"),
        "{listed:?}"
    );
    let found = simulated(&[
        "find",
        "--type",
        "Group",
        "--fields",
        "path,unique_id",
        "-o",
        "json",
    ])
    .answer();
    assert!(
        found
            .as_array()
            .unwrap()
            .iter()
            .all(|group| group["unique_id"].is_string()),
        "{found}"
    );
    // An output is spelled in full, and further members only exist where an object is selected.
    assert!(
        simulated(&["get", "policy-group", "web-servers", "--fields", "displayNam"])
            .failure(2)
            .contains("displayName")
    );
    assert!(
        simulated(&["get", "manager-info", "--fields", "node_version"])
            .failure(2)
            .contains("there is no field")
    );
}

#[test]
fn raw_is_refused_where_there_is_no_object() {
    for arguments in [
        &["get", "manager-info", "-o", "raw"][..],
        &["get", "ns-groups", "-o", "raw"],
    ] {
        assert!(
            simulated(arguments).failure(2).contains("use -o json"),
            "{arguments:?}"
        );
    }
    for arguments in [&["references", GROUP, "-o", "raw"][..], &["types", "-o", "raw"]] {
        assert!(
            netmgr(arguments)
                .failure(2)
                .contains("invalid value 'raw' for '--output <FORMAT>'"),
            "{arguments:?}"
        );
    }
}

fn paths(run: &Run) -> Vec<String> {
    let found = run.answer();
    let paths = found.as_array().unwrap().iter();
    paths
        .map(|object| object["path"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn objects_are_found_by_type_name_and_tag() {
    for (arguments, expected) in [
        (&["--type", "Group", "--tag", "tier:web"][..], &[GROUP][..]),
        (
            &["--type", "Group", "--contains", "WEB-S", "--tag", "web"],
            &[GROUP],
        ),
        (
            &["--type", "Group", "--prefix", "web-s", "--tag", "tier:"],
            &[GROUP],
        ),
        (
            &["--type", "Group", "--type", "Tier1", "--tag", ":web"],
            &[GROUP, "/infra/tier-1s/t1-web"],
        ),
        (&["--tag", "web", "--name", "t1-web"], &["/infra/tier-1s/t1-web"]),
        (
            &["--type", "Tier1", "--below", "/infra/tier-1s", "--name", "t1-db"],
            &["/infra/tier-1s/t1-db"],
        ),
    ] {
        let run = simulated(&[&["find", "-o", "json"], arguments].concat());
        assert_eq!(paths(&run), expected, "{arguments:?}");
    }
    let named = simulated(&["find", "-o", "json", "web-servers"]);
    let by_flag = simulated(&["find", "-o", "json", "--name", "web-servers"]);
    assert!(paths(&named).iter().any(|path| path == GROUP), "{named:?}");
    assert_eq!(paths(&named), paths(&by_flag));
    let part = simulated(&["find", "web-ser"]);
    assert_eq!(
        part.stderr,
        "no object with this name matches; --contains finds parts of names\n"
    );
    let table = simulated(&["find", "--type", "Group", "--tag", "tier:web"]);
    assert_eq!(
        table.stdout,
        format!("DISPLAY NAME  RESOURCE TYPE  PATH\nweb-servers   Group          {GROUP}\n")
    );
    let none = simulated(&["find", "--type", "Group", "--tag", "tier:none", "-o", "json"]);
    assert_eq!(
        (none.json(), none.stderr.as_str()),
        (
            json!([]),
            "no object matches; a tag with colons in any scope is written `:TAG`\n"
        )
    );
}

#[test]
fn what_find_cannot_answer_is_an_error_that_names_the_flag() {
    let types = simulated(&["find", "--type", "Group", "--type", "Segmnt"]);
    assert!(
        types
            .failure(2)
            .contains("error: there is no type \"Segmnt\"\n  hint: did you mean `Segment`"),
        "{types:?}"
    );
    let below = simulated(&["find", "--below", "segments/a"]);
    assert!(
        below.failure(2).contains("`--below` must be a policy path"),
        "{below:?}"
    );
    let limit = simulated(&["find", "--type", "Group", "--limit", "1"]);
    let report = limit.failure(4);
    assert!(report.contains("but `--limit` is 1"), "{report}");
    assert!(report.ends_with("hint: increase `--limit`\n"), "{report}");
    for tag in ["", ":"] {
        assert!(
            simulated(&["find", "--tag", tag])
                .failure(2)
                .contains("must be scope:tag")
        );
    }
    let names = simulated(&["find", "--name", "a", "--prefix", "b"]);
    assert_eq!(names.code, 2, "{names:?}");
}

#[test]
fn references_name_the_objects_and_members_with_the_path() {
    let run = simulated(&["references", GROUP]);
    assert_eq!(run.code, 0, "{run:?}");
    let rule = "/infra/domains/default/security-policies/web-to-db/rules/web-to-app";
    let line = run.stdout.lines().find(|line| line.starts_with(rule)).unwrap();
    assert_eq!(
        line.split_whitespace().collect::<Vec<_>>(),
        [rule, "Rule", "source_groups[0]"]
    );
    let count = run.stdout.lines().count() - 1;
    assert!(
        run.stderr
            .starts_with(&format!("{count} objects refer to {GROUP}; searched ")),
        "{run:?}"
    );

    let answer = simulated(&["references", GROUP, "--type", "Rule", "-o", "json"]).answer();
    assert_eq!(
        (&answer["exists"], &answer["types"]),
        (&json!(true), &json!(["Rule"]))
    );
    let references = answer["references"].as_array().unwrap();
    assert!(
        references
            .iter()
            .all(|reference| reference["resourceType"] == "Rule"),
        "{answer}"
    );
    assert!(
        references
            .iter()
            .any(|reference: &Value| reference["path"] == rule),
        "{answer}"
    );

    for (missing, problem) in [
        ("/infra/segments/none", "there is no object"),
        ("/infra/segmnts/web-tier", "the manager has no API"),
    ] {
        let none = simulated(&["references", missing]);
        assert!(
            none.failure(3).contains(&format!("{problem} at {missing}")),
            "{none:?}"
        );
    }
    let below = simulated(&["find", "--below", "/infra/segments/none"]);
    assert!(below.failure(3).contains("no object matches"), "{below:?}");
    assert!(
        simulated(&["references", GROUP, "--type", "Ruel"])
            .failure(2)
            .contains("there is no type \"Ruel\"")
    );
}

#[test]
fn secrets_of_objects_are_neither_printed_nor_used() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = folder.path().join("secrets.json");
    let segment = |id: &str, secret: &str| {
        json!({
            "id": id, "display_name": id, "description": format!("see https://user:{secret}@host.example/x"),
            "resource_type": "Segment", "path": format!("/infra/segments/{id}"), "rank": 7,
            "attributes": [{"attribute_type": "PASSWORD", "key": "root", "value": secret}],
            "spelling": {"clientSecret": secret, "api-key": secret, "authToken": [secret]}, "psk2": secret,
            "credentials": {"vcenter": secret, "username": "reader"}, "header": format!("Bearer {secret}"),
        })
    };
    let named = |id: &str, name: &str| json!({"id": id, "display_name": name});
    let segments = [
        segment("lab", "hidden-1"),
        segment("other", "hidden-2"),
        named("s3", "web token=hidden-3"),
        json!({"id": "s5", "display_name": "s5", "tags": [{"scope": "password", "tag": "hidden-6"}]}),
        named("s4", "web token=hidden-4"),
    ];
    let groups = [named("g1", "conn https://bob:hidden-7@host.example/")];
    let objects = json!({ "/infra/segments": segments, "/infra/domains/default/groups": groups });
    std::fs::write(&inventory, objects.to_string()).unwrap();
    let manager = Manager::with(&["--no-demo", "--inventory", inventory.to_str().unwrap()]);
    let run = |arguments: &[&str]| Run::of(&mut manager.program(arguments));
    let commands = [
        &["get", "object", "/infra/segments/lab"][..],
        &["get", "policy-segment", "lab"],
        &["find", "--type", "Segment"],
        &["list", "policy-segment"],
    ];
    for command in commands {
        for format in ["table", "wide", "json", "yaml", "ndjson", "csv", "name", "raw"] {
            for more in [&[][..], &["--query", "tostring"]] {
                let printed = run(&[command, &["-o", format], more].concat());
                assert_eq!(printed.code, 0, "{printed:?}");
                assert!(
                    !printed.stdout.contains("hidden-"),
                    "{command:?} {format}: {printed:?}"
                );
            }
        }
        for field in ["psk2", "header", "attributes.value"] {
            let printed = run(&[command, &["--fields", field, "-o", "csv"]].concat());
            assert!(!printed.stdout.contains("hidden-"), "{printed:?}");
        }
    }
    for map in [&["policy-groups"][..], &["policy-tags", "--scope", "password"]] {
        for format in ["table", "json", "name"] {
            let printed = run(&[&["get"], map, &["-o", format]].concat());
            assert!(
                printed.code == 0 && !printed.stdout.contains("hidden-"),
                "{printed:?}"
            );
        }
    }
    // Errors hide names with secrets as well.
    for (name, code) in [("web", 4), ("web token=hidden-5", 3)] {
        let failed = run(&["get", "policy-segment", name]);
        failed.failure(code);
        assert!(!failed.stderr.contains("hidden-4"), "{failed:?}");
    }
    let raw = run(&["get", "object", "/infra/segments/lab", "-o", "raw"]).answer();
    assert_eq!(
        (&raw["rank"], &raw["credentials"]),
        (&json!(7), &json!({"username": "reader"}))
    );
    let sorted = run(&["list", "policy-segment", "--sort-by", "psk2"]);
    assert!(
        sorted
            .failure(2)
            .contains("--sort-by: there is no field \"psk2\""),
        "{sorted:?}"
    );
    let sensitive = run(&[
        "get",
        "object",
        "/infra/segments/lab",
        "--include-sensitive",
        "-o",
        "json",
    ])
    .answer();
    assert_eq!(
        (&sensitive["object"]["psk2"], &sensitive["description"]),
        (&json!("hidden-1"), &json!(""))
    );
}
