//! The settings of SDK generators for a package, per language.

use serde_json::{Value, json};

use super::Package;
use crate::components::ChildPackage;

/// Minimum version of the engine's own SDKs. The SDK generators use the same default.
const CORE: &str = "3.142.0";

/// Minimum version of the engine's Java SDK.
const JAVA_CORE: &str = "1.36.1";

/// One section per language. SDKs have the version of the package. They require the SDKs of the packages that the document
/// refers to, with the same major version, and the engine's own SDK with major version 3, or 1 for Java. The generator for
/// Java does not support `respectSchemaVersion`.
pub(super) fn sections(package: &Package<'_>, document: &Value) -> Value {
    let text = document.to_string();
    let is_referred_to = |one: &&ChildPackage| text.contains(&format!("\"/{}/v{}/", one.name, one.version));
    let mut node = json!({ "@pulumi/pulumi": format!("^{CORE}") });
    let mut python = json!({ "pulumi": format!(">={CORE},<4.0.0") });
    let mut csharp = json!({ "Pulumi": "3.*" });
    let mut java = json!({ "com.pulumi:pulumi": format!("[{JAVA_CORE},2.0.0)") });
    for ChildPackage { name, version, .. } in package.dependencies.iter().filter(is_referred_to) {
        let Some(major) = version
            .split('.')
            .next()
            .and_then(|first| first.parse::<u32>().ok())
        else {
            continue;
        };
        let next = major + 1;
        node[format!("@pulumi/{name}")] = json!(format!("^{version}"));
        python[format!("pulumi-{name}")] = json!(format!(">={version},<{next}.0.0"));
        csharp[format!("Pulumi.{}", capitalized(name))] = json!(format!("{major}.*"));
        java[format!("com.pulumi:{name}")] = json!(format!("[{version},{next}.0.0)"));
    }
    let mut sections = json!({
        "nodejs": { "dependencies": node, "respectSchemaVersion": true },
        "python": { "requires": python, "pyproject": { "enabled": true }, "respectSchemaVersion": true },
        "go": { "respectSchemaVersion": true },
        "csharp": { "packageReferences": csharp, "respectSchemaVersion": true },
        "java": { "dependencies": java, "buildFiles": "gradle" },
    });
    for (language, settings) in package.language.as_object().into_iter().flatten() {
        for (name, value) in settings.as_object().into_iter().flatten() {
            sections[language][name] = value.clone();
        }
    }
    sections
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    #[test]
    fn sdks_require_those_of_the_packages_referred_to_in_their_major_version() {
        let sections = sample().document().unwrap()["language"].clone();
        assert_eq!(sections["nodejs"]["dependencies"]["@pulumi/cloud"], "^7.1.2");
        assert_eq!(sections["python"]["requires"]["pulumi-cloud"], ">=7.1.2,<8.0.0");
        assert_eq!(sections["csharp"]["packageReferences"]["Pulumi.Cloud"], "7.*");
        assert_eq!(
            sections["java"]["dependencies"]["com.pulumi:cloud"],
            "[7.1.2,8.0.0)"
        );
    }

    /// A component can have children of packages that have no SDK.
    #[test]
    fn sdks_do_not_require_those_of_other_dependencies() {
        let mut package = sample();
        package.dependencies.push(ChildPackage {
            name: "local",
            version: "1.0.0",
            download_url: None,
        });
        let language = package.document().unwrap()["language"].clone();
        assert_eq!(language["nodejs"]["dependencies"].get("@pulumi/local"), None);
        assert_eq!(language, sample().document().unwrap()["language"]);
    }

    #[test]
    fn settings_of_the_package_are_added() {
        let mut package = sample();
        package.language = json!({ "go": { "importBasePath": "example.com/sdk" } });
        assert_eq!(
            package.document().unwrap()["language"]["go"],
            json!({ "importBasePath": "example.com/sdk", "respectSchemaVersion": true })
        );
    }
}
