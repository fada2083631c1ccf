//! The choice among several objects, and the message when other inputs exclude them.

use netmgr_lookups::{Error, ErrorKind};
use serde_json::json;

use super::harness::World;

const CLUSTERS: &str = "/infra/sites/default/enforcement-points/default/edge-clusters";

#[tokio::test(start_paused = true)]
async fn a_filter_never_turns_an_exact_name_into_a_longer_one() {
    let bench = World::local()
        .bare()
        .with(
            CLUSTERS,
            json!({"id": "e1", "display_name": "edge", "description": "d edge"}),
        )
        .with(
            CLUSTERS,
            json!({"id": "e2", "display_name": "edge (old)/2", "description": "d edge (old)/2"}),
        )
        .start();
    let input = json!({"displayName": "edge", "description": "d edge (old)/2"});
    let error = bench.failure("getPolicyEdgeCluster", input).await;
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert_eq!(
        error.to_string(),
        format!(
            "getPolicyEdgeCluster: no edge cluster with display name \"edge\" matches the other inputs: \"edge\" (id e1, \
             path {CLUSTERS}/e1) has \"d edge\", which does not match `description` \"d edge (old)/2\""
        )
    );
    // Without an exact name, the description selects among the longer ones.
    let input = json!({"displayName": "edg", "description": "d edge (old)/2"});
    assert_eq!(bench.answer("getPolicyEdgeCluster", input).await["id"], "e2");
}

#[tokio::test(start_paused = true)]
async fn every_further_input_leaves_an_exact_name_in_its_place() {
    let edge = |id: &str, name: &str, kind: &str| {
        json!({
            "id": id, "display_name": name, "deployment_type": kind, "member_node_type": "EDGE_NODE",
            "members": [{"member_index": 0}],
        })
    };
    let bench = World::local()
        .bare()
        .with("/api/v1/edge-clusters", edge("e1", "edge", "VIRTUAL_MACHINE"))
        .with("/api/v1/edge-clusters", edge("e2", "edge-2", "PHYSICAL_MACHINE"))
        .start();
    let input = json!({"displayName": "edge", "deploymentType": "PHYSICAL_MACHINE"});
    let error = bench.failure("getEdgeCluster", input).await;
    assert_eq!(
        error.to_string(),
        "getEdgeCluster: no edge cluster with display name \"edge\" matches the other inputs: \"edge\" (id e1) has \
         \"VIRTUAL_MACHINE\", which does not match `deploymentType` \"PHYSICAL_MACHINE\""
    );
}

#[tokio::test(start_paused = true)]
async fn messages_about_discovered_nodes_name_the_address_that_was_requested() {
    let node = |id: &str, addresses: serde_json::Value| json!({"external_id": id, "display_name": id, "ip_addresses": addresses});
    let bench = World::local()
        .bare()
        .with(
            "/api/v1/fabric/discovered-nodes",
            node("host-1", json!(["192.0.2.1"])),
        )
        .with(
            "/api/v1/fabric/discovered-nodes",
            node("host-2", json!(["192.0.2.2", "192.0.2.1"])),
        )
        .start();
    let error = bench
        .failure("getDiscoveredNode", json!({"ipAddress": "192.0.2.9"}))
        .await;
    assert_eq!(
        error.to_string(),
        "getDiscoveredNode: no discovered node has `ipAddress` \"192.0.2.9\""
    );
    let error = bench
        .failure("getDiscoveredNode", json!({"ipAddress": "192.0.2.1"}))
        .await;
    assert!(matches!(error, Error::Ambiguous { total: 2, .. }));
    assert_eq!(
        error.to_string(),
        "getDiscoveredNode: several discovered nodes have `ipAddress` \"192.0.2.1\": \"host-1\" \
         (id host-1), \"host-2\" (id host-2)"
    );
}

#[tokio::test(start_paused = true)]
async fn the_deployment_type_is_the_one_that_the_manager_states() {
    let member = json!([{"member_index": 0, "transport_node_id": "tn"}]);
    for (stated, members, shown) in [
        (json!("VIRTUAL_MACHINE"), member.clone(), "VIRTUAL_MACHINE"),
        (json!("PHYSICAL_MACHINE"), json!(null), "PHYSICAL_MACHINE"),
        (json!("UNKNOWN"), member.clone(), "UNKNOWN"),
        (json!(null), member, ""),
        (json!("VIRTUAL_MACHINE"), json!([]), "UNKNOWN"),
        (json!(null), json!([]), "UNKNOWN"),
        (json!(null), json!(null), "UNKNOWN"),
    ] {
        let body = json!({"id": "e", "deployment_type": stated, "members": members});
        let bench = World::local()
            .bare()
            .with("/api/v1/edge-clusters", body.clone())
            .start();
        let found = bench.answer("getEdgeCluster", json!({"id": "e"})).await;
        assert_eq!(found["deploymentType"], shown, "{body}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_site_of_the_other_kind_of_manager_is_refused_by_both_functions() {
    for function in ["getPolicyEdgeCluster", "getPolicyEdgeHighAvailabilityProfile"] {
        let bench = World::local().start();
        let input = json!({"displayName": "edge", "sitePath": "/global-infra/sites/default"});
        let error = bench.failure(function, input).await;
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        assert_eq!(
            error.to_string(),
            format!(
                "{function}: `sitePath` is a site of a global manager; use a site of this manager, such as \
                 `/infra/sites/default`, or set `globalManager` in the provider's configuration"
            )
        );
        assert!(bench.requests().is_empty());
    }
    let bench = World::global().start();
    let input = json!({"displayName": "edge", "sitePath": "/infra/sites/london"});
    let error = bench.failure("getPolicyEdgeCluster", input).await;
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    assert!(error.to_string().contains("`globalManager`"), "{error}");
    assert!(bench.requests().is_empty());
}
