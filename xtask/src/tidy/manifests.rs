//! The metadata of every crate (decision dependencies).

use std::{fs, io};

use cargo_metadata::Package;

/// Crates that inherit no lints, have no description, or are published without a README.
pub(super) fn findings(packages: &[Package]) -> io::Result<Vec<String>> {
    let mut findings = Vec::new();
    for package in packages {
        let manifest = fs::read_to_string(&package.manifest_path)?;
        let is_published = package
            .publish
            .as_ref()
            .is_none_or(|registries| !registries.is_empty());
        let rules = [
            (package.description.is_none(), "no description"),
            (
                !manifest.contains("[lints]\nworkspace = true"),
                "no `[lints] workspace = true`",
            ),
            (is_published && package.readme.is_none(), "no README"),
        ];
        let broken = rules.into_iter().filter(|(is_broken, _)| *is_broken);
        findings.extend(broken.map(|(_, what)| format!("{}: {what}", package.name)));
    }
    Ok(findings)
}
