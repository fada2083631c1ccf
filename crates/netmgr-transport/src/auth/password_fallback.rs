//! User name and password on each request, where the manager accepts a session for some requests only.
//!
//! A session is only valid on the node that created it. A load balancer without persistence sends connections to all
//! nodes, so that a lookup alone succeeds, and lookups that use several connections have their sessions refused.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use tokio::sync::watch;
use tokio::time::timeout;
use tower::{Service, ServiceExt};

use super::refusal::{Verdict, is_unclear, verdict};
use super::token_cache::LoginEnd;
use super::{Auth, Reserved, SharedLogin, seeming};
use crate::ErrorKind;
use crate::call_context::SeemingRefusal;
use crate::classify::classify;
use crate::service::Outcome;

/// Maximum time to wait for the replies to other requests.
const PATIENCE: Duration = Duration::from_secs(10);

/// User name and password of a client that uses sessions.
pub(super) struct PasswordFallback {
    /// Verified by the fixed request, as rarely as by a login, because a refusal may count as a failed one.
    direct: Arc<SharedLogin>,
    sessions: watch::Sender<SessionUse>,
    /// Whether requests were only accepted without a session, so that all requests are sent without one.
    in_use: AtomicBool,
}

/// The requests with a session.
#[derive(Default)]
struct SessionUse {
    in_flight: usize,
    /// Whether one was accepted.
    has_success: bool,
}

/// A request with a session, until its reply.
pub(super) struct SessionRequest<'a>(&'a PasswordFallback);

impl SessionRequest<'_> {
    /// Records that the manager accepts the session.
    pub(super) fn accepted(&self) {
        self.0
            .sessions
            .send_modify(|sessions| sessions.has_success = true);
    }
}

impl Drop for SessionRequest<'_> {
    fn drop(&mut self) {
        self.0.sessions.send_modify(|sessions| sessions.in_flight -= 1);
    }
}

impl PasswordFallback {
    /// `direct` signs each request with the password.
    pub(super) fn new(direct: Arc<SharedLogin>) -> Self {
        Self {
            direct,
            sessions: watch::Sender::default(),
            in_use: AtomicBool::default(),
        }
    }

    /// Whether all requests are sent without a session.
    pub(super) fn is_in_use(&self) -> bool {
        self.in_use.load(Relaxed)
    }

    /// Begins a request with a session.
    pub(super) fn session_request(&self) -> SessionRequest<'_> {
        self.sessions.send_modify(|sessions| sessions.in_flight += 1);
        SessionRequest(self)
    }

    /// Whether the manager accepted a session for any request, also of those in flight.
    async fn has_sessions(&self) -> bool {
        let mut sessions = self.sessions.subscribe();
        let decided = sessions.wait_for(|sessions| sessions.has_success || sessions.in_flight == 0);
        let decided = timeout(PATIENCE, decided).await;
        decided.is_ok_and(|sessions| sessions.is_ok_and(|sessions| sessions.has_success))
    }

    /// Signs requests with the password, and sends them as `auth` does.
    fn of(&self, auth: &Auth) -> Auth {
        Auth {
            lanes: auth.lanes.clone(),
            shared: Arc::clone(&self.direct),
        }
    }
}

impl Auth {
    /// Sends `request` without a session, if all requests are. `None` if the password is refused now.
    pub(super) async fn send_with_password(&self, request: &Request<Bytes>) -> Option<Outcome> {
        let fallback = self
            .shared
            .fallback
            .as_ref()
            .filter(|fallback| fallback.is_in_use())?;
        let direct = fallback.of(self);
        let credential = direct.shared.cache.current()?;
        let mut service = match self.reserved(request) {
            Reserved::Slot(service) => service,
            Reserved::Failed(outcome) => return Some(outcome),
        };
        if let Err(error) = service.ready().await {
            return Some(Err(error));
        }
        // It may have been refused while the request waited for its slot.
        if !fallback.is_in_use() {
            return None;
        }
        let reply = match service.call(credential.sign(request.clone())).await {
            Ok(reply) => reply,
            Err(error) => return Some(Err(error)),
        };
        let refusal = match verdict(&reply) {
            Verdict::Accepted | Verdict::Unknown => return Some(Ok(reply)),
            Verdict::Refused => {
                fallback.in_use.store(false, Relaxed);
                direct.shared.cache.discard(&credential);
                return None;
            }
            Verdict::Doubtful => match direct.confirm(&credential).await {
                LoginEnd::Accepted(_) => SeemingRefusal::OfPath,
                _ => SeemingRefusal::Unclear,
            },
        };
        Some(Ok(seeming(reply, refusal)))
    }

    /// Sends `request` without a session, because the manager refused a new one, if it accepts sessions for other requests.
    ///
    /// # Errors
    ///
    /// The meaning of the first refusal, if `request` is refused without a session as well.
    pub(super) async fn fall_back(&self, request: &Request<Bytes>) -> Result<Outcome, SeemingRefusal> {
        let Some(fallback) = &self.shared.fallback else {
            return Err(SeemingRefusal::AfterNewLogin);
        };
        if !fallback.has_sessions().await {
            return Err(SeemingRefusal::OfNewSession);
        }
        let direct = fallback.of(self);
        let credential = match direct.log_in(None).await {
            Ok(credential) => credential,
            Err(Err(error)) if error.kind() == ErrorKind::Unauthenticated || is_unclear(&error) => {
                return Err(SeemingRefusal::OfNewSession);
            }
            // It can be retried.
            Err(outcome) => return Ok(outcome),
        };
        let service = self.lanes.requests.clone();
        let outcome = service.oneshot(credential.sign(request.clone())).await;
        let Ok(reply) = &outcome else {
            return Ok(outcome);
        };
        match verdict(reply) {
            Verdict::Accepted => {
                tracing::debug!("sessions are refused; user name and password are sent with each request");
                fallback.in_use.store(true, Relaxed);
            }
            Verdict::Unknown => {}
            Verdict::Doubtful => return Err(SeemingRefusal::AfterNewLogin),
            Verdict::Refused => {
                // A manager may accept the fixed request from everybody.
                if !fallback.is_in_use() {
                    direct.shared.cache.settle(LoginEnd::Refused(classify(reply)));
                }
                return Err(SeemingRefusal::AfterNewLogin);
            }
        }
        Ok(outcome)
    }
}
