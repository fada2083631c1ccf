//! The token table: every token of the package with its properties, for tools and for people.

use netmgr_lookups::{ALL, Description, Property};

use super::MARKDOWN_HEADER;

/// The table as an array of objects.
pub(super) fn json() -> String {
    let rows: Vec<Description> = ALL.iter().map(|entry| entry.describe()).collect();
    let mut text = serde_json::to_string_pretty(&rows).expect("descriptions are plain JSON");
    text.push('\n');
    text
}

/// The table as Markdown.
pub(super) fn markdown() -> String {
    let mut text = format!(
        "{MARKDOWN_HEADER}\n# Tokens\n\n\
         In inputs `(req)` marks a required property; in outputs `*` marks one that is always returned. \
         Source: lookup-provider section 4.2.\n\n\
         | Token | Kind | Inputs | Outputs | Available on | Minimum version |\n\
         |---|---|---|---|---|---|\n"
    );
    for entry in ALL {
        text.push_str(&row(&entry.describe()));
    }
    text
}

fn row(function: &Description) -> String {
    let versions: Vec<String> = function
        .minimum_versions
        .iter()
        .map(|minimum| match minimum.deployment {
            Some(deployment) => format!("{} on {deployment}", minimum.version),
            None => minimum.version.to_owned(),
        })
        .collect();
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
        or_none(versions.join(", ")),
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
