//! Waiting, on a paused clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use super::*;
use crate::CallInputs;
use crate::contract::call::Call;
use crate::contract::lookups::Lookups;
use crate::tests::manager::{RecordedEvents, heard_by, manager};

/// A compute manager that is realized after `polls` reads of its state, and the number of reads.
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
    let heard = Arc::new(RecordedEvents::default());
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
async fn a_wait_ends_at_its_timeout_and_reports_its_last_state() {
    let (lookups, reads) = ready_after(u32::MAX);
    let started = Instant::now();
    let input = json!({ "id": "cm-1", "timeout": 20, "delay": 2.5 });
    let error = realization(&lookups, input, &Call::default()).await.unwrap_err();
    assert_eq!(started.elapsed().as_secs(), 20);
    assert_eq!(
        error.to_string(),
        "getComputeManagerRealization: waited 20 s (5 polls) for compute manager cm-1; last state in_progress"
    );
    assert_eq!(reads.load(Ordering::SeqCst), 5);
}

#[tokio::test(start_paused = true)]
async fn polls_that_are_due_together_are_one_request() {
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
async fn a_cancelled_wait_ends_at_once_and_polls_no_more() {
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
    assert!(started.elapsed() < Duration::from_millis(10));
}

#[tokio::test(start_paused = true)]
async fn previews_of_one_object_share_the_read_of_its_state() {
    let (lookups, reads) = ready_after(u32::MAX);
    let call = Call::default().waits(Waits::ReportOnce);
    let preview = || {
        realization(
            &lookups,
            json!({ "id": "cm-1", "checkRegistration": false }),
            &call,
        )
    };
    let (one, other) = tokio::join!(preview(), preview());
    assert_eq!(one.unwrap(), other.unwrap());
    assert_eq!(reads.load(Ordering::SeqCst), 1);
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

/// A manager whose state is `in_progress` until it fails `failures` times in a row with `status`,
/// and then `success`.
fn failing_over(status: u16, failures: u32) -> Lookups {
    let reads = AtomicU32::new(0);
    manager(move |_| {
        let read = reads.fetch_add(1, Ordering::SeqCst);
        match read {
            0 => (200, json!({ "state": "in_progress" }).to_string()),
            read if read <= failures => (status, String::new()),
            _ => (200, json!({ "state": "success" }).to_string()),
        }
    })
}

#[tokio::test(start_paused = true)]
async fn a_wait_rides_out_passing_failures_until_its_timeout_and_reports_them() {
    for status in [429, 500, 502, 503, 504] {
        // A failover of two minutes.
        let lookups = failing_over(status, 15);
        let heard = Arc::new(RecordedEvents::default());
        let input = json!({ "id": "cm-1", "checkRegistration": false });
        let output = realization(&lookups, input, &heard_by(&heard)).await.unwrap();
        assert_eq!(output["state"], "success", "{status}");
        let progress = heard.progress.lock().unwrap();
        assert!(progress.last().unwrap().elapsed > Duration::from_secs(120));
        assert_eq!(
            progress[5].to_string(),
            format!(
                "the manager does not respond ({status}), waiting for compute manager cm-1: in_progress after 26 s"
            )
        );
        let reported = progress.iter().filter(|progress| progress.trouble.is_some());
        assert_eq!(reported.count(), 15);
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_never_gets_an_answer_ends_at_its_timeout_with_the_last_failure() {
    let started = Instant::now();
    let input = json!({ "id": "cm-1", "timeout": 60 });
    let error = realization(&failing_over(503, u32::MAX), input, &Call::default())
        .await
        .unwrap_err();
    assert_eq!(started.elapsed().as_secs(), 60);
    assert_eq!(
        error.to_string(),
        "getComputeManagerRealization: waited 60 s (9 polls) for compute manager cm-1; last state in_progress; \
         the manager did not answer the last request"
    );
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert!(cause.contains("503"), "{cause}");
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_stays_ends_a_wait_at_once() {
    for status in [400, 401, 403, 404] {
        let started = Instant::now();
        let input = json!({ "id": "cm-1", "checkRegistration": false });
        let call = Call::default();
        assert!(
            realization(&failing_over(status, u32::MAX), input, &call)
                .await
                .is_err()
        );
        assert_eq!(started.elapsed().as_secs(), 2, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_also_rides_out_an_outage_before_the_version_is_known() {
    let requests = AtomicU32::new(0);
    let lookups = manager(move |path| {
        let is_down = requests.fetch_add(1, Ordering::SeqCst) < 8;
        match path {
            _ if is_down => (503, String::new()),
            "/api/v1/node/version" => (200, json!({ "product_version": "9.0.1.0.0" }).to_string()),
            _ => {
                let state = json!({ "edge_tn_state": { "consolidated_status": "SUCCESS" } });
                (200, state.to_string())
            }
        }
    });
    let heard = Arc::new(RecordedEvents::default());
    let input = json!({
        "path": "/infra/sites/default/enforcement-points/default/edge-transport-nodes/n",
        "timeout": 120,
    });
    let function = "getPolicyEdgeTransportNodeRealization";
    let output = lookups.invoke(function, input, &heard_by(&heard)).await.unwrap();
    assert_eq!(output["state"], "SUCCESS");
    assert_eq!(
        heard.progress.lock().unwrap()[3].to_string(),
        "the manager does not respond (503), waiting for edge transport node \
         /infra/sites/default/enforcement-points/default/edge-transport-nodes/n: not read yet after 7 s"
    );
}

const INFO: &str = "getPolicyRealizationInfo";

/// A manager with these realized entities of the segment `lab`, which exists.
fn realized_as(entities: Value) -> Lookups {
    manager(move |path| match path {
        "/policy/api/v1/infra/segments/lab" => (200, json!({ "id": "lab" }).to_string()),
        path if path.contains("realized-entities") => (200, json!({ "results": entities }).to_string()),
        _ => (
            404,
            json!({ "error_code": 600, "error_message": "not found" }).to_string(),
        ),
    })
}

#[tokio::test(start_paused = true)]
async fn an_error_of_any_entity_is_returned_with_a_warning_or_fails_if_success_is_required() {
    let error = |more: Value| {
        let mut entity = json!({ "id": "e", "entity_type": "Switch", "state": "ERROR" });
        entity
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        entity
    };
    let port = json!({ "runtime_error": "no free ports", "publish_status_error_details": [
        { "error_code": 9, "error_message": "not published" }
    ] });
    let alarm = json!({ "alarms": [{ "message": "quota", "error_details": {
        "error_code": 77, "error_message": "quota reached", "related_errors": [{ "error_message": "limit 5" }]
    } }, {}, "odd"] });
    for (entity, reason) in [
        (error(port), "no free ports; not published (failure code 9)"),
        (error(alarm), "quota; quota reached (failure code 77); limit 5"),
        (
            error(json!({ "alarms": [], "runtime_error": "" })),
            "the manager gives no reason",
        ),
    ] {
        let realized = json!({ "id": "r", "entity_type": "First", "state": "REALIZED" });
        let pending = json!({ "id": "p", "entity_type": "Later", "state": "UNREALIZED" });
        let lookups = realized_as(json!([realized, pending, entity]));
        let input = json!({ "path": "/infra/segments/lab" });
        let heard = Arc::new(RecordedEvents::default());
        let output = lookups
            .invoke(INFO, input.clone(), &heard_by(&heard))
            .await
            .unwrap();
        assert_eq!((&output["state"], &output["id"]), (&json!("ERROR"), &json!("e")));
        let warned = match reason {
            "the manager gives no reason" => reason.to_owned(),
            quoted => format!("{quoted:?}"),
        };
        assert_eq!(
            *heard.warnings.lock().unwrap(),
            [format!(
                "the state of policy object /infra/segments/lab is ERROR: {warned}"
            )]
        );
        let call = Call::default().waits(Waits::UntilSuccess);
        let failure = lookups.invoke(INFO, input, &call).await.unwrap_err();
        assert_eq!(failure.kind(), crate::ErrorKind::RealizationFailed);
        assert!(
            failure.to_string().ends_with(&format!("state ERROR: {reason}")),
            "{failure}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_type_that_no_entity_has_is_to_be_replaced_by_one_of_them() {
    let lookups = realized_as(json!([{ "id": "e", "entity_type": "Switch", "state": "REALIZED" }]));
    let input = json!({ "path": "/infra/segments/lab", "entityType": "Swich", "timeout": 10 });
    let inputs = CallInputs::of(Lookups::entry(INFO).unwrap(), &input);
    let error = lookups.invoke(INFO, input, &Call::default()).await.unwrap_err();
    assert!(error.to_string().contains("their types are Switch"), "{error}");
    let remedy = error.remedy(&inputs).unwrap();
    assert_eq!(remedy.to_string(), "select one of them by `entityType`");
}

#[tokio::test(start_paused = true)]
async fn a_wait_for_a_path_that_does_not_exist_ends_at_once_and_others_continue() {
    let call = Call::default();
    for (path, kind, seconds) in [
        ("/infra/segments/nope", crate::ErrorKind::NotFound, 1),
        ("/infra/segments/lab", crate::ErrorKind::DeadlineExceeded, 60),
    ] {
        let started = Instant::now();
        let input = json!({ "path": path, "timeout": 60 });
        let error = realized_as(json!([]))
            .invoke(INFO, input, &call)
            .await
            .unwrap_err();
        assert_eq!(
            (error.kind(), started.elapsed().as_secs()),
            (kind, seconds),
            "{error}"
        );
    }
    // A manager may not know the state of an object that it has just made.
    let polls = AtomicU32::new(0);
    let lookups = manager(move |path| match path {
        path if !path.contains("/state") => (200, json!({ "id": "lab", "display_name": "lab" }).to_string()),
        _ if polls.fetch_add(1, Ordering::SeqCst) < 5 => (404, json!({ "error_code": 600 }).to_string()),
        _ => (200, json!({ "state": "success" }).to_string()),
    });
    let input = json!({ "path": "/infra/segments/lab" });
    let output = lookups
        .invoke("getPolicySegmentRealization", input, &call)
        .await
        .unwrap();
    assert_eq!(output["state"], "success");
}
