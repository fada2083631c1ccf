//! Logging in, and verifying credentials: when a login is sent, by which request, and what its outcome means.
//!
//! `token_cache.rs` decides who waits for it and how many are sent; `auth.rs` signs requests.

use std::sync::{Arc, PoisonError};

use tokio::task::yield_now;
use tokio::time::Instant;
use tower::{Service, ServiceExt};

use super::credential::Credential;
use super::header::{OwnRequest, fixed_request};
use super::login::{self, Issuer};
use super::refusal::{Verdict, is_transient, is_unclear, remembered, unclear, unclear_before, verdict};
use super::token_cache::LoginEnd;
use super::{Auth, CONFIRMATION_HOLDS, Scheme};
use crate::Error;
use crate::classify::classify;
use crate::refused_logins::{AccountFile, BegunLogin};
use crate::service::{BoxStack, Outcome};
use crate::single_flight::{Driver, Landed};

impl Auth {
    /// Waits for a credential: the current one, or that of a login, which all callers share.
    ///
    /// # Errors
    ///
    /// The reply or failure of the login.
    pub(super) async fn log_in(&self, own: Option<&OwnRequest>) -> Result<Arc<Credential>, Outcome> {
        let cache = &self.shared.cache;
        let mut has_waited = false;
        // Until it was sent, or four logins had no clear outcome.
        let is_patient = own.is_some();
        loop {
            let work = |driver| self.drive_login(driver, own);
            let landed = cache.logins().run(|| cache.known(), work).await;
            let is_shared = matches!(landed, Landed::Shared(_));
            match landed.into_inner() {
                LoginEnd::Accepted(credential) => return Ok(credential),
                LoginEnd::Refused(error) => return Err(Err(error)),
                // The request of another caller was not sent, so this caller tries.
                LoginEnd::Unclear(Err(error)) if is_shared && error.failure().unsent => {}
                // Callers that waited for an unclear response wait for one more attempt.
                LoginEnd::Unclear(Err(error))
                    if is_unclear(&error)
                        && (is_patient || is_shared && !has_waited)
                        && !own.is_some_and(OwnRequest::is_sent) =>
                {
                    has_waited = true;
                }
                LoginEnd::Unclear(outcome) | LoginEnd::Unchecked(outcome) => return Err(outcome),
            }
        }
    }

    /// Sends a login, if it may be sent.
    async fn drive_login(&self, driver: Driver<LoginEnd>, own: Option<&OwnRequest>) -> LoginEnd {
        let cache = &self.shared.cache;
        if self.blocked().is_some() {
            cache.answered().await;
            if let Some(known) = cache.known() {
                return driver.end(known);
            }
        }
        let end = match self.blocked() {
            Some(last) if !self.is_back().await => LoginEnd::Unchecked(last),
            _ => match &self.shared.scheme {
                Scheme::Issued(issuer) => self.issue(issuer.as_ref(), &driver).await,
                Scheme::Header { credential, .. } => self.verify(credential, &driver, own).await,
                Scheme::Certificate => unreachable!("the connection is authenticated"),
            },
        };
        let end = driver.end(cache.settle(end));
        if matches!(end, LoginEnd::Unclear(_)) && self.blocked().is_some() {
            // If the manager is unavailable now, another login may be sent as soon as it responds again.
            self.is_back().await;
        }
        end
    }

    /// Outcome of the last login, if another login may not be sent yet.
    fn blocked(&self) -> Option<Outcome> {
        let is_counted = match &self.shared.scheme {
            Scheme::Issued(issuer) => issuer.is_counted(),
            Scheme::Header { .. } | Scheme::Certificate => true,
        };
        self.shared.cache.blocked().filter(|_| is_counted)
    }

    /// Sends a login of `issuer`.
    async fn issue(&self, issuer: &dyn Issuer, driver: &Driver<LoginEnd>) -> LoginEnd {
        let account = self.shared.account.as_ref().filter(|_| issuer.is_counted());
        let (mut service, begun) = match begin(&self.lanes.logins, account, driver).await {
            Ok(begun) => begun,
            Err(error) => return LoginEnd::Unchecked(Err(error)),
        };
        driver.progress();
        let in_flight = self.shared.cache.sent();
        let sent = Instant::now();
        let outcome = service.call(issuer.request()).await;
        drop(in_flight);
        self.ended(begun, login::end(issuer, outcome, sent)).await
    }

    /// Verifies a credential that makes each request a login: with the `own` request of a single caller, otherwise with
    /// the fixed one. If the outcome is not clear, the next verifications alternate between the two.
    async fn verify(
        &self,
        credential: &Arc<Credential>,
        driver: &Driver<LoginEnd>,
        own: Option<&OwnRequest>,
    ) -> LoginEnd {
        // Let other calls of the same burst arrive.
        yield_now().await;
        let own = own.filter(|_| !self.is_fixed_next(driver.is_awaited()));
        let lane = match own {
            Some(_) => &self.lanes.requests,
            None => &self.lanes.logins,
        };
        let (mut service, begun) = match begin(lane, self.shared.account.as_ref(), driver).await {
            Ok(begun) => begun,
            Err(error) => return LoginEnd::Unchecked(Err(error)),
        };
        driver.progress();
        let in_flight = self.shared.cache.sent();
        let end = match own {
            Some(own) => {
                let outcome = service.call(credential.sign(own.request.clone())).await;
                own.ended(outcome.clone());
                for_others(shown(credential, outcome))
            }
            None => tokio::select! {
                outcome = service.call(credential.sign(fixed_request())) => shown(credential, outcome),
                // The request of another caller was accepted.
                () = self.shared.cache.accepted() => LoginEnd::Accepted(Arc::clone(credential)),
            },
        };
        if matches!(end, LoginEnd::Accepted(_) | LoginEnd::Refused(_)) {
            self.set_was_fixed(None);
        }
        drop(in_flight);
        self.ended(begun, end).await
    }

    /// Records how a login that was sent ended, also for other processes.
    async fn ended(&self, begun: BegunLogin, end: LoginEnd) -> LoginEnd {
        match &end {
            LoginEnd::Accepted(_) => begun.ended(true).await,
            LoginEnd::Refused(_) => begun.ended(false).await,
            LoginEnd::Unclear(_) => {}
            LoginEnd::Unchecked(_) => self.shared.cache.unchecked(),
        }
        end
    }

    /// Whether the next verification is by the fixed request.
    fn is_fixed_next(&self, is_awaited: bool) -> bool {
        let Scheme::Header {
            has_fixed, was_fixed, ..
        } = &self.shared.scheme
        else {
            return false;
        };
        let last = *was_fixed.lock().unwrap_or_else(PoisonError::into_inner);
        let is_fixed = *has_fixed && last.map_or(is_awaited, |was_fixed| !was_fixed);
        self.set_was_fixed(Some(is_fixed));
        is_fixed
    }

    fn set_was_fixed(&self, value: Option<bool>) {
        if let Scheme::Header { was_fixed, .. } = &self.shared.scheme {
            *was_fixed.lock().unwrap_or_else(PoisonError::into_inner) = value;
        }
    }

    /// Whether the manager was unavailable and now responds to a request without a password.
    async fn is_back(&self) -> bool {
        let cache = &self.shared.cache;
        if !cache.is_check_due() {
            return false;
        }
        let outcome = self.lanes.logins.clone().oneshot(fixed_request()).await;
        // A manager that fails without a password as well fails whatever the password is.
        let responds = outcome.is_ok_and(|reply| {
            !reply.status().is_server_error()
                && matches!(verdict(&reply), Verdict::Accepted | Verdict::Refused)
        });
        cache.checked(responds)
    }

    /// Whether the manager accepts `credential` for the fixed request. All callers share the result.
    pub(super) async fn confirm(&self, credential: &Arc<Credential>) -> LoginEnd {
        let known = || {
            let confirmed = self
                .shared
                .confirmed
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let (known, at) = confirmed.as_ref()?;
            let holds = known.is_from_login_of(credential) && at.elapsed() < CONFIRMATION_HOLDS;
            holds.then(|| LoginEnd::Accepted(Arc::clone(credential)))
        };
        let work = |driver: Driver<LoginEnd>| async move {
            let signed = credential.sign(fixed_request());
            let end = shown(credential, self.lanes.logins.clone().oneshot(signed).await);
            if matches!(end, LoginEnd::Accepted(_)) {
                self.confirmed(credential);
            }
            driver.end(end)
        };
        self.shared.confirmations.run(known, work).await.into_inner()
    }

    /// Records that the manager accepts `credential`.
    pub(super) fn confirmed(&self, credential: &Arc<Credential>) {
        let mut confirmed = self
            .shared
            .confirmed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *confirmed = Some((Arc::clone(credential), Instant::now()));
    }
}

/// A slot of `lane`, and then the turn of this process to log in: other processes do not wait for the slot as well.
///
/// While it waits for its turn, no other caller takes over, so that one login follows a slow one and not several.
async fn begin(
    lane: &BoxStack,
    account: Option<&Arc<AccountFile>>,
    driver: &Driver<LoginEnd>,
) -> Result<(BoxStack, BegunLogin), Error> {
    let mut service = lane.clone();
    service.ready().await?;
    let begun = BegunLogin::of(account, || driver.progress()).await?;
    Ok((service, begun))
}

/// Returns what the outcome of a signed request shows about its credential.
fn shown(credential: &Arc<Credential>, outcome: Outcome) -> LoginEnd {
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
        Verdict::Doubtful | Verdict::Unknown => LoginEnd::Unclear(Err(unclear(&reply, None, None))),
    }
}

/// The outcome of one caller's request for other callers, without details of the request.
fn for_others(end: LoginEnd) -> LoginEnd {
    let other = |outcome: Outcome| {
        let error = outcome.map_or_else(|error| error, |reply| classify(&reply));
        Err(unclear_before(&error))
    };
    match end {
        LoginEnd::Refused(error) => LoginEnd::Refused(remembered(error)),
        LoginEnd::Unclear(outcome) => LoginEnd::Unclear(other(outcome)),
        LoginEnd::Unchecked(outcome) => LoginEnd::Unchecked(other(outcome)),
        accepted @ LoginEnd::Accepted(_) => accepted,
    }
}
