//! The package of the cluster components.

use clusterpkg_components::{ALL, OTHER_TYPES, PACKAGES};
use pulumi_plugin::components::ComponentEntry;
use pulumi_plugin::schema::{ComponentSchema, of_type};
use serde_json::{Value, json};

use super::children::children;
use super::package::{Component, Example, Package, Setup};
use super::rows::rows;
use crate::Error;
use crate::release::Release;

/// Type of a provider that a component makes for its own children.
const OWN_PROVIDER: &str = "pulumi:providers:kubernetes";

/// The package.
pub(super) fn package(release: &Release) -> Result<Package, Error> {
    Ok(Package {
        release: release.clone(),
        name: "clusterpkg",
        display_name: "Cluster Components for Amazon EKS",
        description: "Builds Amazon EKS clusters with nodes, add-ons and access control.",
        about: "A `Cluster` includes system nodes and add-ons for autoscaling, ingress, certificates and DNS records, \
                which can be disabled. Other components add node groups, serverless profiles and role mappings. Their \
                children are resources of the packages `aws` and `kubernetes`.",
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
        setup_about: "The package has no settings. Its children use the AWS and Kubernetes providers, so an AWS account \
                      and a region are required.",
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

/// One component, with its schema.
fn component(entry: &ComponentEntry) -> Result<Component, Error> {
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

/// The first example of the inputs, with a readable output if there is one.
fn example(entry: &ComponentEntry, inputs: &Value, outputs: &Value) -> Result<Example, Error> {
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
