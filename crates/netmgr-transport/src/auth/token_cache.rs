//! The credential of a client: the current one, the login that issues it, and the limit of logins without a clear reply.
//!
//! One login is under way at a time. All callers that wait for it share its result. `login.rs` and `header.rs` send it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::HeaderMap;
use http::header::SET_COOKIE;
use tokio::time::Instant;

use super::credential::Credential;
use crate::refused_logins::REFUSAL_HOLDS;
use crate::service::Outcome;
use crate::single_flight::SingleFlight;
use crate::{Error, ErrorKind, Failure};

/// Delay before a failed renewal is repeated while the old credential is valid.
const RENEWAL_PAUSE: Duration = Duration::from_secs(5);
/// Maximum number of logins in a row without a clear reply. The manager may have counted each of them as failed, and locks
/// an account after five.
const MOST_UNCLEAR: u32 = 4;
/// Time after which another login is sent. The total remains below five in the period in which the manager counts.
const ONE_MORE_AFTER: Duration = REFUSAL_HOLDS.checked_div(2).expect("2 is not 0");
/// Minimum time between two checks whether the manager responds again.
const CHECK_PAUSE: Duration = Duration::from_secs(1);

/// Result of a login.
#[derive(Clone)]
pub(super) enum LoginEnd {
    /// The manager accepts the credential.
    Accepted(Arc<Credential>),
    /// The manager rejects it.
    Refused(Error),
    /// The reply is not clear, or was lost. The manager may have counted a failed login.
    Unclear(Outcome),
    /// The manager did not check the password.
    Unchecked(Outcome),
}

/// The credential of a client.
pub(super) struct TokenCache {
    state: Mutex<CacheContents>,
    logins: Arc<SingleFlight<LoginEnd>>,
    /// Shared with each login in flight.
    in_flight: Arc<()>,
}

#[derive(Default)]
struct CacheContents {
    known: KnownCredential,
    unclear: UnclearLogins,
}

#[derive(Default)]
enum KnownCredential {
    #[default]
    Nothing,
    Accepted(Arc<Credential>),
    Refused(Error, Instant),
}

/// Logins since the last clear reply.
#[derive(Default)]
struct UnclearLogins {
    /// Number of logins that were sent, including those under way and those that were interrupted.
    in_a_row: u32,
    /// Time of the last one.
    sent: Option<Instant>,
    /// Outcome of the last attempt.
    last: Option<Outcome>,
    /// Time of the last check whether the manager responds.
    checked: Option<Instant>,
    /// Whether the manager did not respond to a check since the last login.
    was_away: bool,
}

/// A login that was sent. Dropping it ends it.
#[must_use]
pub(super) struct LoginInFlight {
    _counted: Arc<()>,
}

impl TokenCache {
    /// Creates a cache without a credential. A caller takes over a login after `patience` without progress.
    pub(super) fn new(patience: Duration) -> Self {
        Self {
            state: Mutex::default(),
            logins: Arc::new(SingleFlight::new(patience)),
            in_flight: Arc::default(),
        }
    }

    /// The current credential, if it needs no renewal.
    pub(super) fn current(&self) -> Option<Arc<Credential>> {
        match &self.state().known {
            KnownCredential::Accepted(credential) if credential.is_fresh() => Some(Arc::clone(credential)),
            _ => None,
        }
    }

    /// The login under way.
    pub(super) fn logins(&self) -> &Arc<SingleFlight<LoginEnd>> {
        &self.logins
    }

    /// Waits until there is a credential that needs no renewal.
    pub(super) async fn accepted(&self) {
        self.logins.until(|| self.current().is_some()).await;
    }

    /// Returns the outcome that is known without a login.
    pub(super) fn known(&self) -> Option<LoginEnd> {
        match &self.state().known {
            KnownCredential::Accepted(credential) if credential.is_fresh() => {
                Some(LoginEnd::Accepted(Arc::clone(credential)))
            }
            KnownCredential::Refused(error, at) if at.elapsed() < REFUSAL_HOLDS => {
                Some(LoginEnd::Refused(error.clone()))
            }
            _ => None,
        }
    }

    /// Outcome of the last login, if another login may not be sent yet.
    pub(super) fn blocked(&self) -> Option<Outcome> {
        let unclear = &self.state().unclear;
        let is_recent = unclear.sent.is_some_and(|at| at.elapsed() < ONE_MORE_AFTER);
        (unclear.in_a_row >= MOST_UNCLEAR && is_recent)
            .then(|| unclear.last.clone().unwrap_or_else(|| Err(interrupted())))
    }

    /// Records that a login is sent.
    pub(super) fn sent(&self) -> LoginInFlight {
        let unclear = &mut self.state().unclear;
        unclear.in_a_row += 1;
        unclear.sent = Some(Instant::now());
        unclear.was_away = false;
        LoginInFlight {
            _counted: Arc::clone(&self.in_flight),
        }
    }

    /// Waits until a login in flight is accepted or rejected, or until there is none.
    pub(super) async fn answered(&self) {
        let is_answered = || self.known().is_some() || Arc::strong_count(&self.in_flight) == 1;
        self.logins.until(is_answered).await;
    }

    /// Number of logins without a clear reply since the last clear one.
    pub(super) fn unclear_in_a_row(&self) -> u32 {
        self.state().unclear.in_a_row
    }

    /// Whether it is time to check whether the manager responds.
    pub(super) fn is_check_due(&self) -> bool {
        let unclear = &mut self.state().unclear;
        let is_due = unclear.checked.is_none_or(|at| at.elapsed() >= CHECK_PAUSE);
        if is_due {
            unclear.checked = Some(Instant::now());
        }
        is_due
    }

    /// Records whether the manager `responds` to a check. Returns whether another login may be sent, because the
    /// manager was unavailable.
    pub(super) fn checked(&self, responds: bool) -> bool {
        let unclear = &mut self.state().unclear;
        let is_back = responds && unclear.was_away;
        match is_back {
            true => *unclear = UnclearLogins::default(),
            false => unclear.was_away |= !responds,
        }
        is_back
    }

    /// Stores the result of a login. The old credential remains in use while it is valid, even if its renewal fails or is
    /// rejected.
    pub(super) fn settle(&self, end: LoginEnd) -> LoginEnd {
        let mut state = self.state();
        match &end {
            LoginEnd::Accepted(_) | LoginEnd::Refused(_) => state.unclear = UnclearLogins::default(),
            LoginEnd::Unclear(outcome) => {
                state.unclear.last = Some(outcome.clone());
                state.unclear.sent = Some(Instant::now());
            }
            LoginEnd::Unchecked(_) => {}
        }
        let pause = match &end {
            LoginEnd::Refused(_) => REFUSAL_HOLDS,
            _ => RENEWAL_PAUSE,
        };
        let end = match (end, &state.known) {
            (accepted @ LoginEnd::Accepted(_), _) => accepted,
            // Another login was accepted meanwhile.
            (unclear @ (LoginEnd::Unclear(_) | LoginEnd::Unchecked(_)), KnownCredential::Accepted(new))
                if new.is_fresh() =>
            {
                return unclear;
            }
            (failed, KnownCredential::Accepted(old)) => match old.postponed(pause) {
                Some(old) => LoginEnd::Accepted(Arc::new(old)),
                None => failed,
            },
            (failed, _) => failed,
        };
        state.known = match &end {
            LoginEnd::Accepted(credential) => KnownCredential::Accepted(Arc::clone(credential)),
            LoginEnd::Refused(error) => KnownCredential::Refused(error.clone(), Instant::now()),
            LoginEnd::Unclear(_) | LoginEnd::Unchecked(_) => KnownCredential::Nothing,
        };
        end
    }

    /// Records that a login that was sent was not checked.
    pub(super) fn unchecked(&self) {
        let unclear = &mut self.state().unclear;
        unclear.in_a_row = unclear.in_a_row.saturating_sub(1);
    }

    /// Discards a credential that the manager refused, unless a later login has replaced it.
    pub(super) fn discard(&self, refused: &Credential) {
        let mut state = self.state();
        if matches!(&state.known, KnownCredential::Accepted(known) if known.is_from_login_of(refused)) {
            state.known = KnownCredential::Nothing;
        }
    }

    /// Stores the cookies of a reply to a request that was signed with `used`.
    pub(super) fn update(&self, used: &Credential, reply: &HeaderMap) {
        if !reply.contains_key(SET_COOKIE) {
            return;
        }
        let mut state = self.state();
        if let KnownCredential::Accepted(known) = &state.known
            && known.is_from_login_of(used)
            && let Some(updated) = known.updated(reply)
        {
            state.known = KnownCredential::Accepted(Arc::new(updated));
        }
    }

    /// Removes and returns the credential.
    pub(super) fn take(&self) -> Option<Arc<Credential>> {
        let mut state = self.state();
        match std::mem::take(&mut state.known) {
            KnownCredential::Accepted(credential) => Some(credential),
            other => {
                state.known = other;
                None
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, CacheContents> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error of calls that do not log in, because earlier ones were interrupted.
fn interrupted() -> Error {
    let failure = Failure::default()
        .unsent(true)
        .reason("not sent, because several logins were interrupted before their response, and the manager locks the account after five failed ones")
        .hint("try again in a few minutes, or with a longer deadline");
    Error::new(ErrorKind::Unavailable, failure)
}

#[cfg(test)]
mod tests;
