//! `find`: policy objects of any type by name, tag and location.

use std::sync::Arc;

use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use netmgr_lookups::typed::{AnyObject, GetPolicyObjects, GlobalContext};
use netmgr_lookups::{CallInputs, Lookups, TagCondition, TagFilter, Tree, Words};
use netmgr_types::PolicyPath;
use serde_json::json;

use crate::app::App;
use crate::catalog::object_type;
use crate::completion::words::object_types;
use crate::failure::CliError;
use crate::options::{project, whole};
use crate::output::{Column, standard_error};
use crate::progress::ProgressLine;
use crate::session::LookupSession;
use crate::setting_flags;
use crate::subcommand::{SharedOptions, Subcommand};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "find",
    command,
    shared: SharedOptions::All,
    run,
};

/// Options of `find`.
#[derive(Debug, Args)]
#[group(skip)]
#[command(next_help_heading = "Inputs")]
struct FindOptions {
    /// Display name of the objects, the same as `--name`
    #[arg(value_name = "NAME", help_heading = "Arguments", conflicts_with_all = ["name", "prefix", "contains"])]
    argument: Option<String>,
    /// Types of the objects, such as Group or policy-group, separated by commas. Default: all
    #[arg(long = "type", value_name = "TYPE", value_delimiter = ',', value_parser = object_type, add = object_types())]
    types: Vec<String>,
    /// Display name. Must match exactly
    #[arg(long, value_name = "NAME", conflicts_with_all = ["prefix", "contains"])]
    name: Option<String>,
    /// Prefix of the display name
    #[arg(long, value_name = "TEXT", conflicts_with = "contains")]
    prefix: Option<String>,
    /// Part of the display name, ignoring case
    #[arg(long, value_name = "TEXT")]
    contains: Option<String>,
    /// Tag, as TAG or SCOPE:TAG. `env:` matches any tag in the scope, and `:TAG` any scope. Either can contain colons
    #[arg(long, value_name = "SCOPE:TAG")]
    tag: Option<TagFilter>,
    /// Project of the objects, with its VPCs. Default: outside all projects
    #[arg(long, value_name = "ID", visible_alias = "context-project-id", value_parser = project)]
    project: Option<String>,
    /// Policy path of an ancestor of the objects, at any depth
    #[arg(long, value_name = "PATH")]
    below: Option<String>,
    /// Maximum number of objects; more are an error. Default 1000
    #[arg(long, value_name = "N", value_parser = whole::<u32>)]
    limit: Option<u32>,
}

/// Inputs of the function, each with its flag.
const FLAGS: [(&str, &str); 6] = [
    ("context.projectId", "--project"),
    ("context", "--project"),
    ("displayName", "--name"),
    ("limit", "--limit"),
    ("nameContains", "--contains"),
    ("parentPath", "--below"),
];

/// Outputs for an object.
pub(crate) const FIELDS: [&str; 8] = [
    "description",
    "displayName",
    "id",
    "object",
    "parentPath",
    "path",
    "resourceType",
    "tags",
];

fn command() -> Command {
    FindOptions::augment_args(Command::new("find"))
        .about("Find objects of any type by name and tag")
        .long_about(
            "Find policy objects of any type by name, tag and location, and list all matches sorted by path. `-o raw` \
             prints them as the manager sent them.",
        )
        .after_help(
            "Examples:\n  netmgr find web-servers\n  netmgr find --type Group --tag env:prod\n  netmgr find --contains web --project dev\n  \
             netmgr find --tag owner: --fields path,tags",
        )
}

impl FindOptions {
    /// A lookup for each meaning of the tag.
    fn lookups(&self) -> Vec<GetPolicyObjects> {
        let Some(tag) = &self.tag else {
            return vec![self.lookup()];
        };
        let meanings = tag.meanings().iter().cloned();
        let lookup = |TagCondition { scope, tag, .. }| {
            let mut lookup = self.lookup();
            (lookup.tag_scope, lookup.tag) = (scope, tag);
            lookup
        };
        meanings.map(lookup).collect()
    }

    fn lookup(&self) -> GetPolicyObjects {
        let mut lookup = GetPolicyObjects::new();
        lookup.resource_types = (!self.types.is_empty()).then(|| self.types.clone());
        lookup.display_name = self.name().cloned();
        lookup.name_prefix.clone_from(&self.prefix);
        lookup.name_contains.clone_from(&self.contains);
        lookup.context = self.project.as_deref().map(GlobalContext::project);
        // The project with its VPCs.
        let project = || Tree::Project(self.project.clone()?).project_path();
        lookup.parent_path = self.below.clone().or_else(project);
        lookup.limit = self.limit;
        lookup
    }

    fn name(&self) -> Option<&String> {
        self.name.as_ref().or(self.argument.as_ref())
    }

    /// The words for inputs.
    fn words(&self) -> Words {
        let others = FLAGS
            .iter()
            .map(|(input, flag)| ((*input).to_owned(), (*flag).to_owned()));
        setting_flags::words(setting_flags::of_types(&self.types).chain(others))
    }
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let options = FindOptions::from_arg_matches(matches).expect("these are matches of the command");
    let columns = ["displayName", "resourceType", "path"]
        .map(Column::new)
        .into_iter();
    let wide = ["id", "description", "tags"].map(|name| Column::new(name).wide());
    let known = FIELDS.map(str::to_owned);
    let is_whole = app.output.needs_members(&known, true)?;
    let mut rows = app.output.whole_rows(columns.chain(wide).collect())?;
    let name = options.name();
    LookupSession::run(app, async |session| {
        let mut objects: Vec<AnyObject> = Vec::new();
        for lookup in options.lookups() {
            let progress = Arc::new(ProgressLine::of(options.words()));
            let found = session.run_lookup(lookup, progress).await.map_err(|failure| {
                let entry = Lookups::entry("getPolicyObjects").expect("it is a function");
                let given = json!({"parentPath": options.below, "context": options.project});
                let inputs = CallInputs::of(entry, &given);
                failure.of_call(options.words(), inputs, SUBCOMMAND.name)
            })?;
            objects.extend(found.objects);
        }
        objects.sort_by(|one, other| (&one.path, &one.id).cmp(&(&other.path, &other.id)));
        objects.dedup();
        let is_met = |meaning: &&TagCondition| objects.iter().any(|found| meaning.fits(&found.tags));
        if let Some(note) = options.tag.as_ref().and_then(|tag| tag.note(is_met)) {
            standard_error(&format!("warning: {note}"));
        }
        if objects.is_empty() {
            let (nothing, advice) = match name {
                Some(path) if PolicyPath::is_begun_by(path) => (
                    "no object has this policy path as its name",
                    Some("`netmgr get object` reads the object at a path"),
                ),
                Some(_) => (
                    "no object with this name matches",
                    Some("--contains finds parts of names"),
                ),
                None => (
                    "no object matches",
                    options.tag.as_ref().and_then(TagFilter::advice),
                ),
            };
            let advice = advice.map_or_else(String::new, |advice| format!("; {advice}"));
            standard_error(&format!("{nothing}{advice}"));
        }
        let members = objects.iter().flat_map(|found| found.object.keys().cloned());
        app.output.check_members(&known, members.collect())?;
        for found in objects {
            let object = serde_json::Value::Object(found.object.clone());
            let row = json!(found);
            let row = match is_whole {
                true => app.output.whole(row, object),
                false => row,
            };
            rows.push(row)?;
        }
        rows.finish()
    })
}
