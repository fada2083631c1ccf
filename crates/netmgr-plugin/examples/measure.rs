//! Measures what the plugin costs: size, time to the port line, memory at rest and after a thousand
//! lookups. `cargo run -p netmgr-plugin --example measure` builds the plugin as it is shipped and
//! prints the figures of docs/performance.md with their goals.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]

#[path = "../tests/it/plugin.rs"]
#[allow(dead_code, reason = "tests need more")]
mod plugin;

use std::path::Path;

use pulumi_testing::measure::{self, Figure};
use serde_json::json;

use plugin::{Plugin, manager, settings};

const LOOKUPS: usize = 1000;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let program = measure::shipped("netmgr-plugin", "pulumi-resource-netmgr");
    let mut figures = Vec::from(measure::size_and_start(&program).await);
    figures.extend(memory(&program).await);
    measure::print(&figures);
}

/// Memory after the handshake, after sequential lookups, and after as many concurrent ones.
async fn memory(program: &Path) -> [Figure; 3] {
    let manager = manager().await;
    let mut plugin = Plugin::start_program(program, []).await;
    plugin.client.get_plugin_info(()).await.unwrap();
    let idle = measure::memory(&plugin.process, "memory at rest", 10.0);
    plugin.configure(settings(&manager, json!({}))).await.unwrap();
    for number in 0..LOOKUPS {
        look_up(&plugin, number).await;
    }
    let busy = measure::memory(&plugin.process, "memory after 1000 lookups", 32.0);
    futures_util::future::join_all((0..LOOKUPS).map(|number| look_up(&plugin, number))).await;
    let crowded = measure::memory(&plugin.process, "memory after 1000 at once", 32.0);
    [idle, busy, crowded]
}

async fn look_up(plugin: &Plugin, number: usize) {
    let name = ["vc-prod", "vc-slow", "vc-error"][number % 3];
    let found = plugin
        .invoke("getComputeManager", json!({"displayName": name}))
        .await;
    found.unwrap().unwrap();
}
