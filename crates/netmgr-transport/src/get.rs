//! Read requests and their replies.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use netmgr_types::object;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use crate::Reservation;
use crate::call_context::{CallContext, OnPause};
use crate::known_secrets::KnownSecrets;
use crate::{Error, ErrorKind, Failure, RequestLine};

/// All characters except the unreserved characters of RFC 3986 and `:`, which ids may contain.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b':');
/// All characters except the unreserved characters. A space becomes `%20`, not `+`.
pub(crate) const QUERY: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A `GET` request below the manager's host and path prefix.
#[derive(Debug, Clone)]
pub struct Get {
    path: String,
    query: Vec<(&'static str, String)>,
    unpaged: bool,
    /// Whether a segment cannot be expressed in a URL.
    unfit: bool,
    context: CallContext,
}

/// Maximum length of path and query in bytes. Managers and proxies reject much shorter ones.
const LONGEST: usize = 32 << 10;

impl Get {
    /// Creates a request for `path`, which starts with a slash and is already valid in a URL. Use
    /// [`Get::segment`] to append other text.
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            query: Vec::new(),
            unpaged: false,
            unfit: false,
            context: CallContext::default(),
        }
    }

    /// Appends one path segment, percent-encoded (`/` included).
    ///
    /// A segment that is empty, `.` or `..` would refer to another path, even if it is percent-encoded.
    /// Sending the request then fails with [`ErrorKind::InvalidRequest`].
    #[must_use]
    pub fn segment(mut self, text: &str) -> Self {
        self.unfit |= matches!(text, "" | "." | "..");
        self.path.push('/');
        self.path.extend(utf8_percent_encode(text, SEGMENT));
        self
    }

    /// Appends a policy path such as `/infra/sites/default`, each of its segments percent-encoded.
    #[must_use]
    pub fn policy_path(self, path: &str) -> Self {
        path.split('/')
            .filter(|segment| !segment.is_empty())
            .fold(self, |get, segment| get.segment(segment))
    }

    /// Adds a query parameter; the value is percent-encoded when it is sent.
    #[must_use]
    pub fn query(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.query.push((name, value.into()));
        self
    }

    /// Marks a list without paging parameters. A pager then sends no `page_size`.
    ///
    /// An example is `/api/v1/failure-domains`.
    #[must_use]
    pub fn unpaged(mut self) -> Self {
        self.unpaged = true;
        self
    }

    /// Marks a read for which the caller has an alternative. If the manager rejects it with status 400, it is
    /// retried at most once.
    #[must_use]
    pub fn with_alternative(mut self) -> Self {
        self.context.has_alternative = true;
        self
    }

    /// Marks a read that stands in for the requests of several lookups, which they send themselves if it fails. It is
    /// retried only if it was not sent, and after a login.
    #[must_use]
    pub fn wide(mut self) -> Self {
        self.context.is_wide = true;
        self
    }

    /// The context of the call. Each call gets its own.
    pub(crate) fn context(&self) -> CallContext {
        self.context.for_call()
    }

    /// Whether the list has no paging parameters.
    pub(crate) fn is_unpaged(&self) -> bool {
        self.unpaged
    }

    /// The value of a query parameter.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        let (_, value) = self.query.iter().find(|(known, _)| *known == name)?;
        Some(value)
    }

    /// Sets or replaces a query parameter.
    pub(crate) fn set(&mut self, name: &'static str, value: String) {
        match self.query.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.query.push((name, value)),
        }
    }

    /// Sets the deadline of the request with its retries and logins. Default: the client's lookup deadline,
    /// starting when the request is sent.
    #[must_use]
    pub fn deadline(mut self, deadline: Instant) -> Self {
        self.context.deadline = Some(deadline);
        self
    }

    /// Sets the time at which the caller started to wait, for errors. Default: when the request is sent.
    #[must_use]
    pub fn since(mut self, since: Instant) -> Self {
        self.context.since = Some(since);
        self
    }

    /// Calls `on_pause` with each delay that the manager requests before the request is sent again, and with the number
    /// of attempts so far.
    #[must_use]
    pub fn on_pause(mut self, on_pause: impl Fn(Duration, u32) + Send + Sync + 'static) -> Self {
        self.context.on_pause = Some(OnPause(Arc::new(on_pause)));
        self
    }

    /// Uses a reservation for the first attempt.
    #[must_use]
    pub fn reserved(mut self, reservation: Option<Reservation>) -> Self {
        self.context.reservation = reservation;
        self
    }

    /// The encoded path without query.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The deadline.
    #[must_use]
    pub fn until(&self) -> Option<Instant> {
        self.context.deadline
    }

    /// The encoded path and query, for a host with this path prefix.
    ///
    /// # Errors
    ///
    /// The reason why the request cannot be sent.
    pub(crate) fn target(&self, prefix: &str) -> Result<String, String> {
        if self.unfit {
            return Err("an id that is empty, \".\" or \"..\" cannot be part of a path".to_owned());
        }
        let target = self.path_and_query();
        match prefix.len() + target.len() {
            ..=LONGEST => Ok(target),
            length => Err(format!(
                "the URL would be {length} bytes long, but the limit is {LONGEST}"
            )),
        }
    }

    /// The encoded path and query.
    #[must_use]
    pub fn path_and_query(&self) -> String {
        let mut text = self.path.clone();
        for (position, (name, value)) in self.query.iter().enumerate() {
            text.push(if position == 0 { '?' } else { '&' });
            text.push_str(name);
            text.push('=');
            text.extend(utf8_percent_encode(value, QUERY));
        }
        text
    }
}

/// A successful reply with its complete body.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The request, for messages.
    pub request_line: RequestLine,
    /// The body.
    pub body: Bytes,
    pub(crate) secrets: KnownSecrets,
}

impl Reply {
    /// Decodes the body, which must be a JSON object.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadReply`] if the body is not a valid JSON object of type `T`.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Error> {
        object::from_slice(&self.body).map_err(|cause| {
            Error::bad_reply(self.request_line.clone(), &self.body, cause).sanitized(&self.secrets.all())
        })
    }

    /// Creates an error for a reply that was decoded but cannot be used. `quoted` is the part of the reason that is foreign
    /// text.
    #[must_use]
    pub fn rejected(&self, reason: String, quoted: Option<String>) -> Error {
        let failure = Failure {
            request_line: Some(self.request_line.clone()),
            reason: Some(reason),
            quoted,
            ..Failure::default()
        };
        Error::new(ErrorKind::BadReply, failure).sanitized(&self.secrets.all())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_one_segment_whatever_it_contains() {
        let get = Get::new("/api/v1/fabric/compute-collections").segment("7f6e:domain-c20/ä b");
        assert_eq!(
            get.path(),
            "/api/v1/fabric/compute-collections/7f6e:domain-c20%2F%C3%A4%20b"
        );
    }

    #[test]
    fn a_segment_that_would_name_another_path_is_unfit() {
        for text in ["", ".", ".."] {
            let get = Get::new("/api/v1/pools").segment(text).segment("pool-1");
            assert!(
                get.target("").unwrap_err().contains("cannot be part of a path"),
                "{text:?}"
            );
        }
        assert!(
            Get::new("/policy")
                .policy_path("/infra/../domains")
                .target("")
                .is_err()
        );
        for text in ["...", "..a", " ..", "%2e%2e", "a/../b"] {
            let target = Get::new("/api/v1/pools").segment(text).target("");
            assert!(target.is_ok(), "{text:?}: {target:?}");
        }
    }

    #[test]
    fn a_url_that_is_too_long_is_unfit() {
        let get = |length| Get::new("/search").query("query", "x".repeat(length));
        assert!(get(LONGEST - "/search?query=".len()).target("").is_ok());
        assert_eq!(
            get(LONGEST - "/search?query=".len()).target("/p").unwrap_err(),
            "the URL would be 32770 bytes long, but the limit is 32768"
        );
    }

    #[test]
    fn a_space_in_a_query_is_percent_20() {
        let get = Get::new("/search").query("query", "a b+c").query("cursor", "2");
        assert_eq!(get.path_and_query(), "/search?query=a%20b%2Bc&cursor=2");
    }
}
