//! `export`: everything that functions read from a manager, as a file that `simulate` serves.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use netmgr_lookups::counted;
use netmgr_recording::{Recorded, Recording, header};
use serde_json::json;

use crate::app::App;
use crate::failure::CliError;
use crate::options::whole;
use crate::output::{standard_error, terminal};
use crate::recording::{RecordSelection, progress};
use crate::session::LookupSession;
use crate::subcommand::{SharedOptions, Subcommand};
use partial::{PartialFile, TargetFile};

mod partial;

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "export",
    command,
    shared: SharedOptions::Connection,
    run,
};

/// Options of `export`.
#[derive(Debug, Args)]
#[group(skip)]
struct ExportOptions {
    /// File to write
    // The id of `-o FORMAT`, which it replaces.
    #[arg(id = "format", short = 'o', long = "output", value_name = "FILE")]
    file: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    selection: RecordSelection,
    /// Record the states of the objects in a collection of at most N objects; each state needs a request
    #[arg(long, value_name = "N", value_parser = whole::<usize>, default_value = "100")]
    states: usize,
    /// Keep only what lookups need, and replace names, ids and addresses
    #[arg(long)]
    redact: bool,
}

fn command() -> Command {
    ExportOptions::augment_args(Command::new("export"))
        .about("Record a manager in a file")
        .long_about(
            "Record everything that functions read from a manager in a file. `netmgr simulate --inventory FILE` serves the \
             file, and functions return the same results as from the manager. Without --redact, the file contains the \
             objects as the manager sent them, so it is as confidential as the manager. After an interruption, the same \
             command resumes with the unfinished type.",
        )
        .after_help(
            "Examples:\n  netmgr export -o monday.json\n  netmgr export --type Group --type Service --project dev -o dev.json\n  \
             netmgr export --redact -o case-4711.json",
        )
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let options = ExportOptions::from_arg_matches(matches).expect("these are matches of the command");
    let record = options.selection.options().states(options.states);
    let target = TargetFile::new(&options.file, options.force)?;
    LookupSession::run(app, async |session| {
        let header = header(session.lookups().client().connection(), &record);
        let (objects, file) = session
            .record(record, async |recording| {
                recording.check().await?;
                let mut file = PartialFile::open(target, &header)?;
                Ok((write(recording, &mut file).await?, file))
            })
            .await?;
        terminal::status("");
        file.finish(options.redact)?;
        let name = options.file.display();
        standard_error(&format!("recorded {} in {name}", counted(objects, "object")));
        Ok(())
    })
}

/// Writes the recording, and returns the number of objects, including the objects of an earlier run.
async fn write(recording: &mut Recording, file: &mut PartialFile) -> Result<u64, CliError> {
    let mut objects = file.resume(recording)?;
    while let Some(step) = recording.next().await? {
        match step {
            Recorded::Objects(recorded) => {
                objects += recorded.len() as u64;
                for object in recorded {
                    file.write(&object.document())?;
                }
            }
            Recorded::Absent(path) => file.write(&format!("{}\n", json!({ "absent": [path] })))?,
            Recorded::Complete(name) => file.complete(&name)?,
            _ => {}
        }
        terminal::status(&progress(objects, recording));
    }
    Ok(objects)
}
