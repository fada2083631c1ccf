//! Shared by the tests of the manager.

use http::{Method, StatusCode};
use serde_json::Value;

use crate::{ApiRequest, ApiResponse, Inventory, Manager, ManagerSettings};

pub(super) fn default_manager() -> Manager {
    Manager::new(ManagerSettings::default(), Inventory::default())
}

/// A GET of a path with its query, not encoded.
pub(super) fn get(manager: &Manager, url: &str) -> ApiResponse {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let query = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (name.to_owned(), value.to_owned())
        })
        .collect();
    manager.respond(&ApiRequest {
        method: Method::GET,
        path: path.to_owned(),
        query,
        body: bytes::Bytes::new(),
    })
}

/// The body of a GET that succeeds.
#[track_caller]
pub(super) fn read(manager: &Manager, url: &str) -> Value {
    let answer = get(manager, url);
    assert_eq!(answer.status, StatusCode::OK, "{url}: {:?}", answer.body);
    answer.body.unwrap()
}

/// Status and error code of a GET.
pub(super) fn refusal(manager: &Manager, url: &str) -> (u16, Option<u64>) {
    let answer = get(manager, url);
    let code = answer.body.and_then(|body| body["error_code"].as_u64());
    (answer.status.as_u16(), code)
}

/// The search for a query on a local manager, all pages.
#[track_caller]
pub(super) fn search(manager: &Manager, query: &str) -> Vec<Value> {
    // Passed as decoded parameters, so that the query may contain `&` and `=`.
    let answer = manager.respond(&ApiRequest {
        method: Method::GET,
        path: "/policy/api/v1/search/query".to_owned(),
        query: vec![("query".to_owned(), query.to_owned())],
        body: bytes::Bytes::new(),
    });
    assert_eq!(answer.status, StatusCode::OK, "{query}: {:?}", answer.body);
    results(&answer.body.unwrap())
}

pub(super) fn results(page: &Value) -> Vec<Value> {
    page["results"].as_array().unwrap().clone()
}

/// One field of every row, sorted.
pub(super) fn column(rows: &[Value], field: &str) -> Vec<String> {
    let mut values: Vec<String> = rows
        .iter()
        .map(|row| row[field].as_str().unwrap_or_default().to_owned())
        .collect();
    values.sort();
    values
}
