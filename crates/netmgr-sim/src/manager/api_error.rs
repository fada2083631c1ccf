//! Error answers in the manager's shape.

use http::StatusCode;
use serde_json::{Value, json};

use super::settings::IndexTrouble;
use crate::Answer;

/// Reason why a call fails.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ApiError {
    /// The manager has no such API.
    NoRoute,
    /// The API exists, the object does not.
    Missing(String),
    /// An invalid parameter or body.
    Invalid(String),
    /// The API exists but not for this method.
    Method,
    /// The account may not read this.
    Denied,
    /// The search index cannot answer.
    Index(IndexTrouble),
}

impl From<ApiError> for Answer {
    fn from(refusal: ApiError) -> Self {
        let (status, code, module, message) = match refusal {
            ApiError::NoRoute => {
                // Without a code, which distinguishes a missing API from a missing object.
                return Self {
                    status: StatusCode::NOT_FOUND,
                    body: Some(json!({"httpStatus": "NOT_FOUND"})),
                };
            }
            ApiError::Missing(path) => (
                StatusCode::NOT_FOUND,
                600,
                "common-services",
                format!("No object has the identifier {path}; identifiers are case sensitive."),
            ),
            ApiError::Invalid(message) => (StatusCode::BAD_REQUEST, 220, "common-services", message),
            ApiError::Method => (
                StatusCode::METHOD_NOT_ALLOWED,
                97,
                "common-services",
                "The method is not supported here.".to_owned(),
            ),
            ApiError::Denied => (
                StatusCode::FORBIDDEN,
                401,
                "common-services",
                "The account lacks read on this feature.".to_owned(),
            ),
            ApiError::Index(trouble) => {
                let (code, message) = match trouble {
                    IndexTrouble::InProgress => (
                        60508,
                        "Indexing of the objects is still running; try again later.",
                    ),
                    IndexTrouble::TimedOut => (60514, "The search took too long."),
                    IndexTrouble::OutOfSync => (60515, "The search index is out of date."),
                };
                (StatusCode::BAD_REQUEST, code, "search", message.to_owned())
            }
        };
        Self {
            status,
            body: Some(json!({
                "httpStatus": symbolic(status),
                "error_code": code,
                "module_name": module,
                "error_message": message,
            })),
        }
    }
}

/// A successful answer.
pub(crate) fn ok(body: Value) -> Answer {
    Answer {
        status: StatusCode::OK,
        body: Some(body),
    }
}

/// `NOT_FOUND` for 404.
fn symbolic(status: StatusCode) -> String {
    status
        .canonical_reason()
        .unwrap_or_default()
        .to_ascii_uppercase()
        .replace(' ', "_")
}
