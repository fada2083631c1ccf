//! The sender of a request: session, `Authorization` header, access token or client certificate, in this order.

use http::StatusCode;
use http::header::AUTHORIZATION;
use http::request::Parts;

use super::HttpServer;
use super::accounts::{AcceptedAccounts, User};
use super::connection::Peer;
use super::credentials::{HeaderLogin, access_token, header_login, presented_session};
use crate::manager_error::ManagerError;

/// An authenticated identity.
#[derive(Debug)]
pub(crate) struct RequestSender {
    /// Account, principal identity or owner of the access token. Limits count per name.
    pub(crate) name: String,
    /// Path prefixes that it may not read.
    denied: Vec<String>,
}

impl RequestSender {
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

impl From<&User> for RequestSender {
    fn from(user: &User) -> Self {
        Self {
            name: user.name.clone(),
            denied: user.denied.clone(),
        }
    }
}

impl HttpServer {
    /// The sender of a request to `path`. A session cookie takes precedence over `Authorization`, even if the
    /// session has expired.
    pub(crate) fn authenticate(
        &self,
        parts: &Parts,
        path: &str,
        peer: &Peer,
    ) -> Result<RequestSender, ManagerError> {
        if let Some(shown) = presented_session(&parts.headers) {
            if parts.headers.contains_key(AUTHORIZATION) {
                self.recorder.count(|counters| counters.double_credentials += 1);
            }
            return Ok(RequestSender::from(&*self.sessions.check(shown)?));
        }
        if let Some(login) = header_login(&parts.headers) {
            return self.header_principal(&login, peer);
        }
        if let Some(token) = access_token(&parts.headers, path) {
            return self.cloud.owner(token).map(RequestSender::unrestricted);
        }
        if let Some(certificate) = &peer.certificate {
            let known = self
                .identities
                .iter()
                .find(|identity| identity.certificate == *certificate);
            return known
                .map(|identity| RequestSender::unrestricted(identity.name.clone()))
                .ok_or_else(|| ManagerError::usual(StatusCode::INTERNAL_SERVER_ERROR, 99));
        }
        Err(ManagerError::credentials("without credentials"))
    }

    fn header_principal(&self, login: &HeaderLogin, peer: &Peer) -> Result<RequestSender, ManagerError> {
        let scheme = if login.remote {
            AcceptedAccounts::DirectoryOnly
        } else {
            AcceptedAccounts::Any
        };
        match self
            .accounts
            .log_in(&login.name, &login.password, scheme, peer.address)
        {
            Some(user) => {
                self.recorder.count(|counters| counters.header_logins += 1);
                Ok(RequestSender::from(&*user))
            }
            None => {
                self.recorder.count(|counters| counters.failed_logins += 1);
                Err(ManagerError::credentials(&login.name))
            }
        }
    }
}
