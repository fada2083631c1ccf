//! Records all credentials in requests and replies as secrets, so that no text shows them: authentication
//! headers, cookies and tokens.
//!
//! It is the innermost layer, so that it sees all requests and replies.

use bytes::Bytes;
use http::header::{AUTHORIZATION, COOKIE, HeaderName, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Request};
use tower::{ServiceExt, service_fn};

use crate::known_secrets::KnownSecrets;
use crate::service::Inner;

/// Adds the credentials in requests and replies of `inner` to `secrets`.
pub(crate) fn remember(inner: impl Inner, secrets: KnownSecrets) -> impl Inner {
    service_fn(move |request: Request<Bytes>| {
        remember_headers(&secrets, request.headers());
        let secrets = secrets.clone();
        let exchange = inner.clone().oneshot(request);
        async move {
            let reply = exchange.await?;
            remember_headers(&secrets, reply.headers());
            Ok(reply)
        }
    })
}

fn remember_headers(secrets: &KnownSecrets, headers: &HeaderMap) {
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
        let answer = tokio::spawn(remember(inner, secrets.clone()).oneshot(request));
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
            secrets.all().sanitized(text),
            "[redacted] [redacted] [redacted] [redacted] [redacted] [redacted] [redacted] [redacted] \
             application/json manager Secure"
        );
    }
}
