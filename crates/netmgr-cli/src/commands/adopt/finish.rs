//! The last step: references in generated resources instead of policy paths.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use netmgr_lookups::typed::GetPolicyObject;
use netmgr_lookups::{ALL, CallInputs, FunctionEntry, ResultKind};
use netmgr_types::{PolicyPath, foreign};
use serde_json::json;
use terraform_switch::{Changed, Generated, Outcome, counted, data_block};

use super::names::{resource_name, unique};
use super::resources::ImportableResource;
use crate::app::App;
use crate::failure::CliError;
use crate::output::{Column, standard_output};
use crate::session::{LookupSession, NoWarnings};
use crate::terraform;

/// The provider of the resources and data sources.
const PROVIDER: &str = "nsxt";
/// The file with the data sources that are added.
const DATA_FILE: &str = "adopted-data.tf";
/// Hint for a folder without adopted resources.
const FIRST_STEPS: &str =
    "first run `netmgr adopt --to terraform`, then `terraform plan -generate-config-out=generated.tf`";
/// Maximum number of lookups that run together.
const WINDOW: usize = 4096;

/// A data source that finds an object.
struct FoundPath {
    kind: String,
    id: String,
    project: Option<String>,
    display_name: String,
}

pub(super) fn run(app: &App, folder: &Path) -> Result<(), CliError> {
    let mut rows = app
        .output
        .rows(["file", "line", "outcome", "what"].map(Column::new).into())?;
    let (mut sources, mut stale) = (Vec::new(), Vec::new());
    terraform::read(folder, "", &is_source, &mut sources, &mut stale)?;
    // Resources are only imported into the root module.
    sources.retain(|source| !source.name.contains('/'));
    stale.retain(|file| file.parent() == Some(folder));
    let data = sources.iter().find(|source| source.name == DATA_FILE);
    let data = data.map(|source| source.text.clone()).transpose();
    let data =
        data.map_err(|reason| terraform::unreadable(&folder.join(DATA_FILE), io::Error::other(reason)))?;
    let generated = Generated::read(sources, PROVIDER);
    if generated.imports().is_empty() {
        let is_pulumi = ["Pulumi.yaml", "Pulumi.yml"]
            .iter()
            .any(|name| folder.join(name).is_file());
        let folder = terraform::shown(folder);
        if is_pulumi {
            return Err(CliError::usage(
                format!("{folder} is a program of Pulumi, whose policy paths are not replaced"),
                "replace them by outputs such as `group.path`; `netmgr check` finds those without an object",
            ));
        }
        let hint = match generated.unread().first() {
            Some(step) => format!("correct {}", foreign::one_line(&step.to_string())),
            None => FIRST_STEPS.to_owned(),
        };
        return Err(CliError::usage(
            format!("no import block in {folder} has a resource"),
            hint,
        ));
    }
    let mut expressions = BTreeMap::new();
    for import in generated.imports() {
        for path in ImportableResource::paths(&import.kind, &import.id) {
            expressions
                .entry(path)
                .or_insert_with(|| Ok(format!("{}.path", import.address)));
        }
    }
    let others = generated.texts().into_iter().filter(|text| {
        let is_path = PolicyPath::is_begun_by(text) && PolicyPath::parse(text).is_ok();
        is_path && !expressions.contains_key(*text)
    });
    let others: Vec<String> = others.map(str::to_owned).collect();
    let mut found = Vec::new();
    if !others.is_empty() {
        LookupSession::run(app, async |session| {
            let lookups = others.iter().map(|path| FoundPath::of(session, path));
            found = stream::iter(lookups).buffered(WINDOW).try_collect().await?;
            Ok(())
        })?;
    }
    let added = add(&generated, others.into_iter().zip(found), &mut expressions);
    let mut outcome = generated.finish(&expressions);
    if !added.is_empty() {
        let what = counted(added.len(), "data source");
        let blocks: Vec<String> = data
            .into_iter()
            .filter(|text| !text.is_empty())
            .chain(added)
            .collect();
        let changed = Changed {
            name: DATA_FILE.to_owned(),
            what,
            text: Some(blocks.join("\n")),
        };
        // First, so that no reference is without its data source if the process is killed.
        outcome.changed.insert(0, changed);
    }
    terraform::write(folder, &outcome.changed, &stale, "finished")?;
    if app.output.is_for_people() {
        return standard_output(&report(&outcome));
    }
    for Changed { name, what, .. } in &outcome.changed {
        rows.push(json!({ "file": name, "line": null, "outcome": "changed", "what": what }))?;
    }
    for step in &outcome.left {
        rows.push(json!({ "file": step.place, "line": step.line, "outcome": "left", "what": step.what }))?;
    }
    rows.finish()
}

impl FoundPath {
    /// The data source that finds exactly the object at a path, or the reason why there is none.
    async fn of(session: &LookupSession, path: &str) -> Result<Result<Self, String>, CliError> {
        let lookup = GetPolicyObject::at(path).on_missing("null");
        let object = match session.run_lookup(lookup, Arc::new(NoWarnings)).await {
            Ok(object) if object.exists => object,
            Ok(_) => return Ok(Err("there is no such object".to_owned())),
            Err(failure) if failure.is_about_one() => {
                return Ok(Err(failure.in_one_line(&CallInputs::default())));
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
                Ok(output) if output["path"] == path => {
                    return Ok(Ok(Self {
                        kind: terraform::data_source(PROVIDER, entry.spec.name),
                        id: id.to_owned(),
                        project: project.map(str::to_owned),
                        display_name: object.display_name,
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
}

/// Adds the expression or the reason for each path that was looked up, and returns the data sources that are missing.
fn add(
    generated: &Generated,
    found: impl Iterator<Item = (String, Result<FoundPath, String>)>,
    expressions: &mut BTreeMap<String, Result<String, String>>,
) -> Vec<String> {
    let existing = generated.data_sources();
    let names = existing.iter().map(|one| (one.kind.clone(), one.name.clone()));
    let mut taken: BTreeSet<(String, String)> = names.collect();
    let mut added = Vec::new();
    for (path, found) in found {
        let expression = found.map(
            |FoundPath {
                 kind,
                 id,
                 project,
                 display_name,
             }| {
                let place = (id, project);
                let same = existing
                    .iter()
                    .find(|one| one.kind == kind && one.id.as_ref() == Some(&place));
                let name = same.map(|one| one.name.clone()).unwrap_or_else(|| {
                    let (id, project) = &place;
                    let mut name = resource_name(&kind, &display_name, id);
                    unique(&mut name, |name| !taken.insert((kind.clone(), name.to_owned())));
                    added.push(data_block(&kind, &name, id, project.as_deref()));
                    name
                });
                format!("data.{kind}.{name}.path")
            },
        );
        expressions.insert(path, expression);
    }
    added
}

/// The report for the user: the changes by file, and the places that need a change by hand.
fn report(outcome: &Outcome) -> String {
    let mut text = String::new();
    for Changed { name, what, .. } in &outcome.changed {
        let _ = writeln!(text, "{}: finished: {what}", foreign::one_line(name));
    }
    match outcome.changed.is_empty() {
        true => text.push_str("nothing to change\n"),
        false => {
            text.push_str("\nRun `terraform fmt` and `terraform plan`. The plan must not add, change or destroy anything.\n")
        }
    }
    if !outcome.left.is_empty() {
        text.push_str("\nLeft to you:\n");
    }
    for step in &outcome.left {
        let _ = writeln!(text, "  {}", foreign::one_line(&step.to_string()));
    }
    text
}

fn is_source(name: &str) -> bool {
    name.ends_with(".tf") || name.ends_with(".tofu")
}
