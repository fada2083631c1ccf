//! Point 10: the functions that wait.

use serde_json::json;

use super::support::{CANCEL_AT_THE_END, PREVIEWS_OF_CALLS, Stack, manager, tools, until};

const PENDING: &str = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0013";

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_succeeds_fails_or_gives_up_and_a_preview_does_not_wait() {
    let tools = tools!("a_wait_succeeds_fails_or_gives_up_and_a_preview_does_not_wait");
    let manager = manager().await;
    let mut stack = Stack::of(tools, "ask-typescript").await;
    stack.point_at(&manager);
    let wait = |id: &str, timeout: u32| {
        let arguments = json!({"id": id, "delay": 0, "timeout": timeout});
        json!({"function": "getComputeManagerRealization", "arguments": arguments})
    };
    stack
        .ask(&json!([
            wait("9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0011", 60),
            wait("9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0012", 60),
            wait(PENDING, 2),
        ]))
        .await;
    stack.up().await.succeeded();
    let answers = stack.outputs().await["answers"].clone();
    assert_eq!(answers[0]["state"], "success");
    assert_eq!(answers[0]["registrationStatus"], "REGISTERED");
    let error = |question: usize| answers[question]["error"].as_str().unwrap_or_default();
    assert!(
        error(1).contains("Extension could not be installed"),
        "{}",
        error(1)
    );
    assert!(
        error(2).contains("waited") && error(2).contains("last state pending"),
        "{}",
        error(2)
    );

    if tools.lacks(
        "a_wait_succeeds_fails_or_gives_up_and_a_preview_does_not_wait",
        PREVIEWS_OF_CALLS,
    ) {
        return;
    }
    // It would take twenty minutes if it were not a preview.
    stack.ask(&json!([wait(PENDING, 1200)])).await;
    stack.preview().await.succeeded();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_ends_a_wait_and_leaves_no_process() {
    let tools = tools!("an_interrupt_ends_a_wait_and_leaves_no_process");
    let manager = manager().await;
    let mut stack = Stack::of(tools, "ask-typescript").await;
    stack.point_at(&manager);
    let arguments = json!({"id": PENDING, "delay": 0, "timeout": 1200});
    stack
        .ask(&json!([{"function": "getComputeManagerRealization", "arguments": arguments}]))
        .await;

    let command = stack.start(&["up", "--yes", "--skip-preview", "--non-interactive"]);
    let state = format!("/api/v1/fabric/compute-managers/{PENDING}/state");
    let asked = || manager.requests().iter().any(|request| request.path == state);
    until("asked for the state", asked).await;
    assert!(!stack.interrupt(command).await.status.success());
    assert_eq!(stack.processes(), [""; 0], "processes still run");
    let counters = manager.counters();
    assert_eq!(counters.logins, 1);
    if !tools.lacks(
        "an_interrupt_ends_a_wait_and_leaves_no_process",
        CANCEL_AT_THE_END,
    ) {
        assert_eq!(counters.sessions_destroyed, 1);
    }
}
