//! `diff`: what differs between two managers, or between a manager and a recording of one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufReader};
use std::path::Path;

use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use netmgr_lookups::{Recorded, recorded_path};
use netmgr_types::PolicyPath;
use netmgr_types::wire::RowHead;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::app::App;
use crate::exit::Exit;
use crate::failure::CliError;
use crate::files;
use crate::output::{Column, standard_error, terminal};
use crate::recording::{RecordSelection, whole_documents};
use crate::session::LookupSession;
use crate::subcommand::{SharedOptions, Subcommand};
use members::differences;

mod members;

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "diff",
    command,
    shared: SharedOptions::All,
    run,
};

/// Options of `diff`.
#[derive(Debug, Args)]
#[group(skip)]
struct DiffOptions {
    /// Profile name, or file written by `netmgr export`
    #[arg(value_name = "A")]
    before: String,
    /// Profile or file to compare it with
    #[arg(value_name = "B")]
    after: String,
    #[command(flatten)]
    selection: RecordSelection,
    /// Member to ignore, at any depth. Can be repeated
    #[arg(long, value_name = "MEMBER")]
    ignore: Vec<String>,
}

/// The objects of a side, as JSON text by path.
type Objects = BTreeMap<String, Box<RawValue>>;

fn command() -> Command {
    DiffOptions::augment_args(Command::new("diff"))
        .about("Compare two managers or recordings")
        .long_about(
            "Compare the objects of two managers or recordings by path, and list the members that differ. Revisions \
             and the time and user of changes are ignored. The exit code is 0 if the sides are the same and 1 if they differ.",
        )
        .after_help(
            "Examples:\n  netmgr diff monday.json tuesday.json\n  netmgr diff monday.json prod --type Group\n  \
             netmgr diff east west --ignore unique_id --ignore realization_id -o json",
        )
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let options = DiffOptions::from_arg_matches(matches).expect("these are matches of the command");
    match compare(app, &options) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CliError::Reported(Exit::Other)),
        Err(failure) => Err(CliError::OfComparison(Box::new(failure))),
    }
}

/// Prints the differences, and returns whether there are none.
fn compare(app: &App, options: &DiffOptions) -> Result<bool, CliError> {
    if let Some(profile) = &app.connection.profile {
        return Err(CliError::usage(
            "--profile has no effect on `netmgr diff`",
            format!("pass the profile as an argument: `netmgr diff {profile} ...`"),
        ));
    }
    let columns = ["path", "change", "member", "before", "after"].map(Column::new);
    let mut rows = app.output.rows(columns.into())?;
    options.selection.options()?;
    let (before, after) = app.block_on(Box::pin(async {
        let before = objects(app, &options.before, &options.selection).await?;
        Ok((before, objects(app, &options.after, &options.selection).await?))
    }))?;
    let (mut removed, mut added, mut changed) = (0, 0, 0);
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for path in paths {
        let (before, after) = match (before.get(path), after.get(path)) {
            (Some(before), Some(after)) => (before, after),
            (before, _) => {
                let (count, change) = match before {
                    Some(_) => (&mut removed, "removed"),
                    None => (&mut added, "added"),
                };
                *count += 1;
                rows.push(row(path, change, "", Value::Null, Value::Null))?;
                continue;
            }
        };
        let differences = differences(before, after, &options.ignore);
        changed += usize::from(!differences.is_empty());
        for (member, before, after) in differences {
            rows.push(row(path, "changed", &member, before, after))?;
        }
    }
    let is_same = removed + changed + added == 0;
    if is_same {
        standard_error(&format!("no differences between {} objects", before.len()));
    }
    if !is_same || !app.output.is_for_people() {
        rows.finish()?;
    }
    if !is_same {
        standard_error(&format!("{removed} removed, {added} added, {changed} changed"));
    }
    Ok(is_same)
}

fn row(path: &str, change: &str, member: &str, before: Value, after: Value) -> Value {
    serde_json::json!({ "path": path, "change": change, "member": member, "before": before, "after": after })
}

/// The objects of a profile or a file.
async fn objects(app: &App, side: &str, selection: &RecordSelection) -> Result<Objects, CliError> {
    let path = Path::new(side);
    // A name with a folder or an extension is not that of a profile.
    match path.exists() || path.extension().is_some() || path.components().count() > 1 {
        true => recorded(path, selection),
        false => current(app, side, selection).await,
    }
}

/// The objects of a recording.
fn recorded(path: &Path, selection: &RecordSelection) -> Result<Objects, CliError> {
    let mut objects = Objects::new();
    let read = files::reader(path, files::LONGEST_RECORDING).and_then(|file| {
        whole_documents(BufReader::with_capacity(1 << 20, file), |document| {
            for (collection, bodies) in document {
                for body in bodies {
                    add(&mut objects, &collection, body, selection);
                }
            }
            Ok(())
        })
    });
    match read {
        Ok(()) => Ok(objects),
        Err(error) => Err(match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::Other => {
                CliError::usage_because(
                    format!("cannot use the recording {}", path.display()),
                    error,
                    "use a file that `netmgr export` of this or an older version has written",
                )
            }
            _ => CliError::unreadable(path.display(), error),
        }),
    }
}

/// The objects of the manager of a profile now.
async fn current(app: &App, profile: &str, selection: &RecordSelection) -> Result<Objects, CliError> {
    let mut options = app.connection.clone();
    options.profile = Some(profile.to_owned());
    let record = selection.options()?.states(0_usize);
    LookupSession::within(&options, async |session| {
        let read = session.record(record, async |recording| {
            let mut objects = Objects::new();
            while let Some(step) = recording.next().await? {
                if let Recorded::Objects(recorded) = step {
                    for object in recorded {
                        let text = String::from_utf8_lossy(&object.body).into_owned();
                        let body = RawValue::from_string(text).map_err(io::Error::from);
                        let body = body.map_err(|error| CliError::unreadable(&object.path, error))?;
                        add(&mut objects, &object.collection, body, selection);
                    }
                }
                let (name, left) = recording.progress();
                let count = objects.len();
                terminal::status(&format!(
                    "{profile}: {count} objects; reading {name}, then {left} more types"
                ));
            }
            Ok(objects)
        });
        read.await
    })
    .await
}

/// Adds an object that is compared. Rows without an id, states and realized entities are not compared.
fn add(objects: &mut Objects, collection: &str, body: Box<RawValue>, selection: &RecordSelection) {
    let path = recorded_path(collection, body.get().as_bytes());
    let is_object =
        collection.starts_with('/') && path != collection && !collection.contains("/realized-state/");
    let is_of_type = || {
        let head = RowHead::of(body.get().as_bytes()).unwrap_or_default();
        let (_, name) = collection.rsplit_once('/').unwrap_or_default();
        selection
            .types
            .iter()
            .any(|type_| *type_ == head.resource_type || type_ == name)
    };
    let is_of_project = selection.project.as_ref().is_none_or(|project| {
        PolicyPath::trusted(&path).is_within(&format!("/orgs/default/projects/{project}"))
    });
    if is_object && is_of_project && (selection.types.is_empty() || is_of_type()) {
        objects.insert(path, body);
    }
}
