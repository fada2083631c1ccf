//! Sends requests. The only module that uses reqwest and rustls.
//!
//! Redirects are not followed, so that credentials are only sent to the configured host.

use std::io;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, Method, Request, Response, Uri, Version};
use netmgr_types::{Host, TlsSettings};
use serde::de::IgnoredAny;
use tokio::task::yield_now;
use tower::Service;
use tower::util::BoxCloneSyncService;

use crate::Error;
use crate::call_context::CallContext;
use crate::service::{BoxStack, Outcome};

mod certificate;
mod connections;
mod failure;
mod identity;
mod pem;
pub(crate) mod probe;
pub(crate) mod proxy;
mod renewal;
mod tls;
mod verifier;

use connections::Connections;

/// Settings of the leaf.
pub(crate) struct LeafSettings<'a> {
    pub(crate) tls: &'a TlsSettings,
    pub(crate) host: &'a Host,
    pub(crate) connect_timeout: Duration,
    /// Maximum number of idle connections.
    pub(crate) most_idle: u32,
}

const IDLE: Duration = Duration::from_secs(90);
const KEEPALIVE: Duration = Duration::from_secs(30);
/// Interval of HTTP/2 pings, and their timeout (decision limits).
#[cfg(feature = "http2")]
const PING: Duration = Duration::from_secs(10);
/// Number of times that other tasks run after a reply: one for the connection, one for the pool.
const RETURN_YIELDS: u32 = 2;
/// Maximum length of an uncompressed body in bytes: a page of 1000 objects of 64 KiB each (decision limits).
const LARGEST_BODY: usize = 64 << 20;

/// Creates a service that sends requests with absolute URIs over HTTP/2 or HTTP/1.1. Also returns the proxy in front of
/// the manager, for messages.
///
/// # Errors
///
/// [`ErrorKind::Config`](crate::ErrorKind::Config) if the TLS settings or the proxy are invalid.
pub(crate) fn http(settings: &LeafSettings<'_>) -> Result<(BoxStack, Option<String>), Error> {
    let proxy = proxy::of(&address_of(settings.host)?)?;
    let tls = tls::client_config(settings.tls, None)?;
    let connect_timeout = settings.connect_timeout;
    let most_idle = settings.most_idle as usize;
    let open = move || {
        let builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls.clone())
            .redirect(reqwest::redirect::Policy::none())
            .proxy(proxy::for_reqwest())
            .connect_timeout(connect_timeout)
            .tcp_keepalive(KEEPALIVE)
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(most_idle)
            .user_agent(concat!("netmgr/", env!("CARGO_PKG_VERSION")));
        #[cfg(feature = "http2")]
        let builder = builder
            .http2_keep_alive_interval(PING)
            .http2_keep_alive_timeout(PING)
            .http2_keep_alive_while_idle(true);
        builder.build()
    };
    let connections = Connections::try_new(open).map_err(|cause| {
        let reason = "the HTTP client cannot be created from the settings";
        Error::config("host", reason, Some(cause.into()))
    })?;
    let leaf = BoxCloneSyncService::new(Leaf {
        connections,
        connect_timeout,
        shows_certificate: settings.tls.identity.is_some(),
    });
    Ok((leaf, proxy.map(|proxy| proxy.to_string())))
}

/// The address of a manager, which determines its proxy.
fn address_of(host: &Host) -> Result<Uri, Error> {
    let address = host.base_url().parse();
    address.map_err(|cause: http::uri::InvalidUri| {
        Error::config("host", "cannot be used in a URL", Some(cause.into()))
    })
}

#[derive(Clone)]
struct Leaf {
    connections: Arc<Connections>,
    connect_timeout: Duration,
    shows_certificate: bool,
}

impl Service<Request<Bytes>> for Leaf {
    type Response = Response<Bytes>;
    type Error = Error;
    type Future = BoxFuture<'static, Outcome>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let leaf = self.clone();
        Box::pin(async move {
            // Also that of the token exchange of the hosted cloud.
            let proxy = proxy::of(request.uri())?;
            let lease = leaf.connections.lease(CallContext::of(&request));
            let answer = exchange(&lease.http, request).await;
            answer.map_err(|end| match end {
                End::TooLarge => failure::too_large(LARGEST_BODY),
                End::CutOff => failure::cut_off(),
                End::Corrupt(cause) => failure::corrupt(cause),
                End::Failed(cause) => failure::from_reqwest(
                    cause,
                    leaf.connect_timeout,
                    leaf.shows_certificate,
                    proxy.as_ref(),
                ),
            })
        })
    }
}

/// Reason why a reply is incomplete.
enum End {
    /// The body is larger than [`LARGEST_BODY`].
    TooLarge,
    /// The connection was closed in the middle of a body without a length.
    CutOff,
    /// The body cannot be decompressed.
    #[cfg_attr(not(feature = "gzip"), expect(dead_code, reason = "nothing is decompressed"))]
    Corrupt(io::Error),
    Failed(reqwest::Error),
}

impl From<reqwest::Error> for End {
    fn from(cause: reqwest::Error) -> Self {
        Self::Failed(cause)
    }
}

/// Sends a request and reads the complete reply. A truncated body is an error. If only the end of the
/// connection delimits a body, its JSON determines whether it is complete, because many servers omit the TLS
/// close notification, and a truncated body may have one.
async fn exchange(http: &reqwest::Client, request: Request<Bytes>) -> Result<Response<Bytes>, End> {
    let is_read = request.method() == Method::GET;
    let mut answer = http.execute(request.try_into()?).await?;
    let mut reply = Response::new(Bytes::new());
    *reply.status_mut() = answer.status();
    *reply.version_mut() = answer.version();
    std::mem::swap(reply.headers_mut(), answer.headers_mut());
    let announced = answer.content_length().unwrap_or_default();
    let mut body = Vec::new();
    let is_read = is_read && reply.status().is_success();
    // HTTP/2 marks the end of a body itself.
    let is_delimited = reply.version() == Version::HTTP_2
        || announced > 0
        || [CONTENT_LENGTH, TRANSFER_ENCODING]
            .iter()
            .any(|header| reply.headers().contains_key(header));
    loop {
        let chunk = match answer.chunk().await {
            Ok(Some(chunk)) => chunk,
            Ok(None) if !is_delimited && is_cut_off(&body, is_read) => return Err(End::CutOff),
            Ok(None) => break,
            Err(cause) if !is_delimited && failure::is_end(&cause) && is_whole(&body, is_read) => break,
            Err(cause) => return Err(cause.into()),
        };
        if body.len() + chunk.len() > LARGEST_BODY {
            return Err(End::TooLarge);
        }
        if body.is_empty() {
            body.reserve_exact(announced.min(LARGEST_BODY as u64) as usize);
        }
        body.extend_from_slice(&chunk);
    }
    *reply.body_mut() = decoded(reply.headers(), body)?.into();
    // The connection returns to the pool in separate tasks. The next request must find it there, because it
    // would open another one.
    for _ in 0..RETURN_YIELDS {
        yield_now().await;
    }
    Ok(reply)
}

/// The unchanged body, because no compressed replies were requested.
#[cfg(not(feature = "gzip"))]
fn decoded(_: &HeaderMap, body: Vec<u8>) -> Result<Vec<u8>, End> {
    Ok(body)
}

/// Decodes a body whose encoding is not in lower case, which reqwest does not recognize.
#[cfg(feature = "gzip")]
fn decoded(headers: &HeaderMap, body: Vec<u8>) -> Result<Vec<u8>, End> {
    use std::io::Read as _;

    let encoding = headers.get(http::header::CONTENT_ENCODING);
    if !encoding.is_some_and(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"gzip")) {
        return Ok(body);
    }
    let mut decoded = Vec::new();
    let mut decoder = flate2::read::MultiGzDecoder::new(body.as_slice()).take(LARGEST_BODY as u64 + 1);
    decoder.read_to_end(&mut decoded).map_err(End::Corrupt)?;
    match decoded.len() > LARGEST_BODY {
        true => Err(End::TooLarge),
        false => Ok(decoded),
    }
}

/// Whether `body` is complete, which its JSON determines. Logins and failures (`!is_read`) may have no body,
/// or a page of which only the first line matters.
fn is_whole(body: &[u8], is_read: bool) -> bool {
    !must_be_json(body, is_read) || serde_json::from_slice::<IgnoredAny>(body).is_ok()
}

/// Whether `body` is truncated JSON.
fn is_cut_off(body: &[u8], is_read: bool) -> bool {
    must_be_json(body, is_read)
        && serde_json::from_slice::<IgnoredAny>(body).is_err_and(|error| error.is_eof())
}

fn must_be_json(body: &[u8], is_read: bool) -> bool {
    is_read || body.starts_with(b"{")
}
