//! Tests of `list`: columns, formats, pages, limits.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Manager, Run, assert_shown, flags, netmgr};

fn list(arguments: &[&str]) -> Run {
    let run = netmgr(&[&["--simulate", "list"], arguments].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    run
}

#[test]
fn a_list_is_shown_in_every_format() {
    let mut shown = String::new();
    for format in ["table", "wide", "json", "yaml", "ndjson", "csv", "name"] {
        let run = list(&["policy-edge-cluster", "--prefix", "edge", "-o", format]);
        shown.push_str(&format!(
            "$ netmgr list policy-edge-cluster --prefix edge -o {format}\n{}\n",
            run.stdout
        ));
    }
    assert_shown!("formats_of_a_list", shown);
}

/// `--fields` names members of the objects, and an answer without objects says so.
#[test]
fn a_list_of_a_function_has_a_row_for_each_object() {
    let manager = Manager::start();
    for (arguments, stdout, stderr) in [
        (
            &[
                "policy-objects",
                "--tag-scope",
                "env",
                "-o",
                "name",
                "--fields",
                "path",
            ][..],
            "/infra/segments/db-tier\n/infra/segments/web-tier\n",
            "",
        ),
        (
            &["policy-objects", "--tag", "nope", "-o", "csv"],
            "displayName,id,resourceType,tags,description,object,parentPath,path\n",
            "no object matches\n",
        ),
        (
            &["policy-tags", "--scope", "nope", "-o", "name"],
            "",
            "no object matches\n",
        ),
    ] {
        let run = Run::of(&mut manager.program(&[&["get"], arguments].concat()));
        assert_eq!((&*run.stdout, &*run.stderr), (stdout, stderr), "{arguments:?}");
    }
    let unknown =
        Run::of(&mut manager.program(&["get", "policy-objects", "--tag", "nope", "--fields", "nope"]));
    assert!(
        unknown.failure(2).contains("the fields are displayName, id"),
        "{unknown:?}"
    );
    let both = |format: &str| Run::of(&mut manager.program(&["get", "policy-groups", "-o", format])).stdout;
    assert_eq!(both("name").lines().count(), both("csv").lines().count() - 1);
    // Objects of the inventory have no path.
    let of_project =
        Run::of(&mut manager.program(&["find", "--type", "vms", "--project", "dev", "-o", "name"]));
    assert_eq!(of_project.stdout, "dev-01\ndev-02\n", "{of_project:?}");
    let below =
        Run::of(&mut manager.program(&["find", "--type", "vms", "--below", "/infra/segments/web-tier"]));
    assert!(
        below.failure(2).contains("objects are below no parent"),
        "{below:?}"
    );
    // A project has its VPCs.
    let found = Run::of(&mut manager.program(&[
        "find",
        "frontends",
        "--project",
        "dev",
        "--fields",
        "path",
        "-o",
        "name",
    ]));
    assert_eq!(
        found.stdout, "/orgs/default/projects/dev/vpcs/web/groups/frontends\n",
        "{found:?}"
    );
}

#[test]
fn every_function_that_selects_an_object_lists_its_collection() {
    let functions = netmgr(&["types", "-o", "json"]).answer();
    let (local, global) = (Manager::start(), Manager::with(&["--kind", "global"]));
    let (mut listed, mut compared) = (0, 0);
    for function in functions.as_array().unwrap() {
        let name = function["name"].as_str().unwrap();
        let is_here = function["availableOn"]
            .as_array()
            .is_none_or(|kinds| kinds.contains(&"policy manager".into()));
        let manager = if is_here { &local } else { &global };
        let parents = parents(function);
        let mut command = manager.program(&["list", name, "-o", "json"]);
        let run = Run::of(command.args(&parents));
        // The plural of a type is a word for its list, even where a function that returns a map has this name.
        let is_of = |other: &Value| other["name"].as_str() == name.strip_suffix('s');
        let is_plural = functions.as_array().unwrap().iter().any(is_of);
        if is_plural || run.stderr.contains("does not support lists") {
            continue;
        }
        listed += 1;
        let rows = run.json();
        let rows = rows.as_array().unwrap();
        assert_eq!(run.code, 0, "{name}: {run:?}");
        assert!(!rows.is_empty(), "{name} lists nothing");
        // A list returns the same objects as the function. One row is enough to compare, because the others only differ
        // in their values. An id that several parents have in common cannot be used.
        let is_unique = |row: &&Value| rows.iter().filter(|other| other["id"] == row["id"]).count() == 1;
        let Some(row) = rows.iter().find(is_unique) else {
            continue;
        };
        compared += 1;
        let mut get = manager.program(&["get", name, "-o", "json", "--id", row["id"].as_str().unwrap()]);
        get.args(&parents);
        let inputs = function["inputs"].as_array().unwrap();
        if inputs
            .iter()
            .any(|input| input["name"] == "displayName" && input["required"] == true)
        {
            get.args(["--display-name", row["displayName"].as_str().unwrap()]);
        }
        if function["inputs"].to_string().contains("upgradePrepareId") {
            get.args(["--upgrade-prepare-id", "x"]);
        }
        let mut answer = Run::of(&mut get).json();
        // A row only contains members that the list of the manager returns. Members that require a request per object,
        // such as the rules of a policy, are ignored.
        answer
            .as_object_mut()
            .unwrap()
            .retain(|member, _| row.get(member).is_some());
        assert_eq!(*row, answer, "{name}");
    }
    assert!(listed > 90 && compared > listed - 5, "{compared} of {listed}");
}

/// The flags for the required inputs of the list of a function, and for the parents, from its example.
fn parents(function: &Value) -> Vec<String> {
    let mut example = function["example"].clone();
    let inputs = function["inputs"].as_array().unwrap();
    example.as_object_mut().unwrap().retain(|name, _| {
        let is_required = inputs
            .iter()
            .any(|input| input["name"] == *name && input["required"] == true);
        name.ends_with("Path") || is_required && !["displayName", "upgradePrepareId"].contains(&name.as_str())
    });
    flags(&example)
}

#[test]
fn a_project_that_does_not_exist_has_no_list() {
    for more in [&[][..], &["--prefix", "lb"], &["--limit", "5"]] {
        let list = [
            "--simulate",
            "list",
            "policy-certificate",
            "--context-project-id",
            "nope",
        ];
        let run = netmgr(&[&list, more].concat());
        assert_eq!(
            run.failure(3).lines().next(),
            Some(
                "error: getPolicyCertificate: there are no certificates in project nope; project nope does not exist"
            )
        );
    }
    // The words of a lookup.
    let lookup = [
        "--simulate",
        "get",
        "policy-certificate",
        "x",
        "--context-project-id",
        "nope",
    ];
    let lookup = netmgr(&lookup);
    assert!(
        lookup.failure(3).contains("; project nope does not exist"),
        "{lookup:?}"
    );
    // A project without matching objects has an empty list.
    let none = [
        "list",
        "policy-certificate",
        "--context-project-id",
        "dev",
        "--prefix",
        "nope",
    ];
    let none = netmgr(&[&["--simulate"], &none[..]].concat());
    assert_eq!(
        (none.code, none.stderr.as_str()),
        (0, "no certificates match\n"),
        "{none:?}"
    );
}

#[test]
fn a_vpc_or_a_parent_that_does_not_exist_has_no_list() {
    for (arguments, error) in [
        (
            &[
                "vpc-subnet",
                "--context-project-id",
                "nope",
                "--context-vpc-id",
                "nope",
            ][..],
            "getVpcSubnet: there are no subnets in VPC nope of project nope; project nope does not exist",
        ),
        (
            &[
                "vpc-subnet",
                "--context-project-id",
                "dev",
                "--context-vpc-id",
                "nope",
            ],
            "getVpcSubnet: there are no subnets in VPC nope of project dev; VPC nope does not exist",
        ),
        (
            &["policy-group", "--domain", "nope"],
            "getPolicyGroup: there are no groups below /infra/domains/nope: the manager reports that the domain does \
             not exist",
        ),
        // With a prefix, objects are found by the search, which does not know the domain.
        (
            &["policy-group", "--domain", "nope", "--prefix", "w"],
            "getPolicyGroup: there are no groups below /infra/domains/nope: the manager reports that the domain does \
             not exist",
        ),
        // Only the search finds these objects.
        (
            &[
                "policy-gateway-interface",
                "--gateway-path",
                "/infra/tier-0s/nope",
            ],
            "getPolicyGatewayInterface: there are no gateway interfaces below /infra/tier-0s/nope: the manager reports \
             that the gateway does not exist",
        ),
    ] {
        let run = netmgr(&[&["--simulate", "list"], arguments].concat());
        let report = run.failure(3);
        assert_eq!(
            report.lines().next(),
            Some(&*format!("error: {error}")),
            "{run:?}"
        );
    }
}

#[test]
fn a_tag_reaches_scopes_with_colons_and_a_note_says_which_it_matches() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("inventory.json");
    let groups = json!({ "/infra/domains/default/groups": [
        { "id": "north", "tags": [{ "scope": "site:north", "tag": "web" }] },
        { "id": "south", "tags": [{ "scope": "site", "tag": "north:web" }] },
        { "id": "plain", "tags": [{ "tag": "web" }] },
    ] });
    std::fs::write(&file, groups.to_string()).unwrap();
    let manager = Manager::with(&["--no-demo", "--inventory", file.to_str().unwrap()]);
    for (tag, names, note) in [
        (
            "site:north:web",
            "north\nsouth\n",
            r#""site:north:web" matches scope "site" with tag "north:web", and scope "site:north" with tag "web""#,
        ),
        (
            "site:north:",
            "north\n",
            r#""site:north:" matches scope "site:north""#,
        ),
        (":north:web", "south\n", r#"":north:web" matches tag "north:web""#),
        ("site:north", "", ""),
        ("site:", "south\n", ""),
        ("web", "north\nplain\n", ""),
    ] {
        for command in [&["find"][..], &["list", "policy-group"]] {
            let arguments = [command, &["--tag", tag, "-o", "name"]].concat();
            let run = Run::of(&mut manager.program(&arguments));
            assert_eq!((run.code, run.stdout.as_str()), (0, names), "{run:?}");
            let warning = format!("warning: {note}\n");
            assert!(note.is_empty() || run.stderr.contains(&warning), "{run:?}");
            assert_eq!(
                names.is_empty(),
                run.stderr.contains(" match; a tag") || run.stderr.contains("no object matches"),
                "{run:?}"
            );
        }
    }
}

#[test]
fn names_of_a_map_or_a_list_are_those_of_its_items() {
    for (arguments, names) in [
        (&["policy-tags", "--scope", "env"][..], &["prod", "test"][..]),
        (&["policy-segment-ports"], &["app-01-port", "app-02-port"]),
        (&["policy-baremetal-servers"], &["bms-1-2"]),
        (&["ns-services"], &["DNS (UDP)", "HTTP"]),
        (
            &["policy-group-associations", "--ip-address", "10.10.0.11"],
            &["web-network", "web-servers"],
        ),
    ] {
        let run = netmgr(&[&["--simulate", "get", "-o", "name"], arguments].concat());
        let lines: Vec<&str> = run.stdout.lines().take(names.len()).collect();
        assert_eq!(lines, names, "{run:?}");
    }
    let scoped = netmgr(&[
        "--simulate",
        "get",
        "policy-vms",
        "--tag",
        "tier:web",
        "-o",
        "json",
    ]);
    assert!(
        scoped.stderr.contains("no object matches; `--tag-scope`"),
        "{scoped:?}"
    );
    let none = netmgr(&["--simulate", "get", "policy-groups", "--display-name", "nope"]);
    assert_eq!(
        (none.stdout.as_str(), none.stderr.as_str(), none.code),
        ("", "no object matches\n", 0)
    );
}

#[test]
fn a_list_without_a_function_shows_those_that_have_one_and_near_names_are_suggested() {
    let alone = netmgr(&["list"]);
    assert!(alone.failure(2).contains("\n  ip-pool "), "{alone:?}");
    assert!(!alone.stderr.contains("ns-groups"), "{alone:?}");
    let mistyped = netmgr(&["list", "ip-pol"]);
    assert!(
        mistyped.failure(2).contains("did you mean `ip-pool`"),
        "{mistyped:?}"
    );
}

#[test]
fn a_limit_ends_the_reading_and_all_pages_are_read_without_one() {
    let manager = Manager::with(&["--objects", "2500"]);
    let read = |arguments: &[&str]| {
        let run = Run::of(manager.program(&["list"]).args(arguments).arg("--stats"));
        assert_eq!(run.code, 0, "{run:?}");
        (run.stdout.lines().count(), run.stderr)
    };
    let (all, stats) = read(&["policy-certificate", "-o", "name"]);
    let pages = |stats: &str| -> u32 {
        let (_, pages) = stats.split_once("pages ").unwrap();
        pages.split(',').next().unwrap().parse().unwrap()
    };
    assert!(all >= 50, "{all}");
    assert!(pages(&stats) >= 1, "{stats}");
    let (few, stats) = read(&["policy-certificate", "-o", "ndjson", "--limit", "5"]);
    assert_eq!((few, pages(&stats)), (5, 1), "{stats}");
}

#[test]
fn a_filter_and_fields_shape_rows() {
    let names = list(&["ip-pool", "--query", ".[].displayName", "-o", "json"]);
    assert!(
        names.stdout.lines().all(|line| line.starts_with('"')),
        "{names:?}"
    );
    let lines = list(&["ip-pool", "-o", "ndjson", "--query", ".id"]);
    assert_eq!(lines.stdout.lines().count(), names.stdout.lines().count());
    let table = list(&["ip-pool", "--fields", "id,displayName"]);
    assert!(table.stdout.starts_with("ID "), "{table:?}");
    let unknown = netmgr(&["--simulate", "list", "ip-pool", "--fields", "displayNam"]);
    assert_eq!(
        unknown.failure(2),
        "error: --fields: there is no field \"displayNam\"\n  hint: did you mean `displayName`?\n"
    );
}

#[test]
fn names_and_tags_narrow_a_list_and_a_field_sorts_it() {
    let names = |arguments: &[&str]| {
        let run = list(&[&["policy-group", "-o", "name"], arguments].concat());
        run.stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(names(&["--tag", "tier:web"]), ["web-servers"]);
    assert_eq!(names(&["--tag", "web"]), ["web-servers"]);
    assert_eq!(names(&["--tag", "tier:"]), ["web-servers"]);
    let all = names(&["--contains", "SERVERS-T"]);
    assert_eq!(all, ["web-servers-twin", "web-servers-twin"]);
    let sorted =
        |arguments: &[&str]| list(&[&["policy-group", "--sort-by", "id"], arguments].concat()).stdout;
    let ids = sorted(&["-o", "csv", "--fields", "id"]);
    let ids: Vec<&str> = ids.lines().skip(1).collect();
    assert!(ids.len() > 5 && ids.is_sorted(), "{ids:?}");
    // A member of the objects that is not an output.
    let by_member =
        |arguments: &[&str]| list(&[&["policy-group", "--sort-by", "unique_id"], arguments].concat()).stdout;
    let members = by_member(&["-o", "csv", "--fields", "unique_id,displayName"]);
    let members: Vec<&str> = members.lines().skip(1).collect();
    assert!(members.len() > 5 && members.is_sorted(), "{members:?}");
    let names_by_member: Vec<&str> = members.iter().map(|row| &row[37..]).collect();
    assert_eq!(names(&["--sort-by", "unique_id"]), names_by_member);
    assert!(!by_member(&["-o", "json"]).contains("unique_id"));
    let first = [
        "--simulate",
        "list",
        "policy-group",
        "--sort-by",
        "id",
        "--limit",
        "2",
        "-o",
        "name",
    ];
    let first = netmgr(&first);
    assert_eq!(first.stderr, "the list ended at --limit 2\n");
    assert_eq!(first.stdout, names(&["--sort-by", "id"])[..2].join("\n") + "\n");
    for (arguments, error) in [
        (&["--sort-by", "pth"][..], "--sort-by: there is no field \"pth\""),
        (
            &["--sort-by", "uniqueIdd"],
            "--sort-by: there is no field \"uniqueIdd\"",
        ),
        (&["--tag", ":"], "invalid value ':' for '--tag <SCOPE:TAG>'"),
    ] {
        let run = netmgr(&[&["--simulate", "list", "policy-group"], arguments].concat());
        assert!(run.failure(2).contains(error), "{run:?}");
    }
}

#[test]
fn all_types_are_listed_with_the_number_of_their_objects() {
    let all = netmgr(&["--simulate", "list", "--all", "-o", "json"]).answer();
    let all = all.as_array().unwrap();
    let count = |name: &str| &all.iter().find(|one| one["function"] == name).unwrap()["count"];
    let pools = list(&["ip-pool", "-o", "name"]).stdout.lines().count();
    assert_eq!(*count("ip-pool"), pools);
    assert_eq!(*count("policy-edge-cluster"), 18);
    assert!(all.len() > 80, "{}", all.len());
    assert!(all.iter().all(|one| one["note"].is_null()), "{all:?}");
    // Types with a parent that an input must name are left out.
    assert!(
        !all.iter()
            .any(|one| one["function"] == "policy-gateway-interface")
    );
    let tagged = list(&["--all", "--tag", "tier:web", "-o", "csv"]).stdout;
    assert!(
        tagged.contains("policy-group,1,groups-and-services,\n"),
        "{tagged}"
    );
    assert!(tagged.contains("\nip-pool,0,"), "{tagged}");
    let both = netmgr(&["list", "--all", "ip-pool"]);
    assert!(both.failure(2).contains("--all lists every type"), "{both:?}");
    let limited = netmgr(&["--simulate", "list", "--all", "--limit", "3"]);
    assert!(
        limited.failure(2).contains("no effect on `netmgr list --all`"),
        "{limited:?}"
    );
}

#[test]
fn a_reader_that_has_enough_ends_a_list_quietly() {
    let manager = Manager::with(&["--objects", "5000"]);
    let mut command: Command = manager.program(&["list", "policy-certificate", "-o", "ndjson"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    drop(reader);
    assert!(serde_json::from_str::<Value>(&first).unwrap().is_object());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn a_filter_of_a_list_that_fails_quotes_little_and_suggests_each_object() {
    let failed = netmgr(&["--simulate", "list", "policy-certificate", "--query", ".id"]);
    let report = failed.failure(2);
    assert!(report.contains("\n  caused by: cannot index [{"), "{report}");
    assert!(report.contains(" with \"id\"\n"), "{report}");
    assert!(report.contains("hint: the input is a list; '.[].id'"), "{report}");
    assert!(report.lines().all(|line| line.chars().count() <= 220), "{report}");
    // These formats apply the filter to each object.
    let of_list = netmgr(&["--simulate", "list", "ip-pool", "-o", "csv", "--query", ".[].id"]);
    let report = of_list.failure(2);
    assert!(
        report.contains("hint: the input is one object; '.id'"),
        "{report}"
    );
}

#[test]
fn a_filter_applies_to_each_row_of_the_formats_that_print_them_as_they_come() {
    let filtered = |format, filter| list(&["ip-pool", "-o", format, "--query", filter]).stdout;
    let rows = list(&["ip-pool", "-o", "name"]).stdout;
    let count = rows.lines().count();
    assert_eq!(filtered("name", ".displayName"), rows);
    assert_eq!(filtered("csv", ".displayName"), rows);
    assert_eq!(filtered("ndjson", ".displayName").lines().count(), count);
    let table = filtered("csv", "{id, name: .displayName}");
    assert!(table.starts_with("name,id\n"), "{table}");
    assert_eq!(table.lines().count(), count + 1);
    assert_eq!(filtered("csv", "[.id, 1]").lines().count(), count);
    assert_eq!(filtered("name", "select(.id == \"nothing\")"), "");
    let help = netmgr(&["list", "--help"]).stdout.replace('\n', " ");
    let sentence = "With `-o ndjson`, `csv` or `name`, objects are printed as they are read, unsorted without `--sort-by`, \
                    and `--query` applies to each object instead of the whole list.";
    assert!(help.contains(sentence), "{help}");
}

#[test]
fn a_list_is_sorted_and_says_that_it_is_empty_or_ended_by_its_limit() {
    let names = list(&["policy-edge-cluster", "-o", "json", "--query", ".[].displayName"]).stdout;
    let names: Vec<&str> = names.lines().collect();
    assert!(names.is_sorted() && names.len() > 5, "{names:?}");
    for format in ["table", "json", "csv", "name"] {
        let run = |arguments: &[&str]| {
            let arguments = [&["--simulate", "list", "ip-pool", "-o", format], arguments].concat();
            let run = netmgr(&arguments);
            assert_eq!(run.code, 0, "{run:?}");
            run.stderr
        };
        assert_eq!(run(&["--prefix", "nothing"]), "no IP pools match\n");
        assert_eq!(run(&["--limit", "0"]), "the list ended at --limit 0\n");
        assert_eq!(run(&["--limit", "1"]), "the list ended at --limit 1\n");
        assert_eq!(run(&["--limit", "1000"]), "");
    }
}

#[test]
fn a_filter_ends_no_process_and_prints_what_jq_prints() {
    let filtered = |filter: &str| netmgr(&["get", "--simulate", "vm", "web-01", "--query", filter]);
    for code in [
        "def again: again | again; again",
        "def deeper: [deeper]; deeper",
        "def f: 1 + f; f",
        "reduce range(90000) as $n (null; [.])",
        "\"x\" * 3000000000",
        "\"x\" * 1e15",
        ".[99999999999] = 1",
        &format!("{}1{}", "(".repeat(30_000), ")".repeat(30_000)),
        &format!("{}1{}", "[".repeat(30_000), "]".repeat(30_000)),
    ] {
        let run = filtered(code);
        assert!(run.failure(2).starts_with("error: --query: "), "{run:?}");
        assert!(
            run.stderr.contains("\n  caused by: ") && run.stderr.len() < 1000,
            "{run:?}"
        );
        let advises_on_input = run.stderr.contains("the input is");
        let is_about_size = ["limits", "too deeply"]
            .iter()
            .any(|why| run.stderr.contains(why));
        assert!(!(advises_on_input && is_about_size), "{run:?}");
    }
    for (filter, printed) in [
        ("\"\"", "\n"),
        (".nope", "\n"),
        ("\"two\\nlines\", true, 1.5", "two\nlines\ntrue\n1.5\n"),
        ("[1, \"a\"], {}", "[\n  1,\n  \"a\"\n]\n{}\n"),
        ("[\"a\\tb\", 1, null] | @tsv, @csv", "a\\tb\t1\t\n\"a\tb\",1,\n"),
        ("empty", ""),
        ("1, halt, 2", "1\n"),
    ] {
        let run = filtered(filter);
        assert_eq!(
            (run.code, run.stdout.as_str(), run.stderr.as_str()),
            (0, printed, ""),
            "{filter}"
        );
    }
    assert_eq!(filtered("\"stopped\\n\" | halt_error").failure(5), "stopped\n");
    assert_eq!(filtered("{a: 1} | halt_error(42)").failure(42), "{\"a\":1}\n");
    let reports = [".[", ".a | nothing", "$x", ""].map(|filter| filtered(filter).failure(2).to_owned());
    insta::assert_snapshot!(reports.join("\n"));
}

#[test]
fn the_first_field_is_the_name_and_an_unknown_field_is_an_error_everywhere() {
    let group = "/infra/domains/default/groups/web-servers";
    for (command, field) in [
        (&["list", "segments", "--limit", "2"][..], "path"),
        (&["find", "--type", "Group", "--limit", "1000"], "path"),
        (&["references", group], "path"),
        (&["get", "group", "web-servers"], "path"),
        (&["get", "object", group], "path"),
        (&["list", "--all"], "count"),
        (&["types"], "token"),
        (&["config", "profiles"], "name"),
        (&["config", "show"], "value"),
        (&["version"], "version"),
        (&["diff", "FILE", "OTHER"], "change"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let files = [("FILE", "a"), ("OTHER", "b")].map(|(name, id)| {
            let file = folder.path().join(name);
            std::fs::write(&file, format!("{{\"/infra/segments\": [{{\"id\": {id:?}}}]}}")).unwrap();
            file.to_str().unwrap().to_owned()
        });
        std::fs::write(
            folder.path().join("config.toml"),
            "[profiles.lab]\nhost = \"m\"\n",
        )
        .unwrap();
        let run = |arguments: &[&str]| {
            let place = |word: &&str| match *word {
                "FILE" => files[0].clone(),
                "OTHER" => files[1].clone(),
                word => word.to_owned(),
            };
            let words: Vec<String> = command.iter().chain(arguments).map(place).collect();
            let mut command = crate::support::program(words);
            match command.get_args().next().unwrap().to_str().unwrap() {
                "config" => command.args(["--config", folder.path().join("config.toml").to_str().unwrap()]),
                "types" | "version" | "diff" => &mut command,
                _ => command.arg("--simulate"),
            };
            Run::of(&mut command)
        };
        let names = run(&["-o", "name", "--fields", field]);
        let rows = run(&["-o", "csv", "--fields", field]);
        let (header, rows) = rows.stdout.split_once('\n').unwrap();
        assert_eq!(
            (header, rows.replace('"', "")),
            (field, names.stdout.replace('"', "")),
            "{names:?}"
        );
        assert!(!names.stdout.trim().is_empty(), "{names:?}");
        for format in ["table", "json", "csv", "name", "ndjson", "wide", "yaml"] {
            let unknown = run(&["-o", format, "--fields", "zzzz"]);
            let report = unknown.failure(2);
            assert!(
                report.starts_with("error: --fields: there is no field \"zzzz\"\n"),
                "{report}"
            );
            assert!(
                report.contains("the fields are ") && report.contains(field),
                "{report}"
            );
        }
        assert!(
            run(&["--fields"])
                .failure(2)
                .contains("error: --fields requires the names of fields\n  hint: the fields are ")
        );
        let plain = run(&["-o", "name"]);
        assert!(plain.code == 2 || !plain.stdout.is_empty(), "{plain:?}");
    }
}

#[test]
fn names_of_lists_are_lines_and_no_formulas() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = folder.path().join("odd.json");
    let names = [
        "two\nlines",
        "plain",
        "=SUM(1;2)",
        "\u{1b}[31mred",
        "\u{202e}txt.exe",
        "-1+2",
        "@x",
    ];
    let segments = names
        .iter()
        .enumerate()
        .map(|(id, name)| json!({ "id": id.to_string(), "display_name": name }));
    let segments: Vec<Value> = segments.collect();
    std::fs::write(&inventory, json!({ "/infra/segments": segments }).to_string()).unwrap();
    let manager = Manager::with(&["--no-demo", "--inventory", inventory.to_str().unwrap()]);
    let list = |format: &str| {
        let arguments = ["list", "policy-segment", "--fields", "displayName", "-o", format];
        Run::of(&mut manager.program(&arguments)).stdout
    };
    assert_eq!(list("name").lines().count(), names.len());
    assert!(list("name").contains("two\\nlines\n"));
    let csv = list("csv");
    assert_eq!(csv.lines().count(), names.len() + 1);
    assert!(
        csv.lines().all(|line| !line.starts_with(['=', '+', '-', '@'])),
        "{csv}"
    );
}

#[test]
fn a_field_that_only_an_object_on_a_later_page_has_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("segments.json");
    let mut segments: Vec<Value> = (0..1200).map(|id| json!({ "id": format!("s{id:04}") })).collect();
    segments[1199]["note"] = "last".into();
    std::fs::write(&file, json!({ "/infra/segments": segments }).to_string()).unwrap();
    let manager = Manager::with(&["--no-demo", "--inventory", file.to_str().unwrap()]);
    for format in ["csv", "ndjson", "name"] {
        let list = |field| {
            Run::of(&mut manager.program(&["list", "policy-segment", "-o", format, "--fields", field]))
        };
        let (note, none) = (list("note"), list("nope"));
        assert!(note.code == 0 && note.stdout.contains("last"), "{note:?}");
        assert!(none.failure(2).contains("there is no field \"nope\"") && none.stdout.is_empty());
        // Any object can have tags.
        assert_eq!(list("tags").code, 0, "{format}");
    }
}

#[test]
fn tables_of_machines_leave_out_ids_in_other_systems() {
    let machines = list(&["policy-vm"]);
    let headings = machines.stdout.lines().next().unwrap_or_default();
    let headings: Vec<&str> = headings
        .split("  ")
        .filter(|heading| !heading.is_empty())
        .collect();
    let headings: Vec<&str> = headings.iter().map(|heading| heading.trim()).collect();
    assert_eq!(headings, ["DISPLAY NAME", "ID", "POWER STATE", "TAGS"]);
}

#[test]
fn formats_are_honoured_or_refused() {
    for arguments in [
        &["schema", "ip-pool", "-o", "csv"][..],
        &["schema", "ip-pool", "-o", "name"],
        &["options", "-o", "json"],
        &["list", "--simulate", "--all", "-o", "raw"],
        &["config", "use", "lab", "-o", "json"],
        &["config", "set", "host", "m", "-o", "csv"],
    ] {
        let run = netmgr(arguments);
        assert!(run.failure(2).contains("-o"), "{run:?}");
    }
    let path = netmgr(&["config", "path", "--config", "/x.toml", "-o", "json"]).answer();
    assert_eq!(path, json!({ "path": "/x.toml" }));
    for (format, text) in [
        ("table", "/x.toml\n"),
        ("name", "/x.toml\n"),
        ("csv", "path\n/x.toml\n"),
    ] {
        assert_eq!(
            netmgr(&["config", "path", "--config", "/x.toml", "-o", format]).stdout,
            text
        );
    }
    let types = netmgr(&["types", "-o", "json"]).answer();
    for name in types[0].as_object().unwrap().keys() {
        assert_eq!(netmgr(&["types", "--fields", name]).code, 0, "{name}");
    }
}

#[test]
fn a_list_without_its_search_names_the_place_that_it_has() {
    let manager = Manager::with(&["--fault", "GET /policy/api/v1/search/query status=404"]);
    let list = |options: &[&str]| {
        let arguments = [&["list", "policy-segment", "--max-retries", "0"], options].concat();
        Run::of(&mut manager.program(&arguments))
    };
    for (options, place) in [
        (&["--prefix", "web"][..], "/infra"),
        (
            &["--prefix", "dev", "--project", "dev"],
            "/orgs/default/projects/dev/infra",
        ),
    ] {
        let listed = list(options);
        let warning = format!("only the segments directly below {place} are listed");
        assert!(listed.stderr.contains(&warning), "{listed:?}");
    }
}

#[test]
fn a_list_does_not_rely_on_an_empty_index_or_on_objects_without_a_path() {
    let list = |body: &str, options: &[&str]| {
        let fault = format!("GET /policy/api/v1/search/query body={body}");
        let manager = Manager::with(&["--fault", &fault]);
        let arguments = [&["list", "policy-segment", "-o", "name"], options].concat();
        Run::of(&mut manager.program(&arguments))
    };
    for options in [&[][..], &["--prefix", "web"]] {
        let unindexed = list(r#"{"results":[],"result_count":0}"#, options);
        assert!(unindexed.stdout.contains("web-tier\n"), "{unindexed:?}");
        assert!(
            unindexed
                .stderr
                .contains("the search found none, so only the segments directly below /infra are listed"),
            "{unindexed:?}"
        );
    }
    let row = r#"{"results":[{"id":"a","resource_type":"Segment","display_name":"a"}],"result_count":1}"#;
    let broken = list(row, &[]);
    assert!(broken.stderr.contains("may be incomplete"), "{broken:?}");
}

#[test]
fn inputs_that_identify_an_object_filter_lists() {
    for (arguments, rows) in [
        (
            &[
                "policy-vm",
                "--external-id",
                "5a260001-1111-4222-8333-000000000001",
            ][..],
            1,
        ),
        (&["policy-vm", "--bios-id", "nope"], 0),
        (&["policy-segment-port", "--vif-id", "nope"], 0),
        (&["policy-baremetal-server", "--external-id", "nope"], 0),
    ] {
        let run = netmgr(&[&["--simulate", "list", "-o", "name"], arguments].concat());
        assert_eq!((run.code, run.stdout.lines().count()), (0, rows), "{run:?}");
    }
    // It is known only after further requests for each gateway.
    let path = "/infra/sites/default/enforcement-points/default/edge-clusters/nope";
    let list = [
        "--simulate",
        "list",
        "policy-tier1-gateway",
        "--edge-cluster-path",
        path,
    ];
    assert!(netmgr(&list).failure(2).contains("--edge-cluster-path"));
}

#[test]
fn an_empty_list_names_the_form_of_a_tag_in_any_scope() {
    let manager = Manager::start();
    for command in [&["list", "policy-segment"][..], &["find", "--type", "segment"]] {
        for (tag, is_named) in [
            ("nope:nope", true),
            ("nope:", true),
            (":nope", false),
            ("nope", false),
        ] {
            let arguments = [command, &["--tag", tag]].concat();
            let found = Run::of(&mut manager.program(&arguments));
            assert_eq!(
                found.stderr.contains("`:TAG`"),
                is_named,
                "{arguments:?}: {found:?}"
            );
        }
    }
}
