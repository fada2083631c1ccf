//! The facts that pages can show. Templates select and word them.

mod components;

use std::path::Path;
use std::{fs, io};

use clusterpkg_components::PACKAGES;
use heck::{ToKebabCase as _, ToSnakeCase as _};
use netmgr_lookups::{ALL as FUNCTIONS, Description, FunctionGroup, Property, ResultKind, function_words};
use netmgr_types::ProviderConfig;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::answers::answers;
use super::package::{Package, minimum_version, short};
use super::samples::{Sample, Samples};
use crate::Error;
use crate::release::ReleaseFacts;
use components::{ComponentFacts, components};

/// All facts.
#[derive(Serialize)]
pub(super) struct Facts {
    /// Titles of the groups of functions.
    groups: Vec<&'static str>,
    pub(super) functions: Vec<FunctionFacts>,
    /// Facts that hold for all functions.
    shared: Shared,
    pub(super) components: Vec<ComponentFacts>,
    /// The packages of the children of components.
    child_packages: Vec<Value>,
    /// The settings of netmgr.
    settings: Vec<Setting>,
    decisions: Vec<Decision>,
    release: ReleaseFacts,
    pub(super) netmgr: PackageFacts,
    pub(super) clusterpkg: PackageFacts,
}

/// A function.
#[derive(Serialize)]
pub(super) struct FunctionFacts {
    #[serde(flatten)]
    pub(super) description: Description,
    /// Title of its group.
    group: &'static str,
    /// The kinds of managers that have it; empty if they are not stated.
    #[serde(rename = "available_on")]
    available: String,
    minimum_version: String,
    removed_in: Option<&'static str>,
    successors: &'static [&'static str],
    /// Name of its data source without a prefix.
    data_source: String,
    /// Whether the provider `nsxt` has this data source.
    has_counterpart: bool,
    /// A call of its example on the command line.
    command_line: String,
    /// The answer to this call as indented JSON; empty if it changes from run to run.
    answer: String,
    /// Inputs that only the page of the function describes.
    own_inputs: Vec<Property>,
    /// Names of the other inputs.
    shared_inputs: Vec<String>,
    errors: Vec<ErrorFacts>,
    /// Errors that only the page of the function describes.
    own_errors: Vec<ErrorFacts>,
}

/// An error of a function.
#[derive(Clone, Serialize)]
struct ErrorFacts {
    name: &'static str,
    when: String,
}

/// Descriptions that the pages of functions do not repeat.
#[derive(Serialize, Deserialize)]
struct Shared {
    inputs: Vec<Described>,
    errors: Vec<Described>,
}

#[derive(Serialize, Deserialize)]
struct Described {
    name: String,
    description: String,
}

/// A setting of netmgr.
#[derive(Serialize)]
struct Setting {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    secret: bool,
    variable: &'static str,
    /// Its description without its variable.
    description: String,
}

/// A decision.
#[derive(Serialize)]
struct Decision {
    /// Name by which comments refer to it: the file name without the extension.
    name: String,
    title: String,
}

/// A package, with the example that stands for it.
#[derive(Serialize)]
pub(super) struct PackageFacts {
    name: &'static str,
    display_name: Option<&'static str>,
    description: &'static str,
    samples: [Sample; 6],
    /// Its example on the command line; empty for components.
    command_line: String,
}

impl PackageFacts {
    fn of(package: &Package, samples: &Samples) -> Result<Self, Error> {
        let meta = &package.schema.meta;
        let example = &package.examples[package.featured];
        let is_function = !package.schema.functions.is_empty();
        Ok(Self {
            name: meta.name,
            display_name: meta.display_name,
            description: meta.description,
            samples: samples.of(package.featured)?,
            command_line: match is_function {
                true => command_line(short(package.featured), &example.inputs),
                false => String::new(),
            },
        })
    }
}

impl Facts {
    /// The facts of the workspace in `root`.
    pub(super) fn read(
        root: &Path,
        [netmgr, clusterpkg]: &[Package; 2],
        [netmgr_samples, clusterpkg_samples]: [&Samples; 2],
    ) -> Result<Self, Error> {
        let shared = fs::read_to_string(root.join("xtask/templates/docs/functions/shared.yaml"))?;
        let shared: Shared = serde_saphyr::from_str(&shared)?;
        Ok(Self {
            groups: FunctionGroup::ALL.iter().map(|group| group.title()).collect(),
            functions: functions(netmgr, &shared)?,
            shared,
            components: components(clusterpkg, clusterpkg_samples)?,
            child_packages: PACKAGES
                .iter()
                .map(|package| serde_json::json!({ "name": package.name, "version": package.version }))
                .collect(),
            settings: settings(),
            decisions: decisions(root)?,
            release: ReleaseFacts::of(&netmgr.release),
            netmgr: PackageFacts::of(netmgr, netmgr_samples)?,
            clusterpkg: PackageFacts::of(clusterpkg, clusterpkg_samples)?,
        })
    }
}

fn functions(package: &Package, shared: &Shared) -> Result<Vec<FunctionFacts>, Error> {
    let answers = answers(&package.examples)?;
    let functions = FUNCTIONS.iter().zip(answers).map(|(entry, answer)| {
        let description = entry.describe();
        let spec = &entry.spec;
        // Lists describe their filters themselves.
        let selects = spec.answer == ResultKind::Object;
        let is_shared = |input: &Property| {
            let is_known = shared.inputs.iter().any(|known| known.name == input.name);
            let is_selector = ["id", "displayName"].contains(&&*input.name);
            is_known && !input.required && (selects || !is_selector)
        };
        let (shared_inputs, own_inputs): (Vec<_>, Vec<_>) =
            description.inputs.iter().cloned().partition(is_shared);
        let failures = entry.failures().into_iter();
        let errors: Vec<_> = failures
            .map(|error| ErrorFacts {
                name: error.name,
                when: error.when,
            })
            .collect();
        let mut own_errors = errors.clone();
        own_errors.retain(|error| shared.errors.iter().all(|known| known.name != error.name));
        FunctionFacts {
            group: entry.group.title(),
            available: description
                .available_on
                .iter()
                .flatten()
                .copied()
                .collect::<Vec<_>>()
                .join(", "),
            minimum_version: minimum_version(&description),
            removed_in: spec.removed_in,
            successors: spec.successors,
            data_source: function_words(spec.name).to_snake_case(),
            has_counterpart: spec.has_counterpart,
            command_line: command_line(spec.name, &package.examples[&description.token].inputs),
            answer,
            own_inputs,
            shared_inputs: shared_inputs.into_iter().map(|input| input.name).collect(),
            errors,
            own_errors,
            description,
        }
    });
    Ok(functions.collect())
}

/// A call of a function for a shell.
fn command_line(function: &str, input: &Map<String, Value>) -> String {
    let mut line = format!("netmgr get {}", function_words(function).to_kebab_case());
    flags("-", input, &mut line);
    line
}

/// Flags for all values; the flag of a nested property begins with the outer names.
fn flags(prefix: &str, object: &Map<String, Value>, line: &mut String) {
    for (name, value) in object {
        let flag = match format!("{prefix}-{}", name.to_kebab_case()).as_str() {
            "--context-project-id" => "--project".to_owned(),
            flag => flag.to_owned(),
        };
        match value {
            Value::Object(inner) => flags(&flag, inner, line),
            Value::String(text) => {
                let word = shlex::try_quote(text).expect("inputs have no NUL");
                line.push_str(&format!(" {flag} {word}"));
            }
            Value::Bool(true) => line.push_str(&format!(" {flag}")),
            Value::Bool(false) => line.push_str(&format!(" {flag}=false")),
            other => line.push_str(&format!(" {flag} {other}")),
        }
    }
}

fn settings() -> Vec<Setting> {
    let settings = netmgr_lookups::properties(&netmgr_types::schema::input::<ProviderConfig>());
    let settings = settings.into_iter().map(|setting| {
        let mut variables = ProviderConfig::ENV.iter();
        let variable = variables.find(|(name, _)| *name == setting.name);
        let variable = variable.map_or("", |(_, variable)| *variable);
        Setting {
            kind: setting.shape.name(),
            secret: setting.secret,
            variable,
            description: setting
                .description
                .replace(
                    &format!("can be set by {variable}, separated"),
                    "in the variable, separated",
                )
                .replace(&format!("; can be set by {variable}."), ".")
                .replace(&format!(" Can be set by {variable}."), ""),
            name: setting.name,
        }
    });
    settings.collect()
}

/// All decisions by name.
fn decisions(root: &Path) -> Result<Vec<Decision>, Error> {
    let folder = root.join("docs/decisions");
    let mut names: Vec<String> = fs::read_dir(&folder)?
        .filter_map(|entry| {
            entry
                .map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".md")?.to_owned()))
                .transpose()
        })
        .collect::<io::Result<_>>()?;
    names.retain(|name| name != "README");
    names.sort();
    let decisions = names.into_iter().map(|name| {
        let text = fs::read_to_string(folder.join(format!("{name}.md")))?;
        let title = text.lines().next().and_then(|line| line.strip_prefix("# "));
        let title = title
            .ok_or_else(|| format!("the decision {name} has no title"))?
            .to_owned();
        Ok(Decision { name, title })
    });
    decisions.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_command_line_quotes_what_the_shell_would_read() {
        let Value::Object(input) = json!({ "context": { "projectId": "dev" }, "displayName": "it's $1", "on": true, "timeout": 600 })
        else {
            unreachable!("an object")
        };
        assert_eq!(
            command_line("getPolicyEdgeNode", &input),
            r#"netmgr get policy-edge-node --project dev --display-name "it's "'$1' --on --timeout 600"#
        );
    }

    #[test]
    fn descriptions_of_settings_do_not_repeat_the_variable() {
        for Setting {
            variable,
            description,
            ..
        } in settings()
        {
            assert!(
                variable.is_empty() || !description.contains(variable),
                "{description}"
            );
        }
    }
}
