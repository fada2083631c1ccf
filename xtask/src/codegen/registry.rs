//! `docs/registry/`: the pages that public registries show, in their formats.
//!
//! The engine's registry reads `_index.md` (a description with a sample in every language) and
//! `installation-configuration.md` (SDKs, the plugin, the configuration) of each package. Archives of plugins contain them
//! in `docs/`; `_index.md` without its front matter is their README. The registries of Terraform and OpenTofu read an index
//! with the arguments, a page for each data source, and guides.

use minijinja::value::Serde;
use minijinja::{Environment, Value, context};

use super::Generated;
use super::facts::Facts;
use crate::Error;
use crate::templates::Templates;

#[path = "../../../crates/terraform-provider-netmgr/src/names.rs"]
#[allow(dead_code, reason = "the provider needs more")]
mod names;

/// Folders that contain only pages generated here.
pub(super) const FOLDERS: &[&str] = &[
    "docs/registry/netmgr",
    "docs/registry/clusterpkg",
    "docs/registry/terraform",
    "docs/registry/terraform/data-sources",
];

/// Pages of each package.
const PAGES: [&str; 2] = ["_index.md", "installation-configuration.md"];

/// Every page.
pub(super) fn files(templates: &Templates, facts: &Facts) -> Result<Vec<Generated>, Error> {
    let all = Value::from(Serde(facts));
    let mut pages = Vec::new();
    for (name, package) in [("netmgr", &facts.netmgr), ("clusterpkg", &facts.clusterpkg)] {
        let view = context! { package => Value::from(Serde(package)), ..all.clone() };
        for page in PAGES.map(|page| format!("docs/registry/{name}/{page}")) {
            pages.push(Generated::page(templates, &page, &page, view.clone())?);
        }
    }
    let index = "docs/registry/terraform/index.md";
    let view = context! { arguments => Value::from(Serde(&*names::SETTINGS)), ..all };
    pages.push(Generated::page(templates, index, index, view)?);
    for function in &facts.functions {
        let name = names::bare(function.description.name);
        let page = format!("docs/registry/terraform/data-sources/{name}.md");
        let view = context! { function => Value::from(Serde(function)) };
        let template = "docs/registry/terraform/data-source.md";
        pages.push(Generated::page(templates, template, &page, view)?);
    }
    Ok(pages)
}

/// Filters of the pages for Terraform.
pub(super) fn filters(environment: &mut Environment<'static>) {
    // A text with names of attributes instead of properties.
    environment.add_filter("attributes", |text: String| names::WORDS.text(&text));
    environment.add_filter("data_source", |function: String| names::bare(&function));
    environment.add_filter("hcl", |example: Value| {
        serde_json::to_value(&example)
            .map(|example| body(&example, "  "))
            .ok()
    });
}

/// Arguments, aligned as by the host's formatter, with nested ones last.
fn body(example: &serde_json::Value, indent: &str) -> String {
    let members = example.as_object().into_iter().flatten();
    let members = members.map(|(name, value)| (names::attribute(name), value));
    let (nested, arguments): (Vec<_>, Vec<_>) = members.partition(|(_, value)| value.is_object());
    let width = arguments
        .iter()
        .map(|(name, _)| name.len())
        .max()
        .unwrap_or_default();
    let mut parts: Vec<String> = Vec::new();
    if !arguments.is_empty() {
        let lines = arguments
            .iter()
            .map(|(name, value)| format!("{indent}{name:width$} = {value}\n"));
        parts.push(lines.collect());
    }
    parts.extend(nested.iter().map(|(name, value)| {
        format!(
            "{indent}{name} = {{\n{}{indent}}}\n",
            body(value, &format!("{indent}  "))
        )
    }));
    parts.join("\n")
}

#[cfg(test)]
mod tests {
    use netmgr_lookups::ALL;
    use serde_json::json;

    use super::*;
    use crate::release::ReleaseFacts;

    #[test]
    fn examples_are_formatted_as_hosts_do() {
        let example = json!({ "context": { "projectId": "dev" }, "displayName": "web", "id": "1" });
        assert_eq!(
            body(&example, "  "),
            "  display_name = \"web\"\n  id           = \"1\"\n\n  context = {\n    project_id = \"dev\"\n  }\n"
        );
    }

    #[test]
    fn sdks_are_linked_and_downloaded_once_they_are_published() {
        let page = |published| {
            let release = ReleaseFacts::of(&crate::release::sample(published));
            let view = context! {
                release => Value::from(Serde(&release)),
                package => context! { name => "netmgr" },
            };
            let templates = Templates::new().unwrap();
            templates.render("docs/registry/sdks.md", &view).unwrap()
        };
        let placeholder = page(false);
        assert!(!placeholder.contains("http"), "{placeholder}");
        assert!(
            placeholder.contains("--file pulumi-resource-netmgr-v"),
            "{placeholder}"
        );
        let published = page(true);
        assert!(
            published.contains("--server github://api.github.com/acme/tools"),
            "{published}"
        );
        assert!(
            published.contains("[`AcmePulumi.Netmgr`](https://www.nuget.org/packages/"),
            "{published}"
        );
    }

    /// The guide is written by hand.
    #[test]
    fn differences_from_nsxt_name_data_sources_and_those_with_exact_names() {
        let guide = include_str!("../../../docs/registry/terraform/guides/migrating-from-nsxt.md");
        let mut count = 0;
        for row in guide.lines().filter_map(|line| line.strip_prefix("| [`nsxt_")) {
            let (name, difference) = row.split_once("`](../data-sources/").unwrap();
            let difference = difference.strip_prefix(&format!("{name}.md) | ")).unwrap();
            let entry = ALL.iter().find(|entry| names::bare(entry.spec.name) == name);
            let inputs = entry
                .unwrap_or_else(|| panic!("{name} is no data source"))
                .describe()
                .inputs;
            let input = inputs.iter().find(|input| input.name == "displayName");
            let is_exact = input.is_some_and(|input| input.description.contains("Must match exactly"));
            assert_eq!(
                difference.starts_with("`display_name` must match exactly"),
                is_exact,
                "{name}"
            );
            count += 1;
        }
        assert!(count > 30, "{count} rows");
    }
}
