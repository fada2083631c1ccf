//! Tests of faulty responses: retries and errors.

use std::time::{Duration, SystemTime};

use http::StatusCode;
use tokio::time::Instant;

use super::support::*;
use super::*;

/// Sends a request to a manager with this fault, over both protocols, and checks that `attempts` requests
/// reach it.
async fn is_overcome(text: &str, attempts: u64) {
    for builder in both_protocols() {
        let manager = started(builder.fault(fault(text))).await;
        let pool = ask(&lookups(&manager, basic())).await;
        assert_eq!(pool.unwrap()["displayName"], "tep-pool", "{text}");
        assert_eq!(reads(&manager, POOL_PATH), attempts, "{text}");
    }
}

/// Like [`is_overcome`], with a permanent fault. Returns the failure and its text.
async fn is_reported(text: &str, attempts: u64) -> (ErrorKind, String) {
    let manager = started(manager().fault(fault(text))).await;
    let error = ask(&lookups(&manager, basic())).await.unwrap_err();
    assert_eq!(reads(&manager, POOL_PATH), attempts, "{text}");
    (error.kind(), reported(&error))
}

#[tokio::test]
async fn passing_failures_are_overcome() {
    for status in [409, 429, 500, 502, 503, 504] {
        is_overcome(&format!("GET /api/v1/pools/* status={status} count=3"), 4).await;
    }
    is_overcome("GET /api/v1/pools/* status=502 body=html count=1", 2).await;
    is_overcome("GET /api/v1/pools/* status=503 body=empty count=1", 2).await;
    is_overcome("GET /api/v1/pools/* truncate count=2", 3).await;
    is_overcome("GET /api/v1/pools/* reset count=2", 3).await;
}

#[tokio::test]
async fn another_content_type_does_not_matter_for_what_is_json() {
    is_overcome("GET * content-type=text/html", 1).await;
}

#[tokio::test]
async fn failures_that_last_end_after_all_attempts_and_name_themselves() {
    let (kind, text) = is_reported("GET /api/v1/pools/* status=502 body=html", 5).await;
    assert_eq!(kind, ErrorKind::Other);
    assert!(text.contains("HTML page \"502 Bad Gateway\""), "{text}");
    assert!(text.contains("after 5 attempts"), "{text}");
    let (kind, text) = is_reported("GET /api/v1/pools/* reset", 5).await;
    assert_eq!(kind, ErrorKind::Network);
    assert!(text.contains("may be restarting"), "{text}");
    let (kind, text) = is_reported("GET /api/v1/pools/* truncate", 5).await;
    assert_eq!(kind, ErrorKind::Network);
    assert!(text.contains("the response was truncated"), "{text}");
    let (kind, text) = is_reported("GET /api/v1/pools/* status=503 body=empty", 5).await;
    assert_eq!(kind, ErrorKind::Other);
    assert!(text.contains("empty body"), "{text}");
}

#[tokio::test]
async fn failures_that_stay_are_not_repeated() {
    let (kind, text) = is_reported("GET /api/v1/pools/* status=400 code=255 message=No_such_field", 1).await;
    assert_eq!(kind, ErrorKind::Other);
    assert!(text.contains("No such field"), "{text}");
    let (_, text) = is_reported("GET /api/v1/pools/* body=html", 1).await;
    assert!(text.contains("unexpected response"), "{text}");
    assert!(text.contains("HTML page \"200 OK\""), "{text}");
    let (_, text) = is_reported("GET /api/v1/pools/* body=empty", 1).await;
    assert!(text.contains("empty body"), "{text}");
    let (_, text) = is_reported(
        "GET /api/v1/pools/* status=307 header=location:https://other.example/x?token=1",
        1,
    )
    .await;
    assert!(text.contains("redirected to https://other.example/x"), "{text}");
    assert!(!text.contains("token"), "{text}");
}

#[tokio::test]
async fn a_400_of_a_search_is_repeated_once_while_the_index_catches_up_and_the_list_answers() {
    let by_name = json!({"displayName": "lb-cert-web"});
    for (code, count, attempts) in [(60508, 2, 2), (60514, 1, 2), (60515, 1, 2)] {
        let text = format!("GET {SEARCH} status=400 code={code} count={count}");
        let manager = started(manager().fault(fault(&text))).await;
        let certificate = call(
            &lookups(&manager, basic()),
            "getPolicyCertificate",
            by_name.clone(),
        )
        .await;
        assert_eq!(certificate.unwrap()["id"], "lb-cert-web");
        assert_eq!(reads(&manager, SEARCH), attempts);
    }
    let manager = started(manager().fault(fault(&format!("GET {SEARCH} status=400 code=258")))).await;
    let certificate = call(&lookups(&manager, basic()), "getPolicyCertificate", by_name).await;
    assert_eq!(certificate.unwrap()["id"], "lb-cert-web");
    assert_eq!(reads(&manager, SEARCH), 1);
}

#[tokio::test]
async fn a_limit_of_the_manager_is_reported_with_its_code_as_text_or_number() {
    let manager = started(manager().requests_per_second(1)).await;
    let settings = with(basic(), json!({"maxRetries": 0}));
    ask(&lookups(&manager, settings.clone())).await.unwrap();
    for _ in 0..2 {
        let error = ask(&lookups(&manager, settings.clone())).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Throttled);
        assert!(reported(&error).contains("code 102"), "{}", reported(&error));
    }
}

#[tokio::test]
async fn a_wait_that_the_manager_requests_is_kept_in_seconds_or_as_a_date() {
    let clock = Clock::stop();
    let in_50_s = || httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(50)).replace(' ', "_");
    for status in [429, 503] {
        // The system clock, which determines the date, advances between here and the response.
        for (asked, least, most) in [("30".to_owned(), 30, 31), (in_50_s(), 40, 51)] {
            let text = format!("GET /api/v1/pools/* status={status} retry-after={asked} count=1");
            let manager = started(manager().fault(fault(&text))).await;
            let start = Instant::now();
            clock.run(ask(&lookups(&manager, basic()))).await.unwrap();
            let waited = start.elapsed();
            assert!(
                waited >= Duration::from_secs(least) && waited <= Duration::from_secs(most),
                "{text}: {waited:?}"
            );
            assert_eq!(reads(&manager, POOL_PATH), 2);
        }
    }
}

#[tokio::test]
async fn a_wait_of_more_than_a_minute_is_reported_at_once() {
    let manager = started(manager().fault(fault("GET /api/v1/pools/* status=503 retry-after=3600"))).await;
    let text = reported(&ask(&lookups(&manager, basic())).await.unwrap_err());
    assert_eq!(reads(&manager, POOL_PATH), 1);
    assert!(text.contains("the manager requests a delay of 3600 s"), "{text}");
}

#[tokio::test]
async fn a_lookup_ends_at_its_deadline_and_its_request_with_it() {
    let clock = Clock::stop();
    for builder in both_protocols() {
        let manager = started(builder.fault(fault("GET /api/v1/pools/* delay=1000s"))).await;
        let lookups = lookups(&manager, session());
        let limited = Call::default().deadline(Duration::from_secs(5));
        let start = Instant::now();
        let answer = clock
            .run(lookups.invoke("getIpPool", json!({"id": POOL}), &limited))
            .await;
        assert_eq!(answer.unwrap_err().kind(), ErrorKind::DeadlineExceeded);
        let waited = start.elapsed();
        assert!(
            waited >= Duration::from_secs(5) && waited < Duration::from_secs(6),
            "{waited:?}"
        );
        yield_until(|| manager.counters().abandoned == 1).await;
        assert_eq!(reads(&manager, POOL_PATH), 1);
    }
}

#[tokio::test]
async fn a_lookup_that_is_dropped_ends_its_request() {
    for builder in both_protocols() {
        let manager = started(builder.fault(fault("GET /api/v1/pools/* delay=1000s count=1"))).await;
        let lookups = lookups(&manager, session());
        {
            let dropped = ask(&lookups);
            tokio::pin!(dropped);
            tokio::select! {
                _ = &mut dropped => panic!("answered"),
                () = yield_until(|| reads(&manager, POOL_PATH) == 1) => {}
            }
        }
        yield_until(|| manager.counters().abandoned == 1).await;
        ask(&lookups).await.unwrap();
    }
}

#[tokio::test]
async fn a_lookup_that_is_cancelled_ends_its_request() {
    let manager = started(manager().fault(fault("GET /api/v1/pools/* delay=1000s count=1"))).await;
    let lookups = lookups(&manager, session());
    let call = Call::default();
    let cancel = async {
        yield_until(|| reads(&manager, POOL_PATH) == 1).await;
        call.cancel.cancel();
    };
    let (answer, ()) = tokio::join!(lookups.invoke("getIpPool", json!({"id": POOL}), &call), cancel);
    assert_eq!(answer.unwrap_err().kind(), ErrorKind::Cancelled);
    yield_until(|| manager.counters().abandoned == 1).await;
}

#[tokio::test]
async fn a_login_that_fails_in_passing_is_repeated_and_sent_four_times_at_most() {
    let manager = started(manager().fault(fault("POST /api/session/create status=503 count=2"))).await;
    ask(&lookups(&manager, session())).await.unwrap();
    assert_eq!(
        manager.counters().responses_with(StatusCode::SERVICE_UNAVAILABLE),
        2
    );
    manager.faults().add(fault("POST /api/session/create reset"));
    let error = ask(&lookups(&manager, session())).await.unwrap_err();
    assert!(
        reported(&error).contains("POST /api/session/create"),
        "{}",
        reported(&error)
    );
    assert_eq!(manager.counters().abandoned, 4);
}

#[tokio::test]
async fn a_long_version_is_quoted_by_its_beginning() {
    for start in ["2.5.0-", "x"] {
        let version = format!("{start}{}", "y".repeat(100_000));
        let body = json!({"product_version": version});
        let manager = started(manager().fault(fault(&format!("GET /api/v1/node/version body={body}")))).await;
        let input = json!({"displayName": "edge-01"});
        let error = call(&lookups(&manager, session()), "getPolicyEdgeTransportNode", input).await;
        let report = reported(&error.unwrap_err());
        assert!(report.contains(&format!("{start}yyy")), "{report}");
        assert!(report.len() < 600, "{} bytes: {report}", report.len());
    }
}

#[tokio::test]
async fn a_path_that_alone_is_unavailable_is_named() {
    for effect in ["status=503", "status=503 body=html"] {
        let manager = started(manager().fault(fault(&format!("GET /api/v1/pools/* {effect}")))).await;
        let lookups = lookups(&manager, session());
        let report = reported(&ask(&lookups).await.unwrap_err());
        assert!(
            report.contains(POOL_PATH) && report.contains("service behind this path"),
            "{report}"
        );
        assert!(!report.contains("the manager is"), "{report}");
        call(&lookups, "getNsGroups", json!({})).await.unwrap();
    }
}
