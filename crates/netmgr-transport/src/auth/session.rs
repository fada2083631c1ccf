//! Sessions: one login, then a cookie and a token on each request.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName};
use http::{Request, Response};
use netmgr_types::{Login, LoginScheme};
use tokio::time::Instant;
use url::Url;

use super::cookies::{self, Cookies, IgnoredCookie};
use super::credential::Credential;
use super::header;
use super::login::{Issuer, form};
use super::refusal::{is_login_error, unclear};
use crate::Error;
use crate::body::{first_line, web_page};
use crate::classify::is_of_manager;

const CREATE: &str = "/api/session/create";
const DESTROY: &str = "/api/session/destroy";
const COOKIE_NAME: &str = "JSESSIONID";
const XSRF: HeaderName = HeaderName::from_static("x-xsrf-token");

/// Creates sessions on a manager.
pub(super) struct Sessions {
    pub(super) login: Login,
    /// The address that the cookies belong to.
    pub(super) site: Arc<Url>,
}

impl Issuer for Sessions {
    fn request(&self) -> Request<Bytes> {
        let body = form(&[
            ("j_username", &self.login.username),
            ("j_password", self.login.password.expose()),
        ]);
        let mut request = Request::post(CREATE)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(ACCEPT, "application/json");
        if self.login.scheme == LoginScheme::Remote {
            request = request.header(AUTHORIZATION, header::authorization(&self.login));
        }
        request.body(body).expect("a fixed path and checked headers")
    }

    fn credential(&self, reply: &Response<Bytes>, _sent: Instant) -> Result<Credential, Error> {
        let cookies = Cookies::of_login(reply.headers(), COOKIE_NAME, &self.site);
        if !cookies.has(COOKIE_NAME) {
            let (reason, quoted, hint) = match cookies::why_ignored(reply.headers(), COOKIE_NAME, &self.site)
            {
                Some(IgnoredCookie::Domain(domain)) => (
                    format!("its {COOKIE_NAME} cookie is for another host, {domain}, and was ignored"),
                    Some(domain),
                    Some(
                        "set `host` to the name that the manager's cookies are for, or set `sessionAuth` to false",
                    ),
                ),
                Some(IgnoredCookie::Path(path)) => (
                    format!(
                        "its {COOKIE_NAME} cookie is only for the path {path}, which has no API, and was ignored"
                    ),
                    Some(path),
                    Some(
                        "let the proxy in front of the manager also change the paths of cookies, or set `sessionAuth` \
                         to false",
                    ),
                ),
                Some(IgnoredCookie::Expired) => (
                    format!("its {COOKIE_NAME} cookie has already expired"),
                    None,
                    Some(
                        "check the clocks of the manager and of this machine, and any proxy between them, or set \
                         `sessionAuth` to false",
                    ),
                ),
                None => (
                    format!("it has no {COOKIE_NAME} cookie"),
                    None,
                    self.hint(reply, false),
                ),
            };
            let mut error = unclear(reply, Some(reason), hint);
            let failure = error.failure_mut();
            failure.quoted = quoted;
            // Other bodies may contain a token.
            failure.body_line = Some(first_line(reply.body())).filter(|line| web_page(line).is_some());
            return Err(error);
        }
        let token = reply.headers().get(&XSRF).map(|value| (XSRF, value.clone()));
        Ok(Credential::new(token).with_session(cookies, COOKIE_NAME))
    }

    fn refuses(&self, reply: &Response<Bytes>) -> bool {
        is_login_error(reply)
    }

    fn destroy(&self) -> Option<Request<Bytes>> {
        let request = Request::post(DESTROY)
            .header(ACCEPT, "application/json")
            .body(Bytes::new())
            .expect("a fixed path");
        Some(request)
    }

    fn hint(&self, reply: &Response<Bytes>, refused: bool) -> Option<&'static str> {
        match is_of_manager(reply) {
            _ if refused => None,
            true => Some("if the manager has no sessions, set `sessionAuth` to false"),
            false => Some(
                "host may refer to another product or to a proxy, or lack a path prefix; if it is a manager without \
                 sessions, set `sessionAuth` to false",
            ),
        }
    }
}
