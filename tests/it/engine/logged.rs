//! The engine's own log, which includes the plugin's.

use netmgr_sim::DEFAULT_PASSWORD;
use serde_json::json;

use super::support::{Stack, manager, tools};

#[tokio::test(flavor = "multi_thread")]
async fn the_engines_log_reports_each_request_and_no_credential() {
    let tools = tools!("the_engines_log_reports_each_request_and_no_credential");
    let manager = manager().await;
    let mut stack = Stack::of(tools, "ask-typescript").await;
    stack.point_at(&manager);
    let arguments = json!({"displayName": "vc-prod"});
    stack
        .ask(&json!([{"function": "getComputeManager", "arguments": arguments}]))
        .await;
    let logged = ["--logflow", "--logtostderr", "-v=9", "--non-interactive"];
    let reported = stack
        .run(&[&["up", "--yes", "--skip-preview"], &logged[..]].concat())
        .await;
    reported
        .succeeded()
        .says("method=GET path=/api/v1/fabric/compute-managers")
        .says("answered status=200")
        .never_says(DEFAULT_PASSWORD);
}
