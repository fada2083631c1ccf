//! Interpretation of replies with regard to the credential of their request.
//!
//! Status and error codes are mapped in `classify.rs`.

use bytes::Bytes;
use http::{Response, StatusCode};

use crate::call_context::ReplyContext;
use crate::classify::{BAD_CREDENTIALS, BAD_XSRF_TOKEN, PAGE_TOO_LARGE, classify, has_code, is_of_manager};
use crate::{Error, ErrorKind, Failure};

/// Meaning of a reply for the credential of its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The manager processed the request and therefore accepts the credential.
    Accepted,
    /// The manager refuses the credential.
    Refused,
    /// The reply may only concern the path, or may not be from the manager.
    Ambiguous,
    /// The reply has no meaning for the credential: the manager was overloaded, or a proxy replied.
    Unknown,
}

/// Determines the meaning of `reply` for the credential of its request.
///
/// A missing permission and a missing licence also have status 403, and an unknown client certificate has status 500, but
/// the login is accepted. A redirect and a web page may be those of a login form.
pub(super) fn verdict(reply: &Response<Bytes>) -> Verdict {
    let status = reply.status();
    if is_login_error(reply) {
        return Verdict::Refused;
    }
    match status.as_u16() {
        403 if classify(reply).kind() == ErrorKind::Unauthenticated => Verdict::Ambiguous,
        503 if has_code(reply, PAGE_TOO_LARGE) => Verdict::Accepted,
        408 | 429 | 502 | 503 | 504 => Verdict::Unknown,
        300..=399 => Verdict::Ambiguous,
        _ if status.is_success() && starts_with(reply, b"{[") => Verdict::Accepted,
        _ if status.is_success() && starts_with(reply, b"<") => Verdict::Ambiguous,
        _ if is_of_manager(reply) => Verdict::Accepted,
        _ => Verdict::Unknown,
    }
}

/// Whether `reply` means that the session has expired: a login error, an invalid token (code 98), or a
/// redirect to the login page.
pub(super) fn ends_session(reply: &Response<Bytes>) -> bool {
    is_login_error(reply)
        || reply.status() == StatusCode::FORBIDDEN
            && (has_code(reply, BAD_XSRF_TOKEN) || ReplyContext::of(reply).sent_as.is_some())
}

/// Whether the manager refuses the login permanently: 401, or 403 with code 403. Other replies may only
/// concern a path, or may not be from the manager.
pub(super) fn is_login_error(reply: &Response<Bytes>) -> bool {
    match reply.status() {
        StatusCode::UNAUTHORIZED => true,
        StatusCode::FORBIDDEN => has_code(reply, BAD_CREDENTIALS),
        _ => false,
    }
}

/// Whether a login with this status can be retried. Servers without logins answer "not implemented".
pub(super) fn is_transient(status: StatusCode) -> bool {
    status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED
        || matches!(status.as_u16(), 408 | 409 | 425 | 429)
}

fn starts_with(reply: &Response<Bytes>, characters: &[u8]) -> bool {
    let first = reply.body().trim_ascii_start().first();
    first.is_some_and(|first| characters.contains(first))
}

/// Adapts the refusal of one request for other requests, which are not sent.
pub(super) fn remembered(mut refusal: Error) -> Error {
    let failure = refusal.failure_mut();
    failure.request_line = None;
    failure.status = None;
    // The manager's text may quote the request.
    failure.api = None;
    failure.reason = Some("not sent, because the manager rejected the same login before".to_owned());
    refusal
}

/// The error of requests that are not sent, because the reply to another caller's request was not clear.
pub(super) fn unclear_before(other: &Error) -> Error {
    let failure = other.failure();
    let status = failure.status.map(|status| format!(" ({status})"));
    Error::new(
        match other.kind() {
            ErrorKind::Unauthenticated | ErrorKind::NotFound | ErrorKind::PermissionDenied => {
                ErrorKind::Rejected
            }
            kind => kind,
        },
        Failure {
            unsent: true,
            reason: Some(format!(
                "not sent, because the response to another request{} does not show whether the manager accepts the login",
                status.unwrap_or_default()
            )),
            hint: Some("check that host is the manager, and any proxy in front of it".to_owned()),
            ..Failure::default()
        },
    )
}

/// The error for a reply to a login that neither accepts nor refuses it.
///
/// `reason` and `hint` replace the general ones, except for redirects.
pub(super) fn unclear(reply: &Response<Bytes>, reason: Option<String>, hint: Option<&'static str>) -> Error {
    let hint = hint.filter(|_| !reply.status().is_redirection());
    let kind = match reply.status().is_success() {
        true => ErrorKind::BadReply,
        false => ErrorKind::Rejected,
    };
    of_login(kind, reply, reason, hint)
}

/// Whether `error` is the error of an [`unclear`] reply.
pub(super) fn is_unclear(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::BadReply | ErrorKind::Rejected)
}

/// The error for a reply to a login, independent of the usual meaning of its status. `reason` and `hint` replace the
/// general ones.
pub(super) fn of_login(
    kind: ErrorKind,
    reply: &Response<Bytes>,
    reason: Option<String>,
    hint: Option<&'static str>,
) -> Error {
    let mut failure = classify(reply).failure().clone();
    if reason.is_some() {
        failure.body_line = None;
        failure.quoted.clone_from(&reason);
        failure.reason = reason;
    }
    if let Some(hint) = hint {
        failure.hint = Some(hint.to_owned());
    }
    Error::new(kind, failure)
}
