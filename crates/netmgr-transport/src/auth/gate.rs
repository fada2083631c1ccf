//! Who may send a request, who has to log in first, and who has to wait for that.
//!
//! At most one login is under way, whatever the number of callers; a refused one is not repeated
//! soon. Not here: how a login is done.

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

/// How long a refused login is not repeated: the manager's lockout period, which every further
/// attempt would restart (manager-transport 2.2; our choice, decision 0031).
pub(super) const REFUSAL_HOLDS: Duration = Duration::from_secs(900);
/// When a renewal that failed is repeated, while the old credential lasts.
const RENEWAL_PAUSE: Duration = Duration::from_secs(5);

/// How a login ended; the same for all who waited for it.
#[derive(Clone)]
pub(super) enum Outcome {
    /// It gave a credential.
    Accepted(Arc<Credential>),
    /// The manager does not accept the login.
    Refused(Arc<Error>),
    /// The manager answered something that may pass, such as 503.
    Answered(Response<Bytes>),
    /// There was no usable answer.
    Failed(Arc<Error>),
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

/// A login that may be sent: this sends it.
pub(super) type Sending = BoxFuture<'static, Outcome>;

/// What a caller may do.
pub(super) enum Pass {
    /// Send its request with the credential at hand.
    With,
    /// Answer this in the place of its request.
    Instead(Result<Response<Bytes>, Error>),
}

impl From<Outcome> for Pass {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Accepted(_) => Self::With,
            Outcome::Answered(reply) => Self::Instead(Ok(reply)),
            Outcome::Refused(error) | Outcome::Failed(error) => Self::Instead(Err((*error).clone())),
        }
    }
}

/// The credential of one client, and the login under way.
#[derive(Default)]
pub(super) struct Gate(Mutex<Slot>);

#[derive(Default)]
struct Slot {
    known: Known,
    /// The login under way, until it is sent. It ends when all who wait for it are dropped.
    flight: Flight<Outcome>,
    /// The login that was sent. It runs to its end, because it may have created a session.
    sent: Option<Shared<BoxFuture<'static, Outcome>>>,
}

#[derive(Default)]
enum Known {
    #[default]
    Nothing,
    Credential(Arc<Credential>),
    Refusal(Arc<Error>, Instant),
}

impl Gate {
    /// Lets a caller through with the credential at hand, else with that of the login under way,
    /// else with that of the login that `log_in` prepares, or whose outcome it knows.
    ///
    /// Dropping the future leaves the login to the others that wait for it.
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
                    return Pass::Instead(Err(Error::clone(error)));
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

    /// The credential at hand, if it is fresh.
    pub(super) fn at_hand(&self) -> Option<Arc<Credential>> {
        match &self.slot().known {
            Known::Credential(credential) if credential.is_fresh() => Some(credential.clone()),
            _ => None,
        }
    }

    /// Sends a login in a task of its own.
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

    /// Keeps what a login gave. While the old credential lasts, it stays in use when its renewal
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

    /// Forgets a credential that the manager refused, unless a later login has replaced it.
    pub(super) fn discard(&self, refused: &Credential) {
        let mut slot = self.slot();
        if matches!(&slot.known, Known::Credential(known) if known.is_from_login_of(refused)) {
            slot.known = Known::Nothing;
        }
    }

    /// Keeps the cookies of a reply to a request that was signed with `used`.
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

    /// Takes the credential away, also that of a login that was sent; none when there is none.
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
