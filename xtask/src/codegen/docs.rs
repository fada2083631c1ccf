//! `docs/`, without `docs/registry`: the pages with generated lists, and a page for each function and component.

use minijinja::Value;
use minijinja::context;
use minijinja::value::Serde;

use super::Generated;
use super::facts::Facts;
use crate::Error;
use crate::templates::Templates;

/// Folders that contain only pages generated here.
pub(super) const FOLDERS: &[&str] = &["docs/functions", "docs/components"];

/// Pages that exist once.
const PAGES: [&str; 7] = [
    "docs/SUMMARY.md",
    "docs/components/README.md",
    "docs/configuration.md",
    "docs/coverage.md",
    "docs/decisions/README.md",
    "docs/functions/README.md",
    "schema/tokens.md",
];

/// Every page.
pub(super) fn files(templates: &Templates, facts: &Facts) -> Result<Vec<Generated>, Error> {
    let all = Value::from(Serde(facts));
    let mut pages = Vec::new();
    for page in PAGES {
        pages.push(Generated::page(templates, page, page, all.clone())?);
    }
    for function in &facts.functions {
        let page = format!("docs/functions/{}.md", function.description.name);
        let view = context! { function => Value::from(Serde(function)) };
        pages.push(Generated::page(
            templates,
            "docs/functions/function.md",
            &page,
            view,
        )?);
    }
    for component in &facts.components {
        let page = format!("docs/components/{}.md", component.name);
        let view = context! { component => Value::from(Serde(component)) };
        pages.push(Generated::page(
            templates,
            "docs/components/component.md",
            &page,
            view,
        )?);
    }
    Ok(pages)
}
