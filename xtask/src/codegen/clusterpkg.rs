//! The package of the cluster components.

use clusterpkg_components::{ALL, OTHER_TYPES, PACKAGES, SchemaOf};
use engine_components::Entry;
use engine_components::schemars::Schema;
use engine_components::schemars::generate::SchemaSettings;
use engine_components::schemars::transform::RecursiveTransform;
use serde_json::{Value, json};

use super::package::{Component, Dependency, Package};

/// The package.
pub(super) fn package() -> Package {
    Package {
        name: "clusterpkg",
        display_name: "Cluster Components",
        description: "Builds managed Kubernetes clusters with add-ons on AWS.",
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
        components: components(),
        other_types: OTHER_TYPES.iter().copied().map(schema).collect(),
        dependencies: PACKAGES
            .iter()
            .map(|package| Dependency {
                name: package.name,
                version: package.version,
            })
            .collect(),
    }
}

/// Every component, in the order of the specification.
pub(super) fn components() -> Vec<Component> {
    ALL.iter().map(component).collect()
}

/// One component, with what its inputs say of it.
fn component(entry: &Entry) -> Component {
    let inputs = schema(entry.inputs_schema);
    Component {
        token: entry.token.to_owned(),
        description: inputs["x-summary"].as_str().unwrap_or_default().to_owned(),
        inputs,
        outputs: schema(entry.outputs_schema),
    }
}

/// The schema of one type with those it uses beside it, instead of a reference to it among them.
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
