//! `docs/functions/`: a page per lookup function and the list of them, for people.

use std::fmt::Write as _;

use netmgr_lookups::{
    ALL, Description, ErrorDescription, FunctionEntry, FunctionGroup, Property, ResultKind, Shape,
};

use super::answers::answers;
use super::examples::Call;
use super::markdown::{HEADER, row};
use super::package::{Example, Function, Package};
use super::terraform::data_source;
use super::{Generated, netmgr, package_schema, samples};
use crate::Error;

/// Folder of the pages.
pub(super) const FOLDER: &str = "docs/functions";

/// Every page.
pub(super) fn files(package: &Package) -> Result<Vec<Generated>, Error> {
    let page_of = |name: &str, text: String| Generated {
        path: format!("{FOLDER}/{name}.md"),
        text,
    };
    let mut files = vec![page_of("README", index(package)?)];
    let answers = answers(&package.functions)?;
    for ((entry, function), answer) in ALL.iter().zip(&package.functions).zip(answers) {
        files.push(page_of(entry.spec.name, page(package, entry, function, &answer)));
    }
    Ok(files)
}

/// The list, and the rules that apply to all functions.
fn index(package: &Package) -> Result<String, Error> {
    let mut text = format!(
        "{HEADER}\n# Functions\n\n\
         [Coverage](../coverage.md) maps the functions to the data sources of the provider `nsxt`.\n"
    );
    for group in FunctionGroup::ALL {
        write!(
            text,
            "\n## {}\n\n| Function | Description |\n|---|---|\n",
            group.title()
        )?;
        for entry in ALL.iter().filter(|entry| entry.group == *group) {
            let link = format!("[{0}]({0}.md)", entry.spec.name);
            text.push_str(&row([&link, entry.spec.summary]));
        }
    }
    text.push_str(
        "\n## Inputs\n\n\
         All inputs are optional unless a page marks them as required. Inputs that are `null` and empty strings are \
         treated as unset. Unknown properties are rejected; the error names them. Pages do not repeat the descriptions \
         of these inputs:\n\n\
         | Input | Description |\n|---|---|\n",
    );
    for (name, meaning) in COMMON {
        text.push_str(&row([&format!("`{name}`"), meaning]));
    }
    text.push_str(
        "\n`netmgr get NAME --help` describes each input and output of a function.\n\n\
         ## Outputs\n\n\
         Outputs that an object does not have are empty or omitted.\n\n\
         ## Errors\n\n\
         Pages list only errors that are not in this table:\n\n\
         | Error | Cause |\n|---|---|\n",
    );
    for (name, when) in EVERYWHERE {
        text.push_str(&row([name, when]));
    }
    let featured = package.functions.iter().find(|one| one.token == package.featured);
    let Function { token, example, .. } = featured.ok_or("no function stands for the package")?;
    text.push_str(
        "\n## In programs\n\nEach page contains a command line and its answer on the simulated manager (`-o json`). Its flags correspond to the inputs in all languages, \
         in the case of the language; the flags of nested inputs begin with the name of the outer input. For example, \
         this command:\n\n",
    );
    write!(
        text,
        "```sh\n{}\n```\n",
        call(package, token, example).command_line()
    )?;
    let samples = package_schema::with_samples(package, |samples| samples.of_function(token, example))?;
    text.push_str(&samples::on_page(&samples));
    text.push_str("\nSee also [Rust](../rust.md) and [Terraform and OpenTofu](../terraform.md).\n");
    Ok(text)
}

/// Inputs with the same meaning in all functions. A page describes them only if they are required.
const COMMON: &[(&str, &str)] = &[
    (
        "id",
        "Id of the object. Takes precedence over all other inputs, or excludes `displayName` and `description`.",
    ),
    (
        "displayName",
        "Display name of the object. Most functions of the policy API also accept a prefix that matches exactly one \
         object, if no object has the exact name.",
    ),
    (
        "description",
        "Description that the object must have, in addition to its display name.",
    ),
    (
        "context",
        "Location of the object: the project `projectId`, the VPC `vpcId` of the project, or, with `fromGlobal`, the \
         objects that a global manager has sent to this manager. By default, objects outside all projects are searched.",
    ),
    (
        "domain",
        "Id of the domain that the object belongs to. Default `default`.",
    ),
    (
        "sitePath",
        "Path of the site that the object belongs to. Required on a global manager.",
    ),
    ("tagScope", "Scope of a tag that the objects must have."),
    ("tag", "Value of a tag that the objects must have."),
];

/// Errors that do not depend on the function.
const EVERYWHERE: &[(&str, &str)] = &[
    (
        "not found",
        "no object matches the inputs, or the object does not exist",
    ),
    (
        "ambiguous",
        "more than one object matches; the message lists up to ten of them with their ids",
    ),
    (
        "invalid input",
        "a property is unknown or has an invalid value, or a required one is missing or empty",
    ),
    (
        "unsupported",
        "the function is not available on this kind or version of manager",
    ),
    (
        "unauthenticated",
        "the manager does not accept the configured credentials",
    ),
    (
        "permission denied",
        "the account may not read the object, or the manager has no licence for it",
    ),
    (
        "network",
        "the manager cannot be reached, or its certificate is not trusted",
    ),
    (
        "throttled",
        "the manager rejects requests because of its rate limits, even after all retries",
    ),
    (
        "deadline exceeded",
        "the lookup did not finish before its deadline",
    ),
    (
        "realization failed",
        "an object that a function waits for reached a final state other than success; the message includes the \
         manager's reasons",
    ),
    ("cancelled", "the deployment or the command was interrupted"),
    ("internal", "the provider has a bug; please report it"),
];

/// A page. The page with the list contains everything that functions have in common, so a page has fewer than 150 words.
fn page(package: &Package, entry: &FunctionEntry, shown: &Function, answer: &str) -> String {
    let function = entry.describe();
    let command_line = call(package, &shown.token, &shown.example).command_line();
    let mut text = format!(
        "{HEADER}\n# {}\n\n{}\n\n```sh\n{command_line}\n```\n\n",
        function.name, function.summary,
    );
    if !answer.is_empty() {
        text.push_str(&format!("```json\n{answer}\n```\n\n"));
    }
    text.push_str(&format!("- Available on: {}\n", available_on(&function)));
    text.push_str(&format!("- Terraform: {}\n", data_sources(entry, &function)));
    let minimum = netmgr::minimum_versions(&function);
    if !minimum.is_empty() {
        text.push_str(&format!("- Minimum version: {minimum}\n"));
    }
    if !entry.spec.successors.is_empty() {
        let links = entry.spec.successors.iter();
        let links: Vec<String> = links.map(|name| format!("[{name}]({name}.md)")).collect();
        text.push_str(&format!(
            "- Replacement on managers without this API: {}\n",
            links.join(", ")
        ));
    }
    text.push_str("\n## Inputs\n\n");
    inputs(entry.spec.answer, &function.inputs, &mut text);
    text.push_str("\n## Outputs\n\n");
    let outputs = function.outputs.iter().map(|output| match output.shape {
        Shape::String => format!("`{}`", output.name),
        Shape::Strings => format!("`{}` (list)", output.name),
        Shape::Objects => format!("`{}` (objects)", output.name),
        shape => format!("`{}` ({})", output.name, shape.name()),
    });
    text.push_str(&outputs.collect::<Vec<_>>().join(", "));
    text.push('\n');
    let mut own = entry.failures();
    own.retain(|error| EVERYWHERE.iter().all(|(name, _)| *name != error.name));
    if !own.is_empty() {
        text.push_str("\n## Errors\n\n");
        for ErrorDescription { name, when, .. } in own {
            text.push_str(&format!("- {name}: {when}\n"));
        }
    }
    text
}

/// The inputs of the function, and the names of those that the page with the list describes.
fn inputs(answer: ResultKind, inputs: &[Property], text: &mut String) {
    let selects = answer == ResultKind::Object;
    let is_common = |input: &&Property| {
        let is_known = COMMON.iter().any(|(name, _)| *name == input.name);
        let is_selector = ["id", "displayName"].contains(&&*input.name);
        is_known && !input.required && (selects || !is_selector)
    };
    let common: Vec<String> = inputs
        .iter()
        .filter(is_common)
        .map(|input| format!("`{}`", input.name))
        .collect();
    for input in inputs.iter().filter(|input| !is_common(input)) {
        let required = if input.required { ", required" } else { "" };
        let kind = match input.shape {
            Shape::Object => {
                let members = input.properties.iter();
                let members: Vec<String> = members.map(|member| format!("`{}`", member.name)).collect();
                format!("with {}", members.join(", "))
            }
            shape => shape.name().to_owned(),
        };
        let line = format!("- `{}` ({kind}{required}): {}\n", input.name, input.description);
        text.push_str(&line);
    }
    match (inputs.is_empty(), common.is_empty()) {
        (true, _) => text.push_str("None.\n"),
        (false, true) => {}
        (false, false) => {
            let line = format!("- {}: see [all functions](README.md#inputs)\n", common.join(", "));
            text.push_str(&line);
        }
    }
}

fn call<'a>(package: &'a Package, token: &'a str, example: &'a Example) -> Call<'a> {
    Call {
        release: &package.release,
        package: package.name,
        function: token.rsplit(':').next().unwrap_or_default(),
        token,
        input: &example.inputs,
        output: example.output.as_deref().unwrap_or_default(),
    }
}

/// The names of the data source, with the name in `nsxt` first if it has one.
fn data_sources(entry: &FunctionEntry, function: &Description) -> String {
    let name = data_source(function);
    let suffix = name.trim_start_matches("nsxt_").trim_start_matches("netmgr_");
    match entry.spec.has_counterpart {
        true => format!("`nsxt_{suffix}`, `netmgr_{suffix}`"),
        false => format!("`netmgr_{suffix}`"),
    }
}

pub(super) fn available_on(function: &Description) -> String {
    match &function.available_on {
        Some(deployments) => deployments.join(", "),
        None => "all managers".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::Release;
    use crate::workspace::root;

    #[test]
    fn pages_are_short() {
        let package = netmgr::package(&Release::read(root()).unwrap()).unwrap();
        for (entry, function) in ALL.iter().zip(&package.functions) {
            let text = page(&package, entry, function, "");
            let words = text.split_whitespace().count();
            assert!(words < 150, "{} has {words} words:\n{text}", entry.spec.name);
        }
    }
}
