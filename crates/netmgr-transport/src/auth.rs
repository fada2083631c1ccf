//! The layer that signs each attempt, and logs in if necessary.
//!
//! It is inside retry, so that each attempt is signed with a current credential, and outside the governor, so that
//! logins are limited, timed and sent like any other request. A request is signed when the governor has a slot for it
//! (decision limits). `log_in.rs` logs in, `token_cache.rs` contains the credential that all requests share, and
//! `refusal.rs` interprets replies.

use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use http::header::AUTHORIZATION;
use http::{Request, Response};
use netmgr_types::{Connection, Credentials, Deployment};
use tokio::time::{Instant, timeout};
use tower::{Service, ServiceExt};

use crate::Error;
use crate::call_context::{CallContext, RefusalCause, ReplyContext, Reservation, Reserved};
use crate::login_record::{LoginCount, LoginRecord};
use crate::service::{BoxStack, Outcome};
use crate::shared_task::SharedTask;

mod cloud;
mod cookies;
mod credential;
mod header;
mod log_in;
mod login;
mod refusal;
mod session;
mod token_cache;

use cloud::Exchanges;
use credential::Credential;
use login::Issuer;
use refusal::{Verdict, ends_session, is_unclear, verdict};
use session::Sessions;
use token_cache::{LoginEnd, TokenCache};

/// Maximum time to wait for the acknowledgement of a logout.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);
/// Time to wait for the first request of another caller, which is a login, before another one is sent.
const HEADER_PATIENCE: Duration = Duration::from_secs(1);
/// Time for which a credential that was accepted is not verified again, even if other paths are refused.
const CONFIRMATION_HOLDS: Duration = Duration::from_secs(60);

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
    sender: LoginSender,
    tasks: Arc<LoginTasks>,
}

/// Sends logins. Does not own the tasks that it works for, so that they end with the last [`Auth`].
#[derive(Clone)]
struct LoginSender {
    lanes: Lanes,
    shared: Arc<SharedLogin>,
}

/// Logins under way.
struct LoginTasks {
    logins: SharedTask<LoginEnd>,
    /// Verifications of a credential after a doubtful reply.
    confirmations: SharedTask<LoginEnd>,
}

/// The login that all requests of a client share.
pub(crate) struct SharedLogin {
    scheme: Scheme,
    cache: TokenCache,
    /// Counts logins without success.
    count: LoginCount,
    /// The last credential that a verification accepted, and when.
    confirmed: Mutex<Option<(Arc<Credential>, Instant)>>,
    /// The last check in which the manager did not respond.
    last_check: Mutex<Option<(Instant, LoginEnd)>>,
}

enum Scheme {
    /// A login issues a credential, which is renewed.
    Issued(Arc<dyn Issuer>),
    /// Each request is a login.
    Header {
        credential: Arc<Credential>,
        /// Whether the fixed request can verify it.
        has_fixed: bool,
    },
    /// The connection itself is authenticated.
    Certificate,
}

impl SharedLogin {
    /// The login with the credentials of `connection`. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Config`](crate::ErrorKind::Config) if the address of the cloud's token exchange or the host is not a URL.
    pub(crate) fn try_new(
        connection: &Connection,
        attempt_timeout: Duration,
        record: Option<&LoginRecord>,
    ) -> Result<Self, Error> {
        let scheme = match &connection.credentials {
            Credentials::Session(login) => Scheme::Issued(Arc::new(Sessions {
                login: login.clone(),
                site: cookies::site(&connection.host)
                    .ok_or_else(|| Error::config("host", "cannot be used in a URL", None))?,
            })),
            Credentials::Cloud(login) => Scheme::Issued(Arc::new(Exchanges::try_new(login.clone())?)),
            // The hosted cloud may refuse the fixed request regardless of the credentials.
            Credentials::Header(login) => Scheme::Header {
                credential: Arc::new(Credential::new([(AUTHORIZATION, header::authorization(login))])),
                has_fixed: connection.deployment != Deployment::HostedCloud,
            },
            Credentials::Certificate => Scheme::Certificate,
        };
        Ok(Self {
            scheme,
            cache: TokenCache::default(),
            count: LoginCount::new(record, connection, attempt_timeout),
            confirmed: Mutex::default(),
            last_check: Mutex::default(),
        })
    }

    /// Creates the service on top of `lanes`.
    pub(crate) fn over(self, lanes: Lanes) -> Auth {
        let patience = matches!(self.scheme, Scheme::Header { .. }).then_some(HEADER_PATIENCE);
        let shared = Arc::new(self);
        Auth {
            sender: LoginSender { lanes, shared },
            tasks: Arc::new(LoginTasks {
                logins: SharedTask::outliving_callers(patience),
                confirmations: SharedTask::outliving_callers(None),
            }),
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
            match &auth.sender.shared.scheme {
                Scheme::Issued(issuer) => auth.send_issued(issuer, request).await,
                Scheme::Header {
                    credential,
                    has_fixed,
                } => auth.send_with_header(credential, *has_fixed, request).await,
                Scheme::Certificate => match auth.reserved(&request) {
                    Reserved::Slot(service) => service.oneshot(request).await,
                    Reserved::Failed(outcome) => outcome,
                },
            }
        })
    }
}

/// A signed request: its credential and its reply, or the outcome of a login for which it was not sent.
type Sent = Result<(Arc<Credential>, Response<Bytes>), Outcome>;

impl Auth {
    /// Begins a login before the first request, if a login is a separate request. A transient failure is ignored; a
    /// refusal is remembered.
    pub(crate) fn open(&self) {
        if let Scheme::Issued(issuer) = &self.sender.shared.scheme {
            // Its task continues.
            let _ = self.log_in(issuer).now_or_never();
        }
    }

    /// Waits until a request can be sent immediately. The request reports a failed login.
    pub(crate) async fn reserve(&self) -> Option<Reservation> {
        match &self.sender.shared.scheme {
            Scheme::Issued(issuer) => {
                if let Err(outcome) = self.log_in(issuer).await {
                    return Some(Reservation::new(Reserved::Failed(outcome)));
                }
            }
            // If this takes longer, the request waits for the result.
            Scheme::Header { .. } => self.tasks.logins.settled().await,
            Scheme::Certificate => {}
        }
        let mut service = self.sender.lanes.requests.clone();
        service.ready().await.ok()?;
        Some(Reservation::new(Reserved::Slot(service)))
    }

    /// Waits for the end of the login that is under way, if a login is a separate request.
    pub(crate) async fn login_settled(&self) {
        if self.sender.shared.is_separate() {
            self.tasks.logins.settled().await;
        }
    }

    /// Whether a login that is a separate request is under way.
    pub(crate) fn is_logging_in(&self) -> bool {
        self.sender.shared.is_separate() && self.tasks.logins.is_under_way()
    }

    /// Ends the session, if there is one, with a short timeout.
    pub(crate) async fn close(&self) {
        let Scheme::Issued(issuer) = &self.sender.shared.scheme else {
            return;
        };
        let Some(destroy) = issuer.destroy() else {
            return;
        };
        let end = async {
            self.login_settled().await;
            let session = self.sender.shared.cache.take()?;
            Some(
                self.sender
                    .lanes
                    .logouts
                    .clone()
                    .oneshot(session.sign(destroy))
                    .await,
            )
        };
        match timeout(CLOSE_TIMEOUT, end).await {
            Ok(None) => {}
            Ok(Some(Ok(reply))) => tracing::debug!(status = reply.status().as_u16(), "session ended"),
            Ok(Some(Err(_))) | Err(_) => tracing::debug!("session not ended; it will time out"),
        }
    }

    /// Sends `request` with the credential of a login. If that has expired, sends it again with the credential of a new
    /// login.
    async fn send_issued(&self, issuer: &Arc<dyn Issuer>, request: Request<Bytes>) -> Outcome {
        let cache = &self.sender.shared.cache;
        let (used, reply) = match self.send_signed(issuer, &request).await? {
            Ok(sent) => sent,
            Err(outcome) => return outcome,
        };
        if !ends_session(&reply) {
            if verdict(&reply) != Verdict::Ambiguous {
                return Ok(reply);
            }
            match self.confirm(&used).await {
                LoginEnd::Accepted(_) => return Ok(with_cause(reply, RefusalCause::OfPath)),
                LoginEnd::Refused(_) => {}
                LoginEnd::Unclear(Err(error)) if is_unclear(&error) => {}
                // The manager does not respond, which does not indicate an expired session.
                LoginEnd::Unclear(_) | LoginEnd::Unchecked(_) => return Ok(reply),
            }
        }
        cache.discard(&used);
        let (used, reply) = match self.send_signed(issuer, &request).await? {
            Ok(sent) => sent,
            Err(outcome) => return outcome,
        };
        if ends_session(&reply) {
            cache.discard(&used);
            let refusal = match issuer.destroy() {
                Some(_) => RefusalCause::OfNewSession,
                None => RefusalCause::AfterNewLogin,
            };
            return Ok(with_cause(reply, refusal));
        }
        if verdict(&reply) != Verdict::Ambiguous {
            return Ok(reply);
        }
        // The login was just accepted, so the refusal concerns the path.
        self.sender.shared.confirmed(&used);
        Ok(with_cause(reply, RefusalCause::AfterNewLogin))
    }

    /// Sends `request` with a fixed `credential`, which makes it a login until the manager has accepted one.
    async fn send_with_header(
        &self,
        credential: &Arc<Credential>,
        has_fixed: bool,
        request: Request<Bytes>,
    ) -> Outcome {
        let cache = &self.sender.shared.cache;
        let mut service = match self.reserved(&request) {
            Reserved::Slot(service) => service,
            Reserved::Failed(outcome) => return outcome,
        };
        let outcome = loop {
            if cache.current().is_none() {
                if let Err(outcome) = self.verify_by(credential, &request, service).await {
                    break outcome;
                }
                service = self.sender.lanes.requests.clone();
            }
            service.ready().await?;
            // It may have been refused while the request waited for its slot.
            if cache.current().is_some() {
                break service.call(credential.sign(request)).await;
            }
        };
        let reply = outcome?;
        match verdict(&reply) {
            Verdict::Accepted | Verdict::Unknown => Ok(reply),
            // The next request is verified again.
            Verdict::Refused => {
                cache.discard(credential);
                Ok(reply)
            }
            Verdict::Ambiguous => {
                let is_accepted =
                    has_fixed && matches!(self.confirm(credential).await, LoginEnd::Accepted(_));
                if is_accepted {
                    return Ok(with_cause(reply, RefusalCause::OfPath));
                }
                cache.discard(credential);
                Ok(with_cause(reply, RefusalCause::Unclear))
            }
        }
    }

    /// The reservation of `request`, or the lane for requests if it has none.
    fn reserved(&self, request: &Request<Bytes>) -> Reserved {
        let reservation = CallContext::of(request).reservation;
        let reserved = reservation.and_then(|reservation| reservation.take());
        reserved.unwrap_or_else(|| Reserved::Slot(self.sender.lanes.requests.clone()))
    }

    /// Sends `request` once, and stores the cookies of its reply.
    async fn send_signed(&self, issuer: &Arc<dyn Issuer>, request: &Request<Bytes>) -> Result<Sent, Error> {
        let cache = &self.sender.shared.cache;
        let mut service = match self.reserved(request) {
            Reserved::Slot(service) => service,
            Reserved::Failed(outcome) => return Ok(Err(outcome)),
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
            service = self.sender.lanes.requests.clone();
            if let Err(outcome) = self.log_in(issuer).await {
                return Ok(Err(outcome));
            }
        };
        let reply = service.call(credential.sign(request.clone())).await?;
        if !ends_session(&reply) && verdict(&reply) != Verdict::Ambiguous {
            cache.update(&credential, reply.headers());
        }
        Ok(Ok((credential, reply)))
    }
}

/// Adds the finding to `reply`.
fn with_cause(mut reply: Response<Bytes>, refusal: RefusalCause) -> Response<Bytes> {
    ReplyContext::of_mut(&mut reply).refusal = Some(refusal);
    reply
}

#[cfg(test)]
mod tests;
