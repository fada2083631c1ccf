//! Replies that are errors despite a success status: an error object, or a redirect to a login page, which
//! some managers send for an expired session.
//!
//! `layers/meant_status.rs` replaces the status.

use http::StatusCode;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::{api_error, without_secrets};

/// Maximum length of bodies that are examined. Longer bodies are not short messages; if they are invalid,
/// decoding fails.
const LONGEST: usize = 64 << 10;

/// Members that distinguish a valid body from an error.
#[derive(Deserialize)]
struct Members {
    id: Option<IgnoredAny>,
    external_id: Option<IgnoredAny>,
    results: Option<IgnoredAny>,
    #[serde(rename = "redirectUrl")]
    redirect_url: Option<Value>,
}

/// The status that the body of a successful reply means. `None` if the body may be valid.
///
/// An expired session has status 403, as in other replies of the manager. An error object has the status that
/// it names, then the usual status of its code, then 500. Our choice
/// (decision tolerant-reading).
pub(crate) fn meant_by_body(body: &[u8]) -> Option<StatusCode> {
    if body.len() > LONGEST || !body.trim_ascii_start().starts_with(b"{") {
        return None;
    }
    let members: Members = serde_json::from_slice(body).ok()?;
    if members.id.is_some() || members.external_id.is_some() || members.results.is_some() {
        return None;
    }
    if members.redirect_url.is_some_and(|url| url.is_string()) {
        return Some(StatusCode::FORBIDDEN);
    }
    let error = api_error(body)?;
    if error.error_code.is_none() && error.error_message.is_none() && error.http_status.is_none() {
        return None;
    }
    let by_name = error.http_status.as_deref().and_then(named);
    let by_code = || error.error_code.and_then(status_of_code);
    Some(
        by_name
            .or_else(by_code)
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
    )
}

/// The target of a body that only has `redirectUrl`, without its query, which may contain a token.
pub(super) fn login_page(body: &[u8]) -> Option<String> {
    let members: Members = serde_json::from_slice(body).ok()?;
    Some(without_secrets(members.redirect_url?.as_str()?))
}

/// The failing status of a symbolic name such as `NOT_FOUND`.
fn named(name: &str) -> Option<StatusCode> {
    let is_called = |status: &StatusCode| {
        let reason = status.canonical_reason().unwrap_or_default();
        reason.replace([' ', '-'], "_").eq_ignore_ascii_case(name)
    };
    (400..600)
        .filter_map(|code| StatusCode::from_u16(code).ok())
        .find(is_called)
}

/// The status that the manager sends a code with.
fn status_of_code(code: i64) -> Option<StatusCode> {
    Some(match code {
        98 | 401 | 403 | 505 => StatusCode::FORBIDDEN,
        102 => StatusCode::TOO_MANY_REQUESTS,
        202 | 600 => StatusCode::NOT_FOUND,
        255 | 60508 | 60514 | 60515 | 500_012 => StatusCode::BAD_REQUEST,
        60576 => StatusCode::SERVICE_UNAVAILABLE,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_object_means_the_status_that_it_names_else_that_of_its_code() {
        for (body, status) in [
            (r#"{"httpStatus":"NOT_FOUND","error_code":600}"#, 404),
            (
                r#"{"http_status":"SERVICE_UNAVAILABLE","error_message":"x"}"#,
                503,
            ),
            (r#"{"httpStatus":"TOO_MANY_REQUESTS"}"#, 429),
            (r#"{"error_code":403,"error_message":"bad credentials"}"#, 403),
            (r#"{"error_code":"102"}"#, 429),
            (r#" {"error_code":60576}"#, 503),
            (r#"{"error_code":100,"error_message":"General error."}"#, 500),
            (r#"{"error_message":"General error."}"#, 500),
            (r#"{"redirectUrl":"/login.jsp"}"#, 403),
        ] {
            assert_eq!(meant_by_body(body.as_bytes()).unwrap(), status, "{body}");
        }
    }

    #[test]
    fn an_answer_means_what_it_says() {
        for body in [
            "",
            "{}",
            "[]",
            "null",
            r#"{"id":"a","error_code":7,"redirectUrl":"/x"}"#,
            r#"{"results":[],"error_message":"x"}"#,
            r#"{"state":"failed","failure_code":7,"details":[]}"#,
            r#"{"details":"x","module_name":"policy"}"#,
            r#"{"access_token":"t","redirectUrl":null}"#,
        ] {
            assert_eq!(meant_by_body(body.as_bytes()), None, "{body}");
        }
    }

    #[test]
    fn a_login_page_is_named_without_its_query() {
        let body = br#"{"redirectUrl":"https://mgr/login.jsp?token=1#x"}"#;
        assert_eq!(login_page(body).unwrap(), "https://mgr/login.jsp");
        assert_eq!(login_page(br#"{"redirectUrl":7}"#), None);
        for (address, shown) in [
            ("https://user:pass@word@mgr:8443/x?y", "https://mgr:8443/x"),
            ("//user@mgr", "//mgr"),
            ("/a@b", "/a@b"),
            ("https://mgr/a@b", "https://mgr/a@b"),
        ] {
            assert_eq!(without_secrets(address), shown);
        }
    }
}
