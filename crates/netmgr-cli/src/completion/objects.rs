//! Completion of the names and ids of objects, from the manager of the settings.
//!
//! Errors are not shown, because they would disturb the command line that is being typed.

use std::ffi::OsStr;
use std::time::Duration;

use clap::Arg;
use clap_complete::ArgValueCompleter;
use netmgr_lookups::{Call, FunctionEntry, ListOptions, Lookups};
use netmgr_transport::Client;
use netmgr_types::foreign::REDACTED;
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::call::{self, CompletionCall};
use super::quoting;
use crate::connection;
use crate::failure::CliError;
use crate::settings::{self, MergedSettings};

/// Maximum time to read names. The user waits without any output.
const LIMIT: Duration = Duration::from_millis(750);
/// Maximum time to end the session.
const GOODBYE: Duration = Duration::from_millis(150);
/// Maximum number of names.
const NAMES: usize = 200;

/// Adds the completion of names to the flag of an input of `entry`, or to the argument for the name of an object.
pub(crate) fn complete_names(entry: &'static FunctionEntry, argument: Arg) -> Arg {
    let field = match argument.get_id().as_str() {
        "id" => "id",
        "path" => "path",
        // Without a flag.
        _ if argument.is_positional() => "displayName",
        "displayName" => "displayName",
        _ => return argument,
    };
    if !entry.is_listed() {
        return argument;
    }
    let flag = argument.is_positional().then_some("display-name");
    argument.add(ArgValueCompleter::new(move |typed: &OsStr| {
        let found = call::current().and_then(|call| names(call, entry, field, &quoting::begun(typed)?));
        let found = found.unwrap_or_default().into_iter();
        quoting::candidates_of(
            flag,
            typed,
            found.map(|(name, help)| (name, help.as_str().map(str::to_owned))),
        )
    }))
}

/// The names of the objects of `entry` that begin with the typed text, if there is a manager that they can be read from
/// without a prompt.
fn names(
    call: &CompletionCall,
    entry: &FunctionEntry,
    field: &'static str,
    typed: &str,
) -> Option<Map<String, Value>> {
    let options = &call.options;
    let settings = MergedSettings::read(options, settings::environment().ok()?);
    if !options.simulate && !settings.ok()?.is_silent() {
        return None;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .ok()?;
    let found = runtime.block_on(read(call, entry, field, typed));
    // Do not wait for a name lookup.
    runtime.shutdown_background();
    found.ok()
}

/// Names of objects, each with a text for its help.
async fn read(
    CompletionCall { options, inputs, .. }: &CompletionCall,
    entry: &FunctionEntry,
    field: &str,
    typed: &str,
) -> Result<Map<String, Value>, CliError> {
    let mut opened = connection::open(options).await?;
    opened.connection.retry.max_retries = 0;
    let client = Client::builder(opened.connection.clone())
        .login_record(options.login_record())
        .build()
        .map_err(CliError::Client)?;
    let lookups = Lookups::new(client.clone());
    let mut list = ListOptions::default();
    list.limit = Some(NAMES);
    if field == "displayName" {
        list.prefix = Some(typed.to_owned());
    }
    let call = Call::default();
    let found = async {
        let mut found = Map::new();
        let mut listing = lookups.list(entry.spec.name, inputs.clone(), list, &call)?;
        while let Some(page) = listing.next().await? {
            for row in &page.rows {
                let other = if field == "displayName" {
                    "id"
                } else {
                    "displayName"
                };
                let name = row.get(field).and_then(Value::as_str);
                // No object has a name in which a secret is replaced.
                let is_name = |name: &&str| name.starts_with(typed) && !name.contains(REDACTED);
                if let Some(name) = name.filter(is_name) {
                    found.insert(name.to_owned(), row.get(other).cloned().unwrap_or_default());
                }
            }
        }
        Ok(found)
    };
    let found = timeout(LIMIT, found)
        .await
        .map_err(|_| CliError::Deadline(LIMIT))
        .flatten();
    let _ = timeout(GOODBYE, client.close()).await;
    found
}
