//! Who may send a request, who has to log in first, and who has to wait for that.
//!
//! At most one login is under way, whatever the number of callers; a refused one is not repeated
//! soon. Not here: how a login is done.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Response};
use tokio::time::Instant;

use super::credential::Credential;
use crate::flight::Flight;
use crate::{Error, shared_error};

/// How long a refused login is not repeated: the manager's lockout period, which every further
/// attempt would restart (manager-transport 2.2; our choice, decision 0031).
pub(super) const REFUSAL_HOLDS: Duration = Duration::from_secs(900);

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

/// What a caller may do.
pub(super) enum Pass {
    /// Send its request with this credential.
    With(Arc<Credential>),
    /// Answer this in the place of its request.
    Instead(Result<Response<Bytes>, Error>),
}

impl From<Outcome> for Pass {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Accepted(credential) => Self::With(credential),
            Outcome::Answered(reply) => Self::Instead(Ok(reply)),
            Outcome::Refused(error) | Outcome::Failed(error) => {
                Self::Instead(Err(shared_error::copy(&error)))
            }
        }
    }
}

/// The credential of one client, and the login under way.
#[derive(Default)]
pub(super) struct Gate(Mutex<Slot>);

#[derive(Default)]
struct Slot {
    known: Known,
    flight: Flight<Outcome>,
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
    /// else with that of `log_in`.
    ///
    /// Dropping the future leaves the login to the others that wait for it.
    pub(super) async fn pass<F>(self: &Arc<Self>, log_in: impl FnOnce() -> F) -> Pass
    where
        F: Future<Output = Outcome> + Send + 'static,
    {
        let flight = {
            let mut slot = self.slot();
            match &slot.known {
                Known::Credential(credential) if credential.is_fresh() => {
                    return Pass::With(credential.clone());
                }
                Known::Refusal(error, at) if at.elapsed() < REFUSAL_HOLDS => {
                    return Pass::Instead(Err(shared_error::copy(error)));
                }
                _ => {}
            }
            slot.flight.join_or_start(|| {
                let gate = self.clone();
                let login = log_in();
                async move { gate.settle(login.await) }
            })
        };
        flight.await.into()
    }

    /// Keeps what a login gave. While the old credential lasts, a failed renewal goes unnoticed.
    fn settle(&self, outcome: Outcome) -> Outcome {
        let mut slot = self.slot();
        slot.flight.land();
        let (known, outcome) = match (&slot.known, outcome) {
            (_, Outcome::Accepted(credential)) => (
                Known::Credential(credential.clone()),
                Outcome::Accepted(credential),
            ),
            (_, Outcome::Refused(error)) => (
                Known::Refusal(error.clone(), Instant::now()),
                Outcome::Refused(error),
            ),
            (Known::Credential(old), failed) => match old.postponed().map(Arc::new) {
                Some(old) => (Known::Credential(old.clone()), Outcome::Accepted(old)),
                None => (Known::Nothing, failed),
            },
            (_, failed) => (Known::Nothing, failed),
        };
        slot.known = known;
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

    /// Takes the credential away, also that of a login under way; none when there is none.
    pub(super) async fn take(&self) -> Option<Arc<Credential>> {
        let under_way = self.slot().flight.under_way();
        if let Some(login) = under_way {
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
