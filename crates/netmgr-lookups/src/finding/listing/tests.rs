//! Tests of lists over a manager that consists of a closure.

use std::sync::{Arc, Mutex};

use serde_json::json;

use super::*;
use crate::functions::ALL;
use crate::tests::manager::{RecordedEvents, manager};

/// Every row of a list, and the requests for them.
async fn listed(
    function: &str,
    input: Value,
    options: ListOptions,
    answer: impl Fn(&str) -> (u16, String) + Send + Sync + 'static,
) -> (Result<Vec<Value>, Error>, Vec<String>, Vec<String>) {
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&requests);
    let lookups = manager(move |target| {
        seen.lock().unwrap().push(target.to_owned());
        answer(target)
    });
    let heard = Arc::new(RecordedEvents::default());
    let call = crate::Call::default().observer(Arc::clone(&heard) as Arc<dyn crate::Observer>);
    let input = input.as_object().unwrap().clone();
    let rows = async {
        let mut listing = lookups.list(function, input, options, &call)?;
        let mut rows = Vec::new();
        while let Some(page) = listing.next().await? {
            rows.extend(page.rows);
        }
        Ok(rows)
    };
    let rows = rows.await;
    let mut requests = requests.lock().unwrap().clone();
    requests.retain(|target| !target.contains("/session/"));
    let warnings = heard.warnings.lock().unwrap().clone();
    (rows, requests, warnings)
}

fn pool(id: usize) -> Value {
    json!({ "id": format!("p-{id}"), "display_name": format!("pool {id}"), "resource_type": "IpPool" })
}

/// Three pages of two pools.
fn pools(target: &str) -> (u16, String) {
    let first = match target.split("cursor=").nth(1) {
        None => 0,
        Some(cursor) => cursor.split('&').next().unwrap().parse().unwrap(),
    };
    let mut page = json!({ "results": [pool(first), pool(first + 1)], "result_count": 6 });
    if first < 4 {
        page["cursor"] = json!((first + 2).to_string());
    }
    (200, page.to_string())
}

#[tokio::test]
async fn a_list_has_the_rows_of_all_pages_as_the_function_returns_them() {
    let (rows, requests, warnings) = listed("getIpPool", json!({}), ListOptions::default(), pools).await;
    let rows = rows.unwrap();
    assert_eq!(rows.len(), 6);
    assert_eq!(
        rows[5],
        json!({ "description": "", "displayName": "pool 5", "id": "p-5" })
    );
    assert_eq!(requests.len(), 3, "{requests:?}");
    assert_eq!(warnings, [] as [&str; 0]);
}

#[tokio::test]
async fn a_list_ends_at_its_limit_without_reading_further_pages() {
    let options = ListOptions::default().limit(3_usize);
    let (rows, requests, _) = listed("getIpPool", json!({}), options, pools).await;
    assert_eq!(rows.unwrap().len(), 3);
    assert_eq!(requests.len(), 2, "{requests:?}");
    assert!(requests[0].contains("page_size=3"), "{requests:?}");
}

#[tokio::test]
async fn a_prefix_selects_among_the_names() {
    let options = ListOptions::default().prefix("pool 4");
    let (rows, ..) = listed("getIpPool", json!({}), options, pools).await;
    assert_eq!(rows.unwrap()[0]["id"], "p-4");
}

#[tokio::test]
async fn an_object_that_cannot_be_read_is_left_out_with_a_warning() {
    let (rows, _, warnings) = listed("getIpPool", json!({}), ListOptions::default(), |_| {
        let rows = json!({ "results": [pool(1), { "id": 7, "display_name": [] }], "result_count": 2 });
        (200, rows.to_string())
    })
    .await;
    assert_eq!(rows.unwrap().len(), 1);
    assert!(
        warnings[0].starts_with("the list may be incomplete: 1 object could not be decoded"),
        "{warnings:?}"
    );
}

#[tokio::test]
async fn a_manager_without_the_api_is_reported_like_for_a_lookup() {
    let missing = |_: &str| (404, String::new());
    let (rows, ..) = listed("getIpPool", json!({}), ListOptions::default(), missing).await;
    assert!(matches!(rows, Err(Error::Unsupported { .. })), "{rows:?}");
}

#[tokio::test]
async fn a_search_that_fails_gives_way_to_the_list() {
    let cluster = json!({ "id": "e", "display_name": "edge", "resource_type": "PolicyEdgeCluster", "path": "/infra/x/e" });
    let (rows, requests, warnings) = listed(
        "getPolicyEdgeCluster",
        json!({}),
        ListOptions::default(),
        move |target| match target.contains("/search/") {
            true => (400, json!({ "error_code": 60508 }).to_string()),
            false => (
                200,
                json!({ "results": [cluster], "result_count": 1 }).to_string(),
            ),
        },
    )
    .await;
    assert_eq!(rows.unwrap()[0]["displayName"], "edge", "{requests:?}");
    assert!(
        warnings[0].contains("only the edge clusters directly below"),
        "{warnings:?}"
    );
}

#[tokio::test]
async fn a_function_without_a_collection_and_an_input_that_a_list_lacks_are_refused() {
    for (function, input) in [
        ("getManagerInfo", json!({})),
        ("getNsGroups", json!({})),
        ("getPolicyEdgeNode", json!({})),
        ("getIpPool", json!({ "colour": "blue" })),
    ] {
        let nothing = |_: &str| (500, String::new());
        let (rows, requests, _) = listed(function, input, ListOptions::default(), nothing).await;
        assert!(
            matches!(rows, Err(Error::InvalidInput { .. })),
            "{function}: {rows:?}"
        );
        assert_eq!(requests, [] as [&str; 0], "{function}");
    }
}

#[test]
fn the_functions_that_select_an_object_are_listed() {
    let listed = ALL.iter().filter(|entry| entry.is_listed());
    for entry in listed.clone() {
        assert_eq!(
            entry.spec.answer,
            crate::ResultKind::Object,
            "{}",
            entry.spec.name
        );
        for input in entry.list_inputs() {
            assert!(
                !["id", "displayName", "description", "path"].contains(&input.as_str()),
                "{}: {input}",
                entry.spec.name
            );
        }
    }
    let specified = listed.filter(|entry| !entry.spec.source.is_empty());
    assert_eq!(specified.count(), 28);
    let node = ALL
        .iter()
        .find(|entry| entry.spec.name == "getPolicyEdgeNode")
        .unwrap();
    assert_eq!(node.list_inputs(), ["edgeClusterPath", "memberIndex"]);
}

#[tokio::test(start_paused = true)]
async fn an_input_that_takes_requests_for_each_object_is_refused() {
    let input = json!({"edgeClusterPath": "/infra/sites/default/enforcement-points/default/edge-clusters/e"});
    let options = ListOptions::default();
    let (rows, requests, _) = listed("getPolicyTier1Gateway", input, options, |_| unreachable!()).await;
    let error = rows.unwrap_err().to_string();
    assert!(
        error.contains("`edgeClusterPath` cannot filter a list"),
        "{error}"
    );
    assert_eq!(requests, [""; 0]);
}
