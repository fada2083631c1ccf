//! Faults: which requests they affect, how often and how. The textual form is in `fault/text.rs`, replies of
//! faults in `fault/made.rs`, changes of pages in `fault/page.rs` and of replies in `fault/delivery.rs`, and
//! the faults of a running simulator in `fault/armed.rs`.

use std::time::Duration;

use http::Method;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use serde_json::Value;

mod armed;
mod delivery;
mod made;
mod page;
mod text;

pub(crate) use armed::Firing;
pub use armed::{FaultId, Faults};
pub(crate) use delivery::Breach;
pub use delivery::CookieFault;
use delivery::Delivery;
use made::Made;
pub use page::{CursorFault, PageFaults, ResultCountFault};
pub use text::ParseFaultError;

/// A fault: effects on requests that match it.
///
/// It can be created in code or parsed from text:
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
/// The text consists of a method (or `*`), a path, and effects as words separated by blanks. Without a method
/// and path, the fault affects every request: `503 every 10` and `* * status=503 every=10` are equivalent.
/// The value of a word follows `=` or is the next word; a number without a word is a status.
///
/// | Word | Effect |
/// |---|---|
/// | `count=N` | only N of the matching requests; without it, every one |
/// | `after=M` | not before M matching requests have gone through |
/// | `every=N` | only each N-th matching request |
/// | `delay=250ms`, `delay=2s` | waits before anything else happens |
/// | `status=503` | answers with this status and the manager's error body for it |
/// | `code=60508` | the `error_code` of that body; by default the usual one of the status |
/// | `message=Index_rebuilding` | the `error_message` of that body; `_` stands for a blank |
/// | `body=json`, `html`, `text`, `empty` | the kind of body; the status is 200 unless `status` is set |
/// | `body={"redirectUrl":"/"}` | this JSON text as the body, without blanks |
/// | `retry-after=1` | header `Retry-After`; a date is written with `_` for blanks |
/// | `date=Tue,_01_Jul_2025_12:00:00_GMT` | header `Date`, the manager's clock; `_` stands for a blank |
/// | `header=NAME:VALUE` | any other header; `_` in the value stays as it is |
/// | `content-type=text/html` | changes the content type and nothing else |
/// | `padding=100x200` | adds 100 headers with values of 200 bytes |
/// | `cookie=changing` | each reply sets one cookie to a new value |
/// | `cookie=new` | each reply sets a cookie of a new name |
/// | `truncate` | sends half of the body under the length of the whole |
/// | `truncate=unsized` | sends half of the body without a length; over HTTP/1 it ends like a whole one |
/// | `gzip=corrupt` | sends a corrupt gzip body |
/// | `reset` | resets the connection instead of answering |
/// | `reset=body` | resets the connection after half of the body |
/// | `session-loss` | ends all sessions first, as if idle for too long |
/// | `node-switch` | another node responds from this request on, which does not know the sessions |
/// | `xsrf-change` | changes the XSRF tokens of all sessions first |
/// | `token-loss` | revokes all access tokens of the hosted cloud first |
/// | `lockout` | all accounts are locked first, as after five failed logins |
/// | `cursor=dangling` | the last page has a cursor, which leads to an empty page |
/// | `cursor=repeat-last` | the last page repeats the cursor that led to it |
/// | `cursor=repeat` | every page after the first repeats the cursor that led to it |
/// | `cursor=endless` | every page has a new cursor; the last page is repeated indefinitely |
/// | `cursor=growing` | the same, and its objects have new ids and names each time |
/// | `result-count=absent`, `too-small`, `too-big`, `shrinking`, `growing` | wrong counts |
/// | `page-size=N` | pages of at most N objects if a larger `page_size` was requested |
/// | `duplicates` | every page after the first begins with the last object of the page before |
/// | `malformed` | every page begins with an object whose fields have wrong types |
///
/// In the path, `*` matches any text including slashes. The path excludes a path prefix of the simulator.
/// Faults are checked in the order in which they were added, and the first match applies. A fault can have
/// several effects.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    method: Option<Method>,
    path: String,
    after: u64,
    every: u64,
    count: Option<u64>,
    pub(crate) delay: Option<Duration>,
    pub(crate) access: Option<AccessFault>,
    made: Made,
    delivery: Delivery,
    pages: PageFaults,
}

/// Effects on sessions, tokens and accounts before the request is processed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AccessFault {
    SessionsLost,
    NodeSwitched,
    XsrfChanged,
    TokensLost,
    AccountsLocked,
}

impl Fault {
    /// A fault for requests of any method to `path`, where `*` matches any text. It has no effect yet.
    pub fn on(path: impl Into<String>) -> Self {
        Self {
            method: None,
            path: path.into(),
            after: 0,
            every: 1,
            count: None,
            delay: None,
            access: None,
            made: Made::default(),
            delivery: Delivery::default(),
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

    /// Skips the first `requests` that match.
    pub fn after(self, requests: u64) -> Self {
        Self {
            after: requests,
            ..self
        }
    }

    /// Applies only to each `requests`-th request that matches. Default: 1; 0 counts as 1.
    pub fn every(self, requests: u64) -> Self {
        Self {
            every: requests.max(1),
            ..self
        }
    }

    /// Limits the number of affected requests. Default: unlimited.
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

    /// Answers with this status and the error body that the manager has for it.
    ///
    /// # Panics
    ///
    /// When `status` is not between 200 and 999.
    pub fn status(mut self, status: u16) -> Self {
        self.made.set_status(status);
        self
    }

    /// The `error_code` of the error body. Default: the usual one of the status.
    pub fn code(mut self, code: u32) -> Self {
        self.made.code = Some(code);
        self
    }

    /// The `error_message` of the error body.
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.made.message = Some(message.into());
        self
    }

    /// Answers with an HTML page, as a proxy does; with status 200 unless [`Fault::status`] is set.
    pub fn html(self) -> Self {
        self.body(made::Body::Html)
    }

    /// Answers with a line of plain text; with status 200 unless [`Fault::status`] is set.
    pub fn text(self) -> Self {
        self.body(made::Body::Text)
    }

    /// Answers without a body; with status 200 unless [`Fault::status`] is set.
    pub fn empty(self) -> Self {
        self.body(made::Body::Empty)
    }

    /// Answers with this JSON; with status 200 unless [`Fault::status`] is set.
    pub fn json(self, body: Value) -> Self {
        self.body(made::Body::Json(body))
    }

    fn body(mut self, body: made::Body) -> Self {
        self.made.set_body(body);
        self
    }

    /// Adds the header `Retry-After`: seconds or a date.
    ///
    /// # Panics
    ///
    /// If the text contains characters that are invalid in a header.
    pub fn retry_after(self, value: &str) -> Self {
        let value = HeaderValue::from_str(value).expect("Retry-After is visible text");
        self.header(RETRY_AFTER, value)
    }

    /// Adds or replaces a header.
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.delivery.headers.insert(name, value);
        self
    }

    /// Changes the content type and nothing else.
    pub fn content_type(self, value: HeaderValue) -> Self {
        self.header(CONTENT_TYPE, value)
    }

    /// Adds `headers` headers with values of `bytes` bytes.
    pub fn padding(mut self, headers: usize, bytes: usize) -> Self {
        self.delivery.padding = (headers, bytes);
        self
    }

    /// Sets a cookie with each reply.
    pub fn cookie(mut self, cookie: CookieFault) -> Self {
        self.delivery.cookie = Some(cookie);
        self
    }

    /// Sends half of the body under the length of the whole.
    pub fn truncate(self) -> Self {
        self.breach(Breach::Short)
    }

    /// Sends half of the body without a length. Over HTTP/1 it ends like a whole one, over HTTP/2 with an error.
    pub fn truncate_unsized(self) -> Self {
        self.breach(Breach::Unsized)
    }

    /// Sends a corrupt gzip body.
    pub fn corrupt_gzip(self) -> Self {
        self.breach(Breach::CorruptGzip)
    }

    /// Resets the connection instead of answering.
    pub fn reset(self) -> Self {
        self.breach(Breach::Reset)
    }

    /// Resets the connection after half of the body.
    pub fn reset_in_body(self) -> Self {
        self.breach(Breach::ResetInBody)
    }

    fn breach(mut self, breach: Breach) -> Self {
        self.delivery.breach = Some(breach);
        self
    }

    /// Ends all sessions before the request is processed, as if they had expired.
    pub fn session_loss(self) -> Self {
        self.access(AccessFault::SessionsLost)
    }

    /// Switches to another node from this request on, which does not know the sessions.
    pub fn node_switch(self) -> Self {
        self.access(AccessFault::NodeSwitched)
    }

    /// Changes the XSRF tokens of all sessions before the request is processed.
    pub fn xsrf_change(self) -> Self {
        self.access(AccessFault::XsrfChanged)
    }

    /// Revokes all access tokens of the hosted cloud before the request is processed.
    pub fn token_loss(self) -> Self {
        self.access(AccessFault::TokensLost)
    }

    /// Locks all accounts before the request is processed, like five failed logins.
    pub fn lockout(self) -> Self {
        self.access(AccessFault::AccountsLocked)
    }

    fn access(self, access: AccessFault) -> Self {
        Self {
            access: Some(access),
            ..self
        }
    }

    /// Changes pages of lists and searches.
    pub fn pages(self, pages: PageFaults) -> Self {
        Self { pages, ..self }
    }

    /// Whether the connection is reset instead of answering.
    pub(crate) fn resets(&self) -> bool {
        self.delivery.breach == Some(Breach::Reset)
    }

    fn matches(&self, method: &Method, path: &str) -> bool {
        self.method.as_ref().is_none_or(|wanted| wanted == method) && glob(&self.path, path)
    }
}

/// Whether `text` matches `pattern`, in which `*` matches any text.
fn glob(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(start) else {
        return false;
    };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let end = pieces.pop().unwrap_or_default();
    // Using the first match of a piece leaves the longest rest for the following pieces.
    for piece in pieces {
        let Some(at) = text.find(piece) else { return false };
        text = &text[at + piece.len()..];
    }
    text.ends_with(end)
}

#[cfg(test)]
mod tests;
