//! Errors of requests, with kinds named for what the caller can do.
//!
//! Replies are mapped to kinds in `classify.rs`. Retries are in `layers/retry.rs`.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use derive_setters::Setters;
use netmgr_types::foreign::{self, LONGEST, Secrets};
use netmgr_types::sensitive;
use netmgr_types::wire::ApiError;

use crate::body::{first_line, web_page};

/// Error of a request, or of a client that cannot be built.
///
/// The [kind](Self::kind) is named for what the caller can do. `Display` describes only this level: the request,
/// the reply, the number of attempts and a hint, which the alternate form (`{:#}`) leaves out. The cause is the
/// `source`. Clones share the details.
#[derive(Debug, Clone)]
pub struct Error {
    kind: ErrorKind,
    failure: Arc<Failure>,
}

/// Kind of an [`Error`]. `Display` describes it in a few words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A setting cannot be used: certificate files, keys, URLs. Correct the named property.
    Config,
    /// The request cannot be expressed as a URL. Correct the id or the name.
    InvalidRequest,
    /// The manager refused the login. Correct the credentials.
    Unauthenticated,
    /// The login is accepted, but its role lacks the permission.
    PermissionDenied,
    /// The manager has no licence for the request.
    Unlicensed,
    /// There is no object or no API at the path.
    NotFound,
    /// The manager rejected the request (other statuses from 400 to 499).
    Rejected,
    /// Too many requests, even after all retries.
    Throttled,
    /// The manager is overloaded, restarting or not ready, even after all retries.
    Unavailable,
    /// The manager failed (other statuses from 500).
    Server,
    /// The connection failed, even after all retries.
    Connect,
    /// The TLS handshake failed. Never retried.
    Tls,
    /// The deadline of the call expired.
    Deadline,
    /// A success status with an invalid body.
    BadReply,
}

/// Maximum length of a shown line of a body or header in bytes.
const LONGEST_LINE: usize = 240;

/// The error behind an [`Error`]. Clones share it.
#[derive(Clone)]
pub struct Cause(Arc<dyn std::error::Error + Send + Sync>);

impl<E: std::error::Error + Send + Sync + 'static> From<E> for Cause {
    fn from(error: E) -> Self {
        Self(Arc::new(error))
    }
}

impl From<Cause> for Arc<dyn std::error::Error + Send + Sync> {
    fn from(cause: Cause) -> Self {
        cause.0
    }
}

impl Deref for Cause {
    type Target = dyn std::error::Error + Send + Sync + 'static;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// A request without its query, body and credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestLine {
    /// `GET`, or `POST` for logins.
    pub method: http::Method,
    /// Host and port, without credentials.
    pub host: String,
    /// Path without query.
    pub path: String,
}

/// Details of an [`Error`]. [`Failure::default`] has none; each field has a setter of its name.
#[derive(Debug, Clone, Default, Setters)]
#[setters(strip_option, into)]
#[non_exhaustive]
pub struct Failure {
    /// Name of the property in the configuration that cannot be used.
    pub property: Option<&'static str>,
    /// The request.
    pub request_line: Option<RequestLine>,
    /// Status of the last reply.
    pub status: Option<http::StatusCode>,
    /// The manager's error body, if any.
    pub api: Option<ApiError>,
    /// First line of a body that is not the manager's JSON, or `empty body`.
    pub body_line: Option<String>,
    /// The manager's id of the request, from its reply headers.
    pub request_id: Option<String>,
    /// Number of attempts, including the first; 0 if none was sent.
    pub attempts: u32,
    /// Time from the call to the failure.
    pub elapsed: Duration,
    /// Whether the request certainly did not reach the manager, so that it can be repeated safely.
    pub unsent: bool,
    /// Description of the problem in one clause, in addition to status and body.
    pub reason: Option<String>,
    /// The part of the reason that is foreign text, such as the target of a redirect.
    pub quoted: Option<String>,
    /// A hint for the user.
    pub hint: Option<String>,
    /// The cause.
    pub source: Option<Cause>,
}

impl Error {
    /// An error of this kind with these details.
    #[must_use]
    pub fn new(kind: ErrorKind, failure: Failure) -> Self {
        Self {
            kind,
            failure: Arc::new(failure),
        }
    }

    /// The error for a setting that cannot be used.
    pub(crate) fn config(property: &'static str, reason: impl Into<String>, source: Option<Cause>) -> Self {
        let failure = Failure {
            property: Some(property),
            reason: Some(reason.into()),
            source,
            ..Failure::default()
        };
        Self::new(ErrorKind::Config, failure)
    }

    /// The kind of failure, which decides what a caller can do about it.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The details.
    #[must_use]
    pub fn failure(&self) -> &Failure {
        &self.failure
    }

    /// Whether a response "not found" is about an object: the response of a missing route has no error code.
    #[must_use]
    pub fn names_an_object(&self) -> bool {
        let api = self.failure.api.as_ref();
        api.is_some_and(|api| api.error_code.is_some())
    }

    /// Whether the manager itself sent the response, and not a proxy in front of it: it has the manager's error body.
    #[must_use]
    pub fn is_of_manager(&self) -> bool {
        self.failure.api.is_some()
    }

    /// The details, so that upper layers can complete them.
    pub(crate) fn failure_mut(&mut self) -> &mut Failure {
        Arc::make_mut(&mut self.failure)
    }

    /// Sanitizes all foreign text in the error: removes `secrets` and what looks like a secret, and limits the length of
    /// each text and of the manager's error body. Words of our own stay, even if a secret is such a word.
    pub(crate) fn sanitized(mut self, secrets: &Secrets) -> Self {
        let failure = self.failure_mut();
        let show = |text: &mut Option<String>, limit| {
            *text = text
                .take()
                .map(|text| sensitive::sanitized_within(secrets, &text, limit));
        };
        show(&mut failure.body_line, LONGEST_LINE);
        show(&mut failure.request_id, LONGEST_LINE);
        let quoted = failure.quoted.clone().filter(|quoted| !quoted.is_empty());
        show(&mut failure.quoted, LONGEST);
        if let Some(reason) = &mut failure.reason {
            if let (Some(quoted), Some(shown)) = (quoted, &failure.quoted) {
                *reason = reason.replace(&quoted, shown);
            }
            *reason = foreign::sanitized(reason);
        }
        if let Some(api) = &mut failure.api {
            let mut left = LONGEST;
            for text in api.texts_mut() {
                show(text, left);
                left -= text.as_ref().map_or(0, String::len);
            }
        }
        failure.source = failure.source.take().map(|cause| sanitized_cause(cause, secrets));
        self
    }

    /// The error for a success status with an invalid body.
    pub(crate) fn bad_reply(request_line: RequestLine, body: &[u8], cause: serde_json::Error) -> Self {
        let line = first_line(body);
        let failure = Failure {
            request_line: Some(request_line),
            status: Some(http::StatusCode::OK),
            hint: web_page(&line).map(str::to_owned),
            body_line: Some(line),
            source: Some(cause.into()),
            ..Failure::default()
        };
        Self::new(ErrorKind::BadReply, failure)
    }
}

impl From<ErrorKind> for Error {
    /// An error without details.
    fn from(kind: ErrorKind) -> Self {
        Self::new(kind, Failure::default())
    }
}

/// Marks around foreign text in errors of `serde_json`.
const QUOTES: [char; 2] = ['"', '`'];

/// Sanitizes `cause` and its sources. Returns it unchanged if nothing has to be removed.
fn sanitized_cause(cause: Cause, secrets: &Secrets) -> Cause {
    if let Some(error) = cause.downcast_ref::<Error>() {
        return error.clone().sanitized(secrets).into();
    }
    let chain = std::iter::successors(Some(&*cause as &(dyn std::error::Error + 'static)), |cause| {
        cause.source()
    });
    let texts: Vec<String> = chain.map(ToString::to_string).collect();
    let is_of_json = cause.is::<serde_json::Error>();
    let show = |text: &String| match text.find(QUOTES).zip(text.rfind(QUOTES)) {
        // The words of these errors are not foreign, as the quoted ones are.
        _ if !is_of_json => sensitive::sanitized_within(secrets, text, LONGEST),
        None => text.clone(),
        Some((first, last)) => {
            let quoted = sensitive::sanitized_within(secrets, &text[first..=last], LONGEST);
            format!("{}{quoted}{}", &text[..first], &text[last + 1..])
        }
    };
    let shown: Vec<String> = texts.iter().map(show).collect();
    if shown == texts {
        return cause;
    }
    let mut below = None;
    for text in shown.into_iter().rev() {
        below = Some(Box::new(ShownCause { text, below }));
    }
    (*below.expect("a chain has a beginning")).into()
}

/// The sanitized text of a cause.
#[derive(Debug)]
struct ShownCause {
    text: String,
    below: Option<Box<ShownCause>>,
}

impl fmt::Display for ShownCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for ShownCause {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.below.as_deref().map(|below| below as _)
    }
}

impl Failure {
    /// Adds a clause to the reason.
    pub(crate) fn add_reason(&mut self, clause: &str) {
        match &mut self.reason {
            Some(reason) => {
                reason.push_str("; ");
                reason.push_str(clause);
            }
            None => self.reason = Some(clause.to_owned()),
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Config => "invalid setting",
            Self::InvalidRequest => "not sent",
            Self::Unauthenticated => "the manager rejected the login",
            Self::PermissionDenied => "permission denied",
            Self::Unlicensed => "the manager has no valid licence",
            Self::NotFound => "not found",
            Self::Rejected => "request rejected",
            Self::Throttled => "throttled",
            Self::Unavailable => "manager unavailable",
            Self::Server => "manager error",
            Self::Connect => "connection failed",
            Self::Tls => "TLS handshake failed",
            Self::Deadline => "deadline exceeded",
            Self::BadReply => "unexpected response",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.failure {
            Failure {
                property: Some(property),
                reason: Some(reason),
                ..
            } => write!(f, "`{property}`: {reason}"),
            failure if f.alternate() => write!(f, "{}: {failure:#}", self.kind),
            failure => write!(f, "{}: {failure}", self.kind),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.failure.source.as_deref().map(|source| source as _)
    }
}

impl fmt::Display for RequestLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} on {}", self.method, self.path, self.host)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.request_line {
            Some(request_line) => write!(f, "{request_line}")?,
            None => f.write_str("request")?,
        }
        if let Some(status) = self.status {
            write!(f, " returned {status}")?;
        }
        if let Some(reason) = &self.reason {
            write!(f, ": {reason}")?;
        }
        match (&self.api, &self.body_line) {
            (Some(api), _) => write!(f, ": {api}")?,
            (None, Some(line)) => write!(f, ": {line}")?,
            (None, None) => {}
        }
        if let Some(id) = &self.request_id {
            write!(f, " (request id {id})")?;
        }
        if self.attempts > 1 {
            write!(
                f,
                " after {} attempts in {:.1} s",
                self.attempts,
                self.elapsed.as_secs_f64()
            )?;
        }
        if let Some(hint) = self.hint.as_ref().filter(|_| !f.alternate()) {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_removed_from_foreign_text_and_not_from_our_words() {
        let secrets: Secrets = ["redirected"].into_iter().collect();
        let failure = Failure::default()
            .reason("redirected to https://x/redirected")
            .quoted("https://x/redirected")
            .body_line("redirected");
        let shown = Error::new(ErrorKind::Rejected, failure).sanitized(&secrets);
        let text = "request rejected: request: redirected to https://x/[redacted]: [redacted]";
        assert_eq!(shown.to_string(), text);
        assert_eq!(shown.sanitized(&secrets).to_string(), text);
    }

    #[test]
    fn the_words_of_a_parser_stay() {
        let secrets: Secrets = ["e"].into_iter().collect();
        let line = || RequestLine {
            method: http::Method::GET,
            host: "m".to_owned(),
            path: "/a".to_owned(),
        };
        for (body, text) in [
            ("no", "expected ident at line 1 column 2"),
            (
                "{\"e\": \"e\"}",
                "invalid type: string \"[redacted]\", expected u64 at line 1 column 9",
            ),
        ] {
            let cause = serde_json::from_str::<std::collections::BTreeMap<String, u64>>(body).unwrap_err();
            let shown = Error::bad_reply(line(), body.as_bytes(), cause).sanitized(&secrets);
            assert_eq!(std::error::Error::source(&shown).unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_clone_has_the_chain_of_causes() {
        let below = std::io::Error::other(fmt::Error);
        let failure = Failure::default().reason("reset").attempts(3_u32).source(below);
        let error = Error::new(ErrorKind::Connect, failure);
        let chain = |error: &Error| {
            let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
            causes.map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(error.clone().to_string(), error.to_string());
        assert_eq!(chain(&error.clone()), chain(&error));
        assert_eq!(chain(&error).len(), 1);
    }
}
