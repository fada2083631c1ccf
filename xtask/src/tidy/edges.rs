//! Which crate may depend on which.

use super::metadata::{Kind, Package};

/// The crates of the workspace, each with those it may depend on in normal and build
/// dependencies. Tests may use what they need, except what is in [`LEAVES`].
const ALLOWED: &[(&str, &[&str])] = &[
    ("netmgr-types", &[]),
    ("netmgr-transport", &["netmgr-types"]),
    ("netmgr-lookups", &["netmgr-transport", "netmgr-types"]),
    ("netmgr", &["netmgr-lookups", "netmgr-transport", "netmgr-types"]),
    ("netmgr-sim", &[]),
    (
        "netmgr-cli",
        &["netmgr-lookups", "netmgr-transport", "netmgr-types", "netmgr-sim"],
    ),
    (
        "netmgr-plugin",
        &[
            "netmgr-lookups",
            "netmgr-transport",
            "netmgr-types",
            "pulumi-plugin",
        ],
    ),
    ("grpc-plugin", &[]),
    ("terraform-rpc", &["grpc-plugin"]),
    (
        "terraform-provider-netmgr",
        &[
            "terraform-rpc",
            "netmgr-lookups",
            "netmgr-transport",
            "netmgr-types",
        ],
    ),
    ("pulumi-plugin", &[]),
    ("clusterpkg-components", &["pulumi-plugin"]),
    ("pulumi-testing", &[]),
    ("fuzz-testing", &[]),
    ("netmgr-tests", &["pulumi-plugin"]),
    (
        "xtask",
        &[
            "netmgr-lookups",
            "netmgr-types",
            "clusterpkg-components",
            "pulumi-plugin",
        ],
    ),
];

/// Crates that nothing depends on, not even in tests.
const LEAVES: &[&str] = &["netmgr-tests", "xtask"];

/// Edges that the table does not allow, and crates it does not know.
pub(super) fn findings(packages: &[Package]) -> Vec<String> {
    check(packages, ALLOWED)
}

fn check(packages: &[Package], allowed: &[(&str, &[&str])]) -> Vec<String> {
    let mut findings = Vec::new();
    for package in packages {
        let name = package.name.as_str();
        let Some((_, targets)) = allowed.iter().find(|(from, _)| *from == name) else {
            findings.push(format!(
                "crate {name} is not in the table of xtask/src/tidy/edges.rs; add it with its permitted dependencies"
            ));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|d| d.path.is_some()) {
            let to = dependency.name.as_str();
            if LEAVES.contains(&to) {
                findings.push(format!("{name} depends on {to}; no crate may"));
            } else if dependency.kind != Some(Kind::Dev) && !targets.contains(&to) {
                findings.push(format!(
                    "{name} depends on {to}; it may depend on {}",
                    if targets.is_empty() {
                        "no crate of the workspace".to_owned()
                    } else {
                        targets.join(", ")
                    }
                ));
            }
        }
    }
    for (name, _) in allowed {
        if packages.iter().all(|package| package.name != *name) {
            findings.push(format!(
                "the table of xtask/src/tidy/edges.rs lists {name}, which does not exist"
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn package(name: &str, dependencies: serde_json::Value) -> Package {
        serde_json::from_value(json!({
            "name": name, "dependencies": dependencies, "manifest_path": "/w/Cargo.toml",
        }))
        .unwrap()
    }

    const TABLE: &[(&str, &[&str])] = &[("low", &[]), ("high", &["low"])];

    #[test]
    fn edges_of_the_table_pass() {
        let high =
            json!([{ "name": "low", "kind": null, "path": "/w/low" }, { "name": "serde", "kind": null }]);
        let packages = [package("low", json!([])), package("high", high)];
        assert_eq!(check(&packages, TABLE), [""; 0]);
    }

    #[test]
    fn an_edge_against_the_direction_is_found() {
        for kind in [json!(null), json!("build")] {
            let low = json!([{ "name": "high", "kind": kind, "path": "/w/high" }]);
            let packages = [package("low", low), package("high", json!([]))];
            assert_eq!(
                check(&packages, TABLE),
                ["low depends on high; it may depend on no crate of the workspace"]
            );
        }
    }

    #[test]
    fn tests_may_use_other_crates_but_never_a_leaf() {
        let low = json!([
            { "name": "high", "kind": "dev", "path": "/w/high" },
            { "name": "xtask", "kind": "dev", "path": "/w/xtask" },
        ]);
        let packages = [package("low", low), package("high", json!([]))];
        assert_eq!(check(&packages, TABLE), ["low depends on xtask; no crate may"]);
    }

    #[test]
    fn an_unknown_crate_asks_for_a_row_and_a_stale_row_is_found() {
        let packages = [package("low", json!([])), package("new", json!([]))];
        let findings = check(&packages, TABLE);
        assert!(
            findings[0].starts_with("crate new is not in the table"),
            "{findings:?}"
        );
        assert!(
            findings[1].contains("lists high, which does not exist"),
            "{findings:?}"
        );
        assert_eq!(findings.len(), 2);
    }
}
