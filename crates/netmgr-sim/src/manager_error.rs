//! Errors as the manager and the proxy in front of it send them.
//!
//! The shapes and codes are those of the VMware NSX REST API; the texts are invented.

use http::StatusCode;
use serde_json::{Value, json};

/// An error with the body that a client receives.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ManagerError {
    pub(crate) status: StatusCode,
    pub(crate) code: u32,
    pub(crate) message: String,
    module: &'static str,
    shape: ErrorShape,
    /// The methods that the path supports, for the header `Allow`.
    pub(crate) allowed_methods: Option<&'static str>,
}

/// Shape of the body of an error.
#[derive(Debug, Clone, Copy, PartialEq)]
enum ErrorShape {
    /// All regular fields.
    Full,
    /// All regular fields, and another error with this code below it.
    Related(u32),
    /// Sent by the proxy: without `httpStatus`.
    Proxy,
    /// Sent by the proxy, with the code as text.
    ProxyText,
    /// Without a code, which distinguishes a missing API from a missing object.
    StatusOnly,
}

const COMMON: &str = "common-services";

impl ManagerError {
    /// An error of the manager's common services.
    pub(crate) fn new(status: StatusCode, code: u32, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            module: COMMON,
            shape: ErrorShape::Full,
            allowed_methods: None,
        }
    }

    /// The error that managers send for a status and a code.
    pub(crate) fn usual(status: StatusCode, code: u32) -> Self {
        let key = (status.as_u16(), code);
        let (module, message) = match key {
            (400, 60508) => ("search", "Indexing of the objects is still running"),
            (400, 60514) => ("search", "The search took too long"),
            (400, 60515) => ("search", "The search index is out of sync"),
            (400, 220_417) => ("policy", "The request was refused with 1 problem"),
            (401, 401_001) => (COMMON, "The access token is over"),
            (403, 98) => (COMMON, "The request token does not belong to a live session"),
            (403, 401) => ("policy", "The account lacks read on this feature"),
            (403, 403) => (COMMON, "Login refused: wrong name or password, or account locked"),
            (403, 505) => (COMMON, "No valid licence for this operation"),
            (404, 202) => ("policy", "The object is missing on the enforcement point"),
            (404, 600) => (COMMON, "No object has this identifier"),
            (412, 206) => (COMMON, "The object is at another revision"),
            (429, 102) => (COMMON, "The client went over 100 requests in one second"),
            (500, 98) => (COMMON, "A component behind the proxy cannot be reached"),
            (500, 99) => (COMMON, "The client certificate is not trusted"),
            (500, 607) => (COMMON, "The datastore group changes its members"),
            (503, 901) => (COMMON, "The node holds 199 requests already"),
            (503, 60576) => ("search", "The page is too large"),
            _ => (COMMON, "A fault of the simulator"),
        };
        let shape = match key {
            (400, 220_417) => ErrorShape::Related(220_418),
            (500, 607) => ErrorShape::Related(610),
            (403, 403) | (503, 901) => ErrorShape::Proxy,
            (429, 102) => ErrorShape::ProxyText,
            _ => ErrorShape::Full,
        };
        Self {
            module,
            shape,
            ..Self::new(status, code, message)
        }
    }

    /// The manager has no such API.
    pub(crate) fn no_api() -> Self {
        Self {
            shape: ErrorShape::StatusOnly,
            ..Self::new(StatusCode::NOT_FOUND, 404, "")
        }
    }

    /// The API exists, but the object does not.
    pub(crate) fn missing(path: &str) -> Self {
        let message = format!("No object has the identifier {path}; identifiers are case sensitive.");
        Self::usual(StatusCode::NOT_FOUND, 600).with_message(message)
    }

    /// An invalid parameter or body.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, 220, message)
    }

    /// The path exists, but not for this method.
    pub(crate) fn method(allowed: &'static str) -> Self {
        let message = format!("The path supports only {allowed}");
        Self {
            allowed_methods: Some(allowed),
            ..Self::new(StatusCode::METHOD_NOT_ALLOWED, 405, message)
        }
    }

    /// Wrong name or password, locked account, or no credentials at all: these cannot be distinguished.
    pub(crate) fn credentials(client: &str) -> Self {
        let message = format!("Login refused for client {client}: wrong name or password, or account locked");
        Self::usual(StatusCode::FORBIDDEN, 403).with_message(message)
    }

    /// The session has expired, or its XSRF token is missing or wrong.
    pub(crate) fn session() -> Self {
        Self::usual(StatusCode::FORBIDDEN, 98)
    }

    /// More requests in one second than allowed.
    pub(crate) fn rate(client: &str, limit: u32, code_as_text: bool) -> Self {
        let message = format!("Client '{client}' went over {limit} requests in one second");
        Self {
            shape: match code_as_text {
                true => ErrorShape::ProxyText,
                false => ErrorShape::Proxy,
            },
            ..Self::usual(StatusCode::TOO_MANY_REQUESTS, 102).with_message(message)
        }
    }

    pub(crate) fn with_message(self, message: String) -> Self {
        Self { message, ..self }
    }

    /// The body as it is sent.
    pub(crate) fn body(&self) -> Value {
        let Self {
            code,
            message,
            module,
            ..
        } = self;
        let name = self.status.canonical_reason().unwrap_or("ERROR");
        let name = name.to_uppercase().replace([' ', '-'], "_");
        match self.shape {
            ErrorShape::StatusOnly => json!({"httpStatus": name}),
            ErrorShape::Proxy => json!({"module_name": module, "error_message": message, "error_code": code}),
            ErrorShape::ProxyText => {
                json!({"module_name": module, "error_message": message, "error_code": code.to_string()})
            }
            ErrorShape::Full | ErrorShape::Related(_) => {
                let error = |code: u32, message: &str| {
                    json!({
                        "httpStatus": name, "error_code": code,
                        "module_name": module, "error_message": message,
                    })
                };
                let mut body = error(*code, message);
                if let ErrorShape::Related(below) = self.shape {
                    body["related_errors"] = json!([error(below, "The cause below")]);
                }
                body
            }
        }
    }
}
