//! Logging in: when a login is sent, by which request, and what its outcome means.
//!
//! A login is a task that all callers share. It continues without them, and ends with the client. `login_record.rs` counts logins; `auth.rs`
//! signs requests.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http::header::ACCEPT;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};
use tower::ServiceExt;

use super::credential::Credential;
use super::login::{self, Issuer};
use super::refusal::{Verdict, is_transient, remembered, unclear, unclear_before, verdict};
use super::token_cache::LoginEnd;
use super::{Auth, CONFIRMATION_HOLDS, LoginSender, Scheme, SharedLogin, with_cause};
use crate::ErrorKind;
use crate::call_context::RefusalCause;
use crate::classify::classify;
use crate::lock::lock;
use crate::login_record::{CountedEnd, CountedLogin, Hurdle};
use crate::service::{BoxStack, Outcome};
use crate::shared_task::JoinedTask;

/// Average time between the first two looks at the logins under way. Each further one is twice as long.
const PAUSE: Duration = Duration::from_millis(15);
/// Maximum of this time.
const LONGEST_PAUSE: Duration = Duration::from_millis(250);
/// Minimum time between two checks whether the manager responds.
const CHECK_PAUSE: Duration = Duration::from_secs(1);

impl Auth {
    /// Waits for a credential of `issuer`: the current credential, or the credential of a login, which all callers
    /// share.
    ///
    /// # Errors
    ///
    /// The reply or failure of the login.
    pub(super) async fn log_in(&self, issuer: &Arc<dyn Issuer>) -> Result<Arc<Credential>, Outcome> {
        let known = || self.sender.shared.cache.current().map(LoginEnd::Accepted);
        let work = || self.sender.clone().issue(Arc::clone(issuer));
        self.tasks.logins.run(known, work).await.credential()
    }

    /// Verifies a `credential` that makes each request a login by sending `request`, unless the manager has accepted it by
    /// then. Until it has, requests are sent one at a time; after `HEADER_PATIENCE`, another one is sent beside a slow one.
    ///
    /// # Errors
    ///
    /// The outcome of the request, if it was sent, or the failure of a login for which it was not sent.
    pub(super) async fn verify_by(
        &self,
        credential: &Arc<Credential>,
        request: &Request<Bytes>,
        service: BoxStack,
    ) -> Result<Arc<Credential>, Outcome> {
        let (reply, outcome) = oneshot::channel();
        let mut own = Some((reply, service));
        loop {
            let known = || self.sender.shared.cache.current().map(LoginEnd::Accepted);
            let joined = self.tasks.logins.join(known, || {
                let (reply, service) = own.take().expect("the caller leaves with its own task");
                let sender = self.sender.clone();
                sender.verify(Arc::clone(credential), request.clone(), service, reply)
            });
            let end = match joined {
                JoinedTask::Known(end) => end,
                JoinedTask::Running(task) => {
                    if let Some((_, service)) = &mut own {
                        // The other request may need its slot.
                        *service = self.sender.lanes.requests.clone();
                    }
                    match task.get().await {
                        // The request of another caller shows nothing.
                        None | Some(LoginEnd::Unclear(_)) => continue,
                        Some(end) => end,
                    }
                }
                JoinedTask::Started(task) => {
                    if let Ok(outcome) = outcome.await {
                        return Err(outcome);
                    }
                    let end = task.get().await;
                    end.unwrap_or_else(|| LoginEnd::Unchecked(Err(ErrorKind::Connect.into())))
                }
            };
            return end.credential();
        }
    }

    /// Whether the manager accepts `credential` for the fixed request. All callers share the result.
    pub(super) async fn confirm(&self, credential: &Arc<Credential>) -> LoginEnd {
        let known = || {
            let confirmed = lock(&self.sender.shared.confirmed);
            let (known, at) = confirmed.as_ref()?;
            let holds = known.is_from_login_of(credential) && at.elapsed() < CONFIRMATION_HOLDS;
            holds.then(|| LoginEnd::Accepted(Arc::clone(credential)))
        };
        let work = || {
            let (sender, credential) = (self.sender.clone(), Arc::clone(credential));
            async move {
                let end = match &sender.shared.scheme {
                    Scheme::Header { .. } => {
                        let fixed = async |_| sender.send_fixed(&credential).await;
                        sender.counted(fixed, || None).await
                    }
                    // A refused session is no failed login.
                    Scheme::Issued(_) | Scheme::Certificate => sender.send_fixed(&credential).await,
                };
                if matches!(end, LoginEnd::Accepted(_)) {
                    sender.shared.confirmed(&credential);
                }
                end
            }
        };
        self.tasks.confirmations.run(known, work).await
    }
}

impl SharedLogin {
    /// Whether a login is a separate request.
    pub(super) fn is_separate(&self) -> bool {
        matches!(self.scheme, Scheme::Issued(_))
    }

    /// Records that the manager accepts `credential`.
    pub(super) fn confirmed(&self, credential: &Arc<Credential>) {
        *lock(&self.confirmed) = Some((Arc::clone(credential), Instant::now()));
    }
}

impl LoginSender {
    /// Sends a login of `issuer`, if it may be sent.
    async fn issue(self, issuer: Arc<dyn Issuer>) -> LoginEnd {
        let login = async |_| {
            let mut service = self.lanes.logins.clone();
            let sent = match service.ready().await {
                Ok(_) => Instant::now(),
                Err(error) => return LoginEnd::Unchecked(Err(error)),
            };
            login::end(issuer.as_ref(), service.oneshot(issuer.request()).await, sent)
        };
        self.counted(login, || self.shared.cache.current()).await
    }

    /// Sends the request of a caller as a login, and its outcome to the caller. The last login is the fixed request, which
    /// does not fail because of its path.
    async fn verify(
        self,
        credential: Arc<Credential>,
        request: Request<Bytes>,
        service: BoxStack,
        reply: oneshot::Sender<Outcome>,
    ) -> LoginEnd {
        let mut own = None;
        let has_fixed = matches!(self.shared.scheme, Scheme::Header { has_fixed: true, .. });
        let login = async |is_last| {
            if is_last && has_fixed {
                return tokio::select! {
                    end = self.send_fixed(&credential) => end,
                    // An earlier request was accepted meanwhile.
                    credential = self.accepted() => LoginEnd::Accepted(credential),
                };
            }
            let outcome = service.oneshot(credential.sign(request)).await;
            own = Some(outcome.clone());
            match end_of_signed(&credential, outcome) {
                // Only its path may be throttled.
                LoginEnd::Unchecked(Ok(_)) if has_fixed => self.send_fixed(&credential).await,
                end => end,
            }
        };
        let end = self.counted(login, || self.shared.cache.current()).await;
        let Some(outcome) = own else { return end };
        // The caller may have left.
        let _ = reply.send(outcome);
        for_others(end)
    }

    /// Waits until a credential is accepted.
    async fn accepted(&self) -> Arc<Credential> {
        loop {
            if let Some(credential) = self.shared.cache.current() {
                return credential;
            }
            sleep(PAUSE).await;
        }
    }

    /// Sends the fixed request with this credential.
    async fn send_fixed(&self, credential: &Arc<Credential>) -> LoginEnd {
        let signed = credential.sign(fixed_request());
        end_of_signed(credential, self.lanes.logins.clone().oneshot(signed).await)
    }

    /// Performs a `login`, if it may be sent and the credential is not `known` by then. Counts it, and stores its result.
    /// `login` receives whether it is the last one.
    async fn counted(
        &self,
        login: impl AsyncFnOnce(bool) -> LoginEnd,
        known: impl Fn() -> Option<Arc<Credential>>,
    ) -> LoginEnd {
        let counted = match self.begin(known).await {
            Ok(counted) => counted,
            Err(end @ LoginEnd::Accepted(_)) => return end,
            Err(end) => return self.shared.cache.settle(end),
        };
        let end = login(counted.is_last).await;
        let counted_end = match &end {
            LoginEnd::Accepted(_) => CountedEnd::Accepted,
            LoginEnd::Refused(_) => CountedEnd::Rejected,
            LoginEnd::Unclear(_) => CountedEnd::Unclear,
            LoginEnd::Unchecked(_) => CountedEnd::Unchecked,
        };
        // First, so that those who wait for their turn see it.
        let end = self.shared.cache.settle(end);
        self.shared.count.end(counted, counted_end).await;
        end
    }

    /// Counts a login that is about to be sent. If all are used, waits for the responses to those under way. The last one
    /// is only sent if the manager responds.
    async fn begin(&self, known: impl Fn() -> Option<Arc<Credential>>) -> Result<CountedLogin, LoginEnd> {
        let count = &self.shared.count;
        let (mut responds, mut pause) = (false, PAUSE);
        let hurdle = loop {
            if let Some(credential) = known() {
                return Err(LoginEnd::Accepted(credential));
            }
            match count.begin(responds).await {
                Ok(counted) => return Ok(counted),
                Err(Hurdle::LastOne) => {
                    self.check().await?;
                    responds = true;
                }
                Err(Hurdle::UnderWay) => {
                    // Processes look at different times.
                    sleep(pause.mul_f64(0.5 + fastrand::f64())).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(hurdle) => break hurdle,
            }
        };
        let mut error = count.error(&hurdle);
        Err(match hurdle {
            Hurdle::Rejected(_) => {
                LoginEnd::Refused(match (&self.shared.scheme, self.shared.cache.refusal()) {
                    (Scheme::Header { .. }, Some(refusal)) => remembered(refusal),
                    (_, refusal) => refusal.unwrap_or(error),
                })
            }
            _ => {
                error.failure_mut().source = self.unclear_login().map(|cause| match cause {
                    Ok(reply) => classify(&reply).into(),
                    Err(error) => error.into(),
                });
                LoginEnd::Unchecked(Err(error))
            }
        })
    }

    /// The outcome of the last login, if it was not clear and the login was a separate request.
    fn unclear_login(&self) -> Option<Outcome> {
        self.shared.cache.unclear().filter(|_| self.shared.is_separate())
    }

    /// Checks whether the manager responds to a request without a password, at most once per second.
    ///
    /// # Errors
    ///
    /// The failure of the last login, or of the check.
    async fn check(&self) -> Result<(), LoginEnd> {
        let last = &self.shared.last_check;
        if let Some((at, end)) = &*lock(last)
            && at.elapsed() < CHECK_PAUSE
        {
            return Err(end.clone());
        }
        let outcome = self.lanes.logins.clone().oneshot(fixed_request()).await;
        let outcome = match outcome {
            // A manager that fails without a password as well fails whatever the password is.
            Ok(reply) if reply.status().is_server_error() => Ok(reply),
            Ok(reply) => match verdict(&reply) {
                Verdict::Accepted | Verdict::Refused => return Ok(()),
                Verdict::Ambiguous => Err(unclear(&with_cause(reply, RefusalCause::Unclear), None, None)),
                Verdict::Unknown => Ok(reply),
            },
            Err(error) => Err(error),
        };
        let end = LoginEnd::Unchecked(match self.unclear_login() {
            Some(Err(mut error)) => {
                error.failure_mut().unsent = true;
                Err(error)
            }
            Some(Ok(reply)) => Ok(reply),
            None => outcome,
        });
        *lock(last) = Some((Instant::now(), end.clone()));
        Err(end)
    }
}

/// Returns what the outcome of a signed request shows about its credential.
fn end_of_signed(credential: &Arc<Credential>, outcome: Outcome) -> LoginEnd {
    let reply = match outcome {
        Ok(reply) => reply,
        Err(error) => return login::failed(error),
    };
    tracing::debug!(status = reply.status().as_u16(), "login verified");
    match verdict(&reply) {
        Verdict::Accepted => LoginEnd::Accepted(Arc::clone(credential)),
        Verdict::Refused => LoginEnd::Refused(classify(&reply)),
        Verdict::Unknown if reply.status().as_u16() == 429 => LoginEnd::Unchecked(Ok(reply)),
        Verdict::Unknown if is_transient(reply.status()) => LoginEnd::Unclear(Ok(reply)),
        Verdict::Ambiguous | Verdict::Unknown => LoginEnd::Unclear(Err(unclear(&reply, None, None))),
    }
}

/// The outcome of one caller's request for other callers, without details of the request.
fn for_others(end: LoginEnd) -> LoginEnd {
    match end {
        LoginEnd::Refused(error) => LoginEnd::Refused(remembered(error)),
        LoginEnd::Unchecked(outcome) => {
            let error = outcome.map_or_else(|error| error, |reply| classify(&reply));
            LoginEnd::Unchecked(Err(unclear_before(&error)))
        }
        end => end,
    }
}

/// A fixed, cheap request for the version of the node. It shows whether the manager responds, or whether it accepts a
/// credential.
fn fixed_request() -> Request<Bytes> {
    Request::get("/api/v1/node/version")
        .header(ACCEPT, "application/json")
        .body(Bytes::new())
        .expect("a fixed path")
}
