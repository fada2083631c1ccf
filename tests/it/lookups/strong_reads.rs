//! Answers if the search index lags behind or fails, rows are broken, pages shrink, or an API is missing.

use std::time::Duration;

use netmgr_lookups::{Error, ErrorKind};
use netmgr_sim::{ApiRequest, ApiResponse, IndexState, IndexTrouble, ManagerMode};
use serde_json::{Value, json};

use super::harness::{Changed, World, chain};

const CERTIFICATES: &str = "/infra/certificates";
const CLUSTERS: &str = "/infra/sites/default/enforcement-points/default/edge-clusters";

/// A manager whose index lags far behind.
fn lagging() -> World {
    let mut world = World::local();
    world.settings.index_lag = Duration::from_secs(3600);
    world
}

#[tokio::test(start_paused = true)]
async fn an_object_created_just_now_is_found_by_id_and_by_name() {
    let bench = lagging().start();
    for (function, collection) in [
        ("getPolicyCertificate", CERTIFICATES),
        ("getPolicyEdgeCluster", CLUSTERS),
    ] {
        let body = json!({"id": "new", "display_name": "just now"});
        bench.manager.add(collection, body).unwrap();
        for input in [
            json!({"id": "new"}),
            json!({"displayName": "just now"}),
            json!({"displayName": "just"}),
        ] {
            assert_eq!(bench.answer(function, input).await["id"], "new");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn two_objects_created_just_now_under_one_name_are_both_counted() {
    let bench = lagging().start();
    for id in ["new-1", "new-2"] {
        let body = json!({"id": id, "display_name": "just now"});
        bench.manager.add(CERTIFICATES, body).unwrap();
    }
    let error = bench
        .failure("getPolicyCertificate", json!({"displayName": "just now"}))
        .await;
    assert!(matches!(error, Error::Ambiguous { total: 2, .. }), "{error}");
}

#[tokio::test(start_paused = true)]
async fn an_exact_name_that_the_index_lacks_beats_a_longer_one_that_it_has() {
    let bench = lagging().start();
    let body = json!({"id": "new", "display_name": "edge-cluster-t"});
    bench.manager.add(CLUSTERS, body).unwrap();
    let found = bench
        .answer("getPolicyEdgeCluster", json!({"displayName": "edge-cluster-t"}))
        .await;
    assert_eq!(found["id"], "new");
}

#[tokio::test(start_paused = true)]
async fn an_object_deleted_just_now_is_not_found_by_id() {
    let bench = lagging().start();
    bench.manager.remove("/infra/certificates/lb-cert").unwrap();
    let error = bench
        .failure("getPolicyCertificate", json!({"id": "lb-cert"}))
        .await;
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert_eq!(bench.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_miss_under_a_site_falls_back_to_the_search() {
    let elsewhere = "/infra/sites/second/enforcement-points/other/edge-clusters";
    let world = World::local().with(elsewhere, json!({"id": "far", "display_name": "far"}));
    let bench = world.start();
    let found = bench.answer("getPolicyEdgeCluster", json!({"id": "far"})).await;
    assert_eq!(found["path"], format!("{elsewhere}/far"));
    assert_eq!(bench.requests().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_search_by_id_takes_no_id_that_differs_by_case() {
    let elsewhere = "/infra/sites/second/enforcement-points/other/edge-clusters";
    let world = World::local().with(elsewhere, json!({"id": "far"}));
    let error = world
        .start()
        .failure("getPolicyEdgeCluster", json!({"id": "FAR"}))
        .await;
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[tokio::test(start_paused = true)]
async fn an_index_in_trouble_is_asked_again_until_it_answers() {
    for trouble in [
        IndexTrouble::InProgress,
        IndexTrouble::TimedOut,
        IndexTrouble::OutOfSync,
    ] {
        let bench = World::local().start();
        bench.manager.set_index_state(IndexState::Failing(trouble));
        let manager = std::sync::Arc::clone(&bench.manager);
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(10)).await;
            manager.set_index_state(IndexState::Ready);
        });
        let found = bench
            .answer("getPolicyDhcpServer", json!({"displayName": "dhcp-2"}))
            .await;
        assert_eq!(found["id"], "dhcp-2");
        assert!(bench.requests().len() > 1);
    }
}

#[tokio::test(start_paused = true)]
async fn an_index_of_another_type_in_trouble_does_not_matter() {
    let bench = World::local().start();
    let state = IndexState::FailingType("Segment".to_owned(), IndexTrouble::OutOfSync);
    bench.manager.set_index_state(state);
    let elsewhere = "/infra/sites/second/enforcement-points/other/edge-clusters";
    bench.manager.add(elsewhere, json!({"id": "far"})).unwrap();
    bench.answer("getPolicyEdgeCluster", json!({"id": "far"})).await;
    bench
        .answer("getPolicyEdgeCluster", json!({"displayName": "edge"}))
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_manager_without_a_search_is_asked_for_the_list() {
    let bench = World::local().version("2.5.2.2.0.17003648").start();
    let found = bench
        .answer("getPolicyCertificate", json!({"displayName": "lb-cert"}))
        .await;
    assert_eq!(found["id"], "lb-cert");
}

#[tokio::test(start_paused = true)]
async fn a_manager_that_lost_manager_mode_says_which_function_to_use() {
    let mut world = World::local().version("9.0.1.0.24952111");
    world.settings.manager_mode = ManagerMode::Gone;
    let error = world
        .start()
        .failure("getEdgeCluster", json!({"displayName": "edge"}))
        .await;
    assert_eq!(
        error.to_string(),
        "getEdgeCluster: not supported by this manager: version 9.0.1.0.24952111 has no API for edge clusters; \
         use `getPolicyEdgeCluster` instead"
    );
}

#[tokio::test(start_paused = true)]
async fn a_manager_that_lost_manager_mode_names_the_functions_of_the_policy_api() {
    for (function, answer) in [
        ("getCertificate", None),
        ("getEdgeCluster", Some("getPolicyEdgeCluster")),
        (
            "getFirewallSection",
            Some("`getPolicySecurityPolicy` or `getPolicyGatewayPolicy`"),
        ),
        ("getIpPool", Some("getPolicyIpPool")),
        ("getLogicalTier0Router", Some("getPolicyTier0Gateway")),
        ("getLogicalTier1Router", Some("getPolicyTier1Gateway")),
        ("getMacPool", Some("no API for MAC pools")),
        ("getNsGroup", Some("use `getPolicyGroup` instead")),
        ("getNsGroups", Some("use `getPolicyGroups` instead")),
        ("getNsService", Some("use `getPolicyService` instead")),
        ("getNsServices", Some("use `getPolicyServices` instead")),
        (
            "getSwitchingProfile",
            Some(
                "use `getPolicyQosProfile`, `getPolicyIpDiscoveryProfile`, `getPolicyMacDiscoveryProfile`, \
                 `getPolicySegmentSecurityProfile` or `getPolicySpoofguardProfile` instead",
            ),
        ),
    ] {
        let mut world = World::local().version("9.0.1.0.24952111");
        world.settings.manager_mode = ManagerMode::Gone;
        let input = match function {
            "getNsGroups" | "getNsServices" => json!({}),
            _ => json!({"displayName": "x"}),
        };
        let error = world.start().failure(function, input).await;
        match answer {
            Some(answer) => {
                assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
                assert!(error.to_string().contains(answer), "{error}");
            }
            // Certificates of the manager API remain.
            None => assert_eq!(error.kind(), ErrorKind::NotFound, "{error}"),
        }
    }
}

/// A manager behind a proxy that does not know some of its paths.
fn without(routes: fn(&ApiRequest) -> bool) -> impl Fn(&ApiRequest, &mut ApiResponse) {
    move |call, answer| {
        if routes(call) {
            answer.status = http::StatusCode::NOT_FOUND;
            answer.body = None;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_manager_without_the_list_of_all_objects_says_so() {
    let list: fn(&ApiRequest) -> bool = |call| {
        ["/infra/services", "/infra/tier-0s", "/virtual-machines"]
            .iter()
            .any(|list| call.path.ends_with(list))
    };
    for function in ["getPolicyServices", "getPolicyTier0Gateways", "getPolicyVms"] {
        let bench = World::local().bare().start_behind(|manager| Changed {
            manager,
            change: without(list),
        });
        let error = bench.failure(function, json!({})).await;
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{function}: {error}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_object_whose_own_path_is_unknown_is_found_by_id_in_the_search_or_the_list() {
    let own_path: fn(&ApiRequest) -> bool =
        |call| call.path.ends_with("/antrea-prod") || call.path.ends_with("/new");
    let change = without(own_path);
    let bench = lagging().start_behind(|manager| Changed { manager, change });
    let body = json!({"id": "new", "display_name": "just now"});
    bench.manager.manager.add(CERTIFICATES, body).unwrap();
    for (function, id) in [
        ("getPolicyContainerCluster", "antrea-prod"),
        ("getPolicyCertificate", "new"),
    ] {
        assert_eq!(bench.answer(function, json!({"id": id})).await["id"], id);
    }
    let error = bench
        .failure("getPolicyContainerCluster", json!({"id": "new"}))
        .await;
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

fn rows(answer: &mut ApiResponse) -> Option<&mut Vec<Value>> {
    answer.body.as_mut()?.get_mut("results")?.as_array_mut()
}

/// Adds a row with this name that cannot be decoded to every page.
fn with_broken_row(name: &'static str) -> impl Fn(&ApiRequest, &mut ApiResponse) {
    move |_, answer| {
        if let Some(rows) = rows(answer) {
            rows.push(json!({"display_name": name, "id": {"not": "an id"}}));
            let count = rows.len();
            answer.body.as_mut().expect("has rows")["result_count"] = json!(count);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_broken_row_does_not_cost_its_page() {
    let change = with_broken_row("other");
    let bench = World::local().start_behind(|manager| Changed { manager, change });
    let found = bench
        .answer("getMacPool", json!({"displayName": "lab-mac-pool"}))
        .await;
    assert_eq!(found["displayName"], "lab-mac-pool");
    assert!(bench.warnings().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_a_broken_row_could_change_says_so() {
    let mut reported = String::new();
    let mut record = |what: &str, text: &str| reported += &format!("{what}:\n  {text}\n");
    let change = with_broken_row("lab-mac-pool");
    let bench = World::local().start_behind(|manager| Changed { manager, change });
    bench
        .answer("getMacPool", json!({"displayName": "lab-mac-pool"}))
        .await;
    record("found", &bench.warnings().join("\n  "));

    let change = with_broken_row("gone");
    let bench = World::local().start_behind(|manager| Changed { manager, change });
    let error = bench.failure("getMacPool", json!({"displayName": "gone"})).await;
    record("not found", &chain(&error));
    let error = bench
        .failure("getIpPool", json!({"displayName": "twin-pool"}))
        .await;
    record("ambiguous without it", &chain(&error));
    bench.answer("getNsServices", json!({})).await;
    record("map", &bench.warnings().join("\n  "));

    let change = with_broken_row("edge-slower");
    let bench = World::local().start_behind(|manager| Changed { manager, change });
    bench
        .answer("getPolicyEdgeTransportNode", json!({"displayName": "edge-slo"}))
        .await;
    record("the only prefix", &bench.warnings().join("\n  "));
    insta::assert_snapshot!(reported);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_cannot_be_read_is_an_error_that_quotes_it() {
    let change =
        |_: &ApiRequest, answer: &mut ApiResponse| answer.body = Some(json!({"id": {"not": "an id"}}));
    let bench = World::local().start_behind(|manager| Changed { manager, change });
    let error = bench
        .failure(
            "getMacPool",
            json!({"id": "3e4d5c6b-7a89-4c0b-8d1e-2f3041520001"}),
        )
        .await;
    insta::assert_snapshot!(chain(&error));
}

#[tokio::test(start_paused = true)]
async fn fewer_rows_than_announced_are_reported() {
    let change = |_: &ApiRequest, answer: &mut ApiResponse| {
        if let Some(rows) = rows(answer) {
            let announced = rows.len();
            rows.pop();
            answer.body.as_mut().expect("has rows")["result_count"] = json!(announced);
        }
    };
    let bench = World::local().start_behind(|manager| Changed { manager, change });
    bench.answer("getNsServices", json!({})).await;
    assert_eq!(
        bench.warnings(),
        ["the map may be incomplete: the manager announced 4 objects but sent 3"]
    );
    // An object that is missing could have the name itself.
    for (name, found) in [("edge-cluster-t", false), ("edge-cluster-third", true)] {
        let input = json!({"displayName": name});
        let longer = bench.invoke("getPolicyEdgeCluster", input).await;
        assert_eq!(longer.is_ok(), found, "{name}: {longer:?}");
    }
    let error = bench.failure("getMacPool", json!({"displayName": "gone"})).await;
    assert_eq!(
        error.to_string(),
        "getMacPool: no MAC pool has display name \"gone\" (the answer may be incomplete: the manager announced 3 \
         objects but sent 2)"
    );
}

#[tokio::test(start_paused = true)]
async fn rows_of_another_type_than_asked_for_are_passed_over() {
    let change = |_: &ApiRequest, answer: &mut ApiResponse| {
        if let Some(rows) = rows(answer) {
            rows.insert(
                0,
                json!({"id": "lb-cert", "resource_type": "Segment", "display_name": "lb-cert",
                "path": "/infra/segments/lb-cert"}),
            );
        }
    };
    let bench = World::local().start_behind(|manager| Changed { manager, change });
    let found = bench
        .answer("getPolicyCertificate", json!({"displayName": "lb-cert"}))
        .await;
    assert_eq!(found["path"], "/infra/certificates/lb-cert");
}
