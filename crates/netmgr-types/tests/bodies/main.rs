//! Decodes every body in `tests/data` and compares the values.
//!
//! One case per file, with the values of each object on one line and `-` for absent values. A list starts
//! with its count and cursor.

#![allow(clippy::unwrap_used, reason = "a body that does not decode fails the test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use netmgr_types::wire::{ApiError, Page};
use serde::de::DeserializeOwned;
use serde_json::Value;

use line::{Line, endpoint_line, or_dash};

mod errors;
mod line;
mod recorded;
mod samples;

type Case = (&'static str, fn(&str) -> Vec<String>, &'static [&'static str]);

#[test]
fn samples_decode_to_their_values() {
    check("samples", samples::CASES);
}

#[test]
fn error_bodies_decode_to_their_values() {
    check("errors", errors::CASES);
}

#[test]
fn recorded_bodies_decode_to_their_values() {
    check("recorded", recorded::CASES);
}

#[test]
fn error_bodies_read_as_sentences() {
    let files = samples::CASES
        .iter()
        .map(|case| ("samples", case.0))
        .filter(|(_, name)| name.starts_with("error-"))
        .chain(errors::CASES.iter().map(|case| ("errors", case.0)))
        .chain(
            recorded::CASES
                .iter()
                .map(|case| ("recorded", case.0))
                .filter(|(_, name)| name.starts_with("error-")),
        );
    let lines: Vec<String> = files
        .map(|(folder, name)| {
            let error: ApiError = serde_json::from_str(&body(folder, name)).unwrap();
            format!("{name}: {error}")
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

fn check(folder: &str, cases: &[Case]) {
    for (name, read, expected) in cases {
        assert_eq!(read(&body(folder, name)), *expected, "{folder}/{name}");
    }
    let asserted: BTreeSet<String> = cases.iter().map(|(name, ..)| format!("{name}.json")).collect();
    let present: BTreeSet<String> = fs::read_dir(data(folder))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(present, asserted, "files of {folder} and their cases");
}

fn data(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(folder)
}

fn body(folder: &str, name: &str) -> String {
    let file = data(folder).join(format!("{name}.json"));
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// A body that is one object.
fn one<T: DeserializeOwned + Line>(body: &str) -> Vec<String> {
    vec![serde_json::from_str::<T>(body).unwrap().line()]
}

/// A body that is a page of a list or a search.
fn list<T: DeserializeOwned + Line>(body: &str) -> Vec<String> {
    let page: Page<'_> = serde_json::from_str(body).unwrap();
    let head = format!(
        "count {} cursor {}",
        or_dash(&page.result_count),
        or_dash(&page.cursor)
    );
    let rows = page.results.iter().flat_map(|row| one::<T>(row.get()));
    std::iter::once(head).chain(rows).collect()
}

/// The API endpoints of a cluster status, which no lookup reads; they are like the endpoints of the cluster
/// configuration.
fn api_endpoints(body: &str) -> Vec<String> {
    let status: Value = serde_json::from_str(body).unwrap();
    let nodes = status["management_cluster"].as_array().unwrap();
    nodes
        .iter()
        .map(|node| serde_json::from_value(node["role_config"]["api_listen_addr"].clone()).unwrap())
        .map(|endpoint| endpoint_line(&endpoint))
        .collect()
}

/// Headers of a session, which determine the form of cookies and tokens.
fn session_headers(body: &str) -> Vec<String> {
    let recorded: Value = serde_json::from_str(body).unwrap();
    let headers = &recorded["request_headers_the_client_then_sends"];
    ["X-XSRF-TOKEN", "Cookie"]
        .map(|name| headers[name].as_str().unwrap().to_owned())
        .to_vec()
}
