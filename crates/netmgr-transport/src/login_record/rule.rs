//! Which logins may be sent. No I/O.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::micros;

/// Maximum number of logins without success in [`WINDOW`].
pub(super) const MOST: usize = 4;
/// Time for which a login without success counts.
pub(super) const WINDOW: Duration = Duration::from_secs(3 * 60);
/// Time for which a rejected login is not sent again: the manager's lockout period, which further logins restart.
pub(crate) const REJECTION_HOLDS: Duration = Duration::from_secs(15 * 60);
/// A later time than this in the future shows that the clock was set back.
const TOLERANCE: Duration = Duration::from_secs(5);
/// Number of logins in a file, of all its credentials.
const CAPACITY: usize = 8;

/// When a login may be sent.
#[derive(Clone, Copy)]
pub(super) struct LoginTerms {
    /// Whether all logins may be sent.
    pub(super) always: bool,
    /// Whether failed logins lock the account. Otherwise only rejections count.
    pub(super) locks: bool,
    /// Maximum time until the response to a login.
    pub(super) attempt_timeout: Duration,
}

/// The end of a counted login.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountedEnd {
    Accepted,
    Rejected,
    /// The manager may have counted a failed login.
    Unclear,
    /// The manager did not check the password.
    Unchecked,
}

/// Why a login may not be sent now.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Hurdle {
    /// It was rejected, in another process at this time.
    Rejected(Option<SystemTime>),
    /// Only one more is allowed, and the responses to the others were not clear.
    LastOne,
    /// All are used. The next one may be sent after this time.
    Spent(Duration),
    /// All are used, and some have no response yet.
    UnderWay,
}

/// Logins without success of an account, oldest first. Times are in microseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RecordedLogins(pub(super) Vec<RecordedLogin>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RecordedLogin {
    credential: u16,
    pub(super) at: u64,
    state: LoginState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum LoginState {
    /// Without a response so far.
    Sent,
    Unclear,
    Rejected,
}

impl RecordedLogin {
    /// The time since the login, while it counts.
    fn age(&self, now: u64) -> Option<Duration> {
        if self.at > now.saturating_add(micros(TOLERANCE)) {
            return None;
        }
        let holds = match self.state {
            LoginState::Rejected => REJECTION_HOLDS,
            LoginState::Sent | LoginState::Unclear => WINDOW,
        };
        Some(Duration::from_micros(now.saturating_sub(self.at))).filter(|age| *age < holds)
    }
}

impl RecordedLogins {
    /// Adds a login, if it may be sent. Returns the time that identifies it, and whether it is the last one.
    pub(super) fn begin(
        &mut self,
        credential: u16,
        now: u64,
        terms: LoginTerms,
        is_last_allowed: bool,
    ) -> Result<(u64, bool), Hurdle> {
        self.0.retain(|login| login.age(now).is_some());
        match self.hurdle(credential, now, terms, is_last_allowed) {
            _ if terms.always => self.0.retain(|login| login.credential != credential),
            Some(hurdle) => return Err(hurdle),
            None => {}
        }
        let at = self.add(credential, now, LoginState::Sent);
        let count = self
            .0
            .iter()
            .filter(|login| login.credential == credential)
            .count();
        Ok((at, count == MOST))
    }

    fn hurdle(&self, credential: u16, now: u64, terms: LoginTerms, is_last_allowed: bool) -> Option<Hurdle> {
        let logins = || self.0.iter().filter(|login| login.credential == credential);
        let of = |state| logins().filter(move |login| login.state == state);
        if let Some(login) = of(LoginState::Rejected).next() {
            return Some(Hurdle::Rejected(Some(
                UNIX_EPOCH + Duration::from_micros(login.at),
            )));
        }
        let count = logins().count();
        if !terms.locks || count < MOST && (is_last_allowed || of(LoginState::Unclear).count() < MOST - 1) {
            return None;
        }
        if count < MOST {
            return Some(Hurdle::LastOne);
        }
        let is_under_way = |login: &RecordedLogin| login.age(now) < Some(terms.attempt_timeout);
        if of(LoginState::Sent).any(is_under_way) {
            return Some(Hurdle::UnderWay);
        }
        let oldest = logins().filter_map(|login| login.age(now)).max();
        Some(Hurdle::Spent(WINDOW.saturating_sub(oldest.unwrap_or_default())))
    }

    /// Ends the login that was added `at` this time.
    pub(super) fn end(&mut self, credential: u16, at: u64, now: u64, end: CountedEnd) {
        self.0
            .retain(|login| (login.credential, login.at) != (credential, at));
        match end {
            CountedEnd::Accepted => self.0.clear(),
            CountedEnd::Rejected => {
                self.add(credential, now, LoginState::Rejected);
            }
            CountedEnd::Unclear => {
                self.add(credential, now, LoginState::Unclear);
            }
            CountedEnd::Unchecked => {}
        }
    }

    pub(super) fn add(&mut self, credential: u16, mut at: u64, state: LoginState) -> u64 {
        while self.0.iter().any(|login| login.at == at) {
            at += 1;
        }
        if self.0.len() == CAPACITY {
            self.0.remove(0);
        }
        self.0.push(RecordedLogin {
            credential,
            at,
            state,
        });
        at
    }
}
