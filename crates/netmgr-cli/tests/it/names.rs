//! The names of functions and objects as they are typed: arguments, short words, plurals, and whole names.

use crate::support::{Run, netmgr};

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
            help.stdout.contains(&format!("netmgr list {name}\n")),
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
}

#[test]
fn functions_are_suggested_for_the_beginnings_of_their_words_and_for_plurals() {
    for (typed, suggested) in [
        ("nat", "`policy-transit-gateway-nat` or `vpc-nat`"),
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
            "omit `--context-project-id` to select it",
        ),
    ] {
        let run = simulated(&[&["get"], arguments].concat());
        assert!(
            run.failure(3).ends_with(&format!("\n  hint: {hint}\n")),
            "{arguments:?}: {run:?}"
        );
    }
}
