//! Failures of a request, as variants named for what the caller can do about them.
//!
//! Not here: how a reply becomes a variant (`classify.rs`) and which ones are repeated
//! (`layers/retry.rs`).

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use netmgr_types::foreign::{LONGEST, Secrets};
use netmgr_types::wire::ApiError;

pub(crate) use crate::body::first_line;

/// Why a request did not end with a usable answer.
///
/// `Display` tells this level only: what was asked, what came back, how often it was tried, what
/// to do. The cause is the `source`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Error {
    /// A setting cannot be used: certificate files, keys, URLs. Correct the named property.
    Config {
        /// Name of the property in the configuration.
        property: &'static str,
        /// What is wrong with it.
        reason: String,
        /// What the reader of the file or key said.
        source: Option<Cause>,
    },
    /// The request cannot be sent as it was asked for, because no URL can carry it. Correct the id
    /// or the name.
    InvalidRequest(Box<Failure>),
    /// The manager does not accept the login. Correct the credentials.
    Unauthenticated(Box<Failure>),
    /// The login is good, but its role may not do this.
    PermissionDenied(Box<Failure>),
    /// The manager has no licence for this.
    Unlicensed(Box<Failure>),
    /// There is no object or no API at the path.
    NotFound(Box<Failure>),
    /// The manager refused the request as such (other statuses from 400 to 499).
    Rejected(Box<Failure>),
    /// Too many requests; still so after all retries.
    Throttled(Box<Failure>),
    /// The manager is overloaded, restarting or catching up; still so after all retries.
    Unavailable(Box<Failure>),
    /// The manager failed (other statuses from 500).
    Server(Box<Failure>),
    /// No connection, or it broke, after all retries.
    Connect(Box<Failure>),
    /// The TLS handshake failed. Never retried.
    Tls(Box<Failure>),
    /// The time for the whole call is over.
    Deadline(Box<Failure>),
    /// A success status with a body that is not what the path promises.
    BadReply(Box<Failure>),
}

/// The most that is shown of a line of a body and of a header, in bytes.
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

/// What was asked, without query, bodies or credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestLine {
    /// `GET`, or `POST` for logins.
    pub method: http::Method,
    /// Host and port, without credentials.
    pub host: String,
    /// Path without query.
    pub path: String,
}

/// Extension of a reply: the request that it really answers, which is a login where the
/// authentication layer passes up the reply of one.
#[derive(Debug, Clone)]
pub(crate) struct Origin(pub(crate) RequestLine);

/// The circumstances of a failure.
#[derive(Debug, Clone, Default)]
pub struct Failure {
    /// What was asked.
    pub request_line: Option<RequestLine>,
    /// Status of the last reply.
    pub status: Option<http::StatusCode>,
    /// The manager's error body, when the reply had one.
    pub api: Option<ApiError>,
    /// First line of a body that is not the manager's JSON, or `empty body`.
    pub body_line: Option<String>,
    /// The manager's id of the request, from its reply headers.
    pub request_id: Option<String>,
    /// Attempts made, the first included; 0 when none was sent.
    pub attempts: u32,
    /// Time from the call to the failure.
    pub elapsed: Duration,
    /// Whether the request certainly never reached the manager, so that repeating it is safe
    /// whatever it asks for.
    pub unsent: bool,
    /// What is wrong in one clause, where status and body do not tell.
    pub reason: Option<String>,
    /// What the reader can do.
    pub hint: Option<String>,
    /// The cause below.
    pub source: Option<Cause>,
}

impl Error {
    /// The circumstances; none for [`Error::Config`].
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Config { .. } => None,
            Self::InvalidRequest(f)
            | Self::Unauthenticated(f)
            | Self::PermissionDenied(f)
            | Self::Unlicensed(f)
            | Self::NotFound(f)
            | Self::Rejected(f)
            | Self::Throttled(f)
            | Self::Unavailable(f)
            | Self::Server(f)
            | Self::Connect(f)
            | Self::Tls(f)
            | Self::Deadline(f)
            | Self::BadReply(f) => Some(f),
        }
    }

    /// The circumstances, to complete them on the way up.
    pub(crate) fn failure_mut(&mut self) -> Option<&mut Failure> {
        match self {
            Self::Config { .. } => None,
            Self::InvalidRequest(f)
            | Self::Unauthenticated(f)
            | Self::PermissionDenied(f)
            | Self::Unlicensed(f)
            | Self::NotFound(f)
            | Self::Rejected(f)
            | Self::Throttled(f)
            | Self::Unavailable(f)
            | Self::Server(f)
            | Self::Connect(f)
            | Self::Tls(f)
            | Self::Deadline(f)
            | Self::BadReply(f) => Some(f),
        }
    }

    /// The error with all text in it as it may be shown: what others wrote without `secrets`, legible
    /// and short. The manager's answer as a whole is as short as one text.
    pub(crate) fn shown(mut self, secrets: &Secrets) -> Self {
        let Some(failure) = self.failure_mut() else {
            return self;
        };
        let show = |text: &mut Option<String>, limit| {
            *text = text.take().map(|text| secrets.shown_within(&text, limit));
        };
        show(&mut failure.reason, LONGEST);
        show(&mut failure.body_line, LONGEST_LINE);
        show(&mut failure.request_id, LONGEST_LINE);
        if let Some(api) = &mut failure.api {
            let mut left = LONGEST;
            for text in api.texts_mut() {
                show(text, left);
                left -= text.as_ref().map_or(0, String::len);
            }
        }
        failure.source = failure.source.take().map(|cause| shown_cause(cause, secrets));
        self
    }

    /// A 200 whose body is not what the path promises.
    pub(crate) fn bad_reply(request_line: RequestLine, body: &[u8], cause: serde_json::Error) -> Self {
        Self::BadReply(Box::new(Failure {
            request_line: Some(request_line),
            status: Some(http::StatusCode::OK),
            body_line: Some(first_line(body)),
            source: Some(cause.into()),
            ..Failure::default()
        }))
    }
}

/// `cause` as it may be shown; itself when that changes nothing in it and below it.
fn shown_cause(cause: Cause, secrets: &Secrets) -> Cause {
    if let Some(error) = cause.downcast_ref::<Error>() {
        return error.clone().shown(secrets).into();
    }
    let chain = std::iter::successors(Some(&*cause as &(dyn std::error::Error + 'static)), |cause| {
        cause.source()
    });
    let texts: Vec<String> = chain.map(ToString::to_string).collect();
    let shown: Vec<String> = texts.iter().map(|text| secrets.shown(text)).collect();
    if shown == texts {
        return cause;
    }
    let mut below = None;
    for text in shown.into_iter().rev() {
        below = Some(Box::new(ShownCause { text, below }));
    }
    (*below.expect("a chain has a beginning")).into()
}

/// What is left of a cause that had more in it than may be shown.
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

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, failure) = match self {
            Self::Config { property, reason, .. } => return write!(f, "{property}: {reason}"),
            Self::InvalidRequest(failure) => ("not sent", failure),
            Self::Unauthenticated(failure) => ("the manager did not accept the login", failure),
            Self::PermissionDenied(failure) => ("permission denied", failure),
            Self::Unlicensed(failure) => ("no valid licence on the manager", failure),
            Self::NotFound(failure) => ("not found", failure),
            Self::Rejected(failure) => ("request refused", failure),
            Self::Throttled(failure) => ("throttled", failure),
            Self::Unavailable(failure) => ("manager unavailable", failure),
            Self::Server(failure) => ("manager failed", failure),
            Self::Connect(failure) => ("no connection", failure),
            Self::Tls(failure) => ("TLS handshake failed", failure),
            Self::Deadline(failure) => ("deadline exceeded", failure),
            Self::BadReply(failure) => ("unexpected answer", failure),
        };
        write!(f, "{kind}: {failure}")
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let source = match self {
            Self::Config { source, .. } => source,
            other => &other.failure()?.source,
        };
        source.as_deref().map(|source| source as _)
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
            write!(f, " answered {status}")?;
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
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_has_the_chain_of_causes() {
        let below = std::io::Error::other(fmt::Error);
        let error = Error::Connect(Box::new(Failure {
            reason: Some("reset".to_owned()),
            attempts: 3,
            source: Some(below.into()),
            ..Failure::default()
        }));
        let chain = |error: &Error| {
            let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
            causes.map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(error.clone().to_string(), error.to_string());
        assert_eq!(chain(&error.clone()), chain(&error));
        assert_eq!(chain(&error).len(), 1);
    }
}
