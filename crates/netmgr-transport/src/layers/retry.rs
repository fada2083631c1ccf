//! Retries attempts that failed for a transient reason.
//!
//! It is outside of authentication, so that every attempt is signed again. Status codes are interpreted in
//! `classify.rs`, delays computed in `backoff.rs`, and outages coordinated in `outage.rs`.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use netmgr_types::RetrySettings;
use tokio::time::{Instant, sleep};
use tower::{Layer, Service, ServiceExt};

use super::backoff::Backoff;
use super::outage::{Outages, Pass, Scope};
use super::retry_after::retry_after;
use super::{Alternative, Answer, Deadline, Inner, Progress, Wide};
use crate::auth::give_back;
use crate::classify::{CERTIFICATE_NOT_TRUSTED, PAGE_TOO_LARGE, SEARCH_INDEX, has_code};
use crate::error::Origin;
use crate::{Error, ErrorKind};

mod course;

use course::Course;

/// A failure that took longer than this only affects its own request, because the next request of the same
/// path may be fast.
const SLOW: Duration = Duration::from_secs(5);

/// Layer of [`Retry`]. All its services and their clones share outages.
#[derive(Clone)]
pub(crate) struct RetryLayer {
    policy: Arc<Policy>,
}

impl RetryLayer {
    pub(crate) fn new(settings: &RetrySettings) -> Self {
        let backoff = Backoff::new(settings);
        Self {
            policy: Arc::new(Policy {
                max_retries: settings.max_retries,
                statuses: settings.on_status.clone(),
                backoff,
                outages: Outages::new(backoff),
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

/// See the module documentation.
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

async fn attempts<S: Inner>(inner: S, mut request: Request<Bytes>, policy: Arc<Policy>) -> Outcome {
    let deadline = request.extensions().get::<Deadline>().map(|deadline| deadline.0);
    let progress = request
        .extensions_mut()
        .get_or_insert_default::<Progress>()
        .clone();
    let alternative = request.extensions().get::<Alternative>().is_some();
    let wide = request.extensions().get::<Wide>().is_some();
    let mut caller = policy.outages.caller(request.uri().path());
    let mut course = Course::default();
    loop {
        if caller.has_to_wait() {
            give_back(request.extensions());
        }
        let grant = match caller.pass(deadline).await {
            Pass::Send(grant) => grant,
            Pass::Failed(failure) => {
                progress.failed(Some(failure.clone()));
                let retries = policy.retries_after(&failure, alternative);
                course.others_failed(failure);
                if course.failures() > retries {
                    return course.end(None);
                }
                continue;
            }
            Pass::Late { last, requested } => {
                course.learns(last);
                return course.end(Some(no_time(deadline, requested)));
            }
        };
        progress.begins(course.sent() + 1);
        let begun = Instant::now();
        let attempt = inner.clone().oneshot(request.clone());
        let Some(outcome) = grant.drive(attempt, &progress).await else {
            continue;
        };
        // A reply belongs to the request or to its login. A remembered refusal of the login needs no request.
        let is_sent = progress.is_sent() || outcome.is_ok();
        let is_passing = policy.is_passing(request.method(), &outcome);
        let scope = scope(&outcome, is_passing, begun.elapsed());
        let requested = outcome
            .as_ref()
            .ok()
            .and_then(|reply| retry_after(reply.headers()));
        if is_sent || scope.is_some() {
            progress.sent();
            course.counts();
        }
        let failure = course.ended_with(outcome);
        tracing::Span::current().record("attempts", course.sent());
        match (scope, &failure) {
            (Some(scope), Some(failure)) => grant.failed(scope, failure, requested),
            _ => grant.answered(),
        }
        let retries = failure
            .as_ref()
            .map_or(0, |failure| policy.retries_after(failure, alternative));
        let is_left_to_its_lookups = wide && !failure.as_ref().is_some_and(may_repeat_wide);
        if !is_passing || is_left_to_its_lookups || course.failures() > retries {
            return course.end(None);
        }
        progress.failed(failure);
        // If other calls are affected, the outage decides about the next attempt.
        if matches!(scope, None | Some(Scope::Request)) {
            let delay = policy.backoff.delay(course.failures());
            let delay = delay.max(requested.unwrap_or_default());
            if deadline.is_some_and(|deadline| Instant::now() + delay >= deadline) {
                let requested = requested.filter(|requested| *requested == delay);
                return course.end(Some(no_time(deadline, requested)));
            }
            sleep(delay).await;
        }
    }
}

/// Whether a request that stands in for those of several lookups may be repeated.
fn may_repeat_wide(error: &Error) -> bool {
    error.failure().unsent || error.failure().status == Some(StatusCode::TOO_MANY_REQUESTS)
}

/// The scope of a failure. `None` if the manager replied.
fn scope(outcome: &Outcome, is_passing: bool, took: Duration) -> Option<Scope> {
    let is_of_manager = match outcome {
        // The governor reduces the rate of all requests.
        Ok(reply) if !is_passing || reply.status() == StatusCode::TOO_MANY_REQUESTS => return None,
        // Without a login, all paths fail.
        Ok(reply) => reply
            .extensions()
            .get::<Origin>()
            .is_some_and(|Origin(origin)| !is_read(&origin.method)),
        Err(error) if error.kind() == ErrorKind::Connect => {
            let failure = error.failure();
            failure.unsent
                || failure
                    .request_line
                    .as_ref()
                    .is_some_and(|request_line| !is_read(&request_line.method))
        }
        Err(_) => return None,
    };
    Some(match is_of_manager {
        true => Scope::Manager,
        false if took < SLOW => Scope::Path,
        false => Scope::Request,
    })
}

/// The reason why no attempt is started before `deadline`.
fn no_time(deadline: Option<Instant>, requested: Option<Duration>) -> String {
    let left = deadline.map_or(Duration::ZERO, |deadline| {
        deadline.saturating_duration_since(Instant::now())
    });
    let left = left.as_secs_f64();
    match requested {
        Some(requested) => format!(
            "the manager requests a delay of {} s, but the deadline is in {left:.1} s",
            requested.as_secs()
        ),
        None => format!("there is no time for another attempt before the deadline in {left:.1} s"),
    }
}
struct Policy {
    max_retries: u32,
    /// The user's list of statuses, if any.
    statuses: Option<Vec<u16>>,
    backoff: Backoff,
    outages: Arc<Outages>,
}

impl Policy {
    /// The maximum number of retries of a call whose last attempt ended with `failure`. If the caller has an
    /// `alternative` read, it is faster than waiting for the search index.
    fn retries_after(&self, failure: &Error, alternative: bool) -> u32 {
        let status = failure.failure().status;
        if alternative && status == Some(StatusCode::BAD_REQUEST) {
            self.max_retries.min(1)
        } else {
            self.max_retries
        }
    }

    /// Whether the request may be sent again, and may then succeed.
    fn is_passing(&self, method: &Method, outcome: &Outcome) -> bool {
        match outcome {
            Ok(reply) if reply.status().is_success() => false,
            // The reply or failure may belong to a login; the authentication layer limits the number of
            // logins (decision logins).
            Ok(reply) => self.is_passing_status(is_read(method), reply),
            Err(error) if error.kind() == ErrorKind::Connect => error.failure().unsent || is_read(method),
            // TLS errors, refused logins and invalid settings are permanent.
            Err(_) => false,
        }
    }

    fn is_passing_status(&self, read: bool, reply: &Response<Bytes>) -> bool {
        let status = reply.status();
        // A write is only retried after a reply that means that it was not processed.
        if !read
            && !matches!(
                status,
                StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
            )
        {
            return false;
        }
        match &self.statuses {
            Some(statuses) => statuses.contains(&status.as_u16()),
            None => RetrySettings::DEFAULT_STATUSES.contains(&status.as_u16()) && !is_exception(reply),
        }
    }
}

/// Whether a reply with one of the default statuses means that the same request would fail again.
fn is_exception(reply: &Response<Bytes>) -> bool {
    match reply.status() {
        StatusCode::BAD_REQUEST => !has_code(reply, SEARCH_INDEX),
        StatusCode::INTERNAL_SERVER_ERROR => has_code(reply, CERTIFICATE_NOT_TRUSTED),
        StatusCode::SERVICE_UNAVAILABLE => has_code(reply, PAGE_TOO_LARGE),
        _ => false,
    }
}

fn is_read(method: &Method) -> bool {
    *method == Method::GET
}

#[cfg(test)]
mod tests;
