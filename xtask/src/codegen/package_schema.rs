//! `schema/<package>.package.json`: the engine's schema of a package, which its plugin returns from `GetSchema`, with
//! examples of use.
//!
//! pulumi-plugin generates the schemas of types and members, and `language` the names of SDKs.

use pulumi_plugin::schema::PackageMeta;
use serde_json::{Value, json};

use super::language;
use super::package::Package;
use super::samples::{Samples, with_usage};
use crate::Error;

/// The schema of `package`.
pub(super) fn document(package: &Package) -> Result<Value, Error> {
    // Everything has a description.
    package.definitions()?;
    let mut document = without_samples(package)?;
    let samples = Samples::new(package, &document);
    let mut described = Vec::new();
    for one in &package.functions {
        let samples = samples.of_function(&one.token, &one.example)?;
        described.push(("functions", &one.token, with_usage(&one.description, &samples)));
    }
    for one in &package.components {
        let samples = samples.of_component(&one.token, &one.example)?;
        described.push(("resources", &one.token, with_usage(&one.description, &samples)));
    }
    for (kind, token, description) in described {
        document[kind][token]["description"] = json!(description);
    }
    Ok(document)
}

/// The schema without usage examples.
fn without_samples(package: &Package) -> Result<Value, Error> {
    let downloads = package.release.downloads();
    let mut schema = package.members();
    // Addresses that do not exist yet are omitted.
    let repository = package.release.repository();
    schema.meta = PackageMeta {
        description: package.description,
        display_name: Some(package.display_name),
        keywords: package.keywords,
        license: Some(env!("CARGO_PKG_LICENSE")),
        publisher: Some(package.release.publisher()),
        homepage: repository,
        repository,
        plugin_download_url: downloads.as_deref(),
        module_format: package.module_format,
        ..schema.meta
    };
    schema.language = language::sections(package);
    Ok(schema.document()?)
}

/// Runs `work` with the samples of `package`.
pub(super) fn with_samples<T>(
    package: &Package,
    work: impl FnOnce(&Samples<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    work(&Samples::new(package, &without_samples(package)?))
}

#[cfg(test)]
mod tests {
    use super::super::package::sample;
    use super::*;

    #[test]
    fn descriptions_of_members_end_with_examples() {
        let schema = document(&sample()).unwrap();
        for (kind, token, beginning) in [
            (
                "functions",
                "sample:index:find",
                "Finds.\n\n## Example Usage\n\n```typescript\n",
            ),
            (
                "resources",
                "sample:index:FunctionGroup",
                "Groups.\n\n## Example Usage\n",
            ),
        ] {
            let description = schema[kind][token]["description"].as_str().unwrap();
            assert!(description.starts_with(beginning), "{description}");
        }
    }

    #[test]
    fn publishing_a_placeholder_address_reaches_no_schema() {
        let addresses = |published| {
            let mut package = sample();
            package.release = crate::release::sample(published);
            let schema = document(&package).unwrap();
            assert_eq!(schema["publisher"], "acme");
            ["homepage", "repository", "pluginDownloadURL"].map(|name| schema.get(name).cloned())
        };
        assert_eq!(addresses(false), [None, None, None]);
        let repository = json!("https://github.com/acme/tools");
        let downloads = json!("github://api.github.com/acme/tools");
        assert_eq!(
            addresses(true),
            [Some(repository.clone()), Some(repository), Some(downloads)]
        );
    }
}
