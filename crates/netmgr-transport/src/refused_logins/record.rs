//! The contents of the file of an account: which logins were refused, and when.
//!
//! The file reveals little about passwords: it contains 16 bits of a slow hash of each refused one, and 8 bits
//! of a hash of an accepted one for which other processes waited. A guess cannot be confirmed with so few bits.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::PoisonError;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ring::rand::{SecureRandom as _, SystemRandom};
use ring::{hmac, pbkdf2};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::Account;
use crate::auth::REFUSAL_HOLDS;

/// Time for which a refused login is not sent again: the same as in a process.
pub(super) const HOLDS: Duration = REFUSAL_HOLDS;
/// A later time than this in the future shows that the clock was set back.
const TOLERANCE: Duration = Duration::from_secs(5);
/// Rounds of the slow hash: less than a millisecond. The file reveals little even without them.
const ROUNDS: NonZeroU32 = NonZeroU32::new(1000).expect("not 0");
/// Maximum number of refused logins. More wrong passwords of one account are unlikely.
const MOST: usize = 8;
/// Maximum size of a file.
const LARGEST: u64 = 16 * 1024;

/// Random bytes of a file.
pub(super) type Salt = [u8; 16];

/// The file of an account.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    salt: Salt,
    /// Newest last.
    #[serde(default)]
    refused: Vec<Refused>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    accepted: Option<Accepted>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Refused {
    hash: u16,
    /// Microseconds since 1970.
    at: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Accepted {
    hash: u8,
    /// Microseconds since 1970.
    at: u64,
}

impl Record {
    /// Reads a file. Returns `None` if there is none or its contents cannot be used.
    pub(super) fn read(file: &Path) -> Option<Self> {
        let mut text = String::new();
        File::open(file)
            .ok()?
            .take(LARGEST)
            .read_to_string(&mut text)
            .ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Replaces a file, never leaving a part of one.
    pub(super) fn write(&self, file: &Path) -> std::io::Result<()> {
        let folder = file.parent().expect("the file is in the folder");
        let mut new = tempfile::Builder::new().prefix(".new-").tempfile_in(folder)?;
        new.write_all(&serde_json::to_vec(self)?)?;
        new.persist(file)?;
        Ok(())
    }

    /// An empty record with a new salt. `None` if the system has no random bytes.
    pub(super) fn new() -> Option<Self> {
        let mut salt = Salt::default();
        SystemRandom::new().fill(&mut salt).ok()?;
        Some(Self {
            salt,
            ..Self::default()
        })
    }

    /// When the login of `account` was refused, if that holds at `now`.
    pub(super) fn refused(&self, account: &Account, now: SystemTime) -> Option<SystemTime> {
        if self.is_over(now) {
            return None;
        }
        let hash = self.slow_hash(account);
        let refused = self.refused.iter().rev().find(|refused| refused.hash == hash)?;
        let at = time(refused.at);
        holds(at, now).then_some(at)
    }

    /// Whether the login of `account` was accepted since `arrival`. An acceptance in the future happened before the clock
    /// was set back.
    pub(super) fn accepted_since(&self, account: &Account, arrival: SystemTime, now: SystemTime) -> bool {
        self.accepted.as_ref().is_some_and(|accepted| {
            accepted.at > micros(arrival)
                && holds(time(accepted.at), now)
                && accepted.hash == self.quick_hash(account)
        })
    }

    /// Whether no refusal holds at `now`.
    pub(super) fn is_over(&self, now: SystemTime) -> bool {
        !self.refused.iter().any(|refused| holds(time(refused.at), now))
    }

    /// Adds a refusal.
    pub(super) fn refuse(&mut self, account: &Account, now: SystemTime) {
        let hash = self.slow_hash(account);
        self.accepted = None;
        self.refused
            .retain(|refused| refused.hash != hash && holds(time(refused.at), now));
        if self.refused.len() == MOST {
            self.refused.remove(0);
        }
        let at = micros(now);
        self.refused.push(Refused { hash, at });
    }

    /// Notes that the login was accepted, for processes that wait.
    pub(super) fn accept(&mut self, account: &Account, now: SystemTime) {
        self.accepted = Some(Accepted {
            hash: self.quick_hash(account),
            at: micros(now),
        });
    }

    fn slow_hash(&self, account: &Account) -> u16 {
        let mut known = account.slow_hash.lock().unwrap_or_else(PoisonError::into_inner);
        match *known {
            Some((salt, hash)) if salt == self.salt => hash,
            _ => known.insert((self.salt, self.compute_slow_hash(account))).1,
        }
    }

    fn compute_slow_hash(&self, account: &Account) -> u16 {
        let salt = [&self.salt, account.login.as_slice()].concat();
        let mut hash = Zeroizing::new([0; 32]);
        let password = account.password.expose().as_bytes();
        pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA256, ROUNDS, &salt, password, hash.as_mut());
        u16::from_be_bytes([hash[0], hash[1]])
    }

    /// A hash that other processes compute while they wait for a login, which must not become slower.
    fn quick_hash(&self, account: &Account) -> u8 {
        let key = hmac::Key::new(hmac::HMAC_SHA256, account.password.expose().as_bytes());
        let salted = [&self.salt, account.login.as_slice()].concat();
        hmac::sign(&key, &salted).as_ref()[0]
    }
}

/// Whether what happened at `at` holds at `now`. The clock may have been set back since.
pub(super) fn holds(at: SystemTime, now: SystemTime) -> bool {
    holds_for(HOLDS, at, now)
}

/// Like [`holds`], for what holds for another time.
pub(super) fn holds_for(limit: Duration, at: SystemTime, now: SystemTime) -> bool {
    match now.duration_since(at) {
        Ok(age) => age < limit,
        Err(ahead) => ahead.duration() < TOLERANCE,
    }
}

pub(super) fn time(micros: u64) -> SystemTime {
    UNIX_EPOCH
        .checked_add(Duration::from_micros(micros))
        .unwrap_or(UNIX_EPOCH)
}

pub(super) fn micros(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}

/// Removes the file of an account without a refusal.
pub(super) fn remove(file: &Path) {
    // Another process may have removed it.
    let _ = fs::remove_file(file);
}
