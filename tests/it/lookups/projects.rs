//! Messages when nothing is found in a project.

use netmgr_lookups::ErrorKind;
use netmgr_sim::{ApiRequest, ApiResponse};
use serde_json::{Value, json};

use super::harness::{Changed, World};

const FUNCTION: &str = "getPolicyDhcpServer";

fn in_project(id: &str, mut input: Value) -> Value {
    input["context"] = json!({"projectId": id});
    input
}

#[tokio::test(start_paused = true)]
async fn a_miss_in_a_project_says_whether_the_default_space_has_the_object() {
    let bench = World::local().start();
    for (input, message) in [
        (
            json!({"displayName": "plain"}),
            "no DHCP server in project dev has a display name that is or begins with \"plain\"; the project exists; \
             the default space has \"plain\" (id dhcp-plain, path /infra/dhcp-server-configs/dhcp-plain)",
        ),
        (
            json!({"id": "dhcp-plain"}),
            "there is no DHCP server with id \"dhcp-plain\" in project dev; the project exists; the default space has \
             \"plain\" (id dhcp-plain, path /infra/dhcp-server-configs/dhcp-plain)",
        ),
        (
            json!({"displayName": "dhcp-name"}),
            "no DHCP server in project dev has a display name that is or begins with \"dhcp-name\"; the project exists; \
             the default space has no match",
        ),
        (
            json!({"displayName": "dhcp"}),
            "no DHCP server in project dev has a display name that is or begins with \"dhcp\"; the project exists; the \
             default space has several matches",
        ),
    ] {
        let error = bench.failure(FUNCTION, in_project("dev", input)).await;
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert_eq!(error.to_string(), format!("{FUNCTION}: {message}"));
        assert!(bench.requests().len() <= 4);
    }
}

#[tokio::test(start_paused = true)]
async fn a_miss_in_a_project_that_does_not_exist_says_so() {
    let bench = World::local().start();
    for input in [json!({"displayName": "plain"}), json!({"id": "dhcp-plain"})] {
        let error = bench.failure(FUNCTION, in_project("dve", input)).await;
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(
            error
                .to_string()
                .contains("; project dve does not exist; the default space has \"plain\""),
            "{error}"
        );
        // One more request shows whether a project has this display name.
        assert!(bench.requests().len() <= 5);
    }
}

#[tokio::test(start_paused = true)]
async fn a_project_that_does_not_exist_is_not_found_whatever_is_looked_up() {
    let bench = World::local().start();
    let mut found = 0;
    for function in netmgr_lookups::ALL.iter() {
        let name = function.spec.name;
        let inputs = function.describe().inputs;
        if !inputs.iter().any(|input| input.name == "context") {
            continue;
        }
        let input = serde_json::from_str(function.spec.example).unwrap();
        let error = bench.failure(name, in_project("dve", input)).await;
        // Some examples contain paths outside of the project.
        if error.kind() != ErrorKind::InvalidInput {
            assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
            found += 1;
        }
    }
    assert!(found > 40, "{found}");
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_read_about_a_project_is_left_out() {
    let change = |call: &ApiRequest, answer: &mut ApiResponse| {
        if !call.path.contains("/projects/dev/") && !call.query.iter().any(|(_, value)| value.contains("dev"))
        {
            answer.status = http::StatusCode::FORBIDDEN;
            answer.body = Some(json!({"error_code": 401, "error_message": "No right to read this."}));
        }
    };
    let bench = World::local().start_behind(|manager| Changed { manager, change });
    let error = bench
        .failure(FUNCTION, in_project("dev", json!({"id": "dhcp-plain"})))
        .await;
    assert_eq!(
        error.to_string(),
        format!("{FUNCTION}: there is no DHCP server with id \"dhcp-plain\" in project dev")
    );
}

#[tokio::test(start_paused = true)]
async fn a_hit_in_a_project_costs_nothing_more() {
    let bench = World::local().start();
    bench
        .answer(FUNCTION, in_project("dev", json!({"displayName": "demodhcp"})))
        .await;
    assert_eq!(bench.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn messages_by_id_name_the_project_and_the_site() {
    let bench = World::local().start();
    let input = json!({"id": "x", "sitePath": "/infra/sites/default"});
    let error = bench.failure("getPolicyEdgeCluster", input).await;
    assert_eq!(
        error.to_string(),
        "getPolicyEdgeCluster: there is no edge cluster with id \"x\" below \
         /infra/sites/default/enforcement-points/default"
    );
    let input = json!({"displayName": "x"});
    let error = bench.failure("getPolicyEdgeHighAvailabilityProfile", input).await;
    assert!(
        error
            .to_string()
            .contains("profile below /infra/sites/default/enforcement-points/default has"),
        "{error}"
    );
}
