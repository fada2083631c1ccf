//! Logins without success, counted over all processes of a user, so that they lock no account.
//!
//! A manager locks an account after five failed logins. Of each credential, at most four logins without success are sent in
//! three minutes; a rejection counts as all four for 15 minutes. A login is counted before it is sent, and a success
//! clears the count. If the file cannot be used, each client counts its own logins (decision logins).

use std::env;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use netmgr_types::{Connection, Credentials};
use ring::digest::{SHA256, digest};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::time::{Instant, timeout};

use crate::lock::lock;
use crate::{Error, ErrorKind, Failure};

mod account_file;
mod rule;

use account_file::AccountFile;
pub(crate) use rule::{CountedEnd, Hurdle, REJECTION_HOLDS};
use rule::{LoginState, LoginTerms, MOST, RecordedLogins, WINDOW};

/// Maximum time for one use of the file. A file system that takes longer does not delay a login.
const PATIENCE: Duration = Duration::from_secs(1);
/// A folder in which the processes of a user record their logins without success.
///
/// With such a folder, all clients together send a user name and password at most four times in three minutes without
/// success, and once in 15 minutes if the manager rejects them. Other lookups fail and report when the next login can be
/// sent. A changed password is sent at once. Without access to the folder, each client counts its own logins.
///
/// There is a file for each account. It contains no password: only times, and 16 bits of a slow hash of each password.
/// Pass it to [`ClientBuilder::login_record`](crate::ClientBuilder::login_record).
#[derive(Debug, Clone)]
pub struct LoginRecord {
    folder: PathBuf,
    logs_in_always: bool,
}

impl LoginRecord {
    /// Uses `folder`, which is created when a client logs in.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            logs_in_always: false,
        }
    }

    /// Uses the folder `netmgr/logins` in the folder for the state of programs: `XDG_STATE_HOME`, otherwise
    /// `%LOCALAPPDATA%` on Windows, `~/Library/Application Support` on macOS and `~/.local/state` elsewhere.
    ///
    /// Returns `None` if the environment names none.
    #[must_use]
    pub fn in_state_folder() -> Option<Self> {
        let folder = state_folder(|name| env::var_os(name).map(PathBuf::from))?;
        Some(Self::in_folder(folder.join("netmgr").join("logins")))
    }

    /// Sends each login whatever the record contains, and records its result in the place of earlier ones.
    #[must_use]
    pub fn logging_in_always(self) -> Self {
        Self {
            logs_in_always: true,
            ..self
        }
    }

    /// The file of the account of a connection. `None` if failed logins lock no account.
    fn file(&self, connection: &Connection) -> Option<Arc<AccountFile>> {
        let login = match &connection.credentials {
            Credentials::Session(login) | Credentials::Header(login) => login,
            Credentials::Certificate | Credentials::Cloud(_) => return None,
        };
        let manager = connection.host.base_url();
        let account = format!("{manager}\n{}\n{:?}", login.username, login.scheme);
        let mut name = String::new();
        for byte in &digest(&SHA256, account.as_bytes()).as_ref()[..8] {
            write!(name, "{byte:02x}").expect("a string grows");
        }
        Some(Arc::new(AccountFile {
            path: self.folder.join(format!("{name}.json")),
            password: login.password.clone(),
        }))
    }
}

fn state_folder(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|path| path.is_absolute());
    set("XDG_STATE_HOME").or_else(|| {
        if cfg!(windows) {
            set("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            Some(set("HOME")?.join("Library").join("Application Support"))
        } else {
            Some(set("HOME")?.join(".local").join("state"))
        }
    })
}

/// The logins of a client's credential without success.
pub(crate) struct LoginCount {
    terms: LoginTerms,
    /// The logins of this client, by the time since `started`.
    own: Mutex<RecordedLogins>,
    started: Instant,
    file: Option<Arc<AccountFile>>,
}

/// A login that is counted, until [`LoginCount::end`].
#[must_use]
pub(crate) struct CountedLogin {
    /// Whether no other one may be sent until it is accepted.
    pub(crate) is_last: bool,
    own: u64,
    in_file: Option<u64>,
}

impl LoginCount {
    pub(crate) fn new(
        record: Option<&LoginRecord>,
        connection: &Connection,
        attempt_timeout: Duration,
    ) -> Self {
        Self {
            terms: LoginTerms {
                always: record.is_some_and(|record| record.logs_in_always),
                locks: matches!(
                    connection.credentials,
                    Credentials::Session(_) | Credentials::Header(_)
                ),
                attempt_timeout,
            },
            own: Mutex::default(),
            started: Instant::now(),
            file: record.and_then(|record| record.file(connection)),
        }
    }

    /// Counts a login that is about to be sent. `is_last_allowed` permits the last one.
    ///
    /// # Errors
    ///
    /// The reason why it may not be sent.
    pub(crate) async fn begin(&self, is_last_allowed: bool) -> Result<CountedLogin, Hurdle> {
        let terms = self.terms;
        let in_file = self
            .in_file(move |logins, credential, now| logins.begin(credential, now, terms, is_last_allowed))
            .await;
        let now = micros(self.started.elapsed());
        let mut own = lock(&self.own);
        match in_file {
            Some(Ok((at, is_last))) => Ok(CountedLogin {
                is_last,
                own: own.add(0, now, LoginState::Sent),
                in_file: Some(at),
            }),
            Some(Err(hurdle)) => Err(hurdle),
            None => {
                let begun = own.begin(0, now, terms, is_last_allowed);
                let (own, is_last) = begun.map_err(of_this_client)?;
                Ok(CountedLogin {
                    is_last,
                    own,
                    in_file: None,
                })
            }
        }
    }

    /// Records how a login ended.
    pub(crate) async fn end(&self, login: CountedLogin, end: CountedEnd) {
        let now = micros(self.started.elapsed());
        lock(&self.own).end(0, login.own, now, end);
        if let Some(at) = login.in_file {
            self.in_file(move |logins, credential, now| logins.end(credential, at, now, end))
                .await;
        }
    }

    /// Changes the file in a thread for work that blocks. `None` without a file, or if it cannot be used.
    async fn in_file<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut RecordedLogins, u16, u64) -> T + Send + 'static,
    ) -> Option<T> {
        let file = Arc::clone(self.file.as_ref()?);
        let work = tokio::task::spawn_blocking(move || file.change(change));
        match timeout(PATIENCE, work).await.ok()?.ok()? {
            Ok(result) => Some(result),
            Err(error) => {
                tracing::debug!(%error, "the file of logins is not used");
                None
            }
        }
    }

    /// The error of a login that may not be sent.
    pub(crate) fn error(&self, hurdle: &Hurdle) -> Error {
        match hurdle {
            Hurdle::Rejected(at) => {
                let reason = "not sent, because the manager rejected the same user name and password";
                let hint = "correct the user name or password";
                let Some(at) = at else {
                    return Error::new(
                        ErrorKind::Unauthenticated,
                        Failure::default().reason(reason).hint(hint),
                    );
                };
                let file = self.file.as_ref().map(|file| file.path.display().to_string());
                let failure = Failure::default()
                    .reason(format!("{reason} at {}", iso_8601(*at)))
                    .hint(format!(
                        "{hint}; the same login is sent again after {}, or once the file {} is removed; netmgr doctor \
                         sends it immediately",
                        iso_8601(*at + REJECTION_HOLDS),
                        file.unwrap_or_default()
                    ));
                Error::new(ErrorKind::Unauthenticated, failure)
            }
            Hurdle::LastOne | Hurdle::Spent(_) | Hurdle::UnderWay => {
                let after = match hurdle {
                    Hurdle::Spent(after) => after.as_secs() + 1,
                    _ => 1,
                };
                let failure = Failure::default()
                    .reason(format!(
                        "not sent, because {MOST} logins in the last {} minutes had no clear response, and the manager \
                         locks the account after five failed ones",
                        WINDOW.as_secs() / 60
                    ))
                    .hint(format!("try again in {after} s; netmgr doctor sends it immediately"));
                Error::new(ErrorKind::Unavailable, failure)
            }
        }
    }
}

/// A hurdle from the memory of a client, whose times are not clock times.
fn of_this_client(hurdle: Hurdle) -> Hurdle {
    match hurdle {
        Hurdle::Rejected(_) => Hurdle::Rejected(None),
        other => other,
    }
}

/// A time in whole seconds, as in other messages.
fn iso_8601(at: SystemTime) -> String {
    let at = OffsetDateTime::from(at);
    let at = at.replace_nanosecond(0).unwrap_or(at);
    at.format(&Rfc3339).unwrap_or_default()
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
