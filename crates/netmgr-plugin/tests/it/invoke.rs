//! Invoke: results and failures.

use std::time::Duration;

use netmgr_sim::{Inventory, Manager, ManagerSettings};
use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_testing::bags::{UNKNOWN, secret};
use serde_json::json;
use tonic::Code;

use crate::plugin::{Plugin, manager, serve, settings};

/// A plugin that is configured for a manager.
async fn configured(manager: &netmgr_sim::Simulator) -> Plugin {
    let plugin = Plugin::start().await;
    plugin.configure(settings(manager, json!({}))).await.unwrap();
    plugin
}

#[tokio::test]
async fn a_result_has_what_the_function_returns() {
    let manager = manager().await;
    let plugin = configured(&manager).await;
    let found = plugin
        .invoke("getComputeManager", json!({"displayName": "vc-prod", "id": null}))
        .await;
    let expected = json!({
        "description": "Production vCenter", "displayName": "vc-prod",
        "id": "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001", "server": "vc-prod.lab.example",
    });
    assert_eq!(found.unwrap(), Ok(expected));
}

#[tokio::test]
async fn what_a_secret_led_to_is_secret() {
    let manager = manager().await;
    let plugin = configured(&manager).await;
    let arguments = json!({"context": {"projectId": secret(json!("dev"))}, "displayName": "demoprof"});
    let found = plugin
        .invoke("getPolicyContextProfile", arguments)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found["id"], secret(json!("demoprof")));
    assert!(
        found
            .as_object()
            .unwrap()
            .values()
            .all(|value| value.get("value").is_some()),
        "{found}"
    );
}

#[tokio::test]
async fn an_object_with_its_secrets_is_secret() {
    let mut inventory = Inventory::default();
    let members = include_str!("../../../../tests/it/secret-members.json");
    inventory.add_document(members).unwrap();
    let lab = Manager::new(ManagerSettings::default(), inventory);
    let manager = serve(netmgr_sim::Simulator::builder().manager(lab)).await;
    let plugin = configured(&manager).await;
    let invoke = |sensitive| {
        let arguments = json!({"path": "/infra/segments/lab", "includeSensitive": sensitive});
        plugin.invoke("getPolicyObject", arguments)
    };
    let plain = invoke(false).await.unwrap().unwrap();
    assert_eq!(plain["object"]["id"], "lab");
    assert!(!plain.to_string().contains("hidden-"), "{plain}");
    let mut whole = invoke(true).await.unwrap().unwrap();
    let object = whole["object"].take();
    assert_eq!(object["value"]["psk"], "hidden-18");
    assert_eq!(object, secret(object["value"].clone()));
    assert_eq!(whole["id"], "lab");
    assert!(!whole.to_string().contains("hidden-"), "{whole}");
}

#[tokio::test]
async fn with_an_unknown_argument_nothing_is_asked_and_nothing_answered() {
    let manager = manager().await;
    let plugin = Plugin::start().await;
    plugin
        .configure(settings(&manager, json!({"onDemandConnection": true})))
        .await
        .unwrap();
    let arguments = json!({"context": {"projectId": UNKNOWN}, "displayName": "demoprof"});
    let answer = plugin
        .preview("getPolicyContextProfile", arguments)
        .await
        .unwrap();
    assert_eq!(answer, Ok(json!({})));
    assert_eq!(manager.counters().connections, 0);
}

#[tokio::test]
async fn wrong_arguments_are_an_error_with_their_paths_and_without_secrets() {
    let manager = manager().await;
    let plugin = configured(&manager).await;
    let secret_timeout = json!({"id": "x", "timeout": secret(json!("hunter2"))});
    let in_context = json!({"context": {"projectId": "a/b"}, "displayName": "x"});
    for (function, wrong, path) in [
        ("getComputeManagerRealization", secret_timeout, "timeout: "),
        ("getPolicyContextProfile", in_context, "context.projectId: "),
        ("getDiscoveredNode", json!({"ipAdress": "x"}), "ipAdress"),
        // Unknown arguments that the engine dropped look like missing ones.
        ("getPolicyClusterSecurityConfig", json!({}), "clusterId: "),
    ] {
        // An error rather than failures, which direct calls of functions do not show.
        let refused = plugin.invoke(function, wrong).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
        let text = refused.message();
        assert!(
            text.starts_with("invalid input: ") && text.contains(path),
            "{text}"
        );
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[tokio::test]
async fn a_failed_lookup_names_the_object_and_the_causes() {
    let manager = serve(
        netmgr_sim::Simulator::builder().fault(
            "GET /api/v1/fabric/compute-managers* status=500 message=disk_full"
                .parse()
                .unwrap(),
        ),
    )
    .await;
    let plugin = Plugin::start().await;
    plugin
        .configure(settings(&manager, json!({"maxRetries": 1})))
        .await
        .unwrap();
    let arguments = json!({"displayName": secret(json!("hunter2")), "description": "d"});
    let failed = plugin.invoke("getComputeManager", arguments).await.unwrap_err();
    assert_eq!(failed.code(), Code::FailedPrecondition);
    for part in [
        "disk full",
        "500",
        "2 attempts",
        "compute managers by display name",
    ] {
        assert!(failed.message().contains(part), "{part}: {}", failed.message());
    }
    // The engine adds the function.
    for part in ["getComputeManager", "description"] {
        assert!(!failed.message().contains(part), "{part}: {}", failed.message());
    }
    assert!(!failed.message().contains("hunter2"), "{}", failed.message());
}

#[tokio::test]
async fn a_secret_argument_is_in_no_request_that_answers_another_lookup() {
    let manager = manager().await;
    let plugin = configured(&manager).await;
    let profile = async |name| {
        let found = plugin.invoke("getPolicyContextProfile", json!({"displayName": name}));
        found.await.map(drop)
    };
    let found = tokio::join!(
        profile(json!("demoprof")),
        profile(secret(json!("hunter2"))),
        profile(json!("demoprof")),
    );
    found.0.unwrap();
    found.1.unwrap_err();
    found.2.unwrap();
    let queries = manager.requests().into_iter().filter_map(|request| request.query);
    let hidden: Vec<String> = queries.filter(|query| query.contains("hunter2")).collect();
    let [query] = &hidden[..] else {
        panic!("{hidden:?}")
    };
    assert!(!query.contains("demoprof"), "{query}");
}

#[tokio::test]
async fn nothing_found_and_fixed_texts_are_reported() {
    let manager = manager().await;
    let plugin = configured(&manager).await;
    let failed = plugin
        .invoke("getComputeManager", json!({"displayName": "nowhere"}))
        .await
        .unwrap_err();
    assert_eq!(
        failed.message(),
        r#"no compute manager has display name "nowhere"; check the inputs; names are case-sensitive"#
    );
    let failed = plugin
        .invoke("getPolicyClusterSecurityConfig", json!({"clusterId": "nowhere"}))
        .await
        .unwrap_err();
    assert!(
        failed.message().starts_with("Cluster not found"),
        "{}",
        failed.message()
    );
}

#[tokio::test]
async fn a_function_that_there_is_not_is_refused() {
    let manager = manager().await;
    let plugin = configured(&manager).await;
    let failed = plugin.invoke("getNothing", json!({})).await.unwrap_err();
    assert!(
        failed.message().contains("there is no function"),
        "{}",
        failed.message()
    );
}

#[tokio::test]
async fn warnings_reach_the_user() {
    let manager = manager().await;
    let plugin = configured(&manager).await;
    let arguments = json!({"id": "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0015", "delay": 0});
    plugin
        .invoke("getComputeManagerRealization", arguments)
        .await
        .unwrap()
        .unwrap();
    let warnings: Vec<_> = plugin
        .messages()
        .into_iter()
        .filter(|(severity, _, _)| *severity == 2)
        .collect();
    let [(_, text, false)] = &warnings[..] else {
        panic!("{warnings:?}");
    };
    assert!(
        text.starts_with("getComputeManagerRealization: ") && text.contains("orphaned"),
        "{text}"
    );
}

#[tokio::test]
async fn a_silent_log_of_the_engine_delays_no_answer() {
    let manager = manager().await;
    let plugin = configured(&manager).await;
    // It accepts connections and does not answer.
    let (_silent, port) = pulumi_testing::listen().await;
    let attachment = rpc::PluginAttach {
        address: format!("127.0.0.1:{port}"),
    };
    plugin.client.clone().attach(attachment).await.unwrap();
    let arguments = json!({"id": "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0015", "delay": 0});
    let lookup = plugin.invoke("getComputeManagerRealization", arguments);
    let found = tokio::time::timeout(Duration::from_secs(9), lookup).await;
    found
        .expect("sooner than its warning is dropped")
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn a_thousand_lookups_at_once_succeed_over_one_session() {
    let manager = manager().await;
    let plugin = configured(&manager).await;
    let lookups = (0..1000).map(|number| {
        let plugin = &plugin;
        let name = ["vc-prod", "vc-slow", "vc-error"][number % 3];
        async move {
            plugin
                .invoke("getComputeManager", json!({"displayName": name}))
                .await
        }
    });
    for found in futures_util::future::join_all(lookups).await {
        assert!(found.unwrap().is_ok());
    }
    let counters = manager.counters();
    assert_eq!(counters.logins, 1);
    assert_eq!(
        counters.statuses.keys().collect::<Vec<_>>(),
        [&200],
        "{:?}",
        counters.statuses
    );
}
