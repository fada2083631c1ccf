//! Point 13: a plugin that was started by hand.

use std::process::Stdio;

use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;

use super::support::{Stack, manager, tools};

#[tokio::test(flavor = "multi_thread")]
async fn an_attached_plugin_answers_one_command_after_the_other() {
    let tools = tools!("an_attached_plugin_answers_one_command_after_the_other");
    let manager = manager().await;
    let mut plugin = Command::new(&tools.plugin)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .envs(manager.env())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(plugin.stdout.take().unwrap()).lines();
    let port = lines.next_line().await.unwrap().unwrap();

    let mut stack = Stack::of(tools, "ask-typescript").await;
    stack.set("PULUMI_DEBUG_PROVIDERS", format!("netmgr:{port}"));
    let arguments = json!({"displayName": "vc-prod"});
    stack
        .ask(&json!([{"function": "getComputeManager", "arguments": arguments}]))
        .await;
    for _ in 0..2 {
        stack.up().await.succeeded();
        assert_eq!(
            stack.outputs().await["answers"][0]["server"],
            "vc-prod.lab.example"
        );
    }
    // It goes on, but its sessions end with each command.
    assert!(plugin.try_wait().unwrap().is_none());
    let counters = manager.counters();
    assert_eq!((counters.logins, counters.sessions_destroyed), (2, 2));
}
