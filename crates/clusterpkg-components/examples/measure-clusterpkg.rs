//! Measures what the plugin costs: size, time to the port line, memory at rest and after it built
//! clusters with every add-on. `cargo run -p clusterpkg-components --example measure-clusterpkg` builds the plugin as
//! it is shipped and prints the figures of docs/performance.md with their goals.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]

#[path = "../tests/plugin/deployment.rs"]
#[allow(dead_code, reason = "tests need more")]
mod deployment;
#[path = "../tests/plugin/process.rs"]
#[allow(dead_code, reason = "tests need more")]
mod process;

use std::path::Path;
use std::time::Duration;

use pulumi_testing::measure::{self, Figure};
use serde_json::{Value, json};
use tokio::time::Instant;

use deployment::Deployment;
use process::Plugin;

/// Clusters to take the median of.
const CLUSTERS: usize = 21;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let program = measure::shipped("clusterpkg-components", "pulumi-resource-clusterpkg");
    let mut figures = Vec::from(measure::size_and_start(&program).await);
    figures.extend(at_work(&program).await);
    measure::print(&figures);
}

/// Memory when the engine has introduced itself, how long a cluster takes in a cloud that makes everything at once,
/// and memory after many of them.
async fn at_work(program: &Path) -> [Figure; 3] {
    let plugin = Plugin::start_program(program).await;
    let idle = measure::memory(&plugin.process, "memory at rest", 10.0);
    let mut times = Vec::new();
    for _ in 0..CLUSTERS {
        times.push(build(&plugin).await);
    }
    times.sort();
    let cluster = Figure {
        name: "a whole cluster, median",
        value: times[CLUSTERS / 2].as_secs_f64() * 1e3,
        unit: "ms",
        goal: None,
    };
    [
        idle,
        cluster,
        measure::memory(&plugin.process, "memory after 21 clusters", 32.0),
    ]
}

async fn build(plugin: &Plugin) -> Duration {
    let deployment = Deployment::update();
    let before = Instant::now();
    let built = plugin.construct(&deployment, "Cluster", everything()).await;
    built.unwrap();
    before.elapsed()
}

/// Every add-on there is.
fn everything() -> Value {
    json!({
        "clusterSubnetIds": ["subnet-1", "subnet-2"],
        "systemNodeSubnetIds": ["subnet-1", "subnet-2"],
        "enableMonitoringAgent": true,
        "enableOtel": true,
        "letsEncryptEmail": "ops@example.com",
    })
}
