//! Completion of the names and ids of objects, from the manager of the environment.
//!
//! Errors are not shown: there is no place for them on a command line that is being typed.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::Arg;
use clap_complete::{ArgValueCompleter, CompletionCandidate};
use netmgr_lookups::{Call, Entry, ErrorKind, ListOptions, Lookups};
use netmgr_transport::Client;
use netmgr_types::foreign;
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::quoting;
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
        let shell = super::shell();
        let typed = quoting::unquoted(shell, &typed.to_string_lossy());
        let found = names(entry, field, &typed).unwrap_or_default().into_iter();
        let candidates = found.filter_map(|(name, help)| {
            let candidate = CompletionCandidate::new(quoting::quoted(shell, &name)?);
            Some(candidate.help(help.map(|help| foreign::one_line(&help).into())))
        });
        candidates.collect()
    }))
}

/// The names of the objects of `entry` that begin with what is typed.
fn names(entry: &Entry, field: &'static str, typed: &str) -> Option<BTreeMap<String, Option<String>>> {
    let (options, mark) = options()?;
    if is_paused(&mark) {
        return None;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .ok()?;
    let found = runtime.block_on(async { timeout(LIMIT, read(&options, entry, field, typed)).await });
    match found.ok()? {
        Ok(found) => Some(found),
        Err(error) => {
            if is_refused(&error) {
                pause(&mark);
            }
            None
        }
    }
}

/// The options of the connection on the command line so far and the mark of its account, if there is a manager to read
/// from. No password is requested here.
fn options() -> Option<(connection::Options, PathBuf)> {
    let words = env::args_os().skip_while(|word| word != "--").skip(1);
    let matches = arguments::command()
        .ignore_errors(true)
        .try_get_matches_from(words);
    let options = matches.map_or_else(
        |_| connection::Options::default(),
        |matches| connection::Options::of(arguments::innermost(&matches)),
    );
    let settings = Settings::read(&options, |name| env::var(name).ok());
    let account = match (options.is_simulated(), settings) {
        (true, _) => [String::new(), String::new()],
        (false, Ok(settings)) if settings.is_silent() => ["host", "username"].map(|name| settings.text(name)),
        _ => return None,
    };
    let [host, user] = &account;
    let mark = mark(|name| env::var_os(name), host, user)?;
    Some((options, mark))
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
    let client = Client::builder(connection)
        .refused_logins(options.refused_logins())
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

/// The file whose age shows when a login was refused by the manager at `host` to `user`: in a folder of this user, where
/// others can neither read it nor put a link in its place.
fn mark(environment: impl Fn(&str) -> Option<OsString>, host: &str, user: &str) -> Option<PathBuf> {
    let set = |name: &str| {
        environment(name)
            .filter(|text| !text.is_empty())
            .map(PathBuf::from)
    };
    let folder = set("XDG_RUNTIME_DIR")
        .or_else(|| set("XDG_CACHE_HOME"))
        .or_else(|| set("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| Some(set("HOME")?.join(".cache")))?;
    let mut account = DefaultHasher::new();
    (host, user).hash(&mut account);
    Some(folder.join(format!("netmgr-completion-paused-{:016x}", account.finish())))
}

fn is_paused(mark: &Path) -> bool {
    let written = fs::metadata(mark).and_then(|mark| mark.modified());
    written.is_ok_and(|written| {
        // A mark in the future shows that the clock was set back, not how old the mark is.
        let age = SystemTime::now().duration_since(written);
        age.is_ok_and(|age| age < PAUSE)
    })
}

fn pause(mark: &Path) {
    // Without the file, the next completion tries again.
    if let Some(folder) = mark.parent() {
        let _ = fs::create_dir_all(folder);
    }
    let _ = fs::write(mark, "");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_mark_pauses_and_one_in_the_future_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("mark");
        assert!(!is_paused(&mark));
        pause(&mark);
        assert!(is_paused(&mark));
        let file = fs::File::options().write(true).open(&mark).unwrap();
        file.set_modified(SystemTime::now() + 2 * PAUSE).unwrap();
        assert!(!is_paused(&mark));
        file.set_modified(SystemTime::now() - 2 * PAUSE).unwrap();
        assert!(!is_paused(&mark));
    }

    #[test]
    fn each_account_has_a_mark_in_a_folder_of_the_user() {
        let home = |name: &str| (name == "HOME").then(|| OsString::from("/home/a"));
        let one = mark(home, "m", "admin").unwrap();
        assert_eq!(one.parent(), Some(Path::new("/home/a/.cache")));
        assert_eq!(mark(home, "m", "admin").as_ref(), Some(&one));
        for (host, user) in [("n", "admin"), ("m", "audit")] {
            assert_ne!(mark(home, host, user).as_ref(), Some(&one));
        }
        // Never in a folder that all users share.
        assert_eq!(mark(|_| None, "m", "admin"), None);
    }
}
