//! The last step: references in generated resources instead of policy paths.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use netmgr_lookups::typed::GetPolicyObject;
use netmgr_lookups::{ALL, CallInputs, FunctionEntry, ResultKind, Words};
use netmgr_types::{PolicyPath, foreign};
use serde_json::{Value, json};
use terraform_switch::{Changed, DATA_FILE, DataSource, Generated, Import, SourceFile, Step, is_program};

use super::IMPORT_FILE;
use super::names::resource_name;
use super::resources::ImportableResource;
use crate::app::App;
use crate::failure::CliError;
use crate::output::{Column, standard_output};
use crate::session::{LookupSession, NoWarnings};
use crate::terraform;

/// The provider of the resources and data sources.
const PROVIDER: &str = "nsxt";
/// Hint for a folder without adopted resources.
const FIRST_STEPS: &str =
    "first run `netmgr adopt --to terraform`, then `terraform plan -generate-config-out=generated.tf`";
/// Hint for a folder of Pulumi without adopted resources in a program that is edited.
const YAML_ONLY: &str = "only programs in YAML are edited: run `pulumi import` with one, and convert the finished one with \
                         `pulumi convert --from yaml --language typescript`";
/// Maximum number of lookups that run together.
const WINDOW: usize = 4096;

pub(super) fn run(app: &App, folder: &Path) -> Result<(), CliError> {
    let columns = ["file", "line", "outcome", "what"].map(Column::new);
    let mut rows = app.output.rows(columns.into())?;
    let (mut sources, mut stale) = (Vec::new(), Vec::new());
    terraform::read(folder, "", &is_source, &mut sources, &mut stale)?;
    // Resources are only imported into the root module.
    sources.retain(|source| !source.name.contains('/'));
    stale.retain(|file| file.parent() == Some(folder));
    let is_pulumi = sources
        .iter()
        .any(|source| ["Pulumi.yaml", "Pulumi.yml"].contains(&&*source.name));
    let (mut generated, next) = match is_pulumi {
        true => (
            program(folder, sources)?,
            "Run `pulumi preview`. It must not create, update or delete anything.",
        ),
        false => (
            module(folder, sources)?,
            "Run `terraform fmt` and `terraform plan`. The plan must not add, change or destroy anything.",
        ),
    };
    let mut targets = BTreeMap::new();
    for import in generated.imports() {
        for path in ImportableResource::paths(&import.kind, &import.id) {
            targets.entry(path).or_insert_with(|| Ok(import.address.clone()));
        }
    }
    let others = generated.texts().into_iter().filter(|text| {
        let is_path = PolicyPath::is_begun_by(text) && PolicyPath::parse(text).is_ok();
        is_path && !targets.contains_key(*text)
    });
    let others: Vec<String> = others.map(str::to_owned).collect();
    let mut found = Vec::new();
    if !others.is_empty() {
        LookupSession::run(app, async |session| {
            let lookups = others.iter().map(|path| data_source(session, path));
            found = stream::iter(lookups).buffered(WINDOW).try_collect().await?;
            Ok(())
        })?;
    }
    for (path, found) in others.into_iter().zip(found) {
        targets.insert(path, found.map(|source| generated.data_source(&source)));
    }
    let outcome = generated.finish(&targets);
    terraform::write(folder, &outcome.changed, &stale, "finished")?;
    if app.output.is_for_people() {
        return standard_output(&terraform::report(&outcome, "finished", next, "Left to you"));
    }
    for Changed { name, what, .. } in &outcome.changed {
        rows.push(json!({ "file": name, "line": null, "outcome": "changed", "what": what }))?;
    }
    for step in &outcome.left {
        rows.push(json!({ "file": step.place, "line": step.line, "outcome": "left", "what": step.what }))?;
    }
    rows.finish()
}

/// The configuration of Terraform in a folder, with imports.
fn module(folder: &Path, mut sources: Vec<SourceFile>) -> Result<Generated, CliError> {
    sources.retain(|source| is_of_terraform(&source.name));
    let generated = Generated::read(sources, PROVIDER);
    let unread = generated.unread();
    if let Some(step) = unread.iter().find(|step| step.place == DATA_FILE) {
        // It would be replaced.
        let reason = io::Error::other(step.what.clone());
        return Err(terraform::unreadable(&folder.join(DATA_FILE), reason));
    }
    match generated.imports().is_empty() {
        true => Err(nothing("import block", folder, unread.first(), FIRST_STEPS)),
        false => Ok(generated),
    }
}

/// The program of Pulumi in a folder, with resources of the import file.
fn program(folder: &Path, sources: Vec<SourceFile>) -> Result<Generated, CliError> {
    let sources = sources
        .into_iter()
        .filter(|source| !is_of_terraform(&source.name));
    let (files, programs): (Vec<_>, Vec<_>) = sources.partition(|source| source.name == IMPORT_FILE);
    let (mut imports, mut unread) = (Vec::new(), None);
    for SourceFile { name, text } in files {
        let document = text.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
        match document {
            Ok(document) => imports = imported(&document),
            Err(reason) => unread = Some(Step::of(name, reason)),
        }
    }
    for SourceFile { name, text } in programs {
        match text.and_then(|text| Generated::program(name.clone(), text, imports.clone())) {
            Ok(generated) if !generated.imports().is_empty() => return Ok(generated),
            Ok(_) => {}
            Err(reason) => unread = Some(Step::of(name, reason)),
        }
    }
    Err(nothing("program in YAML", folder, unread.as_ref(), YAML_ONLY))
}

/// The resources of an import file.
fn imported(document: &Value) -> Vec<Import> {
    let rows = document["resources"].as_array().into_iter().flatten();
    let imports = rows.filter_map(|row| {
        let text = |name: &str| Some(row[name].as_str()?.to_owned());
        Some(Import {
            kind: ImportableResource::of_pulumi(row["type"].as_str()?)?.to_owned(),
            address: text("name")?,
            id: text("id")?,
        })
    });
    imports.collect()
}

/// The error for a folder without adopted resources.
fn nothing(what: &str, folder: &Path, unread: Option<&Step>, hint: &str) -> CliError {
    let hint = match unread {
        Some(step) => format!("correct {}", foreign::one_line(&step.to_string())),
        None => hint.to_owned(),
    };
    let folder = terraform::shown(folder);
    CliError::usage(format!("no {what} in {folder} has an adopted resource"), hint)
}

/// The data source that finds exactly the object at a path, or the reason why there is none.
async fn data_source(session: &LookupSession, path: &str) -> Result<Result<DataSource, String>, CliError> {
    let lookup = GetPolicyObject::at(path).on_missing("null");
    let object = match session.run_lookup(lookup, Arc::new(NoWarnings)).await {
        Ok(object) if object.exists => object,
        Ok(_) => return Ok(Err("there is no such object".to_owned())),
        Err(failure) if failure.is_about_one() => {
            return Ok(Err(failure.in_one_line(&CallInputs::default(), &Words::default())));
        }
        Err(failure) => return Err(failure),
    };
    let place = PolicyPath::trusted(path);
    let id = place.id();
    let mut segments = place.segments().skip_while(|segment| *segment != "projects");
    let project = segments.nth(1);
    let mut input = json!({ "id": id });
    if let Some(project) = project {
        input["context"] = json!({ "projectId": project });
    }
    let is_candidate = |entry: &&FunctionEntry| {
        let mut kinds = entry.kinds();
        entry.spec.has_counterpart
            && entry.spec.answer == ResultKind::Object
            && kinds.any(|kind| kind.resource_type == object.resource_type)
    };
    for entry in ALL.iter().filter(is_candidate) {
        match session.call(entry, input.clone(), Arc::new(NoWarnings)).await {
            Ok(answer) if answer.output["path"] == path => {
                let kind = terraform::data_source(PROVIDER, entry.spec.name);
                return Ok(Ok(DataSource {
                    name: resource_name(&kind, &object.display_name, id),
                    kind,
                    id: id.to_owned(),
                    project: project.map(str::to_owned),
                }));
            }
            Err(failure) if !failure.is_about_one() => return Err(failure),
            _ => {}
        }
    }
    Ok(Err(format!(
        "nsxt has no data source that finds it ({})",
        object.resource_type
    )))
}

fn is_source(name: &str) -> bool {
    is_of_terraform(name) || is_program(name) || name == IMPORT_FILE
}

fn is_of_terraform(name: &str) -> bool {
    name.ends_with(".tf") || name.ends_with(".tofu")
}
