//! `docs/functions/`: a page per lookup function and the list of them, for people.

use std::fmt::Write as _;

use netmgr_lookups::{ALL, Description, Entry, ErrorDescription, Property};
use serde_json::Value;

use super::examples::Call;
use super::markdown::{HEADER, or_none, row};
use super::package::{Example, Function, Package};
use super::{Generated, netmgr, samples};
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
    for (entry, function) in ALL.iter().zip(&package.functions) {
        files.push(page_of(entry.spec.name, page(package, entry, function)));
    }
    Ok(files)
}

/// The list, and what holds for all functions.
fn index(package: &Package) -> Result<String, Error> {
    let mut text = format!(
        "{HEADER}\n# Functions\n\n\
         | Function | Does | Available on | Minimum version |\n|---|---|---|---|\n"
    );
    for entry in ALL {
        let function = entry.describe();
        text.push_str(&row([
            &format!("[{0}]({0}.md)", function.name),
            function.summary,
            &available_on(&function),
            &or_none(netmgr::minimum_versions(&function)),
        ]));
    }
    text.push_str(
        "\n## Inputs\n\n\
         All inputs are optional unless a page marks them as required. An input that is `null`, or an empty \
         string, counts as absent. Unknown properties are rejected; the error names them.\n\n\
         ## Outputs\n\n\
         Outputs that a page marks with `*` are always present. Others are omitted if the object does not \
         have them.\n\n\
         ## Errors\n\n\
         A page lists errors in addition to these:\n\n\
         | Error | When |\n|---|---|\n",
    );
    for (name, when) in EVERYWHERE {
        text.push_str(&row([name, when]));
    }
    let featured = package.functions.iter().find(|one| one.token == package.featured);
    let Function {
        token,
        input,
        example,
        ..
    } = featured.ok_or("no function stands for the package")?;
    text.push_str(
        "\n## In programs\n\nEach page has a call on the command line. Its flags are the inputs of all languages, each \
         in its own case; flags of inner objects begin with the name around them. This call:\n\n",
    );
    write!(
        text,
        "```sh\n{}\n```\n",
        call(package, token, example).command_line()
    )?;
    let samples = samples::of_package(package, |samples| samples.of_function(token, input, example))?;
    text.push_str(&samples::on_page(&samples));
    text.push_str(
        "\n[Rust](../rust.md) has a page of its own, as do [Terraform and OpenTofu](../terraform.md).\n",
    );
    Ok(text)
}

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
        "the function is not available on this manager or in its version",
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
    ("cancelled", "the deployment or the command was interrupted"),
    ("internal", "the provider has a bug; please report it"),
];

fn page(package: &Package, entry: &Entry, shown: &Function) -> String {
    let function = entry.describe();
    let mut text = format!("{HEADER}\n# {}\n\n{}\n\n", function.name, function.summary);
    text.push_str("| | |\n|---|---|\n");
    text.push_str(&row(["Token", &format!("`{}`", function.token)]));
    text.push_str(&row(["Available on", &available_on(&function)]));
    text.push_str(&row([
        "Minimum version",
        &or_none(netmgr::minimum_versions(&function)),
    ]));
    if let Some(successor) = function.successor {
        let link = format!("[{successor}]({successor}.md), on managers without its API");
        text.push_str(&row(["Replaced by", &link]));
    }
    text.push_str("\n## Inputs\n\n");
    inputs(&function.inputs, &(entry.input_schema)().to_value(), &mut text);
    text.push_str("\n## Outputs\n\n| Name | Type | Meaning |\n|---|---|---|\n");
    for (name, output) in flat(&function.outputs) {
        let mark = if output.required { "*" } else { "" };
        let name = format!("`{name}`{mark}");
        text.push_str(&row([&name, output.shape.name(), &output.description]));
    }
    let mut own = entry.failures();
    own.retain(|error| EVERYWHERE.iter().all(|(name, _)| *name != error.name));
    if !own.is_empty() {
        text.push_str("\n## Errors\n\n| Error | When |\n|---|---|\n");
        for ErrorDescription { name, when, .. } in own {
            text.push_str(&row([name, &when]));
        }
    }
    let command_line = call(package, &shown.token, &shown.example).command_line();
    text + "\n## Example\n\n```sh\n" + &command_line + "\n```\n"
}

fn inputs(inputs: &[Property], schema: &Value, text: &mut String) {
    if inputs.is_empty() {
        text.push_str("None.\n");
        return;
    }
    text.push_str("| Name | Type | Default | Meaning |\n|---|---|---|---|\n");
    for (name, input) in flat(inputs) {
        let default = match &schema["properties"][&name]["default"] {
            Value::Null if input.required => "required".to_owned(),
            Value::Null => String::new(),
            default => format!("`{default}`"),
        };
        text.push_str(&row([
            &format!("`{name}`"),
            input.shape.name(),
            &default,
            &input.description,
        ]));
    }
}

/// Properties with those of inner objects behind them, each with its path.
fn flat(properties: &[Property]) -> Vec<(String, &Property)> {
    let mut all = Vec::new();
    for property in properties {
        all.push((property.name.clone(), property));
        for (name, inner) in flat(&property.properties) {
            all.push((format!("{}.{name}", property.name), inner));
        }
    }
    all
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

pub(super) fn available_on(function: &Description) -> String {
    match &function.available_on {
        Some(deployments) => deployments.join(", "),
        None => "not stated".to_owned(),
    }
}
