//! Tests of the log of a plugin on stderr.

use netmgr_sim::DEFAULT_PASSWORD;
use serde_json::json;
use tokio::io::AsyncReadExt as _;

use crate::plugin::{Plugin, manager, settings};
use pulumi_testing::bags::secret;

const SLOW: &str = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0002";
const ABSENT: &str = "hidden-compute-manager";

/// The log of the plugin at its end, after the engine was dropped.
async fn logged(mut plugin: Plugin) -> String {
    drop(plugin.process.stdin.take());
    let mut text = String::new();
    let mut stderr = plugin.process.stderr.take().unwrap();
    stderr.read_to_string(&mut text).await.unwrap();
    assert!(plugin.process.wait().await.unwrap().success());
    text
}

#[tokio::test]
async fn requests_are_logged_without_credentials_or_secret_arguments() {
    let manager = manager().await;
    let plugin = Plugin::start_with_arguments(&["--logtostderr", "-v=9"]).await;
    plugin.configure(settings(&manager, json!({}))).await.unwrap();
    for id in [json!("9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001"), secret(json!(SLOW))] {
        let found = plugin.invoke("getComputeManager", json!({"id": id})).await;
        found.unwrap().unwrap();
    }
    // Its poller is a separate task.
    let wait = json!({"id": secret(json!(ABSENT)), "delay": 0});
    let failed = plugin.invoke("getComputeManagerRealization", wait).await;
    failed.unwrap_err();
    let log = logged(plugin).await;
    for part in [
        "method=GET path=/api/v1/fabric/compute-managers/9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001",
        "answered status=200",
        "login answered",
    ] {
        assert!(log.contains(part), "nothing of {part:?} in:\n{log}");
    }
    for hidden in [DEFAULT_PASSWORD, SLOW, ABSENT, "JSESSIONID", "Basic"] {
        assert!(!log.contains(hidden), "there is {hidden:?} in:\n{log}");
    }
}

#[tokio::test]
async fn a_secret_host_is_in_no_error_and_not_in_the_log() {
    let plugin = Plugin::start_with_arguments(&["--logtostderr", "-v=9"]).await;
    // An address without a listener.
    let nowhere = "127.0.0.1:1";
    let args = json!({
        "host": secret(json!(nowhere)), "username": "admin", "password": secret(json!(DEFAULT_PASSWORD)),
        "maxRetries": 1, "retryMaxDelay": 1, "retryMinDelay": 0,
    });
    plugin.configure(args).await.unwrap();
    let arguments = json!({"displayName": "vc-prod"});
    let failed = plugin.invoke("getComputeManager", arguments).await.unwrap_err();
    let text = failed.message();
    assert!(
        text.contains("on [redacted]") && !text.contains("127.0.0.1"),
        "{text}"
    );
    let messages = format!("{:?}", plugin.messages());
    assert!(!messages.contains("127.0.0.1"), "{messages}");
    let log = logged(plugin).await;
    assert!(!log.contains("127.0.0.1"), "{log}");
}

#[tokio::test]
async fn a_secret_file_name_is_hidden_when_it_cannot_be_read() {
    let plugin = Plugin::start().await;
    let args = json!({
        "host": "m", "username": "u", "password": "p", "caFile": secret(json!("/nonexistent/hunter2.pem")),
    });
    let refused = plugin.configure(args).await.unwrap_err();
    let text = refused.message();
    assert!(text.contains("`caFile`: ") && !text.contains("hunter2"), "{text}");
}

#[tokio::test]
async fn without_the_flag_nothing_is_logged() {
    let manager = manager().await;
    let plugin = Plugin::start_with_arguments(&["-v=9"]).await;
    plugin.configure(settings(&manager, json!({}))).await.unwrap();
    let found = plugin.invoke("getComputeManager", json!({"displayName": "vc-prod"}));
    found.await.unwrap().unwrap();
    assert_eq!(logged(plugin).await, "");
}

#[tokio::test]
async fn a_log_without_a_reader_holds_nothing_up() {
    let manager = manager().await;
    let plugin = Plugin::start_with_arguments(&["--logtostderr", "-v=9"]).await;
    plugin.configure(settings(&manager, json!({}))).await.unwrap();
    let id = json!({"id": "x".repeat(400)});
    for _ in 0..150 {
        plugin.invoke("getComputeManager", id.clone()).await.unwrap_err();
    }
    plugin.client.clone().cancel(()).await.unwrap();
    let log = logged(plugin).await;
    assert!(log.len() > 64 * 1024, "less than a pipe holds: {}", log.len());
}

#[tokio::test]
async fn a_collector_whose_protocol_is_not_supported_is_reported_in_the_log() {
    for collector in ["http://zipkin.example:9411/api/v1/spans", "tcp://127.0.0.1:1"] {
        let plugin = Plugin::start_with_arguments(&["--logtostderr", "--tracing", collector]).await;
        let log = logged(plugin).await;
        assert!(
            log.contains("no spans are sent") && log.contains("use --otel-traces"),
            "{log}"
        );
    }
}
