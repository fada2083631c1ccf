//! `diff`: what differs between two managers, or between a manager and a recording of one.

use std::io::{self, BufReader};
use std::path::Path;

use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use netmgr_lookups::counted;
use netmgr_recording::{Change, ComparedObjects, MemberChange, RecordOptions, Recorded};
use serde_json::{Value, json};

use crate::app::App;
use crate::completion::profiles::profiles_and_files;
use crate::exit::Exit;
use crate::failure::CliError;
use crate::files;
use crate::options::ConnectionOptions;
use crate::output::{Column, standard_error, terminal};
use crate::recording::{RecordSelection, progress};
use crate::session::LookupSession;
use crate::settings::{self, MergedSettings};
use crate::subcommand::{SharedOptions, Subcommand};

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
    let [before, after] = [&options.before, &options.after].map(|side| ComparedSide::of(app, side));
    let selected = options.selection.options().states(0_usize);
    let (before, after, within) = app.block_on(Box::pin(async {
        let ([mut before, mut after], mut within) = ([before?, after?], selected.clone());
        for side in [&mut before, &mut after] {
            side.read_file(&mut within)?;
        }
        let before = before.objects(app, &within).await?;
        Ok((before, after.objects(app, &within).await?, within))
    }))?;
    // Recordings show that a project exists by its objects.
    if let Some(project) = selected.project.as_ref().filter(|_| selected.types.is_empty())
        && before.len() + after.len() == 0
    {
        return Err(CliError::NotFound {
            what: format!("neither side has objects of the project {project}"),
            hint: "check --project, the id of the project".to_owned(),
        });
    }
    if within != selected {
        standard_error(&format!(
            "compared within what both sides contain: {}",
            within.described()
        ));
    }
    let (mut removed, mut added, mut changed) = (0, 0, 0);
    for (path, change) in before.changes(&after, &options.ignore) {
        let members = match change {
            Change::Removed => {
                removed += 1;
                rows.push(row(path, "removed", None))?;
                continue;
            }
            Change::Added => {
                added += 1;
                rows.push(row(path, "added", None))?;
                continue;
            }
            Change::Changed(members) => members,
        };
        changed += 1;
        // The name of an object is the same in all rows.
        let shown = if app.output.is_of_names() {
            1
        } else {
            members.len()
        };
        for member in members.into_iter().take(shown) {
            rows.push(row(path, "changed", Some(member)))?;
        }
    }
    let is_same = removed + changed + added == 0;
    if is_same {
        let objects = counted(before.len(), "object");
        standard_error(&format!("no differences between {objects}"));
    }
    if !is_same || !app.output.is_for_people() {
        rows.finish()?;
    }
    if !is_same {
        standard_error(&format!("{removed} removed, {added} added, {changed} changed"));
    }
    Ok(is_same)
}

fn row(path: &str, change: &str, member: Option<MemberChange>) -> Value {
    let (member, before, after) = match member {
        Some(differing) => (differing.member, differing.before, differing.after),
        None => (String::new(), Value::Null, Value::Null),
    };
    json!({ "path": path, "change": change, "member": member, "before": before, "after": after })
}

/// A side of the comparison.
enum ComparedSide<'a> {
    /// A profile of the configuration file.
    Profile(&'a str),
    /// A file, and its objects after it is read.
    File(&'a Path, ComparedObjects),
}

impl<'a> ComparedSide<'a> {
    /// A profile or a file. Nothing is read from a manager.
    fn of(app: &App, side: &'a str) -> Result<Self, CliError> {
        let path = Path::new(side);
        // A name with a folder or an extension is not that of a profile.
        if path.exists() || path.extension().is_some() || path.components().count() > 1 {
            return Ok(Self::File(path, ComparedObjects::default()));
        }
        MergedSettings::read(&of_profile(app, side), settings::environment()?)?;
        Ok(Self::Profile(side))
    }

    /// Reads the objects of a file, and narrows `within` to what it contains.
    fn read_file(&mut self, within: &mut RecordOptions) -> Result<(), CliError> {
        let Self::File(path, objects) = self else {
            return Ok(());
        };
        let (recorded, header) = recorded(path)?;
        let refused =
            |why: String, hint| CliError::usage(format!("cannot compare {}: {why}", path.display()), hint);
        *objects = recorded;
        match header {
            Some(header) if header["redacted"] == true => Err(refused(
                "it is redacted, and each redaction replaces names differently".to_owned(),
                RECORD,
            )),
            Some(header) => within
                .narrow(&header)
                .map_err(|why| refused(why, "select what both sides contain with --type and --project")),
            None => Ok(()),
        }
    }

    /// The objects within a selection.
    async fn objects(self, app: &App, within: &RecordOptions) -> Result<ComparedObjects, CliError> {
        let mut objects = match self {
            Self::Profile(profile) => current(app, profile, within).await?,
            Self::File(_, objects) => objects,
        };
        objects.narrow(within);
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
pub(super) fn recorded(path: &Path) -> Result<(ComparedObjects, Option<Value>), CliError> {
    let file = files::reader(path, files::LONGEST_RECORDING);
    let read = file.and_then(|file| ComparedObjects::read(BufReader::with_capacity(1 << 20, file)));
    read.map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::Other => {
            CliError::usage_because(
                format!("cannot use the recording {}", path.display()),
                error,
                RECORD,
            )
        }
        _ => CliError::unreadable(path.display(), error),
    })
}

/// The advice for a recording that cannot be compared.
const RECORD: &str =
    "use a file that `netmgr export` of this or an older version has written without --redact";

/// The objects of the manager of a profile now.
async fn current(app: &App, profile: &str, within: &RecordOptions) -> Result<ComparedObjects, CliError> {
    LookupSession::within(&of_profile(app, profile), async |session| {
        let read = session.record(within.clone(), async |recording| {
            let mut objects = ComparedObjects::default();
            while let Some(step) = recording.next().await? {
                if let Recorded::Objects(recorded) = step {
                    for object in recorded {
                        let path = object.path.clone();
                        let added = objects.add(object);
                        added.map_err(|error| CliError::unreadable(path, error))?;
                    }
                }
                terminal::status(&format!(
                    "{profile}: {}",
                    progress(objects.len() as u64, recording)
                ));
            }
            Ok(objects)
        });
        read.await
    })
    .await
}
