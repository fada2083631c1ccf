//! Repeats attempts that failed for a passing reason.
//!
//! It stands outside of authentication, so that every attempt is signed anew. Not here: what a
//! status means (`classify.rs`), how long a wait is (`backoff.rs`).

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use netmgr_types::RetrySettings;
use tokio::time::{Instant, sleep};
use tower::retry::budget::{Budget, TpsBudget};
use tower::{Layer, Service, ServiceExt};

use super::backoff::Backoff;
use super::retry_after::retry_after;
use super::{Answer, Attempts, Deadline, Inner, Progress};
use crate::Error;
use crate::classify::{CERTIFICATE_NOT_TRUSTED, PAGE_TOO_LARGE, SEARCH_INDEX, classify, has_code};
use crate::error::Origin;

/// The retry quota of a client: 60 retries in a minute whatever happens, and one more for every two
/// calls. An outage met by hundreds of calls is thus not multiplied by their retries, also when the
/// governor spreads them over minutes.
const QUOTA_PERIOD: Duration = Duration::from_secs(60);
const QUOTA_PER_SECOND: u32 = 1;
const QUOTA_PER_CALL: f32 = 0.5;

/// Layer of [`Retry`]; its quota is shared by all services made from it and their clones.
#[derive(Clone)]
pub(crate) struct RetryLayer {
    policy: Arc<Policy>,
}

impl RetryLayer {
    pub(crate) fn new(settings: &RetrySettings) -> Self {
        let mut statuses = settings.on_status.clone();
        // 502 is what a reset connection is one hop further on, so it goes with the default list;
        // a list of the user's own is taken as written.
        if *statuses == RetrySettings::default().on_status {
            statuses.push(StatusCode::BAD_GATEWAY.as_u16());
        }
        Self {
            policy: Arc::new(Policy {
                max_retries: settings.max_retries,
                statuses,
                backoff: Backoff::new(settings),
                quota: TpsBudget::new(QUOTA_PERIOD, QUOTA_PER_SECOND, QUOTA_PER_CALL),
            }),
        }
    }
}

impl<S> Layer<S> for RetryLayer {
    type Service = Retry<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Retry {
            inner,
            policy: Arc::clone(&self.policy),
        }
    }
}

/// See the module.
#[derive(Clone)]
pub(crate) struct Retry<S> {
    inner: S,
    policy: Arc<Policy>,
}

impl<S: Inner> Service<Request<Bytes>> for Retry<S> {
    type Response = S::Response;
    type Error = Error;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let policy = Arc::clone(&self.policy);
        Box::pin(attempts(self.inner.clone(), request, policy))
    }
}

type Outcome = Result<Response<Bytes>, Error>;

async fn attempts<S: Inner>(inner: S, request: Request<Bytes>, policy: Arc<Policy>) -> Outcome {
    let deadline = request.extensions().get::<Deadline>().map(|deadline| deadline.0);
    let progress = request
        .extensions()
        .get::<Progress>()
        .cloned()
        .unwrap_or_default();
    policy.quota.deposit();
    let mut attempt = 0;
    loop {
        attempt += 1;
        progress.started(attempt);
        tracing::Span::current().record("attempts", attempt);
        let outcome = inner.clone().oneshot(request.clone()).await;
        match policy.next(request.method(), &outcome, attempt, deadline) {
            Next::Stop(reason) => return finished(outcome, attempt, reason),
            Next::After(delay) => {
                progress.failed(outcome.map_or_else(|error| error, |reply| classify(&reply)));
                tracing::debug!(attempt, delay_ms = delay.as_millis(), "attempt failed, waiting");
                sleep(delay).await;
            }
        }
    }
}

/// The outcome with the number of attempts, and why there are no more of them.
fn finished(mut outcome: Outcome, count: u32, stopped: Option<String>) -> Outcome {
    match &mut outcome {
        Ok(reply) => {
            reply.extensions_mut().insert(Attempts { count, stopped });
        }
        Err(error) => {
            if let Some(failure) = error.failure_mut() {
                failure.attempts = count;
                if let Some(reason) = stopped {
                    failure.add_reason(&reason);
                }
            }
        }
    }
    outcome
}

struct Policy {
    max_retries: u32,
    statuses: Vec<u16>,
    backoff: Backoff,
    quota: TpsBudget,
}

enum Next {
    /// There is no further attempt; the reason where it is not plain.
    Stop(Option<String>),
    /// There is one after this wait.
    After(Duration),
}

impl Policy {
    fn next(&self, method: &Method, outcome: &Outcome, attempt: u32, deadline: Option<Instant>) -> Next {
        if !self.is_passing(method, outcome) || attempt > self.max_retries {
            return Next::Stop(None);
        }
        let asked = outcome
            .as_ref()
            .ok()
            .and_then(|reply| retry_after(reply.headers()));
        let delay = self.backoff.delay(attempt).max(asked.unwrap_or_default());
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if let Some(left) = left.filter(|left| delay >= *left) {
            let left = left.as_secs_f64();
            return Next::Stop(Some(match asked {
                Some(asked) if asked == delay => format!(
                    "the manager asks to wait {} s, the deadline is in {left:.1} s",
                    asked.as_secs()
                ),
                _ => format!("no time for another attempt, the deadline is in {left:.1} s"),
            }));
        }
        if !self.quota.withdraw() {
            return Next::Stop(Some(
                "not repeated because too many requests fail at the moment".to_owned(),
            ));
        }
        Next::After(delay)
    }

    /// Whether the same request may succeed when it is sent again, and may be sent again.
    fn is_passing(&self, method: &Method, outcome: &Outcome) -> bool {
        match outcome {
            Ok(reply) if reply.status().is_success() => false,
            Ok(reply) => {
                let origin = reply.extensions().get::<Origin>();
                let method = origin.map_or(method, |origin| &origin.0.method);
                self.is_passing_status(is_read(method), reply)
            }
            Err(Error::Connect(failure)) => {
                let method = failure
                    .exchange
                    .as_ref()
                    .map_or(method, |exchange| &exchange.method);
                failure.unsent || is_read(method)
            }
            // TLS and certificate failures, refused logins and bad settings stay as they are.
            Err(_) => false,
        }
    }

    fn is_passing_status(&self, read: bool, reply: &Response<Bytes>) -> bool {
        self.statuses.contains(&reply.status().as_u16())
            && match reply.status() {
                // A login counts towards the lockout: only what says "not processed" is repeated.
                StatusCode::TOO_MANY_REQUESTS => true,
                StatusCode::SERVICE_UNAVAILABLE => !has_code(reply, PAGE_TOO_LARGE),
                _ if !read => false,
                StatusCode::BAD_REQUEST => has_code(reply, SEARCH_INDEX),
                StatusCode::INTERNAL_SERVER_ERROR => !has_code(reply, CERTIFICATE_NOT_TRUSTED),
                _ => true,
            }
    }
}

fn is_read(method: &Method) -> bool {
    *method == Method::GET
}

#[cfg(test)]
mod tests;
