//! Replies before they are sent: status, headers and content. Faults that truncate bodies are applied here,
//! because the length is known here.

use std::io;

use bytes::Bytes;
use futures_util::future::ready;
use futures_util::stream::{self, StreamExt};
use http::header::{
    ALLOW, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
};
use http::{Response, StatusCode, Version};
use http_body::Frame;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use serde_json::Value;

use super::connection::Reset;
use super::ids;
use crate::manager_error::ManagerError;

/// Response body as hyper sends it.
pub(crate) type Body = UnsyncBoxBody<Bytes, io::Error>;

const JSON: HeaderValue = HeaderValue::from_static("application/json;charset=UTF-8");
const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=UTF-8");
const TEXT: HeaderValue = HeaderValue::from_static("text/plain");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-nsx-requestid");

/// A reply of the server.
#[derive(Debug, Clone)]
pub(crate) struct HttpReply {
    pub(crate) status: StatusCode,
    /// Headers in addition to content type, length and request id, which are added when the reply is sent.
    pub(crate) headers: HeaderMap,
    pub(crate) content: Content,
}

/// Failure of the transfer of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransferFault {
    /// The connection is reset before anything is sent.
    Reset,
    /// The connection is reset after half of the body.
    ResetInBody,
    /// Half of the body is sent under the length of the whole.
    Short,
    /// Half of the body is sent without a length, and ends like a complete one if the protocol allows it.
    Unsized,
    /// The body is corrupt gzip.
    CorruptGzip,
}

/// Content of a reply.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    Empty,
    Json(Value),
    Html(String),
    Text(String),
}

impl HttpReply {
    pub(crate) fn empty(status: StatusCode) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            content: Content::Empty,
        }
    }

    pub(crate) fn json(status: StatusCode, body: Value) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            content: Content::Json(body),
        }
    }

    pub(crate) fn error(error: &ManagerError) -> Self {
        let reply = Self::json(error.status, error.body());
        match error.allowed_methods {
            Some(methods) => reply.with_header(ALLOW, HeaderValue::from_static(methods)),
            None => reply,
        }
    }

    /// A page as a proxy in front of the manager writes it.
    pub(crate) fn html(status: StatusCode) -> Self {
        let title = title(status);
        let page = format!(
            "<html>\n<head><title>{title}</title></head>\n<body><center><h1>{title}</h1></center></body>\n</html>\n"
        );
        Self {
            status,
            headers: HeaderMap::new(),
            content: Content::Html(page),
        }
    }

    /// One line of text.
    pub(crate) fn text(status: StatusCode) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            content: Content::Text(title(status)),
        }
    }

    pub(crate) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.append(name, value);
        self
    }

    /// The response to a request of `version`, on a connection that `reset` ends. Headers of the reply take
    /// precedence over those that are added here.
    pub(crate) fn into_response(
        self,
        fault: Option<TransferFault>,
        version: Version,
        reset: &Reset,
    ) -> Response<Body> {
        let (content_type, bytes) = match self.content {
            Content::Empty => (None, Bytes::new()),
            Content::Json(body) => (Some(JSON), Bytes::from(body.to_string())),
            Content::Html(page) => (Some(HTML), Bytes::from(page)),
            Content::Text(text) => (Some(TEXT), Bytes::from(text)),
        };
        let mut response = Response::new(());
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        *headers = self.headers;
        if let Some(content_type) = content_type {
            headers.entry(CONTENT_TYPE).or_insert(content_type);
        }
        headers.insert(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        let id = HeaderValue::try_from(ids::uuid()).expect("a UUID is visible ASCII");
        headers.entry(REQUEST_ID).or_insert(id);
        let half = bytes.slice(..bytes.len() / 2);
        let body = match fault {
            None | Some(TransferFault::Reset) => whole(bytes),
            Some(TransferFault::Short) => cut(half, BodyEnd::Failure),
            Some(TransferFault::ResetInBody) => cut(half, BodyEnd::Reset(reset.clone())),
            Some(TransferFault::Unsized) => {
                headers.remove(CONTENT_LENGTH);
                if version == Version::HTTP_2 {
                    // HTTP/2 marks the end of a body, so a truncated body can be recognized.
                    cut(half, BodyEnd::Failure)
                } else {
                    // The connection ends a body of HTTP/1.0.
                    *response.version_mut() = Version::HTTP_10;
                    cut(half, BodyEnd::Quiet)
                }
            }
            Some(TransferFault::CorruptGzip) => {
                headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                headers.insert(CONTENT_LENGTH, HeaderValue::from(CORRUPT_GZIP.len()));
                whole(Bytes::from_static(CORRUPT_GZIP))
            }
        };
        response.map(|()| body)
    }
}

/// A header of gzip, and a block of a kind that does not exist.
const CORRUPT_GZIP: &[u8] = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x07\x07\x07\x07";

fn title(status: StatusCode) -> String {
    let reason = status.canonical_reason().unwrap_or("Reply");
    format!("{} {reason}", status.as_u16())
}

fn whole(bytes: Bytes) -> Body {
    Full::new(bytes).map_err(|never| match never {}).boxed_unsync()
}

/// End of a truncated body.
enum BodyEnd {
    /// Like a complete body.
    Quiet,
    /// With an error, which ends the connection (HTTP/1.1) or the stream (HTTP/2).
    Failure,
    /// With a reset of the connection.
    Reset(Reset),
}

/// These bytes and this end.
fn cut(bytes: Bytes, end: BodyEnd) -> Body {
    let ending = stream::once(async move {
        // Let the connection send its buffer before it ends.
        tokio::task::yield_now().await;
        match end {
            BodyEnd::Quiet => None,
            BodyEnd::Failure => Some(Err(io::Error::from(io::ErrorKind::ConnectionAborted))),
            BodyEnd::Reset(reset) => {
                reset.now();
                std::future::pending().await
            }
        }
    });
    let frames = stream::once(async { Ok(Frame::data(bytes)) }).chain(ending.filter_map(ready));
    StreamBody::new(frames).boxed_unsync()
}
