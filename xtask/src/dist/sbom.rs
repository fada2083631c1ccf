//! Bills of materials in CycloneDX JSON: what is linked into a program, from cargo's metadata.
//!
//! Without times and random numbers, so that equal sources make equal bills.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::archive::sha256;
use super::packages::{Graph, Package};
use crate::Error;

/// Writes the bill of the program of a crate next to its archive and returns its path.
pub(super) fn write_beside(root: &Path, krate: &str, archive: &Path) -> Result<PathBuf, Error> {
    let bill = bill(&Graph::read(root)?, krate)?;
    let mut text = serde_json::to_string_pretty(&bill)?;
    text.push('\n');
    let name = archive.display().to_string();
    let stem = name
        .strip_suffix(".tar.gz")
        .or(name.strip_suffix(".zip"))
        .unwrap_or(&name);
    let path = PathBuf::from(format!("{stem}.cdx.json"));
    fs::write(&path, text)?;
    Ok(path)
}

impl Graph {
    /// A package as a component.
    fn component(&self, package: &Package, kind: &str) -> Value {
        let mut component = json!({
            "type": kind,
            "bom-ref": reference(package),
            "name": package.name,
            "version": package.version,
            "purl": reference(package),
        });
        if let Some(description) = &package.description {
            component["description"] = json!(description.trim());
        }
        if let Some(license) = &package.license {
            // The old form with a slash is no expression.
            component["licenses"] =
                json!([{ "expression": license.replace('/', " OR ").replace("  ", " ") }]);
        }
        // Our own addresses are left out until something answers there (decision schemas).
        if let Some(repository) = package.repository.as_ref().filter(|_| package.source.is_some()) {
            component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
        }
        let key = (package.name.clone(), package.version.clone());
        if let Some(checksum) = self.checksums.get(&key) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
        }
        component
    }
}

fn reference(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}

/// The bill of a crate of the workspace.
fn bill(graph: &Graph, krate: &str) -> Result<Value, Error> {
    let subject = graph.member(krate)?;
    let linked = graph.linked(&subject.id);
    let below = |id: &str| -> Vec<String> {
        let dependencies = graph.nodes[id]
            .deps
            .iter()
            .filter(|dependency| dependency.is_linked());
        let mut names: Vec<String> = dependencies
            .filter_map(|dependency| graph.packages.get(&dependency.pkg))
            .map(reference)
            .collect();
        names.sort();
        names
    };
    let mut components = Vec::new();
    let mut dependencies = Vec::new();
    for id in &linked {
        let package = &graph.packages[*id];
        if package.id != subject.id {
            components.push(graph.component(package, "library"));
        }
        dependencies.push(json!({ "ref": reference(package), "dependsOn": below(id) }));
    }
    let by = |name: &'static str| move |value: &Value| value[name].as_str().map(str::to_owned);
    components.sort_by_key(by("bom-ref"));
    dependencies.sort_by_key(by("ref"));
    let mut bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "component": graph.component(subject, "application") },
        "components": components,
        "dependencies": dependencies,
    });
    bill["serialNumber"] = json!(serial_number(&bill));
    Ok(bill)
}

/// A UUID (version 8, RFC 9562) of the contents.
fn serial_number(bill: &Value) -> String {
    let digest = sha256(bill.to_string().as_bytes());
    format!(
        "urn:uuid:{}-{}-8{}-a{}-{}",
        &digest[..8],
        &digest[8..12],
        &digest[13..16],
        &digest[17..20],
        &digest[20..32]
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_bill_lists_what_is_linked_with_licence_and_checksum() {
        let graph = Graph::read(crate::root()).unwrap();
        let bill = bill(&graph, "netmgr-cli").unwrap();
        assert_eq!(bill["metadata"]["component"]["name"], "netmgr-cli");
        let components = bill["components"].as_array().unwrap();
        let named = |name: &str| components.iter().find(|component| component["name"] == name);
        let serde = named("serde").unwrap();
        assert_eq!(serde["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(serde["hashes"][0]["content"].as_str().unwrap().len(), 64);
        assert!(serde["purl"].as_str().unwrap().starts_with("pkg:cargo/serde@1."));
        assert!(
            named("netmgr-lookups")
                .unwrap()
                .get("externalReferences")
                .is_none()
        );
        for test_only in ["insta", "vt100", "proptest"] {
            assert!(named(test_only).is_none(), "{test_only}");
        }
        // Every reference leads to a component.
        let known: BTreeSet<&str> = std::iter::once(&bill["metadata"]["component"])
            .chain(components)
            .map(|component| component["bom-ref"].as_str().unwrap())
            .collect();
        assert_eq!(known.len(), components.len() + 1);
        for dependency in bill["dependencies"].as_array().unwrap() {
            assert!(
                known.contains(dependency["ref"].as_str().unwrap()),
                "{dependency}"
            );
            for below in dependency["dependsOn"].as_array().unwrap() {
                assert!(known.contains(below.as_str().unwrap()), "{dependency}");
            }
        }
        let serial = bill["serialNumber"].as_str().unwrap();
        assert_eq!(serial.len(), "urn:uuid:".len() + 36);
        assert_eq!(bill, self::bill(&graph, "netmgr-cli").unwrap());
    }
}
