//! One login, and one request that shows whether a header is accepted.
//!
//! Not here: who does it and who waits for it (`gate.rs`).

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use tokio::time::Instant;
use tower::ServiceExt;

use super::credential::Credential;
use super::gate::Outcome;
use super::refusal::{is_refusal, redacted, unauthenticated};
use crate::classify::classify;
use crate::error::Origin;
use crate::layers::Inner;
use crate::{Error, Exchange};

/// Where credentials come from: a request, and what its reply means.
pub(super) trait Issuer: Send + Sync {
    /// The login.
    fn request(&self) -> Request<Bytes>;
    /// The credential in a successful reply to a login that was `sent` then.
    fn credential(&self, reply: &Response<Bytes>, sent: Instant) -> Result<Credential, Error>;
    /// Whether a status means that this login will never be accepted.
    fn refuses(&self, status: StatusCode) -> bool;
    /// The request that gives a credential back, still unsigned, where that is possible.
    fn destroy(&self) -> Option<Request<Bytes>> {
        None
    }
    /// What an error body in a form of its own says.
    fn reason(&self, _body: &[u8]) -> Option<String> {
        None
    }
    /// The secret in the login, which no failure may show.
    fn secret(&self) -> &str;
    /// What to do when the login was refused, or had an unexpected answer, where the answer alone
    /// does not tell.
    fn hint(&self, refused: bool) -> Option<&'static str>;
}

/// One login.
pub(super) async fn log_in<S: Inner>(inner: S, issuer: Arc<dyn Issuer>) -> Outcome {
    let sent = Instant::now();
    let reply = match inner.oneshot(issuer.request()).await {
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
    let reply = redacted(reply, issuer.secret());
    if is_transient(status) {
        return Outcome::Answered(reply);
    }
    let refused = issuer.refuses(status);
    let reason = issuer.reason(reply.body());
    let error = Arc::new(unauthenticated(&reply, reason, issuer.hint(refused)));
    if refused {
        Outcome::Refused(error)
    } else {
        Outcome::Failed(error)
    }
}

/// A request that shows whether the header is accepted. An accepted one leaves its reply in
/// `answer`, where the caller that sent it takes it.
pub(super) async fn probe<S: Inner>(
    inner: S,
    credential: Credential,
    request: Request<Bytes>,
    answer: Arc<Mutex<Option<Response<Bytes>>>>,
) -> Outcome {
    let reply = match inner.oneshot(request).await {
        Ok(reply) => reply,
        Err(error) => return Outcome::Failed(Arc::new(error)),
    };
    if is_refusal(&reply) {
        return Outcome::Refused(Arc::new(classify(&reply)));
    }
    // A proxy without room or without a manager behind it has not looked at the password.
    if matches!(reply.status().as_u16(), 408 | 429 | 502 | 503 | 504) {
        return Outcome::Answered(reply);
    }
    *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(reply);
    Outcome::Accepted(Arc::new(credential))
}

/// Whether a login with this answer is worth another attempt soon.
fn is_transient(status: StatusCode) -> bool {
    status.is_server_error() || matches!(status.as_u16(), 408 | 409 | 425 | 429)
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
pub(super) fn origin(reply: &Response<Bytes>) -> Option<Exchange> {
    reply.extensions().get::<Origin>().map(|origin| origin.0.clone())
}
