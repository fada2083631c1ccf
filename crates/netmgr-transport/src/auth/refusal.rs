//! Interpretation of replies that refuse a credential.
//!
//! Status and error codes are mapped in `classify.rs`.

use bytes::Bytes;
use http::{Response, StatusCode};

use crate::call_context::ReplyContext;
use crate::classify::{BAD_CREDENTIALS, BAD_XSRF_TOKEN, PAGE_TOO_LARGE, classify, has_code, is_of_manager};
use crate::{Error, ErrorKind};

/// Meaning of a reply for the credential of its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The manager processed the request and therefore accepts the credential.
    Accepted,
    /// The manager refuses the credential.
    Refused,
    /// The reply may only concern the path, or may not be from the manager.
    Doubtful,
    /// The reply has no meaning for the credential: the manager was overloaded, or a proxy replied.
    Unknown,
}

/// Determines the meaning of `reply` for the credential of its request.
///
/// A missing permission and a missing licence also have status 403, and an unknown client certificate has
/// status 500, but the login is accepted. Source: manager-transport 2.2.
pub(super) fn verdict(reply: &Response<Bytes>) -> Verdict {
    let status = reply.status();
    if is_login_error(reply) {
        return Verdict::Refused;
    }
    match status.as_u16() {
        403 if classify(reply).kind() == ErrorKind::Unauthenticated => Verdict::Doubtful,
        503 if has_code(reply, PAGE_TOO_LARGE) => Verdict::Accepted,
        408 | 429 | 502 | 503 | 504 => Verdict::Unknown,
        _ if status.is_success() && is_json(reply.body()) => Verdict::Accepted,
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

fn is_json(body: &[u8]) -> bool {
    matches!(body.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// Adapts the refusal of one request for other requests, which are not sent.
pub(super) fn remembered(mut refusal: Error) -> Error {
    let failure = refusal.failure_mut();
    failure.request_line = None;
    failure.status = None;
    failure.reason = Some("not sent, because the manager refused the same login before".to_owned());
    refusal
}

/// The error for a reply to a login, independent of the usual meaning of its status.
///
/// `reason` and `hint` replace the general ones.
pub(super) fn unauthenticated(
    reply: &Response<Bytes>,
    reason: Option<String>,
    hint: Option<&'static str>,
) -> Error {
    let mut failure = classify(reply).failure().clone();
    if reason.is_some() {
        failure.body_line = None;
        failure.reason = reason;
    }
    if let Some(hint) = hint {
        failure.hint = Some(hint.to_owned());
    }
    Error::new(ErrorKind::Unauthenticated, failure)
}
