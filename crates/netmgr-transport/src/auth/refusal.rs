//! Which replies refuse a credential, and what is told about them.
//!
//! Not here: what statuses and codes mean (`classify.rs`).

use bytes::Bytes;
use http::{Response, StatusCode};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::Error;
use crate::classify::classify;

/// Whether the manager refuses the credential of a request, as opposed to the request.
///
/// 401; 403 with `error_code` 98 (XSRF token), 403 (not authenticated), or none at all. A role that
/// may not do it and a missing licence also come with status 403, and an unknown client certificate
/// with 500, but a new login would not help. Source: manager-transport 2.2.
pub(super) fn is_refusal(reply: &Response<Bytes>) -> bool {
    matches!(reply.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
        && matches!(classify(reply), Error::Unauthenticated(_))
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

/// The reply to a login without the secret that was sent, should the other side repeat it.
pub(super) fn redacted(reply: Response<Bytes>, secret: &str) -> Response<Bytes> {
    if secret.is_empty() {
        return reply;
    }
    let encoded = utf8_percent_encode(secret, NON_ALPHANUMERIC).to_string();
    reply.map(|body| {
        let text = String::from_utf8_lossy(&body);
        if text.contains(secret) || text.contains(&encoded) {
            text.replace(secret, "[redacted]")
                .replace(&encoded, "[redacted]")
                .into()
        } else {
            body
        }
    })
}
