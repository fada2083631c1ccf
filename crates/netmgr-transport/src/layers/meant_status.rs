//! Replaces the status of a successful reply with the status that its body means: an error object, or an
//! expired session.
//!
//! It is below all layers that check the status, so that authentication renews the session, transient errors
//! are retried, and errors are classified correctly.

use bytes::Bytes;
use http::Request;
use tower::{ServiceExt, service_fn};

use crate::call_context::ReplyContext;
use crate::classify::meant_by_body;
use crate::service::Inner;

/// Replaces the status of successful replies of `inner` with the status that their bodies mean.
pub(crate) fn meant_status(inner: impl Inner) -> impl Inner {
    service_fn(move |request: Request<Bytes>| {
        let exchange = inner.clone().oneshot(request);
        async move {
            let mut reply = exchange.await?;
            if reply.status().is_success()
                && let Some(meant) = meant_by_body(reply.body())
            {
                let sent = std::mem::replace(reply.status_mut(), meant);
                ReplyContext::of_mut(&mut reply).sent_as = Some(sent);
            }
            Ok(reply)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::classify::classify;
    use crate::layers::testing::{get, pair, reply};

    async fn seen(body: &'static str) -> http::Response<Bytes> {
        let (inner, mut manager) = pair();
        let answer = tokio::spawn(meant_status(inner).oneshot(get("/x")));
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
        assert_eq!(ReplyContext::of(&reply).sent_as, None);
    }
}
