//! The metadata of every crate.

use std::{fs, io};

use super::metadata::Package;

/// Crates that inherit no lints, say nothing of themselves or have an empty README.
pub(super) fn findings(packages: &[Package]) -> io::Result<Vec<String>> {
    let mut findings = Vec::new();
    for package in packages {
        let manifest = fs::read_to_string(&package.manifest_path)?;
        let readme = match &package.readme {
            Some(path) => Some(fs::read_to_string(package.folder().join(path))?),
            None => None,
        };
        findings.extend(
            missing(package, &manifest, readme.as_deref()).map(|what| format!("{}: {what}", package.name)),
        );
    }
    Ok(findings)
}

fn missing<'a>(
    package: &'a Package,
    manifest: &'a str,
    readme: Option<&'a str>,
) -> impl Iterator<Item = &'static str> + 'a {
    let description = package.description.as_deref().unwrap_or_default();
    let lines = readme.into_iter().flat_map(str::lines);
    let says_something = lines
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .count()
        > 0;
    let rules = [
        (description.is_empty(), "no description"),
        (
            !manifest.contains("[lints]\nworkspace = true"),
            "[lints] workspace = true is missing",
        ),
        (
            package.is_published() && !says_something,
            "the README is missing or contains only headings",
        ),
    ];
    rules
        .into_iter()
        .filter_map(|(wrong, what)| wrong.then_some(what))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn package(publish: serde_json::Value) -> Package {
        serde_json::from_value(json!({
            "name": "a", "description": "Says a.", "publish": publish, "dependencies": [],
            "manifest_path": "/w/Cargo.toml",
        }))
        .unwrap()
    }

    const MANIFEST: &str = "[lints]\nworkspace = true\n";

    #[test]
    fn a_published_crate_needs_a_readme_that_says_something() {
        let published = package(json!(null));
        assert_eq!(missing(&published, MANIFEST, Some("# a\n\nSays a.\n")).count(), 0);
        for readme in [None, Some("# a\n"), Some("")] {
            assert_eq!(missing(&published, MANIFEST, readme).count(), 1, "{readme:?}");
        }
        assert_eq!(missing(&package(json!([])), MANIFEST, None).count(), 0);
    }

    #[test]
    fn a_crate_without_the_lints_of_the_workspace_is_found() {
        let found: Vec<_> = missing(&package(json!([])), "[dependencies]\n", None).collect();
        assert_eq!(found, ["[lints] workspace = true is missing"]);
    }
}
