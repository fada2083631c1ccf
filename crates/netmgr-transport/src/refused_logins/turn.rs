//! One login at a time, by a lock that ends with its process.
//!
//! The lock is on a file of its own. Its time of modification is the beginning of the login, so that a process that was
//! stopped does not keep others waiting, and [`UNIX_EPOCH`] between logins.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::record::{self, Record};
use super::{Account, lost};

/// Extension of the lock.
const LOCK: &str = "lock";
/// Extension of a file that exists while a process waits for a login of another one.
const WAITING: &str = "waiting";

/// Maximum time by which logins of a client that begin at once are set apart. A larger one is that of a clock that was set.
const CLOSE: Duration = Duration::from_millis(1);

/// What a process may do.
pub(super) enum Step {
    /// Send the login.
    Go(Turn),
    /// Nothing: the login was refused at that time.
    Refused(SystemTime),
    /// Look again a moment later, with the beginning of the login that takes too long, if there is one.
    Wait(Option<SystemTime>),
    /// Nothing before that time: the replies to too many logins were lost.
    Lost(SystemTime),
}

/// The turn of this process to log in. Ends when it is dropped. The default keeps no process waiting.
#[derive(Default)]
pub(super) struct Turn {
    lock: Option<File>,
    /// The time that this turn noted in the lock, if that was possible, or the beginning of a login without the lock.
    pub(super) began: Option<SystemTime>,
    /// The note of a login without the lock.
    sent: Option<PathBuf>,
    /// The beginning of the last login beside this one.
    last_beside: Mutex<Option<SystemTime>>,
}

impl Drop for Turn {
    /// A login that is given up ends on the thread that serves. Its files were in use a moment before, and a process that
    /// ends at once would not wait for another thread to remove the note.
    fn drop(&mut self) {
        // Another time is that of a process that has taken over.
        if let Some(lock) = &self.lock
            && let Some(began) = self.began
            && modified(lock).is_ok_and(|modified| modified == began)
        {
            let _ = lock.set_modified(UNIX_EPOCH);
        }
        if let Some(sent) = &self.sent {
            let _ = fs::remove_file(sent);
        }
    }
}

/// Decides what a process may do that has waited since `arrival`, and that last saw a login that began at `seen` and takes
/// too long.
pub(super) fn step(account: &Account, arrival: SystemTime, seen: Option<SystemTime>) -> Step {
    step_with(account, arrival, seen, File::try_lock)
}

/// Like [`step`], with another way to lock the file.
pub(super) fn step_with(
    account: &Account,
    arrival: SystemTime,
    seen: Option<SystemTime>,
    try_lock: impl FnOnce(&File) -> Result<(), TryLockError>,
) -> Step {
    let now = SystemTime::now();
    let Some(lock) = open(&account.folder, &account.file(LOCK)) else {
        return step_without_lock(account);
    };
    match try_lock(&lock) {
        // The record is read with the lock, so that the verdict of the previous turn is seen.
        Ok(()) => return denied(account, now).unwrap_or_else(|| Step::Go(Turn::begin(lock, now))),
        // Some file systems have no locks.
        Err(TryLockError::Error(error)) => {
            tracing::debug!(%error, "the file of refused logins cannot be locked");
            return step_without_lock(account);
        }
        Err(TryLockError::WouldBlock) => {}
    }
    if let Some(at) = refused(account, now) {
        return Step::Refused(at);
    }
    if Record::read(&account.record()).is_some_and(|record| record.accepted_since(account, arrival, now)) {
        return Step::Go(Turn::default());
    }
    let late = late(&lock, account, now);
    // Seen twice, because another process that has just got the lock may not have noted the time.
    if let Some(began) = late
        && late == seen
    {
        if began != UNIX_EPOCH {
            // Its reply may be lost. Otherwise, the other process removes the note.
            lost::note(account, began);
        }
        if !lost::is_full(account, now) {
            return Step::Go(Turn::begin(lock, now));
        }
    }
    // Without the file, the processes log in one after another.
    create(&account.file(WAITING));
    Step::Wait(late)
}

/// Decides what a process may do that does not wait for others.
pub(super) fn step_without_lock(account: &Account) -> Step {
    let now = SystemTime::now();
    denied(account, now).unwrap_or_else(|| {
        Step::Go(Turn {
            lock: None,
            began: Some(now),
            // No lock shows that it is under way.
            sent: Some(lost::note_sent(account, now)),
            last_beside: Mutex::default(),
        })
    })
}

/// The reason why no login may be sent now.
fn denied(account: &Account, now: SystemTime) -> Option<Step> {
    let refused = refused(account, now).map(Step::Refused);
    let lost = || lost::not_before(account, now).map(Step::Lost);
    refused
        .or_else(lost)
        .or_else(|| lost::is_full(account, now).then_some(Step::Wait(None)))
}

fn refused(account: &Account, now: SystemTime) -> Option<SystemTime> {
    Record::read(&account.record())?.refused(account, now)
}

/// The beginning of the login of another process, if that takes too long, or has ended although the process still has the
/// lock.
fn late(lock: &File, account: &Account, now: SystemTime) -> Option<SystemTime> {
    let began = modified(lock).ok()?;
    // A login in the future began before the clock was set back.
    let is_due = now
        .duration_since(began)
        .is_ok_and(|age| age < account.way.longest_login());
    (!is_due).then_some(began)
}

fn modified(lock: &File) -> io::Result<SystemTime> {
    lock.metadata()?.modified()
}

impl Turn {
    /// Another login of the same client, which begins now. Its time differs from those of the others, because logins are
    /// noted by their microsecond.
    pub(super) fn beside(&self) -> Self {
        let mut last = self.last_beside.lock().unwrap_or_else(PoisonError::into_inner);
        let now = SystemTime::now();
        let next = last.or(self.began).map(|began| began + Duration::from_micros(1));
        let is_close = |next: &SystemTime| next.duration_since(now).is_ok_and(|ahead| ahead < CLOSE);
        *last = Some(next.filter(is_close).unwrap_or(now));
        Self {
            lock: None,
            began: *last,
            sent: None,
            last_beside: Mutex::default(),
        }
    }

    /// Notes that the manager may have counted the login, because its reply was lost.
    pub(super) fn lost(&self, account: &Account) {
        lost::note(account, self.began.unwrap_or_else(SystemTime::now));
    }

    /// Notes that the manager did not count the login.
    pub(super) fn uncounted(&self, account: &Account) {
        if let Some(began) = self.began {
            lost::forget(account, began);
        }
    }

    /// Notes in `lock` that a login begins.
    fn begin(lock: File, now: SystemTime) -> Self {
        // Read again, because file systems round times.
        let began = lock.set_modified(now).and_then(|()| modified(&lock)).ok();
        Self {
            lock: Some(lock),
            began,
            sent: None,
            last_beside: Mutex::default(),
        }
    }

    /// Records that the login was refused.
    pub(super) fn refused(&self, account: &Account) {
        self.uncounted(account);
        let file = account.record();
        if let Some(mut record) = Record::read(&file).or_else(Record::new) {
            record.refuse(account, SystemTime::now());
            if let Err(error) = record.write(&file) {
                tracing::debug!(%error, "a refused login was not recorded");
            }
        }
    }

    /// Notes that the login was accepted, if another process waits for it.
    pub(super) fn accepted(&self, account: &Account) {
        if self.lock.is_none() && self.began.is_none() {
            return;
        }
        lost::forget_all(account);
        let file = account.record();
        let now = SystemTime::now();
        if fs::remove_file(account.file(WAITING)).is_ok() {
            if let Some(mut record) = Record::read(&file).or_else(Record::new) {
                record.accept(account, now);
                let _ = record.write(&file);
            }
        } else if Record::read(&file).is_some_and(|record| record.is_over(now)) {
            record::remove(&file);
        }
    }
}

/// Opens the lock. `None` if that is not possible, for example in a home that cannot be written to.
fn open(folder: &Path, file: &Path) -> Option<File> {
    let mut options = OpenOptions::new();
    let options = private(options.read(true).write(true).create(true).truncate(false));
    options.open(file).ok().or_else(|| {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder).ok()?;
        options.open(file).ok()
    })
}

/// Creates an empty file, if that is possible. Returns `false` if there is one.
pub(super) fn create(file: &Path) -> bool {
    let created = private(OpenOptions::new().create_new(true).write(true)).open(file);
    !created.is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists)
}

/// Limits new files to their owner. On Windows, the folder of the user does.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}
