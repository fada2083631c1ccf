//! The package of the cluster components.

use clusterpkg_components::{ALL, OTHER_TYPES, PACKAGES, SchemaOf};
use pulumi_plugin::components::Entry;
use pulumi_plugin::components::schemars::Schema;
use pulumi_plugin::components::schemars::generate::SchemaSettings;
use pulumi_plugin::components::schemars::transform::RecursiveTransform;
use serde_json::{Value, json};

use super::children::children;
use super::package::{Component, Dependency, Example, Package, Setup};
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
        other_types: OTHER_TYPES.iter().copied().map(schema).collect(),
        dependencies: PACKAGES
            .iter()
            .map(|package| Dependency {
                name: package.name,
                version: package.version,
            })
            .collect(),
    })
}

/// Every component, in the order of the specification.
pub(super) fn components() -> Result<Vec<Component>, Error> {
    ALL.iter().map(component).collect()
}

/// One component, with what its inputs say of it.
fn component(entry: &Entry) -> Result<Component, Error> {
    let inputs = schema(entry.inputs_schema);
    let outputs = schema(entry.outputs_schema);
    Ok(Component {
        token: entry.token.to_owned(),
        description: inputs["x-summary"].as_str().unwrap_or_default().to_owned(),
        example: example(entry, &inputs, &outputs)?,
        inputs,
        outputs,
    })
}

/// The first example of the inputs, with an output that people can read, if there is one.
fn example(entry: &Entry, inputs: &Value, outputs: &Value) -> Result<Example, Error> {
    let values = inputs["examples"][0].as_object();
    let values =
        values.ok_or_else(|| format!("{} has no example; give its inputs `examples`", entry.token))?;
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
        inputs: values.clone(),
        output: shown.map(|output| output.name.clone()),
        in_cluster,
    })
}

/// The schema of one type, followed by those it uses, instead of a reference to it among them.
fn schema(of: SchemaOf) -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(join_lines))
        .into_generator();
    let reference = of(&mut generator);
    let mut definitions = generator.take_definitions(true);
    let name = reference.as_value()["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next());
    let name = name.expect("a struct is referred to by its name");
    let mut schema = definitions.remove(name).expect("what is referred to is defined");
    schema["title"] = json!(name);
    schema["$defs"] = definitions.into();
    schema
}

/// Makes one line of each paragraph of a description. In the code it is broken where a line is full.
fn join_lines(schema: &mut Schema) {
    if let Some(Value::String(description)) = schema.get_mut("description") {
        let paragraphs = description.split("\n\n").map(|text| text.replace('\n', " "));
        *description = paragraphs.collect::<Vec<_>>().join("\n\n");
    }
}
