//! Logins whose replies were lost, which the manager may have counted as failed.
//!
//! There is a file for each, so that a process notes and forgets its logins without a lock. The files are empty, and
//! their names contain the beginning of the login. Our choice (0288).

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::Account;
use super::record::{HOLDS, holds, micros, time};
use super::turn;

/// Number of lost replies after which the next login has to wait for [`PAUSE`].
const SOON: usize = 3;
/// Maximum number of lost replies while the manager counts, which is one less than locks the account.
const MOST: usize = SOON + 1;
/// Time between the last two.
const PAUSE: Duration = Duration::from_secs(60);
/// Extension of a file for a login.
const LOST: &str = "lost";
/// Extension of a file that exists from when the manager did not respond until it does.
const AWAY: &str = "away";

/// Notes that the manager may have counted the login that began at `began`.
pub(super) fn note(account: &Account, began: SystemTime) {
    // A login that is noted already was not lost since the manager was away.
    if turn::create(&file(account, began)) {
        let _ = fs::remove_file(account.file(AWAY));
    }
}

/// Removes the note.
pub(super) fn forget(account: &Account, began: SystemTime) {
    let _ = fs::remove_file(file(account, began));
}

/// Removes the notes of all logins, because the manager accepted one or was not available.
pub(super) fn forget_all(account: &Account) {
    for (_, file) in notes(account) {
        let _ = fs::remove_file(file);
    }
    let _ = fs::remove_file(account.file(AWAY));
}

/// When the next login may be sent, if not at `now`.
pub(super) fn not_before(account: &Account, now: SystemTime) -> Option<SystemTime> {
    let mut times = Vec::new();
    for (began, file) in notes(account) {
        if holds(began, now) {
            times.push(began);
        } else {
            let _ = fs::remove_file(file);
        }
    }
    times.sort_unstable();
    let last = *times.last()?;
    let at = match times.len() {
        0..SOON => return None,
        SOON => last + PAUSE,
        many => times[many - MOST] + HOLDS,
    };
    (at > now).then_some(at)
}

/// Records whether the manager responds to a request that is no login. If it did not respond before, the notes of all
/// logins are removed. Returns whether a login may be sent.
pub(super) fn checked(account: &Account, responds: bool) -> bool {
    let away = account.file(AWAY);
    if !responds {
        turn::create(&away);
        return false;
    }
    if away.exists() {
        forget_all(account);
    }
    // Another process may have removed the notes, and in a folder that is only read they stay.
    not_before(account, SystemTime::now()).is_none()
}

pub(super) fn file(account: &Account, began: SystemTime) -> PathBuf {
    account.file(&format!("{}.{LOST}", micros(began)))
}

/// All notes, with the beginning of their logins.
fn notes(account: &Account) -> impl Iterator<Item = (SystemTime, PathBuf)> {
    let files = fs::read_dir(&account.folder).into_iter().flatten().flatten();
    files.filter_map(|file| {
        let name = file.file_name().into_string().ok()?;
        let began = name.strip_prefix(&account.name)?.strip_prefix('.')?;
        let began = began.strip_suffix(LOST)?.strip_suffix('.')?;
        Some((time(began.parse().ok()?), file.path()))
    })
}
