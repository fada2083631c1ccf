//! Functions that wait for a realization.

use std::sync::Arc;
use std::time::Duration;

use netmgr_lookups::ErrorKind::{Ambiguous, DeadlineExceeded, InvalidInput, NotFound, RealizationFailed};
use netmgr_lookups::Waits;
use netmgr_sim::Script;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::harness::{Bench, World};

const POINT: &str = "/infra/sites/default/enforcement-points/default";
const AGGREGATE: &str = "/api/v1/upgrade/upgrade-unit-groups/aggregate-info";
const ENTITIES: &str = "/infra/realized-state/realized-entities";

/// A function that polls the state of an object.
struct Wait {
    function: &'static str,
    /// Collection of the object.
    collection: String,
    /// Input that names the object: `path` or `id`.
    by: &'static str,
    /// The body of the state with a value.
    state: fn(&str) -> Value,
    pending: &'static [&'static str],
    /// States that end the wait and are returned.
    returned: &'static [&'static str],
    /// States that fail the call.
    failing: &'static [&'static str],
    /// Further members of the input.
    more: Value,
}

fn waits() -> Vec<Wait> {
    let appliances = |state: &str| json!({"virtual_network_appliance_state": {"configuration_state": {"consolidated_status": state}}});
    const APPLIANCE_PENDING: &[&str] = &[
        "UNINITIALIZED",
        "IN_PROGRESS",
        "SANDBOXED_REALIZATION_PENDING",
        "UNKNOWN",
    ];
    vec![
        Wait {
            function: "getPolicySegmentRealization",
            collection: "/infra/segments".to_owned(),
            by: "path",
            state: |state| json!({"state": state, "details": []}),
            pending: &["pending", "in_progress", "in_sync", "unknown"],
            returned: &["success", "orphaned"],
            failing: &[],
            more: json!({}),
        },
        Wait {
            function: "getTransportNodeRealization",
            collection: "/api/v1/transport-nodes".to_owned(),
            by: "id",
            state: |state| json!({"state": state, "failure_message": "broken"}),
            pending: &[
                "pending",
                "in_progress",
                "in_sync",
                "unknown",
                "VM_DEPLOYMENT_QUEUED",
                "VM_DEPLOYMENT_IN_PROGRESS",
                "REGISTRATION_PENDING",
            ],
            returned: &[
                "success",
                "partial_success",
                "orphaned",
                "NODE_READY",
                "TRANSPORT_NODE_READY",
            ],
            failing: &["failed", "error", "REGISTRATION_FAILED"],
            more: json!({}),
        },
        Wait {
            function: "getPolicyHostTransportNodeCollectionRealization",
            collection: format!("{POINT}/transport-node-collections"),
            by: "path",
            state: |state| json!({"state": state, "cluster_level_error": "broken"}),
            pending: &["IN_PROGRESS"],
            returned: &["SUCCESS"],
            failing: &["FAILED_TO_CREATE", "FAILED_TO_REALIZE", "PROFILE_MISMATCH"],
            more: json!({}),
        },
        Wait {
            function: "getComputeManagerRealization",
            collection: "/api/v1/fabric/compute-managers".to_owned(),
            by: "id",
            state: |state| json!({"state": state, "failure_message": "broken"}),
            pending: &["pending", "in_progress", "in_sync", "unknown"],
            returned: &["success", "orphaned"],
            failing: &["failed", "error", "partial_success"],
            more: json!({"checkRegistration": false}),
        },
        Wait {
            function: "getPolicyEdgeTransportNodeRealization",
            collection: format!("{POINT}/edge-transport-nodes"),
            by: "path",
            state: |state| json!({"edge_tn_state": {"consolidated_status": state, "failure_message": "broken"}}),
            pending: APPLIANCE_PENDING,
            returned: &["SUCCESS"],
            failing: &["ERROR", "DOWN", "DEGRAGED"],
            more: json!({}),
        },
        Wait {
            function: "getPolicyVirtualNetworkApplianceClusterRealization",
            collection: format!("{POINT}/virtual-network-appliance-clusters"),
            by: "path",
            state: |state| json!({"consolidated_status": state}),
            pending: APPLIANCE_PENDING,
            returned: &["SUCCESS"],
            failing: &[],
            more: json!({}),
        },
        Wait {
            function: "getPolicyVirtualNetworkApplianceRealization",
            collection: format!("{POINT}/virtual-network-appliance-clusters/c/virtual-network-appliances"),
            by: "path",
            state: appliances,
            pending: APPLIANCE_PENDING,
            returned: &["SUCCESS"],
            failing: &[],
            more: json!({}),
        },
    ]
}

impl Wait {
    fn path(&self) -> String {
        format!("{}/one", self.collection)
    }

    /// A manager on which the state of the object has these values, one second apart.
    fn start(&self, course: &[&str]) -> Bench {
        let script = course
            .iter()
            .zip(0_u64..)
            .fold(Script::default(), |script, (state, second)| {
                script.then_after(Duration::from_secs(second * 10), (self.state)(state))
            });
        let mut world = World::local()
            .bare()
            .with(&self.collection, json!({"id": "one", "display_name": "name"}));
        world.inventory = world
            .inventory
            .with_script(&format!("{}/state", self.path()), script);
        world.start()
    }

    fn input(&self) -> Value {
        let mut input = self.more.clone();
        input[self.by] = match self.by {
            "id" => json!("one"),
            _ => json!(self.path()),
        };
        input
    }
}

#[tokio::test(start_paused = true)]
async fn states_are_polled_until_they_are_final() {
    for wait in waits() {
        for last in wait.returned {
            let mut course = wait.pending.to_vec();
            course.push(last);
            let bench = wait.start(&course);
            let started = Instant::now();
            let output = bench.answer(wait.function, wait.input()).await;
            assert_eq!(output["state"], *last, "{}", wait.function);
            let due = Duration::from_secs(10 * wait.pending.len() as u64);
            assert!(
                started.elapsed() >= due,
                "{} after {:?}",
                wait.function,
                started.elapsed()
            );
            assert!(!bench.progress().is_empty(), "{}", wait.function);
            let url = match wait.collection.starts_with("/api/") {
                true => wait.path(),
                false => format!("/policy/api/v1{}", wait.path()),
            };
            for request in bench.requests() {
                let expected = request.contains(&url) || request.ends_with(" /api/v1/node/version");
                assert!(expected, "{}: {request}", wait.function);
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_preview_reports_the_state_at_once() {
    for wait in waits() {
        let bench = wait.start(&wait.pending[..1]);
        let started = Instant::now();
        let call = bench.call().waits(Waits::ReportOnce);
        let output = bench
            .lookups
            .invoke(wait.function, wait.input(), &call)
            .await
            .unwrap();
        assert_eq!(output["state"], wait.pending[0], "{}", wait.function);
        assert!(started.elapsed() < Duration::from_millis(20), "{}", wait.function);
        let requests = bench.requests();
        let polls = requests.iter().filter(|line| line.contains("/state"));
        assert_eq!(polls.count(), 1, "{requests:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn waits_that_are_cancelled_end_at_once() {
    for wait in waits() {
        let bench = wait.start(&wait.pending[..1]);
        let call = bench.call();
        let cancel = call.cancel.clone();
        let interrupt = async {
            sleep(Duration::from_secs(5)).await;
            cancel.cancel();
            Instant::now()
        };
        let read = async {
            let outcome = bench.lookups.invoke(wait.function, wait.input(), &call).await;
            (outcome, Instant::now())
        };
        let ((outcome, ended), cancelled) = tokio::join!(read, interrupt);
        assert!(
            matches!(outcome, Err(netmgr_lookups::Error::Cancelled { .. })),
            "{}: {outcome:?}",
            wait.function
        );
        assert!(
            ended - cancelled < Duration::from_millis(200),
            "{}",
            wait.function
        );
    }
}

#[tokio::test(start_paused = true)]
async fn waits_end_with_their_timeout_and_name_the_last_state() {
    for wait in waits() {
        let bench = wait.start(&wait.pending[..1]);
        let mut input = wait.input();
        if wait.function != "getPolicySegmentRealization" {
            input["timeout"] = json!(30);
        }
        let started = Instant::now();
        let text = bench.fails(wait.function, input, DeadlineExceeded).await;
        assert!(text.contains(wait.pending[0]), "{text}");
        let limit = if wait.function == "getPolicySegmentRealization" {
            3600
        } else {
            61
        };
        assert!(
            started.elapsed() < Duration::from_secs(limit),
            "{} after {:?}",
            wait.function,
            started.elapsed()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn failed_realizations_are_errors_with_their_reason() {
    for wait in waits() {
        for state in wait.failing {
            let bench = wait.start(&[wait.pending[0], state]);
            let text = bench.fails(wait.function, wait.input(), RealizationFailed).await;
            assert!(text.contains(state) && text.contains("broken"), "{text}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn undocumented_states_are_no_success() {
    for wait in waits() {
        let bench = wait.start(&[wait.pending[0], "RETHINKING"]);
        let text = bench.fails(wait.function, wait.input(), RealizationFailed).await;
        assert!(text.contains("RETHINKING"), "{text}");
    }
    let path = "/infra/segments/one";
    let bench = World::local()
        .bare()
        .with(ENTITIES, entity("a", "First", "UNAVAILABLE", path))
        .start();
    for (function, by) in [
        ("getPolicyRealizationInfo", "path"),
        ("getPolicyGatewayInterfaceRealization", "gatewayInterfacePath"),
    ] {
        let path = "/infra/tier-0s/t/locale-services/l/interfaces/i";
        bench
            .manager
            .update(&format!("{ENTITIES}/a"), json!({"intent_paths": [path]}))
            .unwrap();
        let text = bench.fails(function, json!({by: path}), RealizationFailed).await;
        assert!(text.contains("UNAVAILABLE"), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_segment_that_is_realized_partially_is_a_success_where_that_is_tolerated() {
    const FUNCTION: &str = "getPolicySegmentRealization";
    let segment = json!({"id": "one", "display_name": "name"});
    let script = Script::new(json!({"state": "partial_success"}));
    let mut world = World::local().bare().with("/infra/segments", segment);
    world.inventory = world.inventory.with_script("/infra/segments/one/state", script);
    let input = json!({"path": "/infra/segments/one"});
    world
        .clone()
        .start()
        .fails(FUNCTION, input.clone(), RealizationFailed)
        .await;
    world.config.tolerate_partial_success = Some(true);
    assert_eq!(
        world.start().answer(FUNCTION, input).await["state"],
        "partial_success"
    );
}

#[tokio::test(start_paused = true)]
async fn objects_that_do_not_exist_end_a_wait() {
    for wait in waits() {
        let bench = wait.start(&[wait.returned[0]]);
        let mut input = wait.input();
        let missing = match wait.by {
            "id" => "missing".to_owned(),
            _ => format!("{}/missing", wait.collection),
        };
        input[wait.by] = json!(missing);
        bench.fails(wait.function, input.clone(), NotFound).await;
        bench.requests();
        bench.fails(wait.function, json!({}), InvalidInput).await;
        input["timeout"] = json!(-1);
        bench.fails(wait.function, input.clone(), InvalidInput).await;
        if wait.by == "path" {
            bench
                .fails(
                    wait.function,
                    json!({"path": "/infra/domains/default/groups/g"}),
                    InvalidInput,
                )
                .await;
        }
        assert_eq!(bench.requests(), [""; 0], "{}", wait.function);
    }
}

#[tokio::test(start_paused = true)]
async fn a_segment_is_returned_with_its_network_name() {
    const FUNCTION: &str = "getPolicySegmentRealization";
    let project = "/orgs/default/projects/dev/infra/segments";
    let bench = World::local()
        .bare()
        .with("/infra/segments", json!({"id": "one", "display_name": "name"}))
        .with(project, json!({"id": "one", "display_name": "in-project"}))
        .with(
            "/infra/tier-1s/t/segments",
            json!({"id": "fixed", "display_name": "fixed"}),
        )
        .start();
    for (input, name) in [
        (json!({"path": "/infra/segments/one"}), "name"),
        (
            json!({"path": format!("{project}/one"), "context": {"projectId": "dev"}}),
            "in-project",
        ),
    ] {
        let output = bench.answer(FUNCTION, input).await;
        assert_eq!(output["state"], "success");
        assert_eq!(output["networkName"], name);
    }
    let requests = bench.requests();
    let state = requests
        .iter()
        .find(|request| request.contains("/state"))
        .unwrap();
    assert!(
        state.contains(&format!("enforcement_point_path={POINT}")),
        "{state}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_appliances_of_a_cluster_are_awaited_as_well() {
    const FUNCTION: &str = "getPolicyVirtualNetworkApplianceClusterRealization";
    let cluster = format!("{POINT}/virtual-network-appliance-clusters/c");
    let appliances = format!("{cluster}/virtual-network-appliances");
    let state = |state: &str| json!({"virtual_network_appliance_state": {"configuration_state": {"consolidated_status": state}}});
    let mut world = World::local()
        .bare()
        .with(
            &format!("{POINT}/virtual-network-appliance-clusters"),
            json!({"id": "c"}),
        )
        .with(&appliances, json!({"id": "a"}))
        .with(&appliances, json!({"id": "b"}));
    let script = Script::new(state("IN_PROGRESS")).then_after(Duration::from_secs(60), state("SUCCESS"));
    world.inventory = world
        .inventory
        .with_script(&format!("{appliances}/b/state"), script);
    let bench = world.start();
    let started = Instant::now();
    let output = bench.answer(FUNCTION, json!({"path": cluster})).await;
    assert_eq!(output["state"], "SUCCESS");
    assert_eq!(
        output["vnaPaths"],
        json!([format!("{appliances}/a"), format!("{appliances}/b")])
    );
    assert!(
        started.elapsed() >= Duration::from_secs(60),
        "{:?}",
        started.elapsed()
    );
}

fn entity(id: &str, entity_type: &str, state: &str, intent: &str) -> Value {
    json!({
        "id": id, "display_name": id, "entity_type": entity_type, "state": state, "intent_paths": [intent],
        "realization_specific_identifier": format!("real-{id}"),
    })
}

#[tokio::test(start_paused = true)]
async fn the_realization_of_any_object_is_awaited() {
    const FUNCTION: &str = "getPolicyRealizationInfo";
    let (one, two) = ("/infra/segments/one", "/infra/segments/two");
    let project = "/orgs/default/projects/dev/infra";
    let own = "/orgs/default/projects/dev";
    let bench = World::local()
        .bare()
        .with(ENTITIES, entity("a", "First", "REALIZED", one))
        .with(ENTITIES, entity("b", "Second", "UNREALIZED", one))
        .with(ENTITIES, entity("c", "First", "ERROR", two))
        .with(
            &format!("{project}{}", &ENTITIES[6..]),
            entity("d", "First", "REALIZED", &format!("{project}/segments/one")),
        )
        .with(
            &format!("{project}{}", &ENTITIES[6..]),
            entity("e", "First", "REALIZED", own),
        )
        .start();
    for (input, state, entity_type, id) in [
        (json!({"path": one}), "REALIZED", "First", "real-a"),
        (
            json!({"path": one, "entityType": "first"}),
            "REALIZED",
            "First",
            "real-a",
        ),
        (json!({"path": two}), "ERROR", "First", "real-c"),
        (
            json!({"path": format!("{project}/segments/one"), "context": {"projectId": "dev"}}),
            "REALIZED",
            "First",
            "real-d",
        ),
        (json!({"path": own}), "REALIZED", "First", "real-e"),
    ] {
        let output = bench.answer(FUNCTION, input.clone()).await;
        for (name, value) in [("state", state), ("entityType", entity_type), ("realizedId", id)] {
            assert_eq!(output[name], value, "{input}");
        }
        for request in bench.requests() {
            let path = request.split(' ').nth(1).unwrap();
            let intent = format!("intent_path={}", input["path"].as_str().unwrap());
            assert!(
                path.ends_with("/infra/realized-state/realized-entities") && request.contains(&intent),
                "{request}"
            );
        }
    }
    // An entity that is not realized yet, and one that appears later.
    let manager = Arc::clone(&bench.manager);
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(30)).await;
        manager
            .update(&format!("{ENTITIES}/b"), json!({"state": "REALIZED"}))
            .unwrap();
        manager
            .add(ENTITIES, entity("e", "Third", "REALIZED", one))
            .unwrap();
    });
    let started = Instant::now();
    let output = bench
        .answer(FUNCTION, json!({"path": one, "entityType": "Second"}))
        .await;
    assert_eq!(output["realizedId"], "real-b");
    assert!(started.elapsed() >= Duration::from_secs(30));
    assert_eq!(
        bench
            .answer(FUNCTION, json!({"path": one, "entityType": "Third"}))
            .await["realizedId"],
        "real-e"
    );
    let none = json!({"path": one, "entityType": "None", "timeout": 10});
    let text = bench.fails(FUNCTION, none, DeadlineExceeded).await;
    assert!(text.contains("their types are First, Second, Third"), "{text}");
    bench.requests();
    bench.fails(FUNCTION, json!({"path": "one"}), InvalidInput).await;
    assert_eq!(bench.requests(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn realizations_on_a_global_manager_are_those_of_a_site() {
    for (function, by) in [
        ("getPolicyRealizationInfo", "path"),
        ("getPolicyGatewayInterfaceRealization", "gatewayInterfacePath"),
    ] {
        let path = "/global-infra/tier-0s/t/locale-services/l/interfaces/i";
        let entities = "/global-infra/realized-state/realized-entities";
        let bench = World::global()
            .bare()
            .with(entities, entity("a", "First", "REALIZED", path))
            .start();
        let output = bench
            .answer(
                function,
                json!({by: path, "sitePath": "/global-infra/sites/paris"}),
            )
            .await;
        assert_eq!(output["state"], "REALIZED");
        let requests = bench.requests();
        let url = format!("GET /global-manager/api/v1{entities} ");
        assert!(requests[0].starts_with(&url), "{requests:?}");
        assert!(
            requests[0].contains("site_path=/global-infra/sites/paris"),
            "{requests:?}"
        );
        bench.fails(function, json!({by: path}), InvalidInput).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_realized_interface_is_chosen_by_id_name_or_address() {
    const FUNCTION: &str = "getPolicyGatewayInterfaceRealization";
    let path = "/infra/tier-0s/t/locale-services/l/interfaces/i";
    let interface = |id: &str, name: &str, addresses: &[&str]| {
        let mut body = entity(id, "RealizedLogicalRouterPort", "REALIZED", path);
        body["display_name"] = json!(name);
        if !addresses.is_empty() {
            body["extended_attributes"] = json!([
                {"key": "IpAddresses", "values": addresses}, {"key": "MacAddress", "values": ["02:50:56:00:00:01"]},
            ]);
        }
        body
    };
    let bench = World::local()
        .bare()
        .with(ENTITIES, interface("a", "port", &[]))
        .with(
            ENTITIES,
            interface("b", "uplink", &["192.0.2.2/24", "2001:db8::2/64"]),
        )
        .with(ENTITIES, interface("c", "uplink-twin-1", &["192.0.2.9/24"]))
        .with(ENTITIES, interface("d", "same", &[]))
        .with(ENTITIES, interface("e", "same", &[]))
        .with(
            ENTITIES,
            json!({"id": "f", "display_name": "nulls", "state": "REALIZED", "intent_paths": [path],
                "entity_type": null, "extended_attributes": null}),
        )
        .start();
    for (selector, addresses) in [
        (json!({}), vec!["192.0.2.2/24", "2001:db8::2/64"]),
        (
            json!({"displayName": "uplink"}),
            vec!["192.0.2.2/24", "2001:db8::2/64"],
        ),
        (json!({"displayName": "twin"}), vec!["192.0.2.9/24"]),
        (json!({"id": "c"}), vec!["192.0.2.9/24"]),
        (json!({"id": "a"}), vec![]),
    ] {
        for by in ["gatewayInterfacePath", "gatewayPath"] {
            let mut input = selector.clone();
            input[by] = json!(path);
            let output = bench.answer(FUNCTION, input.clone()).await;
            assert_eq!(output["state"], "REALIZED");
            assert_eq!(output["ipAddress"], json!(addresses), "{input}");
            let mac = if addresses.is_empty() {
                ""
            } else {
                "02:50:56:00:00:01"
            };
            assert_eq!(output["macAddress"], mac, "{input}");
        }
    }
    let nulls = json!({"gatewayInterfacePath": path, "displayName": "nulls"});
    assert_eq!(bench.answer(FUNCTION, nulls).await["ipAddress"], json!([]));
    for name in ["same", "upl"] {
        let several = json!({"gatewayInterfacePath": path, "displayName": name});
        let text = bench.fails(FUNCTION, several, Ambiguous).await;
        assert!(text.contains("several realized entities"), "{text}");
    }
    let missing = json!({"gatewayInterfacePath": path, "id": "missing", "timeout": 20});
    bench.fails(FUNCTION, missing, DeadlineExceeded).await;
    bench.requests();
    bench.fails(FUNCTION, json!({}), InvalidInput).await;
    bench
        .fails(
            FUNCTION,
            json!({"gatewayInterfacePath": path, "gatewayPath": path}),
            InvalidInput,
        )
        .await;
    assert_eq!(bench.requests(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn checks_after_an_upgrade_are_awaited_and_failures_listed() {
    const FUNCTION: &str = "getUpgradePostcheck";
    let group =
        |id: &str, kind: &str, status: Value| json!({"id": id, "type": kind, "post_upgrade_status": status});
    let done = |failures: u64| json!({"status": "COMPLETED", "failure_count": failures, "details": "text"});
    let bench = World::local()
        .bare()
        .with(AGGREGATE, group("good", "EDGE", done(0)))
        .with(AGGREGATE, group("bad", "EDGE", done(2)))
        .with(AGGREGATE, group("late", "EDGE", json!({"status": "IN_PROGRESS"})))
        .with(AGGREGATE, group("host", "HOST", done(1)))
        .start();
    let manager = Arc::clone(&bench.manager);
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(100)).await;
        let status = json!({"post_upgrade_status": {"status": "NOT_STARTED", "node_with_issues_count": 1}});
        manager.update(&format!("{AGGREGATE}/late"), status).unwrap();
    });
    let started = Instant::now();
    let output = bench
        .answer(FUNCTION, json!({"upgradeRunId": "run", "type": "EDGE"}))
        .await;
    assert!(
        started.elapsed() >= Duration::from_secs(100),
        "{:?}",
        started.elapsed()
    );
    let failed: Vec<(&str, &str, u64)> = output["failedGroup"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| {
            let text = |name: &str| group[name].as_str().unwrap();
            (
                text("id"),
                text("status"),
                group["failureCount"].as_u64().unwrap(),
            )
        })
        .collect();
    let mut sorted = failed.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [("bad", "COMPLETED", 2), ("late", "NOT_STARTED", 1)]);
    for request in bench.requests() {
        let expected =
            request.starts_with(&format!("GET {AGGREGATE} ")) && request.contains("component_type=EDGE");
        assert!(expected || request.ends_with("/node/version"), "{request}");
    }
    let hosts = bench
        .answer(FUNCTION, json!({"upgradeRunId": "run", "type": "HOST"}))
        .await;
    assert_eq!(hosts["failedGroup"][0]["id"], "host");
    bench.requests();
    bench
        .fails(
            FUNCTION,
            json!({"upgradeRunId": "run", "type": "MP"}),
            InvalidInput,
        )
        .await;
    bench.fails(FUNCTION, json!({"type": "EDGE"}), InvalidInput).await;
    assert_eq!(bench.requests(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn failed_checks_on_every_page_are_listed() {
    let mut world = World::local().bare();
    world.settings.max_page_size = 1;
    for id in ["a", "b", "c"] {
        let status = json!({"status": "COMPLETED", "failure_count": "1", "details": null});
        world = world.with(
            AGGREGATE,
            json!({"id": id, "type": "EDGE", "post_upgrade_status": status}),
        );
    }
    let output = world
        .start()
        .answer(
            "getUpgradePostcheck",
            json!({"upgradeRunId": "run", "type": "EDGE"}),
        )
        .await;
    let failed = json!({"details": "", "failureCount": 1, "status": "COMPLETED"});
    let groups = output["failedGroup"].as_array().unwrap();
    let ids: Vec<&str> = groups.iter().map(|group| group["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "b", "c"]);
    for (name, value) in failed.as_object().unwrap() {
        assert_eq!(groups[0][name], *value);
    }
}
