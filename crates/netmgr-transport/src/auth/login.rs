//! One login.
//!
//! Not here: who does it and who waits for it (`gate.rs`).

use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use tokio::time::Instant;
use tower::ServiceExt;

use super::check::{answers, is_transient};
use super::credential::Credential;
use super::gate::{Outcome, Sending};
use super::outage::Outage;
use super::refusal::unauthenticated;
use crate::error::Origin;
use crate::layers::Inner;
use crate::{Error, RequestLine};

/// Where credentials come from: a request, and what its reply means.
pub(super) trait Issuer: Send + Sync {
    /// The login.
    fn request(&self) -> Request<Bytes>;
    /// The credential in a successful reply to a login that was `sent` then.
    fn credential(&self, reply: &Response<Bytes>, sent: Instant) -> Result<Credential, Error>;
    /// Whether a reply means that this login will never be accepted.
    fn refuses(&self, reply: &Response<Bytes>) -> bool;
    /// Whether failed logins lock the account.
    fn is_counted(&self) -> bool;
    /// The request that gives a credential back, still unsigned, where that is possible.
    fn destroy(&self) -> Option<Request<Bytes>> {
        None
    }
    /// What an error body in a form of its own says.
    fn reason(&self, _body: &[u8]) -> Option<String> {
        None
    }
    /// What to do when the login was refused, or had an unexpected answer, where the answer alone
    /// does not tell.
    fn hint(&self, refused: bool) -> Option<&'static str>;
}

/// Prepares one login of `issuer`: checks whether it may be sent, and waits for its place.
///
/// # Errors
///
/// The outcome of the last login, when another would be one too many.
pub(super) async fn log_in<S: Inner>(
    lane: S,
    issuer: Arc<dyn Issuer>,
    outage: Arc<Outage<Outcome>>,
) -> Result<Sending, Outcome> {
    if issuer.is_counted()
        && let Some(last) = outage.needs_check()
        && !outage.checked(answers(lane.clone()).await)
    {
        return Err(last);
    }
    let mut service = lane;
    if let Err(error) = service.ready().await {
        return Err(Outcome::Failed(Arc::new(error)));
    }
    Ok(Box::pin(async move {
        let outcome = send(service, issuer).await;
        outage.note(&outcome);
        outcome
    }))
}

async fn send<S: Inner>(mut service: S, issuer: Arc<dyn Issuer>) -> Outcome {
    let sent = Instant::now();
    let reply = match service.call(issuer.request()).await {
        Ok(reply) => reply,
        Err(error) => return Outcome::Failed(Arc::new(error)),
    };
    let status = reply.status();
    tracing::debug!(status = status.as_u16(), "login answered");
    if matches!(status, StatusCode::OK | StatusCode::CREATED) {
        return match issuer.credential(&reply, sent) {
            Ok(credential) => Outcome::Accepted(Arc::new(credential)),
            Err(error) => Outcome::Failed(Arc::new(error)),
        };
    }
    if is_transient(status) {
        return Outcome::Answered(reply);
    }
    let refused = issuer.refuses(&reply);
    let reason = issuer.reason(reply.body());
    let error = Arc::new(unauthenticated(&reply, reason, issuer.hint(refused)));
    if refused {
        Outcome::Refused(error)
    } else {
        Outcome::Failed(error)
    }
}

/// A form body; every byte but letters, digits and `-._~` is percent-encoded.
pub(super) fn form(fields: &[(&str, &str)]) -> Bytes {
    const VALUE: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~');
    let pairs: Vec<_> = fields
        .iter()
        .map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, VALUE)))
        .collect();
    pairs.join("&").into()
}

/// The login that `reply` answers, as failures name it.
pub(super) fn origin(reply: &Response<Bytes>) -> Option<RequestLine> {
    reply.extensions().get::<Origin>().map(|origin| origin.0.clone())
}
