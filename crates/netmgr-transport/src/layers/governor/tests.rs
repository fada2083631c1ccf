//! Requests per second, requests in flight, order, and what happens when calls are dropped.

use std::time::Duration;

use http::header::RETRY_AFTER;

use super::*;
use crate::layers::testing::{Manager, get, ok, pair, reply};

fn governed(per_second: u32, in_flight: u32) -> (impl Inner, Manager) {
    let (inner, manager) = pair();
    let layer = GovernorLayer::new(Limits {
        per_second,
        in_flight,
    });
    (layer.layer(inner), manager)
}

fn call(service: &impl Inner, uri: &str) -> tokio::task::JoinHandle<Result<http::Response<Bytes>, Error>> {
    tokio::spawn(service.clone().oneshot(get(uri)))
}

/// Lets everything that can run without time passing run.
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

/// How many of ten calls go at once after a first one was answered with `first`, of ten per second.
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

#[tokio::test(start_paused = true)]
async fn a_throttled_reply_slows_the_client_down() {
    // The first call still counts in its second.
    assert_eq!(at_once_after(ok()).await, 9);
    assert_eq!(at_once_after(reply(429, "")).await, 4);
    assert_eq!(at_once_after(reply(503, "")).await, 4);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_is_too_large_does_not() {
    assert_eq!(at_once_after(reply(503, r#"{"error_code": 60576}"#)).await, 9);
}

#[tokio::test(start_paused = true)]
async fn retry_after_holds_all_calls_back() {
    let (service, mut manager) = governed(10, 32);
    let first = call(&service, "/x");
    let mut throttled = reply(503, "");
    throttled.headers_mut().insert(RETRY_AFTER, "7".parse().unwrap());
    manager.next_request().await.unwrap().1.send_response(throttled);
    first.await.unwrap().unwrap();
    let start = Instant::now();
    let _second = call(&service, "/x");
    manager.next_request().await.unwrap();
    assert_eq!(start.elapsed().as_secs(), 7);
}
