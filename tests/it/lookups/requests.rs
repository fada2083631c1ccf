//! The number of requests of a lookup over a connection, and their appearance to a real server.

use http::Method;
use netmgr_lookups::{Call, ErrorKind, Lookups};
use netmgr_sim::{
    Inventory, Manager, ManagerKind, ManagerSettings, RequestCounters, ServerCertificate, Simulator, User,
};
use netmgr_transport::Client;
use netmgr_types::ProviderConfig;
use serde_json::json;

/// A configuration that points at `simulator`.
fn config(simulator: &Simulator) -> ProviderConfig {
    let env: std::collections::HashMap<&str, String> = simulator.env().into_iter().collect();
    let mut config = ProviderConfig::new(&env["NETMGR_HOST"])
        .username(&env["NETMGR_USERNAME"])
        .password(env["NETMGR_PASSWORD"].as_str())
        .on_demand_connection(true);
    config.ca = env.get("NETMGR_CA").cloned();
    config
}

fn lookups(config: ProviderConfig) -> Lookups {
    let connection = config.resolve().expect("a valid configuration");
    Lookups::new(Client::builder(connection).build().expect("a client"))
}

/// Requests by path that a cold lookup sends.
async fn cold(session: bool, function: &str, input: serde_json::Value) -> RequestCounters {
    let simulator = Simulator::builder().start().await.unwrap();
    let config = config(&simulator).session_auth(session);
    let answer = lookups(config).invoke(function, input, &Call::default()).await;
    answer.unwrap_or_else(|error| panic!("{function}: {error}"));
    simulator.counters()
}

#[tokio::test]
async fn a_cold_lookup_that_finds_its_object_costs_one_request_with_basic_and_two_with_a_session() {
    for (function, input) in [
        ("getPolicyCertificate", json!({"id": "lb-cert"})),
        ("getPolicyCertificate", json!({"displayName": "lb-cert"})),
        ("getPolicyEdgeCluster", json!({"displayName": "edge"})),
        ("getIpPool", json!({"displayName": "tep-pool"})),
        ("getDiscoveredNode", json!({"ipAddress": "198.51.100.42"})),
        ("getManagerInfo", json!({})),
        ("getManagementCluster", json!({})),
        ("getNsGroups", json!({})),
    ] {
        let basic = cold(false, function, input.clone()).await;
        assert_eq!(basic.total_requests(), 1, "{function}: {:?}", basic.requests);
        let session = cold(true, function, input).await;
        assert_eq!(session.total_requests(), 2, "{function}: {:?}", session.requests);
        assert_eq!((session.logins, session.double_credentials), (1, 0));
    }
}

#[tokio::test]
async fn the_version_is_asked_for_once_and_only_by_functions_that_need_it() {
    let simulator = Simulator::builder().start().await.unwrap();
    let lookups = lookups(config(&simulator));
    let call = Call::default();
    let versions = || {
        simulator
            .counters()
            .requests_to(&Method::GET, "/api/v1/node/version")
    };
    lookups
        .invoke("getPolicyCertificate", json!({"id": "lb-cert"}), &call)
        .await
        .unwrap();
    assert_eq!(versions(), 0);
    let gated = || lookups.invoke("getPolicyEdgeTransportNode", json!({"id": "edge-01"}), &call);
    let (one, other) = tokio::join!(gated(), gated());
    assert_eq!(one.unwrap(), other.unwrap());
    gated().await.unwrap();
    assert_eq!(versions(), 1);
    assert_eq!(simulator.counters().writes, 0);
}

#[tokio::test]
async fn a_function_that_is_not_available_sends_nothing_not_even_a_login() {
    let simulator = Simulator::builder().start().await.unwrap();
    let config = config(&simulator).global_manager(true);
    let answer = lookups(config)
        .invoke("getPolicyBridgeProfile", json!({"id": "x"}), &Call::default())
        .await;
    assert_eq!(answer.unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(simulator.counters().connections, 0);
}

#[tokio::test]
async fn a_failed_login_is_neither_of_the_fixed_texts() {
    for session in [true, false] {
        let simulator = Simulator::builder().start().await.unwrap();
        let config = config(&simulator).password("wrong").session_auth(session);
        let input = json!({"clusterId": "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20"});
        let answer = lookups(config)
            .invoke("getPolicyClusterSecurityConfig", input, &Call::default())
            .await;
        let error = answer.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unauthenticated, "{error}");
        assert!(!error.to_string().contains("not found"), "{error}");
        assert_eq!(simulator.counters().failed_logins, 1);
    }
}

#[tokio::test]
async fn an_account_without_the_role_is_cluster_not_found() {
    let user = User::local("reader", "secret").denied("/policy/api/v1/infra/settings/");
    let simulator = Simulator::builder().user(user).start().await.unwrap();
    let input = json!({"clusterId": "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20"});
    let answer = lookups(config(&simulator))
        .invoke("getPolicyClusterSecurityConfig", input, &Call::default())
        .await;
    assert_eq!(answer.unwrap_err().to_string(), "Cluster not found");
}

#[tokio::test]
async fn awkward_names_and_ids_survive_the_url() {
    let simulator = Simulator::builder()
        .tls(ServerCertificate::Valid)
        .start()
        .await
        .unwrap();
    let lookups = lookups(config(&simulator));
    for number in 1..=9 {
        let id = format!("dhcp-name-{number}");
        let call = Call::default();
        let by_id = lookups
            .invoke("getPolicyDhcpServer", json!({"id": id}), &call)
            .await
            .unwrap();
        let by_name = json!({"displayName": by_id["displayName"]});
        let found = lookups
            .invoke("getPolicyDhcpServer", by_name, &call)
            .await
            .unwrap();
        assert_eq!(found, by_id);
    }
    let input = json!({"displayName": "Rack (2)/Zürich"});
    let found = lookups
        .invoke("getComputeCollection", input, &Call::default())
        .await
        .unwrap();
    assert_eq!(found["cmLocalId"], "domain-c42");
}

#[tokio::test]
async fn the_hosted_cloud_is_reached_behind_its_path_prefix() {
    let settings = ManagerSettings {
        kind: ManagerKind::HostedCloud,
        refuses_version: true,
        ..ManagerSettings::default()
    };
    let simulator = Simulator::builder()
        .manager(Manager::new(settings, Inventory::default()))
        .path_prefix("/vmc/reverse-proxy/sks-nsxt-manager")
        .start()
        .await
        .unwrap();
    let mut config = config(&simulator)
        .cloud_auth_mode("Basic")
        .enforcement_point("vmc-enforcementpoint");
    config.on_demand_connection = None;
    let lookups = lookups(config);
    let call = Call::default();
    let found = lookups
        .invoke("getPolicyEdgeCluster", json!({"displayName": "sddc-edge"}), &call)
        .await;
    assert_eq!(found.unwrap()["description"], "Edge cluster of the hosted cloud");
    // The version request is rejected; a search determines that the version is at least 3.0.0.
    let found = lookups
        .invoke("getPolicyBfdProfile", json!({"displayName": "bfd-fast"}), &call)
        .await;
    assert_eq!(found.unwrap()["id"], "fast-bfd");
}

#[tokio::test]
async fn a_call_that_is_cancelled_drops_its_request() {
    let slow = "* /api/v1/pools/ip-pools delay=60s".parse().unwrap();
    let simulator = Simulator::builder().fault(slow).start().await.unwrap();
    let lookups = lookups(config(&simulator));
    let call = Call::default();
    let cancel = call.cancel.clone();
    let lookup = lookups.invoke("getIpPool", json!({"displayName": "tep-pool"}), &call);
    let interrupt = async {
        while simulator
            .counters()
            .requests_to(&Method::GET, "/api/v1/pools/ip-pools")
            == 0
        {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
    };
    let (answer, ()) = tokio::join!(lookup, interrupt);
    assert_eq!(answer.unwrap_err().kind(), ErrorKind::Cancelled);
}
