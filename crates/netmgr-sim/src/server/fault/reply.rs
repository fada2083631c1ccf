//! Replies of faults: a status with the body that managers and proxies send.

use http::StatusCode;
use serde_json::Value;

use crate::manager_error::ManagerError;
use crate::server::reply::HttpReply;

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

    pub(super) fn reply(&self) -> Option<HttpReply> {
        let status = self.status?;
        Some(match &self.body {
            FaultBody::Html => HttpReply::html(status),
            FaultBody::Text => HttpReply::text(status),
            FaultBody::Empty => HttpReply::empty(status),
            FaultBody::Json(value) => HttpReply::json(status, value.clone()),
            FaultBody::Error => {
                let code = self.code.unwrap_or_else(|| usual_code(status));
                let error = ManagerError::usual(status, code);
                HttpReply::error(&match &self.message {
                    Some(message) => error.with_message(message.clone()),
                    None => error,
                })
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
