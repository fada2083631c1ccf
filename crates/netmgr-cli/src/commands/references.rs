//! `references`: the objects that refer to a policy object.

use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use netmgr_lookups::counted;
use netmgr_lookups::typed::GetPolicyReferences;
use serde_json::json;

use crate::app::App;
use crate::catalog::object_type;
use crate::completion::words::object_types;
use crate::failure::CliError;
use crate::output::{Column, standard_error};
use crate::session::LookupSession;
use crate::setting_flags;
use crate::subcommand::{SharedOptions, Subcommand};

/// The command.
pub(crate) const SUBCOMMAND: Subcommand = Subcommand {
    name: "references",
    command,
    shared: SharedOptions::All,
    run,
};

/// Options of `references`.
#[derive(Debug, Args)]
#[group(skip)]
#[command(next_help_heading = "Inputs")]
struct ReferenceOptions {
    /// Policy path of the object
    #[arg(value_name = "PATH")]
    path: String,
    /// Types of the referring objects, such as Rule, separated by commas. Default: all in the search index
    #[arg(long = "type", value_name = "TYPE", value_delimiter = ',', value_parser = object_type, add = object_types())]
    types: Vec<String>,
}

/// Members of a row.
pub(crate) const FIELDS: [&str; 5] = ["path", "resourceType", "members", "displayName", "id"];

fn command() -> Command {
    ReferenceOptions::augment_args(Command::new("references"))
        .about("List the objects that refer to an object")
        .long_about(
            "List the objects that refer to a policy object or to its children, with the members that contain the \
             reference. `-o json` and `-o yaml` also print the types that were searched.",
        )
        .after_help(
            "Examples:\n  netmgr references /infra/domains/default/groups/web-servers\n  \
             netmgr references /infra/services/HTTPS --type Rule -o csv",
        )
}

fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    let options = ReferenceOptions::from_arg_matches(matches).expect("these are matches of the command");
    let (columns, wide) = FIELDS.split_at(3);
    let columns = columns.iter().copied().map(Column::new);
    let wide = wide.iter().map(|name| Column::new(name).wide());
    let is_document = app.output.is_document();
    let mut rows = match is_document {
        true => {
            let outputs = ["exists", "id", "path", "references", "types"];
            app.output.check_fields(&outputs.map(str::to_owned))?;
            None
        }
        false => Some(app.output.rows(columns.chain(wide).collect())?),
    };
    let mut lookup = GetPolicyReferences::of(&options.path);
    lookup.resource_types = (!options.types.is_empty()).then(|| options.types.clone());
    let flags = setting_flags::of_types(&options.types).chain([("path".to_owned(), "<PATH>".to_owned())]);
    LookupSession::run(app, async |session| {
        let found = session.run_command(SUBCOMMAND.name, flags, lookup).await?;
        if !found.exists {
            standard_error(&format!("there is no object at {}", found.path));
        }
        let (count, types) = (found.references.len(), found.types.len());
        let Some(mut rows) = rows.take() else {
            return app.output.object(&json!(found));
        };
        for reference in &found.references {
            let mut row = json!(reference);
            row["members"] = reference.members.join(" ").into();
            rows.push(row)?;
        }
        if count > 0 || !app.output.is_for_people() {
            rows.finish()?;
        }
        standard_error(&format!(
            "{} {} to {}; searched {}",
            counted(count, "object"),
            if count == 1 { "refers" } else { "refer" },
            found.path,
            counted(types, "type"),
        ));
        Ok(())
    })
}
