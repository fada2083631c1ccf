//! Requests per second, requests in flight, order, and what happens when calls are dropped.

use std::time::Duration;

use http::header::RETRY_AFTER;

use super::*;
use crate::layers::testing::{Manager, get, ok, pair, reply};

fn governed(per_second: u32, in_flight: u32) -> (impl Inner, Manager) {
    let ([service, ..], manager) = lanes(per_second, in_flight);
    (service, manager)
}

/// The services for requests, logins and logouts.
fn lanes(per_second: u32, in_flight: u32) -> ([impl Inner; 3], Manager) {
    let (inner, manager) = pair();
    let layer = GovernorLayer::new(Limits {
        per_second,
        in_flight,
        longest_hold: Duration::from_secs(61),
    });
    let lanes = [Lane::Request, Lane::Login, Lane::Logout];
    (lanes.map(|lane| layer.lane(lane).layer(inner.clone())), manager)
}

fn call(service: &impl Inner, uri: &str) -> tokio::task::JoinHandle<Result<http::Response<Bytes>, Error>> {
    tokio::spawn(service.clone().oneshot(get(uri)))
}

/// Runs everything that is ready, without advancing the clock.
async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_burst_goes_out_at_once_up_to_the_rate() {
    let (service, mut manager) = governed(10, 32);
    let start = Instant::now();
    let calls: Vec<_> = (0..25).map(|_| call(&service, "/x")).collect();
    let mut sent = Vec::new();
    for _ in 0..25 {
        manager.next_request().await.unwrap().1.send_response(ok());
        sent.push(start.elapsed().as_secs());
    }
    assert_eq!(sent, [vec![0; 10], vec![1; 10], vec![2; 5]].concat());
    for call in calls {
        assert!(call.await.unwrap().is_ok());
    }
}

#[tokio::test(start_paused = true)]
async fn no_more_than_the_limit_are_in_flight() {
    let (service, mut manager) = governed(90, 2);
    let _calls: Vec<_> = (0..3).map(|_| call(&service, "/x")).collect();
    let first = manager.next_request().await.unwrap().1;
    let _second = manager.next_request().await.unwrap().1;
    settle().await;
    assert!(
        tokio::time::timeout(Duration::from_secs(30), manager.next_request())
            .await
            .is_err()
    );
    first.send_response(ok());
    assert!(manager.next_request().await.is_some());
}

#[tokio::test(start_paused = true)]
async fn calls_are_served_in_the_order_they_came() {
    let (service, mut manager) = governed(1, 1);
    for number in 0..5 {
        drop(call(&service, &format!("/{number}")));
        settle().await;
    }
    for number in 0..5 {
        let (request, reply) = manager.next_request().await.unwrap();
        assert_eq!(request.uri().path(), format!("/{number}"));
        reply.send_response(ok());
    }
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_gives_up_its_place_in_the_queue_and_in_flight() {
    let (service, mut manager) = governed(90, 1);
    let flying = call(&service, "/flying");
    let _unanswered = manager.next_request().await.unwrap();
    let head = call(&service, "/head");
    settle().await;
    let queued = call(&service, "/queued");
    settle().await;
    let _last = call(&service, "/last");
    settle().await;
    head.abort();
    queued.abort();
    flying.abort();
    let (request, _) = manager.next_request().await.unwrap();
    assert_eq!(request.uri().path(), "/last");
}

/// The number of calls that are sent immediately after the reply `first`, with a limit of ten per second.
async fn at_once_after(first: http::Response<Bytes>) -> usize {
    let (service, mut manager) = governed(10, 32);
    let call_first = call(&service, "/x");
    manager.next_request().await.unwrap().1.send_response(first);
    call_first.await.unwrap().unwrap();
    let start = Instant::now();
    let _calls: Vec<_> = (0..10).map(|_| call(&service, "/x")).collect();
    let mut at_once = 0;
    for _ in 0..10 {
        manager.next_request().await.unwrap().1.send_response(ok());
        at_once += usize::from(start.elapsed() < Duration::from_millis(900));
    }
    at_once
}

const OVERLOADED: &str = r#"{"error_code": 901, "error_message": "Node takes no more"}"#;

#[tokio::test(start_paused = true)]
async fn a_throttled_reply_slows_the_client_down() {
    // The first call still counts towards the limit.
    assert_eq!(at_once_after(ok()).await, 9);
    assert_eq!(at_once_after(reply(429, "")).await, 4);
    assert_eq!(at_once_after(reply(503, OVERLOADED)).await, 4);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_is_too_large_does_not() {
    assert_eq!(at_once_after(reply(503, r#"{"error_code": 60576}"#)).await, 9);
}

#[tokio::test(start_paused = true)]
async fn a_page_of_a_proxy_does_not() {
    assert_eq!(at_once_after(reply(503, "<html>no server</html>")).await, 9);
}

#[tokio::test(start_paused = true)]
async fn an_outage_slows_the_client_down_and_one_path_that_fails_does_not() {
    for (is_outage, expected) in [(true, 3), (false, 10)] {
        let (service, mut manager) = governed(10, 32);
        for number in 0..12 {
            let call = call(&service, "/x");
            let status = if is_outage || number % 4 > 0 { 502 } else { 200 };
            let answer = manager.next_request().await.unwrap().1;
            answer.send_response(reply(status, "<html>no server</html>"));
            call.await.unwrap().unwrap();
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        let start = Instant::now();
        let _calls: Vec<_> = (0..10).map(|_| call(&service, "/x")).collect();
        let mut at_once = 0;
        for _ in 0..10 {
            manager.next_request().await.unwrap().1.send_response(ok());
            at_once += usize::from(start.elapsed() < Duration::from_millis(900));
        }
        assert_eq!(at_once, expected);
    }
}

/// The delay of a call after a reply with `status` and `Retry-After: 7`.
async fn held_back_after(status: u16) -> u64 {
    let (service, mut manager) = governed(10, 32);
    let first = call(&service, "/x");
    let mut throttled = reply(status, OVERLOADED);
    throttled.headers_mut().insert(RETRY_AFTER, "7".parse().unwrap());
    manager.next_request().await.unwrap().1.send_response(throttled);
    first.await.unwrap().unwrap();
    let start = Instant::now();
    let _second = call(&service, "/y");
    manager.next_request().await.unwrap();
    start.elapsed().as_secs()
}

#[tokio::test(start_paused = true)]
async fn retry_after_holds_no_other_call_back() {
    for status in [429, 503] {
        assert_eq!(held_back_after(status).await, 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_login_goes_before_the_requests_that_wait() {
    let ([requests, logins, _], mut manager) = lanes(90, 1);
    let _flying = call(&requests, "/flying");
    let (_, flying) = manager.next_request().await.unwrap();
    let _queued = [(); 10].map(|()| call(&requests, "/queued"));
    settle().await;
    let _login = call(&logins, "/login");
    settle().await;
    flying.send_response(ok());
    let mut order = Vec::new();
    for _ in 0..3 {
        let (request, reply) = manager.next_request().await.unwrap();
        order.push(request.uri().path().to_owned());
        reply.send_response(ok());
    }
    assert_eq!(order, ["/login", "/queued", "/queued"]);
}

#[tokio::test(start_paused = true)]
async fn a_login_that_is_dropped_lets_the_requests_go() {
    let ([requests, logins, _], mut manager) = lanes(90, 1);
    let _flying = call(&requests, "/flying");
    let (_, flying) = manager.next_request().await.unwrap();
    let login = call(&logins, "/login");
    settle().await;
    let _queued = call(&requests, "/queued");
    settle().await;
    flying.send_response(ok());
    login.abort();
    assert_eq!(manager.next_request().await.unwrap().0.uri().path(), "/queued");
}

#[tokio::test(start_paused = true)]
async fn a_logout_waits_neither_for_the_rate_nor_for_a_place() {
    let ([requests, _, logouts], mut manager) = lanes(1, 1);
    let first = call(&requests, "/x");
    let mut throttled = reply(429, "");
    throttled.headers_mut().insert(RETRY_AFTER, "60".parse().unwrap());
    manager.next_request().await.unwrap().1.send_response(throttled);
    first.await.unwrap().unwrap();
    let start = Instant::now();
    let _queued = call(&requests, "/queued");
    let _logout = call(&logouts, "/logout");
    assert_eq!(manager.next_request().await.unwrap().0.uri().path(), "/logout");
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_place_that_is_given_back_unused_costs_nothing() {
    let (service, mut manager) = governed(1, 1);
    let mut unused = service.clone();
    unused.ready().await.unwrap();
    drop(unused);
    let start = Instant::now();
    let _call = call(&service, "/x");
    manager.next_request().await.unwrap();
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn slow_answers_make_room_for_more_requests_in_flight_and_quick_ones_do_not() {
    for (answers_after, least, most) in [(1000, 20, 32), (50, 5, 8)] {
        let (service, mut manager) = governed(90, 32);
        let calls: Vec<_> = (0..300).map(|_| call(&service, "/x")).collect();
        drop(service);
        let in_flight = Arc::new(Mutex::new((0, 0)));
        let seen = Arc::clone(&in_flight);
        tokio::spawn(async move {
            while let Some((_, answer)) = manager.next_request().await {
                let seen = Arc::clone(&seen);
                let (now, peak) = &mut *seen.lock().unwrap();
                *now += 1;
                *peak = (*peak).max(*now);
                let seen = Arc::clone(&seen);
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_millis(answers_after)).await;
                    seen.lock().unwrap().0 -= 1;
                    answer.send_response(ok());
                });
            }
        });
        for call in calls {
            call.await.unwrap().unwrap();
        }
        let peak = in_flight.lock().unwrap().1;
        assert!((least..=most).contains(&peak), "{answers_after} ms: {peak}");
    }
}

/// Calls of an idle runtime hold all slots, and the head of the queue.
#[test]
fn calls_of_a_runtime_that_rests_or_ends_hold_up_no_other_runtime_for_long() {
    let runtime = || {
        let builder = &mut tokio::runtime::Builder::new_current_thread();
        builder.enable_time().start_paused(true).build().unwrap()
    };
    for is_dropped in [true, false] {
        let ([requests, logins, _], manager) = lanes(90, 2);
        let first = runtime();
        first.block_on(async {
            for _ in 0..5 {
                drop(call(&requests, "/silent"));
                drop(call(&logins, "/login"));
            }
            settle().await;
        });
        let first = (!is_dropped).then_some(first);
        let took = runtime().block_on(async {
            let start = Instant::now();
            let mut manager = manager;
            let answer = call(&requests, "/x");
            loop {
                let (request, reply) = manager.next_request().await.unwrap();
                if request.uri().path() == "/x" {
                    reply.send_response(ok());
                    answer.await.unwrap().unwrap();
                    return start.elapsed();
                }
            }
        });
        assert!(took < Duration::from_secs(64), "{took:?}");
        assert!(!is_dropped || took < Duration::from_secs(1), "{took:?}");
        drop(first);
    }
}
