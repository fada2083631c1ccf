//! Limits the duration of an attempt, from the moment it may be sent to the last byte of its reply.
//!
//! The limit of the whole call is in `deadline.rs`. Time spent waiting for the governor is not included.

use std::time::Duration;

use bytes::Bytes;
use http::Request;
use tokio::time::timeout;
use tower::{ServiceExt, service_fn};

use crate::call_context::CallContext;
use crate::service::Inner;
use crate::{Error, ErrorKind, Failure};

/// Limits each request of `inner` to `limit`.
pub(crate) fn attempt_timeout(inner: impl Inner, limit: Duration) -> impl Inner {
    service_fn(move |mut request: Request<Bytes>| {
        let context = CallContext::of_mut(&mut request).clone();
        context.sent();
        let mut exchange = Box::pin(inner.clone().oneshot(request));
        async move {
            timeout(limit, &mut exchange).await.unwrap_or_else(|_| {
                // Before the exchange is dropped, so that its connection is abandoned.
                context.timed_out();
                Err(Error::new(
                    ErrorKind::Connect,
                    Failure::default()
                        .reason(format!("no response within {:.1} s", limit.as_secs_f64()))
                        .hint("the manager or a firewall in between does not respond"),
                ))
            })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::testing::{get, ok, pair};

    #[tokio::test(start_paused = true)]
    async fn a_silent_manager_ends_the_attempt() {
        let (inner, mut manager) = pair();
        let service = attempt_timeout(inner, Duration::from_secs(60));
        let answer = tokio::spawn(service.oneshot(get("/x")));
        let (_, reply) = manager.next_request().await.unwrap();
        let error = answer.await.unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            "connection failed: request: no response within 60.0 s; the manager or a firewall in between does not respond"
        );
        drop(reply);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_in_time_passes() {
        let (inner, mut manager) = pair();
        let service = attempt_timeout(inner, Duration::from_secs(60));
        let answer = tokio::spawn(service.oneshot(get("/x")));
        let (_, reply) = manager.next_request().await.unwrap();
        tokio::time::sleep(Duration::from_secs(59)).await;
        reply.send_response(ok());
        assert!(answer.await.unwrap().is_ok());
    }
}
