//! Completion of the names and ids of objects, from the manager of the environment.
//!
//! Errors are not shown: there is no place for them on a command line that is being typed.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use clap::Arg;
use clap_complete::{ArgValueCompleter, CompletionCandidate};
use netmgr_lookups::{Call, Entry, ErrorKind, ListOptions, Lookups};
use netmgr_transport::Client;
use serde_json::{Map, Value};
use tokio::time::timeout;

use crate::arguments;
use crate::connection;
use crate::failure::CliError;
use crate::settings::Settings;

/// Maximum time of a completion.
const LIMIT: Duration = Duration::from_secs(5);
/// Maximum time to end the session.
const GOODBYE: Duration = Duration::from_millis(500);
/// Maximum number of names.
const NAMES: usize = 200;
/// Time without completions after a refused login. Managers lock an account after several.
const PAUSE: Duration = Duration::from_secs(15 * 60);

/// Adds the completion of names to the flag of an input of `entry`.
pub(crate) fn complete_names(entry: &'static Entry, argument: Arg) -> Arg {
    let field = match argument.get_id().as_str() {
        "displayName" => "displayName",
        "id" => "id",
        _ => return argument,
    };
    if !entry.is_listed() {
        return argument;
    }
    argument.add(ArgValueCompleter::new(move |typed: &OsStr| {
        let typed = typed.to_string_lossy();
        names(entry, field, &typed).unwrap_or_default()
    }))
}

/// The names of the objects of `entry` that begin with what is typed.
fn names(entry: &Entry, field: &'static str, typed: &str) -> Option<Vec<CompletionCandidate>> {
    let options = options()?;
    if is_paused() {
        return None;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .ok()?;
    let found = runtime.block_on(async { timeout(LIMIT, read(&options, entry, field, typed)).await });
    let candidates = match found.ok()? {
        Ok(found) => found,
        Err(error) => {
            if is_refused(&error) {
                pause();
            }
            return None;
        }
    };
    let candidates = candidates.into_iter();
    Some(
        candidates
            .map(|(name, help)| CompletionCandidate::new(name).help(help.map(Into::into)))
            .collect(),
    )
}

/// The options of the connection on the command line so far, if there is a manager to read from. No password is
/// requested here.
fn options() -> Option<connection::Options> {
    let words = env::args_os().skip_while(|word| word != "--").skip(1);
    let matches = arguments::command()
        .ignore_errors(true)
        .try_get_matches_from(words);
    let options = matches.map_or_else(
        |_| connection::Options::default(),
        |matches| connection::Options::of(arguments::innermost(&matches)),
    );
    let settings = Settings::read(&options, |name| env::var(name).ok());
    (options.is_simulated() || settings.is_ok_and(|settings| settings.is_silent())).then_some(options)
}

/// Names of objects, each with a line of help.
async fn read(
    options: &connection::Options,
    entry: &Entry,
    field: &str,
    typed: &str,
) -> Result<BTreeMap<String, Option<String>>, CliError> {
    let (mut connection, _simulated) = connection::open(options).await?;
    connection.retry.max_retries = 0;
    let client = Client::builder(connection).build().map_err(CliError::Client)?;
    let lookups = Lookups::new(client.clone());
    let mut list = ListOptions::default();
    list.limit = Some(NAMES);
    if field == "displayName" {
        list.prefix = Some(typed.to_owned());
    }
    let call = Call::default();
    let found = async {
        let mut found = BTreeMap::new();
        let mut listing = lookups.list(entry.spec.name, Map::new(), list, &call)?;
        while let Some(page) = listing.next().await? {
            for row in &page.rows {
                let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
                let other = if field == "id" { "displayName" } else { "id" };
                if let Some(name) = text(field).filter(|name| name.starts_with(typed)) {
                    found.insert(name, text(other));
                }
            }
        }
        Ok(found)
    };
    let found = found.await;
    let _ = timeout(GOODBYE, client.close()).await;
    found
}

fn is_refused(error: &CliError) -> bool {
    matches!(error, CliError::Lookup(error) if error.kind() == ErrorKind::Unauthenticated)
}

/// The file whose age shows when a login was refused.
fn mark() -> PathBuf {
    let folder = env::var_os("XDG_RUNTIME_DIR").map_or_else(env::temp_dir, PathBuf::from);
    folder.join("netmgr-completion-paused")
}

fn is_paused() -> bool {
    let written = fs::metadata(mark()).and_then(|mark| mark.modified());
    written.is_ok_and(|written| {
        let age = SystemTime::now().duration_since(written).unwrap_or_default();
        age < PAUSE
    })
}

fn pause() {
    // Without the file, the next completion tries again.
    let _ = fs::write(mark(), "");
}
