//! A login request and its result.
//!
//! `gate.rs` decides when it is sent and who waits for it.

use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use tokio::time::Instant;
use zeroize::Zeroizing;

use super::check::{checked, is_lost, is_of_gateway, is_transient, slot_and_turn};
use super::credential::Credential;
use super::gate::{Outcome, Sending};
use super::outage::Outage;
use super::refusal::unauthenticated;
use crate::call_context::ReplyContext;
use crate::refused_logins::{Guard, LoginEnd};
use crate::service::Inner;
use crate::{Error, RequestLine};

/// A source of credentials: a login request and the interpretation of its reply.
pub(super) trait Issuer: Send + Sync {
    /// The login.
    fn request(&self) -> Request<Bytes>;
    /// Extracts the credential from a successful reply to a login that was sent at `sent`.
    fn credential(&self, reply: &Response<Bytes>, sent: Instant) -> Result<Credential, Error>;
    /// Whether the reply refuses the login permanently.
    fn refuses(&self, reply: &Response<Bytes>) -> bool;
    /// Whether failed logins lock the account.
    fn is_counted(&self) -> bool;
    /// The unsigned request that revokes a credential, if there is one.
    fn destroy(&self) -> Option<Request<Bytes>> {
        None
    }
    /// The error message of a body with a special format.
    fn reason(&self, _body: &[u8]) -> Option<String> {
        None
    }
    /// A hint for a refused login or an unexpected reply.
    fn hint(&self, refused: bool) -> Option<&'static str>;
}

/// Prepares a login of `issuer`: checks that it may be sent, and waits for a slot.
///
/// # Errors
///
/// The result of the last login, if another login is not permitted, or the refusal of another process.
pub(super) async fn log_in<S: Inner>(
    lane: S,
    issuer: Arc<dyn Issuer>,
    outage: Arc<Outage<Outcome>>,
    guard: Option<Guard>,
) -> Result<Sending, Outcome> {
    if issuer.is_counted()
        && let Some(last) = outage.needs_check()
        && !checked(&lane, &outage, guard.as_ref()).await
    {
        return Err(last);
    }
    let both = slot_and_turn(&lane, guard.as_ref()).await;
    let (service, turn) = both.map_err(Outcome::Failed)?;
    Ok(Box::pin(async move {
        let outcome = send(service, issuer).await;
        outage.note(&outcome);
        turn.end(match &outcome {
            Outcome::Accepted(_) => LoginEnd::Accepted,
            Outcome::Refused(_) => LoginEnd::Refused,
            Outcome::Answered(reply) if is_of_gateway(reply.status()) => LoginEnd::Lost,
            Outcome::Failed(error) if is_lost(error) => LoginEnd::Lost,
            Outcome::Answered(_) | Outcome::Failed(_) => LoginEnd::Uncounted,
        })
        .await;
        outcome
    }))
}

async fn send<S: Inner>(mut service: S, issuer: Arc<dyn Issuer>) -> Outcome {
    let sent = Instant::now();
    let reply = match service.call(issuer.request()).await {
        Ok(reply) => reply,
        Err(error) => return Outcome::Failed(error),
    };
    let status = reply.status();
    tracing::debug!(status = status.as_u16(), "login answered");
    if matches!(status, StatusCode::OK | StatusCode::CREATED) {
        return match issuer.credential(&reply, sent) {
            Ok(credential) => Outcome::Accepted(Arc::new(credential)),
            Err(error) => Outcome::Failed(error),
        };
    }
    if is_transient(status) {
        return Outcome::Answered(reply);
    }
    let refused = issuer.refuses(&reply);
    let reason = issuer.reason(reply.body());
    let error = unauthenticated(&reply, reason, issuer.hint(refused));
    if refused {
        Outcome::Refused(error)
    } else {
        Outcome::Failed(error)
    }
}

/// A form body. Every byte except letters, digits and `-._~` is percent-encoded.
pub(super) fn form(fields: &[(&str, &str)]) -> Bytes {
    const VALUE: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~');
    let longest = fields
        .iter()
        .map(|(name, value)| name.len() + 3 * value.len() + 2)
        .sum();
    // Does not grow, because that would leave a copy behind. Wiped with the last clone (0286).
    let mut body = Zeroizing::new(Vec::with_capacity(longest));
    for (number, (name, value)) in fields.iter().enumerate() {
        if number > 0 {
            body.push(b'&');
        }
        body.extend_from_slice(name.as_bytes());
        body.push(b'=');
        for piece in utf8_percent_encode(value, VALUE) {
            body.extend_from_slice(piece.as_bytes());
        }
    }
    Bytes::from_owner(body)
}

/// The login request of `reply`, for errors.
pub(super) fn origin(reply: &Response<Bytes>) -> Option<RequestLine> {
    ReplyContext::of(reply).request_line
}
