//! The sender of a request: session, `Authorization` header, access token or client certificate, in this order.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::StatusCode;
use http::header::{AUTHORIZATION, COOKIE, HeaderMap};
use http::request::Parts;

use super::Server;
use super::accounts::{Scheme, User};
use super::connection::Peer;
use super::sessions::{AFFINITY_COOKIE, SESSION_COOKIE, Shown};
use crate::manager_error::ManagerError;

/// An authenticated identity.
#[derive(Debug)]
pub(crate) struct Principal {
    /// Account, principal identity or owner of the access token. Limits count per name.
    pub(crate) name: String,
    /// Path prefixes that it may not read.
    denied: Vec<String>,
}

impl Principal {
    fn unrestricted(name: String) -> Self {
        Self {
            name,
            denied: Vec::new(),
        }
    }

    pub(crate) fn may_read(&self, path: &str) -> Result<(), ManagerError> {
        if self.denied.iter().any(|prefix| path.starts_with(prefix.as_str())) {
            let message = format!("Account {} lacks read on {path}", self.name);
            return Err(ManagerError::usual(StatusCode::FORBIDDEN, 401).with_message(message));
        }
        Ok(())
    }
}

impl From<&User> for Principal {
    fn from(user: &User) -> Self {
        Self {
            name: user.name.clone(),
            denied: user.denied.clone(),
        }
    }
}

impl Server {
    /// The sender of a request to `path`. A session cookie takes precedence over `Authorization`, even if the
    /// session has expired.
    pub(crate) fn authenticate(
        &self,
        parts: &Parts,
        path: &str,
        peer: &Peer,
    ) -> Result<Principal, ManagerError> {
        if let Some(shown) = shown_session(&parts.headers) {
            if parts.headers.contains_key(AUTHORIZATION) {
                self.recorder.count(|counters| counters.double_credentials += 1);
            }
            return Ok(Principal::from(&*self.sessions.check(shown)?));
        }
        if let Some(login) = header_login(&parts.headers) {
            return self.header_principal(&login, peer);
        }
        if let Some(token) = access_token(&parts.headers, path) {
            return self.cloud.owner(token).map(Principal::unrestricted);
        }
        if let Some(certificate) = &peer.certificate {
            let known = self
                .identities
                .iter()
                .find(|identity| identity.certificate == *certificate);
            return known
                .map(|identity| Principal::unrestricted(identity.name.clone()))
                .ok_or_else(|| ManagerError::usual(StatusCode::INTERNAL_SERVER_ERROR, 99));
        }
        Err(ManagerError::credentials("without credentials"))
    }

    fn header_principal(&self, login: &Login, peer: &Peer) -> Result<Principal, ManagerError> {
        let scheme = if login.remote {
            Scheme::DirectoryOnly
        } else {
            Scheme::Any
        };
        match self
            .accounts
            .log_in(&login.name, &login.password, scheme, peer.address)
        {
            Some(user) => {
                self.recorder.count(|counters| counters.header_logins += 1);
                Ok(Principal::from(&*user))
            }
            None => {
                self.recorder.count(|counters| counters.failed_logins += 1);
                Err(ManagerError::credentials(&login.name))
            }
        }
    }
}

/// The session that a request names, if it names one.
pub(crate) fn shown_session(headers: &HeaderMap) -> Option<Shown<'_>> {
    Some(Shown {
        id: cookie(headers, SESSION_COOKIE)?,
        xsrf: text(headers, "x-xsrf-token"),
        affinity: cookie(headers, AFFINITY_COOKIE),
    })
}

/// A name and password in `Authorization: Basic` or `Remote`.
pub(crate) struct Login {
    pub(crate) name: String,
    pub(crate) password: String,
    remote: bool,
}

pub(crate) fn header_login(headers: &HeaderMap) -> Option<Login> {
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
    Some(Login {
        name: name.to_owned(),
        password: password.to_owned(),
        remote,
    })
}

/// `Authorization: Bearer`, or `csp-auth-token` below the policy roots.
fn access_token<'a>(headers: &'a HeaderMap, path: &str) -> Option<&'a str> {
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
