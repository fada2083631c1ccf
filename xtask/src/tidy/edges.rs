//! Dependencies between crates: those that ARCHITECTURE.md draws, and no others (decision layers).

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, Package};

use super::TextFile;

/// The page with the graph.
const PAGE: &str = "ARCHITECTURE.md";

/// Dependencies that the graph does not have, and arrows without a dependency. Tests may depend on what they need, as may
/// the crates outside of `crates`, which nothing depends on.
pub(super) fn findings(packages: &[Package], files: &[TextFile]) -> Vec<String> {
    let crates = packages.iter().filter(|package| {
        package
            .manifest_path
            .components()
            .any(|folder| folder.as_str() == "crates")
    });
    let dependencies = crates.flat_map(|package| {
        let used = package.dependencies.iter();
        let used = used.filter(|used| used.path.is_some() && used.kind != DependencyKind::Development);
        used.map(|used| {
            let arrow = if used.optional { "-.->" } else { "-->" };
            format!("{} {arrow} {}", package.name, used.name)
        })
    });
    let page = files.iter().find(|file| file.path == PAGE);
    check(page.map_or("", |page| &page.text), &dependencies.collect())
}

fn check(page: &str, dependencies: &BTreeSet<String>) -> Vec<String> {
    let lines = page.lines().map(str::trim);
    let drawn: BTreeSet<_> = lines
        .filter(|line| line.contains(" --> ") || line.contains(" -.-> "))
        .map(str::to_owned)
        .collect();
    let undrawn = dependencies.difference(&drawn);
    let undrawn = undrawn.map(|arrow| format!("{arrow} is a dependency that {PAGE} does not draw"));
    let stale = drawn.difference(dependencies);
    undrawn
        .chain(stale.map(|arrow| format!("{PAGE} draws {arrow}, which no manifest has")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_and_arrows_agree() {
        let page = "```mermaid\nflowchart TD\n    high --> low\n    high -.-> side\n```\n";
        let dependencies = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(
            check(page, &dependencies(&["high --> low", "high -.-> side"])),
            [""; 0]
        );
        assert_eq!(
            check(
                page,
                &dependencies(&["high --> low", "low --> high", "high --> side"])
            ),
            [
                "high --> side is a dependency that ARCHITECTURE.md does not draw",
                "low --> high is a dependency that ARCHITECTURE.md does not draw",
                "ARCHITECTURE.md draws high -.-> side, which no manifest has",
            ]
        );
    }
}
