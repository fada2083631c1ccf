//! Tests of which results are retried, how often, and after which delay.

use http::header::RETRY_AFTER;
use proptest::prelude::*;
use tokio::task::JoinHandle;
use tower::ServiceExt;
use tower::retry::Retry;

use super::*;
use crate::Failure;
use crate::classify::classify;
use crate::layers::attempt_timeout::attempt_timeout;
use crate::layers::testing::{Manager, get, ok, pair, reply};
use crate::service::Inner;

fn settings(max_retries: u32) -> RetrySettings {
    RetrySettings::default().max_retries(max_retries)
}

fn send(settings: &RetrySettings, request: Request<Bytes>) -> (JoinHandle<Outcome>, Manager) {
    let (service, manager) = retrying(settings);
    (tokio::spawn(service.oneshot(request)), manager)
}

/// Retries on top of attempts that time out after 60 s.
fn retrying(settings: &RetrySettings) -> (impl Inner, Manager) {
    let (inner, manager) = pair();
    let attempt = attempt_timeout(inner, Duration::from_secs(60));
    let retry = Retry::new(RetryPolicy::new(settings), attempt);
    // Like the deadline above it.
    let with_context = retry.map_request(|mut request| {
        CallContext::of_mut(&mut request);
        request
    });
    (with_context, manager)
}

/// Sends `request` to a manager that replies to every attempt with `outcome()`. Returns the result and the
/// number of attempts.
async fn attempts_of(
    settings: &RetrySettings,
    request: Request<Bytes>,
    outcome: impl Fn() -> Outcome,
) -> (Outcome, u32) {
    let (answer, mut manager) = send(settings, request);
    let mut attempts = 0;
    while let Some((_, reply)) = manager.next_request().await {
        attempts += 1;
        match outcome() {
            Ok(answer) => reply.send_response(answer),
            Err(error) => reply.send_error(error),
        }
    }
    (answer.await.unwrap(), attempts)
}

async fn attempts_with(status: u16, body: &'static str) -> u32 {
    attempts_of(&settings(4), get("/x"), || Ok(reply(status, body)))
        .await
        .1
}

async fn attempts_failing(request: Request<Bytes>, failure: impl Fn() -> Error) -> u32 {
    attempts_of(&settings(4), request, || Err(failure())).await.1
}

fn post() -> Request<Bytes> {
    Request::post("/api/session/create").body(Bytes::new()).unwrap()
}

fn unavailable_for(seconds: &str) -> Response<Bytes> {
    let mut reply = reply(503, "");
    reply.headers_mut().insert(RETRY_AFTER, seconds.parse().unwrap());
    reply
}

fn within(mut request: Request<Bytes>, limit: Duration) -> Request<Bytes> {
    CallContext::of_mut(&mut request).deadline = Some(Instant::now() + limit);
    request
}

#[tokio::test(start_paused = true)]
async fn an_outage_takes_max_retries_and_one_attempts_and_no_wait_after_the_last() {
    let fixed = settings(4)
        .min_delay(Duration::from_secs(1))
        .max_delay(Duration::from_secs(1));
    let start = Instant::now();
    let (outcome, attempts) = attempts_of(&fixed, get("/x"), || Ok(reply(503, ""))).await;
    assert_eq!(attempts, 5);
    assert_eq!(start.elapsed().as_secs(), 4);
    assert_eq!(ReplyContext::of(&outcome.unwrap()).attempts, 5);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_succeeds_ends_the_retries() {
    let (answer, mut manager) = send(&settings(4), get("/x?y=1"));
    manager
        .next_request()
        .await
        .unwrap()
        .1
        .send_response(reply(503, ""));
    let (again, second) = manager.next_request().await.unwrap();
    assert_eq!(again.uri(), "/x?y=1");
    second.send_response(ok());
    let reply = answer.await.unwrap().unwrap();
    assert_eq!(reply.status(), 200);
    assert_eq!(ReplyContext::of(&reply).attempts, 2);
}

#[tokio::test(start_paused = true)]
async fn the_documented_default_list_names_every_status_that_is_repeated() {
    for status in [409, 429, 500, 502, 503, 504] {
        assert!(RetrySettings::DEFAULT_STATUSES.contains(&status), "{status}");
        assert_eq!(attempts_with(status, "").await, 5, "{status}");
    }
    for status in [204, 301, 400, 401, 403, 404, 408, 410, 412, 501] {
        assert_eq!(attempts_with(status, "").await, 1, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_of_statuses_is_taken_as_written() {
    let attempts = async |listed: &[u16], status, body| {
        let listed = settings(4).on_status(listed.to_vec());
        let reply = || Ok(reply(status, body));
        attempts_of(&listed, get("/x"), reply).await.1
    };
    for status in [400, 401, 403, 404, 408, 418, 501, 502, 503] {
        assert_eq!(attempts(&[status], status, "").await, 5, "{status}");
        assert_eq!(attempts(&[429], status, "").await, 1, "{status}");
    }
    // If it is set explicitly, even the default list has no exceptions.
    let written = RetrySettings::DEFAULT_STATUSES;
    for (status, code) in [(400, 8327), (500, 99), (503, 60576)] {
        let body: &str = format!(r#"{{"error_code": {code}}}"#).leak();
        assert_eq!(attempts(written, status, body).await, 5, "{status}");
        assert_eq!(attempts_with(status, body).await, 1, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_400_is_repeated_once_when_the_caller_has_another_read_for_the_answer() {
    let attempts = async |status, body| {
        let mut request = get("/x");
        CallContext::of_mut(&mut request).has_alternative = true;
        attempts_of(&settings(4), request, || Ok(reply(status, body)))
            .await
            .1
    };
    assert_eq!(attempts(400, r#"{"error_code": 60515}"#).await, 2);
    assert_eq!(attempts(503, "").await, 5);
}

#[tokio::test(start_paused = true)]
async fn a_400_is_repeated_only_while_the_search_index_catches_up() {
    assert_eq!(attempts_with(400, r#"{"error_code": 60508}"#).await, 5);
    assert_eq!(attempts_with(400, r#"{"error_code": "60514"}"#).await, 5);
    assert_eq!(
        attempts_with(
            400,
            r#"{"error_code": 1, "related_errors": [{"error_code": 60515}]}"#
        )
        .await,
        5
    );
    assert_eq!(attempts_with(400, r#"{"error_code": 8327}"#).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_is_too_large_is_not_asked_for_again() {
    assert_eq!(attempts_with(503, r#"{"error_code": 60576}"#).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_certificate_that_is_not_registered_is_not_shown_again() {
    assert_eq!(attempts_with(500, r#"{"error_code": 99}"#).await, 1);
    assert_eq!(attempts_with(500, r#"{"error_code": 98}"#).await, 5);
}

#[tokio::test(start_paused = true)]
async fn a_broken_connection_is_repeated_for_reads() {
    let broken = || Error::from(ErrorKind::Connect);
    assert_eq!(attempts_failing(get("/x"), broken).await, 5);
    assert_eq!(attempts_failing(post(), broken).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_write_is_repeated_only_when_it_was_not_processed() {
    for (status, attempts) in [(429, 5), (503, 5), (409, 1), (500, 1), (502, 1), (504, 1)] {
        let answer = || Ok(reply(status, ""));
        assert_eq!(
            attempts_of(&settings(4), post(), answer).await.1,
            attempts,
            "{status}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_never_sent_is_repeated_whatever_it_is() {
    let refused = || Error::new(ErrorKind::Connect, Failure::default().unsent(true));
    assert_eq!(attempts_failing(post(), refused).await, 5);
}

#[tokio::test(start_paused = true)]
async fn failures_that_stay_are_not_repeated() {
    assert_eq!(
        attempts_failing(get("/x"), || Error::from(ErrorKind::Tls)).await,
        1
    );
    assert_eq!(
        attempts_failing(get("/x"), || Error::from(ErrorKind::Unauthenticated)).await,
        1
    );
    assert_eq!(
        attempts_failing(get("/x"), || Error::from(ErrorKind::BadReply)).await,
        1
    );
}

#[tokio::test(start_paused = true)]
async fn retry_after_is_honoured_beyond_the_longest_delay() {
    let start = Instant::now();
    let (answer, mut manager) = send(&settings(4), within(get("/x"), Duration::from_secs(300)));
    manager
        .next_request()
        .await
        .unwrap()
        .1
        .send_response(unavailable_for("30"));
    manager.next_request().await.unwrap().1.send_response(ok());
    assert_eq!(start.elapsed().as_secs(), 30);
    assert!(answer.await.unwrap().is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_retry_after_beyond_the_deadline_fails_at_once_and_says_so() {
    let start = Instant::now();
    let request = within(get("/x"), Duration::from_secs(20));
    let (outcome, attempts) = attempts_of(&settings(4), request, || Ok(unavailable_for("30"))).await;
    assert_eq!((attempts, start.elapsed()), (1, Duration::ZERO));
    let message = classify(&outcome.unwrap()).to_string();
    assert!(
        message.contains("the manager requests a delay of 30 s, but the deadline is in 20.0 s"),
        "{message}"
    );
}

#[tokio::test(start_paused = true)]
async fn there_is_no_wait_that_would_end_after_the_deadline() {
    let slow = settings(4)
        .min_delay(Duration::from_secs(30))
        .max_delay(Duration::from_secs(30));
    let start = Instant::now();
    let request = within(get("/x"), Duration::from_secs(20));
    let (outcome, attempts) = attempts_of(&slow, request, || Err(Error::from(ErrorKind::Connect))).await;
    assert_eq!((attempts, start.elapsed()), (1, Duration::ZERO));
    assert_eq!(
        outcome.unwrap_err().to_string(),
        "connection failed: request: there is no time for another attempt before the deadline in 20.0 s"
    );
}

#[tokio::test(start_paused = true)]
async fn the_failure_waited_on_is_kept_for_the_deadline() {
    let mut request = get("/x");
    let context = CallContext::of_mut(&mut request).clone();
    let (_answer, mut manager) = send(&settings(4), request);
    manager
        .next_request()
        .await
        .unwrap()
        .1
        .send_response(reply(429, ""));
    let _second = manager.next_request().await.unwrap();
    assert_eq!(context.attempts(), 2);
    assert_eq!(context.last_failure().unwrap().kind(), ErrorKind::Throttled);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]

    #[test]
    fn prop_attempts_never_exceed_max_retries_and_one(
        max_retries in 0u32..20,
        statuses in prop::collection::vec(prop::sample::select(vec![200u16, 400, 429, 500, 502, 503]), 1..30),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let attempts = runtime.block_on(async {
            let answers = std::sync::Mutex::new(statuses.iter().cycle().copied());
            let next = || Ok(reply(answers.lock().unwrap().next().unwrap(), ""));
            attempts_of(&settings(max_retries), get("/x"), next).await.1
        });
        prop_assert!(attempts <= max_retries + 1);
        prop_assert!(attempts >= 1);
    }
}

/// A wide request is repeated only if nothing was sent.
#[tokio::test(start_paused = true)]
async fn a_request_for_several_lookups_is_left_to_them() {
    let wide = || {
        let mut request = get("/x");
        CallContext::of_mut(&mut request).is_wide = true;
        request
    };
    for (status, attempts) in [(429, 1), (503, 1), (502, 1)] {
        let answer = || Ok(reply(status, ""));
        assert_eq!(attempts_of(&settings(4), wide(), answer).await.1, attempts);
    }
    let unsent = || Error::new(ErrorKind::Connect, Failure::default().unsent(true));
    assert_eq!(attempts_failing(wide(), unsent).await, 5);
    assert_eq!(
        attempts_failing(wide(), || Error::from(ErrorKind::Connect)).await,
        1
    );
}

#[tokio::test(start_paused = true)]
async fn in_an_outage_all_calls_share_a_budget_of_retries_which_successes_refill() {
    let (service, mut manager) = retrying(&settings(4));
    let all = async |count| {
        let calls = (0..count).map(|_| service.clone().oneshot(get("/x")));
        futures_util::future::join_all(calls).await
    };
    let requests = Arc::new(std::sync::atomic::AtomicU32::new(0));
    let counter = Arc::clone(&requests);
    let fails = Arc::new(std::sync::atomic::AtomicU32::new(u32::MAX));
    let until = Arc::clone(&fails);
    tokio::spawn(async move {
        while let Some((_, answer)) = manager.next_request().await {
            let number = counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            // All fail, or all but every third.
            let fails = until.load(std::sync::atomic::Ordering::Relaxed);
            answer.send_response(match number % fails.max(1) {
                _ if fails == u32::MAX => reply(503, ""),
                0 => ok(),
                _ => reply(503, ""),
            });
        }
    });
    let sent = || requests.load(std::sync::atomic::Ordering::Relaxed);
    let failed = all(1000).await;
    assert_eq!(sent(), 1100);
    let message = classify(failed[999].as_ref().unwrap()).to_string();
    assert!(
        message.contains("not repeated, because many other requests failed as well"),
        "{message}"
    );
    fails.store(1, std::sync::atomic::Ordering::Relaxed);
    all(200).await;
    fails.store(2, std::sync::atomic::Ordering::Relaxed);
    let before = sent();
    let succeeded = all(1000)
        .await
        .iter()
        .flatten()
        .filter(|reply| reply.status() == 200)
        .count();
    assert!(succeeded >= 950, "{succeeded}");
    assert!(sent() - before <= 2100);
}

#[tokio::test(start_paused = true)]
async fn retry_after_delays_its_own_call_only() {
    let (service, mut manager) = retrying(&settings(4));
    let start = Instant::now();
    let delayed = tokio::spawn(service.clone().oneshot(get("/x")));
    let (_, first) = manager.next_request().await.unwrap();
    first.send_response(unavailable_for("60"));
    tokio::time::sleep(Duration::from_millis(1)).await;
    let other = tokio::spawn(service.oneshot(get("/x")));
    manager.next_request().await.unwrap().1.send_response(ok());
    assert!(other.await.unwrap().is_ok());
    assert!(start.elapsed() < Duration::from_secs(1));
    manager.next_request().await.unwrap().1.send_response(ok());
    assert!(delayed.await.unwrap().is_ok());
    assert_eq!(start.elapsed().as_secs(), 60);
}

#[tokio::test(start_paused = true)]
async fn a_retry_after_of_more_than_a_minute_ends_the_call_and_is_named() {
    for (requested, shown) in [
        ("61", "61 s"),
        ("3600", "3600 s"),
        ("18446744073709551615", "more than a day"),
    ] {
        let start = Instant::now();
        let (outcome, attempts) =
            attempts_of(&settings(4), get("/x"), || Ok(unavailable_for(requested))).await;
        assert_eq!((attempts, start.elapsed()), (1, Duration::ZERO));
        let message = classify(&outcome.unwrap()).to_string();
        assert!(
            message.contains(&format!("the manager requests a delay of {shown}")),
            "{message}"
        );
    }
}
