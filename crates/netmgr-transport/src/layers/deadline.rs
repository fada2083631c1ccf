//! Limits the duration of the whole call: waits, logins, attempts and delays.
//!
//! The limit of an attempt is in `attempt_timeout.rs`.

use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use tokio::time::{Instant, timeout_at};
use tower::{Layer, Service, ServiceExt};

use super::{Answer, Deadline, Inner, Progress, Since};
use crate::{Error, ErrorKind, Failure};

/// Layer of [`WithDeadline`]. The duration starts with the call and applies to requests without a
/// [`Deadline`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct DeadlineLayer(pub(crate) Duration);

/// See the module documentation.
#[derive(Debug, Clone)]
pub(crate) struct WithDeadline<S> {
    inner: S,
    default: Duration,
}

impl<S> Layer<S> for DeadlineLayer {
    type Service = WithDeadline<S>;

    fn layer(&self, inner: S) -> Self::Service {
        WithDeadline {
            inner,
            default: self.0,
        }
    }
}

impl<S: Inner> Service<Request<Bytes>> for WithDeadline<S> {
    type Response = S::Response;
    type Error = Error;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Bytes>) -> Self::Future {
        let now = Instant::now();
        let since = request.extensions().get::<Since>();
        let start = since.map_or(now, |since| since.0);
        let given = request.extensions().get::<Deadline>();
        let until = given.map_or(now + self.default, |deadline| deadline.0);
        let progress = Progress::default();
        request.extensions_mut().insert(Deadline(until));
        request.extensions_mut().insert(progress.clone());
        let answer = self.inner.clone().oneshot(request);
        Box::pin(async move {
            // A timeout polls its future at least once, which would send a late request.
            if until <= now {
                return Err(exceeded(
                    &progress,
                    "the deadline expired before the request was sent".to_owned(),
                ));
            }
            timeout_at(until, answer).await.unwrap_or_else(|_| {
                let waited = start.elapsed().as_secs_f64();
                Err(exceeded(
                    &progress,
                    format!("no usable response within {waited:.1} s"),
                ))
            })
        })
    }
}

fn exceeded(progress: &Progress, reason: String) -> Error {
    let (attempts, last) = progress.take();
    Error::new(
        ErrorKind::Deadline,
        Failure {
            attempts,
            reason: Some(reason),
            hint: Some("try again later or increase the deadline".to_owned()),
            source: last.map(Into::into),
            ..Failure::default()
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::testing::{get, ok, pair};

    const DEFAULT: DeadlineLayer = DeadlineLayer(Duration::from_secs(300));

    #[tokio::test(start_paused = true)]
    async fn a_call_without_deadline_ends_after_the_default() {
        let (inner, mut manager) = pair();
        let answer = tokio::spawn(DEFAULT.layer(inner).oneshot(get("/x")));
        let start = Instant::now();
        let (request, _reply) = manager.next_request().await.unwrap();
        assert_eq!(
            request.extensions().get::<Deadline>().unwrap().0,
            start + DEFAULT.0
        );
        let error = answer.await.unwrap().unwrap_err();
        assert_eq!(start.elapsed(), DEFAULT.0);
        assert_eq!(
            error.to_string(),
            "deadline exceeded: request: no usable response within 300.0 s; try again later or increase the deadline"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn the_deadline_of_the_request_wins() {
        let (inner, mut manager) = pair();
        let start = Instant::now();
        let mut request = get("/x");
        request
            .extensions_mut()
            .insert(Deadline(start + Duration::from_secs(5)));
        let answer = tokio::spawn(DEFAULT.layer(inner).oneshot(request));
        let _pending = manager.next_request().await.unwrap();
        assert!(matches!(&answer.await.unwrap(), Err(error) if error.kind() == ErrorKind::Deadline));
        assert_eq!(start.elapsed(), Duration::from_secs(5));
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_failure_is_the_cause() {
        let (inner, mut manager) = pair();
        let answer = tokio::spawn(DEFAULT.layer(inner).oneshot(get("/x")));
        let (request, _reply) = manager.next_request().await.unwrap();
        let progress = request.extensions().get::<Progress>().unwrap();
        progress.begins(2);
        progress.sent();
        progress.failed(Some(Error::new(
            ErrorKind::Unavailable,
            Failure::default().reason("restarting"),
        )));
        let error = answer.await.unwrap().unwrap_err();
        assert_eq!(error.failure().attempts, 2);
        let cause = error.failure().source.as_ref().unwrap();
        assert_eq!(cause.to_string(), "manager unavailable: request: restarting");
        assert!(cause.source().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_sent_after_the_deadline() {
        let (inner, mut manager) = pair();
        let mut request = get("/x");
        request.extensions_mut().insert(Deadline(Instant::now()));
        let error = DEFAULT.layer(inner).oneshot(request).await.unwrap_err();
        assert!(
            error.to_string().contains("before the request was sent"),
            "{error}"
        );
        assert!(manager.next_request().await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_in_time_passes() {
        let (inner, mut manager) = pair();
        let answer = tokio::spawn(DEFAULT.layer(inner).oneshot(get("/x")));
        manager.next_request().await.unwrap().1.send_response(ok());
        assert!(answer.await.unwrap().is_ok());
    }
}
