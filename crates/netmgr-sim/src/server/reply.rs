//! A reply before it is put on the wire: status, headers and one of three kinds of content. What a fault does to
//! the bytes on the wire (cutting them short) happens here too, because only here their length is known.

use std::io;

use bytes::Bytes;
use futures_util::stream;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use http_body::Frame;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use serde_json::Value;

use super::ids;

/// Response body as hyper sends it.
pub(crate) type Body = UnsyncBoxBody<Bytes, io::Error>;

const JSON: HeaderValue = HeaderValue::from_static("application/json;charset=UTF-8");
const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=UTF-8");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-nsx-requestid");

/// What the server answers.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    /// Beside content type, length and request id, which are added when the reply is sent.
    pub(crate) headers: HeaderMap,
    pub(crate) content: Content,
}

/// Content of a reply.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    Empty,
    Json(Value),
    Html(String),
}

impl Reply {
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

    /// A page as a proxy in front of the manager writes it.
    pub(crate) fn html(status: StatusCode) -> Self {
        let title = format!(
            "{} {}",
            status.as_u16(),
            status.canonical_reason().unwrap_or("Reply")
        );
        let page = format!(
            "<html>\n<head><title>{title}</title></head>\n<body><center><h1>{title}</h1></center></body>\n</html>\n"
        );
        Self {
            status,
            headers: HeaderMap::new(),
            content: Content::Html(page),
        }
    }

    pub(crate) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.append(name, value);
        self
    }

    /// The response to send. Headers of the reply win over those that are added here. With `truncated`, half of the
    /// content is sent under the length of the whole and then the body fails, which ends the connection (HTTP/1.1)
    /// or the stream (HTTP/2).
    pub(crate) fn into_response(self, truncated: bool) -> Response<Body> {
        let (content_type, bytes) = match self.content {
            Content::Empty => (None, Bytes::new()),
            Content::Json(body) => (Some(JSON), Bytes::from(body.to_string())),
            Content::Html(page) => (Some(HTML), Bytes::from(page)),
        };
        let length = bytes.len();
        let body = if truncated {
            cut(bytes)
        } else {
            Full::new(bytes).map_err(|never| match never {}).boxed_unsync()
        };
        let mut response = Response::new(body);
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        *headers = self.headers;
        if let Some(content_type) = content_type {
            headers.entry(CONTENT_TYPE).or_insert(content_type);
        }
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
        let id = HeaderValue::try_from(ids::uuid()).expect("a UUID is visible ASCII");
        headers.entry(REQUEST_ID).or_insert(id);
        response
    }
}

/// The first half of the bytes, then an error.
fn cut(bytes: Bytes) -> Body {
    let half = bytes.slice(..bytes.len() / 2);
    let frames = stream::unfold(Some(Some(half)), |state| async move {
        match state? {
            Some(half) => Some((Ok(Frame::data(half)), Some(None))),
            None => {
                // Gives the connection a turn to send what it holds before the error drops it.
                tokio::task::yield_now().await;
                Some((Err(io::Error::from(io::ErrorKind::ConnectionAborted)), None))
            }
        }
    });
    StreamBody::new(frames).boxed_unsync()
}
