//! Requests and connections of a thousand lookups of objects of nine types in 17 places, two fifths of them by id.

use super::program::Program;
use super::world::{Clients, run};

/// Requests and connections of a thousand lookups, of which `parallel` run at once.
fn cost(parallel: usize) -> (usize, usize) {
    let run = run(&Program::of_many(1000, parallel), Clients::One);
    assert!(run.left.is_empty(), "{:?}", run.left);
    (run.requests.len(), run.connections[0])
}

#[test]
fn a_thousand_lookups_at_once_are_few_requests() {
    let (requests, connections) = cost(1000);
    assert!(
        requests <= 40 && connections <= 8,
        "{requests} requests, {connections} connections"
    );
}

#[test]
fn a_thousand_lookups_of_which_32_run_at_once_are_fewer_requests_than_lookups() {
    let (requests, _) = cost(32);
    assert!(requests <= 400, "{requests} requests");
}
