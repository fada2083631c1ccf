//! Replies of faults: a status with the body that managers and proxies send.
//!
//! The shapes are those of the VMware NSX REST API; the texts are invented.

use http::StatusCode;
use serde_json::{Value, json};

use crate::server::refusal;
use crate::server::reply::Reply;

/// A reply that replaces the regular one, if it has a status.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct FaultReply {
    pub(super) status: Option<StatusCode>,
    pub(super) code: Option<u32>,
    pub(super) message: Option<String>,
    pub(super) body: FaultBody,
}

/// Body of a reply of a fault.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum FaultBody {
    /// The manager's error object.
    #[default]
    Error,
    /// A page of a proxy.
    Html,
    /// A line of text, as some parts of the manager send.
    Text,
    /// Nothing.
    Empty,
    /// This value.
    Json(Value),
}

impl FaultReply {
    pub(super) fn is_reply(&self) -> bool {
        self.status.is_some()
    }

    pub(super) fn reply(&self) -> Option<Reply> {
        let status = self.status?;
        Some(match &self.body {
            FaultBody::Html => Reply::html(status),
            FaultBody::Text => Reply::text(status),
            FaultBody::Empty => Reply::empty(status),
            FaultBody::Json(value) => Reply::json(status, value.clone()),
            FaultBody::Error => {
                let code = self.code.unwrap_or_else(|| usual_code(status));
                error(status, code, self.message.as_deref())
            }
        })
    }
}

/// The usual error code of a status, which is the status itself in most cases.
fn usual_code(status: StatusCode) -> u32 {
    match status.as_u16() {
        401 => 401_001,
        404 => 600,
        412 => 206,
        429 => 102,
        503 => 901,
        other => other.into(),
    }
}

/// The form of a manager's error object.
#[derive(Clone, Copy)]
enum Form {
    /// With all regular fields.
    Full,
    /// The same with an error below it, of this code.
    Related(u32),
    /// Of the proxy layer: without `httpStatus`.
    Proxy,
    /// Of the proxy layer, the code as text.
    ProxyText,
}

/// The error objects that managers are known to send: status, code, form, module and text.
const KNOWN: &[(u16, u32, Form, &str, &str)] = &[
    (
        400,
        60508,
        Form::Full,
        "search",
        "Indexing of the objects is still running",
    ),
    (400, 60514, Form::Full, "search", "The search took too long"),
    (
        400,
        60515,
        Form::Full,
        "search",
        "The search index is out of sync",
    ),
    (
        400,
        220_417,
        Form::Related(220_418),
        "policy",
        "The request was refused with 1 problem",
    ),
    (401, 401_001, Form::Full, COMMON, "The access token is over"),
    (
        403,
        98,
        Form::Full,
        COMMON,
        "The request token does not belong to a live session",
    ),
    (
        403,
        401,
        Form::Full,
        "policy",
        "The account lacks read on this feature",
    ),
    (
        403,
        403,
        Form::Proxy,
        COMMON,
        "Login refused: wrong name or password, or account locked",
    ),
    (
        403,
        505,
        Form::Full,
        COMMON,
        "No valid licence for this operation",
    ),
    (
        404,
        202,
        Form::Full,
        "policy",
        "The object is missing on the enforcement point",
    ),
    (404, 600, Form::Full, COMMON, "No object has this identifier"),
    (412, 206, Form::Full, COMMON, "The object is at another revision"),
    (
        429,
        102,
        Form::ProxyText,
        COMMON,
        "The client went over 100 requests in one second",
    ),
    (
        500,
        98,
        Form::Full,
        COMMON,
        "A component behind the proxy cannot be reached",
    ),
    (
        500,
        99,
        Form::Full,
        COMMON,
        "The client certificate is not trusted",
    ),
    (
        500,
        607,
        Form::Related(610),
        COMMON,
        "The datastore group changes its members",
    ),
    (
        503,
        901,
        Form::Proxy,
        COMMON,
        "The node holds 199 requests already",
    ),
    (503, 60576, Form::Full, "search", "The page is too large"),
];

const COMMON: &str = "common-services";

/// The manager's error object for a code.
fn error(status: StatusCode, code: u32, message: Option<&str>) -> Reply {
    let known = KNOWN
        .iter()
        .find(|known| (known.0, known.1) == (status.as_u16(), code));
    let (form, module, usual) = known.map_or(
        (Form::Full, COMMON, "A fault of the simulator"),
        |(_, _, form, module, usual)| (*form, *module, *usual),
    );
    let message = message.unwrap_or(usual);
    let body = match form {
        Form::Full => refusal::error_body(status, code, module, message),
        Form::Proxy => refusal::proxy_error(json!(code), message),
        Form::ProxyText => refusal::proxy_error(json!(code.to_string()), message),
        Form::Related(below) => {
            let mut body = refusal::error_body(status, code, module, message);
            body["related_errors"] = json!([refusal::error_body(status, below, module, "The cause below")]);
            body
        }
    };
    Reply::json(status, body)
}
