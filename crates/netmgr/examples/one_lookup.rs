//! Finds an edge cluster and prints its path. Settings come from the environment: `NETMGR_HOST` and others.
#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use netmgr::lookups::GetPolicyEdgeCluster;

#[tokio::main]
async fn main() -> Result<(), netmgr::Error> {
    let manager = netmgr::Client::from_env()?;
    let found = manager.run(GetPolicyEdgeCluster::named("edge")).await;
    // End the session even after a failed lookup; otherwise it occupies the manager until it expires.
    manager.close().await;
    println!("{}", found?.path);
    Ok(())
}
