//! The credentials in the headers of a request: session cookies, a name and password, an access token. They are checked
//! elsewhere.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, COOKIE, HeaderMap};

use super::sessions::{AFFINITY_COOKIE, PresentedSession, SESSION_COOKIE};

/// The session that a request names, if it names one.
pub(crate) fn presented_session(headers: &HeaderMap) -> Option<PresentedSession<'_>> {
    Some(PresentedSession {
        id: cookie(headers, SESSION_COOKIE)?,
        xsrf: text(headers, "x-xsrf-token"),
        affinity: cookie(headers, AFFINITY_COOKIE),
    })
}

/// A name and password in `Authorization: Basic` or `Remote`.
pub(crate) struct HeaderLogin {
    pub(crate) name: String,
    pub(crate) password: String,
    /// With the scheme `Remote`, for directory accounts.
    pub(crate) remote: bool,
}

pub(crate) fn header_login(headers: &HeaderMap) -> Option<HeaderLogin> {
    let (scheme, encoded) = authorization(headers)?;
    let remote = scheme.eq_ignore_ascii_case("Remote");
    if !remote && !scheme.eq_ignore_ascii_case("Basic") {
        return None;
    }
    // An invalid header is a login with an unknown name.
    let decoded = STANDARD
        .decode(encoded)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .unwrap_or_default();
    let (name, password) = decoded.split_once(':').unwrap_or_default();
    Some(HeaderLogin {
        name: name.to_owned(),
        password: password.to_owned(),
        remote,
    })
}

/// `Authorization: Bearer`, or `csp-auth-token` below the policy roots.
pub(crate) fn access_token<'a>(headers: &'a HeaderMap, path: &str) -> Option<&'a str> {
    let bearer = authorization(headers).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("Bearer"));
    bearer
        .map(|(_, token)| token)
        .or_else(|| text(headers, "csp-auth-token").filter(|_| !path.starts_with("/api/v1/")))
}

fn authorization(headers: &HeaderMap) -> Option<(&str, &str)> {
    let (scheme, value) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    Some((scheme, value.trim()))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(key, value)| (key == name).then_some(value))
}
