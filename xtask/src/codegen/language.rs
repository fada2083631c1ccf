//! The names of a package's SDKs, by language. pulumi-plugin defines the versions of the SDKs that they depend on.

use serde_json::{Value, json};

use super::package::Package;
use crate::release::Release;

/// One section per language.
pub(super) fn sections(package: &Package) -> Value {
    let (name, release) = (package.name, &package.release);
    json!({
        "nodejs": {
            "packageName": npm_package(release, name),
            "packageDescription": package.description,
        },
        "python": { "packageName": python_package(name), "inputTypes": "classes-and-dicts" },
        "go": {
            "importBasePath": format!("{}/sdk/go/{name}", release.path()),
            "generateResourceContainerTypes": true,
        },
        "csharp": { "rootNamespace": release.dotnet_root() },
        "java": { "basePackage": release.java_root() },
    })
}

/// Name of the npm package.
pub(super) fn npm_package(release: &Release, name: &str) -> String {
    format!("@{}/{name}", release.publisher())
}

/// Name of the Python package.
pub(super) fn python_package(name: &str) -> String {
    format!("pulumi_{name}")
}
