//! Tests of matching, of the textual form and of faulty pages.

use std::time::Duration;

use http::header::{HeaderName, HeaderValue};
use http::{Method, StatusCode};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::delivery::CookieFault;
use super::reply::FaultBody;
use super::*;
use crate::api::{ApiRequest, ApiResponse, Backend};

/// Pages through the numbers 0 to 6; the cursor is the next number.
struct Seven;

impl Backend for Seven {
    fn respond(&self, call: &ApiRequest) -> ApiResponse {
        let parameter = |name: &str, default: usize| {
            call.query
                .iter()
                .find(|(key, _)| key == name)
                .map_or(default, |(_, value)| value.parse().unwrap())
        };
        let (start, size) = (parameter("cursor", 0), parameter("page_size", 1000));
        let end = (start + size).min(7);
        let mut page = json!({ "results": (start..end).collect::<Vec<_>>() });
        if start == 0 {
            page["result_count"] = 7.into();
        }
        if end < 7 {
            page["cursor"] = end.to_string().into();
        }
        ApiResponse {
            status: StatusCode::OK,
            body: Some(page),
        }
    }
}

/// Follows cursors for at most `most` pages.
fn pages(fault: &str, page_size: usize, most: usize) -> Vec<Value> {
    let faults = Faults::default();
    faults.add(fault.parse().unwrap());
    let mut cursor = None;
    let mut pages = Vec::new();
    while pages.len() < most {
        let mut query = vec![("page_size".to_owned(), page_size.to_string())];
        query.extend(cursor.take().map(|cursor| ("cursor".to_owned(), cursor)));
        let call = ApiRequest {
            method: Method::GET,
            path: "/list".to_owned(),
            query,
            body: Default::default(),
        };
        let firing = faults.fire(&Method::GET, "/list").unwrap();
        let page = firing.respond(call, &Seven).body.unwrap();
        cursor = page["cursor"].as_str().map(str::to_owned);
        pages.push(page);
        if cursor.is_none() {
            break;
        }
    }
    pages
}

fn rows(pages: &[Value]) -> Vec<u64> {
    pages
        .iter()
        .flat_map(|page| page["results"].as_array().unwrap())
        .map(|row| row.as_u64().unwrap())
        .collect()
}

fn counts(pages: &[Value]) -> Vec<Option<u64>> {
    pages.iter().map(|page| page["result_count"].as_u64()).collect()
}

#[test]
fn a_dangling_cursor_leads_to_an_empty_page() {
    let pages = pages("GET /list cursor=dangling", 5, 10);
    assert_eq!(rows(&pages), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(pages.len(), 3);
    assert_eq!(pages[2]["results"], json!([]));
}

#[test]
fn the_last_page_repeats_its_cursor_without_end() {
    let pages = pages("GET /list cursor=repeat-last", 3, 6);
    assert_eq!(rows(&pages[..3]), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(
        pages[2..].iter().map(|page| &page["cursor"]).collect::<Vec<_>>(),
        ["6"; 4]
    );
}

#[test]
fn every_later_page_repeats_its_cursor() {
    let pages = pages("GET /list cursor=repeat", 3, 4);
    assert_eq!(rows(&pages), [0, 1, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5]);
}

#[test]
fn endless_pages_come_again_behind_the_last_one() {
    let pages = pages("GET /list cursor=endless", 5, 5);
    assert_eq!(rows(&pages), [0, 1, 2, 3, 4, 5, 6, 5, 6, 5, 6, 5, 6]);
    let cursors: Vec<_> = pages
        .iter()
        .map(|page| page["cursor"].as_str().unwrap())
        .collect();
    assert_eq!(
        cursors,
        ["5", "beyond-1:5", "beyond-2:5", "beyond-3:5", "beyond-4:5"]
    );
}

/// Answers with one page of one object.
struct One;

impl Backend for One {
    fn respond(&self, call: &ApiRequest) -> ApiResponse {
        assert!(call.query.is_empty(), "{call:?}");
        ApiResponse {
            status: StatusCode::OK,
            body: Some(json!({ "results": [{ "id": "a", "path": "/a", "rack": "r" }], "result_count": 1 })),
        }
    }
}

/// The page of [`One`] at a cursor.
fn only_page(faults: &Faults, cursor: Option<&Value>) -> Value {
    let cursor = cursor.and_then(Value::as_str);
    let call = ApiRequest {
        method: Method::GET,
        path: "/list".to_owned(),
        query: cursor
            .map(|cursor| ("cursor".to_owned(), cursor.to_owned()))
            .into_iter()
            .collect(),
        body: Default::default(),
    };
    let firing = faults.fire(&Method::GET, "/list").unwrap();
    firing.respond(call, &One).body.unwrap()
}

#[test]
fn growing_pages_bring_objects_that_no_page_had() {
    let faults = Faults::default();
    faults.add("GET /list cursor=growing".parse().unwrap());
    let first = only_page(&faults, None);
    assert_eq!(first["results"][0]["id"], "a");
    let second = only_page(&faults, Some(&first["cursor"]));
    assert_eq!(
        second["results"],
        json!([{ "id": "a-1", "path": "/a-1", "rack": "r" }])
    );
    let third = only_page(&faults, Some(&second["cursor"]));
    assert_eq!(third["results"][0]["id"], "a-2");
}

#[test]
fn a_malformed_object_stands_before_the_others() {
    let faults = Faults::default();
    faults.add("GET /list malformed".parse().unwrap());
    let page = only_page(&faults, None);
    assert!(page["results"][0]["id"].is_object());
    assert_eq!(page["results"][1]["id"], "a");
}

#[test]
fn counts_can_be_absent_too_small_too_big_shrinking_and_growing() {
    assert_eq!(
        counts(&pages("GET /list result-count=absent", 4, 9)),
        [None, None]
    );
    assert_eq!(
        counts(&pages("GET /list result-count=too-small", 4, 9)),
        [Some(3), None]
    );
    assert_eq!(
        counts(&pages("GET /list result-count=too-big", 4, 9)),
        [Some(15), None]
    );
    assert_eq!(
        counts(&pages("GET /list result-count=shrinking", 3, 9)),
        [Some(7), Some(6), Some(5)]
    );
    assert_eq!(
        counts(&pages("GET /list result-count=growing", 3, 9)),
        [Some(7), Some(8), Some(9)]
    );
}

#[test]
fn pages_are_smaller_than_asked_and_lose_nothing() {
    let pages = pages("GET /list page-size=2", 1000, 10);
    assert_eq!(pages.len(), 4);
    assert_eq!(rows(&pages), [0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn later_pages_begin_with_the_last_object_of_the_page_before() {
    assert_eq!(
        rows(&pages("GET /list duplicates", 3, 10)),
        [0, 1, 2, 2, 3, 4, 5, 5, 6]
    );
}

#[test]
fn a_fault_waits_applies_and_stops() {
    let faults = Faults::default();
    let id = faults.add("GET /list status=503 after=1 count=2".parse().unwrap());
    let fired: Vec<bool> = (0..5)
        .map(|_| faults.fire(&Method::GET, "/list").is_some())
        .collect();
    assert_eq!(fired, [false, true, true, false, false]);
    assert_eq!(faults.applied(id), 2);
}

#[test]
fn a_fault_applies_to_each_nth_request() {
    let faults = Faults::default();
    let id = faults.add("* /list status=503 after=1 every=3 count=2".parse().unwrap());
    let fired: Vec<bool> = (0..11)
        .map(|_| faults.fire(&Method::GET, "/list").is_some())
        .collect();
    let hit: Vec<usize> = (0..11).filter(|&request| fired[request]).collect();
    assert_eq!(hit, [3, 6]);
    assert_eq!(faults.applied(id), 2);
}

#[test]
fn a_spent_fault_leaves_the_request_to_the_next() {
    let faults = Faults::default();
    faults.add("* /list status=503 count=1".parse().unwrap());
    let second = faults.add("500".parse().unwrap());
    faults.fire(&Method::GET, "/list").unwrap();
    assert_eq!(faults.applied(second), 0);
    faults.fire(&Method::POST, "/list").unwrap();
    assert_eq!(faults.applied(second), 1);
    faults.remove(second);
    assert!(faults.fire(&Method::GET, "/list").is_none());
}

#[test]
fn stars_stand_for_any_text() {
    for (pattern, path, fits) in [
        ("/a/b", "/a/b", true),
        ("/a/b", "/a/b/c", false),
        ("/a/*", "/a/b/c", true),
        ("*/b", "/a/b", true),
        ("/a/*/c/*", "/a/x/y/c/d", true),
        ("/a*a", "/a", false),
        ("*", "", true),
        ("/*/edge-clusters/*", "/api/v1/edge-nodes/1", false),
    ] {
        assert_eq!(glob(pattern, path), fits, "{pattern} {path}");
    }
}

#[test]
fn every_word_has_its_effect() {
    let text = "POST /api/* count=2 after=1 delay=250ms status=400 code=60508 message=Index_rebuilding \
                retry-after=1 header=x-a:b content-type=text/plain truncate node-switch";
    let mut fault = Fault::on("/api/*");
    fault.method = Some(Method::POST);
    fault.count = Some(2);
    fault.after = 1;
    fault.delay = Some(Duration::from_millis(250));
    fault.access = Some(AccessFault::NodeSwitched);
    fault.reply.status = Some(StatusCode::BAD_REQUEST);
    fault.reply.code = Some(60508);
    fault.reply.message = Some("Index rebuilding".to_owned());
    fault.delivery.transfer = Some(TransferFault::Short);
    for (name, value) in [("retry-after", "1"), ("x-a", "b"), ("content-type", "text/plain")] {
        let value = HeaderValue::from_static(value);
        fault
            .delivery
            .headers
            .insert(HeaderName::from_static(name), value);
    }
    assert_eq!(text.parse::<Fault>().unwrap(), fault);

    let text = r#"* / body={"redirectUrl":"/a=b"} padding=3x5 cookie=new truncate=unsized every=2"#;
    let mut fault = Fault::on("/");
    fault.reply.status = Some(StatusCode::OK);
    fault.reply.body = FaultBody::Json(json!({"redirectUrl": "/a=b"}));
    fault.delivery.padding = (3, 5);
    fault.delivery.cookie = Some(CookieFault::New);
    fault.delivery.transfer = Some(TransferFault::Unsized);
    fault.every = 2;
    assert_eq!(text.parse::<Fault>().unwrap(), fault);

    for (text, status, body) in [
        ("body=html status=502", 502, FaultBody::Html),
        ("body=empty", 200, FaultBody::Empty),
        ("200 body text", 200, FaultBody::Text),
    ] {
        let fault: Fault = text.parse().unwrap();
        assert_eq!(
            (fault.reply.status.unwrap().as_u16(), fault.reply.body),
            (status, body),
            "{text}"
        );
    }
    for (text, transfer) in [
        ("reset", TransferFault::Reset),
        ("reset=body", TransferFault::ResetInBody),
        ("gzip=corrupt", TransferFault::CorruptGzip),
    ] {
        let fault: Fault = text.parse().unwrap();
        assert_eq!(fault.delivery.transfer, Some(transfer), "{text}");
    }
    for (text, access) in [
        ("session-loss", AccessFault::SessionsLost),
        ("xsrf-change", AccessFault::XsrfChanged),
        ("token-loss", AccessFault::TokensLost),
        ("lockout", AccessFault::AccountsLocked),
    ] {
        assert_eq!(text.parse::<Fault>().unwrap().access, Some(access), "{text}");
    }
}

#[test]
fn a_fault_of_every_request_needs_no_path_and_no_equals_signs() {
    assert_eq!(
        "503 every 10".parse::<Fault>().unwrap(),
        "* * status=503 every=10".parse().unwrap()
    );
    assert_eq!(
        "delay 2s count 1".parse::<Fault>().unwrap(),
        "* * delay=2s count=1".parse().unwrap()
    );
}

#[test]
fn errors_say_what_is_wrong_with_the_text() {
    let error = |text: &str| text.parse::<Fault>().unwrap_err().to_string();
    insta::assert_snapshot!(error("GET"), @"a fault starts with a method or * and a path, as in `GET /api/v1/edge-clusters status=503`");
    insta::assert_snapshot!(error("GET status=503"), @"`status=503` is not a path; a path starts with / or *");
    insta::assert_snapshot!(error("GET /a"), @"the fault has no effect; add one, for example status=503 or reset");
    insta::assert_snapshot!(error("GET /a status=wrong"), @"`status=wrong`: expected a whole number");
    insta::assert_snapshot!(error("GET /a status=99"), @"`status=99`: expected a status between 200 and 599");
    insta::assert_snapshot!(error("GET /a delay=5"), @"`delay=5`: expected a time such as 250ms or 2s");
    insta::assert_snapshot!(error("GET /a reset=1"), @"`reset=1`: expected no value, or body");
    insta::assert_snapshot!(error("GET /a lockout=1"), @"`lockout=1`: expected no value");
    insta::assert_snapshot!(error("GET /a body=page"), @"`body=page`: expected json, html, text, empty or JSON without spaces");
    insta::assert_snapshot!(error("GET /a padding=5"), @"`padding=5`: expected a number of headers and of bytes, as in 100x200");
    insta::assert_snapshot!(error("GET /a every"), @"`every`: expected a whole number");
    insta::assert_snapshot!(error("GET /a reset status=503"), @"a fault that resets the connection sends no reply that could be changed");
    insta::assert_snapshot!(error("GET /a code=98"), @"code and message require a status, because they are part of an error body");
    assert!(error("GET /a stauts=503").starts_with("`stauts=503` is unknown; the words are count, after"));
}

proptest! {
    #[test]
    fn prop_a_pattern_made_by_starring_parts_of_a_path_fits_it(
        parts in prop::collection::vec(("[a-z/]{0,4}", any::<bool>()), 0..6),
    ) {
        let path: String = parts.iter().map(|(part, _)| part.as_str()).collect();
        let pattern: String = parts.iter().map(|(part, star)| if *star { "*" } else { part.as_str() }).collect();
        prop_assert!(glob(&pattern, &path), "{pattern} {path}");
    }

    #[test]
    fn prop_no_text_makes_the_parser_panic(text in "\\PC{0,60}") {
        let _ = text.parse::<Fault>();
    }
}
