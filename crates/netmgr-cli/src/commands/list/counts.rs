//! `list --all`: the number of objects of each type.

use std::sync::Arc;

use clap::ArgMatches;
use netmgr_lookups::{ErrorKind, ListedPage};
use serde_json::{Map, Value, json};

use super::narrowed;
use crate::app::App;
use crate::catalog::{CATALOG, CatalogFunction};
use crate::failure::CliError;
use crate::output::{Column, terminal};
use crate::progress::ProgressLine;
use crate::session::LookupSession;

/// Prints a line for each type that the manager has, after its objects are read. One type is read at a time.
pub(super) fn run(app: &App, matches: &ArgMatches) -> Result<(), CliError> {
    if matches.contains_id("limit") || matches.contains_id(super::SORT) {
        return Err(CliError::usage(
            "--limit and --sort-by have no effect on `netmgr list --all`",
            "`netmgr list <FUNCTION>` has these options",
        ));
    }
    app.output.needs_members(&[], false)?;
    let options = narrowed(matches);
    let mut rows = app.output.rows(vec![
        Column::new("function"),
        Column::new("count"),
        Column::new("group").wide(),
        Column::new("note"),
    ])?;
    let types: Vec<&CatalogFunction> = CATALOG
        .iter()
        .filter(|function| function.entry.is_listed())
        .collect();
    LookupSession::run(app, async |session| {
        let (mut has_counts, mut missing) = (false, None);
        for (number, function) in types.iter().enumerate() {
            let status = format!(
                "reading {} ({} of {} types)",
                function.name,
                number + 1,
                types.len()
            );
            terminal::status(&status);
            let mut count = 0;
            let add = |page: ListedPage| {
                count += page.rows.len();
                Ok(())
            };
            let outcome = session
                .list(
                    function.entry,
                    Map::new(),
                    options.clone(),
                    Arc::<ProgressLine>::default(),
                    add,
                )
                .await;
            let note = match outcome {
                Ok(()) => {
                    has_counts = true;
                    None
                }
                Err(CliError::Lookup(error)) => match error.kind() {
                    // The type does not exist on this manager, or is listed below a parent that is an input.
                    ErrorKind::Unsupported | ErrorKind::InvalidInput => continue,
                    ErrorKind::PermissionDenied => Some("permission denied"),
                    ErrorKind::NotFound => {
                        missing.get_or_insert(error);
                        Some("not found")
                    }
                    _ => return Err(error.into()),
                },
                Err(failure) => return Err(failure),
            };
            rows.push(json!({
                "function": function.name,
                "count": if note.is_none() { json!(count) } else { Value::Null },
                "group": function.entry.group.name(),
                "note": note,
            }))?;
        }
        terminal::status("");
        rows.finish()?;
        // A server without any of the lists is no manager.
        match missing.filter(|_| !has_counts) {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    })
}
