//! The names of functions and objects as they are typed: arguments, short words, plurals, and whole names.

use crate::support::{Manager, Run, netmgr};

fn printed(run: &Run) -> &str {
    assert_eq!(run.code, 0, "{run:?}");
    &run.stdout
}

fn simulated(arguments: &[&str]) -> Run {
    netmgr(&[&["--simulate"], arguments].concat())
}

#[test]
fn the_name_of_an_object_is_an_argument() {
    let by_flag = simulated(&["get", "ip-pool", "--display-name", "tep-pool", "-o", "json"]).answer();
    for arguments in [
        ["get", "ip-pool", "tep-pool", "-o", "json"],
        ["get", "ip-pools", "tep-pool", "-o", "json"],
        ["get", "ip_pool", "-o", "json", "tep-pool"],
        ["get", "getIpPool", "tep-pool", "--exact", "-ojson"],
    ] {
        assert_eq!(simulated(&arguments).answer(), by_flag, "{arguments:?}");
    }
    // If the name is required, it may also be an argument.
    let collection = simulated(&["get", "compute-collection", "--help"]);
    assert!(collection.stdout.contains("[NAME]"), "{collection:?}");
    let twice = simulated(&["get", "ip-pool", "tep-pool", "--display-name", "tep-pool"]);
    assert!(twice.failure(2).contains("cannot be used with"), "{twice:?}");
    let two = simulated(&["get", "ip-pool", "tep", "pool"]);
    assert!(two.failure(2).contains("with spaces in quotes"), "{two:?}");
    // A function that finds nothing by name has no such argument.
    let fact = simulated(&["get", "manager-info", "x"]);
    assert!(fact.failure(2).contains("unexpected argument \"x\""), "{fact:?}");
}

#[test]
fn plurals_and_short_words_are_names_of_functions() {
    for (typed, name) in [
        ("ip-pools", "ip-pool"),
        ("edge-nodes", "policy-edge-node"),
        ("dhcp-server", "policy-dhcp-server"),
        ("ns-groups", "ns-group"),
        ("policy-edge-clusters", "policy-edge-cluster"),
        ("policy_edge_clusters", "policy-edge-cluster"),
        ("policy_services", "policy-service"),
    ] {
        let help = netmgr(&["list", typed, "-h"]);
        assert!(
            help.stdout.starts_with("List all ")
                && help.stdout.contains(&format!("Usage: netmgr list {name} [")),
            "{typed}: {help:?}"
        );
    }
    // A map keeps its name.
    let map = netmgr(&["get", "ns-groups", "-h"]);
    assert!(map.stdout.contains("netmgr get ns-groups "), "{map:?}");
    let tier0 = simulated(&["list", "tier0s", "-o", "json"]).answer();
    assert_ne!(tier0, serde_json::json!([]));
}

#[test]
fn every_command_takes_the_same_words_for_a_type() {
    for word in [
        "group",
        "GROUP",
        "policy-group",
        "policy_group",
        "getPolicyGroup",
        "Group",
    ] {
        for arguments in [
            &["list", word, "-o", "name"][..],
            &["find", "--type", word, "-o", "name"],
        ] {
            let found = simulated(arguments);
            assert!(
                printed(&found).contains("web-servers\n"),
                "{arguments:?}: {found:?}"
            );
        }
        for arguments in [
            &["get", word, "web-servers", "-o", "name"][..],
            &[
                "references",
                "/infra/domains/default/groups/web-servers",
                "--type",
                word,
            ],
            &["schema", word],
            &["types", word],
            &["man", "get", word],
        ] {
            printed(&match arguments[0] {
                "get" | "references" => simulated(arguments),
                _ => netmgr(arguments),
            });
        }
    }
    for (word, object_type) in [
        ("policy-intrusion-service-policy-rule", "IdsRule"),
        ("intrusion-service-policies", "IdsSecurityPolicy"),
        ("rules", "Rule"),
        ("certificate", "TlsCertificate"),
        ("certificates", "TlsCertificate"),
    ] {
        let find = ["find", "--type", word, "--fields", "resourceType", "-o", "name"];
        let found = simulated(&find);
        let mut types: Vec<&str> = printed(&found).lines().collect();
        types.dedup();
        assert_eq!(types, [object_type], "{word}");
    }
    for (word, function) in [
        ("LogicalRouter", "logical-tier0-router"),
        ("switching-profile", "switching-profile"),
    ] {
        let unsearched = netmgr(&["find", "--type", word]);
        assert!(
            unsearched
                .failure(2)
                .contains(&format!("`netmgr list {function}`")),
            "{unsearched:?}"
        );
    }
    for arguments in [
        ["find", "--type", "Grup"],
        ["references", "/infra", "--type=Grup"],
        ["export", "-o=x", "--type=Grup"],
    ] {
        let unknown = netmgr(&arguments);
        let start = "error: there is no type \"Grup\"\n  hint: did you mean `Group`";
        assert!(
            unknown.failure(2).starts_with(start),
            "{arguments:?}: {unknown:?}"
        );
    }
}

#[test]
fn types_are_filtered_by_a_text_and_have_both_names() {
    let types = netmgr(&["types", "ip pool"]);
    assert!(
        types.stdout.contains("policy-ip-pool") && types.stdout.contains("IpAddressPool: "),
        "{types:?}"
    );
    assert!(!types.stdout.contains("policy-group"), "{types:?}");
    let unknown = netmgr(&["types", "gruop"]);
    assert!(unknown.failure(2).contains("`policy-group`"), "{unknown:?}");
}

#[test]
fn a_function_of_the_older_api_names_the_newer_one() {
    for name in ["tep-pool", "nothing-like-it"] {
        let older = simulated(&["get", "ip-pools", name]);
        assert!(
            older.stderr.contains("`policy-ip-pool` reads the policy API"),
            "{older:?}"
        );
    }
    let newer = simulated(&["get", "policy-ip-pool", "pool-tep"]);
    assert_eq!((newer.code, newer.stderr.as_str()), (0, ""));
}

#[test]
fn a_value_that_begins_with_a_dash_has_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = folder.path().join("dashes.json");
    let groups = r#"{"/infra/domains/default/groups": [{"id": "m", "display_name": "-minus"}]}"#;
    std::fs::write(&inventory, groups).unwrap();
    let manager = Manager::with(&["--no-demo", "--inventory", inventory.to_str().unwrap()]);
    let run =
        |arguments: &[&str]| Run::of(&mut manager.program(&[&["get", "policy-group"], arguments].concat()));
    assert_eq!(
        run(&["--display-name", "-minus"]).failure(2),
        "error: --display-name has no value, because -minus begins with `-`\n  hint: write `--display-name=-minus`\n"
    );
    for works in [&["--display-name=-minus"][..], &["-o", "json", "--", "-minus"]] {
        assert!(printed(&run(works)).contains("-minus"), "{works:?}");
    }
    let after = run(&["--", "-minus", "-o", "json"]);
    assert!(
        after.failure(2).contains("everything after `--` is a name"),
        "{after:?}"
    );
    let bare = run(&["-minus"]);
    assert!(
        bare.failure(2)
            .contains("`--` precedes a name that begins with `-`"),
        "{bare:?}"
    );
}

#[test]
fn hints_name_options_that_the_command_has_and_was_not_given() {
    for (arguments, error) in [
        (
            &["list", "policy-group", "--limit", "-1"][..],
            "invalid value '-1' for '--limit <N>': must be a non-negative whole number",
        ),
        (
            &["get", "policy-realization-info", "/infra/segments/a"],
            "hint: write `--path /infra/segments/a`",
        ),
        (
            &["config", "get", "host", "port"],
            "hint: usage: netmgr config get [OPTIONS] <SETTING>",
        ),
        (
            &["get", "policy-segment-realization", "--timeout", "1"],
            "hint: usage: netmgr get policy-segment-realization",
        ),
        (
            &["get", "policy-group", "--displayname", "x"],
            "did you mean `--display-name`?",
        ),
        (
            &["get", "policy-group", "--display-name=x", "--displayname", "x"],
            "hint: usage: ",
        ),
        (
            &["get", "policy-group", "x", "--hostname", "y"],
            "did you mean `--host`?",
        ),
        (&["simulate", "--hostname", "y"], "hint: usage: "),
        (
            &["types", "--host", "x"],
            "--host has no effect on `netmgr types`\n  hint: remove it; it is an option of other commands",
        ),
        (
            &["--host", "x", "types"],
            "--host has no effect on `netmgr types`",
        ),
        (
            &["get", "object", "/infra/a", "/infra/b"],
            "only one path is accepted",
        ),
        (&["check", "a", "b"], "only one path is accepted"),
        (
            &[
                "get",
                "policy-tier1-gateway",
                "/infra/tier-1s/a",
                "--path",
                "/infra/tier-1s/b",
            ],
            "only one path is accepted",
        ),
        (
            &["get", "manager-info", "/infra/segments/a"],
            "hint: usage: netmgr get manager-info",
        ),
        (
            &["list", "policy-group", "--all"],
            "hint: usage: netmgr list policy-group",
        ),
        (
            &["find", "--file", "x"],
            "hint: usage: netmgr find [OPTIONS] [NAME]",
        ),
        (&["find", "--name-contains", "x"], "did you mean `--contains`?"),
        (&["export", "-o", "a", "--out", "b"], "hint: usage: netmgr export"),
        (
            &["man", "config", "set", "host"],
            "hint: `netmgr config set` has no commands of its own",
        ),
        (
            &["config", "set", "host", "-x"],
            "`--` precedes a value that begins with `-`",
        ),
        (&["list", "policy-group", "--sort-by", "-id"], "hint: usage: "),
        (
            &["find", "--type", "policy-lb-app-profile"],
            "means several types\n  hint: they are `LBFastTcpProfile`, `LBFastUdpProfile`, `LBHttpProfile`",
        ),
        (
            &["export", "--type", "manager-info", "-o", "a"],
            "hint: `netmgr get manager-info` runs it",
        ),
        (&["config", "nope"], "`netmgr config --help` lists the commands"),
        (&["config", "get", "x"], "`netmgr config --help`"),
        (&["config", "sett", "x"], "did you mean `set`?"),
        (
            &["man", "lst"],
            "there is no command \"lst\"\n  hint: did you mean `list`?",
        ),
        (
            &["man", "config", "sett"],
            "there is no command \"sett\"\n  hint: did you mean `set`?",
        ),
        (
            &["man", "get", "segmnt"],
            "there is no function \"segmnt\"\n  hint: did you mean `policy-segment`?",
        ),
        (
            &["get", "--project", "p"],
            "there is no option --project\n  hint: inputs follow the name of a function",
        ),
        (
            &["list", "--vif-id", "x"],
            "there is no option --vif-id\n  hint: inputs follow the name of a function",
        ),
        (&["get", "-x"], "there is no option -x"),
        (&["find", "--type", "policy-vpc"], "did you mean `Vpc`"),
        (&["find", "--limit", "1.5"], "must be a non-negative whole number"),
        (
            &["export", "-o", "a", "--states", "x"],
            "must be a non-negative whole number",
        ),
        (
            &["get", "policy-group", "--allow-unverified-ssl=x"],
            "the values are true, false\n",
        ),
    ] {
        let refused = netmgr(arguments);
        assert!(refused.failure(2).contains(error), "{arguments:?}: {refused:?}");
    }
    let many = netmgr(&["get", "gateway"]);
    assert_eq!(many.failure(2).matches("`policy-").count(), 5, "{many:?}");
    for arguments in [["help", "--help"], ["help", "-h"]] {
        assert!(netmgr(&arguments).stdout.contains("  version "), "{arguments:?}");
    }
}

#[test]
fn a_project_has_one_option_in_all_commands() {
    for option in ["--project", "--context-project-id"] {
        for command in [&["list", "policy-group"][..], &["find", "--type", "Group"]] {
            let arguments = [command, &[option, "dev", "-o", "json"]].concat();
            let found = simulated(&arguments);
            let found = printed(&found);
            assert!(found.contains("/projects/dev/"), "{arguments:?}: {found}");
        }
    }
}

#[test]
fn a_longer_name_is_reported_or_excluded() {
    let longer = simulated(&["get", "policy-edge-cluster", "edge-cluster-t", "-o", "name"]);
    assert_eq!(
        (longer.code, longer.stdout.as_str()),
        (0, "edge-cluster-third\n"),
        "{longer:?}"
    );
    assert_eq!(
        longer.stderr,
        "note: no edge cluster is named \"edge-cluster-t\"; \"edge-cluster-third\" is the only name with \
         this prefix\n"
    );
    let exact = simulated(&["get", "policy-edge-cluster", "edge-cluster-t", "--exact"]);
    assert_eq!(
        exact.failure(3),
        "error: getPolicyEdgeCluster: no edge cluster has display name \"edge-cluster-t\"\n  \
         hint: `--exact` excludes \"edge-cluster-third\", whose name begins with it\n"
    );
    let several = simulated(&["get", "policy-edge-cluster", "edge-cluster", "--exact"]);
    assert!(
        several.failure(3).contains(
            r#"excludes "edge-cluster-prod", "edge-cluster-spare", "edge-cluster-third", whose names begin"#
        ),
        "{several:?}"
    );
    // An id takes precedence over the name.
    let by_id = simulated(&["get", "ip-pool", "--id", "nope", "--exact", "tep"]);
    assert!(by_id.failure(3).contains("with id \"nope\""), "{by_id:?}");
    // Another input selects the object, whatever its name.
    let bios = "42260001-1111-4222-8333-000000000001";
    let other = simulated(&["get", "policy-vm", "--bios-id", bios, "--display-name", "db-01"]);
    assert!(other.code == 0 && !other.stderr.contains("note: "), "{other:?}");
}

#[test]
fn functions_are_suggested_for_the_beginnings_of_their_words_and_for_plurals() {
    for (typed, suggested) in [
        ("nat", "`vpc-nat` or `policy-transit-gateway-nat`"),
        (
            "pools",
            "`ip-pool`, `mac-pool`, `policy-ip-pool` or `policy-vni-pool`",
        ),
        ("certs", "`certificate` or `policy-certificate`"),
    ] {
        let unknown = netmgr(&["get", typed]);
        assert_eq!(
            unknown.failure(2),
            format!("error: there is no function \"{typed}\"\n  hint: did you mean {suggested}?\n")
        );
    }
}

#[test]
fn similar_names_are_suggested_for_an_object_that_is_not_found() {
    for (arguments, hint) in [
        (&["ip-pool", "tep-pol"][..], "did you mean \"tep-pool\"?"),
        (&["ip-pool", "TEP-POOL"], "did you mean \"tep-pool\"?"),
        (
            &["policy-edge-cluster", "egde"],
            "did you mean \"EDGE\" or \"edge\"?",
        ),
        (
            &["ip-pool", "nothing-like-it"],
            "check the inputs; names are case-sensitive",
        ),
        // The collection is not read for an id.
        (
            &["ip-pool", "--id", "tep-pool"],
            "use `--display-name` if this is a display name and not an id",
        ),
        (
            &["ip-pool", "--id", " tep-pool"],
            "remove the blank at the beginning or the end of `--id`",
        ),
        (
            &[
                "policy-group",
                "--display-name",
                "web-servers",
                "--context-project-id",
                "default-x",
            ],
            "omit `--project` to select it",
        ),
    ] {
        let run = simulated(&[&["get"], arguments].concat());
        assert!(
            run.failure(3).ends_with(&format!("\n  hint: {hint}\n")),
            "{arguments:?}: {run:?}"
        );
    }
}
