//! Calls of functions that do more than select an object of their collection, on the simulator's own inventory or on a few
//! objects: `tests/data/lookup-cases.json`.

use std::collections::BTreeSet;

use netmgr_lookups::ErrorKind;
use netmgr_sim::NameFilter;
use serde::Deserialize;
use serde_json::Value;

use super::harness::{World, chain};
use super::table::ROWS;

/// Beginning of secrets of objects, which no output may contain.
const HIDDEN: &str = "Hidden-";

/// Calls of one function on one manager.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    function: String,
    #[serde(default)]
    on: Option<String>,
    /// The configured enforcement point.
    #[serde(default)]
    point: Option<String>,
    /// What is special about the manager.
    #[serde(default)]
    manager: Option<String>,
    /// Additional objects, with their collections.
    #[serde(default)]
    with: Vec<(String, Value)>,
    /// Parts of the requests that may be sent; empty if that does not matter.
    #[serde(default)]
    requests: Vec<String>,
    /// Inputs, and the ids or members of their outputs.
    #[serde(default)]
    finds: Vec<(Value, Value)>,
    /// Inputs, and the kinds of their errors.
    #[serde(default)]
    fails: Vec<(Value, String)>,
}

impl Cases {
    fn world(&self) -> World {
        let mut world = match self.on.as_deref() {
            None => World::local(),
            Some("global") => World::global(),
            Some("cloud") => World::cloud(),
            Some(other) => panic!("no manager {other}"),
        };
        match self.manager.as_deref() {
            None => {}
            Some("empty") => world = world.bare(),
            Some("without manager mode") => world = World::without_manager_mode(),
            Some("filters names by prefix") => world.settings.name_filter = NameFilter::Prefix,
            Some("refuses its version") => world.settings.refuses_version = true,
            Some("has only the version of its node") => {
                world.settings.reports_product_version = false;
                world.settings.node_version = Some("3.1.2.0.0.17883596".to_owned());
            }
            Some(other) => panic!("no manager that {other}"),
        }
        if let Some(point) = &self.point {
            world = world.at_point(point);
        }
        let with = self.with.iter().cloned();
        with.fold(world, |world, (collection, body)| world.with(&collection, body))
    }
}

fn cases() -> Vec<Cases> {
    serde_json::from_str(include_str!("../../data/lookup-cases.json")).unwrap()
}

#[tokio::test(start_paused = true)]
async fn every_case_ends_as_stated() {
    for cases in cases() {
        let function = cases.function.as_str();
        for (input, expected) in &cases.finds {
            let bench = cases.world().start();
            let output = bench.answer(function, input.clone()).await;
            assert!(
                !output.to_string().contains(HIDDEN),
                "{function} {input}: {output}"
            );
            match expected.as_object() {
                None => assert_eq!(
                    output.get("id").unwrap_or(&output["path"]),
                    expected,
                    "{function} {input}"
                ),
                Some(members) => {
                    for (name, value) in members {
                        assert_eq!(output[name], *value, "{function} {input} {name}");
                    }
                }
            }
            for request in bench.requests() {
                let is_expected = cases.requests.iter().any(|part| has_whole(&request, part));
                assert!(
                    cases.requests.is_empty() || is_expected || request.ends_with(" /api/v1/node/version"),
                    "{function} {input}: {request}"
                );
            }
        }
        for (input, expected) in &cases.fails {
            let bench = cases.world().start();
            let error = bench.failure(function, input.clone()).await;
            let kind = format!("{:?}", error.kind());
            assert_eq!(kind, *expected, "{function} {input}: {}", chain(&error));
            if error.kind() == ErrorKind::InvalidInput {
                assert_eq!(bench.requests(), [""; 0], "{function} {input}");
            }
        }
    }
}

/// Whether the request has the part, which does not end within a name.
fn has_whole(request: &str, part: &str) -> bool {
    let is_end = |rest: &str| part.ends_with([' ', '/']) || rest.is_empty() || rest.starts_with(['/', ' ']);
    request
        .match_indices(part)
        .any(|(at, _)| is_end(&request[at + part.len()..]))
}

#[test]
fn functions_of_the_specification_that_select_nothing_have_cases() {
    let cases = cases();
    let named: BTreeSet<&str> = cases.iter().map(|cases| cases.function.as_str()).collect();
    let special = ROWS
        .iter()
        .filter(|row| row.states_all_outputs() && row.selection.is_none());
    let lacking: Vec<&str> = special
        .map(|row| row.function)
        .filter(|name| !named.contains(name))
        .collect();
    assert_eq!(lacking, [""; 0]);
}
