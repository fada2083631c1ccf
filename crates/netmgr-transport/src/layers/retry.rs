//! Repeats attempts that failed for a passing reason.
//!
//! It stands outside of authentication, so that every attempt is signed anew. Not here: what a
//! status means (`classify.rs`), how long a wait is (`backoff.rs`), who may send while the manager
//! is down (`outage.rs`).

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
use super::{Alternative, Answer, Deadline, Inner, Progress};
use crate::Error;
use crate::auth::give_back;
use crate::classify::{CERTIFICATE_NOT_TRUSTED, PAGE_TOO_LARGE, SEARCH_INDEX, has_code};
use crate::error::Origin;

mod course;

use course::Course;

/// A failure that took longer limits its own rate. It holds up nothing but its own request, because
/// the next request of the same path may be quick.
const SLOW: Duration = Duration::from_secs(5);

/// Layer of [`Retry`]; all services made from it and their clones share their outages.
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

async fn attempts<S: Inner>(inner: S, mut request: Request<Bytes>, policy: Arc<Policy>) -> Outcome {
    let deadline = request.extensions().get::<Deadline>().map(|deadline| deadline.0);
    let progress = request
        .extensions_mut()
        .get_or_insert_default::<Progress>()
        .clone();
    let alternative = request.extensions().get::<Alternative>().is_some();
    let mut caller = policy.outages.caller(request.uri().path());
    let mut course = Course::default();
    loop {
        if caller.has_to_wait() {
            give_back(request.extensions());
        }
        let grant = match caller.pass(deadline).await {
            Pass::Send(grant) => grant,
            Pass::Failed(failure) => {
                progress.failed(Some(Error::clone(&failure)));
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
        // An answer is that of the request or of a login for it. A refused login is remembered, and
        // answers without a request.
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
        if !is_passing || course.failures() > retries {
            return course.end(None);
        }
        progress.failed(failure.as_ref().map(|failure| Error::clone(failure)));
        // Where the others wait, too, the next attempt is a matter of the outage.
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

/// What a failure says something about; none when the manager answered.
fn scope(outcome: &Outcome, is_passing: bool, took: Duration) -> Option<Scope> {
    let is_of_manager = match outcome {
        // The governor slows all requests down.
        Ok(reply) if !is_passing || reply.status() == StatusCode::TOO_MANY_REQUESTS => return None,
        // Without a login no path answers.
        Ok(reply) => reply
            .extensions()
            .get::<Origin>()
            .is_some_and(|Origin(origin)| !is_read(&origin.method)),
        Err(Error::Connect(failure)) => {
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

/// Why no attempt is begun before `deadline`.
fn no_time(deadline: Option<Instant>, requested: Option<Duration>) -> String {
    let left = deadline.map_or(Duration::ZERO, |deadline| {
        deadline.saturating_duration_since(Instant::now())
    });
    let left = left.as_secs_f64();
    match requested {
        Some(requested) => format!(
            "the manager requests a wait of {} s, the deadline is in {left:.1} s",
            requested.as_secs()
        ),
        None => format!("no time for another attempt, the deadline is in {left:.1} s"),
    }
}
struct Policy {
    max_retries: u32,
    /// The list of the user, when there is one.
    statuses: Option<Vec<u16>>,
    backoff: Backoff,
    outages: Arc<Outages>,
}

impl Policy {
    /// How often a call is repeated whose last attempt ended in `failure`. An `alternative` read of the
    /// caller answers sooner than an index that catches up.
    fn retries_after(&self, failure: &Error, alternative: bool) -> u32 {
        let status = failure.failure().and_then(|failure| failure.status);
        if alternative && status == Some(StatusCode::BAD_REQUEST) {
            self.max_retries.min(1)
        } else {
            self.max_retries
        }
    }

    /// Whether the same request may succeed when it is sent again, and may be sent again.
    fn is_passing(&self, method: &Method, outcome: &Outcome) -> bool {
        match outcome {
            Ok(reply) if reply.status().is_success() => false,
            // The reply or failure may be that of a login: authentication below bounds how often
            // that is sent (0141).
            Ok(reply) => self.is_passing_status(is_read(method), reply),
            Err(Error::Connect(failure)) => failure.unsent || is_read(method),
            // TLS and certificate failures, refused logins and bad settings stay as they are.
            Err(_) => false,
        }
    }

    fn is_passing_status(&self, read: bool, reply: &Response<Bytes>) -> bool {
        let status = reply.status();
        // A write is repeated only after a reply that reports that it was not processed.
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

/// Whether a reply with one of the default statuses says that the same request fails again.
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
