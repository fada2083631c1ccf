//! Coordination of logins: which callers can send a request, log in, or wait for a login.
//!
//! At most one login is in progress, regardless of the number of callers. A refused login is not repeated for
//! a while. The login itself is in `login.rs`.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::{BoxFuture, FutureExt, Shared};
use http::{HeaderMap, Response};
use tokio::time::Instant;
use tracing::Instrument;

use super::credential::Credential;
use super::outage::{Ended, Ending};
use crate::Error;
use crate::flight::Flight;

/// Time for which a refused login is not repeated: the manager's lockout period, which every further attempt
/// would restart (manager-transport 2.2; our choice, decision logins).
pub(crate) const REFUSAL_HOLDS: Duration = Duration::from_secs(900);
/// Delay before a failed renewal is repeated while the old credential is valid.
const RENEWAL_PAUSE: Duration = Duration::from_secs(5);

/// Result of a login, shared by all callers.
#[derive(Clone)]
pub(super) enum Outcome {
    /// The login issued a credential.
    Accepted(Arc<Credential>),
    /// The manager refused the login.
    Refused(Error),
    /// The manager replied with a transient error, such as 503.
    Answered(Response<Bytes>),
    /// There was no usable reply.
    Failed(Error),
}

impl Ending for Outcome {
    fn ended(&self) -> Ended {
        match self {
            Self::Accepted(_) | Self::Refused(_) => Ended::Verdict,
            Self::Answered(reply) => Ended::by_reply(reply.status()),
            Self::Failed(error) => Ended::by_failure(error),
        }
    }
}

/// A future that sends a permitted login.
pub(super) type Sending = BoxFuture<'static, Outcome>;

/// Decision for a caller.
pub(super) enum Pass {
    /// Send the request with the current credential.
    With,
    /// Return this result instead of sending the request.
    Instead(Result<Response<Bytes>, Error>),
}

impl From<Outcome> for Pass {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Accepted(_) => Self::With,
            Outcome::Answered(reply) => Self::Instead(Ok(reply)),
            Outcome::Refused(error) | Outcome::Failed(error) => Self::Instead(Err(error)),
        }
    }
}

/// The credential of a client, and the login in progress.
#[derive(Default)]
pub(super) struct Gate(Mutex<Slot>);

#[derive(Default)]
struct Slot {
    known: Known,
    /// The login in progress, until it is sent. It is cancelled when all callers are dropped.
    flight: Flight<Outcome>,
    /// The login that was sent. It is not cancelled, because it may have created a session.
    sent: Option<Shared<BoxFuture<'static, Outcome>>>,
}

#[derive(Default)]
enum Known {
    #[default]
    Nothing,
    Credential(Arc<Credential>),
    Refusal(Error, Instant),
}

impl Gate {
    /// Waits for a credential: the current one, or else that of the login in progress, or else that of a
    /// login that `log_in` prepares or whose result it knows.
    ///
    /// Dropping the future does not affect other callers that wait for the login.
    pub(super) async fn pass<F>(self: &Arc<Self>, log_in: impl FnOnce() -> F) -> Pass
    where
        F: Future<Output = Result<Sending, Outcome>> + Send + 'static,
    {
        let login = {
            let mut slot = self.slot();
            match &slot.known {
                Known::Credential(credential) if credential.is_fresh() => {
                    return Pass::With;
                }
                Known::Refusal(error, at) if at.elapsed() < REFUSAL_HOLDS => {
                    return Pass::Instead(Err(error.clone()));
                }
                _ => {}
            }
            match &slot.sent {
                Some(sent) => sent.clone(),
                None => slot.flight.join_or_start(|| {
                    let gate = self.clone();
                    let prepared = log_in();
                    async move {
                        match prepared.await {
                            Ok(sending) => gate.send(sending).await,
                            Err(outcome) => gate.settle(outcome),
                        }
                    }
                }),
            }
        };
        login.await.into()
    }

    /// The current credential, if it needs no renewal.
    pub(super) fn at_hand(&self) -> Option<Arc<Credential>> {
        match &self.slot().known {
            Known::Credential(credential) if credential.is_fresh() => Some(credential.clone()),
            _ => None,
        }
    }

    /// Sends a login in a separate task.
    async fn send(self: Arc<Self>, sending: Sending) -> Outcome {
        let sent = {
            let mut slot = self.slot();
            let gate = self.clone();
            let task = tokio::spawn(async move { gate.settle(sending.await) }.in_current_span());
            let outcome = async {
                match task.await.map_err(tokio::task::JoinError::try_into_panic) {
                    Ok(outcome) => outcome,
                    Err(Ok(panic)) => std::panic::resume_unwind(panic),
                    // The runtime is shutting down.
                    Err(Err(_)) => std::future::pending().await,
                }
            };
            slot.sent.insert(outcome.boxed().shared()).clone()
        };
        sent.await
    }

    /// Stores the result of a login. The old credential remains in use while it is valid, even if its renewal
    /// fails or is refused.
    fn settle(&self, outcome: Outcome) -> Outcome {
        let mut slot = self.slot();
        slot.flight.land();
        slot.sent = None;
        let pause = match &outcome {
            Outcome::Refused(_) => REFUSAL_HOLDS,
            _ => RENEWAL_PAUSE,
        };
        let outcome = match (outcome, &slot.known) {
            (accepted @ Outcome::Accepted(_), _) => accepted,
            (failed, Known::Credential(old)) => match old.postponed(pause) {
                Some(old) => Outcome::Accepted(Arc::new(old)),
                None => failed,
            },
            (failed, _) => failed,
        };
        slot.known = match &outcome {
            Outcome::Accepted(credential) => Known::Credential(credential.clone()),
            Outcome::Refused(error) => Known::Refusal(error.clone(), Instant::now()),
            Outcome::Answered(_) | Outcome::Failed(_) => Known::Nothing,
        };
        outcome
    }

    /// Discards a credential that the manager refused, unless a later login has replaced it.
    pub(super) fn discard(&self, refused: &Credential) {
        let mut slot = self.slot();
        if matches!(&slot.known, Known::Credential(known) if known.is_from_login_of(refused)) {
            slot.known = Known::Nothing;
        }
    }

    /// Stores the cookies of a reply to a request that was signed with `used`.
    pub(super) fn update(&self, used: &Credential, reply: &HeaderMap) {
        if !reply.contains_key(http::header::SET_COOKIE) {
            return;
        }
        let mut slot = self.slot();
        if let Known::Credential(known) = &slot.known
            && known.is_from_login_of(used)
            && let Some(updated) = known.updated(reply)
        {
            slot.known = Known::Credential(Arc::new(updated));
        }
    }

    /// Removes and returns the credential, including that of a login that was sent.
    pub(super) async fn take(&self) -> Option<Arc<Credential>> {
        let sent = self.slot().sent.clone();
        if let Some(login) = sent {
            login.await;
        }
        let mut slot = self.slot();
        match std::mem::take(&mut slot.known) {
            Known::Credential(credential) => Some(credential),
            other => {
                slot.known = other;
                None
            }
        }
    }

    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
