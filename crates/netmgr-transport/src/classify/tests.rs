//! One case for each meaning of a status or an error code.

use http::header::HeaderName;

use super::*;
use crate::RequestLine;
use crate::layers::testing::reply;

/// The kind and the message.
fn classified(status: u16, body: &'static str) -> (ErrorKind, String) {
    let error = classify(&reply(status, body));
    (error.kind(), error.to_string())
}

fn kind(status: u16, body: &'static str) -> ErrorKind {
    classified(status, body).0
}

#[test]
fn the_code_decides_what_403_means() {
    assert_eq!(kind(403, r#"{"error_code": 403}"#), ErrorKind::Unauthenticated);
    assert_eq!(kind(403, r#"{"error_code": "403"}"#), ErrorKind::Unauthenticated);
    assert_eq!(kind(403, r#"{"error_code": 98}"#), ErrorKind::Unauthenticated);
    assert_eq!(kind(403, r#"{"error_code": 401}"#), ErrorKind::PermissionDenied);
    assert_eq!(kind(403, r#"{"error_code": 289}"#), ErrorKind::PermissionDenied);
    assert_eq!(kind(403, r#"{"error_code": 505}"#), ErrorKind::Unlicensed);
    assert_eq!(
        kind(
            403,
            r#"{"error_code": 1, "related_errors": [{"error_code": 505}]}"#
        ),
        ErrorKind::Unlicensed
    );
}

#[test]
fn a_403_without_code_is_a_session_that_is_over() {
    assert_eq!(kind(403, ""), ErrorKind::Unauthenticated);
    assert_eq!(
        kind(403, r#"{"error_message": "Forbidden"}"#),
        ErrorKind::Unauthenticated
    );
    let (kind, message) = classified(403, "<html><title>Blocked</title></html>");
    assert_eq!(kind, ErrorKind::Unauthenticated);
    assert!(message.contains("HTML page \"Blocked\""), "{message}");
    assert!(message.contains("proxy"), "{message}");
}

#[test]
fn a_400_is_recognized_by_its_code_or_text() {
    for code in [60508, 60514, 60515] {
        let body: &'static str = format!(r#"{{"error_code": {code}}}"#).leak();
        assert_eq!(kind(400, body), ErrorKind::Unavailable);
        let related: &'static str =
            format!(r#"{{"error_code": 1, "related_errors": [{{"error_code": {code}}}]}}"#).leak();
        assert_eq!(kind(400, related), ErrorKind::Unavailable);
    }
    assert_eq!(kind(400, r#"{"error_code": 500012}"#), ErrorKind::NotFound);
    assert_eq!(
        kind(
            400,
            r#"{"error_code": 1, "error_message": "The path=[/infra/x] is invalid"}"#
        ),
        ErrorKind::NotFound
    );
    assert_eq!(kind(400, r#"{"error_code": 8327}"#), ErrorKind::Rejected);
    let (kind, message) = classified(400, "The plain HTTP request was sent to HTTPS port");
    assert_eq!(kind, ErrorKind::Rejected);
    assert!(message.contains("use https in host"), "{message}");
}

#[test]
fn a_500_is_recognized_by_its_code() {
    assert_eq!(kind(500, r#"{"error_code": 99}"#), ErrorKind::Unauthenticated);
    for body in [
        r#"{"error_code": 98}"#,
        r#"{"error_code": 607}"#,
        r#"{"error_code": 610}"#,
    ] {
        assert_eq!(kind(500, body), ErrorKind::Unavailable, "{body}");
    }
    assert_eq!(kind(500, r#"{"error_code": 1}"#), ErrorKind::Server);
    assert_eq!(kind(500, ""), ErrorKind::Server);
}

#[test]
fn other_statuses_speak_for_themselves() {
    let table = [
        (204, ErrorKind::BadReply),
        (301, ErrorKind::Rejected),
        (307, ErrorKind::Rejected),
        (401, ErrorKind::Unauthenticated),
        (404, ErrorKind::NotFound),
        (405, ErrorKind::Rejected),
        (407, ErrorKind::Rejected),
        (408, ErrorKind::Unavailable),
        (409, ErrorKind::Rejected),
        (410, ErrorKind::NotFound),
        (412, ErrorKind::Rejected),
        (429, ErrorKind::Throttled),
        (501, ErrorKind::Server),
        (502, ErrorKind::Unavailable),
        (503, ErrorKind::Unavailable),
        (504, ErrorKind::Unavailable),
        (511, ErrorKind::Rejected),
        (520, ErrorKind::Server),
    ];
    for (status, expected) in table {
        assert_eq!(kind(status, ""), expected, "{status}");
    }
    assert_eq!(kind(503, r#"{"error_code": "102"}"#), ErrorKind::Throttled);
}

#[test]
fn replies_of_other_servers_have_hints_of_their_own() {
    let hint = |status: u16, body: &'static str| {
        classify(&reply(status, body))
            .failure()
            .hint
            .clone()
            .unwrap_or_default()
    };
    assert!(
        hint(401, r#"{"message": "Unauthorized", "statusCode": 401}"#).ends_with("that host is the manager")
    );
    assert!(!hint(401, r#"{"error_code": 403, "error_message": "wrong"}"#).contains("host"));
    assert!(hint(511, "<html>").contains("sign in with a browser"));
}

#[test]
fn the_managers_own_words_are_quoted_with_code_and_module() {
    let body = r#"{"httpStatus": "NOT_FOUND", "error_code": 600, "module_name": "common-services",
        "error_message": "No object has the identifier /infra/x"}"#;
    assert_eq!(
        classified(404, body).1,
        "not found: request returned 404 Not Found: No object has the identifier /infra/x \
         (error_code 600, module_name common-services)"
    );
}

#[test]
fn a_body_that_is_no_error_of_the_manager_is_named_by_its_first_line() {
    for (body, line) in [
        ("", "empty body"),
        (
            "<!DOCTYPE html><title>502 Bad Gateway</title>",
            "HTML page \"502 Bad Gateway\"",
        ),
        ("upstream gone\nsee log", "upstream gone"),
        (r#"{"redirectUrl": "/login"}"#, r#"{"redirectUrl": "/login"}"#),
        ("[]", "[]"),
        ("null", "null"),
    ] {
        let error = classify(&reply(502, body));
        assert_eq!(error.failure().body_line.as_deref(), Some(line));
    }
}

fn with_header(status: u16, name: &'static str, value: &'static str) -> Response<Bytes> {
    let mut reply = reply(status, "{}");
    reply
        .headers_mut()
        .insert(HeaderName::from_static(name), value.parse().unwrap());
    reply
}

#[test]
fn a_redirect_names_where_it_points_without_the_query() {
    let reply = with_header(
        307,
        "location",
        "https://user:abc@node-b.example.com/api?token=abc",
    );
    let message = classify(&reply).to_string();
    assert!(
        message.contains("redirected to https://node-b.example.com/api:"),
        "{message}"
    );
    assert!(!message.contains("abc"), "{message}");
    let message = classify(&with_header(302, "location", "?token=abc")).to_string();
    assert!(!message.contains("redirected"), "{message}");
}

#[test]
fn a_redirect_is_advised_as_host_only_if_it_is_the_same_path_of_another_host() {
    for (target, is_host) in [
        ("https://node-b.example.com/api/v1/x?token=abc", true),
        ("https://mgr:8443/api/v1/x", true),
        ("//node-b.example.com/api/v1/x", false),
        ("/signin", false),
        ("signin?next=/api/v1/x", false),
        ("https://mgr/signin", false),
        ("https://mgr/api/v1/x", false),
        ("https://sso.example.com/login", false),
        ("", false),
    ] {
        let mut reply = with_header(302, "location", target);
        ReplyContext::of_mut(&mut reply).request_line = Some(RequestLine {
            method: http::Method::GET,
            host: "mgr".to_owned(),
            path: "/api/v1/x".to_owned(),
        });
        let error = classify(&reply);
        let hint = error.failure().hint.as_ref().unwrap();
        assert_eq!(
            hint.contains("set host to the address"),
            is_host,
            "{target}: {hint}"
        );
        let names_login = hint.contains("login page: the session has expired, or a proxy or portal");
        assert_eq!(names_login, !is_host, "{target}: {hint}");
    }
}

#[test]
fn the_request_id_is_found_under_its_usual_names() {
    for name in ["x-nsx-requestid", "x-request-id"] {
        let error = classify(&with_header(500, name, "4711"));
        assert_eq!(error.failure().request_id.as_deref(), Some("4711"));
    }
}

#[test]
fn attempts_and_the_request_come_from_the_layers() {
    let mut reply = reply(503, "");
    *ReplyContext::of_mut(&mut reply) = ReplyContext {
        attempts: 5,
        stopped: Some("no time left".to_owned()),
        request_line: Some(RequestLine {
            method: http::Method::POST,
            host: "mgr".to_owned(),
            path: "/api/session/create".to_owned(),
        }),
        ..ReplyContext::default()
    };
    let message = classify(&reply).to_string();
    assert_eq!(
        message,
        "manager unavailable: POST /api/session/create on mgr returned 503 Service Unavailable: \
         no time left: empty body after 5 attempts in 0.0 s; \
         the service behind this path is overloaded or restarting; try again later"
    );
}

#[test]
fn a_message_that_is_not_utf8_does_not_hide_the_code() {
    let mut reply = reply(403, "");
    *reply.body_mut() = Bytes::from_static(b"{\"error_code\": 505, \"error_message\": \"gr\xfcn\"}");
    let error = classify(&reply);
    assert_eq!(error.kind(), ErrorKind::Unlicensed);
    assert!(error.to_string().contains("gr\u{fffd}n"), "{error}");
}
