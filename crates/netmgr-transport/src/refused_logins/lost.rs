//! Logins whose replies were lost, which the manager may have counted as failed.
//!
//! There is a file for each, so that a process notes and forgets its logins without a lock. The files are empty, and
//! their names contain the beginning of the login. Our choice (decision logins).

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::record::{HOLDS, holds_for, micros, time};
use super::turn;
use super::{Account, LONGEST_WAIT};

/// Number of lost replies after which the next login has to wait for [`PAUSE`].
const SOON: usize = 3;
/// Maximum number of lost replies while the manager counts, which is one less than locks the account.
const MOST: usize = SOON + 1;
/// Time between the last two.
const PAUSE: Duration = Duration::from_secs(60);
/// Extension of a file for a login.
const LOST: &str = "lost";
/// Extension of a file for a login that is under way without the lock. Its process removes it.
const SENT: &str = "sent";
/// Extension of a file that exists while the manager is known not to respond.
const AWAY: &str = "away";

/// Notes that the manager may have counted the login that began at `began`.
pub(super) fn note(account: &Account, began: SystemTime) {
    // A login that is noted already was not lost since the manager was away.
    if turn::create(&file(account, began)) {
        let _ = fs::remove_file(account.file(AWAY));
    }
}

/// Notes that the login that began at `began` is under way without the lock. Returns the note.
pub(super) fn note_sent(account: &Account, began: SystemTime) -> PathBuf {
    let file = note_file(account, began, SENT);
    turn::create(&file);
    file
}

/// Removes the note.
pub(super) fn forget(account: &Account, began: SystemTime) {
    let _ = fs::remove_file(file(account, began));
}

/// Removes the notes of all logins, because the manager accepted one or was not available.
pub(super) fn forget_all(account: &Account) {
    for extension in [LOST, SENT] {
        for (_, file) in notes(account, extension) {
            let _ = fs::remove_file(file);
        }
    }
    let _ = fs::remove_file(account.file(AWAY));
}

/// When the next login may be sent, if not at `now`.
pub(super) fn not_before(account: &Account, now: SystemTime) -> Option<SystemTime> {
    next(times(account, LOST, HOLDS, now), now)
}

/// Whether the next login has to wait for those that are under way, because their replies may be lost.
pub(super) fn is_full(account: &Account, now: SystemTime) -> bool {
    let mut all = times(account, LOST, HOLDS, now);
    // As long as a login can take. After that, its process was killed.
    all.extend(times(account, SENT, LONGEST_WAIT, now));
    next(all, now).is_some()
}

/// When the next login may be sent after those of these `times`, if not at `now`.
fn next(mut times: Vec<SystemTime>, now: SystemTime) -> Option<SystemTime> {
    times.sort_unstable();
    // Lost, and still noted as under way.
    times.dedup();
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
pub(super) fn checked(account: &Account, responds: bool, now: SystemTime) -> bool {
    let away = account.file(AWAY);
    if !responds {
        turn::create(&away);
        return false;
    }
    if away.exists() {
        forget_all(account);
    }
    // Another process may have removed the notes, and in a folder that is only read they stay.
    not_before(account, now).is_none()
}

pub(super) fn file(account: &Account, began: SystemTime) -> PathBuf {
    note_file(account, began, LOST)
}

fn note_file(account: &Account, began: SystemTime, extension: &str) -> PathBuf {
    account.file(&format!("{}.{extension}", micros(began)))
}

/// When the logins began whose notes hold at `now` for `limit`. Removes the others.
fn times(account: &Account, extension: &str, limit: Duration, now: SystemTime) -> Vec<SystemTime> {
    let mut times = Vec::new();
    for (began, file) in notes(account, extension) {
        if holds_for(limit, began, now) {
            times.push(began);
        } else {
            let _ = fs::remove_file(file);
        }
    }
    times
}

/// All notes, with the beginning of their logins.
fn notes(account: &Account, extension: &str) -> impl Iterator<Item = (SystemTime, PathBuf)> {
    let files = fs::read_dir(&account.folder).into_iter().flatten().flatten();
    files.filter_map(move |file| {
        let name = file.file_name().into_string().ok()?;
        let began = name.strip_prefix(&account.name)?.strip_prefix('.')?;
        let began = began.strip_suffix(extension)?.strip_suffix('.')?;
        Some((time(began.parse().ok()?), file.path()))
    })
}
