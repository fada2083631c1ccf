//! Refused logins that the processes of a user share, so that many processes with a wrong password do not lock the
//! account.
//!
//! The manager locks an account after five failed logins (manager-transport 2.2), and hosts such as Terraform start many
//! processes with the same settings. A small file for each account records which logins were refused and when. While no
//! login is recorded, the processes log in one after another until one of them is accepted. Whatever goes wrong with the
//! files, the login is sent. Our choice (decision logins).
//!
//! The contents of the files are in `refused_logins/record.rs`, their use by one process at a time in `turn.rs`, and
//! logins whose replies were lost in `lost.rs`.

mod lost;
mod record;
mod turn;

use std::env;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, SystemTime};

use netmgr_types::{Connection, Credentials, Login, LoginScheme, Secret};
use ring::digest::{SHA256, digest};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use crate::{Error, ErrorKind, Failure};
use record::{HOLDS, Salt};
use turn::{Step, Turn};

/// Maximum time for one use of the files. A file system that takes longer is not used again.
const PATIENCE: Duration = Duration::from_secs(2);
/// Time between two looks at a login of another process.
const PAUSE: Duration = Duration::from_millis(15);
/// Maximum time to wait for logins of other processes: as long as one login can take.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// A folder in which the processes of a user record logins that a manager refused.
///
/// A client with such a folder does not send a user name and password that the manager refused to any process in the last
/// 15 minutes. It fails with [`ErrorKind::Unauthenticated`] and names the file to remove. A changed password is sent at
/// once. Without access to the folder, logins are sent as usual.
///
/// The files contain no password: only 16 bits of a slow hash of each refused one. Pass it to
/// [`ClientBuilder::refused_logins`](crate::ClientBuilder::refused_logins).
#[derive(Debug, Clone)]
pub struct RefusedLogins {
    folder: PathBuf,
}

impl RefusedLogins {
    /// Uses `folder`, which is created when a client logs in.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
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

    /// The guard of the logins of a connection. `None` if failed logins of it lock no account.
    pub(crate) fn guard(&self, connection: &Connection) -> Option<Guard> {
        let (login, way) = match &connection.credentials {
            Credentials::Session(login) => (login, Way::Session),
            Credentials::Header(login) => (login, Way::Header),
            Credentials::Certificate | Credentials::Cloud(_) => return None,
        };
        Some(Guard {
            account: Arc::new(Account::new(
                &self.folder,
                &connection.host.base_url(),
                login,
                way,
            )),
            is_slow: Arc::default(),
            has_waited: Arc::default(),
            current: Arc::default(),
        })
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

/// How a login is sent. The manager may refuse one and accept the other, for example if sessions are disabled.
#[derive(Debug, Clone, Copy)]
enum Way {
    Session,
    Header,
}

impl Way {
    /// Time after which a login without a reply no longer keeps other processes from theirs. The first request with a
    /// header may be a slow lookup.
    fn longest_login(self) -> Duration {
        match self {
            Self::Session => Duration::from_secs(10),
            Self::Header => Duration::from_secs(4),
        }
    }
}

/// A login at a manager, and its files.
struct Account {
    folder: PathBuf,
    /// Name of the files without extension: a hash of manager and user name.
    name: String,
    way: Way,
    /// Everything that identifies the login except the password.
    login: Vec<u8>,
    password: Secret,
    /// The last result, because it is expensive.
    slow_hash: Mutex<Option<(Salt, u16)>>,
}

impl Account {
    fn new(folder: &Path, manager: &str, login: &Login, way: Way) -> Self {
        let scheme = match login.scheme {
            LoginScheme::Basic => "Basic",
            LoginScheme::Remote => "Remote",
        };
        let account = format!("{manager}\n{}", login.username);
        let mut name = String::new();
        for byte in &digest(&SHA256, account.as_bytes()).as_ref()[..8] {
            write!(name, "{byte:02x}").expect("a string grows");
        }
        Self {
            folder: folder.to_owned(),
            name,
            way,
            login: format!("{account}\n{scheme} {way:?}").into_bytes(),
            password: login.password.clone(),
            slow_hash: Mutex::default(),
        }
    }

    fn file(&self, extension: &str) -> PathBuf {
        self.folder.join(format!("{}.{extension}", self.name))
    }

    fn record(&self) -> PathBuf {
        self.file("json")
    }
}

/// Keeps a client from sending a login that was refused to another process. Clones share what they know.
#[derive(Clone)]
pub(crate) struct Guard {
    account: Arc<Account>,
    /// Whether the files take too long.
    is_slow: Arc<AtomicBool>,
    /// Whether the client has waited for its turn since the last verdict. It does not wait again before the next one:
    /// while the manager cannot be reached, each login of another process takes as long as a timeout.
    has_waited: Arc<AtomicBool>,
    /// The turn of the client, which its other logins share.
    current: Arc<Mutex<Weak<Turn>>>,
}

/// The reason why a login may not be sent.
pub(crate) enum Denied {
    /// The manager refused the same login of another process.
    Refused(Error),
    /// The replies to too many logins were lost.
    Lost(Lost),
}

/// How a login ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoginEnd {
    /// The manager accepted it.
    Accepted,
    /// The manager refused it.
    Refused,
    /// There was no reply, and the manager may have counted it as failed.
    Lost,
    /// There was another reply, or it was not sent.
    Uncounted,
}

impl Guard {
    /// Waits until the login may be sent, but only once until there is a verdict. While the result is kept, other processes
    /// do not send theirs. Returns immediately without a guard, or if the client already has a turn.
    pub(crate) async fn turn_of(guard: Option<&Self>) -> Result<GuardedTurn, Denied> {
        let Some(guard) = guard else {
            return Ok(GuardedTurn(None));
        };
        let (turn, own) = guard.turn().await?;
        *guard.current() = Arc::downgrade(&turn);
        let guard = guard.clone();
        Ok(GuardedTurn(Some(Guarded { guard, turn, own })))
    }

    /// Records for all processes whether the manager responds to a request that is no login. Returns whether a login may
    /// be sent, or `None` if the files take too long.
    pub(crate) async fn checked(&self, responds: bool) -> Option<bool> {
        let account = self.account.clone();
        self.detached(move || lost::checked(&account, responds, SystemTime::now()))
            .await
    }

    fn current(&self) -> std::sync::MutexGuard<'_, Weak<Turn>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The turn, and this login if the turn is that of another login of the client.
    async fn turn(&self) -> Result<(Arc<Turn>, Option<Turn>), Denied> {
        let arrival = SystemTime::now();
        let has_waited = self.has_waited.load(Relaxed);
        let wait = async {
            let mut seen = None;
            let mut waits = false;
            loop {
                // Another login of the client may have got it meanwhile.
                let current = self.current().upgrade();
                if let Some(turn) = current {
                    let own = turn.beside();
                    return Ok(Some((turn, Some(own))));
                }
                let account = self.account.clone();
                match self.detached(move || turn::step(&account, arrival, seen)).await {
                    None => return Ok(Some(Default::default())),
                    Some(Step::Go(turn)) => {
                        self.has_waited.fetch_or(waits, Relaxed);
                        return Ok(Some((Arc::new(turn), None)));
                    }
                    Some(Step::Wait(_)) if has_waited => return Ok(None),
                    // The processes look at different times.
                    Some(Step::Wait(began)) => {
                        seen = began;
                        waits = true;
                        sleep(PAUSE.mul_f64(0.5 + fastrand::f64())).await;
                    }
                    Some(Step::Refused(at)) => return Err(self.refused_before(at)),
                    Some(Step::Lost(until)) => return Err(self.lost_before(until)),
                }
            }
        };
        if let Ok(result) = timeout(LONGEST_WAIT, wait).await
            && let Some(turn) = result?
        {
            return Ok(turn);
        }
        self.has_waited.store(true, Relaxed);
        Ok((self.turn_without_lock().await?, None))
    }

    /// A turn beside those of other processes. Waits only if the logins that are under way could lock the account.
    async fn turn_without_lock(&self) -> Result<Arc<Turn>, Denied> {
        let wait = async {
            loop {
                let account = self.account.clone();
                match self.detached(move || turn::step_without_lock(&account)).await {
                    None => return Ok(Arc::default()),
                    Some(Step::Go(turn)) => return Ok(Arc::new(turn)),
                    Some(Step::Refused(at)) => return Err(self.refused_before(at)),
                    Some(Step::Lost(until)) => return Err(self.lost_before(until)),
                    Some(Step::Wait(_)) => sleep(PAUSE.mul_f64(0.5 + fastrand::f64())).await,
                }
            }
        };
        let waited = timeout(LONGEST_WAIT, wait).await;
        waited.unwrap_or_else(|_| Err(self.lost_before(SystemTime::now() + LONGEST_WAIT)))
    }

    /// Runs `work` in a thread that the end of the process does not wait for, because the file system may hang. Returns
    /// `None` if it takes too long.
    fn detached<T, W>(&self, work: W) -> impl Future<Output = Option<T>> + use<T, W>
    where
        T: Send + 'static,
        W: FnOnce() -> T + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        if !self.is_slow.load(Relaxed) {
            let work = move || {
                let _ = sender.send(work());
            };
            // Without a thread, the sender is dropped.
            let _ = thread::Builder::new()
                .name("refused-logins".to_owned())
                .spawn(work);
        }
        let is_slow = self.is_slow.clone();
        async move {
            match timeout(PATIENCE, receiver).await {
                Ok(result) => result.ok(),
                Err(_) => {
                    is_slow.store(true, Relaxed);
                    tracing::debug!("the folder of refused logins does not respond and is not used");
                    None
                }
            }
        }
    }

    fn refused_before(&self, at: SystemTime) -> Denied {
        let file = self.account.record();
        let reason = format!(
            "not sent, because the manager refused the same user name and password of another process on {}",
            httpdate::fmt_http_date(at)
        );
        let hint = format!(
            "correct the user name or password; the same login is sent again after {}, or when the file {} is removed",
            httpdate::fmt_http_date(at + HOLDS),
            file.display()
        );
        Denied::Refused(Error::new(
            ErrorKind::Unauthenticated,
            Failure::default().reason(reason).hint(hint),
        ))
    }

    fn lost_before(&self, until: SystemTime) -> Denied {
        let hint = format!(
            "check the connection to the manager; the login is sent after {}, or when the files {} are removed",
            httpdate::fmt_http_date(until),
            self.account.file("*.lost").display()
        );
        let failure = Failure::default()
            .unsent(true)
            .reason(
                "not sent, because the replies to several logins of this user were lost, and the manager locks the \
                 account after five failed ones",
            )
            .hint(hint);
        Denied::Lost(Lost {
            guard: self.clone(),
            error: Error::new(ErrorKind::Connect, failure),
        })
    }
}

/// A login that may not be sent until the manager was away and responds again, or for some time.
pub(crate) struct Lost {
    guard: Guard,
    error: Error,
}

impl Lost {
    /// Records whether the manager responds to a request that is no login.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Connect`] if no login may be sent.
    pub(crate) async fn checked(self, responds: bool) -> Result<(), Error> {
        match self.guard.checked(responds).await {
            Some(false) => Err(self.error),
            Some(true) | None => Ok(()),
        }
    }
}

/// The turn of this process to log in. Dropping it records nothing.
pub(crate) struct GuardedTurn(Option<Guarded>);

struct Guarded {
    guard: Guard,
    turn: Arc<Turn>,
    /// This login, if the turn is that of another one.
    own: Option<Turn>,
}

impl GuardedTurn {
    /// Records how the login ended. Waits for it after a failure, so that no other process sends the same login before.
    pub(crate) async fn end(self, ending: LoginEnd) {
        let Some(Guarded { guard, turn, own }) = self.0 else {
            return;
        };
        if matches!(ending, LoginEnd::Accepted | LoginEnd::Refused) {
            guard.has_waited.store(false, Relaxed);
        }
        let account = guard.account.clone();
        let recorded = guard.detached(move || {
            // The turn is kept until the ending is recorded.
            let login = own.as_ref().unwrap_or(&turn);
            match ending {
                LoginEnd::Accepted => login.accepted(&account),
                LoginEnd::Refused => login.refused(&account),
                LoginEnd::Lost => login.lost(&account),
                LoginEnd::Uncounted => login.uncounted(&account),
            }
        });
        match ending {
            LoginEnd::Refused | LoginEnd::Lost => drop(recorded.await),
            LoginEnd::Accepted | LoginEnd::Uncounted => {}
        }
    }
}

#[cfg(test)]
mod tests;
