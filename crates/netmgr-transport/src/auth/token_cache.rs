//! The credential of a client, and why the last login failed.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::HeaderMap;
use http::header::SET_COOKIE;

use super::credential::Credential;
use crate::Error;
use crate::lock::lock;
use crate::login_record::REJECTION_HOLDS;
use crate::service::Outcome;

/// Delay before a failed renewal is repeated while the old credential is valid.
const RENEWAL_PAUSE: Duration = Duration::from_secs(5);

/// Result of a login.
#[derive(Clone)]
pub(super) enum LoginEnd {
    /// The manager accepts the credential.
    Accepted(Arc<Credential>),
    /// The manager rejects it.
    Refused(Error),
    /// The reply is not clear, or was lost. The manager may have counted a failed login.
    Unclear(Outcome),
    /// The manager did not check the password, or it was not sent.
    Unchecked(Outcome),
}

impl LoginEnd {
    /// The credential.
    ///
    /// # Errors
    ///
    /// The reply or failure of the login.
    #[expect(clippy::result_large_err, reason = "an outcome is nowhere in a box")]
    pub(super) fn credential(self) -> Result<Arc<Credential>, Outcome> {
        match self {
            Self::Accepted(credential) => Ok(credential),
            Self::Refused(error) => Err(Err(error)),
            Self::Unclear(outcome) | Self::Unchecked(outcome) => Err(outcome),
        }
    }
}

/// The credential of a client.
#[derive(Default)]
pub(super) struct TokenCache(Mutex<CacheContents>);

#[derive(Default)]
struct CacheContents {
    credential: Option<Arc<Credential>>,
    /// The last rejection.
    refusal: Option<Error>,
    /// The last outcome that was not clear.
    unclear: Option<Outcome>,
}

impl TokenCache {
    /// The current credential, if it needs no renewal.
    pub(super) fn current(&self) -> Option<Arc<Credential>> {
        let credential = lock(&self.0).credential.clone();
        credential.filter(|credential| credential.is_fresh())
    }

    /// The last rejection of a login of this client.
    pub(super) fn refusal(&self) -> Option<Error> {
        lock(&self.0).refusal.clone()
    }

    /// The outcome of the last login of this client, if it was not clear.
    pub(super) fn unclear(&self) -> Option<Outcome> {
        lock(&self.0).unclear.clone()
    }

    /// Stores the result of a login. The old credential remains in use while it is valid, even if its renewal fails or is
    /// rejected.
    pub(super) fn settle(&self, end: LoginEnd) -> LoginEnd {
        let mut state = lock(&self.0);
        let pause = match &end {
            LoginEnd::Accepted(credential) => {
                *state = CacheContents {
                    credential: Some(Arc::clone(credential)),
                    ..CacheContents::default()
                };
                return end;
            }
            LoginEnd::Refused(error) => {
                state.refusal = Some(error.clone());
                REJECTION_HOLDS
            }
            LoginEnd::Unclear(outcome) => {
                state.unclear = Some(outcome.clone());
                RENEWAL_PAUSE
            }
            LoginEnd::Unchecked(_) => RENEWAL_PAUSE,
        };
        match state.credential.as_ref() {
            // Another login was accepted meanwhile.
            Some(new) if new.is_fresh() && !matches!(end, LoginEnd::Refused(_)) => end,
            Some(old) => {
                state.credential = old.postponed(pause).map(Arc::new);
                match &state.credential {
                    Some(old) => LoginEnd::Accepted(Arc::clone(old)),
                    None => end,
                }
            }
            None => end,
        }
    }

    /// Discards a credential that the manager refused, unless a later login has replaced it.
    pub(super) fn discard(&self, refused: &Credential) {
        let credential = &mut lock(&self.0).credential;
        if credential
            .as_ref()
            .is_some_and(|known| known.is_from_login_of(refused))
        {
            *credential = None;
        }
    }

    /// Stores the cookies of a reply to a request that was signed with `used`.
    pub(super) fn update(&self, used: &Credential, reply: &HeaderMap) {
        if !reply.contains_key(SET_COOKIE) {
            return;
        }
        let credential = &mut lock(&self.0).credential;
        if let Some(known) = credential
            && known.is_from_login_of(used)
            && let Some(updated) = known.updated(reply)
        {
            *credential = Some(Arc::new(updated));
        }
    }

    /// Removes and returns the credential.
    pub(super) fn take(&self) -> Option<Arc<Credential>> {
        lock(&self.0).credential.take()
    }
}
