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
    cookies: Cookies,
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
            cookies: Cookies::default(),
            life: None,
            login: Arc::default(),
        }
    }

    /// Replaces the cookies.
    pub(super) fn with_cookies(mut self, cookies: Cookies) -> Self {
        if let Some(value) = cookies.header() {
            self.headers.insert(COOKIE, value);
        }
        self.cookies = cookies;
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
        let mut cookies = self.cookies.clone();
        cookies.update(reply);
        (cookies != self.cookies).then(|| self.clone().with_cookies(cookies))
    }

    /// Adds the headers to a request.
    pub(super) fn sign(&self, mut request: Request<Bytes>) -> Request<Bytes> {
        for (name, value) in &self.headers {
            request.headers_mut().insert(name, value.clone());
        }
        request
    }
}

#[cfg(test)]
mod tests {
    use http::header::SET_COOKIE;

    use super::*;

    fn set_cookie(value: String) -> HeaderMap {
        HeaderMap::from_iter([(SET_COOKIE, HeaderValue::try_from(value).unwrap())])
    }

    #[test]
    fn a_cookie_that_changes_with_every_reply_does_not_grow_the_credential() {
        let login = set_cookie("ID=0".to_owned());
        let mut credential = Credential::new([]).with_cookies(Cookies::of_login(&login, "ID"));
        for reply in 1..=4500 {
            credential = credential.updated(&set_cookie(format!("ID={reply}"))).unwrap();
            assert_eq!(credential.headers.len(), 1);
        }
        assert_eq!(credential.headers[COOKIE], "ID=4500");
    }
}
