//! A login request and the interpretation of its reply.
//!
//! `log_in.rs` decides when it is sent.

use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use percent_encoding::utf8_percent_encode;
use tokio::time::Instant;
use zeroize::Zeroizing;

use super::credential::Credential;
use super::refusal::{is_transient, of_login, unclear};
use super::token_cache::LoginEnd;
use crate::get::QUERY;
use crate::service::Outcome;
use crate::{Error, ErrorKind};

/// A source of credentials: a login request and the interpretation of its reply.
pub(super) trait Issuer: Send + Sync {
    /// The login.
    fn request(&self) -> Request<Bytes>;
    /// Extracts the credential from a successful reply to a login that was sent at `sent`.
    fn credential(&self, reply: &Response<Bytes>, sent: Instant) -> Result<Credential, Error>;
    /// Whether the reply refuses the login permanently.
    fn refuses(&self, reply: &Response<Bytes>) -> bool;
    /// The unsigned request that revokes a credential, if there is one.
    fn destroy(&self) -> Option<Request<Bytes>> {
        None
    }
    /// The error message of a body with a special format.
    fn reason(&self, _body: &[u8]) -> Option<String> {
        None
    }
    /// A hint for a `reply` that refuses the login or is unexpected.
    fn hint(&self, reply: &Response<Bytes>, refused: bool) -> Option<&'static str>;
}

/// Outcome of a login of `issuer` that was sent at `sent`.
pub(super) fn end(issuer: &dyn Issuer, outcome: Outcome, sent: Instant) -> LoginEnd {
    let reply = match outcome {
        Ok(reply) => reply,
        Err(error) => return failed(error),
    };
    let status = reply.status();
    tracing::debug!(status = status.as_u16(), "login answered");
    if matches!(status, StatusCode::OK | StatusCode::CREATED) {
        return match issuer.credential(&reply, sent) {
            Ok(credential) => LoginEnd::Accepted(Arc::new(credential)),
            Err(error) => LoginEnd::Unclear(Err(error)),
        };
    }
    if status == StatusCode::TOO_MANY_REQUESTS {
        return LoginEnd::Unchecked(Ok(reply));
    }
    if is_transient(status) {
        return LoginEnd::Unclear(Ok(reply));
    }
    let refused = issuer.refuses(&reply);
    let reason = issuer.reason(reply.body());
    let hint = issuer.hint(&reply, refused);
    match refused {
        true => LoginEnd::Refused(of_login(ErrorKind::Unauthenticated, &reply, reason, hint)),
        false => LoginEnd::Unclear(Err(unclear(&reply, reason, hint))),
    }
}

/// The end of a login without a usable reply.
pub(super) fn failed(error: Error) -> LoginEnd {
    if error.kind() == ErrorKind::Tls || error.failure().unsent {
        LoginEnd::Unchecked(Err(error))
    } else {
        LoginEnd::Unclear(Err(error))
    }
}

/// A form body. Every byte except letters, digits and `-._~` is percent-encoded.
pub(super) fn form(fields: &[(&str, &str)]) -> Bytes {
    let longest = fields
        .iter()
        .map(|(name, value)| name.len() + 3 * value.len() + 2)
        .sum();
    // Does not grow, because that would leave a copy behind. Wiped with the last clone (decision foreign-text).
    let mut body = Zeroizing::new(Vec::with_capacity(longest));
    for (number, (name, value)) in fields.iter().enumerate() {
        if number > 0 {
            body.push(b'&');
        }
        body.extend_from_slice(name.as_bytes());
        body.push(b'=');
        for piece in utf8_percent_encode(value, QUERY) {
            body.extend_from_slice(piece.as_bytes());
        }
    }
    Bytes::from_owner(body)
}
