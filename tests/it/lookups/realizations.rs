//! The two functions that wait, with every sequence of states of a realization.

use std::time::Duration;

use netmgr_lookups::ErrorKind;
use netmgr_sim::Script;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::harness::{Bench, World, chain};

const MANAGER: &str = "getComputeManagerRealization";
const NODE: &str = "getPolicyEdgeTransportNodeRealization";

fn compute_manager(end: &str) -> String {
    format!("9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e00{end}")
}

fn node(id: &str) -> String {
    format!("/infra/sites/default/enforcement-points/default/edge-transport-nodes/{id}")
}

/// The result of a wait, its warnings, and its progress as `state@second`.
async fn reported(bench: &Bench, function: &str, input: Value) -> String {
    let started = Instant::now();
    let ending = match bench.invoke(function, input).await {
        Ok(output) => output.to_string(),
        Err(error) => format!("{:?}: {}", error.kind(), chain(&error)),
    };
    let course: Vec<String> = bench
        .progress()
        .iter()
        .map(|progress| format!("{}@{}", progress.state, progress.elapsed.as_secs()))
        .collect();
    let warnings: String = bench
        .warnings()
        .iter()
        .map(|text| format!("  warning: {text}\n"))
        .collect();
    let seconds = started.elapsed().as_secs();
    format!(
        "  {}\n{warnings}  after {seconds} s: {ending}\n",
        course.join(" ")
    )
}

#[tokio::test(start_paused = true)]
async fn every_course_of_a_compute_manager_ends_as_decided() {
    let mut golden = String::new();
    for (name, end) in [
        ("ready", "01"),
        ("slow", "11"),
        ("failing", "12"),
        ("partial", "14"),
        ("orphaned", "15"),
        ("registered with errors", "16"),
        ("error", "17"),
    ] {
        for check in [true, false] {
            let bench = World::local().start();
            let input = json!({"id": compute_manager(end), "checkRegistration": check});
            let ending = reported(&bench, MANAGER, input).await;
            golden += &format!("{name}, checkRegistration {check}\n{ending}");
        }
    }
    insta::assert_snapshot!(golden);
}

#[tokio::test(start_paused = true)]
async fn a_partial_success_is_one_where_it_is_tolerated() {
    let mut world = World::local();
    world.config.tolerate_partial_success = Some(true);
    let bench = world.start();
    let id = compute_manager("14");
    let output = bench.answer(MANAGER, json!({"id": id, "timeout": 60})).await;
    assert_eq!(
        output,
        json!({
            "id": id, "state": "partial_success", "registrationStatus": "REGISTERED",
            "checkRegistration": true, "delay": 1, "timeout": 60,
        })
    );
}

#[tokio::test(start_paused = true)]
async fn states_are_read_without_regard_to_case() {
    let bench = World::local().start();
    let id = compute_manager("01");
    let at = |part: &str| format!("/api/v1/fabric/compute-managers/{id}/{part}");
    let course = Script::new(json!({"state": "In_Progress"}))
        .then_after(Duration::from_secs(1), json!({"state": "SUCCESS"}));
    bench.manager.set_script(&at("state"), course);
    bench.manager.set_script(
        &at("status"),
        Script::new(json!({"registration_status": "registered"})),
    );
    let output = bench.answer(MANAGER, json!({"id": id})).await;
    assert_eq!(output["state"], "SUCCESS");
    assert_eq!(output["registrationStatus"], "registered");
}

#[tokio::test(start_paused = true)]
async fn a_state_that_is_not_there_yet_is_waited_for() {
    let bench = World::local().start();
    let id = compute_manager("01");
    let course =
        Script::new(json!({"details": []})).then_after(Duration::from_secs(5), json!({"state": "success"}));
    bench
        .manager
        .set_script(&format!("/api/v1/fabric/compute-managers/{id}/state"), course);
    let ending = reported(&bench, MANAGER, json!({"id": id, "checkRegistration": false})).await;
    assert!(
        ending.contains("unknown@1 unknown@2 unknown@4 success@8"),
        "{ending}"
    );
}

#[tokio::test(start_paused = true)]
async fn each_of_the_two_waits_has_its_own_delay_and_timeout() {
    let bench = World::local().start();
    let id = compute_manager("11");
    let registering = Script::new(json!({"registration_status": "REGISTERING"}));
    bench.manager.set_script(
        &format!("/api/v1/fabric/compute-managers/{id}/status"),
        registering,
    );
    let started = Instant::now();
    let input = json!({"id": id, "timeout": 20, "delay": 0});
    let error = bench.failure(MANAGER, input).await;
    // Polls at 0, 1 and 3 s find the state; the registration then has its own 20 s.
    assert_eq!(started.elapsed().as_secs(), 23);
    assert_eq!(
        error.to_string(),
        format!(
            "getComputeManagerRealization: waited 20 s (5 polls) for registration of compute manager {id}; last state \
             REGISTERING"
        )
    );
}

#[tokio::test(start_paused = true)]
async fn every_course_of_an_edge_transport_node_ends_as_decided() {
    let mut golden = String::new();
    for id in [
        "edge-01",
        "edge-slow",
        "edge-sandboxed",
        "edge-failing",
        "edge-down",
        "edge-degraded",
    ] {
        let bench = World::local().start();
        let ending = reported(&bench, NODE, json!({"path": node(id)})).await;
        golden += &format!("{id}\n{ending}");
    }
    for id in ["edge-pending", "edge-unset"] {
        let bench = World::local().start();
        let ending = reported(
            &bench,
            NODE,
            json!({"path": node(id), "timeout": 30, "delay": 2.5}),
        )
        .await;
        golden += &format!("{id}, timeout 30 s, delay 2.5 s\n{ending}");
    }
    insta::assert_snapshot!(golden);
}

/// The failure of a wait for an edge transport node whose `edge_tn_state` is `state`.
async fn failure_of(state: Value) -> String {
    let bench = World::local().start();
    let script = Script::new(json!({"edge_tn_state": state}));
    bench.manager.set_script(&(node("edge-01") + "/state"), script);
    let error = bench.failure(NODE, json!({"path": node("edge-01")})).await;
    let text = error.to_string();
    let (_, reason) = text.split_once("failed with state ERROR: ").expect("failed");
    reason.to_owned()
}

#[tokio::test(start_paused = true)]
async fn the_reasons_of_a_failed_edge_transport_node_are_found_wherever_they_are() {
    let detail = json!([{"sub_system_type": "Vm", "state": "failed", "failure_message": "No disk.", "failure_code": 16020}]);
    for (state, reason) in [
        (json!({"failure_message": "whole"}), "whole"),
        (json!({"failure_code": 16031}), "failure code 16031"),
        (
            json!({"failure_message": "whole", "failure_code": 16031}),
            "whole (failure code 16031)",
        ),
        (json!({"details": detail}), "Vm: No disk (failure code 16020)"),
        (json!({"deployment_state": {"failure_message": "part"}}), "part"),
        (
            json!({"deployment_state": {"failure_code": 16020}}),
            "failure code 16020",
        ),
        (
            json!({"deployment_state": {"details": detail}}),
            "Vm: No disk (failure code 16020)",
        ),
        (
            json!({
                "failure_message": "Not deployed.", "details": detail,
                "deployment_state": {"failure_message": "No disk.", "failure_code": 16020, "details": detail},
            }),
            "Not deployed; Vm: No disk (failure code 16020)",
        ),
        (
            json!({"deployment_state": null, "details": null}),
            "the manager gives no reason",
        ),
    ] {
        let mut state = state;
        state["consolidated_status"] = json!("ERROR");
        assert_eq!(failure_of(state).await, reason);
    }
}

#[tokio::test(start_paused = true)]
async fn a_realized_edge_transport_node_has_no_failure_reason() {
    let bench = World::local().start();
    let state = json!({
        "consolidated_status": "SUCCESS", "failure_message": "An earlier attempt failed.", "failure_code": 16020,
        "deployment_state": {"failure_message": "No disk."},
    });
    let script = Script::new(json!({"edge_tn_state": state}));
    bench.manager.set_script(&(node("edge-01") + "/state"), script);
    let input = json!({"path": node("edge-01"), "delay": 0, "timeout": 60});
    let output = bench.answer(NODE, input).await;
    assert_eq!(
        output,
        json!({"id": "edge-01", "path": node("edge-01"), "state": "SUCCESS", "delay": 0, "timeout": 60})
    );
}

#[tokio::test(start_paused = true)]
async fn an_empty_status_is_unknown_and_waited_for() {
    let bench = World::local().start();
    let script = Script::new(json!({"edge_tn_state": {"consolidated_status": ""}})).then_after(
        Duration::from_secs(3),
        json!({"edge_tn_state": {"consolidated_status": "SUCCESS"}}),
    );
    bench.manager.set_script(&(node("edge-01") + "/state"), script);
    let ending = reported(&bench, NODE, json!({"path": node("edge-01")})).await;
    assert!(ending.contains("UNKNOWN@1 UNKNOWN@2 SUCCESS@4"), "{ending}");

    let id = compute_manager("01");
    let at = |part: &str| format!("/api/v1/fabric/compute-managers/{id}/{part}");
    let course =
        Script::new(json!({"state": ""})).then_after(Duration::from_secs(3), json!({"state": "success"}));
    bench.manager.set_script(&at("state"), course);
    let course = Script::new(json!({"registration_status": ""})).then_after(
        Duration::from_secs(3),
        json!({"registration_status": "REGISTERED"}),
    );
    bench.manager.set_script(&at("status"), course);
    let output = bench.answer(MANAGER, json!({"id": id})).await;
    assert_eq!(
        (&output["state"], &output["registrationStatus"]),
        (&json!("success"), &json!("REGISTERED"))
    );
}

#[tokio::test(start_paused = true)]
async fn polls_of_one_state_that_are_due_together_are_one_request() {
    let bench = World::local().start();
    let call = bench.call();
    let wait = |timeout: u32| {
        let input = json!({"path": node("edge-slow"), "timeout": timeout});
        bench.lookups.invoke(NODE, input, &call)
    };
    let waits = (0..30).map(|n| wait(if n < 20 { 60 } else { 90 }));
    for output in futures_util::future::join_all(waits).await {
        assert_eq!(output.unwrap()["state"], "SUCCESS");
    }
    let polls = bench
        .requests()
        .iter()
        .filter(|line| line.ends_with("/state"))
        .count();
    // Polls at 1, 2 and 4 s.
    assert_eq!(polls, 3);
}

#[tokio::test(start_paused = true)]
async fn an_object_that_vanishes_ends_the_wait() {
    let bench = World::local().start();
    let id = compute_manager("13");
    let path = format!("/api/v1/fabric/compute-managers/{id}");
    let vanish = async {
        tokio::time::sleep(Duration::from_secs(30)).await;
        bench.manager.remove(&path).unwrap();
    };
    let (error, ()) = tokio::join!(bench.failure(MANAGER, json!({"id": id})), vanish);
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert_eq!(
        error.to_string(),
        format!("{MANAGER}: there is no compute manager {id}")
    );
}
