//! Point 13: a plugin that was started manually.

use std::process::Stdio;

use netmgr_sim::{DEFAULT_PASSWORD, Simulator};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::support::{Stack, manager, tools, until};
use crate::programs::program;

/// A plugin that was started manually, and its port.
async fn started(environment: Vec<(&'static str, String)>) -> (Child, String) {
    let mut plugin = Command::new(program("pulumi-resource-netmgr"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .envs(environment)
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(plugin.stdout.take().unwrap()).lines();
    let port = lines.next_line().await.unwrap().unwrap();
    (plugin, port)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attached_plugin_answers_one_command_after_the_other() {
    let tools = tools!("an_attached_plugin_answers_one_command_after_the_other");
    let manager = manager().await;
    let (mut plugin, port) = started(manager.env()).await;
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
    // It continues, but its sessions end with each command, which does not wait for that.
    until("logged out", || manager.counters().sessions_destroyed == 2).await;
    assert!(plugin.try_wait().unwrap().is_none());
    assert_eq!(manager.counters().logins, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn providers_of_one_program_share_an_attached_plugin_and_keep_apart() {
    let tools = tools!("providers_of_one_program_share_an_attached_plugin_and_keep_apart");
    let managers = [manager().await, manager().await];
    let (_plugin, port) = started(Vec::new()).await;
    let mut stack = Stack::of(tools, "ask-typescript").await;
    stack.set("PULUMI_DEBUG_PROVIDERS", format!("netmgr:{port}"));
    let question = |manager: &Simulator| {
        json!({
            "function": "getComputeManager",
            "arguments": {"displayName": "vc-prod"},
            "provider": {
                "host": manager.host(), "ca": manager.ca_pem(), "username": "admin",
                "password": DEFAULT_PASSWORD,
            },
        })
    };
    stack.ask(&managers.iter().map(question).collect::<Value>()).await;
    stack.up().await.succeeded();
    for manager in &managers {
        let asked = manager.requests();
        let asked = asked
            .iter()
            .filter(|request| request.path.contains("compute-managers"));
        assert_eq!(asked.count(), 1);
        // The command does not wait for a plugin that it did not start.
        until("logged out", || manager.counters().sessions_destroyed == 1).await;
        assert_eq!(manager.counters().logins, 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_of_an_engine_that_dies_end_with_its_connection() {
    let tools = tools!("sessions_of_an_engine_that_dies_end_with_its_connection");
    let manager = manager().await;
    let (mut plugin, port) = started(manager.env()).await;
    let mut stack = Stack::of(tools, "ask-typescript").await;
    stack.set("PULUMI_DEBUG_PROVIDERS", format!("netmgr:{port}"));
    // It waits for a state that is never reached.
    let arguments = json!({"id": "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0013", "delay": 0, "timeout": 600});
    stack
        .ask(&json!([{"function": "getComputeManagerRealization", "arguments": arguments}]))
        .await;
    let mut command = stack.start(&["up", "--yes", "--skip-preview", "--non-interactive"]);
    until("logged in", || manager.counters().logins == 1).await;
    until("asked", || manager.requests().len() > 2).await;
    // Without time to send Cancel.
    command.kill().await.unwrap();
    until("logged out", || manager.counters().sessions_destroyed == 1).await;
    assert!(plugin.try_wait().unwrap().is_none());
}
