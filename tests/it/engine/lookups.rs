//! Points 3, 9 and 14, and a thousand lookups: results in programs.

use std::time::Duration;

use netmgr_sim::{Inventory, Manager, ManagerSettings, Simulator};
use serde_json::json;

use super::support::{CANCEL_AT_THE_END, Stack, manager, serve, tools};

/// One lookup of each output shape, from a program in one of the languages.
async fn every_shape(test: &str, program: &str, tools: &'static super::support::Tools) {
    let manager = manager().await;
    let mut stack = Stack::of(tools, program).await;
    stack.point_at(&manager);
    stack.up().await.succeeded();
    let outputs = stack.outputs().await;
    assert_eq!(outputs["server"], "vc-prod.lab.example");
    assert_eq!(
        outputs["groups"]["group-web"],
        "5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0001"
    );
    assert_eq!(outputs["context"], json!({"projectId": "dev"}));
    assert_eq!(outputs["state"], "success");
    assert_eq!(outputs["timeout"], 5.5);
    assert_eq!(outputs["checked"], true);
    assert_eq!(outputs["thumbprint"].as_str().map(str::len), Some(64));
    // All in one session, which has ended.
    let counters = manager.counters();
    assert_eq!(counters.logins, 1);
    if !tools.lacks(test, CANCEL_AT_THE_END) {
        assert_eq!(counters.sessions_destroyed, 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_output_shape_reaches_a_typescript_program() {
    let name = "every_output_shape_reaches_a_typescript_program";
    let tools = tools!("every_output_shape_reaches_a_typescript_program");
    every_shape(name, "shapes-typescript", tools).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_output_shape_reaches_a_python_program() {
    let name = "every_output_shape_reaches_a_python_program";
    let tools = tools!("every_output_shape_reaches_a_python_program");
    every_shape(name, "shapes-python", tools).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_argument_causes_no_request_in_a_preview() {
    let tools = tools!("an_unknown_argument_causes_no_request_in_a_preview");
    let manager = manager().await;
    let mut stack = Stack::of(tools, "unknown-typescript").await;
    stack.point_at(&manager);
    stack.set("NETMGR_ON_DEMAND_CONNECTION", "true");
    stack.preview().await.succeeded();
    assert_eq!(manager.counters().connections, 0);
    stack.up().await.succeeded();
    assert_eq!(stack.outputs().await["server"], "vc-prod.lab.example");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_larger_than_4_mib_arrives() {
    let tools = tools!("an_answer_larger_than_4_mib_arrives");
    let mut inventory = Inventory::empty();
    let padding = "x".repeat(200);
    for number in 0..20_000 {
        let group =
            json!({"id": format!("group-{number:05}"), "display_name": format!("{number:05}-{padding}")});
        inventory.add("/api/v1/ns-groups", group).unwrap();
    }
    let builder = Simulator::builder().manager(Manager::new(ManagerSettings::default(), inventory));
    let manager = serve(builder).await;
    let mut stack = Stack::of(tools, "ask-typescript").await;
    stack.point_at(&manager);
    stack.ask(&json!([{"function": "getNsGroups"}])).await;
    stack.up().await.succeeded();
    let outputs = stack.outputs().await;
    let items = outputs["answers"][0]["items"].as_object().unwrap();
    assert_eq!(items.len(), 20_000);
    assert_eq!(items[&format!("19999-{padding}")], "group-19999");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_lookups_of_one_program_all_succeed_and_none_is_throttled() {
    let tools = tools!("a_thousand_lookups_of_one_program_all_succeed_and_none_is_throttled");
    let mut inventory = Inventory::empty();
    for number in 0..1000 {
        let group = json!({"id": format!("group-{number}"), "display_name": format!("name-{number}")});
        inventory.add("/api/v1/ns-groups", group).unwrap();
    }
    let builder = Simulator::builder()
        .latency(Duration::from_millis(20))
        .manager(Manager::new(ManagerSettings::default(), inventory));
    let manager = serve(builder).await;
    let mut stack = Stack::of(tools, "many-typescript").await;
    stack.point_at(&manager);
    stack.up().await.succeeded();
    let outputs = stack.outputs().await;
    let names = outputs["names"].as_array().unwrap();
    assert_eq!(names.len(), 1000);
    assert!(
        names
            .iter()
            .enumerate()
            .all(|(number, name)| *name == format!("name-{number}"))
    );
    let counters = manager.counters();
    assert_eq!(counters.logins, 1);
    assert_eq!(
        counters.statuses.keys().collect::<Vec<_>>(),
        [&200],
        "{:?}",
        counters.statuses
    );
}
