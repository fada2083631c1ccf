//! The settings of SDK generators for a package, per language.

use serde_json::{Value, json};

use super::package::{Dependency, Package};
use crate::release::Release;

/// Lowest version of the engine's own SDKs, as the generators set it where a package does not.
const CORE: &str = "3.142.0";

/// Lowest version of the engine's Java SDK: the one that Java SDKs are compiled with here.
const JAVA_CORE: &str = "1.36.1";

/// One section per language. SDKs carry the package's version and need the SDKs of the packages that
/// it refers to, of the same major version, and the engine's own SDK of major version 3; Java's is of
/// major version 1 there, and its generator does not have `respectSchemaVersion`.
pub(super) fn sections(package: &Package) -> Value {
    let name = package.name;
    let mut node = json!({ "@pulumi/pulumi": format!("^{CORE}") });
    let mut python = json!({ "pulumi": format!(">={CORE},<4.0.0") });
    let mut csharp = json!({ "Pulumi": "3.*" });
    let mut java = json!({ "com.pulumi:pulumi": format!("[{JAVA_CORE},2.0.0)") });
    for Dependency { name, version } in &package.dependencies {
        let major = major(version);
        let next = major + 1;
        node[format!("@pulumi/{name}")] = json!(format!("^{version}"));
        python[format!("pulumi-{name}")] = json!(format!(">={version},<{next}.0.0"));
        csharp[format!("Pulumi.{}", capitalized(name))] = json!(format!("{major}.*"));
        java[format!("com.pulumi:{name}")] = json!(format!("[{version},{next}.0.0)"));
    }
    let release = &package.release;
    json!({
        "nodejs": {
            "packageName": npm_package(release, name),
            "packageDescription": package.description,
            "dependencies": node,
            "respectSchemaVersion": true,
        },
        "python": {
            "packageName": python_package(name),
            "requires": python,
            "pyproject": { "enabled": true },
            "inputTypes": "classes-and-dicts",
            "respectSchemaVersion": true,
        },
        "go": {
            "importBasePath": format!("{}/sdk/go/{name}", release.path()),
            "generateResourceContainerTypes": true,
            "respectSchemaVersion": true,
        },
        "csharp": {
            "rootNamespace": release.dotnet_root(),
            "packageReferences": csharp,
            "respectSchemaVersion": true,
        },
        "java": {
            "basePackage": release.java_root(),
            "buildFiles": "gradle",
            "dependencies": java,
        },
    })
}

/// The first number of a version.
fn major(version: &str) -> u32 {
    let first = version.split('.').next().and_then(|first| first.parse().ok());
    first.expect("versions of packages begin with a number")
}

fn capitalized(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}

/// Name of the npm package.
pub(super) fn npm_package(release: &Release, name: &str) -> String {
    format!("@{}/{name}", release.publisher())
}

/// Name of the Python package.
pub(super) fn python_package(name: &str) -> String {
    format!("pulumi_{name}")
}

#[cfg(test)]
mod tests {
    use super::super::package::sample;
    use super::*;

    #[test]
    fn sdks_need_those_of_the_packages_referred_to_in_their_major_version() {
        let sections = sections(&sample());
        assert_eq!(sections["nodejs"]["dependencies"]["@pulumi/cloud"], "^7.1.2");
        assert_eq!(sections["python"]["requires"]["pulumi-cloud"], ">=7.1.2,<8.0.0");
        assert_eq!(sections["csharp"]["packageReferences"]["Pulumi.Cloud"], "7.*");
        assert_eq!(
            sections["java"]["dependencies"]["com.pulumi:cloud"],
            "[7.1.2,8.0.0)"
        );
    }
}
