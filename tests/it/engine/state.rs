//! Points 11 and 12: later updates, refresh and destroy.

use netmgr_sim::DEFAULT_PASSWORD;
use serde_json::json;

use super::support::{Stack, manager, tools};

#[tokio::test(flavor = "multi_thread")]
async fn a_second_update_changes_nothing_and_a_new_setting_replaces_nothing() {
    let tools = tools!("a_second_update_changes_nothing_and_a_new_setting_replaces_nothing");
    let manager = manager().await;
    let mut stack = Stack::of(tools, "quiet-typescript").await;
    let mut provider = json!({
        "host": manager.host(), "username": "admin", "password": DEFAULT_PASSWORD, "ca": manager.ca_pem(),
        "maxRetries": 2, "retryOnStatusCodes": [429, 503],
    });
    stack.configure(&[], "provider", &provider.to_string()).await;
    stack.up().await.succeeded();

    stack.options = vec!["--expect-no-changes"];
    stack.preview().await.succeeded();
    stack.up().await.succeeded();

    // The host itself: it is still the same provider resource.
    provider["host"] = json!(format!("https://{}", manager.host()));
    provider["maxRetries"] = json!(3);
    stack.configure(&[], "provider", &provider.to_string()).await;
    stack.options.clear();
    let changed = stack.up().await.succeeded();
    changed.says("1 updated").never_says("replace");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_without_lookups_never_touches_a_manager_on_demand() {
    let tools = tools!("a_program_without_lookups_never_touches_a_manager_on_demand");
    let manager = manager().await;
    let stack = Stack::of(tools, "quiet-typescript").await;
    let provider = json!({
        "host": manager.host(), "username": "admin", "password": DEFAULT_PASSWORD, "ca": manager.ca_pem(),
        "onDemandConnection": true,
    });
    stack.configure(&[], "provider", &provider.to_string()).await;
    stack.preview().await.succeeded();
    stack.up().await.succeeded();
    stack.refresh().await.succeeded();
    stack.destroy().await.succeeded();
    assert_eq!(manager.counters().connections, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn refresh_and_destroy_do_not_need_the_manager() {
    let tools = tools!("refresh_and_destroy_do_not_need_the_manager");
    let stack = Stack::of(tools, "quiet-typescript").await;
    let provider = json!({"host": "127.0.0.1:1", "username": "admin", "password": "x"});
    stack.configure(&[], "provider", &provider.to_string()).await;
    stack.up().await.succeeded();
    stack.refresh().await.succeeded();
    stack.destroy().await.succeeded();
}
