//! The token table: every token of the packages with its properties, as JSON and as Markdown.

use netmgr_lookups::{ALL, Description, Property};
use serde_json::{Value, json};

use super::markdown::{HEADER, or_none};
use super::package::Component;
use super::rows::{Row, rows};
use super::{netmgr, pretty};
use crate::Error;

/// The table as an array of objects.
pub(super) fn json(components: &[Component]) -> Result<String, Error> {
    let functions = ALL.iter().map(|entry| serde_json::to_value(entry.describe()));
    let components = components.iter().map(component);
    let rows: Vec<Value> = functions.chain(components).collect::<Result<_, _>>()?;
    pretty(&rows)
}

/// A component in the format of a function.
fn component(component: &Component) -> Result<Value, serde_json::Error> {
    Ok(json!({
        "name": component.name(),
        "token": component.token,
        "kind": "component",
        "summary": component.description,
        "inputs": serde_json::to_value(rows(&component.inputs))?,
        "outputs": serde_json::to_value(rows(&component.outputs))?,
        "availableOn": null,
        "minimumVersions": [],
        "successor": null,
        "example": component.inputs["examples"][0],
        "source": component.inputs["x-source"],
    }))
}

/// The table as Markdown.
pub(super) fn markdown(components: &[Component]) -> String {
    let mut text = format!(
        "{HEADER}\n# Tokens\n\n\
         In inputs `(req)` marks a required property; in outputs `*` marks one that is always returned.\n\n\
         | Token | Kind | Inputs | Outputs | Available on | Minimum version |\n\
         |---|---|---|---|---|---|\n"
    );
    for entry in ALL {
        text.push_str(&row(&entry.describe()));
    }
    for component in components {
        text.push_str(&format!(
            "| `{}` | component | {} | {} | not stated | none |\n",
            component.token,
            names(&rows(&component.inputs), " (req)"),
            names(&rows(&component.outputs), "*"),
        ));
    }
    text
}

fn row(function: &Description) -> String {
    let available = match &function.available_on {
        Some(deployments) => deployments.join(", "),
        None => "not stated".to_owned(),
    };
    format!(
        "| `{}` | {} | {} | {} | {available} | {} |\n",
        function.token,
        function.kind,
        list(&function.inputs, " (req)"),
        list(&function.outputs, "*"),
        or_none(netmgr::minimum_versions(function)),
    )
}

/// Names and types, required ones with `mark`.
fn list(properties: &[Property], mark: &str) -> String {
    let each = properties.iter().map(|property| {
        let mark = if property.required { mark } else { "" };
        format!("`{}`{mark} {}", property.name, property.shape.name())
    });
    or_none(each.collect::<Vec<_>>().join(", "))
}

/// Names and types of a component's properties, required ones with `mark`.
fn names(rows: &[Row], mark: &str) -> String {
    let each = rows.iter().map(|row| {
        let mark = if row.required { mark } else { "" };
        format!("`{}`{mark} {}", row.name, row.kind)
    });
    or_none(each.collect::<Vec<_>>().join(", "))
}
