//! The HTTP side of the simulated manager: requests and replies. Objects and reads are implemented by the
//! manager, through [`Backend`].

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue, SET_COOKIE};
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Limited};
use percent_encoding::percent_decode_str;
use serde_json::json;
use tokio::time::sleep;

use crate::api::{ApiRequest, Backend};
use crate::manager_error::ManagerError;

pub(crate) mod accounts;
mod authenticate;
pub(crate) mod cloud;
pub(crate) mod connection;
pub(crate) mod counters;
mod credentials;
pub(crate) mod fault;
mod ids;
pub(crate) mod licenses;
pub(crate) mod limits;
pub(crate) mod listener;
mod reply;
pub(crate) mod sessions;
pub(crate) mod tls;

use accounts::{AcceptedAccounts, Accounts};
use authenticate::RequestSender;
use cloud::{Cloud, form_field};
use connection::Peer;
use counters::RequestRecorder;
use credentials::presented_session;
use fault::{AccessFault, AppliedFault, Faults};
use licenses::Licenses;
use limits::{AdmittedRequest, RequestLimits};
use reply::{Body, Content, HttpReply};
use sessions::{AFFINITY_COOKIE, SESSION_COOKIE, SessionStore};
use tls::IssuedCertificate;

/// Largest request body that is read.
const MAX_BODY: usize = 1 << 20;
/// Largest path and query in bytes, the usual limit of reverse proxies (decision simulated-manager).
const LONGEST_TARGET: usize = 8192;
/// Settings of the API service.
const API_SERVICE: &str = "/api/v1/cluster/api-service";
/// Everything below these is the API of the manager.
const API_ROOTS: [&str; 4] = [
    "/api/v1/",
    "/policy/api/v1/",
    "/global-manager/api/v1/",
    "/cloud-service/api/v1/",
];

/// Settings of the HTTP side.
#[derive(Debug, Clone)]
pub(crate) struct ServerSettings {
    pub(crate) path_prefix: String,
    pub(crate) latency: Duration,
}

/// A server without its sockets.
pub(crate) struct HttpServer {
    pub(crate) settings: ServerSettings,
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) accounts: Accounts,
    /// Principal identities: the client certificates that are registered.
    pub(crate) identities: Vec<IssuedCertificate>,
    pub(crate) sessions: SessionStore,
    pub(crate) cloud: Cloud,
    pub(crate) limits: RequestLimits,
    pub(crate) licenses: Licenses,
    pub(crate) faults: Faults,
    pub(crate) recorder: RequestRecorder,
}

impl HttpServer {
    /// Serves one request from a connection.
    pub(crate) async fn serve<R>(&self, request: Request<R>, peer: &Peer) -> Response<Body>
    where
        R: http_body::Body,
        R::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (parts, body) = request.into_parts();
        let mut flight = self.recorder.begin(&parts);
        // The path prefix belongs to a proxy; faults and routes use the path below it.
        let path = parts.uri.path();
        let path = path
            .strip_prefix(self.settings.path_prefix.as_str())
            .unwrap_or(path)
            .to_owned();
        let applied = self.faults.fire(&parts.method, &path);
        if let Some(applied) = &applied {
            self.recorder.count(|counters| counters.faults += 1);
            flight.disturbed();
            self.disturb(applied, peer).await;
        }
        let reply = match Limited::new(body, MAX_BODY).collect().await {
            Ok(body) => {
                self.reply(&parts, &path, body.to_bytes(), peer, applied.as_ref())
                    .await
            }
            Err(_) => HttpReply::error(&ManagerError::invalid("The body is too long or incomplete")),
        };
        let (reply, transfer_fault) = match applied {
            Some(applied) => applied.change(reply),
            None => (reply, None),
        };
        let response = reply.into_response(transfer_fault, parts.version, &peer.reset);
        flight.answered(&response);
        response
    }

    /// Applies the effects of a fault that precede the request. Does not return if the fault resets the
    /// connection.
    async fn disturb(&self, applied: &AppliedFault, peer: &Peer) {
        if let Some(delay) = applied.fault.delay {
            sleep(delay).await;
        }
        match applied.fault.access {
            Some(AccessFault::SessionsLost) => self.sessions.expire_all(),
            Some(AccessFault::NodeSwitched) => self.sessions.switch_node(),
            Some(AccessFault::XsrfChanged) => self.sessions.change_xsrf(),
            Some(AccessFault::TokensLost) => self.cloud.revoke_all(),
            Some(AccessFault::AccountsLocked) => self.accounts.lock_all(peer.address),
            None => {}
        }
        if applied.fault.resets() {
            peer.reset.now();
            std::future::pending::<()>().await;
        }
    }

    async fn reply(
        &self,
        parts: &Parts,
        path: &str,
        body: Bytes,
        peer: &Peer,
        applied: Option<&AppliedFault>,
    ) -> HttpReply {
        if let Some(reply) = applied.and_then(AppliedFault::reply) {
            return reply;
        }
        self.route(parts, path, body, peer, applied)
            .await
            .unwrap_or_else(|error| HttpReply::error(&error))
    }

    async fn route(
        &self,
        parts: &Parts,
        path: &str,
        body: Bytes,
        peer: &Peer,
        applied: Option<&AppliedFault>,
    ) -> Result<HttpReply, ManagerError> {
        let target = parts
            .uri
            .path_and_query()
            .map_or(0, |target| target.as_str().len());
        if target > LONGEST_TARGET {
            return Ok(HttpReply::html(StatusCode::URI_TOO_LONG));
        }
        // The exchange is actually another host, so it is not below the path prefix.
        let below_prefix = parts.uri.path().starts_with(self.settings.path_prefix.as_str());
        match path {
            cloud::API_TOKEN_PATH => {
                only_post(&parts.method)?;
                Ok(self.count_exchange(self.cloud.exchange_api_token(parts, &body)))
            }
            cloud::APP_PATH => {
                only_post(&parts.method)?;
                Ok(self.count_exchange(self.cloud.exchange_app(parts, &body)))
            }
            _ if !below_prefix => Err(no_route(parts.uri.path())),
            "/api/session/create" => {
                only_post(&parts.method)?;
                self.create_session(parts, &body, peer).await
            }
            "/api/session/destroy" => {
                only_post(&parts.method)?;
                self.destroy_session(parts)
            }
            _ if API_ROOTS.iter().any(|root| path.starts_with(root)) => {
                self.api(parts, path, body, peer, applied).await
            }
            _ => Err(no_route(path)),
        }
    }

    async fn create_session(
        &self,
        parts: &Parts,
        form: &[u8],
        peer: &Peer,
    ) -> Result<HttpReply, ManagerError> {
        let is_form = parts
            .headers
            .get(CONTENT_TYPE)
            .is_some_and(|value| value.as_bytes().starts_with(b"application/x-www-form-urlencoded"));
        let field = |name| form_field(form, name).filter(|_| is_form).unwrap_or_default();
        let (name, password) = (field("j_username"), field("j_password"));
        let slot = self.limits.admit(&name);
        sleep(self.settings.latency).await;
        let _slot = slot?;
        let user = self
            .accounts
            .log_in(&name, &password, AcceptedAccounts::Any, peer.address);
        let Some(user) = user else {
            self.recorder.count(|counters| counters.failed_logins += 1);
            return Err(ManagerError::credentials(&name));
        };
        self.recorder.count(|counters| counters.logins += 1);
        let opened = self.sessions.open(user);
        let header = |text: String| HeaderValue::try_from(text).expect("generated from hexadecimal digits");
        Ok(HttpReply::empty(StatusCode::OK)
            .with_header(
                SET_COOKIE,
                header(format!("{AFFINITY_COOKIE}={}; Path=/", opened.affinity)),
            )
            .with_header(
                SET_COOKIE,
                header(format!(
                    "{SESSION_COOKIE}={}; Path=/; Secure; HttpOnly; SameSite=Lax",
                    opened.id
                )),
            )
            .with_header(HeaderName::from_static("x-xsrf-token"), header(opened.xsrf)))
    }

    fn destroy_session(&self, parts: &Parts) -> Result<HttpReply, ManagerError> {
        let shown = presented_session(&parts.headers)
            .ok_or_else(|| ManagerError::credentials("without a session"))?;
        self.sessions.close(shown)?;
        self.recorder.count(|counters| counters.sessions_destroyed += 1);
        Ok(HttpReply::empty(StatusCode::OK))
    }

    fn count_exchange(&self, reply: HttpReply) -> HttpReply {
        self.recorder.count(|counters| {
            if reply.status == StatusCode::OK {
                counters.token_exchanges += 1;
            } else {
                counters.failed_token_exchanges += 1;
            }
        });
        reply
    }

    async fn api(
        &self,
        parts: &Parts,
        path: &str,
        body: Bytes,
        peer: &Peer,
        applied: Option<&AppliedFault>,
    ) -> Result<HttpReply, ManagerError> {
        if parts.method != Method::GET {
            self.recorder.count(|counters| counters.writes += 1);
        }
        // Admitted on arrival and answered after the latency, so that delayed requests count as in flight.
        let admitted = self.admit(parts, path, peer);
        sleep(self.settings.latency).await;
        let (principal, _slot) = admitted?;
        principal.may_read(path)?;
        if path == licenses::PATH {
            return match parts.method {
                Method::GET => Ok(self.licenses.list()),
                Method::POST => self.licenses.add(&body),
                _ => Err(ManagerError::method("GET, POST")),
            };
        }
        if parts.method != Method::GET {
            return Err(ManagerError::method("GET"));
        }
        if path == API_SERVICE {
            return Ok(self.api_service());
        }
        let query = decode_query(parts.uri.query().unwrap_or_default());
        let call = ApiRequest {
            method: parts.method.clone(),
            path: path.to_owned(),
            query,
            body,
        };
        let answer = match applied {
            Some(applied) => applied.respond(call, &*self.backend),
            None => self.backend.respond(&call),
        };
        let content = answer.body.map_or(Content::Empty, Content::Json);
        Ok(HttpReply {
            content,
            ..HttpReply::empty(answer.status)
        })
    }

    /// The settings of the API service that describe limits and login methods.
    fn api_service(&self) -> HttpReply {
        let (per_second, in_flight) = self.limits.values();
        HttpReply::json(
            StatusCode::OK,
            json!({
                "session_timeout": 1800,
                "connection_timeout": 30,
                "client_api_rate_limit": per_second,
                "client_api_concurrency_limit": in_flight,
                "global_api_concurrency_limit": 199,
                "basic_authentication_enabled": true,
                "cookie_based_authentication_enabled": true,
            }),
        )
    }

    fn admit(
        &self,
        parts: &Parts,
        path: &str,
        peer: &Peer,
    ) -> Result<(RequestSender, AdmittedRequest), ManagerError> {
        let principal = self.authenticate(parts, path, peer)?;
        let slot = self.limits.admit(&principal.name)?;
        Ok((principal, slot))
    }
}

fn only_post(method: &Method) -> Result<(), ManagerError> {
    if method == Method::POST {
        return Ok(());
    }
    Err(ManagerError::method("POST"))
}

fn no_route(path: &str) -> ManagerError {
    ManagerError::new(
        StatusCode::NOT_FOUND,
        404,
        format!("No route matches the path {path}"),
    )
}

/// Query parameters, percent-decoded. A `+` stays a `+`.
fn decode_query(query: &str) -> Vec<(String, String)> {
    let decode = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (decode(name), decode(value)))
        .collect()
}
