//! The package of the cluster components.

use clusterpkg_components::{ALL, OTHER_TYPES, PACKAGES};
use pulumi_plugin::components::Entry;
use pulumi_plugin::schema::{ComponentSchema, of_type};
use serde_json::{Value, json};

use super::children::children;
use super::package::{Component, Example, Package, Setup};
use super::rows::rows;
use crate::error::Error;
use crate::release::Release;

/// Type of a provider that a component makes for its own children.
const OWN_PROVIDER: &str = "pulumi:providers:kubernetes";

/// The package.
pub(super) fn package(release: &Release) -> Result<Package, Error> {
    Ok(Package {
        release: release.clone(),
        name: "clusterpkg",
        display_name: "Cluster Components",
        description: "Builds managed Kubernetes clusters with add-ons on AWS.",
        about: "A `Cluster` comes with its add-ons: system nodes, an autoscaler, ingress controllers, certificates and \
                DNS records, each of which can be turned off. Further components attach node groups, serverless \
                profiles and role mappings to it. The children are resources of the packages `aws` and \
                `kubernetes`.",
        featured: "clusterpkg:index:Cluster",
        setup: &[
            Setup {
                key: "aws:region",
                variable: "AWS_REGION",
                value: "eu-west-1",
                secret: false,
            },
            Setup {
                key: "aws:profile",
                variable: "AWS_PROFILE",
                value: "default",
                secret: false,
            },
        ],
        setup_about: "The package has no settings of its own. Its children use the providers of their packages, so an \
                      account and a region of AWS are needed.",
        keywords: &[
            "pulumi",
            "clusterpkg",
            "kubernetes",
            "cluster",
            "aws",
            "category/cloud",
            "kind/component",
        ],
        module_format: None,
        config: None,
        functions: Vec::new(),
        components: components()?,
        other_types: OTHER_TYPES.iter().copied().map(of_type).collect(),
        dependencies: PACKAGES.to_vec(),
    })
}

/// Every component, in the order of the specification.
pub(super) fn components() -> Result<Vec<Component>, Error> {
    ALL.iter().map(component).collect()
}

/// One component, with what its inputs say of it.
fn component(entry: &Entry) -> Result<Component, Error> {
    let ComponentSchema {
        token,
        description,
        mut inputs,
        outputs,
        methods,
    } = ComponentSchema::of(entry);
    inputs["x-summary"] = json!(description);
    Ok(Component {
        example: example(entry, &inputs, &outputs)?,
        token,
        description,
        inputs,
        outputs,
        methods,
    })
}

/// The first example of the inputs, with an output that people can read, if there is one.
fn example(entry: &Entry, inputs: &Value, outputs: &Value) -> Result<Example, Error> {
    let values = inputs["examples"][0].as_object();
    let values =
        values.ok_or_else(|| format!("{} has no example; give its inputs `examples`", entry.token))?;
    let mut values = values.clone();
    for (name, value) in &mut values {
        if let Some(output) = inputs["properties"][name]["x-cluster-output"].as_str() {
            *value = json!([format!("${{{output}}}")]);
        }
    }
    let outputs = rows(outputs);
    let shown = outputs
        .iter()
        .find(|output| output.kind == "string")
        .or(outputs.first());
    let children = children(entry, inputs)?;
    let in_cluster = children
        .iter()
        .any(|child| child.token.starts_with("kubernetes:"))
        && children.iter().all(|child| child.token != OWN_PROVIDER);
    Ok(Example {
        inputs: values,
        output: shown.map(|output| output.name.clone()),
        in_cluster,
    })
}
