//! The functions that wait, in previews and outside of them.

use std::time::Duration;

use pulumi_testing::{until, within};
use serde_json::{Value, json};
use tokio::time::Instant;
use tonic::Code;

use crate::plugin::{Plugin, manager, settings};

const FUNCTION: &str = "getComputeManagerRealization";
const PENDING: &str = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0013";

fn wait_for(id: &str) -> Value {
    json!({"id": id, "delay": 0, "timeout": 600})
}

#[tokio::test]
async fn a_preview_reports_what_there_is() {
    let manager = manager().await;
    let plugin = Plugin::start().await;
    plugin.configure(settings(&manager, json!({}))).await.unwrap();
    let found = plugin
        .preview(FUNCTION, wait_for(PENDING))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found["state"], "pending");
}

#[tokio::test]
async fn a_preview_of_what_has_failed_already_fails() {
    let manager = manager().await;
    let failed = netmgr_sim::Script::new(json!({"state": "failed", "failure_message": "no route"}));
    manager.manager().set_script(
        &format!("/api/v1/fabric/compute-managers/{PENDING}/state"),
        failed,
    );
    let plugin = Plugin::start().await;
    plugin.configure(settings(&manager, json!({}))).await.unwrap();
    let failed = plugin.preview(FUNCTION, wait_for(PENDING)).await.unwrap_err();
    assert!(failed.message().contains("no route"), "{}", failed.message());
}

#[tokio::test]
async fn outside_of_a_preview_waits_report_progress() {
    let manager = manager().await;
    // An engine that does not distinguish previews and updates: waits as in an update.
    let plugin = Plugin::start_of_old([]).await;
    plugin.configure(settings(&manager, json!({}))).await.unwrap();
    let found = plugin
        .invoke(FUNCTION, wait_for("9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0011"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (&found["state"], &found["registrationStatus"]),
        (&json!("success"), &json!("REGISTERED"))
    );
    let messages = plugin.messages();
    assert!(
        messages.iter().all(|(_, _, ephemeral)| *ephemeral),
        "{messages:?}"
    );
    assert!(
        messages
            .iter()
            .any(|(_, text, _)| text.contains("waiting for compute manager")),
        "{messages:?}"
    );
}

#[tokio::test]
async fn cancelling_ends_all_waits_at_once() {
    let manager = manager().await;
    within(Duration::from_millis(200), async || {
        let plugin = Plugin::start().await;
        plugin.configure(settings(&manager, json!({}))).await.unwrap();
        let waits = (0..50).map(|_| plugin.invoke(FUNCTION, wait_for(PENDING)));
        let waits = futures_util::future::join_all(waits);
        let cancelled = async {
            until("all waiting", || plugin.messages().len() >= 50).await;
            let cancelled = Instant::now();
            plugin.client.clone().cancel(()).await.unwrap();
            cancelled
        };
        let (ended, cancelled) = tokio::join!(waits, cancelled);
        let took = cancelled.elapsed();
        for ended in ended {
            assert_eq!(ended.unwrap_err().code(), Code::Cancelled);
        }
        took
    })
    .await;
}

#[tokio::test]
async fn waits_keep_no_lookup_from_its_turn() {
    let manager = manager().await;
    let plugin = Plugin::start().await;
    plugin.configure(settings(&manager, json!({}))).await.unwrap();
    // More than lookups that run at once.
    let waits = (0..70).map(|_| plugin.invoke(FUNCTION, wait_for(PENDING)));
    let waits = futures_util::future::join_all(waits);
    let lookup = async {
        until("all waiting", || plugin.messages().len() >= 70).await;
        plugin
            .invoke("getComputeManager", json!({"displayName": "vc-prod"}))
            .await
    };
    tokio::select! {
        _ = waits => panic!("nothing ends them"),
        found = lookup => assert_eq!(found.unwrap().unwrap()["server"], "vc-prod.lab.example"),
    }
}
