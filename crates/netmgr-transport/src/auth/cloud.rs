//! Tokens of the hosted cloud: a long-lived token is exchanged for short-lived access tokens.

use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{Request, Response, StatusCode, Uri};
use netmgr_types::{CloudGrant, CloudHeaders, CloudLogin};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::Instant;

use super::credential::Credential;
use super::header;
use super::login::{Issuer, form};
use crate::call_context::ReplyContext;
use crate::{Error, ErrorKind, Failure};

const CLOUD_TOKEN: HeaderName = HeaderName::from_static("csp-auth-token");

/// Exchanges tokens at one address.
pub(super) struct Exchanges {
    login: CloudLogin,
    address: Uri,
}

/// The body of a refused exchange.
#[derive(Deserialize)]
struct ExchangeRefusal {
    message: String,
    #[serde(default, rename = "moduleCode")]
    module_code: Value,
}

/// The body of a successful exchange. Never shown.
#[derive(Deserialize)]
struct Grant {
    access_token: String,
    #[serde(default)]
    expires_in: Value,
}

impl Exchanges {
    /// # Errors
    ///
    /// [`ErrorKind::Config`] if the address is not an absolute URL.
    pub(super) fn try_new(login: CloudLogin) -> Result<Self, Error> {
        let unusable = |reason: &str| Error::config("cloudAuthHost", reason, None);
        let address: Uri = login
            .exchange_url
            .parse()
            .map_err(|_| unusable("is not a host with a path"))?;
        if address.host().is_none() || address.scheme().is_none() {
            return Err(unusable("has no host name"));
        }
        Ok(Self { login, address })
    }
}

impl Issuer for Exchanges {
    fn request(&self) -> Request<Bytes> {
        let request = Request::post(self.address.clone())
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(ACCEPT, "application/json");
        let (request, body) = match &self.login.grant {
            CloudGrant::ApiToken(token) => (request, form(&[("refresh_token", token.expose())])),
            CloudGrant::App { id, secret } => (
                request.header(AUTHORIZATION, header::pair("Basic", id, secret)),
                form(&[("grant_type", "client_credentials")]),
            ),
        };
        request.body(body).expect("a checked address and checked headers")
    }

    fn credential(&self, reply: &Response<Bytes>, sent: Instant) -> Result<Credential, Error> {
        let grant: Grant = serde_json::from_slice(reply.body())
            .map_err(|_| bad_reply(reply, "the reply to the token exchange has no access_token"))?;
        let unusable = |_| bad_reply(reply, "the access_token cannot be used in a header");
        if grant.access_token.is_empty() {
            return Err(bad_reply(reply, "the access_token is empty"));
        }
        let bearer = HeaderValue::try_from(format!("Bearer {}", grant.access_token)).map_err(unusable)?;
        let mut headers = vec![(AUTHORIZATION, bearer)];
        if self.login.headers == CloudHeaders::Both {
            let token = HeaderValue::try_from(grant.access_token).map_err(unusable)?;
            headers.push((CLOUD_TOKEN, token));
        }
        let credential = Credential::new(headers);
        let seconds = match grant.expires_in {
            Value::Number(number) => number.as_u64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        Ok(match seconds {
            Some(seconds) if seconds > 0 => credential.expiring(sent, Duration::from_secs(seconds)),
            _ => credential,
        })
    }

    /// An invalid or expired token is refused with status 400 (`invalid_grant`). A proxy's error page is not
    /// a refusal.
    fn refuses(&self, reply: &Response<Bytes>) -> bool {
        match reply.status() {
            StatusCode::UNAUTHORIZED => true,
            StatusCode::BAD_REQUEST | StatusCode::FORBIDDEN => self.reason(reply.body()).is_some(),
            _ => false,
        }
    }

    fn reason(&self, body: &[u8]) -> Option<String> {
        let refusal: ExchangeRefusal = serde_json::from_slice(body).ok()?;
        Some(match refusal.module_code {
            Value::Null => refusal.message,
            code => format!("{} (moduleCode {code})", refusal.message),
        })
    }

    fn hint(&self, _reply: &Response<Bytes>, refused: bool) -> Option<&'static str> {
        Some(match (refused, &self.login.grant) {
            (true, CloudGrant::ApiToken(_)) => "check `cloudToken`; it may have expired",
            (true, CloudGrant::App { .. }) => "check `cloudClientId` and `cloudClientSecret`",
            (false, _) => "check `cloudAuthHost`",
        })
    }
}

/// The error for a success without a token. The body may contain a token, so the error does not include it.
fn bad_reply(reply: &Response<Bytes>, reason: &str) -> Error {
    Error::new(
        ErrorKind::BadReply,
        Failure {
            request_line: ReplyContext::of(reply).request_line,
            status: Some(reply.status()),
            reason: Some(reason.to_owned()),
            hint: Some("check `cloudAuthHost`".to_owned()),
            ..Failure::default()
        },
    )
}
