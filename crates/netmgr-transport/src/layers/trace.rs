//! One span per call and one event at its end: method, path, attempts, status, bytes and time.
//!
//! Query values, bodies and credentials are never logged.

use std::convert::Infallible;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use tower::util::BoxCloneSyncService;
use tower::{Layer, ServiceExt};
use tower_http::classify::ServerErrorsFailureClass;
use tower_http::trace::TraceLayer;
use tracing::field::Empty;
use tracing::{Span, debug, debug_span};

use crate::Error;
use crate::service::{BoxStack, Inner};

/// Wraps `service` in a span to which inner layers can add.
pub(crate) fn trace<S: Inner>(service: S) -> BoxStack {
    // tower-http requires a `Body`, which `Full` implements for bytes in memory.
    let service = service
        .map_request(|request: Request<Full<Bytes>>| {
            request.map(|body| body.into_inner().unwrap_or_default())
        })
        .map_response(|reply| reply.map(Full::new));
    let traced = TraceLayer::new_for_http()
        .make_span_with(|request: &Request<Full<Bytes>>| {
            debug_span!("request", method = %request.method(), path = %request.uri().path(), attempts = Empty)
        })
        .on_request(())
        .on_response(|reply: &Response<Full<Bytes>>, elapsed: Duration, _: &Span| {
            debug!(
                status = reply.status().as_u16(),
                bytes = reply.body().size_hint().lower(),
                elapsed_ms = elapsed.as_millis(),
                "answered"
            );
        })
        .on_body_chunk(())
        .on_eos(())
        .on_failure(|class: ServerErrorsFailureClass, elapsed: Duration, _: &Span| {
            // Failing statuses are logged as responses, and the text of an error may quote a body.
            if let ServerErrorsFailureClass::Error(_) = class {
                debug!(elapsed_ms = elapsed.as_millis(), "failed");
            }
        })
        .layer(service)
        .and_then(in_memory)
        .map_request(|request: Request<Bytes>| request.map(Full::new));
    BoxCloneSyncService::new(traced)
}

async fn in_memory<B>(reply: Response<B>) -> Result<Response<Bytes>, Error>
where
    B: Body<Data = Bytes, Error = Infallible>,
{
    let (parts, body) = reply.into_parts();
    let body = body.collect().await.unwrap_or_else(|never| match never {});
    Ok(Response::from_parts(parts, body.to_bytes()))
}

#[cfg(test)]
mod tests;
