//! Refusals of the HTTP side and their bodies.

use http::header::{ALLOW, HeaderValue};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::reply::HttpReply;

/// Reason why a request is refused.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RequestError {
    /// Wrong name or password, locked account, or no credentials at all: these cannot be distinguished.
    Credentials { client: String },
    /// The session has expired, or its XSRF token is missing or wrong.
    Session,
    /// The account may not read this path. A new login does not help.
    Role { account: String, path: String },
    /// A client certificate that is no principal identity.
    Certificate,
    /// An access token that is unknown or expired.
    Token,
    /// More requests in one second than allowed. The code is text in every other such body.
    Rate {
        client: String,
        limit: u32,
        code_as_text: bool,
    },
    /// More requests in flight than allowed.
    Concurrency { limit: usize },
    /// No such route.
    Route { path: String },
    /// The route exists, the method does not.
    Method { method: Method, allowed: &'static str },
    /// Path and query are too long for the proxy in front of the manager.
    Target,
    /// An invalid body or parameter.
    Invalid { message: String },
}

impl RequestError {
    pub(crate) fn reply(&self) -> HttpReply {
        let common = "common-services";
        match self {
            Self::Credentials { client } => {
                let message =
                    format!("Login refused for client {client}: wrong name or password, or account locked");
                HttpReply::json(StatusCode::FORBIDDEN, proxy_error(json!(403), &message))
            }
            Self::Session => {
                let message = "The session is over or the request token does not belong to it";
                error(StatusCode::FORBIDDEN, 98, common, message)
            }
            Self::Role { account, path } => {
                let message = format!("Account {account} lacks read on {path}");
                error(StatusCode::FORBIDDEN, 401, "policy", &message)
            }
            Self::Certificate => {
                let message = "The client certificate does not belong to a principal identity";
                error(StatusCode::INTERNAL_SERVER_ERROR, 99, common, message)
            }
            Self::Token => error(
                StatusCode::UNAUTHORIZED,
                401_001,
                common,
                "The access token is not valid or is over",
            ),
            Self::Rate {
                client,
                limit,
                code_as_text,
            } => {
                let code = if *code_as_text { json!("102") } else { json!(102) };
                let message = format!("Client '{client}' went over {limit} requests in one second");
                HttpReply::json(StatusCode::TOO_MANY_REQUESTS, proxy_error(code, &message))
            }
            Self::Concurrency { limit } => {
                let message = format!("{limit} requests of this client are in flight already");
                HttpReply::json(StatusCode::SERVICE_UNAVAILABLE, proxy_error(json!(901), &message))
            }
            Self::Route { path } => error(
                StatusCode::NOT_FOUND,
                404,
                common,
                &format!("No route matches the path {path}"),
            ),
            Self::Method { method, allowed } => {
                let message = format!("The path does not support {method}");
                error(StatusCode::METHOD_NOT_ALLOWED, 405, common, &message)
                    .with_header(ALLOW, HeaderValue::from_static(allowed))
            }
            Self::Target => HttpReply::html(StatusCode::URI_TOO_LONG),
            Self::Invalid { message } => error(StatusCode::BAD_REQUEST, 255, common, message),
        }
    }
}

/// A manager error with every field that is always there.
fn error(status: StatusCode, code: u32, module: &str, message: &str) -> HttpReply {
    HttpReply::json(status, error_body(status, code, module, message))
}

/// The body of [`error`].
pub(crate) fn error_body(status: StatusCode, code: u32, module: &str, message: &str) -> Value {
    let name = status
        .canonical_reason()
        .unwrap_or("ERROR")
        .to_uppercase()
        .replace([' ', '-'], "_");
    json!({
        "httpStatus": name,
        "error_code": code,
        "module_name": module,
        "error_message": message,
    })
}

/// An error of the proxy layer, which leaves out `httpStatus`.
pub(crate) fn proxy_error(code: Value, message: &str) -> Value {
    json!({ "module_name": "common-services", "error_message": message, "error_code": code })
}
