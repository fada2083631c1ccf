//! Calls and answers between the HTTP side of the simulator and the simulated manager.

use serde_json::Value;

/// An authenticated API request. The path excludes the path prefix.
#[derive(Debug, Clone)]
pub struct Call {
    /// `GET`, `POST`, ...
    pub method: http::Method,
    /// Path as sent, still percent-encoded, without query: `/api/v1/edge-clusters`.
    pub path: String,
    /// Query parameters in order, decoded. A `+` is kept as it is.
    pub query: Vec<(String, String)>,
    /// Body as sent; empty for reads.
    pub body: bytes::Bytes,
}

/// The answer of the manager.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// HTTP status.
    pub status: http::StatusCode,
    /// JSON body; `None` if it is empty.
    pub body: Option<Value>,
}
