//! The reads of a lookup if the search or the list fails, and how often it reads the other one.

use http::StatusCode;
use netmgr_lookups::ErrorKind;
use netmgr_sim::{ApiRequest, ApiResponse, IndexState, IndexTrouble};
use serde_json::json;

use super::harness::{Bench, Changed, World, chain};

const POINT: &str = "/infra/sites/default/enforcement-points/default";
const CLUSTER: &str = "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c";

fn is_search(call: &ApiRequest) -> bool {
    call.path.ends_with("/search/query")
}

/// Requests of each kind since the last call: searches, then others.
fn counts<B: netmgr_sim::Backend>(bench: &Bench<B>) -> (usize, usize) {
    let requests = bench.requests();
    let searches = requests.iter().filter(|line| line.contains("/search/query"));
    let searches = searches.count();
    (searches, requests.len() - searches)
}

/// A local manager whose search index stays out of sync.
fn out_of_sync() -> Bench {
    let bench = World::local().start();
    bench
        .manager
        .set_index_state(IndexState::Failing(IndexTrouble::OutOfSync));
    bench
}

/// A manager that answers the calls that `fails` selects with a status and an error code.
fn failing(
    fails: fn(&ApiRequest) -> bool,
    status: u16,
    code: i64,
) -> Bench<Changed<impl Fn(&ApiRequest, &mut ApiResponse)>> {
    let change = move |call: &ApiRequest, answer: &mut ApiResponse| {
        if fails(call) {
            answer.status = StatusCode::from_u16(status).unwrap();
            answer.body = Some(json!({"error_code": code, "error_message": "It does not work."}));
        }
    };
    World::local().start_behind(|manager| Changed { manager, change })
}

#[tokio::test(start_paused = true)]
async fn an_index_in_trouble_is_searched_twice_and_the_list_answers() {
    for trouble in [
        IndexTrouble::InProgress,
        IndexTrouble::TimedOut,
        IndexTrouble::OutOfSync,
    ] {
        let bench = World::local().start();
        bench.manager.set_index_state(IndexState::Failing(trouble));
        let found = bench
            .answer("getPolicyDhcpServer", json!({"displayName": "dhcp-2"}))
            .await;
        assert_eq!(found["id"], "dhcp-2");
        assert_eq!(counts(&bench), (2, 1));
        assert!(bench.warnings().is_empty(), "the list is complete");
        let error = bench
            .failure("getPolicyDhcpServer", json!({"displayName": "gone"}))
            .await;
        assert_eq!(error.kind(), ErrorKind::NotFound, "{}", chain(&error));
    }
}

#[tokio::test(start_paused = true)]
async fn a_refused_query_is_answered_by_the_list() {
    let bench = failing(is_search, 400, 8327);
    let found = bench
        .answer("getPolicyDhcpServer", json!({"displayName": "dhcp-2"}))
        .await;
    assert_eq!(found["id"], "dhcp-2");
    assert_eq!(counts(&bench), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn one_list_of_several_answers_with_a_warning_and_never_says_not_found() {
    let bench = out_of_sync();
    let found = bench
        .answer(
            "getPolicyEdgeCluster",
            json!({"displayName": "edge-cluster-prod"}),
        )
        .await;
    assert_eq!(found["displayName"], "edge-cluster-prod");
    let warnings = bench.warnings();
    assert_eq!(warnings.len(), 1);
    assert!(
        warnings[0].contains("reading the search failed") && warnings[0].contains("60515"),
        "{warnings:?}"
    );
    // A cluster of this name may be below another enforcement point.
    let error = bench
        .failure("getPolicyEdgeCluster", json!({"displayName": "gone"}))
        .await;
    assert_eq!(error.kind(), ErrorKind::Other);
    assert!(chain(&error).contains("60515"), "{}", chain(&error));
    let error = bench.failure("getPolicyEdgeCluster", json!({"id": "gone"})).await;
    assert!(chain(&error).contains("60515"), "{}", chain(&error));
    // Below one site there is one list.
    let input = json!({"displayName": "gone", "sitePath": "/infra/sites/default"});
    let error = bench.failure("getPolicyEdgeCluster", input).await;
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[tokio::test(start_paused = true)]
async fn an_object_that_the_search_found_is_returned_with_a_warning_when_the_list_fails() {
    for (status, code) in [(400, 1), (403, 401), (500, 1)] {
        let bench = failing(|call| !is_search(call), status, code);
        let found = bench
            .answer("getPolicyDhcpServer", json!({"displayName": "dhcp (l"}))
            .await;
        assert_eq!(found["id"], "dhcp-lab");
        let warnings = bench.warnings();
        assert_eq!(warnings.len(), 1);
        assert!(
            warnings[0].contains("reading the list failed") && warnings[0].contains("It does not work"),
            "{warnings:?}"
        );
        let error = bench
            .failure("getPolicyDhcpServer", json!({"displayName": "gone"}))
            .await;
        assert_ne!(error.kind(), ErrorKind::NotFound, "the list may have it");
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_that_is_missing_is_requested_once_and_is_the_cause() {
    let gone = format!("{POINT}/edge-clusters/{CLUSTER}9999");
    for input in [
        json!({"edgeClusterPath": gone}),
        json!({"edgeClusterPath": gone, "memberIndex": 1}),
        json!({"edgeClusterPath": gone, "displayName": "edge-01"}),
        json!({"edgeClusterPath": gone, "id": "6e5d4c3b-2a19-4f08-9e7d-6c5b4a390001"}),
    ] {
        let bench = World::local().start();
        let error = bench.failure("getPolicyEdgeNode", input.clone()).await;
        let lists = bench.requests();
        let lists = lists.iter().filter(|line| line.contains("/edge-nodes")).count();
        assert_eq!(lists, 1, "{input}");
        assert_eq!(error.kind(), ErrorKind::NotFound);
        let chain = chain(&error);
        assert!(
            chain.contains(&format!("below {gone}")) && chain.contains("returned 404"),
            "{chain}"
        );
        assert!(
            chain.contains("the manager reports that the edge cluster does not exist"),
            "{chain}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_index_still_shows_of_a_deleted_cluster_is_not_returned() {
    let mut world = World::local();
    world.settings.index_lag = std::time::Duration::from_secs(3600);
    let bench = world.start();
    let cluster = format!("{POINT}/edge-clusters/{CLUSTER}0010");
    bench.manager.remove(&format!("{cluster}/edge-nodes/0")).unwrap();
    bench.manager.remove(&cluster).unwrap();
    let input = json!({"edgeClusterPath": cluster, "displayName": "edge-0"});
    let error = bench.failure("getPolicyEdgeNode", input).await;
    assert_eq!(error.kind(), ErrorKind::NotFound);
    // A name that is only in the index is also missing.
    bench
        .manager
        .remove("/infra/dhcp-server-configs/dhcp-lab")
        .unwrap();
    let error = bench
        .failure("getPolicyDhcpServer", json!({"displayName": "dhcp (l"}))
        .await;
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[tokio::test(start_paused = true)]
async fn an_edge_node_by_uuid_costs_one_request_whichever_field_has_it() {
    let path = format!("{POINT}/edge-transport-nodes/tn-by-path");
    let nodes = format!("{POINT}/edge-clusters/{CLUSTER}0001/edge-nodes");
    let bench = World::local()
        .with(
            &nodes,
            json!({"member_index": 7, "edge_transport_node_path": path}),
        )
        .with(
            &nodes,
            json!({"member_index": 8, "edge_transport_node_uuid": "tn-by-uuid"}),
        )
        .with(&nodes, json!({"member_index": 9, "nsx_id": "tn-by-nsx-id"}))
        .start();
    for (id, index) in [("tn-by-path", 7), ("tn-by-uuid", 8), ("tn-by-nsx-id", 9)] {
        let input = json!({"edgeClusterPath": format!("{POINT}/edge-clusters/{CLUSTER}0001"), "id": id});
        let found = bench.answer("getPolicyEdgeNode", input).await;
        assert_eq!(found["memberIndex"], index);
        assert_eq!(bench.requests().len(), 1, "{id}");
    }
    let input =
        json!({"edgeClusterPath": format!("{POINT}/edge-clusters/{CLUSTER}0001"), "id": "TN-by-uuid"});
    let error = bench.failure("getPolicyEdgeNode", input).await;
    assert_eq!(error.kind(), ErrorKind::NotFound, "ids are case-sensitive");
    assert_eq!(bench.requests().len(), 2);
}
