//! Faults: which requests they affect, how often and how. `fault/text.rs` parses them, `fault/reply.rs` has their
//! replies, `fault/delivery.rs` changes of replies, `fault/page.rs` changes of pages, and `fault/armed.rs` the faults
//! of a running simulator.

use std::time::Duration;

use http::Method;

mod armed;
mod delivery;
mod page;
mod reply;
mod text;

pub(crate) use armed::AppliedFault;
pub use armed::{FaultId, Faults};
use delivery::DeliveryFaults;
use page::PageFaults;
use reply::FaultReply;
pub use text::ParseFaultError;

use super::reply::TransferFault;

/// A fault: effects on requests that match it, described by a string.
///
/// ```
/// use netmgr_sim::Fault;
///
/// let fault: Fault = "GET /policy/api/v1/search/query status=503 retry-after=1 count=2".parse()?;
/// # Ok::<(), netmgr_sim::ParseFaultError>(())
/// ```
///
/// It consists of a method (or `*`), a path, and effects as words separated by spaces. Without a method
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
/// | `message=Index_rebuilding` | the `error_message` of that body; `_` stands for a space |
/// | `body=json`, `html`, `text`, `empty` | the kind of body; the status is 200 unless `status` is set |
/// | `body={"redirectUrl":"/"}` | this JSON text as the body, without spaces |
/// | `retry-after=1` | header `Retry-After`; a date is written with `_` for spaces |
/// | `date=Tue,_01_Jul_2025_12:00:00_GMT` | header `Date`, the manager's clock; `_` stands for a space |
/// | `header=NAME:VALUE` | any other header; `_` in the value is not changed |
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
    reply: FaultReply,
    delivery: DeliveryFaults,
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
    /// A fault of every request to paths that match `path`, without an effect.
    fn on(path: &str) -> Self {
        Self {
            method: None,
            path: path.to_owned(),
            after: 0,
            every: 1,
            count: None,
            delay: None,
            access: None,
            reply: FaultReply::default(),
            delivery: DeliveryFaults::default(),
            pages: PageFaults::default(),
        }
    }

    /// Whether the connection is reset instead of answering.
    pub(crate) fn resets(&self) -> bool {
        self.delivery.transfer == Some(TransferFault::Reset)
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
