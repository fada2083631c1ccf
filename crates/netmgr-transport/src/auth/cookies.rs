//! The cookies of a login: the cookies of the session and of a load balancer.
//!
//! They are set by the reply to the login. Later replies can change or remove them but not add others (decision logins). Domain,
//! path and expiry are those of RFC 6265, except that a cookie without a path belongs to the whole host: a login sets the
//! cookies of all requests.

use std::sync::Arc;

use cookie_store::{Cookie, CookieStore, RawCookie};
use http::header::{HeaderValue, SET_COOKIE};
use http::{HeaderMap, Uri};
use netmgr_types::Host;
use url::Url;

/// The paths of the APIs. Source: the VMware NSX REST API.
const APIS: [&str; 3] = ["/policy/api/v1", "/api/v1", "/global-manager/api/v1"];
/// Maximum number of cookies.
const MOST: usize = 16;
/// Maximum length of the `Cookie` header in bytes. Servers accept at least 8 KiB of headers.
const LONGEST: usize = 6 << 10;

/// The cookies of a manager.
///
/// Not `Debug`, because their values are secret.
#[derive(Clone)]
pub(super) struct Cookies {
    store: CookieStore,
    site: Arc<Url>,
}

impl Cookies {
    /// The cookies of a reply to a login, starting with the `session` cookie. Cookies beyond 16, or beyond 6 KiB, are
    /// dropped.
    pub(super) fn of_login(reply: &HeaderMap, session: &str, site: &Arc<Url>) -> Self {
        let mut cookies = Self {
            store: CookieStore::default(),
            site: Arc::clone(site),
        };
        let (first, others): (Vec<_>, Vec<_>) = cookies
            .parsed(reply)
            .into_iter()
            .partition(|cookie| cookie.name() == session);
        for cookie in first.into_iter().chain(others) {
            cookies.insert(cookie);
        }
        cookies
    }

    /// Updates these cookies from a later reply. Returns whether one has changed.
    pub(super) fn update(&mut self, reply: &HeaderMap) -> bool {
        let mut has_changed = false;
        for cookie in self.parsed(reply) {
            let known = self
                .store
                .iter_unexpired()
                .find(|known| is_same(known, &cookie))
                .map(|known| known.value().to_owned());
            if known.is_some_and(|value| value != cookie.value() || cookie.is_expired()) {
                has_changed |= self.insert(cookie);
            }
        }
        has_changed
    }

    /// Whether requests of an API have a cookie of this name with a value.
    pub(super) fn has(&self, name: &str) -> bool {
        let has = |api: &str| {
            let mut cookies = self.store.matches(&self.url(api)).into_iter();
            cookies.any(|cookie| cookie.name() == name && !cookie.value().is_empty())
        };
        APIS.iter().any(|api| has(api))
    }

    /// The address of a path of the manager.
    fn url(&self, path: &str) -> Url {
        let mut url = Url::clone(&self.site);
        url.set_path(&format!("{}{path}", url.path().trim_end_matches('/')));
        url
    }

    /// The value of the `Cookie` header for a request.
    pub(super) fn header(&self, request: &Uri) -> Option<HeaderValue> {
        let mut cookies = self.store.matches(&self.url(request.path()));
        // Longer paths first, as RFC 6265 recommends.
        cookies.sort_by_key(|cookie| (usize::MAX - cookie.path.len(), cookie.name()));
        let pairs: Vec<_> = cookies
            .iter()
            .map(|cookie| format!("{}={}", cookie.name(), cookie.value()))
            .collect();
        let mut value = HeaderValue::try_from(pairs.join("; ")).ok()?;
        value.set_sensitive(true);
        (!pairs.is_empty()).then_some(value)
    }

    /// Inserts a cookie if the limits allow it. Returns whether they do.
    fn insert(&mut self, cookie: Cookie<'static>) -> bool {
        let others = self
            .store
            .iter_unexpired()
            .filter(|known| !is_same(known, &cookie));
        let (count, length) = others.fold((0, 0), |(count, sum), known| (count + 1, sum + length(known)));
        let fits = count < MOST && length + self::length(&cookie) <= LONGEST;
        // A cookie of another host is an error.
        (fits || cookie.is_expired()) && self.store.insert(cookie, &self.site).is_ok()
    }

    /// The cookies that a reply sets.
    fn parsed(&self, reply: &HeaderMap) -> Vec<Cookie<'static>> {
        let mut root = Url::clone(&self.site);
        root.set_path("/");
        texts(reply)
            .filter_map(|text| Some(Cookie::parse(text, &root).ok()?.into_owned()))
            .collect()
    }
}

/// The reason why requests do not contain a cookie that a reply sets.
#[derive(Debug, PartialEq)]
pub(super) enum IgnoredCookie {
    /// It is for another host. Browsers ignore it too.
    Domain(String),
    /// It is for a path below which there is no API.
    Path(String),
    /// It expires at once.
    Expired,
}

/// Why [no request contains](Cookies::has) the cookie `name` of the reply to a login. `None` if the reply does not set it to
/// a value.
pub(super) fn why_ignored(reply: &HeaderMap, name: &str, site: &Url) -> Option<IgnoredCookie> {
    let mut cookies = texts(reply).filter_map(|text| RawCookie::parse(text).ok());
    let cookie = cookies.find(|cookie| cookie.name() == name && !cookie.value().is_empty())?;
    let path = cookie.path().map(str::to_owned);
    let domain = cookie.domain().map(str::to_owned);
    match Cookie::try_from_raw_cookie(&cookie, site) {
        Ok(cookie) if cookie.is_expired() => Some(IgnoredCookie::Expired),
        Ok(_) => path.map(IgnoredCookie::Path),
        Err(_) => domain.map(IgnoredCookie::Domain),
    }
}

fn texts(reply: &HeaderMap) -> impl Iterator<Item = &str> {
    let headers = reply.get_all(SET_COOKIE).iter();
    headers.filter_map(|header| std::str::from_utf8(header.as_bytes()).ok())
}

/// The address of a manager, which its cookies belong to. `None` if it is not a URL.
pub(super) fn site(host: &Host) -> Option<Arc<Url>> {
    Url::parse(&host.base_url()).ok().map(Arc::new)
}

/// Whether both are for the same domain and path, and have the same name.
fn is_same(one: &Cookie<'_>, other: &Cookie<'_>) -> bool {
    one.domain.as_cow() == other.domain.as_cow() && *one.path == *other.path && one.name() == other.name()
}

/// The length in the header, including a separator.
fn length(cookie: &Cookie<'_>) -> usize {
    cookie.name().len() + cookie.value().len() + "=; ".len()
}

#[cfg(test)]
mod tests;
