//! Waits for one object, and equal requests, some of which hang.

use std::time::Duration;

use netmgr_lookups::{Call, ErrorKind};
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::script::*;

const WAIT: &str = "getComputeManagerRealization";

fn state(state: &str) -> Reply {
    Reply::ok(json!({"state": state}))
}

#[tokio::test(start_paused = true)]
async fn a_wait_beside_another_has_its_own_delay_and_timeout() {
    let script = Script::new(|_, at| {
        state(if at < Duration::from_secs(30) {
            "in_progress"
        } else {
            "success"
        })
    });
    let wait = |delay: u32, timeout: u32| {
        let script = script.clone();
        async move {
            let started = Instant::now();
            let input = json!({"id": "cm", "delay": delay, "timeout": timeout, "checkRegistration": false});
            (script.invoke(WAIT, input).await, started.elapsed())
        }
    };
    let ((short, short_time), (long, _), (late, late_time)) =
        tokio::join!(wait(1, 10), wait(1, 60), wait(40, 60));
    let error = short.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DeadlineExceeded);
    assert!(error.to_string().contains("waited 10 s"), "{error}");
    assert_eq!(short_time.as_secs(), 10);
    assert_eq!(long.unwrap()["state"], "success");
    late.unwrap();
    assert!(late_time >= Duration::from_secs(40));
}

#[tokio::test(start_paused = true)]
async fn a_wait_is_not_answered_by_a_poll_that_began_before_it() {
    // Requests in the first second are answered after 5 s with the state at the time of the request.
    let script = Script::new(|_, at| match at {
        Duration::ZERO => state("success").after(5),
        _ => state("error"),
    });
    let input = || json!({"id": "cm", "delay": 0, "checkRegistration": false});
    let early = tokio::spawn({
        let script = script.clone();
        async move { script.invoke(WAIT, input()).await }
    });
    sleep(Duration::from_millis(500)).await;
    let late = script.invoke(WAIT, input()).await;
    assert_eq!(late.unwrap_err().kind(), ErrorKind::RealizationFailed);
    early.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn requests_that_hang_starve_no_later_one() {
    // The first three requests for the path hang.
    let count = std::sync::atomic::AtomicU32::new(0);
    let script = Script::new(
        move |_, _| match count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            0..3 => Reply::Hang,
            _ => Reply::ok(json!({"node_version": "4.2.0.0.0"})),
        },
    );
    let mut waiting = Vec::new();
    for _ in 0..3 {
        let script = script.clone();
        waiting.push(tokio::spawn(async move {
            script.invoke("getManagerInfo", json!({})).await
        }));
        sleep(Duration::from_millis(1500)).await;
    }
    let started = Instant::now();
    script.invoke("getManagerInfo", json!({})).await.unwrap();
    assert!(
        started.elapsed() <= Duration::from_secs(8),
        "{:?}",
        started.elapsed()
    );
    waiting.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_hangs_is_not_sent_again_for_each_lookup() {
    let script = Script::new(|_, _| Reply::Hang);
    let mut waiting = Vec::new();
    for _ in 0..60 {
        let script = script.clone();
        let call = Call::default().deadline(Duration::from_secs(300));
        waiting.push(tokio::spawn(async move {
            script.lookups.invoke("getManagerInfo", json!({}), &call).await
        }));
        sleep(Duration::from_secs(1)).await;
    }
    // At 0, 1, 3, 7, 15 ... s.
    assert!(script.sent().len() <= 11, "{:?}", script.sent());
    waiting.iter().for_each(tokio::task::JoinHandle::abort);
    sleep(Duration::from_millis(1)).await;
}

#[tokio::test(start_paused = true)]
async fn lists_that_hang_starve_no_request_of_another_path() {
    let script = Script::new(|target, _| match target.contains("/mac-pools/hang-") {
        true => Reply::Hang,
        false => Reply::ok(pool("a")),
    });
    script.invoke(POOL, json!({"id": "a"})).await.unwrap();
    let waiting: Vec<_> = (0..20)
        .map(|number| {
            let script = script.clone();
            tokio::spawn(async move {
                let input = json!({"id": format!("hang-{number}")});
                script.invoke("getMacPool", input).await
            })
        })
        .collect();
    sleep(Duration::from_secs(20)).await;
    let started = Instant::now();
    script.invoke(POOL, json!({"id": "a"})).await.unwrap();
    assert!(
        started.elapsed() < Duration::from_secs(2),
        "{:?}",
        started.elapsed()
    );
    waiting.iter().for_each(tokio::task::JoinHandle::abort);
}
