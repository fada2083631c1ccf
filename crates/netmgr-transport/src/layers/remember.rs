//! Records all credentials in requests and replies as secrets, so that no text shows them: authentication
//! headers, cookies and tokens.
//!
//! It is the innermost layer, so that it sees all requests and replies.

use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{AUTHORIZATION, COOKIE, HeaderName, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Request};
use tower::{Layer, Service, ServiceExt};

use super::{Answer, Inner};
use crate::Error;
use crate::known_secrets::KnownSecrets;

/// Layer of [`Remember`].
#[derive(Debug, Clone)]
pub(crate) struct RememberLayer(pub(crate) KnownSecrets);

/// See the module documentation.
#[derive(Debug, Clone)]
pub(crate) struct Remember<S> {
    inner: S,
    secrets: KnownSecrets,
}

impl<S> Layer<S> for RememberLayer {
    type Service = Remember<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Remember {
            inner,
            secrets: self.0.clone(),
        }
    }
}

impl<S: Inner> Service<Request<Bytes>> for Remember<S> {
    type Response = S::Response;
    type Error = Error;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        remember(&self.secrets, request.headers());
        let secrets = self.secrets.clone();
        let answer = self.inner.clone().oneshot(request);
        Box::pin(async move {
            let reply = answer.await?;
            remember(&secrets, reply.headers());
            Ok(reply)
        })
    }
}

fn remember(secrets: &KnownSecrets, headers: &HeaderMap) {
    for (name, value) in headers {
        let text = String::from_utf8_lossy(value.as_bytes());
        match *name {
            // The text after the scheme.
            AUTHORIZATION => secrets.remember(text.split_once(' ').map_or(&*text, |(_, secret)| secret)),
            COOKIE => text
                .split(';')
                .for_each(|cookie| remember_cookie(secrets, cookie)),
            SET_COOKIE => remember_cookie(secrets, text.split(';').next().unwrap_or_default()),
            _ if is_credential(name, value) => secrets.remember(&text),
            _ => {}
        }
    }
}

fn remember_cookie(secrets: &KnownSecrets, cookie: &str) {
    if let Some((_, value)) = cookie.split_once('=') {
        secrets.remember(value.trim());
    }
}

fn is_credential(name: &HeaderName, value: &HeaderValue) -> bool {
    value.is_sensitive() || matches!(name.as_str(), "x-xsrf-token" | "csp-auth-token")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::testing::{get, ok, pair};
    use crate::testing::connection;

    #[tokio::test]
    async fn what_authenticates_a_request_and_what_a_reply_issues_is_remembered() {
        let secrets = KnownSecrets::of(&connection());
        let (inner, mut manager) = pair();
        let mut request = get("/x");
        for (name, value) in [
            ("authorization", "Basic YWRtaW46aHVudGVyMg=="),
            ("cookie", "JSESSIONID=sent-session; route=sent-route"),
            ("x-xsrf-token", "sent-xsrf"),
            ("csp-auth-token", "sent-token"),
            ("accept", "application/json"),
        ] {
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        let answer = tokio::spawn(RememberLayer(secrets.clone()).layer(inner).oneshot(request));
        let (_, reply) = manager.next_request().await.unwrap();
        let mut set = ok();
        for (name, value) in [
            ("set-cookie", "JSESSIONID=issued-session; Path=/; Secure"),
            ("set-cookie", "route=issued-route"),
            ("x-xsrf-token", "issued-xsrf"),
            ("server", "manager"),
        ] {
            set.headers_mut().append(name, value.parse().unwrap());
        }
        reply.send_response(set);
        answer.await.unwrap().unwrap();
        let text = "YWRtaW46aHVudGVyMg%3d%3d sent-session sent-route sent-xsrf sent-token \
                    issued-session issued-route issued-xsrf application/json manager Secure";
        assert_eq!(
            secrets.all().shown(text),
            "[redacted] [redacted] [redacted] [redacted] [redacted] [redacted] [redacted] [redacted] \
             application/json manager Secure"
        );
    }
}
