//! Adds the request to its reply or failure: method, host and path.
//!
//! It is below authentication, so that a failed login is reported as a login and not as the request that
//! required it.

use bytes::Bytes;
use http::Request;
use tower::{ServiceExt, service_fn};

use super::base_uri::Base;
use crate::RequestLine;
use crate::call_context::ReplyContext;
use crate::service::Inner;

/// Adds each request of `inner` to its result. Paths are below `base`.
pub(crate) fn origin(inner: impl Inner, base: Base) -> impl Inner {
    service_fn(move |request: Request<Bytes>| {
        let request_line = request_line(&base, &request);
        let exchange = inner.clone().oneshot(request);
        async move {
            match exchange.await {
                Ok(mut reply) => {
                    ReplyContext::of_mut(&mut reply).request_line = Some(request_line);
                    Ok(reply)
                }
                Err(mut error) => {
                    error.failure_mut().request_line.get_or_insert(request_line);
                    Err(error)
                }
            }
        }
    })
}

fn request_line(base: &Base, request: &Request<Bytes>) -> RequestLine {
    let (host, prefix) = match request.uri().authority() {
        Some(authority) => (authority.as_str(), ""),
        None => (base.authority(), base.prefix()),
    };
    RequestLine {
        method: request.method().clone(),
        host: host.to_owned(),
        path: format!("{prefix}{}", request.uri().path()),
    }
}

#[cfg(test)]
mod tests {
    use netmgr_types::Host;

    use super::*;
    use crate::layers::testing::{get, ok, pair};
    use crate::{Error, ErrorKind};

    fn base() -> Base {
        Base::new(&Host::parse("mgr:8443/prefix").unwrap()).unwrap()
    }

    #[tokio::test]
    async fn a_reply_reports_what_it_answers_without_the_query() {
        let (inner, mut manager) = pair();
        let answer = tokio::spawn(origin(inner, base()).oneshot(get("/api/x?secret=1")));
        manager.next_request().await.unwrap().1.send_response(ok());
        let reply = answer.await.unwrap().unwrap();
        let request_line = ReplyContext::of(&reply).request_line.unwrap();
        assert_eq!(request_line.to_string(), "GET /prefix/api/x on mgr:8443");
    }

    #[tokio::test]
    async fn a_failure_of_another_host_names_that_host() {
        let (inner, mut manager) = pair();
        let exchange = get("https://console.example.com/authorize?token=1");
        let answer = tokio::spawn(origin(inner, base()).oneshot(exchange));
        let failure = Error::from(ErrorKind::Connect);
        manager.next_request().await.unwrap().1.send_error(failure);
        let error = answer.await.unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            "connection failed: GET /authorize on console.example.com"
        );
    }
}
