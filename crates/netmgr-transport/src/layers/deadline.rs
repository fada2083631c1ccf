//! Limits the duration of the whole call: waits, logins, attempts and delays.
//!
//! The limit of an attempt is in `attempt_timeout.rs`.

use std::time::Duration;

use bytes::Bytes;
use http::Request;
use tokio::time::{Instant, timeout_at};
use tower::{ServiceExt, service_fn};

use crate::call_context::CallContext;
use crate::service::Inner;
use crate::{Error, ErrorKind, Failure};

/// Limits each call of `inner` by its deadline, by default `limit` after it starts.
pub(crate) fn deadline(inner: impl Inner, limit: Duration) -> impl Inner {
    service_fn(move |mut request: Request<Bytes>| {
        let now = Instant::now();
        let context = CallContext::of_mut(&mut request);
        let start = context.since.unwrap_or(now);
        let until = *context.deadline.get_or_insert_with(|| now + limit);
        let context = context.clone();
        let call = inner.clone().oneshot(request);
        async move {
            // A timeout polls its future at least once, which would send a late request.
            if until <= now {
                let reason = "the deadline expired before the request was sent".to_owned();
                return Err(exceeded(&context, reason));
            }
            timeout_at(until, call).await.unwrap_or_else(|_| {
                let waited = start.elapsed().as_secs_f64();
                Err(exceeded(
                    &context,
                    format!("no usable response within {waited:.1} s"),
                ))
            })
        }
    })
}

fn exceeded(context: &CallContext, reason: String) -> Error {
    Error::new(
        ErrorKind::Deadline,
        Failure {
            attempts: context.attempts(),
            reason: Some(reason),
            hint: Some("try again later or increase the deadline".to_owned()),
            source: context.last_failure().map(Into::into),
            ..Failure::default()
        },
    )
}

#[cfg(test)]
mod tests;
