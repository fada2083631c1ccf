//! A fault: which requests go wrong, how often and how. The textual form is in `fault/text.rs`, what faults do to
//! pages of lists in `fault/page.rs`, the faults of a running simulator in `fault/armed.rs`.

use std::time::Duration;

use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use http::{Method, StatusCode};

mod armed;
mod page;
mod text;

pub(crate) use armed::Firing;
pub use armed::{FaultId, Faults};
pub use page::{CursorFault, PageFaults, ResultCountFault};
pub use text::ParseFaultError;

/// A fault: requests that match it go wrong in the ways it lists.
///
/// Built in code or from text:
///
/// ```
/// use netmgr_sim::Fault;
///
/// let built = Fault::on("/policy/api/v1/search/query").get().status(503).retry_after("1").count(2);
/// let parsed: Fault = "GET /policy/api/v1/search/query status=503 retry-after=1 count=2".parse()?;
/// assert_eq!(built, parsed);
/// # Ok::<(), netmgr_sim::ParseFaultError>(())
/// ```
///
/// The text is a method (or `*`), a path, and what goes wrong as words separated by blanks:
///
/// | Word | Effect |
/// |---|---|
/// | `count=N` | only the first N matching requests; without it, every one |
/// | `after=M` | not before M matching requests have gone through |
/// | `delay=250ms`, `delay=2s` | waits before anything else happens |
/// | `status=503` | answers with this status and a manager error body |
/// | `code=60508` | the `error_code` of that body; default 102 for 429, 600 for 404, else the status |
/// | `message=Index_rebuilding` | the `error_message` of that body; `_` stands for a blank |
/// | `body=json`, `html`, `empty` | the kind of body beside `status`; `html` alone means status 200 |
/// | `retry-after=1` | header `Retry-After`; a date is written with `_` for blanks |
/// | `header=NAME:VALUE` | any other header; `_` in the value stays as it is |
/// | `content-type=text/html` | changes the content type and nothing else |
/// | `truncate` | sends half of the body under the length of the whole |
/// | `reset` | resets the connection instead of answering |
/// | `session-loss` | ends all sessions first, as if idle for too long |
/// | `node-switch` | another node answers from here on; it knows none of the sessions |
/// | `cursor=dangling` | the last page has a cursor, which leads to an empty page |
/// | `cursor=repeat-last` | the last page repeats the cursor that led to it |
/// | `cursor=repeat` | every page after the first repeats the cursor that led to it |
/// | `result-count=absent`, `too-small`, `too-big`, `shrinking` | wrong counts |
/// | `page-size=N` | pages of at most N objects, whatever was asked for |
/// | `duplicates` | every page after the first begins with the last object of the page before |
///
/// In the path, `*` stands for any text, slashes included; without one, the path has to be equal. A path prefix of
/// the simulator is not part of it. Faults are tried in the order in which they were added and the first that
/// applies wins; one fault can have several effects.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    method: Option<Method>,
    path: String,
    after: u64,
    count: Option<u64>,
    pub(crate) delay: Option<Duration>,
    pub(crate) sessions: Option<SessionFault>,
    pub(crate) reset: bool,
    status: Option<StatusCode>,
    code: Option<u32>,
    message: Option<String>,
    body: BodyKind,
    headers: HeaderMap,
    truncate: bool,
    pages: PageFaults,
}

/// What a fault does to the sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionFault {
    Lost,
    NodeSwitched,
}

/// Body of a reply that a fault makes up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum BodyKind {
    #[default]
    Json,
    Html,
    Empty,
}

impl Fault {
    /// A fault for requests of any method to `path`, where `*` stands for any text. It does nothing yet.
    pub fn on(path: impl Into<String>) -> Self {
        Self {
            method: None,
            path: path.into(),
            after: 0,
            count: None,
            delay: None,
            sessions: None,
            reset: false,
            status: None,
            code: None,
            message: None,
            body: BodyKind::Json,
            headers: HeaderMap::new(),
            truncate: false,
            pages: PageFaults::default(),
        }
    }

    /// Only requests of this method.
    pub fn method(self, method: Method) -> Self {
        Self {
            method: Some(method),
            ..self
        }
    }

    /// Only `GET` requests.
    pub fn get(self) -> Self {
        self.method(Method::GET)
    }

    /// Lets the first `requests` that match go through.
    pub fn after(self, requests: u64) -> Self {
        Self {
            after: requests,
            ..self
        }
    }

    /// Applies to this many requests and then no more. Default: to every one.
    pub fn count(self, requests: u64) -> Self {
        Self {
            count: Some(requests),
            ..self
        }
    }

    /// Waits before anything else happens.
    pub fn delay(self, delay: Duration) -> Self {
        Self {
            delay: Some(delay),
            ..self
        }
    }

    /// Answers with this status and a manager error body.
    ///
    /// # Panics
    ///
    /// When `status` is not between 200 and 999.
    pub fn status(self, status: u16) -> Self {
        let status = StatusCode::from_u16(status)
            .ok()
            .filter(|status| status.as_u16() >= 200);
        Self {
            status: Some(status.expect("a status is between 200 and 999")),
            ..self
        }
    }

    /// The `error_code` of the error body. Default: 102 for status 429, 600 for 404, else the status.
    pub fn code(self, code: u32) -> Self {
        Self {
            code: Some(code),
            ..self
        }
    }

    /// The `error_message` of the error body.
    pub fn message(self, message: impl Into<String>) -> Self {
        Self {
            message: Some(message.into()),
            ..self
        }
    }

    /// Answers with an HTML page, as a proxy does; with status 200 unless [`Fault::status`] says otherwise.
    pub fn html(self) -> Self {
        Self {
            body: BodyKind::Html,
            status: self.status.or(Some(StatusCode::OK)),
            ..self
        }
    }

    /// Answers without a body; with status 200 unless [`Fault::status`] says otherwise.
    pub fn empty(self) -> Self {
        Self {
            body: BodyKind::Empty,
            status: self.status.or(Some(StatusCode::OK)),
            ..self
        }
    }

    /// Adds the header `Retry-After`: seconds or a date.
    ///
    /// # Panics
    ///
    /// When the text has characters that no header may have.
    pub fn retry_after(self, value: &str) -> Self {
        let value = HeaderValue::from_str(value).expect("Retry-After is visible text");
        self.header(RETRY_AFTER, value)
    }

    /// Adds a header, or replaces the one that is there.
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Changes the content type and nothing else.
    pub fn content_type(self, value: HeaderValue) -> Self {
        self.header(CONTENT_TYPE, value)
    }

    /// Sends half of the body under the length of the whole.
    pub fn truncate(self) -> Self {
        Self {
            truncate: true,
            ..self
        }
    }

    /// Resets the connection instead of answering.
    pub fn reset(self) -> Self {
        Self { reset: true, ..self }
    }

    /// Ends all sessions before the request is looked at, as if they had been idle for too long.
    pub fn session_loss(self) -> Self {
        Self {
            sessions: Some(SessionFault::Lost),
            ..self
        }
    }

    /// Lets another node answer from this request on, which knows none of the sessions.
    pub fn node_switch(self) -> Self {
        Self {
            sessions: Some(SessionFault::NodeSwitched),
            ..self
        }
    }

    /// Changes pages of lists and searches.
    pub fn pages(self, pages: PageFaults) -> Self {
        Self { pages, ..self }
    }

    fn matches(&self, method: &Method, path: &str) -> bool {
        self.method.as_ref().is_none_or(|wanted| wanted == method) && glob(&self.path, path)
    }
}

/// Whether `text` has the form of `pattern`, in which `*` stands for any text.
fn glob(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(start) else {
        return false;
    };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let end = pieces.pop().unwrap_or_default();
    // Taking the first place where a piece fits leaves the most for the pieces after it.
    for piece in pieces {
        let Some(at) = text.find(piece) else { return false };
        text = &text[at + piece.len()..];
    }
    text.ends_with(end)
}

#[cfg(test)]
mod tests;
