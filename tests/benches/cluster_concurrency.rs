//! Measures how long a whole cluster takes in the real engine if every child takes a second, compared with the longest
//! chain of children that depend on each other. `cargo bench -p netmgr-tests --profile dev` prints it.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "it prints figures")]

#[path = "../it/programs.rs"]
#[allow(dead_code, reason = "tests need more")]
mod programs;
#[path = "../it/requirements.rs"]
mod requirements;

#[path = "../it/engine/support"]
#[allow(dead_code, unused_imports, reason = "tests need more")]
mod support {
    mod cloud;
    mod journal;
    mod stack;
    mod toolbox;

    pub(crate) use cloud::Cloud;
    pub(crate) use journal::{Journal, State, needs};
    pub(crate) use stack::Stack;
    pub(crate) use toolbox::Tools;
}

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;

use support::{Cloud, State, Tools, needs};

/// The time that each child takes.
const DELAY: Duration = Duration::from_secs(1);

/// Maximum number of children that the engine creates concurrently; `None` uses the engine's default of four for each
/// processor.
const PARALLEL: [Option<&str>; 2] = [None, Some("--parallel=64")];

#[tokio::main]
async fn main() {
    let Some(tools) = Tools::find("the measurement") else {
        return;
    };
    println!("every child takes {DELAY:?}");
    for parallel in PARALLEL {
        let mut cloud = Cloud::new(tools).await;
        cloud.list(&whole_cluster()).await;
        cloud
            .stack
            .set("STAND_IN_DELAY_MS", DELAY.as_millis().to_string());
        cloud.stack.options = parallel.into_iter().collect();
        let begun = Instant::now();
        cloud.stack.up().await.succeeded();
        let whole = begun.elapsed();
        let journal = cloud.journal();
        let made: BTreeSet<_> = journal
            .all("created")
            .map(|entry| entry.subject.as_str())
            .collect();
        let first = journal
            .all("create")
            .map(|entry| entry.at)
            .reduce(f64::min)
            .unwrap();
        let last = journal
            .all("created")
            .map(|entry| entry.at)
            .reduce(f64::max)
            .unwrap();
        let state = cloud.state().await;
        let chain = f64::from(longest_chain(&state, &made)) * DELAY.as_secs_f64();
        let took = last - first;
        println!(
            "{}: {} children in {took:.1} s; longest chain {chain:.1} s; ratio {:.2}; whole command {:.1} s",
            parallel.unwrap_or("the engine's own parallelism"),
            made.len(),
            took / chain,
            whole.as_secs_f64()
        );
        cloud.stack.clear();
    }
}

/// Every add-on, with all options that add a child.
fn whole_cluster() -> serde_json::Value {
    let inputs = json!({
        "clusterSubnetIds": ["subnet-1", "subnet-2"],
        "systemNodeSubnetIds": ["subnet-3"],
        "accessEntries": {
            "developers": {
                "principalArn": "arn:aws:iam::123456789012:role/developer",
                "policies": ["AmazonEKSViewPolicy"],
            },
        },
        "addons": { "metrics-server": {} },
        "enableGatewayApi": true,
        "enableLoadBalancerController": true,
        "enableMonitoringAgent": true,
        "enableOtel": true,
        "letsEncryptEmail": "ops@example.com",
        "logRetentionDays": 90,
        "name": "shop",
        "vpcCniConfig": { "nodeAgent": { "enableMonitoringLogs": true } },
    });
    json!([{ "type": "clusterpkg:index:Cluster", "name": "main", "inputs": inputs }])
}

/// The length of the longest chain of children that took time, each of which needs the previous one.
fn longest_chain(state: &State, made: &BTreeSet<&str>) -> u32 {
    let mut lengths: BTreeMap<&str, u32> = BTreeMap::new();
    // The engine keeps resources in an order in which each follows the ones that it needs.
    for resource in &state.resources {
        let urn = resource["urn"].as_str().unwrap();
        let before = needs(resource)
            .into_iter()
            .filter_map(|needed| lengths.get(needed))
            .max();
        let length = before.copied().unwrap_or_default() + u32::from(made.contains(urn));
        lengths.insert(urn, length);
    }
    lengths.into_values().max().unwrap_or_default()
}
