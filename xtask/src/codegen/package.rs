//! The two packages of the engine: their members and their examples.

use std::collections::BTreeMap;

use clusterpkg_components::{ALL as COMPONENTS, OTHER_TYPES, PACKAGES};
use netmgr_lookups::{ALL as FUNCTIONS, Description};
use netmgr_types::ProviderConfig;
use pulumi_plugin::components::ComponentEntry;
use pulumi_plugin::schema::{self, ComponentSchema, ConfigSchema, FunctionSchema, PackageMeta, of_type};
use serde_json::{Map, Value, json};

use super::rows::rows;
use crate::Error;
use crate::release::Release;

/// A package of the engine.
pub(super) struct Package {
    /// Names and addresses under which it is published.
    pub(super) release: Release,
    /// Its members, and its texts for registries.
    pub(super) schema: schema::Package<'static>,
    /// Token of the member that its index page shows as an example.
    pub(super) featured: &'static str,
    /// An example of each member by token.
    pub(super) examples: BTreeMap<String, Example>,
}

/// A use of a function or component.
pub(super) struct Example {
    /// Its inputs.
    pub(super) inputs: Map<String, Value>,
    /// Name of the displayed output.
    pub(super) output: Option<String>,
    /// Whether the program passes a provider for its cluster.
    pub(super) in_cluster: bool,
}

/// The last part of a token: `Cluster`.
pub(super) fn short(token: &str) -> &str {
    token.rsplit(':').next().unwrap_or_default()
}

/// The package of the lookup functions.
pub(super) fn netmgr(release: &Release) -> Result<Package, Error> {
    let (mut functions, mut examples) = (Vec::new(), BTreeMap::new());
    for entry in FUNCTIONS.iter() {
        let function = entry.describe();
        examples.insert(function.token.clone(), example_of(&function)?);
        functions.push(FunctionSchema {
            description: description(&function),
            token: function.token,
            input: (entry.input_schema)().to_value(),
            output: (entry.output_schema)().to_value(),
        });
    }
    Ok(Package {
        release: release.clone(),
        featured: "netmgr:index/getPolicyEdgeCluster:getPolicyEdgeCluster",
        examples,
        schema: schema::Package {
            meta: PackageMeta {
                description: "Looks up objects of a VMware NSX manager by name, read-only and fast.",
                display_name: Some("netmgr for VMware NSX"),
                keywords: &[
                    "pulumi",
                    "netmgr",
                    "vmware",
                    "nsx",
                    "lookup",
                    "category/network",
                    "kind/native",
                ],
                // `netmgr:index/getIpPool:getIpPool` is a member of the root module.
                module_format: Some("(.*)(?:/[^/]*)"),
                ..PackageMeta::new("netmgr", env!("CARGO_PKG_VERSION"))
            },
            config: Some(ConfigSchema {
                schema: netmgr_types::schema::input::<ProviderConfig>().to_value(),
                environment: ProviderConfig::ENV,
            }),
            functions,
            ..schema::Package::default()
        },
    })
}

/// The example of a function, with the output that says most.
fn example_of(function: &Description) -> Result<Example, Error> {
    let has = |name: &&str| function.outputs.iter().any(|output| output.name == *name);
    let output = ["path", "items", "state", "version", "id"].into_iter().find(has);
    let output = output.ok_or_else(|| format!("{}: no output is worth showing", function.name))?;
    Ok(Example {
        inputs: function
            .example
            .as_object()
            .ok_or("an example is an object")?
            .clone(),
        output: Some(output.to_owned()),
        in_cluster: false,
    })
}

/// Describes the function and where it is available.
fn description(function: &Description) -> String {
    let mut text = function.summary.to_owned();
    if let Some(deployments) = &function.available_on {
        text.push_str(&format!("\n\nAvailable on: {}.", deployments.join(", ")));
    }
    let minimum = minimum_version(function);
    if !minimum.is_empty() {
        text.push_str(&format!("\n\nMinimum version of the manager: {minimum}."));
    }
    text
}

/// The package of the cluster components.
pub(super) fn clusterpkg(release: &Release) -> Result<Package, Error> {
    let (mut components, mut examples) = (Vec::new(), BTreeMap::new());
    for entry in COMPONENTS {
        let mut component = ComponentSchema::of(entry);
        component.inputs["x-summary"] = json!(component.description);
        examples.insert(component.token.clone(), example(entry, &component)?);
        components.push(component);
    }
    Ok(Package {
        release: release.clone(),
        featured: "clusterpkg:index:Cluster",
        examples,
        schema: schema::Package {
            meta: PackageMeta {
                description: "Builds Amazon EKS clusters with nodes, add-ons and access control.",
                display_name: Some("Cluster Components for Amazon EKS"),
                keywords: &[
                    "pulumi",
                    "clusterpkg",
                    "kubernetes",
                    "cluster",
                    "eks",
                    "aws",
                    "category/cloud",
                    "kind/component",
                ],
                ..PackageMeta::new("clusterpkg", env!("CARGO_PKG_VERSION"))
            },
            components,
            other_types: OTHER_TYPES.iter().copied().map(of_type).collect(),
            dependencies: PACKAGES.to_vec(),
            ..schema::Package::default()
        },
    })
}

/// The first example of the inputs, with a readable output if there is one.
fn example(entry: &ComponentEntry, component: &ComponentSchema) -> Result<Example, Error> {
    let ComponentSchema { inputs, outputs, .. } = component;
    let values = inputs["examples"][0].as_object();
    let values =
        values.ok_or_else(|| format!("{} has no example; give its inputs `examples`", entry.token))?;
    let mut values = values.clone();
    for (name, value) in &mut values {
        if let Some(output) = inputs["properties"][name]["x-cluster-output"].as_str() {
            *value = json!([format!("${{{output}}}")]);
        }
    }
    let outputs = rows(outputs, false);
    let shown = outputs.iter().find(|output| output.kind == "string");
    let has = |start: &str| {
        entry
            .children
            .iter()
            .any(|child| child.kind.token.starts_with(start))
    };
    Ok(Example {
        inputs: values,
        output: shown.or(outputs.first()).map(|output| output.name.clone()),
        // Unless it makes a provider for its children itself.
        in_cluster: has("kubernetes:") && !has("pulumi:providers:kubernetes"),
    })
}

impl Package {
    /// Every type of the package by name.
    ///
    /// # Errors
    ///
    /// An item has no description, or two types have the same name.
    pub(super) fn definitions(&self) -> Result<BTreeMap<String, Value>, Error> {
        let definitions = self.schema.definitions()?;
        let functions = self
            .schema
            .functions
            .iter()
            .map(|one| (&one.token, &one.description));
        let components = self
            .schema
            .components
            .iter()
            .map(|one| (&one.token, &one.description));
        let members = functions
            .chain(components)
            .filter(|(_, description)| description.is_empty());
        let mut undescribed: Vec<String> = members.map(|(token, _)| token.clone()).collect();
        undescribed.extend(self::undescribed(&definitions));
        match undescribed.is_empty() {
            true => Ok(definitions),
            false => {
                let names = undescribed.join(", ");
                Err(format!("without description (add a doc comment): {names}").into())
            }
        }
    }
}

/// Types and properties without description.
fn undescribed(definitions: &BTreeMap<String, Value>) -> Vec<String> {
    let is_described = |schema: &Value| {
        let text = schema["description"].as_str();
        text.is_some_and(|text| !text.trim().is_empty())
    };
    let mut undescribed = Vec::new();
    for (name, schema) in definitions {
        if !is_described(schema) {
            undescribed.push(name.clone());
        }
        for (property, schema) in schema["properties"].as_object().into_iter().flatten() {
            if !is_described(schema) {
                undescribed.push(format!("{name}.{property}"));
            }
        }
    }
    undescribed
}

/// The minimum versions of a function as text; empty if there are none.
pub(super) fn minimum_version(function: &Description) -> String {
    let versions = function
        .minimum_versions
        .iter()
        .map(|minimum| match minimum.deployment {
            Some(deployment) => format!("{} on {deployment}", minimum.version),
            None => minimum.version.to_owned(),
        });
    versions.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_properties_without_description_are_found() {
        let described = json!({
            "description": "A place.",
            "properties": { "id": { "description": " " }, "name": { "description": "Its name." } },
        });
        let types = [("Place", described), ("Room", json!({}))];
        let types = types.map(|(name, schema)| (name.to_owned(), schema));
        assert_eq!(undescribed(&types.into()), ["Place.id", "Room"]);
    }
}
