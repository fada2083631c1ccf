//! What generators of SDKs want to know about a package, per language. Source: engine-plugin 5.5.

use serde_json::{Value, json};

use super::package::Package;

/// The npm scope of the packages.
const NPM_SCOPE: &str = "@netmgr";

/// Lowest version of the engine's own SDKs, as the generators set it where a package does not.
const CORE: &str = "3.142.0";

/// One section per language. SDKs carry the package's version and need the engine's own SDK of
/// major version 3; Java's is of major version 1 there, and its generator knows no
/// `respectSchemaVersion`.
pub(super) fn sections(package: &Package) -> Value {
    let name = package.name;
    let repository = env!("CARGO_PKG_REPOSITORY").trim_start_matches("https://");
    json!({
        "nodejs": {
            "packageName": npm_package(name),
            "packageDescription": package.description,
            "dependencies": { "@pulumi/pulumi": format!("^{CORE}") },
            "respectSchemaVersion": true,
        },
        "python": {
            "packageName": python_package(name),
            "requires": { "pulumi": format!(">={CORE},<4.0.0") },
            "pyproject": { "enabled": true },
            "inputTypes": "classes-and-dicts",
            "respectSchemaVersion": true,
        },
        "go": {
            "importBasePath": format!("{repository}/sdk/go/{name}"),
            "generateResourceContainerTypes": true,
            "respectSchemaVersion": true,
        },
        "csharp": {
            "packageReferences": { "Pulumi": "3.*" },
            "respectSchemaVersion": true,
        },
        "java": {
            "buildFiles": "gradle",
            "dependencies": { "com.pulumi:pulumi": "[1.0.0,2.0.0)" },
        },
    })
}

/// Name of the npm package.
pub(super) fn npm_package(name: &str) -> String {
    format!("{NPM_SCOPE}/{name}")
}

/// Name of the Python package.
pub(super) fn python_package(name: &str) -> String {
    format!("pulumi_{name}")
}
