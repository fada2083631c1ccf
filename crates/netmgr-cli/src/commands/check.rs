//! `check`: whether the objects that a configuration names exist on a manager.
//!
//! The configuration is read in `terraform-switch`, without evaluating it. Lookups share requests as those of a batch.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use netmgr_lookups::counted;
use netmgr_recording::RecordOptions;
use netmgr_types::{ManagerVersion, PolicyPath, foreign};
use serde_json::{Value, json};
use terraform_switch::{ReadFilter, SourceLine};

use crate::app::App;
use crate::commands::diff;
use crate::exit::Exit;
use crate::failure::CliError;
use crate::files;
use crate::options::ConnectionOptions;
use crate::output::{Column, standard_error, standard_output};
use crate::session::LookupSession;
use crate::subcommand::{SharedOptions, Subcommand};

mod lookups;
mod sarif;
mod sources;

use lookups::Checked;

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "check",
    command,
    shared: SharedOptions::All,
    run,
};

/// Options of `check`.
#[derive(Debug, Args)]
#[group(skip)]
struct CheckOptions {
    /// Folder of the configuration, or one file of it
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Also report data sources that this version of the manager, such as 9, no longer supports
    #[arg(long = "for", value_name = "VERSION")]
    version: Option<ManagerVersion>,
    /// Complete recording of `netmgr export` to check against, instead of a manager
    #[cfg_attr(feature = "simulator", arg(long, value_name = "FILE"))]
    #[cfg_attr(not(feature = "simulator"), arg(skip))]
    recording: Option<PathBuf>,
    /// Also write the findings to a file in the format SARIF, which code hosts read
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// List the places that cannot be decided
    #[arg(long)]
    undecided: bool,
}

fn command() -> Command {
    CheckOptions::augment_args(Command::new("check"))
        .about("Check the objects that a configuration names")
        .long_about(
            "Check that the objects that a configuration of Terraform, OpenTofu or Pulumi (YAML) names exist on the \
             manager: every literal policy path, and every data source of nsxt and netmgr whose arguments are literals \
             or follow from locals and defaults. Texts that depend on other values are counted. The exit code is 0 \
             without findings, and 1 with findings.",
        )
        .after_help(
            "Examples:\n  netmgr check .\n  netmgr check infrastructure --for 9 -o json\n  \
             netmgr check . --recording prod.json --sarif findings.sarif",
        )
}

/// A problem of the configuration.
struct WrongReference {
    place: SourceLine,
    kind: FindingKind,
    what: String,
    suggestion: String,
}

impl WrongReference {
    fn new(place: SourceLine, kind: FindingKind, what: String) -> Self {
        Self {
            place,
            kind,
            what,
            suggestion: String::new(),
        }
    }

    /// The finding on a line, as compilers print theirs.
    fn line(&self) -> String {
        let Self {
            place,
            kind,
            what,
            suggestion,
        } = self;
        let mut line = format!(
            "{}:{}: {}: {what}",
            foreign::one_line(&place.file),
            place.line,
            kind.name()
        );
        if !suggestion.is_empty() {
            let _ = write!(line, "; {suggestion}");
        }
        line + "\n"
    }

    fn row(&self) -> Value {
        json!({
            "file": self.place.file,
            "line": self.place.line,
            "finding": self.kind.name(),
            "what": self.what,
            "suggestion": self.suggestion,
        })
    }
}

/// A kind of problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FindingKind {
    Missing,
    Ambiguous,
    Prefix,
    Removed,
    Kind,
    Invalid,
}

impl FindingKind {
    const ALL: [Self; 6] = [
        Self::Missing,
        Self::Ambiguous,
        Self::Prefix,
        Self::Removed,
        Self::Kind,
        Self::Invalid,
    ];

    /// Its name, and its meaning.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Missing => ("missing", "The object does not exist on the manager."),
            Self::Ambiguous => ("ambiguous", "Several objects match."),
            Self::Prefix => ("prefix", "Only the beginning of a display name matches."),
            Self::Removed => (
                "removed",
                "The manager, or the version of `--for`, does not support the data source.",
            ),
            Self::Kind => ("kind", "The path is that of an object of another kind."),
            Self::Invalid => ("invalid", "The policy path is not valid."),
        }
    }

    fn name(self) -> &'static str {
        self.words().0
    }
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let options = CheckOptions::from_arg_matches(matches).expect("these are matches of the command");
    match check(app, &options) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CliError::Reported(Exit::Other)),
        Err(failure) => Err(CliError::OfComparison(Box::new(failure))),
    }
}

/// Prints the findings, and returns whether there are none.
fn check(app: &App, options: &CheckOptions) -> Result<bool, CliError> {
    let columns = ["file", "line", "finding", "what", "suggestion"].map(Column::new);
    let mut rows = app.output.rows(columns.into())?;
    let sarif = options.sarif.as_ref().and_then(|file| file.file_name()?.to_str());
    if let Some(name) = sarif.filter(|name| sources::is_checked(name)) {
        return Err(CliError::usage(
            format!("--sarif: {name} has the name of a configuration file"),
            "use another name, such as findings.sarif",
        ));
    }
    let sources = sources::read(&options.path)?;
    if sources.count == 0 {
        return Err(CliError::usage(
            format!(
                "{} has no files of Terraform, OpenTofu or Pulumi",
                options.path.display()
            ),
            "pass the folder of the configuration",
        ));
    }
    let wanted = ReadFilter {
        begins: &PolicyPath::is_begun_by,
        providers: &["nsxt", "netmgr"],
        id: "nsx_id",
    };
    let mut reading = terraform_switch::read(sources.files, wanted);
    reading.undecided.extend(sources.links);
    // The other files of its folder say which values a file has.
    let is_checked = |name: &str| sources.only.as_deref().is_none_or(|only| only == name);
    reading.texts.retain(|text| {
        is_checked(&text.place.file) && is_reference(&text.argument) && (wanted.begins)(&text.text)
    });
    reading.data.retain(|block| is_checked(&block.place.file));
    for steps in [&mut reading.undecided, &mut reading.unread] {
        steps.retain(|step| is_checked(&step.place));
    }
    let (connection, recorded) = match &options.recording {
        Some(file) => {
            against(&app.connection, file).map(|(connection, recorded)| (connection, Some(recorded)))?
        }
        None => (app.connection.clone(), None),
    };
    let version = options.version.as_ref();
    let Checked {
        mut findings,
        paths,
        data,
    } = app.block_on(Box::pin(LookupSession::within(&connection, async |session| {
        lookups::check(session, &mut reading, recorded.as_ref(), version).await
    })))?;
    findings.sort_by(|one, other| one.place.cmp(&other.place));
    for finding in &findings {
        match app.output.is_for_people() {
            true => standard_output(&finding.line())?,
            false => rows.push(finding.row())?,
        }
    }
    if !app.output.is_for_people() {
        rows.finish()?;
    }
    if let Some(file) = &options.sarif {
        let text = sarif::document(&findings, &options.path);
        let written = match file.is_file() {
            true => files::replace(file, &text),
            false => files::create(file, text.as_bytes()),
        };
        written.map_err(|error| CliError::unwritable(file.display(), error))?;
    }
    for step in &reading.unread {
        standard_error(&format!("not read: {}", foreign::one_line(&step.to_string())));
    }
    if options.undecided {
        reading.undecided.sort();
        for step in &reading.undecided {
            standard_error(&format!("not decided: {}", foreign::one_line(&step.to_string())));
        }
    }
    standard_error(&format!(
        "{}; checked {} and {} of {}; {} not decided",
        counted(findings.len(), "finding"),
        counted(paths, "path"),
        counted(data, "data source"),
        counted(sources.count, "file"),
        counted(reading.undecided.len(), "place"),
    ));
    match reading.unread.is_empty() {
        _ if !findings.is_empty() => Ok(false),
        true => Ok(true),
        false => Err(CliError::Reported(Exit::Other)),
    }
}

/// The connection to a simulated manager that serves a recording, and the collections that it has objects of.
pub(super) fn against(
    options: &ConnectionOptions,
    file: &Path,
) -> Result<(ConnectionOptions, BTreeSet<String>), CliError> {
    if options.simulate {
        return Err(CliError::usage(
            "--recording has no effect with --simulate",
            "remove one of the two",
        ));
    }
    let refused = |why: String| {
        CliError::usage(
            format!("{} cannot replace a manager: {why}", file.display()),
            "use a file that `netmgr export` has written without --type, --project and --redact",
        )
    };
    let (objects, header) = diff::recorded(file)?;
    let header = header.ok_or_else(|| refused("it is not a recording".to_owned()))?;
    if header["redacted"] == true {
        return Err(refused("it is redacted".to_owned()));
    }
    let mut selected = RecordOptions::default();
    selected.narrow(&header).map_err(refused)?;
    if selected != RecordOptions::default() {
        return Err(refused(format!("it only contains {}", selected.described())));
    }
    let mut options = options.clone();
    options.simulate = true;
    options.recording = Some(file.to_owned());
    if header["manager"] == "global" {
        options.settings.insert("globalManager".to_owned(), true.into());
    }
    Ok((options, objects.collections()))
}

/// Whether the value of an argument refers to an object, and is not prose or the id of a new one.
fn is_reference(argument: &str) -> bool {
    let of_prose = [
        "comment",
        "comments",
        "description",
        "displayName",
        "display_name",
        "error_message",
        "notes",
        "tag",
    ];
    !of_prose.contains(&argument)
}
