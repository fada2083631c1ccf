//! The token table: every token of the package with its properties, for tools and for people.

use netmgr_lookups::{ALL, Description, Property};

use super::{MARKDOWN_HEADER, netmgr, pretty};
use crate::Error;

/// The table as an array of objects.
pub(super) fn json() -> Result<String, Error> {
    let rows: Vec<Description> = ALL.iter().map(|entry| entry.describe()).collect();
    pretty(&rows)
}

/// The table as Markdown.
pub(super) fn markdown() -> String {
    let mut text = format!(
        "{MARKDOWN_HEADER}\n# Tokens\n\n\
         In inputs `(req)` marks a required property; in outputs `*` marks one that is always returned.\n\n\
         | Token | Kind | Inputs | Outputs | Available on | Minimum version | Source |\n\
         |---|---|---|---|---|---|---|\n"
    );
    for entry in ALL {
        text.push_str(&row(&entry.describe()));
    }
    text
}

fn row(function: &Description) -> String {
    let available = match &function.available_on {
        Some(deployments) => deployments.join(", "),
        None => "not stated".to_owned(),
    };
    format!(
        "| `{}` | {} | {} | {} | {available} | {} | {} |\n",
        function.token,
        function.kind,
        list(&function.inputs, " (req)"),
        list(&function.outputs, "*"),
        or_none(netmgr::minimum_versions(function)),
        function.source,
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

fn or_none(text: String) -> String {
    if text.is_empty() { "none".to_owned() } else { text }
}
