//! Waiting, on a paused clock.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use super::*;
use crate::call::Call;
use crate::lookups::Lookups;
use crate::testing::{Heard, heard_by, manager};

/// A compute manager that is ready once its state was read `polls` times, and a count of reads.
fn ready_after(polls: u32) -> (Lookups, Arc<AtomicU32>) {
    let reads = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&reads);
    let lookups = manager(move |_| {
        let state = if counted.fetch_add(1, Ordering::SeqCst) + 1 < polls {
            "in_progress"
        } else {
            "success"
        };
        (200, json!({ "state": state }).to_string())
    });
    (lookups, reads)
}

async fn realization(lookups: &Lookups, input: Value, call: &Call) -> Result<Value, Error> {
    lookups.invoke("getComputeManagerRealization", input, call).await
}

#[tokio::test(start_paused = true)]
async fn polls_follow_the_documented_schedule() {
    let (lookups, _) = ready_after(8);
    let heard = Arc::new(Heard::default());
    let input = json!({ "id": "cm-1", "checkRegistration": false });
    let output = realization(&lookups, input, &heard_by(&heard)).await.unwrap();
    assert_eq!(output["state"], "success");
    let seconds: Vec<u64> = heard
        .progress
        .lock()
        .unwrap()
        .iter()
        .map(|p| p.elapsed.as_secs())
        .collect();
    assert_eq!(seconds, [1, 2, 4, 8, 16, 26, 36, 46]);
}

#[tokio::test(start_paused = true)]
async fn a_wait_ends_at_its_timeout_and_tells_how_far_it_came() {
    let (lookups, reads) = ready_after(u32::MAX);
    let started = Instant::now();
    let input = json!({ "id": "cm-1", "timeout": 20, "delay": 2.5 });
    let error = realization(&lookups, input, &Call::default()).await.unwrap_err();
    assert_eq!(started.elapsed().as_secs(), 20);
    assert_eq!(
        error.to_string(),
        "getComputeManagerRealization: waited 20 s (5 polls) for compute manager cm-1; last state in_progress; \
         raise `timeout` to wait longer"
    );
    assert_eq!(reads.load(Ordering::SeqCst), 5);
}

#[tokio::test(start_paused = true)]
async fn identical_waits_share_one_poller() {
    let (lookups, reads) = ready_after(4);
    let input = json!({ "id": "cm-1", "checkRegistration": false });
    let call = Call::default();
    let waits = (0..20).map(|_| realization(&lookups, input.clone(), &call));
    for output in futures_util::future::join_all(waits).await {
        assert_eq!(output.unwrap()["state"], "success");
    }
    assert_eq!(reads.load(Ordering::SeqCst), 4);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_wait_ends_at_once_and_its_poller_with_it() {
    let (lookups, reads) = ready_after(u32::MAX);
    let call = Call::default();
    let cancel = call.cancel.clone();
    let input = json!({ "id": "cm-1" });
    let wait = realization(&lookups, input, &call);
    let interrupt = async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        cancel.cancel();
        Instant::now()
    };
    let (result, cancelled) = tokio::join!(wait, interrupt);
    assert!(matches!(result, Err(Error::Cancelled { .. })));
    assert!(cancelled.elapsed() < Duration::from_millis(200));
    let polls = reads.load(Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(reads.load(Ordering::SeqCst), polls);
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_reports_once_reads_once_and_does_not_wait() {
    let (lookups, reads) = ready_after(u32::MAX);
    let call = Call {
        waits: Waits::ReportOnce,
        ..Call::default()
    };
    let started = Instant::now();
    let input = json!({ "id": "cm-1", "checkRegistration": false, "delay": 60 });
    let output = realization(&lookups, input, &call).await.unwrap();
    assert_eq!(
        (&output["state"], reads.load(Ordering::SeqCst)),
        (&json!("in_progress"), 1)
    );
    assert_eq!(started.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_failed_state_fails_with_the_managers_reasons_also_when_reporting_once() {
    for waits in [Waits::Wait, Waits::ReportOnce] {
        let lookups = manager(|_| {
            let body = json!({
                "state": "FAILED", "failure_code": 7, "failure_message": "no route",
                "details": [{ "sub_system_name": "plugin", "failure_message": "refused" }, { "state": "success" }]
            });
            (200, body.to_string())
        });
        let call = Call {
            waits,
            ..Call::default()
        };
        let error = realization(&lookups, json!({ "id": "cm-1" }), &call)
            .await
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "getComputeManagerRealization: realization of compute manager cm-1 failed with state FAILED: \
             no route (failure code 7); plugin: refused"
        );
    }
}
