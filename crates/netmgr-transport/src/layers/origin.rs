//! Adds the request to its reply or failure: method, host and path.
//!
//! It is below authentication, so that a failed login is reported as a login and not as the request that
//! required it.

use std::task::{Context, Poll};

use bytes::Bytes;
use http::Request;
use tower::{Layer, Service};

use super::base_uri::Base;
use super::{Answer, Inner};
use crate::error::Origin;
use crate::{Error, RequestLine};

/// Layer of [`Named`].
#[derive(Debug, Clone)]
pub(crate) struct OriginLayer(pub(crate) Base);

/// See the module documentation.
#[derive(Debug, Clone)]
pub(crate) struct Named<S> {
    inner: S,
    base: Base,
}

impl<S> Layer<S> for OriginLayer {
    type Service = Named<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Named {
            inner,
            base: self.0.clone(),
        }
    }
}

impl<S> Named<S> {
    fn request_line(&self, request: &Request<Bytes>) -> RequestLine {
        let (host, prefix) = match request.uri().authority() {
            Some(authority) => (authority.as_str(), ""),
            None => (self.base.authority(), self.base.prefix()),
        };
        RequestLine {
            method: request.method().clone(),
            host: host.to_owned(),
            path: format!("{prefix}{}", request.uri().path()),
        }
    }
}

impl<S: Inner> Service<Request<Bytes>> for Named<S> {
    type Response = S::Response;
    type Error = Error;
    type Future = Answer;

    /// Ready when the governor below has a slot.
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let request_line = self.request_line(&request);
        let answer = self.inner.call(request);
        Box::pin(async move {
            match answer.await {
                Ok(mut reply) => {
                    reply.extensions_mut().insert(Origin(request_line));
                    Ok(reply)
                }
                Err(mut error) => {
                    error.failure_mut().request_line.get_or_insert(request_line);
                    Err(error)
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use netmgr_types::Host;
    use tower::ServiceExt;

    use super::*;
    use crate::ErrorKind;
    use crate::layers::testing::{get, ok, pair};

    fn layer() -> OriginLayer {
        let host = Host::parse("mgr:8443/prefix").unwrap();
        OriginLayer(Base::new(&host).unwrap())
    }

    #[tokio::test]
    async fn a_reply_tells_what_it_answers_without_the_query() {
        let (inner, mut manager) = pair();
        let answer = tokio::spawn(layer().layer(inner).oneshot(get("/api/x?secret=1")));
        manager.next_request().await.unwrap().1.send_response(ok());
        let reply = answer.await.unwrap().unwrap();
        let Origin(request_line) = reply.extensions().get::<Origin>().unwrap();
        assert_eq!(request_line.to_string(), "GET /prefix/api/x on mgr:8443");
    }

    #[tokio::test]
    async fn a_failure_of_another_host_names_that_host() {
        let (inner, mut manager) = pair();
        let exchange = get("https://console.example.com/authorize?token=1");
        let answer = tokio::spawn(layer().layer(inner).oneshot(exchange));
        let failure = Error::from(ErrorKind::Connect);
        manager.next_request().await.unwrap().1.send_error(failure);
        let error = answer.await.unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            "connection failed: GET /authorize on console.example.com"
        );
    }
}
