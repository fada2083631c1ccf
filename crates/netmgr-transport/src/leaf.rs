//! Sends requests: the only place that names reqwest and rustls.
//!
//! Not here: retries, limits, credentials. Redirects are never followed: credentials stay with the
//! configured host.

use std::net::IpAddr;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{Method, Request, Response};
use netmgr_types::{Host, TlsSettings};
use serde::de::IgnoredAny;
use tower::Service;
use tower::util::BoxCloneSyncService;

use crate::layers::Answer;
use crate::{Error, Stack};

mod certificate;
mod failure;
mod pem;
mod tls;
mod verifier;

/// What the leaf needs to know.
pub(crate) struct LeafSettings<'a> {
    pub(crate) tls: &'a TlsSettings,
    pub(crate) host: &'a Host,
    pub(crate) connect_timeout: Duration,
    /// Connections kept open for the next request.
    pub(crate) most_idle: u32,
}

const IDLE: Duration = Duration::from_secs(90);
const KEEPALIVE: Duration = Duration::from_secs(30);
/// The largest body that is read, unpacked, in bytes: a page of 1000 objects of 64 KiB each. What
/// answers with more is no manager (0026).
const LARGEST_BODY: usize = 64 << 20;

/// A service that sends requests with absolute URIs over HTTP/2 or HTTP/1.1.
///
/// # Errors
///
/// [`Error::Config`] when the TLS settings cannot be used.
pub(crate) fn http(settings: &LeafSettings<'_>) -> Result<Stack, Error> {
    let mut builder = reqwest::Client::builder()
        .tls_backend_preconfigured(tls::client_config(settings.tls)?)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(settings.connect_timeout)
        .tcp_keepalive(KEEPALIVE)
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(settings.most_idle as usize)
        .user_agent(concat!("netmgr/", env!("CARGO_PKG_VERSION")));
    if is_loopback(&settings.host.name) {
        // No proxy can reach the loopback address of this machine.
        builder = builder.no_proxy();
    }
    let http = builder.build().map_err(|cause| Error::Config {
        property: "host",
        reason: "no HTTP client can be made from the settings".to_owned(),
        source: Some(cause.into()),
    })?;
    Ok(BoxCloneSyncService::new(Leaf {
        http,
        connect_timeout: settings.connect_timeout,
        shows_certificate: settings.tls.identity.is_some(),
    }))
}

fn is_loopback(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[derive(Clone)]
struct Leaf {
    http: reqwest::Client,
    connect_timeout: Duration,
    shows_certificate: bool,
}

impl Service<Request<Bytes>> for Leaf {
    type Response = Response<Bytes>;
    type Error = Error;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let leaf = self.clone();
        Box::pin(async move {
            match exchange(&leaf.http, request).await {
                Ok(Some(reply)) => Ok(reply),
                Ok(None) => Err(failure::too_large(LARGEST_BODY)),
                Err(cause) => Err(failure::from_reqwest(
                    cause,
                    leaf.connect_timeout,
                    leaf.shows_certificate,
                )),
            }
        })
    }
}

/// One request and its answer, read whole; none when its body is larger than [`LARGEST_BODY`]. A
/// body that ends early is an error; one that only the end of the connection delimits is whole when
/// [`is_whole`] says so, because servers that end bodies like this often end TLS without a farewell.
async fn exchange(
    http: &reqwest::Client,
    request: Request<Bytes>,
) -> reqwest::Result<Option<Response<Bytes>>> {
    let is_read = request.method() == Method::GET;
    let mut answer = http.execute(request.try_into()?).await?;
    let mut reply = Response::new(Bytes::new());
    *reply.status_mut() = answer.status();
    *reply.version_mut() = answer.version();
    std::mem::swap(reply.headers_mut(), answer.headers_mut());
    let announced = answer.content_length().unwrap_or_default();
    let mut body = Vec::with_capacity(announced.min(LARGEST_BODY as u64) as usize);
    let is_read = is_read && reply.status().is_success();
    let may_end_here = ![CONTENT_LENGTH, TRANSFER_ENCODING]
        .iter()
        .any(|header| reply.headers().contains_key(header));
    loop {
        let chunk = match answer.chunk().await {
            Ok(Some(chunk)) => chunk,
            Ok(None) => break,
            Err(cause) if may_end_here && failure::is_end(&cause) && is_whole(&body, is_read) => break,
            Err(cause) => return Err(cause),
        };
        if body.len() + chunk.len() > LARGEST_BODY {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    *reply.body_mut() = body.into();
    Ok(Some(reply))
}

/// Whether nothing that matters can be missing from `body`: JSON tells itself where it ends. Logins
/// and failures (`!is_read`) may have no body, or a page of which the first line is enough.
fn is_whole(body: &[u8], is_read: bool) -> bool {
    (!is_read && !body.starts_with(b"{")) || serde_json::from_slice::<IgnoredAny>(body).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_known_by_name_and_address() {
        for name in ["localhost", "127.0.0.1", "::1"] {
            assert!(is_loopback(name), "{name}");
        }
        assert!(!is_loopback("mgr.example.com"));
        assert!(!is_loopback("192.0.2.1"));
    }
}
