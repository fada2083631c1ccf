//! `schema/`: what programs read of the packages: schemas in two formats, the table of tokens, and the mapping for
//! conversions from Terraform; and the schemas of children in the crate of the components.

pub(super) mod children;
mod json_schema;
mod terraform;

use netmgr_lookups::ALL;
use serde::Serialize;
use serde_json::{Value, json};

use super::Generated;
use super::package::{Package, short};
use super::rows::rows;
use super::samples::Samples;
use crate::Error;
use pulumi_plugin::schema::{ComponentSchema, PackageMeta};

/// Folders that contain only files generated here and the pages about them.
pub(super) const FOLDERS: &[&str] = &["schema", children::FOLDER];

/// Every file.
pub(super) fn files(packages: &[Package; 2], samples: [&Samples; 2]) -> Result<Vec<Generated>, Error> {
    let file =
        |name: &str, value: &Value| pretty(value).map(|text| Generated::new(&format!("schema/{name}"), text));
    let [_, clusterpkg] = packages;
    let mut files = vec![
        file("tokens.json", &tokens(&clusterpkg.schema.components)?)?,
        file("netmgr.terraform.json", &terraform::mapping()?)?,
    ];
    for (package, samples) in packages.iter().zip(samples) {
        let name = package.schema.meta.name;
        files.push(file(
            &format!("{name}.schema.json"),
            &json_schema::document(package)?,
        )?);
        files.push(file(
            &format!("{name}.package.json"),
            &with_samples(package, samples)?,
        )?);
    }
    files.extend(children::files()?);
    Ok(files)
}

/// Indented JSON, ending with a newline.
fn pretty(value: &impl Serialize) -> Result<String, Error> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Every token of the packages with its properties.
fn tokens(components: &[ComponentSchema]) -> Result<Value, Error> {
    let functions = ALL.iter().map(|entry| serde_json::to_value(entry.describe()));
    let components = components.iter().map(|component| {
        Ok(json!({
            "name": short(&component.token),
            "token": component.token,
            "kind": "component",
            "summary": component.description,
            "inputs": serde_json::to_value(rows(&component.inputs, false))?,
            "outputs": serde_json::to_value(rows(&component.outputs, false))?,
            "availableOn": null,
            "minimumVersions": [],
            "successor": null,
            "example": component.inputs["examples"][0],
            "source": component.inputs["x-source"],
        }))
    });
    Ok(functions
        .chain(components)
        .collect::<Result<_, serde_json::Error>>()?)
}

/// The engine's schema of a package, without samples.
pub(super) fn document(package: &Package) -> Result<Value, Error> {
    // Everything has a description.
    package.definitions()?;
    let Package { release, .. } = package;
    let name = package.schema.meta.name;
    let downloads = release.downloads();
    let mut schema = package.schema.clone();
    // Addresses that do not exist yet are omitted.
    let repository = release.repository();
    schema.meta = PackageMeta {
        license: Some(env!("CARGO_PKG_LICENSE")),
        publisher: Some(release.publisher()),
        homepage: repository,
        repository,
        plugin_download_url: downloads.as_deref(),
        ..schema.meta
    };
    // pulumi-plugin adds the versions of the SDKs that these depend on.
    schema.language = json!({
        "nodejs": {
            "packageName": format!("@{}/{name}", release.publisher()),
            "packageDescription": schema.meta.description,
        },
        "python": { "packageName": format!("pulumi_{name}"), "inputTypes": "classes-and-dicts" },
        "go": {
            "importBasePath": format!("{}/{name}", release.go_root()),
            "generateResourceContainerTypes": true,
        },
        "csharp": { "rootNamespace": release.dotnet_root() },
        "java": { "basePackage": release.java_root() },
    });
    Ok(schema.document()?)
}

/// The schema with samples in the descriptions, in the format of registries and editors.
fn with_samples(package: &Package, samples: &Samples) -> Result<Value, Error> {
    let mut document = document(package)?;
    for token in package.examples.keys() {
        let kind = if document["functions"][token].is_object() {
            "functions"
        } else {
            "resources"
        };
        let description = &mut document[kind][token]["description"];
        let mut text = format!(
            "{}\n\n## Example Usage\n",
            description.as_str().unwrap_or_default()
        );
        for sample in samples.of(token)? {
            text.push_str(&format!("\n```{}\n{}```\n", sample.fence, sample.text));
        }
        *description = json!(text.trim_end());
    }
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::super::package;
    use super::*;
    use crate::release::sample;

    #[test]
    fn an_address_that_does_not_exist_reaches_no_schema() {
        let addresses = |published| {
            let schema = document(&package::clusterpkg(&sample(published)).unwrap()).unwrap();
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
