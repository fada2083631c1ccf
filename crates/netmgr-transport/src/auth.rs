//! The layer that signs each attempt, and logs in if necessary.
//!
//! It is inside retry, so that each attempt is signed with a current credential, and outside the governor, so that
//! logins are limited, timed and sent like any other request. A request is signed when the governor has a slot for it
//! (decision limits). `log_in.rs` logs in, `token_cache.rs` contains the state that all requests share, `refusal.rs`
//! interprets replies, and `password_fallback.rs` sends requests without a session if sessions are refused.

use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::header::AUTHORIZATION;
use http::{Request, Response};
use netmgr_types::{Connection, Credentials, Deployment, Login};
use tokio::time::{Instant, timeout};
use tower::{Service, ServiceExt};

use crate::Error;
use crate::call_context::{CallContext, ReplyContext, Reservation, Reserved, SeemingRefusal};
use crate::refused_logins::{AccountFile, RefusedLogins};
use crate::service::{BoxStack, Outcome};
use crate::single_flight::SingleFlight;

mod cloud;
mod cookies;
mod credential;
mod header;
mod log_in;
mod login;
mod password_fallback;
mod refusal;
mod session;
mod token_cache;

use cloud::Exchanges;
use credential::Credential;
use header::OwnRequest;
use login::Issuer;
use password_fallback::PasswordFallback;
use refusal::{Verdict, ends_session, is_unclear, verdict};
use session::Sessions;
use token_cache::{LoginEnd, TokenCache};

/// Maximum time to wait for the acknowledgement of a logout.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);
/// Time without progress, in addition to an attempt timeout, after which a waiting caller takes over a login.
const GRACE: Duration = Duration::from_secs(1);
/// Time to wait for the first request of another caller before the fixed request is sent.
const HEADER_PATIENCE: Duration = Duration::from_secs(1);
/// Time for which a credential that was accepted is not verified again, even if other paths are refused.
const CONFIRMATION_HOLDS: Duration = Duration::from_secs(60);

/// Layer of [`Auth`]. Services of one layer share their login.
#[derive(Clone)]
pub(crate) struct AuthLayer {
    shared: Arc<SharedLogin>,
}

/// The inner services: the same service in three lanes of the governor.
#[derive(Clone)]
pub(crate) struct Lanes {
    pub(crate) requests: BoxStack,
    pub(crate) logins: BoxStack,
    pub(crate) logouts: BoxStack,
}

/// Signs requests and sends them on.
#[derive(Clone)]
pub(crate) struct Auth {
    lanes: Lanes,
    shared: Arc<SharedLogin>,
}

struct SharedLogin {
    scheme: Scheme,
    cache: TokenCache,
    /// Verifications of a credential after a doubtful reply.
    confirmations: Arc<SingleFlight<LoginEnd>>,
    /// The last credential that a verification accepted, and when.
    confirmed: Mutex<Option<(Arc<Credential>, Instant)>>,
    /// User name and password for requests whose sessions are refused. `None` for clients without sessions.
    fallback: Option<PasswordFallback>,
    /// Refused logins that other processes recorded.
    account: Option<Arc<AccountFile>>,
}

enum Scheme {
    /// A login issues a credential, which is renewed.
    Issued(Arc<dyn Issuer>),
    /// Each request is a login.
    Header {
        credential: Arc<Credential>,
        /// Whether the fixed request can verify it.
        has_fixed: bool,
        /// Whether the last verification was by the fixed request, since the last clear one.
        was_fixed: Mutex<Option<bool>>,
    },
    /// The connection itself is authenticated.
    Certificate,
}

impl Scheme {
    /// User name and password on each request.
    fn header(login: &Login, has_fixed: bool) -> Self {
        Self::Header {
            credential: Arc::new(Credential::new([(AUTHORIZATION, header::authorization(login))])),
            has_fixed,
            was_fixed: Mutex::default(),
        }
    }
}

impl AuthLayer {
    /// Creates a layer for the credentials of `connection`. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Config`](crate::ErrorKind::Config) if the address of the cloud's token exchange or the host is not a URL.
    pub(crate) fn try_new(
        connection: &Connection,
        attempt_timeout: Duration,
        refused: Option<&RefusedLogins>,
    ) -> Result<Self, Error> {
        let scheme = match &connection.credentials {
            Credentials::Session(login) => Scheme::Issued(Arc::new(Sessions {
                login: login.clone(),
                site: cookies::site(&connection.host)
                    .ok_or_else(|| Error::config("host", "cannot be used in a URL", None))?,
            })),
            Credentials::Cloud(login) => Scheme::Issued(Arc::new(Exchanges::try_new(login.clone())?)),
            // The hosted cloud may refuse the fixed request regardless of the credentials.
            Credentials::Header(login) => {
                Scheme::header(login, connection.deployment != Deployment::HostedCloud)
            }
            Credentials::Certificate => Scheme::Certificate,
        };
        let patience = match &scheme {
            Scheme::Header { .. } => HEADER_PATIENCE,
            Scheme::Issued(_) | Scheme::Certificate => attempt_timeout + GRACE,
        };
        let shared = |scheme, patience, account, fallback| {
            Arc::new(SharedLogin {
                scheme,
                cache: TokenCache::new(patience),
                confirmations: Arc::new(SingleFlight::new(attempt_timeout + GRACE)),
                confirmed: Mutex::default(),
                fallback,
                account,
            })
        };
        let fallback = match &connection.credentials {
            Credentials::Session(login) => {
                let account = refused.map(|refused| refused.account_without_session(connection, login));
                Some(PasswordFallback::new(shared(
                    Scheme::header(login, true),
                    patience,
                    account,
                    None,
                )))
            }
            _ => None,
        };
        let account = refused.and_then(|refused| refused.account(connection));
        Ok(Self {
            shared: shared(scheme, patience, account, fallback),
        })
    }

    /// Creates the service on top of `lanes`.
    pub(crate) fn over(&self, lanes: Lanes) -> Auth {
        Auth {
            lanes,
            shared: self.shared.clone(),
        }
    }
}

impl Service<Request<Bytes>> for Auth {
    type Response = Response<Bytes>;
    type Error = Error;
    type Future = BoxFuture<'static, Outcome>;

    /// Always ready, because each request of a call waits for the inner service.
    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let auth = self.clone();
        Box::pin(async move {
            match &auth.shared.scheme {
                Scheme::Issued(_) => auth.send_issued(request).await,
                Scheme::Header { .. } => auth.send_with_header(request).await,
                Scheme::Certificate => match auth.reserved(&request) {
                    Reserved::Slot(service) => service.oneshot(request).await,
                    Reserved::Failed(outcome) => outcome,
                },
            }
        })
    }
}

/// Outcome of a signed request.
enum Sent {
    /// The reply, and the credential that the request was signed with.
    With(Arc<Credential>, Response<Bytes>),
    /// The request was sent to verify its credential.
    AsVerification(Outcome),
    /// The login failed with this result.
    Failed(Outcome),
}

impl Auth {
    /// Logs in before the first request, if a login is a separate request. A transient failure is ignored; a
    /// refusal is remembered.
    pub(crate) async fn open(&self) {
        if self.opens() && self.log_in(None).await.is_err() {
            tracing::debug!("no login before the first request");
        }
    }

    /// Whether [`Auth::open`] would send anything.
    pub(crate) fn opens(&self) -> bool {
        matches!(self.shared.scheme, Scheme::Issued(_))
    }

    /// Waits until a request can be sent immediately. The request reports a failed login.
    pub(crate) async fn reserve(&self) -> Option<Reservation> {
        let cache = &self.shared.cache;
        match &self.shared.scheme {
            Scheme::Issued(_) if cache.current().is_none() && !self.needs_no_session() => {
                if let Err(outcome) = self.log_in(None).await {
                    return Some(Reservation::new(Reserved::Failed(outcome)));
                }
            }
            // If this takes longer, the request waits for the result.
            Scheme::Header { .. } => {
                let _ = timeout(HEADER_PATIENCE, cache.logins().settled()).await;
            }
            Scheme::Issued(_) | Scheme::Certificate => {}
        }
        let mut service = self.lanes.requests.clone();
        service.ready().await.ok()?;
        Some(Reservation::new(Reserved::Slot(service)))
    }

    /// Waits for the end of the login that is under way, if a login is a separate request.
    pub(crate) async fn login_settled(&self) {
        if self.opens() {
            self.shared.cache.logins().settled().await;
        }
    }

    /// Ends the session, if there is one, with a short timeout.
    pub(crate) async fn close(&self) {
        let Scheme::Issued(issuer) = &self.shared.scheme else {
            return;
        };
        let Some(destroy) = issuer.destroy() else {
            return;
        };
        let cache = &self.shared.cache;
        let end = async {
            cache.logins().settled().await;
            let session = cache.take()?;
            Some(self.lanes.logouts.clone().oneshot(session.sign(destroy)).await)
        };
        match timeout(CLOSE_TIMEOUT, end).await {
            Ok(None) => {}
            Ok(Some(Ok(reply))) => tracing::debug!(status = reply.status().as_u16(), "session ended"),
            Ok(Some(Err(_))) | Err(_) => tracing::debug!("session not ended; it will time out"),
        }
    }

    /// Whether all requests are sent without a session, because sessions are refused.
    fn needs_no_session(&self) -> bool {
        let fallback = self.shared.fallback.as_ref();
        fallback.is_some_and(PasswordFallback::is_in_use)
    }

    /// Sends `request` with the credential of a login. If that has expired, sends it again with the
    /// credential of a new login, and then without a session if others were accepted.
    async fn send_issued(&self, request: Request<Bytes>) -> Outcome {
        if let Some(outcome) = self.send_with_password(&request).await {
            return outcome;
        }
        let (used, reply) = match self.send_signed(&request, None).await? {
            Sent::With(used, reply) => (used, reply),
            Sent::AsVerification(outcome) | Sent::Failed(outcome) => return outcome,
        };
        if !ends_session(&reply) {
            if verdict(&reply) != Verdict::Doubtful {
                return Ok(reply);
            }
            match self.confirm(&used).await {
                LoginEnd::Accepted(_) => return Ok(seeming(reply, SeemingRefusal::OfPath)),
                LoginEnd::Refused(_) => {}
                LoginEnd::Unclear(Err(error)) if is_unclear(&error) => {}
                // The manager does not respond, which does not indicate an expired session.
                LoginEnd::Unclear(_) | LoginEnd::Unchecked(_) => return Ok(reply),
            }
        }
        self.shared.cache.discard(&used);
        let (used, reply) = match self.send_signed(&request, None).await? {
            Sent::With(used, reply) => (used, reply),
            Sent::AsVerification(outcome) | Sent::Failed(outcome) => return outcome,
        };
        if ends_session(&reply) {
            self.shared.cache.discard(&used);
            return match self.fall_back(&request).await {
                Ok(outcome) => outcome,
                Err(refusal) => Ok(seeming(reply, refusal)),
            };
        }
        if verdict(&reply) != Verdict::Doubtful {
            return Ok(reply);
        }
        // The login was just accepted, so the refusal concerns the path.
        self.confirmed(&used);
        Ok(seeming(reply, SeemingRefusal::AfterNewLogin))
    }

    /// Sends `request` with a fixed credential, which makes it a login. Until the manager has accepted one, requests are
    /// sent one at a time.
    async fn send_with_header(&self, request: Request<Bytes>) -> Outcome {
        let own = OwnRequest::new(request.clone());
        let reply = match self.send_signed(&request, Some(&own)).await? {
            Sent::Failed(outcome) => return outcome,
            Sent::With(used, reply) => {
                return Ok(match verdict(&reply) {
                    Verdict::Accepted | Verdict::Unknown => reply,
                    // The next request is verified again.
                    Verdict::Refused => {
                        self.shared.cache.discard(&used);
                        reply
                    }
                    Verdict::Doubtful => match self.confirm(&used).await {
                        LoginEnd::Accepted(_) => seeming(reply, SeemingRefusal::OfPath),
                        end => {
                            self.shared.cache.discard(&used);
                            if matches!(end, LoginEnd::Refused(_)) {
                                self.shared.cache.settle(end);
                            }
                            seeming(reply, SeemingRefusal::Unclear)
                        }
                    },
                });
            }
            Sent::AsVerification(outcome) => outcome?,
        };
        if verdict(&reply) != Verdict::Doubtful {
            return Ok(reply);
        }
        // The fixed request shows whether only the path is refused, unless it was not clear before.
        let is_first = self.shared.cache.unclear_in_a_row() <= 1;
        let is_accepted = is_first && self.log_in(None).await.is_ok();
        let refusal = match is_accepted {
            true => SeemingRefusal::OfPath,
            false => SeemingRefusal::Unclear,
        };
        Ok(seeming(reply, refusal))
    }

    /// The reservation of `request`, or the lane for requests if it has none.
    fn reserved(&self, request: &Request<Bytes>) -> Reserved {
        let reservation = CallContext::of(request).reservation;
        let reserved = reservation.and_then(|reservation| reservation.take());
        reserved.unwrap_or_else(|| Reserved::Slot(self.lanes.requests.clone()))
    }

    /// Sends `request` once, and stores the cookies of its reply. A login may send the `own` request instead.
    async fn send_signed(&self, request: &Request<Bytes>, own: Option<&OwnRequest>) -> Result<Sent, Error> {
        let cache = &self.shared.cache;
        let mut service = match self.reserved(request) {
            Reserved::Slot(service) => service,
            Reserved::Failed(outcome) => return Ok(Sent::Failed(outcome)),
        };
        let credential = loop {
            if cache.current().is_some() {
                service.ready().await?;
                // It may have expired while the request waited for its slot.
                if let Some(credential) = cache.current() {
                    break credential;
                }
            }
            // The login needs a slot as well.
            service = self.lanes.requests.clone();
            let logged_in = self.log_in(own).await;
            if let Some(outcome) = own.and_then(OwnRequest::take) {
                return Ok(Sent::AsVerification(outcome));
            }
            if let Err(outcome) = logged_in {
                return Ok(Sent::Failed(outcome));
            }
        };
        let sent = self
            .shared
            .fallback
            .as_ref()
            .map(PasswordFallback::session_request);
        let reply = service.call(credential.sign(request.clone())).await?;
        let verdict = verdict(&reply);
        if !ends_session(&reply) && verdict != Verdict::Doubtful {
            cache.update(&credential, reply.headers());
            if let Some(sent) = sent.filter(|_| verdict == Verdict::Accepted) {
                sent.accepted();
            }
        }
        Ok(Sent::With(credential, reply))
    }
}

/// Adds the finding to `reply`.
fn seeming(mut reply: Response<Bytes>, refusal: SeemingRefusal) -> Response<Bytes> {
    ReplyContext::of_mut(&mut reply).refusal = Some(refusal);
    reply
}

#[cfg(test)]
mod tests;
