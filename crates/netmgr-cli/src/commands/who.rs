//! `who`: the objects behind addresses, names and paths, their groups, and the rules that name these groups.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use netmgr_lookups::{Lookup, Lookups};
use netmgr_types::{PolicyPath, foreign};
use serde_json::{Value, json};

use crate::app::App;
use crate::commands::check;
use crate::completion::complete_names;
use crate::exit::Exit;
use crate::failure::CliError;
use crate::files;
use crate::options::project;
use crate::output::{Column, standard_error};
use crate::session::LookupSession;
use crate::setting_flags;
use crate::subcommand::{SharedOptions, Subcommand};

mod addresses;
mod answers;
mod groups;
mod objects;

use addresses::Range;
use answers::{Finder, MemberGroup, WhoAnswer};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "who",
    command,
    shared: SharedOptions::All,
    run,
};

/// Maximum number of lookups that run together. Those that begin together share requests.
const WINDOW: usize = 4096;
/// Maximum number of missing names in an error.
const SHOWN: usize = 10;
/// Maximum length of a file with names.
const LONGEST: u64 = 16 << 20;

/// Options of `who`.
#[derive(Debug, Args)]
#[group(skip)]
#[command(next_help_heading = "Inputs")]
struct WhoOptions {
    /// Addresses, names, external ids and policy paths
    #[arg(value_name = "NAME", required_unless_present = "file")]
    names: Vec<String>,
    /// File with further names, one in each line
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Project to search, with its VPCs. Default: the default space and all projects
    #[arg(long, value_name = "ID", visible_alias = "context-project-id", value_parser = project)]
    project: Option<String>,
    /// Complete recording of `netmgr export` to read, instead of a manager
    #[cfg_attr(feature = "simulator", arg(long, value_name = "FILE"))]
    #[cfg_attr(not(feature = "simulator"), arg(skip))]
    recording: Option<PathBuf>,
}

/// Members of an answer.
const FIELDS: [&str; 7] = [
    "displayName",
    "groups",
    "id",
    "name",
    "objects",
    "path",
    "resourceType",
];

fn command() -> Command {
    let machines = Lookups::entry("getPolicyVm").expect("it is a function");
    WhoOptions::augment_args(Command::new("who"))
        .mut_arg("names", |names| complete_names(machines, names))
        .about("Show what an address or name is, its groups and rules")
        .long_about(
            "Show the object behind an address, a name, an external id or a policy path: a virtual machine, interface, \
             port, segment or subnet, or an allocation; for an address also the segments, pools and allocations that \
             contain it. Lists the groups that the object is an effective member of, and the rules that name these \
             groups. Many names share requests. An address in no group is an answer; a name without an object ends \
             with exit code 3.",
        )
        .after_help(
            "Examples:\n  netmgr who 10.10.0.11\n  netmgr who web-01 /infra/segments/web-tier -o json\n  \
             netmgr who --file addresses.txt --project dev -o csv",
        )
}

impl WhoOptions {
    /// The names in order, each once.
    fn names(&self) -> Result<Vec<String>, CliError> {
        let mut names = self.names.clone();
        if let Some(file) = &self.file {
            let text =
                files::text(file, LONGEST).map_err(|error| CliError::unreadable(file.display(), error))?;
            names.extend(
                files::split_mark(&text)
                    .1
                    .lines()
                    .map(|line| line.trim().to_owned()),
            );
        }
        let mut known = HashSet::new();
        names.retain(|name| !name.trim().is_empty() && known.insert(name.clone()));
        for path in names.iter().filter(|name| name.starts_with('/')) {
            PolicyPath::parse(path).map_err(|reason| {
                let shown = foreign::one_line(path);
                CliError::usage(
                    format!("{shown} is not a policy path: {reason}"),
                    "pass a path such as `/infra/segments/web`",
                )
            })?;
        }
        match names.is_empty() {
            true => Err(CliError::usage(
                "there is no name to look up",
                "pass an address or a name",
            )),
            false => Ok(names),
        }
    }
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let options = WhoOptions::from_arg_matches(matches).expect("these are matches of the command");
    let names = options.names()?;
    let is_document = app.output.is_document();
    let mut rows = match is_document {
        true => {
            app.output.check_fields(&FIELDS.map(str::to_owned))?;
            app.output.whole_rows(Vec::new())?
        }
        false => {
            let columns = [
                "name",
                "resourceType",
                "displayName",
                "path",
                "groupPath",
                "rules",
            ];
            let columns = columns.map(Column::new);
            let wide = ["id", "objects"].map(|name| Column::new(name).wide());
            app.output.rows(columns.into_iter().chain(wide).collect())?
        }
    };
    let connection = match &options.recording {
        Some(file) => check::against(&app.connection, file)?.0,
        None => app.connection.clone(),
    };
    app.block_on(Box::pin(LookupSession::within(&connection, async |session| {
        let finder = Finder::new(session, options.project.as_deref(), &names).await?;
        let lookups = names.iter().map(|name| finder.answers(name));
        let found: Vec<Vec<WhoAnswer>> = stream::iter(lookups).buffered(WINDOW).try_collect().await?;
        let missing = names.iter().zip(&found).filter(|(_, answers)| answers.is_empty());
        let missing: Vec<&String> = missing.map(|(name, _)| name).collect();
        let mut answers = found.concat();
        groups::add(&finder, &mut answers).await?;
        for answer in &answers {
            match is_document {
                true => rows.push(json!(answer))?,
                false => {
                    for row in table_rows(answer) {
                        rows.push(row)?;
                    }
                }
            }
        }
        rows.finish()?;
        if missing.is_empty() {
            return Ok(());
        }
        report_missing(&missing);
        Err(CliError::Reported(Exit::NotFound))
    })))
}

/// Reports the names and paths that no object has.
fn report_missing(missing: &[&String]) {
    let (paths, names): (Vec<&String>, Vec<&String>) =
        missing.iter().copied().partition(|name| name.starts_with('/'));
    for (problem, of) in [("no object is called", &names), ("there is no object at", &paths)] {
        if of.is_empty() {
            continue;
        }
        let shown: Vec<String> = of.iter().take(SHOWN).map(|name| format!("{name:?}")).collect();
        let more = match of.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        standard_error(&format!(
            "error: {problem} {}{more}",
            foreign::one_line(&shown.join(", "))
        ));
    }
    let is_range = |name: &&&String| Range::parse(name).is_some();
    standard_error(match names.iter().find(is_range) {
        Some(_) => "  hint: pass single addresses instead of subnets and ranges",
        None if names.is_empty() => "  hint: check the paths",
        None => "  hint: names must match exactly; `netmgr find --contains` finds parts of names",
    });
}

/// Runs a lookup for the command.
async fn lookup<L: Lookup>(session: &LookupSession, lookup: L) -> Result<L::Output, CliError> {
    session
        .run_command(SUBCOMMAND.name, setting_flags::of_project(), lookup)
        .await
}

/// A row for each group of an answer, or one without a group.
fn table_rows(answer: &WhoAnswer) -> Vec<Value> {
    let objects = answer.objects.iter().map(|object| object.name());
    let object = json!({
        "name": answer.name, "resourceType": answer.subject.resource_type,
        "displayName": answer.subject.display_name, "path": answer.subject.path, "id": answer.subject.id,
        "objects": objects.collect::<Vec<_>>().join(" "), "groupPath": "", "rules": "",
    });
    if answer.groups.is_empty() {
        return vec![object];
    }
    let row = |group: &MemberGroup| {
        let rules = group.rules.iter().map(|rule| rule.display_name.as_str());
        let mut row = object.clone();
        row["groupPath"] = group.path.as_str().into();
        row["rules"] = rules.collect::<Vec<_>>().join(", ").into();
        row
    };
    answer.groups.iter().map(row).collect()
}
