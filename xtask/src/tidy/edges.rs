//! Permitted dependencies between crates (decision layers).

use cargo_metadata::{DependencyKind, Package};

/// The crates of the workspace, each with those it may depend on in normal and build
/// dependencies. Tests may use what they need, except what is in [`LEAVES`].
const ALLOWED: &[(&str, &[&str])] = &[
    ("netmgr-types", &[]),
    ("netmgr-transport", &["netmgr-types"]),
    ("netmgr-lookups", &["netmgr-transport", "netmgr-types"]),
    ("netmgr", &["netmgr-lookups", "netmgr-transport", "netmgr-types"]),
    (
        "netmgr-recording",
        &["netmgr-lookups", "netmgr-transport", "netmgr-types"],
    ),
    ("netmgr-sim", &[]),
    (
        "netmgr-cli",
        &[
            "netmgr-lookups",
            "netmgr-recording",
            "netmgr-transport",
            "netmgr-types",
            "netmgr-sim",
            "terraform-switch",
        ],
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
    ("terraform-plugin", &[]),
    ("terraform-switch", &[]),
    (
        "terraform-provider-netmgr",
        &[
            "terraform-plugin",
            "netmgr-lookups",
            "netmgr-transport",
            "netmgr-types",
        ],
    ),
    ("pulumi-plugin", &[]),
    ("clusterpkg-components", &["pulumi-plugin"]),
    ("pulumi-testing", &[]),
    ("fuzz-testing", &[]),
    ("pulumi-resource-events", &["pulumi-plugin"]),
    ("netmgr-tests", &["pulumi-plugin"]),
    (
        "xtask",
        &[
            "netmgr-lookups",
            "netmgr-sim",
            "netmgr-transport",
            "netmgr-types",
            "clusterpkg-components",
            "pulumi-plugin",
        ],
    ),
];

/// Crates that nothing depends on, not even in tests.
const LEAVES: &[&str] = &["netmgr-tests", "xtask"];

/// A crate of the workspace and those it depends on, with `true` where only its tests do.
type Edges = (String, Vec<(String, bool)>);

/// Edges that the table does not allow, and crates it does not know.
pub(super) fn findings(packages: &[Package]) -> Vec<String> {
    let edges = packages.iter().map(|package| {
        let dependencies = package
            .dependencies
            .iter()
            .filter(|dependency| dependency.path.is_some());
        let dependencies = dependencies.map(|dependency| {
            (
                dependency.name.clone(),
                dependency.kind == DependencyKind::Development,
            )
        });
        (package.name.to_string(), dependencies.collect())
    });
    check(&edges.collect::<Vec<_>>(), ALLOWED)
}

fn check(crates: &[Edges], allowed: &[(&str, &[&str])]) -> Vec<String> {
    let mut findings = Vec::new();
    for (name, dependencies) in crates {
        let Some((_, targets)) = allowed.iter().find(|(from, _)| from == name) else {
            findings.push(format!(
                "crate {name} is not in the table of xtask/src/tidy/edges.rs; add it with its permitted dependencies"
            ));
            continue;
        };
        for (to, is_for_tests) in dependencies {
            if LEAVES.contains(&to.as_str()) {
                findings.push(format!("{name} depends on {to}; no crate may"));
            } else if !is_for_tests && !targets.contains(&to.as_str()) {
                findings.push(format!("{name} depends on {to}; it may depend on {targets:?}"));
            }
        }
    }
    for (name, _) in allowed {
        if crates.iter().all(|(known, _)| known != name) {
            findings.push(format!(
                "the table of xtask/src/tidy/edges.rs lists {name}, which does not exist"
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[(&str, &[&str])] = &[("low", &[]), ("high", &["low"])];

    fn edges(name: &str, dependencies: &[(&str, bool)]) -> Edges {
        let dependencies = dependencies
            .iter()
            .map(|(to, is_for_tests)| ((*to).to_owned(), *is_for_tests));
        (name.to_owned(), dependencies.collect())
    }

    #[test]
    fn edges_of_the_table_pass() {
        let crates = [edges("low", &[]), edges("high", &[("low", false)])];
        assert_eq!(check(&crates, TABLE), [""; 0]);
    }

    #[test]
    fn an_edge_against_the_direction_is_found() {
        let crates = [edges("low", &[("high", false)]), edges("high", &[])];
        assert_eq!(
            check(&crates, TABLE),
            ["low depends on high; it may depend on []"]
        );
    }

    #[test]
    fn tests_may_use_other_crates_but_never_a_leaf() {
        let crates = [
            edges("low", &[("high", true), ("xtask", true)]),
            edges("high", &[]),
        ];
        assert_eq!(check(&crates, TABLE), ["low depends on xtask; no crate may"]);
    }

    #[test]
    fn an_unknown_crate_needs_a_row_and_a_stale_row_is_found() {
        let findings = check(&[edges("low", &[]), edges("new", &[])], TABLE);
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
