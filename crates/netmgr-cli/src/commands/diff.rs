//! `diff`: what differs between two managers, or between a manager and a recording of one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufReader};
use std::path::Path;
use std::rc::Rc;

use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use netmgr_lookups::{Recorded, recorded_path};
use netmgr_types::PolicyPath;
use netmgr_types::wire::RowHead;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::app::App;
use crate::completion::profiles::profiles_and_files;
use crate::exit::Exit;
use crate::failure::CliError;
use crate::files;
use crate::options::ConnectionOptions;
use crate::output::{Column, standard_error, terminal};
use crate::recording::{RecordSelection, whole_documents};
use crate::session::LookupSession;
use crate::settings::{self, MergedSettings};
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
    #[arg(value_name = "A", add = profiles_and_files())]
    before: String,
    /// Profile or file to compare it with
    #[arg(value_name = "B", add = profiles_and_files())]
    after: String,
    #[command(flatten)]
    selection: RecordSelection,
    /// Member to ignore, at any depth. Can be repeated
    #[arg(long, value_name = "MEMBER")]
    ignore: Vec<String>,
}

/// The objects of a side by path.
type Objects = BTreeMap<String, DiffObject>;

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
    let [before, after] = [&options.before, &options.after].map(|side| DiffSide::of(app, side));
    let (before, after, within) = app.block_on(Box::pin(async {
        let ([mut before, mut after], mut within) = ([before?, after?], options.selection.clone());
        for side in [&mut before, &mut after] {
            side.read_file(&mut within)?;
        }
        let before = before.objects(app, &within).await?;
        Ok((before, after.objects(app, &within).await?, within))
    }))?;
    if within != options.selection {
        standard_error(&format!(
            "compared within what both sides contain: {}",
            within.described()
        ));
    }
    let (mut removed, mut added, mut changed) = (0, 0, 0);
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for path in paths {
        let (before, after) = match (before.get(path), after.get(path)) {
            (Some(before), Some(after)) => (&before.body, &after.body),
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
        // The name of an object is the same in all rows.
        let shown = if app.output.is_of_names() {
            1
        } else {
            differences.len()
        };
        for (member, before, after) in differences.into_iter().take(shown) {
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

/// A side of the comparison.
enum DiffSide<'a> {
    /// A profile of the configuration file.
    Profile(&'a str),
    /// A file, and its objects after it is read.
    File(&'a Path, Objects),
}

impl<'a> DiffSide<'a> {
    /// A profile or a file. Nothing is read from a manager.
    fn of(app: &App, side: &'a str) -> Result<Self, CliError> {
        let path = Path::new(side);
        // A name with a folder or an extension is not that of a profile.
        if path.exists() || path.extension().is_some() || path.components().count() > 1 {
            return Ok(Self::File(path, Objects::new()));
        }
        MergedSettings::read(&of_profile(app, side), settings::environment()?)?;
        Ok(Self::Profile(side))
    }

    /// Reads the objects of a file, and narrows `within` to what it contains.
    fn read_file(&mut self, within: &mut RecordSelection) -> Result<(), CliError> {
        let Self::File(path, objects) = self else {
            return Ok(());
        };
        let (recorded, header) = recorded(path)?;
        let refused =
            |why: String| CliError::usage(format!("cannot compare {}: {why}", path.display()), RECORD);
        *objects = recorded;
        match header {
            Some(header) if header["redacted"] == true => Err(refused(
                "it is redacted, and each redaction replaces names differently".to_owned(),
            )),
            Some(header) => within.narrow(&header).map_err(refused),
            None => Ok(()),
        }
    }

    /// The objects within a selection.
    async fn objects(self, app: &App, within: &RecordSelection) -> Result<Objects, CliError> {
        let mut objects = match self {
            Self::Profile(profile) => current(app, profile, within).await?,
            Self::File(_, objects) => objects,
        };
        objects.retain(|path, object| object.is_within(path, within));
        Ok(objects)
    }
}

/// The options of the connection to the manager of a profile.
fn of_profile(app: &App, profile: &str) -> ConnectionOptions {
    let mut options = app.connection.clone();
    options.profile = Some(profile.to_owned());
    options
}

/// The objects of a recording, and its header, which files that are written manually lack.
fn recorded(path: &Path) -> Result<(Objects, Option<Value>), CliError> {
    let mut objects = Objects::new();
    let mut header = None;
    let read = files::reader(path, files::LONGEST_RECORDING).and_then(|file| {
        whole_documents(BufReader::with_capacity(1 << 20, file), |document| {
            for (collection, bodies) in document {
                let collection: Rc<str> = collection.into();
                for body in bodies {
                    match &*collection {
                        "inventory" => header = serde_json::from_str(body.get()).ok(),
                        _ => add(&mut objects, &collection, body),
                    }
                }
            }
            Ok(())
        })
    });
    match read {
        Ok(()) => Ok((objects, header)),
        Err(error) => Err(match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::Other => {
                CliError::usage_because(
                    format!("cannot use the recording {}", path.display()),
                    error,
                    RECORD,
                )
            }
            _ => CliError::unreadable(path.display(), error),
        }),
    }
}

/// The advice for a recording that cannot be compared.
const RECORD: &str =
    "use a file that `netmgr export` of this or an older version has written without --redact";

/// The objects of the manager of a profile now.
async fn current(app: &App, profile: &str, selection: &RecordSelection) -> Result<Objects, CliError> {
    let record = selection.options().states(0_usize);
    LookupSession::within(&of_profile(app, profile), async |session| {
        let read = session.record(record, async |recording| {
            let mut objects = Objects::new();
            while let Some(step) = recording.next().await? {
                if let Recorded::Objects(recorded) = step {
                    for object in recorded {
                        let text = String::from_utf8_lossy(&object.body).into_owned();
                        let body = RawValue::from_string(text).map_err(io::Error::from);
                        let body = body.map_err(|error| CliError::unreadable(&object.path, error))?;
                        add(&mut objects, &object.collection.into(), body);
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
fn add(objects: &mut Objects, collection: &Rc<str>, body: Box<RawValue>) {
    let path = recorded_path(collection, body.get().as_bytes());
    let collection = Rc::clone(collection);
    if collection.starts_with('/') && path != *collection && !collection.contains("/realized-state/") {
        objects.insert(path, DiffObject { collection, body });
    }
}

/// An object of a side.
struct DiffObject {
    collection: Rc<str>,
    body: Box<RawValue>,
}

impl DiffObject {
    fn is_within(&self, path: &str, selection: &RecordSelection) -> bool {
        let is_of_type = || {
            let head = RowHead::of(self.body.get().as_bytes()).unwrap_or_default();
            let (_, name) = self.collection.rsplit_once('/').unwrap_or_default();
            let mut types = selection.types.iter();
            types.any(|type_| *type_ == head.resource_type || type_ == name)
        };
        let is_of_project = selection.project.as_ref().is_none_or(|project| {
            PolicyPath::trusted(path).is_within(&format!("/orgs/default/projects/{project}"))
        });
        is_of_project && (selection.types.is_empty() || is_of_type())
    }
}
