//! Rate and concurrency limits, latency, peak.

use futures_util::future::join_all;

use super::*;

#[tokio::test(start_paused = true)]
async fn over_the_rate_code_102_is_a_text_every_other_time() {
    let pair = Pair::start(echo().requests_per_second(2)).await;
    for _ in 0..2 {
        assert_eq!(pair.basic(VERSION).await.status(), 200);
    }
    assert_eq!(refusal(pair.basic(VERSION).await).await, (429, json!("102")));
    assert_eq!(refusal(pair.basic(VERSION).await).await, (429, json!(102)));
    tokio::time::advance(Duration::from_secs(1)).await;
    assert_eq!(pair.basic(VERSION).await.status(), 200);
}

#[tokio::test(start_paused = true)]
async fn over_the_concurrency_limit_503_is_answered() {
    let pair = Pair::start(echo().requests_in_flight(4).latency(Duration::from_secs(1))).await;
    let responses = join_all((0..6).map(|_| pair.basic(VERSION))).await;
    let served = responses
        .iter()
        .filter(|response| response.status() == 200)
        .count();
    assert_eq!(served, 4);
    let counters = pair.simulator.counters();
    assert_eq!(counters.responses_with(StatusCode::SERVICE_UNAVAILABLE), 2);
    assert_eq!(counters.peak_in_flight, 6);
    assert_eq!(pair.basic(VERSION).await.status(), 200);
}

#[tokio::test(start_paused = true)]
async fn every_answer_takes_the_latency() {
    let pair = Pair::start(echo().latency(Duration::from_secs(2))).await;
    let start = tokio::time::Instant::now();
    pair.session().await;
    pair.get(VERSION).send().await.unwrap();
    assert_eq!(start.elapsed().as_secs(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_url_over_the_limit_gets_the_page_of_a_proxy() {
    let pair = Pair::start(echo()).await;
    let target = |length: usize| format!("{VERSION}?query={}", "a".repeat(length - VERSION.len() - 7));
    assert_eq!(pair.basic(&target(8192)).await.status(), 200);
    let refused = pair.basic(&target(8193)).await;
    assert_eq!(refused.status(), StatusCode::URI_TOO_LONG);
    assert!(refused.text().await.unwrap().starts_with("<html>"));
}
