//! `Authorization` headers with user name and password: `Basic`, and `Remote` for directory users of old managers. Each
//! request is then a login; the first one is sent alone.

use std::sync::{Mutex, PoisonError};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use http::header::ACCEPT;
use http::{HeaderValue, Request};
use netmgr_types::{Login, LoginScheme, Secret};
use zeroize::Zeroizing;

use crate::service::Outcome;

/// The value of `Authorization` for a login.
pub(super) fn authorization(login: &Login) -> HeaderValue {
    let word = match login.scheme {
        LoginScheme::Basic => "Basic",
        LoginScheme::Remote => "Remote",
    };
    pair(word, &login.username, &login.password)
}

/// `<word> base64(<name>:<secret>)`, marked as sensitive.
pub(super) fn pair(word: &str, name: &str, secret: &Secret) -> HeaderValue {
    let pair = Zeroizing::new([name, ":", secret.expose()].concat());
    let encoded = Zeroizing::new(BASE64_STANDARD.encode(pair.as_bytes()));
    // The bytes are shared by all clones of the header, and wiped with the last one (decision foreign-text).
    let text = Zeroizing::new([word, " ", &encoded].concat().into_bytes());
    let text = Bytes::from_owner(text);
    let mut value = HeaderValue::from_maybe_shared(text).expect("base64 is valid in a header");
    value.set_sensitive(true);
    value
}

/// The request of a caller, which may be the one that verifies a credential.
pub(super) struct OwnRequest {
    pub(super) request: Request<Bytes>,
    outcome: Mutex<Option<Outcome>>,
}

impl OwnRequest {
    pub(super) fn new(request: Request<Bytes>) -> Self {
        Self {
            request,
            outcome: Mutex::default(),
        }
    }

    /// Stores its outcome.
    pub(super) fn ended(&self, outcome: Outcome) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
    }

    /// Whether it was sent.
    pub(super) fn is_sent(&self) -> bool {
        self.outcome
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some()
    }

    /// Its outcome, if it was sent.
    pub(super) fn take(&self) -> Option<Outcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A fixed, cheap request for the version of the node. It shows whether the manager responds, or whether it accepts a
/// credential.
pub(super) fn fixed_request() -> Request<Bytes> {
    Request::get("/api/v1/node/version")
        .header(ACCEPT, "application/json")
        .body(Bytes::new())
        .expect("a fixed path")
}
