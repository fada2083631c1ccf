//! Realizations progress with time.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{Inventory, Manager, ManagerSettings, Script, ScriptStart};

use super::support::{default_manager, read, refusal};

const MANAGERS: &str = "/api/v1/fabric/compute-managers";
const NODES: &str = "/policy/api/v1/infra/sites/default/enforcement-points/default/edge-transport-nodes";

/// The value of `field` immediately, and at each of the given seconds.
async fn course(manager: &Manager, url: &str, field: &str, seconds: &[u64]) -> Vec<Value> {
    let mut seen = vec![read(manager, url).pointer(field).cloned().unwrap_or_default()];
    let mut now = 0;
    for &second in seconds {
        tokio::time::advance(Duration::from_secs(second - now)).await;
        now = second;
        seen.push(read(manager, url).pointer(field).cloned().unwrap_or_default());
    }
    seen
}

#[tokio::test(start_paused = true)]
async fn compute_managers_take_their_course() {
    let manager = default_manager();
    // The script starts with the first read.
    tokio::time::advance(Duration::from_secs(60)).await;
    for (id, states) in [
        ("0001", ["success", "success", "success", "success"]),
        ("0011", ["pending", "in_progress", "in_progress", "success"]),
        ("0012", ["pending", "in_progress", "failed", "failed"]),
        ("0013", ["pending", "pending", "pending", "pending"]),
        (
            "0014",
            [
                "in_progress",
                "partial_success",
                "partial_success",
                "partial_success",
            ],
        ),
        ("0015", ["orphaned", "orphaned", "orphaned", "orphaned"]),
        ("0017", ["unknown", "error", "error", "error"]),
    ] {
        let url = format!("{MANAGERS}/9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e{id}/state");
        assert_eq!(course(&manager, &url, "/state", &[1, 2, 3]).await, states, "{id}");
    }
}

#[tokio::test(start_paused = true)]
async fn registrations_take_their_course() {
    let manager = default_manager();
    for (id, statuses) in [
        ("0001", ["REGISTERED", "REGISTERED", "REGISTERED"]),
        ("0011", ["REGISTERING", "REGISTERING", "REGISTERED"]),
        (
            "0016",
            ["REGISTERING", "REGISTERED_WITH_ERRORS", "REGISTERED_WITH_ERRORS"],
        ),
    ] {
        let url = format!("{MANAGERS}/9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e{id}/status");
        let seen = course(&manager, &url, "/registration_status", &[1, 2]).await;
        assert_eq!(seen, statuses, "{id}");
    }
}

#[tokio::test(start_paused = true)]
async fn edge_transport_nodes_take_their_course() {
    let manager = default_manager();
    let unset = || json!(null);
    for (id, statuses) in [
        (
            "edge-01",
            [
                "SUCCESS".into(),
                "SUCCESS".into(),
                "SUCCESS".into(),
                "SUCCESS".into(),
            ],
        ),
        (
            "edge-slow",
            [
                unset(),
                "IN_PROGRESS".into(),
                "IN_PROGRESS".into(),
                "SUCCESS".into(),
            ],
        ),
        (
            "edge-failing",
            [
                "IN_PROGRESS".into(),
                "IN_PROGRESS".into(),
                "ERROR".into(),
                "ERROR".into(),
            ],
        ),
        (
            "edge-pending",
            [
                "IN_PROGRESS".into(),
                "IN_PROGRESS".into(),
                "IN_PROGRESS".into(),
                "IN_PROGRESS".into(),
            ],
        ),
        (
            "edge-down",
            ["IN_PROGRESS".into(), "DOWN".into(), "DOWN".into(), "DOWN".into()],
        ),
        (
            "edge-degraded",
            [
                "IN_PROGRESS".into(),
                "DEGRAGED".into(),
                "DEGRAGED".into(),
                "DEGRAGED".into(),
            ],
        ),
        ("edge-unset", [unset(), unset(), unset(), unset()]),
    ] {
        let url = format!("{NODES}/{id}/state");
        let seen = course(&manager, &url, "/edge_tn_state/consolidated_status", &[1, 2, 3]).await;
        assert_eq!(seen, statuses, "{id}");
        let path = format!("{NODES}/{id}").replace("/policy/api/v1", "");
        assert_eq!(read(&manager, &url)["edge_transport_node_path"], path);
    }
}

#[tokio::test(start_paused = true)]
async fn a_script_can_start_with_the_manager() {
    let script = Script::new(json!({"state": "pending"}))
        .then_after(Duration::from_secs(10), json!({"state": "success"}))
        .starting_at(ScriptStart::Creation);
    let url = format!("{MANAGERS}/a/state");
    let inventory = Inventory::empty()
        .with(MANAGERS, json!({"id": "a"}))
        .with_script(&url, script);
    let manager = Manager::new(ManagerSettings::default(), inventory);
    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!(read(&manager, &url)["state"], "success");
    manager.set_script(&url, Script::new(json!({"state": "in_sync"})));
    assert_eq!(read(&manager, &url)["state"], "in_sync");
}

#[test]
fn the_state_of_a_missing_object_is_missing() {
    let manager = default_manager();
    assert_eq!(
        refusal(&manager, &format!("{MANAGERS}/none/state")),
        (404, Some(600))
    );
    assert_eq!(
        refusal(&manager, &format!("{NODES}/none/state")),
        (404, Some(600))
    );
    assert_eq!(refusal(&manager, &format!("{NODES}/edge-01/status")), (404, None));
}
