//! Which replies refuse a credential, and what is told about them.
//!
//! Not here: what statuses and codes mean (`classify.rs`).

use bytes::Bytes;
use http::{Response, StatusCode};

use crate::Error;
use crate::classify::{
    BAD_CREDENTIALS, BAD_XSRF_TOKEN, PAGE_TOO_LARGE, SentAs, classify, has_code, is_of_manager,
};

/// What a reply says about the credential of its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The manager looked at the request, so it accepts the credential.
    Accepted,
    /// The manager refuses the credential.
    Refused,
    /// A refusal that may be about the path only, or that may not be from the manager.
    Doubtful,
    /// Nothing: there was no room, or something before the manager answered.
    Unknown,
}

/// What `reply` says about the credential of its request.
///
/// A role that may not do it and a missing licence also come with status 403, and an unknown client
/// certificate with 500, but the login is accepted. Source: manager-transport 2.2.
pub(super) fn verdict(reply: &Response<Bytes>) -> Verdict {
    let status = reply.status();
    if is_login_error(reply) {
        return Verdict::Refused;
    }
    match status.as_u16() {
        403 if matches!(classify(reply), Error::Unauthenticated(_)) => Verdict::Doubtful,
        503 if has_code(reply, PAGE_TOO_LARGE) => Verdict::Accepted,
        408 | 429 | 502 | 503 | 504 => Verdict::Unknown,
        _ if status.is_success() && is_json(reply.body()) => Verdict::Accepted,
        _ if is_of_manager(reply) => Verdict::Accepted,
        _ => Verdict::Unknown,
    }
}

/// Whether `reply` shows that a session is over: a login error, a token that is not valid (code 98),
/// or the address of the login page in the place of an answer.
pub(super) fn ends_session(reply: &Response<Bytes>) -> bool {
    is_login_error(reply)
        || reply.status() == StatusCode::FORBIDDEN
            && (has_code(reply, BAD_XSRF_TOKEN) || reply.extensions().get::<SentAs>().is_some())
}

/// Whether the manager refuses the login itself, so that the same one is refused again: 401, or 403
/// with code 403. Anything else may be about one path, or not from the manager.
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

/// What a refusal of one request means for the others, which are not sent.
pub(super) fn remembered(mut refusal: Error) -> Error {
    if let Some(failure) = refusal.failure_mut() {
        failure.request_line = None;
        failure.status = None;
        failure.reason = Some("not sent, because the manager refused the same login before".to_owned());
    }
    refusal
}

/// The failure that a reply to a login means, whatever its status would mean elsewhere.
///
/// `reason` and `hint` take the place of the general ones.
pub(super) fn unauthenticated(
    reply: &Response<Bytes>,
    reason: Option<String>,
    hint: Option<&'static str>,
) -> Error {
    let mut failure = classify(reply)
        .failure_mut()
        .map(std::mem::take)
        .unwrap_or_default();
    if reason.is_some() {
        failure.body_line = None;
        failure.reason = reason;
    }
    if let Some(hint) = hint {
        failure.hint = Some(hint.to_owned());
    }
    Error::Unauthenticated(Box::new(failure))
}
