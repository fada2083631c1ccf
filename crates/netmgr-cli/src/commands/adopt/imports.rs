//! The first step: which objects to import, and how.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use netmgr_lookups::counted;
use netmgr_lookups::typed::{AnyObject, GetPolicyObjects};
use netmgr_types::{Deployment, PolicyPath, foreign};
use serde_json::{Value, json};
use terraform_switch::import_block;

use super::names::names;
use super::resources::{ImportableResource, LeftOut, is_in_project, pulumi_type};
use super::{AdoptOptions, AdoptTarget, IMPORT_FILE, SUBCOMMAND};
use crate::app::App;
use crate::failure::CliError;
use crate::files;
use crate::output::{Column, standard_output};
use crate::session::LookupSession;
use crate::setting_flags;

/// The reason why an object is never imported.
fn left_out(object: &AnyObject, is_global: bool) -> Option<LeftOut> {
    let member = |name: &str| object.object.get(name);
    let is_set = |name: &str| member(name) == Some(&Value::Bool(true));
    let text = |name: &str| member(name).and_then(Value::as_str).unwrap_or_default();
    if !is_global && PolicyPath::trusted(&object.path).is_within("/global-infra") {
        Some(LeftOut::GLOBAL)
    } else if is_set("_system_owned") || is_set("is_default") || text("_create_user") == "system" {
        Some(LeftOut::SYSTEM)
    } else if ["PROTECTED", "REQUIRE_OVERRIDE"].contains(&text("_protection")) {
        Some(LeftOut::PROTECTED)
    } else {
        is_set("marked_for_delete").then_some(LeftOut::DELETED)
    }
}

/// An object to import.
struct NamedImport<'a> {
    object: &'a AnyObject,
    resource: &'static ImportableResource,
    id: String,
    name: String,
}

pub(super) fn run(app: &App, options: &AdoptOptions, target: AdoptTarget) -> Result<(), CliError> {
    let columns = [
        "resource",
        "name",
        "importId",
        "displayName",
        "resourceType",
        "path",
        "leftOut",
    ];
    let mut rows = app.output.rows(columns.map(Column::new).into())?;
    let file = options.out.join(match target {
        AdoptTarget::Terraform => "imports.tf",
        AdoptTarget::Pulumi => IMPORT_FILE,
    });
    let unwritable = |error| CliError::unwritable(file.display(), error);
    if fs::symlink_metadata(&file).is_ok() && !options.force {
        return Err(CliError::usage(
            format!("cannot write {}", file.display()),
            "the file exists already; replace it with --force, or set another folder with --out",
        ));
    }
    let (mut objects, mut is_global) = (Vec::new(), false);
    LookupSession::run(app, async |session| {
        is_global = session.lookups().client().connection().deployment == Deployment::GlobalManager;
        objects = find(session, options).await?;
        Ok(())
    })?;
    let (imports, left_out) = imports(&objects, target, is_global);
    let text = match target {
        AdoptTarget::Terraform => terraform(&imports),
        AdoptTarget::Pulumi => pulumi(&imports),
    };
    fs::create_dir_all(&options.out).map_err(unwritable)?;
    files::create(&file, text.as_bytes()).map_err(unwritable)?;
    if app.output.is_for_people() {
        return standard_output(&report(
            &foreign::one_line(&file.display().to_string()),
            &imports,
            &left_out,
        ));
    }
    for NamedImport {
        object,
        resource,
        id,
        name,
    } in &imports
    {
        let mut row = row(object);
        row["resource"] = resource.name.into();
        row["name"] = name.as_str().into();
        row["importId"] = id.as_str().into();
        rows.push(row)?;
    }
    for (object, reason) in &left_out {
        let mut row = row(object);
        row["leftOut"] = reason.0.into();
        rows.push(row)?;
    }
    rows.finish()
}

/// The members of a row that every object has.
fn row(object: &AnyObject) -> Value {
    json!({
        "displayName": object.display_name,
        "resourceType": object.resource_type,
        "path": object.path,
    })
}

/// All objects of the types in the project and its VPCs, or outside all projects, sorted by path.
async fn find(session: &LookupSession, options: &AdoptOptions) -> Result<Vec<AnyObject>, CliError> {
    let project = match &options.project {
        Some(id) => session.project(SUBCOMMAND.name, id).await?.project_path(),
        None => None,
    };
    // Objects of a type can be in several places, such as segments below Tier-1 gateways.
    let lookup = GetPolicyObjects::new()
        .resource_types(options.types.clone())
        .anywhere(true)
        .limit(u32::MAX);
    let flags = setting_flags::of_types(&options.types);
    let mut objects = session.run_command(SUBCOMMAND.name, flags, lookup).await?.objects;
    let all = objects.len();
    objects.retain(|object| match &project {
        Some(project) => PolicyPath::trusted(&object.path).is_within(project),
        None => !is_in_project(&object.path),
    });
    match objects.is_empty() {
        true => Err(nothing(options, all)),
        false => Ok(objects),
    }
}

/// The error for types of which only `elsewhere` has objects.
fn nothing(options: &AdoptOptions, elsewhere: usize) -> CliError {
    let types = options.types.join(", ");
    let place = match &options.project {
        Some(id) => format!("in the project {id:?}"),
        None => "outside all projects".to_owned(),
    };
    let hint = match (elsewhere, &options.project) {
        (0, _) => "`netmgr list --all` counts the objects that exist".to_owned(),
        (_, None) => format!(
            "projects have {}; select a project with --project",
            counted(elsewhere, "such object")
        ),
        (_, Some(_)) => format!(
            "`netmgr find --type {}` lists those in other places",
            options.types.join(",")
        ),
    };
    CliError::NotFound {
        what: format!("there is no object of {types} {place}"),
        hint,
    }
}

/// The imports of objects, and the objects that are left out.
fn imports(
    objects: &[AnyObject],
    target: AdoptTarget,
    is_global: bool,
) -> (Vec<NamedImport<'_>>, Vec<(&AnyObject, LeftOut)>) {
    let (mut others, mut importable) = (Vec::new(), Vec::new());
    for object in objects {
        match left_out(object, is_global).map_or_else(|| ImportableResource::of(object), Err) {
            Ok((resource, id)) => importable.push((object, resource, id)),
            Err(reason) => others.push((object, reason)),
        }
    }
    let of_resources: Vec<_> = importable
        .iter()
        .map(|(object, resource, _)| (resource.name, *object))
        .collect();
    let names = names(&of_resources, target == AdoptTarget::Pulumi);
    let imports = importable.into_iter().zip(names);
    let mut imports: Vec<NamedImport<'_>> = imports
        .map(|((object, resource, id), name)| NamedImport {
            object,
            resource,
            id,
            name,
        })
        .collect();
    imports.sort_by(|one, other| (one.resource.name, &one.name).cmp(&(other.resource.name, &other.name)));
    (imports, others)
}

/// The import blocks.
fn terraform(imports: &[NamedImport<'_>]) -> String {
    let blocks = imports
        .iter()
        .map(|import| import_block(&format!("{}.{}", import.resource.name, import.name), &import.id));
    blocks.collect::<Vec<_>>().join("\n")
}

/// The import file.
fn pulumi(imports: &[NamedImport<'_>]) -> String {
    let resources = imports.iter().map(
        |import| json!({ "type": pulumi_type(import.resource.name), "name": import.name, "id": import.id }),
    );
    format!("{:#}\n", json!({ "resources": resources.collect::<Vec<_>>() }))
}

/// The report for the user: the number of imports, and the objects without one.
fn report(file: &str, imports: &[NamedImport<'_>], left_out: &[(&AnyObject, LeftOut)]) -> String {
    let mut text = format!("{file}: {}\n", counted(imports.len(), "import"));
    let mut newer: BTreeMap<&str, &str> = BTreeMap::new();
    for NamedImport { resource, .. } in imports {
        newer.extend(resource.since.map(|since| (resource.name, since)));
    }
    for (name, since) in newer {
        let _ = writeln!(text, "{name} requires version {since} of nsxt, or later");
    }
    let mut counts: BTreeMap<(&str, LeftOut), usize> = BTreeMap::new();
    for (object, reason) in left_out {
        *counts.entry((&object.resource_type, *reason)).or_default() += 1;
    }
    for ((object_type, reason), count) in counts {
        let _ = writeln!(text, "left out: {count} of type {object_type}: {}", reason.0);
    }
    text
}
