//! Replaces the status of a successful reply with the status that its body means: an error object, or an
//! expired session.
//!
//! It is below all layers that check the status, so that authentication renews the session, transient errors
//! are retried, and errors are classified correctly.

use std::task::{Context, Poll};

use bytes::Bytes;
use http::Request;
use tower::{Layer, Service, ServiceExt};

use super::{Answer, Inner};
use crate::Error;
use crate::classify::{SentAs, meant_status};

/// Layer of [`MeantStatus`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct MeantStatusLayer;

/// See the module documentation.
#[derive(Debug, Clone)]
pub(crate) struct MeantStatus<S>(S);

impl<S> Layer<S> for MeantStatusLayer {
    type Service = MeantStatus<S>;

    fn layer(&self, inner: S) -> Self::Service {
        MeantStatus(inner)
    }
}

impl<S: Inner> Service<Request<Bytes>> for MeantStatus<S> {
    type Response = S::Response;
    type Error = Error;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let answer = self.0.clone().oneshot(request);
        Box::pin(async move {
            let mut reply = answer.await?;
            if reply.status().is_success()
                && let Some(meant) = meant_status(reply.body())
            {
                let sent = std::mem::replace(reply.status_mut(), meant);
                reply.extensions_mut().insert(SentAs(sent));
            }
            Ok(reply)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::classify::classify;
    use crate::layers::testing::{get, pair, reply};

    async fn seen(body: &'static str) -> http::Response<Bytes> {
        let (inner, mut manager) = pair();
        let answer = tokio::spawn(MeantStatusLayer.layer(inner).oneshot(get("/x")));
        manager
            .next_request()
            .await
            .unwrap()
            .1
            .send_response(reply(200, body));
        answer.await.unwrap().unwrap()
    }

    #[tokio::test]
    async fn an_error_object_in_a_success_is_the_error_that_it_is() {
        let reply =
            seen(r#"{"httpStatus":"NOT_FOUND","error_code":600,"error_message":"No such object."}"#).await;
        let error = classify(&reply);
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert_eq!(
            error.to_string(),
            "not found: request returned 404 Not Found: the manager sent this error with status 200 OK: \
             No such object (error_code 600)"
        );
    }

    #[tokio::test]
    async fn a_redirect_url_in_a_success_is_an_ended_session() {
        let error = classify(&seen(r#"{"redirectUrl":"https://mgr/login.jsp?token=1"}"#).await);
        assert_eq!(error.kind(), ErrorKind::Unauthenticated);
        assert_eq!(
            error.to_string(),
            "the manager rejected the login: request returned 403 Forbidden: the manager sent status \
             200 OK with only a redirect to the login page https://mgr/login.jsp; the session has expired or the login was \
             rejected; check the credentials"
        );
    }

    #[tokio::test]
    async fn an_answer_passes_as_it_is() {
        let reply = seen(r#"{"results":[]}"#).await;
        assert_eq!(reply.status(), 200);
        assert!(reply.extensions().get::<SentAs>().is_none());
    }
}
