//! Hosted cloud: the token exchange and access tokens.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use http::StatusCode;
use http::request::Parts;
use serde_json::json;
use tokio::time::Instant;

use super::credentials::header_login;
use super::ids;
use super::reply::HttpReply;
use crate::manager_error::ManagerError;

/// Exchange of an API token.
pub(crate) const API_TOKEN_PATH: &str = "/csp/gateway/am/api/auth/api-tokens/authorize";
/// Exchange of the id and secret of an OAuth app.
pub(crate) const APP_PATH: &str = "/csp/gateway/am/api/auth/authorize";

/// Credentials for the exchange, and issued access tokens.
#[derive(Debug)]
pub(crate) struct Cloud {
    api_tokens: Vec<String>,
    apps: HashMap<String, String>,
    expires_in: Duration,
    issued: Mutex<HashMap<String, Access>>,
}

#[derive(Debug)]
struct Access {
    owner: String,
    until: Instant,
}

impl Cloud {
    pub(crate) fn new(api_tokens: Vec<String>, apps: HashMap<String, String>, expires_in: Duration) -> Self {
        Self {
            api_tokens,
            apps,
            expires_in,
            issued: Mutex::default(),
        }
    }

    /// Exchanges `refresh_token` of the form, or `api_token` of the query.
    pub(crate) fn exchange_api_token(&self, parts: &Parts, form: &[u8]) -> HttpReply {
        let query = parts.uri.query().unwrap_or_default().as_bytes();
        let token = form_field(form, "refresh_token").or_else(|| form_field(query, "api_token"));
        match token.filter(|token| self.api_tokens.contains(token)) {
            Some(_) => self.issue("api-token"),
            None => refused("invalid_grant: the API token is not known"),
        }
    }

    /// Exchanges the id and secret that are sent as basic credentials.
    pub(crate) fn exchange_app(&self, parts: &Parts, form: &[u8]) -> HttpReply {
        if form_field(form, "grant_type").as_deref() != Some("client_credentials") {
            return refused("invalid_request: grant_type has to be client_credentials");
        }
        let app = header_login(&parts.headers).filter(|login| {
            self.apps
                .get(&login.name)
                .is_some_and(|secret| *secret == login.password)
        });
        match app {
            Some(login) => self.issue(&login.name),
            None => refused("invalid_grant: the client id or secret is wrong"),
        }
    }

    /// The owner of a valid access token.
    pub(crate) fn owner(&self, token: &str) -> Result<String, ManagerError> {
        let issued = self.issued.lock().expect("no holder of the lock panics");
        issued
            .get(token)
            .filter(|access| Instant::now() < access.until)
            .map(|access| access.owner.clone())
            .ok_or_else(|| ManagerError::usual(StatusCode::UNAUTHORIZED, 401_001))
    }

    /// Revokes all access tokens.
    pub(crate) fn revoke_all(&self) {
        self.issued.lock().expect("no holder of the lock panics").clear();
    }

    fn issue(&self, owner: &str) -> HttpReply {
        let token = format!("{}.{}", ids::hex32(), ids::hex32());
        let access = Access {
            owner: owner.to_owned(),
            until: Instant::now() + self.expires_in,
        };
        self.issued
            .lock()
            .expect("no holder of the lock panics")
            .insert(token.clone(), access);
        let body = json!({
            "access_token": token,
            "id_token": ids::hex32(),
            "token_type": "bearer",
            "expires_in": self.expires_in.as_secs(),
            "scope": "ALL_PERMISSIONS openid",
            "refresh_token": ids::hex32(),
        });
        HttpReply::json(StatusCode::OK, body)
    }
}

/// First value of a field in a form, decoded as the form content type prescribes: `+` is a space.
pub(crate) fn form_field(form: &[u8], name: &str) -> Option<String> {
    form_urlencoded::parse(form)
        .find(|(field, _)| field == name)
        .map(|(_, value)| value.into_owned())
}

fn refused(message: &str) -> HttpReply {
    HttpReply::json(
        StatusCode::BAD_REQUEST,
        json!({ "moduleCode": 340, "message": message }),
    )
}
