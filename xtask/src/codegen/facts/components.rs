//! The facts about components.

use clusterpkg_components::ALL as COMPONENTS;
use serde::Serialize;

use super::super::package::{Package, short};
use super::super::rows::{Row, rows};
use super::super::samples::Samples;
use crate::Error;

/// A component.
#[derive(Serialize)]
pub(in crate::codegen) struct ComponentFacts {
    pub(in crate::codegen) name: String,
    token: String,
    description: String,
    inputs: Vec<Row>,
    /// The inputs, each followed by the members of its objects.
    all_inputs: Vec<Row>,
    outputs: Vec<Row>,
    children: Vec<ChildFacts>,
    /// Its example in YAML.
    yaml: String,
}

/// A child of a component.
#[derive(Serialize)]
struct ChildFacts {
    name: &'static str,
    token: &'static str,
    purpose: &'static str,
    condition: Option<&'static str>,
    /// Properties that the component decides.
    own: Vec<&'static str>,
}

/// The components of the package.
pub(super) fn components(package: &Package, samples: &Samples) -> Result<Vec<ComponentFacts>, Error> {
    let components = COMPONENTS.iter().zip(&package.schema.components);
    let components = components.map(|(entry, component)| {
        let [.., yaml] = samples.of(&component.token)?;
        let children = entry.children.iter().map(|child| ChildFacts {
            name: child.name,
            token: child.kind.token,
            purpose: child.purpose,
            condition: child.condition,
            own: child.all_own().flat_map(|own| own.paths).copied().collect(),
        });
        Ok(ComponentFacts {
            name: short(&component.token).to_owned(),
            token: component.token.clone(),
            description: component.description.clone(),
            inputs: rows(&component.inputs, false),
            all_inputs: rows(&component.inputs, true),
            outputs: rows(&component.outputs, false),
            children: children.collect(),
            yaml: yaml.text,
        })
    });
    components.collect()
}
