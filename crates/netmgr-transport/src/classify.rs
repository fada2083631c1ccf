//! Maps unsuccessful replies to errors. This is the only place that interprets status codes and the manager's
//! error codes.
//!
//! Failures without a reply are in `leaf/failure.rs`, retries in `layers/retry.rs`.

use bytes::Bytes;
use http::header::{HeaderMap, LOCATION};
use http::uri::Authority;
use http::{Response, StatusCode, Uri};
use netmgr_types::wire::ApiError;

use crate::body::{first_line, web_page};
use crate::call_context::{RefusalCause, ReplyContext};
use crate::{Error, ErrorKind, Failure, RequestLine};

/// The search index is being rebuilt, timed out or is out of sync.
pub(crate) const SEARCH_INDEX: &[i64] = &[60508, 60514, 60515];
/// The requested page is too large; the same request fails again.
pub(crate) const PAGE_TOO_LARGE: &[i64] = &[60576];

/// User name or password are wrong, or the account is locked.
pub(crate) const BAD_CREDENTIALS: &[i64] = &[403];
/// The XSRF token or its session has expired.
pub(crate) const BAD_XSRF_TOKEN: &[i64] = &[98];
const ROLE_DENIED: i64 = 401;
const NO_LICENCE: i64 = 505;
/// The client certificate is not registered.
pub(crate) const CERTIFICATE_NOT_TRUSTED: &[i64] = &[99];
const PATH_INVALID: &[i64] = &[500_012];
const RATE_EXCEEDED: &[i64] = &[102];
/// Code 98 means "bad XSRF token" with 403 and "component not reachable" with 500.
const COMPONENT_CHANGING: &[i64] = &[98, 607, 610];

/// Names of the header with the id of a request, starting with the manager's own.
const REQUEST_IDS: [&str; 4] = [
    "x-nsx-requestid",
    "x-request-id",
    "x-requestid",
    "x-correlation-id",
];

mod disguised;

use disguised::login_page;
pub(crate) use disguised::meant_by_body;

/// The error for `reply`, which is not a success.
pub(crate) fn classify(reply: &Response<Bytes>) -> Error {
    let api = api_error(reply.body());
    let line = api.is_none().then(|| first_line(reply.body()));
    let context = ReplyContext::of(reply);
    let (kind, hint) = match context.refusal {
        Some(RefusalCause::OfPath) if reply.status() == StatusCode::FORBIDDEN => {
            (ErrorKind::PermissionDenied, Some(PATH_REFUSED))
        }
        Some(RefusalCause::Unclear) if reply.status() == StatusCode::FORBIDDEN => {
            (ErrorKind::Rejected, Some(NOT_CLEAR))
        }
        Some(RefusalCause::OfNewSession) if reply.status() == StatusCode::FORBIDDEN => {
            (ErrorKind::Unauthenticated, Some(OTHER_NODE))
        }
        _ if is_moved(reply, context.request_line.as_ref()) => (ErrorKind::Rejected, Some(MOVED)),
        _ => meaning(reply.status(), api.as_ref(), line.as_deref()),
    };
    let login_page = context.sent_as.and_then(|_| login_page(reply.body()));
    let redirection = redirection(reply);
    let mut failure = Failure {
        request_line: context.request_line,
        status: Some(reply.status()),
        api,
        body_line: line.filter(|_| login_page.is_none()),
        request_id: request_id(reply.headers()),
        attempts: context.attempts,
        reason: redirection
            .as_ref()
            .map(|target| format!("redirected to {target}")),
        quoted: redirection.or_else(|| login_page.clone()),
        hint: hint.map(str::to_owned),
        ..Failure::default()
    };
    if matches!(
        context.refusal,
        Some(RefusalCause::AfterNewLogin | RefusalCause::OfNewSession)
    ) {
        failure.add_reason("even after a new login");
    }
    match (context.sent_as, login_page) {
        (Some(status), Some(page)) => failure.add_reason(&format!(
            "the manager sent status {status} with only a redirect to the login page {page}"
        )),
        (Some(status), None) => {
            failure.add_reason(&format!("the manager sent this error with status {status}"));
        }
        (None, _) => {}
    }
    if let Some(stopped) = &context.stopped {
        failure.add_reason(stopped);
    }
    Error::new(kind, failure)
}

/// The manager's error body. `None` if the body is anything else.
fn api_error(body: &[u8]) -> Option<ApiError> {
    // serde would also decode an array as a struct.
    if !body.trim_ascii_start().starts_with(b"{") {
        return None;
    }
    // A message in another character set does not hide the code.
    let error: Option<ApiError> = serde_json::from_str(&String::from_utf8_lossy(body)).ok();
    // Other products have details as well.
    error.filter(|error| {
        ApiError {
            details: None,
            ..error.clone()
        } != ApiError::default()
    })
}

/// Whether the manager itself reports the failure in `reply`, and not a proxy in front of it.
pub(crate) fn is_of_manager(reply: &Response<Bytes>) -> bool {
    api_error(reply.body()).is_some()
}

/// Whether the manager's error in `reply`, or one below it, has one of `codes`.
pub(crate) fn has_code(reply: &Response<Bytes>, codes: &[i64]) -> bool {
    api_error(reply.body()).is_some_and(|error| error.has_code(codes))
}

/// The variant and the hint. Error codes in the body and its related errors take precedence over the status.
fn meaning(
    status: StatusCode,
    api: Option<&ApiError>,
    line: Option<&str>,
) -> (ErrorKind, Option<&'static str>) {
    let has = |codes: &[i64]| api.is_some_and(|api| api.has_code(codes));
    match status.as_u16() {
        _ if has(RATE_EXCEEDED) => (ErrorKind::Throttled, Some(THROTTLED)),
        300..=399 => (ErrorKind::Rejected, Some(LOGIN_PAGE)),
        400 if has(SEARCH_INDEX) => (
            ErrorKind::Unavailable,
            Some("the search index of the manager is out of date; try again in a minute"),
        ),
        400 if has(PATH_INVALID) || api.is_some_and(says_path_is_invalid) => (ErrorKind::NotFound, None),
        400 if line.is_some_and(|line| line.contains("HTTPS")) => (
            ErrorKind::Rejected,
            Some("the port expects TLS; use https in host"),
        ),
        401 => (
            ErrorKind::Unauthenticated,
            Some(match api {
                Some(_) => "check user name and password, certificate or token",
                // Other products also answer with this status.
                None => "check user name and password, certificate or token, and that host is the manager",
            }),
        ),
        403 => forbidden(api, line),
        404 | 410 => (ErrorKind::NotFound, line.and_then(web_page)),
        407 => (
            ErrorKind::Rejected,
            Some("a proxy requires authentication; check HTTPS_PROXY and NO_PROXY"),
        ),
        429 => (ErrorKind::Throttled, Some(THROTTLED)),
        503 if has(PAGE_TOO_LARGE) => (ErrorKind::Unavailable, Some("request smaller pages")),
        511 => (
            ErrorKind::Rejected,
            Some("the network requires a login; sign in with a browser on this machine"),
        ),
        408 | 502 | 503 | 504 => (
            ErrorKind::Unavailable,
            Some("the service behind this path is overloaded or restarting; try again later"),
        ),
        500 if has(CERTIFICATE_NOT_TRUSTED) => (
            ErrorKind::Unauthenticated,
            Some("register the client certificate with the manager as a principal identity"),
        ),
        500 if has(COMPONENT_CHANGING) => (
            ErrorKind::Unavailable,
            Some("the manager is changing its cluster or restarting a component; try again later"),
        ),
        400..=499 => (ErrorKind::Rejected, None),
        500.. => (ErrorKind::Server, None),
        _ => (ErrorKind::BadReply, line.and_then(web_page)),
    }
}

const MOVED: &str = "redirects are not followed, to avoid sending credentials to another host; set host to the address in the redirect";

const LOGIN_PAGE: &str = "redirects usually lead to a login page: the session has expired, or a proxy or portal in front of the manager requires a login; check host, its path prefix, and any proxy";

const PATH_REFUSED: &str = "the manager accepts the login; a proxy in front of it may reject this path";

const NOT_CLEAR: &str = "the response does not show whether the manager accepts the login; check host, and any proxy in front of the manager";

const OTHER_NODE: &str = "the session is not valid on this node; configure the load balancer with source-address persistence, or set `sessionAuth` to false";

const THROTTLED: &str =
    "the limit is shared by all clients of the account; reduce parallelism or increase `retryMaxDelay`";

/// Status 403 has six meanings. The codes of related errors count as much as that of the body.
fn forbidden(api: Option<&ApiError>, line: Option<&str>) -> (ErrorKind, Option<&'static str>) {
    let Some(api) = api else {
        let hint = match line {
            Some(line) if line.starts_with("HTML") => {
                "the response is a web page; there may be a proxy in front of the manager, or the login may be rejected"
            }
            _ => "the session has expired or the login was rejected; check the credentials",
        };
        return (ErrorKind::Unauthenticated, Some(hint));
    };
    let has = |code| api.has_code(&[code]);
    if has(NO_LICENCE) {
        (
            ErrorKind::Unlicensed,
            Some("add a licence on the manager or with `licenseKeys`"),
        )
    } else if api.has_code(BAD_CREDENTIALS) {
        (
            ErrorKind::Unauthenticated,
            Some(
                "check user name and password; five failed logins lock the account for 15 minutes, with the same response",
            ),
        )
    } else if api.has_code(BAD_XSRF_TOKEN) {
        (ErrorKind::Unauthenticated, Some(OTHER_NODE))
    } else if has(ROLE_DENIED) || api.error_code.is_some() {
        (
            ErrorKind::PermissionDenied,
            Some("give the account a role with read access, such as auditor"),
        )
    } else {
        (
            ErrorKind::Unauthenticated,
            Some("the session has expired or the login was rejected; check the credentials"),
        )
    }
}

/// Old managers reply with 400 for an object or parent that does not exist.
fn says_path_is_invalid(api: &ApiError) -> bool {
    api.error_message.as_deref().is_some_and(|message| {
        let message = message.to_ascii_lowercase();
        message.contains("path") && message.contains("is invalid")
    })
}

/// Whether `reply` redirects to the same path on another host, which can be configured instead.
fn is_moved(reply: &Response<Bytes>, request_line: Option<&RequestLine>) -> bool {
    let Some(target) = redirection(reply).and_then(|target| target.parse::<Uri>().ok()) else {
        return false;
    };
    let is_same = |authority: &Authority| request_line.is_some_and(|line| line.host == authority.as_str());
    target.authority().is_some_and(|authority| !is_same(authority))
        && request_line.is_none_or(|line| line.path == target.path())
}

/// The target of a redirect.
fn redirection(reply: &Response<Bytes>) -> Option<String> {
    if !reply.status().is_redirection() {
        return None;
    }
    let location = reply.headers().get(LOCATION)?.to_str().ok()?;
    Some(without_secrets(location)).filter(|address| !address.is_empty())
}

/// An address without its query, which may contain a token, and without user name and password.
fn without_secrets(address: &str) -> String {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let address = &address[..end];
    let Some((scheme, rest)) = address.split_once("//") else {
        return address.to_owned();
    };
    let (authority, path) = rest.split_at(rest.find(['/', '\\']).unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{scheme}//{host}{path}")
}

fn request_id(headers: &HeaderMap) -> Option<String> {
    REQUEST_IDS
        .iter()
        .find_map(|name| headers.get(*name))
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests;
