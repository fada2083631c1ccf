//! How long a cluster takes when every registration takes a while.

use std::time::Duration;

use clusterpkg_components::Cluster;

use crate::cluster::everything;
use crate::stage::stage;

/// The longest chain of registrations in a cluster with everything. It ends with the provider of the cluster's objects,
/// the object types of gateways, the load balancer controller, and what needs the controller.
const LONGEST_CHAIN: usize = 15;

#[tokio::test(start_paused = true)]
async fn a_whole_cluster_takes_no_longer_than_its_longest_chain() {
    let latency = Duration::from_millis(100);
    let shown = stage().latency(latency).show::<Cluster>(everything()).await;
    assert_eq!(shown.record.critical_path(), LONGEST_CHAIN);
    let chain = latency * u32::try_from(shown.record.critical_path()).unwrap();
    let took = shown.record.elapsed();
    println!(
        "{} registrations in {took:?}; longest chain {chain:?}; ratio {:.2}",
        shown.record.registrations.len(),
        took.as_secs_f64() / chain.as_secs_f64()
    );
    assert!(
        took <= chain * 6 / 5,
        "took {took:?}, the longest chain is {chain:?}"
    );
}
