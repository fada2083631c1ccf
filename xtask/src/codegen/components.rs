//! `docs/components/`: a page per component and the list of them, for people.

use std::fmt::Write as _;

use clusterpkg_components::{ALL, PACKAGES};
use pulumi_plugin::components::{Child as Declared, ComponentEntry};

use super::Generated;
use super::children::{Child, NAME, children};
use super::markdown::{HEADER, row};
use super::package::{Component, Package};
use super::package_schema;
use super::rows::{Row, rows, rows_with_inner};
use super::samples::{self, Samples};
use crate::Error;

/// Folder of the pages.
pub(super) const FOLDER: &str = "docs/components";

/// Every page.
pub(super) fn files(package: &Package) -> Result<Vec<Generated>, Error> {
    let mut files = vec![Generated {
        path: format!("{FOLDER}/README.md"),
        text: index(&package.components),
    }];
    package_schema::with_samples(package, |samples| {
        for (entry, component) in ALL.iter().zip(&package.components) {
            files.push(Generated {
                path: format!("{FOLDER}/{}.md", component.name()),
                text: page(entry, component, samples)?,
            });
        }
        Ok(files)
    })
}

/// The list, and the rules that apply to all components.
fn index(components: &[Component]) -> String {
    let mut text = format!("{HEADER}\n# Components\n\n| Component | Description |\n|---|---|\n");
    for component in components {
        let link = format!("[{0}]({0}.md)", component.name());
        text.push_str(&row([&link, &component.description]));
    }
    text.push_str(
        "\n## Inputs\n\n\
         All inputs are optional unless a page marks them as required. The plugin applies the defaults itself, \
         so they also apply to YAML programs. An input marked as plain must be known when the component is \
         constructed; it cannot be an output of another resource. Unknown properties are rejected. All \
         problems are reported at once, before any resource is registered.\n\n\
         ## Outputs\n\n\
         Outputs that a page marks with `*` are always present. An output with a type such as \
         `aws:iam/role:Role` is that resource.\n\n\
         ## Operations\n\n\
         [Operating clusters](../operating-clusters.md) describes how to upgrade and destroy clusters.\n\n\
         ## Children\n\n\
         Children are resources of these packages, registered in these versions:\n\n\
         | Package | Version |\n|---|---|\n",
    );
    for package in PACKAGES {
        text.push_str(&row([package.name, package.version]));
    }
    text
}

fn page(entry: &ComponentEntry, component: &Component, samples: &Samples<'_>) -> Result<String, Error> {
    let name = component.name();
    let mut text = format!("{HEADER}\n# {name}\n\n{}\n\n", component.description);
    text.push_str("| | |\n|---|---|\n");
    text.push_str(&row(["Token", &format!("`{}`", component.token)]));

    text.push_str("\n## Inputs\n\n| Name | Type | Default | Description |\n|---|---|---|---|\n");
    for input in rows_with_inner(&component.inputs) {
        text.push_str(&input_row(&input));
    }
    text.push_str("\n## Outputs\n\n");
    outputs(&rows(&component.outputs), &mut text);

    text.push_str(
        "\n## Children\n\nThe input `children` gives a child own values by its name, which is its registered name without that of \
         the component; `*` stands for the rest of a name. The component decides the own properties itself.\n\n",
    );
    list(entry.children, &mut text);
    agree(entry, &children(entry, &component.inputs)?)?;
    let Component { token, example, .. } = component;
    writeln!(
        text,
        "\n## What this costs and what can go wrong\n\n{}",
        notes(name)?.trim_end()
    )?;
    let [.., yaml] = samples.of_component(token, example)?;
    text.push_str("\n## Example\n");
    text.push_str(&samples::on_page(&[yaml]));
    Ok(text)
}

/// Notes for operators of a component, which no schema contains.
fn notes(component: &str) -> Result<&'static str, Error> {
    Ok(match component {
        "Cluster" => include_str!("../../../crates/clusterpkg-components/notes/Cluster.md"),
        "AttachedNodeGroup" => {
            include_str!("../../../crates/clusterpkg-components/notes/AttachedNodeGroup.md")
        }
        "AttachedServerlessProfile" => {
            include_str!("../../../crates/clusterpkg-components/notes/AttachedServerlessProfile.md")
        }
        "AutoscaledNodeGroup" => {
            include_str!("../../../crates/clusterpkg-components/notes/AutoscaledNodeGroup.md")
        }
        "IamRoleMapping" => include_str!("../../../crates/clusterpkg-components/notes/IamRoleMapping.md"),
        "IamServiceAccountRole" => {
            include_str!("../../../crates/clusterpkg-components/notes/IamServiceAccountRole.md")
        }
        other => return Err(format!("{other} has no notes in crates/clusterpkg-components/notes").into()),
    })
}

fn input_row(input: &Row) -> String {
    let default = match (&input.default, input.required) {
        (Some(default), true) => format!("`{default}`; required by SDKs"),
        (Some(default), false) => format!("`{default}`"),
        (None, true) => "required".to_owned(),
        (None, false) => String::new(),
    };
    let plain = if input.plain { ", plain" } else { "" };
    let meaning = match &input.deprecation {
        Some(instead) => format!("Deprecated: {instead}. {}", input.description),
        None => input.description.clone(),
    };
    row([
        &format!("`{}`", input.name),
        &format!("{}{plain}", input.kind),
        &default,
        &meaning,
    ])
}

fn outputs(outputs: &[Row], text: &mut String) {
    if outputs.is_empty() {
        text.push_str("None.\n");
        return;
    }
    text.push_str("| Name | Type | Description |\n|---|---|---|\n");
    for output in outputs {
        let mark = if output.required { "*" } else { "" };
        let secret = if output.secret { ", secret" } else { "" };
        text.push_str(&row([
            &format!("`{}`{mark}", output.name),
            &format!("{}{secret}", output.kind),
            &output.description,
        ]));
    }
}

fn list(children: &[Declared], text: &mut String) {
    text.push_str("| Name | Type | For | Exists | Own properties |\n|---|---|---|---|---|\n");
    for child in children {
        let own = child.all_own().flat_map(|own| own.paths);
        let own: Vec<_> = own.map(|path| format!("`{path}`")).collect();
        text.push_str(&row([
            &format!("`{}`", child.name),
            &format!("`{}`", child.kind.token),
            child.purpose,
            child.condition.unwrap_or_default(),
            &own.join(", "),
        ]));
    }
}

/// Fails if a child is not declared, or if an input that decides whether it exists is not in its declaration.
fn agree(entry: &ComponentEntry, children: &[Child]) -> Result<(), Error> {
    let resources = children
        .iter()
        .filter(|child| !child.token.starts_with("clusterpkg:"));
    for child in resources {
        let found = Declared::find(entry.children, NAME, &child.name, &child.token);
        let (declared, _) = found.ok_or_else(|| format!("the child {} is not declared", child.name))?;
        let condition = declared.condition.unwrap_or_default();
        let mut inputs = child.only_with.iter().chain(&child.only_without);
        let agrees = match declared.condition {
            Some(_) => {
                inputs.any(|input| condition.contains(&format!("`{input}"))) || child.only_with.is_empty()
            }
            None => inputs.next().is_none(),
        };
        if !agrees {
            let name = declared.name;
            return Err(format!(
                "{name} exists with {:?}, but is declared {condition:?}",
                child.only_with
            )
            .into());
        }
    }
    Ok(())
}
