//! User name and password on each request, where the manager accepts logins but not their sessions.
//!
//! A session is only valid on the node that created it. A load balancer without persistence sends requests to all nodes,
//! and most of them refuse even a new session.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{HeaderValue, Request};
use tower::ServiceExt;

use super::credential::Credential;
use super::header::fixed_request;
use super::refusal::{Verdict, verdict};
use super::token_cache::LoginEnd;
use super::{Auth, Reserved, seeming};
use crate::call_context::SeemingRefusal;
use crate::service::Outcome;
use crate::single_flight::{Driver, SingleFlight};

/// User name and password of a client that uses sessions.
pub(super) struct PasswordFallback {
    credential: Arc<Credential>,
    state: Mutex<FallbackState>,
    verifications: Arc<SingleFlight<FallbackState>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FallbackState {
    /// Not verified, or without a clear reply.
    Unknown,
    /// The manager accepts the password without a session.
    Accepted,
    /// Requests were only accepted without a session, so that all requests are sent without one.
    InUse,
    /// The manager refuses the password without a session.
    Refused,
}

impl PasswordFallback {
    /// A caller takes over a verification after `patience` without progress.
    pub(super) fn new(authorization: HeaderValue, patience: Duration) -> Self {
        Self {
            credential: Arc::new(Credential::new([(AUTHORIZATION, authorization)])),
            state: Mutex::new(FallbackState::Unknown),
            verifications: Arc::new(SingleFlight::new(patience)),
        }
    }

    /// Whether all requests are sent without a session.
    pub(super) fn is_in_use(&self) -> bool {
        self.state() == FallbackState::InUse
    }

    fn state(&self) -> FallbackState {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, state: FallbackState) -> FallbackState {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
        state
    }
}

impl Auth {
    /// Sends `request` without a session, if all requests are. `None` if the password is refused now.
    pub(super) async fn send_with_password(&self, request: &Request<Bytes>) -> Option<Outcome> {
        let fallback = self.shared.fallback.as_ref()?;
        if !fallback.is_in_use() {
            return None;
        }
        let outcome = self.send_as(&fallback.credential, request).await;
        let Ok(reply) = outcome else { return Some(outcome) };
        let refusal = match verdict(&reply) {
            Verdict::Accepted | Verdict::Unknown => return Some(Ok(reply)),
            Verdict::Refused => {
                fallback.set(FallbackState::Unknown);
                return None;
            }
            Verdict::Doubtful => match self.confirm(&fallback.credential).await {
                LoginEnd::Accepted(_) => SeemingRefusal::OfPath,
                _ => SeemingRefusal::Unclear,
            },
        };
        Some(Ok(seeming(reply, refusal)))
    }

    /// Sends `request` without a session, because the manager refused a new one.
    ///
    /// # Errors
    ///
    /// The meaning of the first refusal, if `request` is refused without a session as well.
    pub(super) async fn fall_back(&self, request: &Request<Bytes>) -> Result<Outcome, SeemingRefusal> {
        let Some(fallback) = &self.shared.fallback else {
            return Err(SeemingRefusal::AfterNewLogin);
        };
        if !self.is_password_accepted(fallback).await {
            return Err(SeemingRefusal::OfNewSession);
        }
        let outcome = self.send_as(&fallback.credential, request).await;
        match outcome.as_ref().map(verdict) {
            Ok(Verdict::Refused | Verdict::Doubtful) => return Err(SeemingRefusal::AfterNewLogin),
            Ok(Verdict::Accepted) => {
                tracing::debug!("sessions are refused; user name and password are sent with each request");
                fallback.set(FallbackState::InUse);
            }
            Ok(Verdict::Unknown) | Err(_) => {}
        }
        Ok(outcome)
    }

    /// Whether the manager accepts the password without a session. Asked once, because a refusal may count as a failed
    /// login.
    async fn is_password_accepted(&self, fallback: &PasswordFallback) -> bool {
        let known = || Some(fallback.state()).filter(|state| *state != FallbackState::Unknown);
        let verify = |driver: Driver<FallbackState>| async move {
            let signed = fallback.credential.sign(fixed_request());
            let outcome = self.lanes.logins.clone().oneshot(signed).await;
            driver.end(fallback.set(match outcome.as_ref().map(verdict) {
                Ok(Verdict::Accepted) => FallbackState::Accepted,
                Ok(Verdict::Refused | Verdict::Doubtful) => FallbackState::Refused,
                Ok(Verdict::Unknown) | Err(_) => FallbackState::Unknown,
            }))
        };
        let state = fallback.verifications.run(known, verify).await.into_inner();
        matches!(state, FallbackState::Accepted | FallbackState::InUse)
    }

    async fn send_as(&self, credential: &Credential, request: &Request<Bytes>) -> Outcome {
        match self.reserved(request) {
            Reserved::Slot(service) => service.oneshot(credential.sign(request.clone())).await,
            Reserved::Failed(outcome) => outcome,
        }
    }
}
