//! What is put on a request so that the manager knows who sends it.
//!
//! Not here: how it is obtained (`session.rs`, `cloud.rs`, `header.rs`).

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{COOKIE, HeaderName, HeaderValue, SET_COOKIE};
use http::{HeaderMap, Request};
use tokio::time::Instant;

/// A refresh that failed is tried again after this time.
const POSTPONED: Duration = Duration::from_secs(5);

/// Headers for a request, and for how long they are good.
///
/// No `Debug`: all of it is secret.
#[derive(Clone)]
pub(super) struct Credential {
    headers: HeaderMap,
    cookies: Cookies,
    life: Option<Life>,
    /// Shared by all versions of what one login gave.
    login: Arc<()>,
}

/// The times of a credential that expires.
#[derive(Clone, Copy)]
struct Life {
    renew_at: Instant,
    expires_at: Instant,
}

impl Credential {
    /// A credential of these headers that is good until it is refused.
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

    /// Adds cookies.
    pub(super) fn with_cookies(mut self, cookies: Cookies) -> Self {
        self.headers.extend(cookies.header().map(|value| (COOKIE, value)));
        self.cookies = cookies;
        self
    }

    /// Limits it to `life` from `start`; it is renewed a tenth of that earlier, at least 30 s but
    /// never more than half of it.
    pub(super) fn expiring(mut self, start: Instant, life: Duration) -> Self {
        let margin = (life / 10).max(Duration::from_secs(30)).min(life / 2);
        self.life = start.checked_add(life).map(|expires_at| Life {
            renew_at: expires_at - margin,
            expires_at,
        });
        self
    }

    /// Whether it can be used without asking for a new one first.
    pub(super) fn is_fresh(&self) -> bool {
        self.life.is_none_or(|life| Instant::now() < life.renew_at)
    }

    /// The credential for a little longer, when it could not be renewed but has not expired.
    pub(super) fn postponed(&self) -> Option<Self> {
        let life = self.life?;
        let renew_at = Instant::now() + POSTPONED;
        (renew_at < life.expires_at).then(|| Self {
            life: Some(Life { renew_at, ..life }),
            ..self.clone()
        })
    }

    /// Whether both come from the same login.
    pub(super) fn is_from_login_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.login, &other.login)
    }

    /// The credential with the cookies that `reply` sets; none when it sets none.
    pub(super) fn updated(&self, reply: &HeaderMap) -> Option<Self> {
        if self.cookies.0.is_empty() {
            return None;
        }
        let mut cookies = self.cookies.clone();
        cookies.absorb(reply);
        (cookies != self.cookies).then(|| self.clone().with_cookies(cookies))
    }

    /// Puts the credential on a request.
    pub(super) fn sign(&self, mut request: Request<Bytes>) -> Request<Bytes> {
        for (name, value) in &self.headers {
            request.headers_mut().insert(name, value.clone());
        }
        request
    }
}

/// Cookies by name, in the order of their first appearance.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Cookies(Vec<Cookie>);

#[derive(Clone, PartialEq, Eq)]
struct Cookie {
    name: Box<[u8]>,
    value: Box<[u8]>,
}

impl Cookies {
    /// Takes over every `Set-Cookie` of a reply without its attributes; the latest value wins.
    pub(super) fn absorb(&mut self, reply: &HeaderMap) {
        for header in reply.get_all(SET_COOKIE) {
            let pair = header
                .as_bytes()
                .split(|byte| *byte == b';')
                .next()
                .unwrap_or_default();
            let Some(equals) = pair.iter().position(|byte| *byte == b'=') else {
                continue;
            };
            let cookie = Cookie {
                name: pair[..equals].trim_ascii().into(),
                value: pair[equals + 1..].trim_ascii().into(),
            };
            match self.0.iter_mut().find(|known| known.name == cookie.name) {
                Some(known) => *known = cookie,
                None => self.0.push(cookie),
            }
        }
    }

    /// Whether there is a cookie of this name with a value.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0
            .iter()
            .any(|cookie| *cookie.name == *name.as_bytes() && !cookie.value.is_empty())
    }

    /// The value of the `Cookie` header.
    fn header(&self) -> Option<HeaderValue> {
        let pair = |cookie: &Cookie| [&cookie.name, &b"="[..], &cookie.value].concat();
        let pairs: Vec<_> = self.0.iter().map(pair).collect();
        let mut value = HeaderValue::from_bytes(&pairs.join(&b"; "[..])).ok()?;
        value.set_sensitive(true);
        (!self.0.is_empty()).then_some(value)
    }
}
