//! Finds many objects at once. The lookups share their requests, which the statistics show.
#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use netmgr::lookups::{GetIpPool, GetPolicyEdgeCluster, GetPolicyEdgeTransportNode};
use tokio::task::JoinSet;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let manager = netmgr::Client::from_env()?;

    // A few lookups of different kinds.
    let (pool, cluster, node) = tokio::join!(
        manager.run(GetIpPool::named("tep-pool")),
        manager.run(GetPolicyEdgeCluster::named("edge")),
        manager.run(GetPolicyEdgeTransportNode::named("edge-01")),
    );
    println!("{}, {}, {}", pool?.id, cluster?.path, node?.path);

    // Many lookups of one kind, in tasks.
    let mut lookups = JoinSet::new();
    for name in std::env::args().skip(1) {
        lookups.spawn(manager.run(GetIpPool::named(name)).into_future());
    }
    while let Some(pool) = lookups.join_next().await {
        match pool? {
            Ok(pool) => println!("{}: {}", pool.display_name, pool.id),
            Err(error) => println!("{error}"),
        }
    }

    let stats = manager.stats();
    println!("{} lookups, {} requests", stats.lookups, stats.traffic.requests);
    manager.close().await;
    Ok(())
}
