//! The headers that authenticate a request.
//!
//! They are obtained in `session.rs`, `cloud.rs` and `header.rs`.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{COOKIE, HeaderName, HeaderValue};
use http::{HeaderMap, Request};
use tokio::time::Instant;

use super::cookies::Cookies;

/// Headers for a request and their lifetime.
///
/// Not `Debug`, because everything is secret.
#[derive(Clone)]
pub(super) struct Credential {
    headers: HeaderMap,
    /// The cookies of a session, and the name of the cookie that identifies it.
    session: Option<(Cookies, &'static str)>,
    life: Option<Life>,
    /// Shared by all versions of the credential of one login.
    login: Arc<()>,
}

/// Lifetime of a credential that expires.
#[derive(Clone, Copy)]
struct Life {
    renew_at: Instant,
    expires_at: Instant,
}

impl Credential {
    /// Creates a credential with these headers that is valid until it is refused.
    pub(super) fn new(headers: impl IntoIterator<Item = (HeaderName, HeaderValue)>) -> Self {
        let mut map = HeaderMap::new();
        for (name, mut value) in headers {
            value.set_sensitive(true);
            map.insert(name, value);
        }
        Self {
            headers: map,
            session: None,
            life: None,
            login: Arc::default(),
        }
    }

    /// Adds the cookies of a session, which the cookie called `name` identifies.
    pub(super) fn with_session(mut self, cookies: Cookies, name: &'static str) -> Self {
        self.session = Some((cookies, name));
        self
    }

    /// Limits the lifetime to `life` from `start`. The credential is renewed a tenth of `life` earlier, but
    /// at least 30 s and at most half of `life`.
    pub(super) fn expiring(mut self, start: Instant, life: Duration) -> Self {
        let margin = (life / 10).max(Duration::from_secs(30)).min(life / 2);
        self.life = start.checked_add(life).map(|expires_at| Life {
            renew_at: expires_at - margin,
            expires_at,
        });
        self
    }

    /// Whether it can be used without a renewal.
    pub(super) fn is_fresh(&self) -> bool {
        self.life.is_none_or(|life| Instant::now() < life.renew_at)
            && self
                .session
                .as_ref()
                .is_none_or(|(cookies, name)| cookies.has(name))
    }

    /// Postpones the renewal by `pause`, at most until the credential expires. `None` if it has expired.
    pub(super) fn postponed(&self, pause: Duration) -> Option<Self> {
        let life = self.life?;
        let now = Instant::now();
        let renew_at = life.expires_at.min(now + pause);
        (now < renew_at).then(|| Self {
            life: Some(Life { renew_at, ..life }),
            ..self.clone()
        })
    }

    /// Whether both were issued by the same login.
    pub(super) fn is_from_login_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.login, &other.login)
    }

    /// Updates the cookies from `reply`. `None` if nothing changes.
    pub(super) fn updated(&self, reply: &HeaderMap) -> Option<Self> {
        let mut updated = self.clone();
        let (cookies, _) = updated.session.as_mut()?;
        cookies.update(reply).then_some(updated)
    }

    /// Adds the headers to a request.
    pub(super) fn sign(&self, mut request: Request<Bytes>) -> Request<Bytes> {
        for (name, value) in &self.headers {
            request.headers_mut().insert(name, value.clone());
        }
        let session = self.session.as_ref();
        if let Some(cookies) = session.and_then(|(cookies, _)| cookies.header(request.uri())) {
            request.headers_mut().insert(COOKIE, cookies);
        }
        request
    }
}
