//! Retries attempts that failed for a transient reason.
//!
//! It is outside of authentication, so that every attempt is signed again. A failure, and a delay that the manager
//! requests, concern their own call only; the governor limits the rate of all calls. Status codes are interpreted in
//! `classify.rs`, delays computed in `backoff.rs`, and retries limited in `retry_budget.rs`.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use netmgr_types::RetrySettings;
use tokio::time::{Instant, Sleep, sleep};
use tower::retry::Policy;

use super::backoff::Backoff;
use super::retry_after::retry_after;
use super::retry_budget::RetryBudget;
use crate::call_context::{CallContext, OnPause, ReplyContext};
use crate::classify::{CERTIFICATE_NOT_TRUSTED, PAGE_TOO_LARGE, SEARCH_INDEX, classify, has_code};
use crate::service::Outcome;
use crate::{Error, ErrorKind};

/// Longest pause of the manager for which a request waits. A longer one ends the request.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Decides which attempts are repeated, and when. Requests need a [`CallContext`], which counts the attempts.
#[derive(Clone)]
pub(crate) struct RetryPolicy {
    max_retries: u32,
    /// The user's list of statuses, if any.
    statuses: Option<Arc<[u16]>>,
    backoff: Backoff,
    /// Shared by all calls.
    budget: Arc<RetryBudget>,
}

impl RetryPolicy {
    pub(crate) fn new(settings: &RetrySettings) -> Self {
        Self {
            max_retries: settings.max_retries,
            statuses: settings.on_status.as_deref().map(Arc::from),
            backoff: Backoff::new(settings),
            budget: Arc::new(RetryBudget::new(settings.max_retries)),
        }
    }
}

impl Policy<Request<Bytes>, Response<Bytes>, Error> for RetryPolicy {
    type Future = Sleep;

    fn clone_request(&mut self, request: &Request<Bytes>) -> Option<Request<Bytes>> {
        CallContext::of(request).start_attempt();
        Some(request.clone())
    }

    fn retry(&mut self, request: &mut Request<Bytes>, outcome: &mut Outcome) -> Option<Sleep> {
        let context = CallContext::of(request);
        // The reply or failure may be that of a login, which other calls share. A remembered refusal is neither.
        if outcome.is_ok() || self.is_transient(request.method(), outcome) {
            context.count();
        }
        let attempts = context.attempts();
        tracing::Span::current().record("attempts", attempts);
        let delay = match failure(outcome) {
            Some(failure) if self.is_repeated(request.method(), outcome, &failure, &context) => {
                let is_throttled = failure.kind() == ErrorKind::Throttled;
                context.failed(failure);
                let delay = self.delay(outcome, attempts, context.deadline);
                delay.and_then(|delay| self.within_budget(delay, is_throttled, &context))
            }
            _ => {
                if context.is_sent() && !self.is_transient(request.method(), outcome) {
                    self.budget.refill();
                }
                Err(None)
            }
        };
        match delay {
            Ok(delay) => {
                if let (Some(OnPause(on_pause)), true) =
                    (&context.on_pause, requested(outcome) == Some(delay))
                {
                    on_pause(delay, attempts);
                }
                Some(sleep(delay))
            }
            Err(stopped) => {
                // A login that may not be sent now means less than the failure before it.
                if let (Err(error), Some(before)) = (&mut *outcome, context.last_failure())
                    && error.kind() == ErrorKind::Unavailable
                    && !context.is_counted()
                {
                    *error = before;
                }
                complete(outcome, attempts, stopped);
                None
            }
        }
    }
}

impl RetryPolicy {
    /// Whether there is another attempt after this one, if there is time for it.
    fn is_repeated(
        &self,
        method: &Method,
        outcome: &Outcome,
        failure: &Error,
        context: &CallContext,
    ) -> bool {
        let status = failure.failure().status;
        let is_unsent = failure.failure().unsent || !context.is_sent();
        if context.is_wide && !is_unsent {
            return false;
        }
        // An alternative read is faster than waiting for the search index.
        let most = match context.has_alternative && status == Some(StatusCode::BAD_REQUEST) {
            true => self.max_retries.min(1),
            false => self.max_retries,
        };
        context.attempts() <= most && self.is_transient(method, outcome)
    }

    /// The `delay` of another attempt, if the budget permits one. An attempt that was not sent, such as one that waited for
    /// a login, spends nothing.
    ///
    /// # Errors
    ///
    /// The reason why there is none.
    fn within_budget(
        &self,
        delay: Duration,
        is_throttled: bool,
        context: &CallContext,
    ) -> Result<Duration, Option<String>> {
        match !context.is_sent() || self.budget.spend(is_throttled) {
            true => Ok(delay),
            false => Err(Some(
                "not repeated, because many other requests failed as well".to_owned(),
            )),
        }
    }

    /// The delay before the next attempt.
    ///
    /// # Errors
    ///
    /// The reason why there is no time for one.
    fn delay(
        &self,
        outcome: &Outcome,
        attempts: u32,
        deadline: Option<Instant>,
    ) -> Result<Duration, Option<String>> {
        let requested = requested(outcome);
        if let Some(pause) = requested.filter(|pause| *pause > LONGEST_PAUSE) {
            return Err(Some(requested_delay(pause)));
        }
        let backoff = self.backoff.delay(attempts);
        let delay = backoff.max(requested.unwrap_or_default());
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        match left.filter(|left| *left <= delay) {
            None => Ok(delay),
            Some(left) => {
                let left = left.as_secs_f64();
                Err(Some(match requested.filter(|requested| *requested > backoff) {
                    Some(pause) => format!("{}, but the deadline is in {left:.1} s", requested_delay(pause)),
                    None => {
                        format!("there is no time for another attempt before the deadline in {left:.1} s")
                    }
                }))
            }
        }
    }

    /// Whether the request may be sent again, and may then succeed.
    fn is_transient(&self, method: &Method, outcome: &Outcome) -> bool {
        let is_read = *method == Method::GET;
        match outcome {
            // The authentication layer limits the number of logins (decision logins).
            Ok(reply) => self.is_transient_status(is_read, reply),
            Err(error) => match error.kind() {
                ErrorKind::Connect => error.failure().unsent || is_read,
                // It waited for a login that failed.
                ErrorKind::Throttled | ErrorKind::Unavailable | ErrorKind::Server => error.failure().unsent,
                // TLS errors, refused logins and invalid settings are permanent.
                _ => false,
            },
        }
    }

    fn is_transient_status(&self, is_read: bool, reply: &Response<Bytes>) -> bool {
        let status = reply.status();
        // A write is only retried after a reply that means that it was not processed.
        if !is_read
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

fn requested_delay(pause: Duration) -> String {
    let pause = match pause.as_secs() {
        seconds @ ..=86_400 => format!("{seconds} s"),
        _ => "more than a day".to_owned(),
    };
    format!("the manager requests a delay of {pause}")
}

/// The delay that the manager requests.
fn requested(outcome: &Outcome) -> Option<Duration> {
    let reply = outcome.as_ref().ok()?;
    retry_after(reply.headers())
}

/// The failure of an attempt, if it is one.
fn failure(outcome: &Outcome) -> Option<Error> {
    match outcome {
        Ok(reply) => (!reply.status().is_success()).then(|| classify(reply)),
        Err(error) => Some(error.clone()),
    }
}

/// Adds facts about the call to its last outcome. `stopped` is the reason why there is no further attempt, unless
/// the limit was reached.
fn complete(outcome: &mut Outcome, attempts: u32, stopped: Option<String>) {
    match outcome {
        Ok(reply) => {
            let context = ReplyContext::of_mut(reply);
            context.attempts = attempts;
            context.stopped = stopped;
        }
        Err(error) => {
            let failure = error.failure_mut();
            failure.attempts = attempts;
            if let Some(stopped) = stopped {
                failure.add_reason(&stopped);
            }
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

#[cfg(test)]
mod tests;
