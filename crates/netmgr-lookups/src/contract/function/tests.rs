use serde_json::{Value, json};

use crate::tests::manager::manager;
use crate::{Call, Error};

/// The error chain of a lookup on a manager that responds to every request with `body`.
async fn failure(function: &str, input: Value, body: Value) -> String {
    let lookups = manager(move |_| (200, body.to_string()));
    let error: Error = lookups
        .invoke(function, input, &Call::default())
        .await
        .unwrap_err();
    let cause = std::error::Error::source(&error).map(ToString::to_string);
    format!("{error}: {}", cause.unwrap_or_default())
}

/// Thousands of lookups can wait at the same time.
#[tokio::test]
async fn a_call_of_a_function_takes_little_memory() {
    let lookups = manager(|_| (200, String::new()));
    let call = Call::default();
    let future = lookups.invoke("getPolicyGroup", json!({"displayName": "x"}), &call);
    assert!(size_of_val(&future) <= 1024, "{} bytes", size_of_val(&future));
}

#[tokio::test]
async fn an_object_with_another_id_is_not_the_one_requested() {
    let body = json!({"resource_type": "IpPool", "id": "other", "display_name": "pool"});
    assert_eq!(
        failure("getIpPool", json!({"id": "pool-1"}), body).await,
        "getIpPool: could not read the IP pool with id \"pool-1\": unexpected response: \
         GET /api/v1/pools/ip-pools/pool-1 on manager.test: it is the object with id \"other\""
    );
}

#[tokio::test]
async fn an_object_of_the_policy_api_without_a_path_is_no_answer() {
    let body = json!({"resource_type": "TlsCertificate", "id": "c1", "display_name": "c1"});
    let report = failure("getPolicyCertificate", json!({"id": "c1"}), body).await;
    assert!(
        report.contains("the object with id \"c1\" has no `path`"),
        "{report}"
    );
}

#[tokio::test]
async fn a_map_of_which_no_row_can_be_read_is_an_error() {
    let body = json!({"result_count": 2, "results": [{"id": {}}, {"id": []}]});
    let report = failure("getNsGroups", json!({}), body).await;
    assert!(report.contains("2 objects could not be decoded"), "{report}");
}

#[tokio::test]
async fn a_map_whose_pages_lead_nowhere_is_an_error() {
    let row = json!({"resource_type": "NSGroup", "id": "g1", "display_name": "g1"});
    let body = json!({"result_count": 9, "cursor": "again", "results": [row]});
    let report = failure("getNsGroups", json!({}), body).await;
    assert!(report.contains("announced 9 objects but sent 1"), "{report}");
}

#[tokio::test]
async fn similar_names_are_suggested_beside_the_message_and_never_in_it() {
    let rows = ["tep-pool", "tep-poll", "other", "tep-pool-22"]
        .map(|name| json!({"resource_type": "IpPool", "id": name, "display_name": name}));
    let body = json!({"result_count": rows.len(), "results": rows}).to_string();
    let lookups = manager(move |_| (200, body.clone()));
    let input = json!({"displayName": "tep-pol"});
    let error: Error = lookups
        .invoke("getIpPool", input, &Call::default())
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "getIpPool: no IP pool has display name \"tep-pol\""
    );
    let Error::NotFound { clues, .. } = error else {
        panic!("{error:?}")
    };
    assert_eq!(clues.similar, ["tep-poll", "tep-pool"]);
}

#[tokio::test]
async fn an_id_that_is_given_as_a_name_is_recognized() {
    let row = json!({"resource_type": "IpPool", "id": "p-1", "display_name": "storage "});
    let body = json!({"result_count": 1, "results": [row]}).to_string();
    let lookups = manager(move |_| (200, body.clone()));
    let input = json!({"displayName": "p-1"});
    let error: Error = lookups
        .invoke("getIpPool", input.clone(), &Call::default())
        .await
        .unwrap_err();
    let inputs = crate::CallInputs::of(crate::Lookups::entry("getIpPool").unwrap(), &input);
    assert_eq!(
        error.remedy(&inputs).unwrap().to_string(),
        "this is the id of \"storage \"; use `id` for an id"
    );
}
