//! Limit on the number of logins whose replies are lost.
//!
//! The manager may have counted a login without a reply as a failed one, and five failed logins lock the
//! account (manager-transport 2.2). A login is therefore sent at most three times during an outage. After
//! that, a request without credentials, which is never counted, has to verify that the manager was
//! unavailable and is available again (decision logins).

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::StatusCode;
use tokio::time::Instant;

use super::gate::REFUSAL_HOLDS;
use crate::{Error, ErrorKind};

/// Maximum number of logins during an outage: the first and two retries.
const MOST: u32 = 3;
/// Time after which another login is sent although the manager was not seen to be unavailable. The total
/// remains below five in the period in which the manager counts.
const ONE_MORE_AFTER: Duration = REFUSAL_HOLDS.checked_div(2).expect("2 is not 0");

/// Result of a login with regard to the count of failed logins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// The manager accepted or refused it.
    Verdict,
    /// The manager may have counted it.
    Counted,
    /// The manager certainly did not check the password.
    Uncounted,
}

impl Ended {
    /// The result for a reply that neither accepts nor refuses the login.
    pub(super) fn by_reply(status: StatusCode) -> Self {
        match status {
            StatusCode::TOO_MANY_REQUESTS => Self::Uncounted,
            _ => Self::Counted,
        }
    }

    /// The result for a login without a usable reply.
    pub(super) fn by_failure(error: &Error) -> Self {
        if error.kind() == ErrorKind::Tls || error.failure().unsent {
            Self::Uncounted
        } else {
            Self::Counted
        }
    }
}

/// The outcome of a login.
pub(super) trait Ending: Clone {
    /// How the login counts.
    fn ended(&self) -> Ended;
}

/// Logins since the last one that was accepted or refused.
pub(super) struct Outage<T>(Mutex<State<T>>);

struct State<T> {
    /// Number of logins that the manager may have counted.
    counted: u32,
    /// The last login and the time at which it ended.
    last: Option<(T, Instant)>,
    /// Whether the manager has been unavailable since then.
    away: bool,
}

impl<T> Default for State<T> {
    fn default() -> Self {
        Self {
            counted: 0,
            last: None,
            away: false,
        }
    }
}

impl<T> Default for Outage<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Ending> Outage<T> {
    /// The result of the last login, if another login requires a check.
    pub(super) fn needs_check(&self) -> Option<T> {
        let state = self.state();
        let (outcome, at) = state.last.as_ref()?;
        (state.counted >= MOST && at.elapsed() < ONE_MORE_AFTER).then(|| outcome.clone())
    }

    /// Records the result of a check. Returns whether another login may be sent.
    pub(super) fn checked(&self, answered: bool) -> bool {
        let mut state = self.state();
        if answered && state.away {
            *state = State::default();
            return true;
        }
        state.away |= !answered;
        false
    }

    /// Records the result of a login.
    pub(super) fn note(&self, outcome: &T) {
        let mut state = self.state();
        match outcome.ended() {
            Ended::Verdict => *state = State::default(),
            Ended::Uncounted => {}
            Ended::Counted => {
                state.counted += 1;
                state.last = Some((outcome.clone(), Instant::now()));
                state.away = false;
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::Response;
    use tokio::time::advance;

    use super::*;
    use crate::Failure;
    use crate::auth::gate::Outcome;

    fn answered(status: u16) -> Outcome {
        let reply = Response::builder().status(status).body(Bytes::new());
        Outcome::Answered(reply.unwrap())
    }

    fn broken(unsent: bool) -> Outcome {
        Outcome::Failed(Error::new(ErrorKind::Connect, Failure::default().unsent(unsent)))
    }

    fn after(outcomes: impl IntoIterator<Item = Outcome>) -> Outage<Outcome> {
        let outage = Outage::default();
        for outcome in outcomes {
            assert!(outage.needs_check().is_none());
            outage.note(&outcome);
        }
        outage
    }

    #[tokio::test(start_paused = true)]
    async fn a_login_that_may_have_been_counted_is_repeated_twice() {
        for outcome in [answered(500), answered(502), answered(503), broken(false)] {
            let outage = after(vec![outcome; 3]);
            assert!(outage.needs_check().is_some());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_login_that_was_not_processed_is_repeated_without_end() {
        for outcome in [answered(429), broken(true)] {
            assert!(after(vec![outcome; 100]).needs_check().is_none());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_manager_that_was_away_and_answers_again_gets_another_login() {
        let outage = after(vec![answered(502); 3]);
        assert!(!outage.checked(false));
        assert!(outage.needs_check().is_some());
        assert!(outage.checked(true));
        assert!(outage.needs_check().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_manager_that_was_never_away_gets_another_login_after_half_the_lockout_period() {
        let outage = after(vec![answered(502); 3]);
        assert!(!outage.checked(true));
        advance(Duration::from_secs(449)).await;
        assert!(outage.needs_check().is_some());
        advance(Duration::from_secs(1)).await;
        assert!(outage.needs_check().is_none());
        outage.note(&answered(502));
        assert!(outage.needs_check().is_some());
    }
}
