//! Limits the duration of an attempt, from the moment it may be sent to the last byte of its reply.
//!
//! The limit of the whole call is in `deadline.rs`. Time spent waiting for the governor is not included.

use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use tokio::time::timeout;
use tower::{Layer, Service, ServiceExt};

use super::{Answer, Inner, Progress, TimedOut};
use crate::{Error, ErrorKind, Failure};

/// Layer of [`AttemptTimeout`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttemptTimeoutLayer(pub(crate) Duration);

/// See the module documentation.
#[derive(Debug, Clone)]
pub(crate) struct AttemptTimeout<S> {
    inner: S,
    limit: Duration,
}

impl<S> Layer<S> for AttemptTimeoutLayer {
    type Service = AttemptTimeout<S>;

    fn layer(&self, inner: S) -> Self::Service {
        AttemptTimeout { inner, limit: self.0 }
    }
}

impl<S: Inner> Service<Request<Bytes>> for AttemptTimeout<S> {
    type Response = S::Response;
    type Error = Error;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Bytes>) -> Self::Future {
        let limit = self.limit;
        if let Some(progress) = request.extensions().get::<Progress>() {
            progress.sent();
        }
        let timed_out = TimedOut::default();
        request.extensions_mut().insert(timed_out.clone());
        let mut answer = Box::pin(self.inner.clone().oneshot(request));
        Box::pin(async move {
            timeout(limit, &mut answer).await.unwrap_or_else(|_| {
                // Set this before the exchange is dropped, so that its connection is abandoned.
                timed_out.set();
                Err(Error::new(
                    ErrorKind::Connect,
                    Failure::default()
                        .reason(format!("no response within {:.1} s", limit.as_secs_f64()))
                        .hint("the manager or a firewall in between does not respond"),
                ))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::testing::{get, ok, pair};

    #[tokio::test(start_paused = true)]
    async fn a_silent_manager_ends_the_attempt() {
        let (inner, mut manager) = pair();
        let service = AttemptTimeoutLayer(Duration::from_secs(60)).layer(inner);
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
        let service = AttemptTimeoutLayer(Duration::from_secs(60)).layer(inner);
        let answer = tokio::spawn(service.oneshot(get("/x")));
        let (_, reply) = manager.next_request().await.unwrap();
        tokio::time::sleep(Duration::from_secs(59)).await;
        reply.send_response(ok());
        assert!(answer.await.unwrap().is_ok());
    }
}
