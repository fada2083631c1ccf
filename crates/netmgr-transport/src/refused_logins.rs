//! Rejected logins that the processes of a user share, so that many processes with a wrong password do not lock the
//! account.
//!
//! A manager locks an account after five failed logins, and hosts such as Terraform start many processes with the same
//! settings. A process holds a lock on the file of the account during its first login; the others wait for its verdict,
//! which it leaves in the file. If that takes too long, one of them follows, which holds a lock on another file. Whatever
//! goes wrong with a file, the login is sent. Our choice (decision logins).

use std::env;
use std::fmt::Write as _;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use netmgr_types::{Connection, Credentials, Login, Secret};
use ring::digest::{SHA256, digest};
use ring::pbkdf2::{self, PBKDF2_HMAC_SHA256};
use ring::rand::{SecureRandom as _, SystemRandom};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::time::{Instant, sleep, timeout};
use zeroize::Zeroizing;

use crate::{Error, ErrorKind, Failure};

/// Time for which a rejected login is not sent again: the manager's lockout period, which every further attempt would
/// restart. Our choice (decision logins).
pub(crate) const REFUSAL_HOLDS: Duration = Duration::from_secs(15 * 60);
/// Maximum time to wait for the login of another process before one more is sent. It doubles for each further one.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// Maximum number of logins in flight beside the first one. Together they are fewer than those that lock an account.
const MOST_FOLLOWERS: u32 = 3;
/// Average time between two attempts to lock the file.
const PAUSE: Duration = Duration::from_millis(15);
/// Maximum time for one use of the file. A file system that takes longer does not delay a login.
const PATIENCE: Duration = Duration::from_secs(2);
/// A later time than this in the future shows that the clock was set back.
const TOLERANCE: Duration = Duration::from_secs(5);
/// Rounds of the slow hash: less than a millisecond. The file reveals little even without them.
const ROUNDS: NonZeroU32 = NonZeroU32::new(1000).expect("not 0");
/// Length of a file. Always the same, so that a file is replaced even on a full disk.
const LENGTH: usize = 160;

/// A folder in which the processes of a user record logins that a manager rejected.
///
/// A client with such a folder does not send a user name and password that the manager rejected from any process in the
/// last 15 minutes. It fails with [`ErrorKind::Unauthenticated`] and names the file to remove. A changed password is sent
/// at once. Without access to the folder, logins are sent as usual.
///
/// The files contain no password: only 16 bits of a slow hash of each rejected one. Pass it to
/// [`ClientBuilder::refused_logins`](crate::ClientBuilder::refused_logins).
#[derive(Debug, Clone)]
pub struct RefusedLogins {
    folder: PathBuf,
    asks_always: bool,
}

impl RefusedLogins {
    /// Uses `folder`, which is created when a client logs in.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            asks_always: false,
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

    /// Sends logins although they are recorded as rejected, and records the result.
    #[must_use]
    pub fn asking_always(self) -> Self {
        Self {
            asks_always: true,
            ..self
        }
    }

    /// The file of the account of a connection. `None` if failed logins lock no account.
    pub(crate) fn account(&self, connection: &Connection) -> Option<Arc<AccountFile>> {
        match &connection.credentials {
            Credentials::Session(login) => Some(self.file(connection, login, "session")),
            Credentials::Header(login) => Some(self.account_without_session(connection, login)),
            Credentials::Certificate | Credentials::Cloud(_) => None,
        }
    }

    /// The file of an account whose password is sent with each request.
    pub(crate) fn account_without_session(&self, connection: &Connection, login: &Login) -> Arc<AccountFile> {
        self.file(connection, login, "header")
    }

    fn file(&self, connection: &Connection, login: &Login, kind: &str) -> Arc<AccountFile> {
        let manager = connection.host.base_url();
        Arc::new(AccountFile::new(self, &manager, login, kind))
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

/// The file of an account, with the result of its last login.
pub(crate) struct AccountFile {
    path: PathBuf,
    password: Secret,
    asks_always: bool,
    /// Whether the manager has accepted a login of this client, which then waits for no other.
    is_accepted: AtomicBool,
    /// Whether a login of this client has followed another one, so that the next one does not wait as long again.
    has_followed: AtomicBool,
    /// The lock of this client, while it holds one.
    own_lock: Mutex<Weak<FileLock>>,
}

/// The locked file. Dropping it ends the lock.
struct FileLock {
    file: File,
    /// Whether it is the file with the verdict.
    is_first: bool,
    since: Instant,
}

/// The contents of a file.
#[derive(Debug, Serialize, Deserialize)]
struct RecordedVerdict {
    /// Microseconds since 1970.
    at: u64,
    /// Salt and hash of the password, if it was rejected.
    rejected: Option<(Salt, u16)>,
}

type Salt = [u8; 16];

/// Why a login has to wait, or must not be sent.
enum Hurdle {
    /// Another process logs in.
    Locked,
    /// The same login was rejected then.
    Rejected(SystemTime),
}

impl AccountFile {
    fn new(folder: &RefusedLogins, manager: &str, login: &Login, kind: &str) -> Self {
        let account = format!("{manager}\n{}\n{:?} {kind}", login.username, login.scheme);
        let mut name = String::new();
        for byte in &digest(&SHA256, account.as_bytes()).as_ref()[..8] {
            write!(name, "{byte:02x}").expect("a string grows");
        }
        Self {
            path: folder.folder.join(format!("{name}.json")),
            password: login.password.clone(),
            asks_always: folder.asks_always,
            is_accepted: AtomicBool::default(),
            has_followed: AtomicBool::default(),
            own_lock: Mutex::default(),
        }
    }

    /// Waits for the first logins of other processes, until one of them is accepted, and begins a login. Others wait for
    /// its end. Calls `is_waiting` again and again while it waits.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unauthenticated`] if the same login was rejected in the last 15 minutes.
    pub(crate) async fn begin(self: &Arc<Self>, is_waiting: impl Fn()) -> Result<BegunLogin, Error> {
        let (arrival, start) = (SystemTime::now(), Instant::now());
        // Logins in flight that have taken too long.
        let mut late = u32::from(self.has_followed.load(Relaxed));
        let lock = loop {
            let account = Arc::clone(self);
            match in_thread(move || account.lock(arrival, late)).await {
                None => break None,
                Some(Ok(lock)) => break lock,
                Some(Err(Hurdle::Rejected(at))) => return Err(self.rejected(at)),
                Some(Err(Hurdle::Locked)) if self.is_accepted.load(Relaxed) => break None,
                Some(Err(Hurdle::Locked)) => {}
            }
            if self.waits_since(start).elapsed() > LONGEST_WAIT * ((2 << late) - 1) {
                if late == MOST_FOLLOWERS {
                    break None;
                }
                late += 1;
                continue;
            }
            // Processes poll at different times.
            is_waiting();
            sleep(PAUSE.mul_f64(0.5 + fastrand::f64())).await;
        };
        let account = Some(Arc::clone(self));
        Ok(BegunLogin { account, lock })
    }

    /// When the wait of a login that arrived at `start` began. A login that this client sent before has been waited for
    /// since it was sent.
    fn waits_since(&self, start: Instant) -> Instant {
        let own_lock = self.own_lock.lock().unwrap_or_else(PoisonError::into_inner);
        own_lock.upgrade().map_or(start, |lock| lock.since.min(start))
    }

    /// Locks the file, or one of those for the logins that follow `late` ones. `None` if that is not possible, or a login
    /// was accepted after `arrival`.
    fn lock(&self, arrival: SystemTime, late: u32) -> Result<Option<Arc<FileLock>>, Hurdle> {
        let Some(mut file) = self.open(&self.path) else {
            return Ok(None);
        };
        let locked = file.try_lock();
        let now = SystemTime::now();
        let verdict = RecordedVerdict::read(&mut file);
        if let Some(at) = verdict.as_ref().and_then(|verdict| self.rejection(verdict, now)) {
            return Err(Hurdle::Rejected(at));
        }
        match locked {
            Ok(()) => Ok(Some(self.hold(file, true))),
            Err(TryLockError::WouldBlock) => match verdict {
                Some(verdict) if verdict.rejected.is_none() && verdict.holds(now) > Some(arrival) => Ok(None),
                _ => self.follow(late),
            },
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) => Ok(None),
        }
    }

    /// Locks one of the files for the logins that follow `late` ones.
    fn follow(&self, late: u32) -> Result<Option<Arc<FileLock>>, Hurdle> {
        for number in 1..=late {
            let Some(file) = self.open(&self.path.with_extension(number.to_string())) else {
                return Ok(None);
            };
            match file.try_lock() {
                Ok(()) => {
                    self.has_followed.store(true, Relaxed);
                    return Ok(Some(self.hold(file, false)));
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(_)) => return Ok(None),
            }
        }
        Err(Hurdle::Locked)
    }

    fn hold(&self, file: File, is_first: bool) -> Arc<FileLock> {
        let lock = Arc::new(FileLock {
            file,
            is_first,
            since: Instant::now(),
        });
        *self.own_lock.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(&lock);
        lock
    }

    /// When this login was rejected, if that still applies.
    fn rejection(&self, verdict: &RecordedVerdict, now: SystemTime) -> Option<SystemTime> {
        let (salt, hash) = verdict.rejected.filter(|_| !self.asks_always)?;
        let at = verdict.holds(now)?;
        (self.hash(&salt) == hash).then_some(at)
    }

    /// Records the result of the login, through `lock` if that is of the file with the verdict.
    fn record(&self, lock: Option<&FileLock>, is_accepted: bool) -> io::Result<()> {
        let locked = lock.filter(|lock| lock.is_first).map(|lock| &lock.file);
        let opened = if locked.is_none() {
            self.open(&self.path)
        } else {
            None
        };
        let Some(mut file) = locked.or(opened.as_ref()) else {
            return Ok(());
        };
        let rejected = match is_accepted {
            true => None,
            false => {
                let mut salt = Salt::default();
                SystemRandom::new()
                    .fill(&mut salt)
                    .map_err(|_| io::Error::other("no random bytes"))?;
                Some((salt, self.hash(&salt)))
            }
        };
        let at = micros(SystemTime::now());
        let mut text = serde_json::to_vec(&RecordedVerdict { at, rejected })?;
        text.resize(LENGTH, b' ');
        file.rewind()?;
        file.write_all(&text)
    }

    /// Opens a file, and creates it if necessary, for its owner only. Links are not followed.
    fn open(&self, path: &Path) -> Option<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut folder = DirBuilder::new();
        folder.recursive(true);
        // On Windows, the folder of the user limits access.
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;

            let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
            options.mode(0o600).custom_flags(flags.bits().cast_signed());
            std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        }
        let file = options.open(path).ok().or_else(|| {
            folder.create(path.parent()?).ok()?;
            options.open(path).ok()
        })?;
        file.metadata()
            .is_ok_and(|metadata| metadata.is_file())
            .then_some(file)
    }

    /// 16 bits of a slow hash, which are too few to confirm a guess.
    fn hash(&self, salt: &Salt) -> u16 {
        let name = self.path.file_name().unwrap_or_default();
        let salt = [salt, name.as_encoded_bytes()].concat();
        let mut hash = Zeroizing::new([0; 32]);
        let password = self.password.expose().as_bytes();
        pbkdf2::derive(PBKDF2_HMAC_SHA256, ROUNDS, &salt, password, hash.as_mut());
        u16::from_be_bytes([hash[0], hash[1]])
    }

    fn rejected(&self, at: SystemTime) -> Error {
        let reason = format!(
            "not sent, because the manager rejected the same user name and password at {}",
            iso_8601(at)
        );
        let hint = format!(
            "correct the user name or password; the same login is sent again after {}, or once the file {} is removed; \
             netmgr doctor sends it immediately",
            iso_8601(at + REFUSAL_HOLDS),
            Path::display(&self.path)
        );
        Error::new(
            ErrorKind::Unauthenticated,
            Failure::default().reason(reason).hint(hint),
        )
    }
}

/// A time in whole seconds, as in other messages.
fn iso_8601(at: SystemTime) -> String {
    let at = OffsetDateTime::from(at);
    let at = at.replace_nanosecond(0).unwrap_or(at);
    at.format(&Rfc3339).unwrap_or_default()
}

impl RecordedVerdict {
    fn read(file: &mut File) -> Option<Self> {
        let mut text = String::new();
        file.take(LENGTH as u64).read_to_string(&mut text).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Its time, if it still applies. It does not if the clock was set back since.
    fn holds(&self, now: SystemTime) -> Option<SystemTime> {
        let at = UNIX_EPOCH.checked_add(Duration::from_micros(self.at))?;
        let holds = match now.duration_since(at) {
            Ok(age) => age < REFUSAL_HOLDS,
            Err(ahead) => ahead.duration() < TOLERANCE,
        };
        holds.then_some(at)
    }
}

fn micros(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}

/// Runs `work` in a thread for work that blocks. `None` if it takes too long.
async fn in_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    timeout(PATIENCE, tokio::task::spawn_blocking(work))
        .await
        .ok()?
        .ok()
}

/// A login for which the other processes wait. Dropping it records nothing.
#[derive(Default)]
pub(crate) struct BegunLogin {
    account: Option<Arc<AccountFile>>,
    lock: Option<Arc<FileLock>>,
}

impl BegunLogin {
    /// Begins a login of an account that is in a file.
    ///
    /// # Errors
    ///
    /// The errors of [`AccountFile::begin`].
    pub(crate) async fn of(account: Option<&Arc<AccountFile>>, is_waiting: impl Fn()) -> Result<Self, Error> {
        match account {
            Some(account) => account.begin(is_waiting).await,
            None => Ok(Self::default()),
        }
    }

    /// Records whether the manager accepted the login.
    pub(crate) async fn ended(self, is_accepted: bool) {
        let Some(account) = self.account else { return };
        // Only the first login is accepted for all processes.
        if is_accepted && account.is_accepted.swap(true, Relaxed) && self.lock.is_none() {
            return;
        }
        let lock = self.lock;
        if let Some(Err(error)) = in_thread(move || account.record(lock.as_deref(), is_accepted)).await {
            tracing::debug!(%error, "the result of a login was not recorded");
        }
    }
}

#[cfg(test)]
mod tests;
