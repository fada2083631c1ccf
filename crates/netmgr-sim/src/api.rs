//! Calls and answers between the HTTP side of the simulator and the simulated manager.

use std::net::SocketAddr;

use serde_json::Value;

/// An authenticated API request. The path excludes the path prefix.
#[derive(Debug, Clone)]
pub struct ApiRequest {
    /// `GET`, `POST`, ...
    pub method: http::Method,
    /// Path as sent, still percent-encoded, without query: `/api/v1/edge-clusters`.
    pub path: String,
    /// Query parameters in order, decoded. A `+` is not changed.
    pub query: Vec<(String, String)>,
    /// Body as sent; empty for reads.
    pub body: bytes::Bytes,
}

/// The answer of the manager.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiResponse {
    /// HTTP status.
    pub status: http::StatusCode,
    /// JSON body; `None` if it is empty.
    pub body: Option<Value>,
}

/// The service behind the HTTP side that answers authenticated reads.
pub trait Backend: Send + Sync + 'static {
    /// Answers one call. Does not block.
    fn respond(&self, call: &ApiRequest) -> ApiResponse;

    /// Receives the address of the server, once, before the first call. `certificate_sha256` is the
    /// thumbprint of the server certificate, 64 hexadecimal digits; `None` without TLS. Does nothing by
    /// default.
    fn reachable_at(&self, address: SocketAddr, certificate_sha256: Option<&str>) {
        let _ = (address, certificate_sha256);
    }
}
