//! Points 4 to 7: where settings come from, which take precedence, which stay secret, and which are rejected.

use netmgr_sim::{DEFAULT_PASSWORD, Simulator};
use serde_json::json;

use super::support::{Stack, manager, serve, tools};

/// A manager whose first answer to a lookup is a status that only a configured list repeats.
async fn teapot() -> Simulator {
    let fault = "GET /api/v1/fabric/* status=418 count=2".parse().unwrap();
    serve(Simulator::builder().fault(fault)).await
}

const QUESTION: &str = r#"[{"function": "getComputeManager", "arguments": {"displayName": "vc-prod"}}]"#;

#[tokio::test(flavor = "multi_thread")]
async fn stack_configuration_arrives_from_every_form() {
    let tools = tools!("stack_configuration_arrives_from_every_form");
    for list in [
        ("netmgr:retryOnStatusCodes[0]", "418", &["--path"][..]),
        ("netmgr:retryOnStatusCodes", "[418]", &[]),
    ] {
        let manager = teapot().await;
        let stack = Stack::of(tools, "ask-typescript").await;
        stack.configure(&[], "netmgr:host", &manager.host()).await;
        stack.configure(&[], "netmgr:username", "admin").await;
        stack
            .configure(&["--secret"], "netmgr:password", DEFAULT_PASSWORD)
            .await;
        stack.configure(&[], "netmgr:ca", manager.ca_pem().unwrap()).await;
        stack.configure(&[], "netmgr:onDemandConnection", "true").await;
        stack.configure(&[], "netmgr:maxRetries", "2").await;
        let (key, value, options) = list;
        stack.configure(options, key, value).await;
        stack.configure(&[], "ask", QUESTION).await;
        stack.up().await.succeeded();
        assert_eq!(
            stack.outputs().await["answers"][0]["server"],
            "vc-prod.lab.example",
            "{key}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_explicit_provider_of_a_typescript_program_is_configured() {
    let tools = tools!("an_explicit_provider_of_a_typescript_program_is_configured");
    let manager = teapot().await;
    let stack = Stack::of(tools, "ask-typescript").await;
    stack
        .ask(&json!([{
            "function": "getComputeManager",
            "arguments": {"displayName": "vc-prod"},
            "provider": {
                "host": manager.host(),
                "username": "admin",
                "password": DEFAULT_PASSWORD,
                "ca": manager.ca_pem(),
                "maxRetries": 2,
                "retryOnStatusCodes": [418],
                "toleratePartialSuccess": true,
                "onDemandConnection": true,
            },
        }]))
        .await;
    stack.up().await.succeeded();
    assert_eq!(
        stack.outputs().await["answers"][0]["server"],
        "vc-prod.lab.example"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_explicit_provider_of_a_python_program_is_configured() {
    let tools = tools!("an_explicit_provider_of_a_python_program_is_configured");
    let manager = teapot().await;
    let stack = Stack::of(tools, "provider-python").await;
    stack.configure(&[], "host", &manager.host()).await;
    stack.configure(&[], "ca", manager.ca_pem().unwrap()).await;
    stack.configure(&["--secret"], "password", DEFAULT_PASSWORD).await;
    stack.up().await.succeeded();
    assert_eq!(stack.outputs().await["server"], "vc-prod.lab.example");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_environment_completes_the_configuration_and_yields_to_it() {
    let tools = tools!("the_environment_completes_the_configuration_and_yields_to_it");
    let manager = manager().await;
    let mut stack = Stack::of(tools, "ask-python").await;
    stack.configure(&[], "ask", QUESTION).await;
    // All from the environment: none of them is in the state.
    stack.point_at(&manager);
    stack.up().await.succeeded();
    assert_eq!(
        stack.outputs().await["answers"][0]["server"],
        "vc-prod.lab.example"
    );
    let [provider] = &stack.providers().await[..] else {
        panic!("one provider");
    };
    let names: Vec<_> = provider.as_object().unwrap().keys().collect();
    assert!(
        names
            .iter()
            .all(|name| ["__internal", "version"].contains(&name.as_str())),
        "{names:?}"
    );
    // A part from the configuration, which takes precedence.
    stack.configure(&[], "netmgr:host", &manager.host()).await;
    stack.set("NETMGR_HOST", "manager.invalid");
    stack.up().await.succeeded();
    assert_eq!(
        stack.outputs().await["answers"][0]["server"],
        "vc-prod.lab.example"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_stay_out_of_the_state_and_the_output() {
    let tools = tools!("secrets_stay_out_of_the_state_and_the_output");
    let manager = manager().await;
    let mut stack = Stack::of(tools, "secret-typescript").await;
    stack.point_at(&manager);
    // Written without --secret: the schema marks it as one.
    stack
        .configure(&["--plaintext"], "netmgr:password", DEFAULT_PASSWORD)
        .await;
    stack.configure(&["--secret"], "displayName", "vc-prod").await;
    let reported = stack.up().await.succeeded();
    reported.never_says(DEFAULT_PASSWORD).never_says("vc-prod");
    let state = stack.exported().await;
    assert!(
        !state.contains(DEFAULT_PASSWORD) && !state.contains("vc-prod"),
        "{state}"
    );
    assert!(stack.providers().await[0]["password"]["ciphertext"].is_string());
    assert_eq!(stack.outputs().await["found"], "vc-prod.lab.example");
    // A failure does not quote it either.
    stack.configure(&["--secret"], "displayName", "hunter2").await;
    let reported = stack.up().await.failed();
    reported
        .says("getComputeManager")
        .says("[secret]")
        .never_says("hunter2");
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_and_contradictory_configuration_is_explained() {
    let tools = tools!("missing_and_contradictory_configuration_is_explained");
    let stack = Stack::of(tools, "shapes-typescript").await;
    let missing = stack.preview().await.failed();
    missing
        .says("netmgr:host")
        .says("netmgr:username")
        .says("netmgr:password")
        .says("Host name or IP address of the manager");

    stack.configure(&[], "netmgr:host", "manager.example.com").await;
    stack
        .configure(&["--secret"], "netmgr:cloudToken", "hunter2")
        .await;
    stack.configure(&[], "netmgr:cloudClientId", "app").await;
    stack.configure(&[], "netmgr:maxRetries", "many").await;
    let wrong = stack.preview().await.failed();
    wrong
        .says("maxRetries")
        .says("whole number")
        .never_says("hunter2");

    stack.configure(&[], "netmgr:maxRetries", "4").await;
    let contradictory = stack.preview().await.failed();
    contradictory
        .says("cloudToken")
        .says("cannot be used together with `cloudClientId`")
        .never_says("hunter2");
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_in_settings_of_every_type_appear_nowhere() {
    let tools = tools!("secrets_in_settings_of_every_type_appear_nowhere");
    let stack = Stack::of(tools, "ask-typescript").await;
    stack.configure(&[], "ask", QUESTION).await;
    stack
        .configure(&["--secret"], "netmgr:maxRetries", "hunter2")
        .await;
    let refused = stack.preview().await.failed();
    refused
        .says("maxRetries: must be a whole number")
        .never_says("hunter2");

    // An address without a listener.
    stack.configure(&["--secret"], "netmgr:host", "127.0.0.1:1").await;
    stack.configure(&[], "netmgr:username", "admin").await;
    stack
        .configure(&["--secret"], "netmgr:password", DEFAULT_PASSWORD)
        .await;
    stack.configure(&[], "netmgr:maxRetries", "0").await;
    stack.up().await.succeeded().never_says("127.0.0.1:1");
    let error = stack.outputs().await["answers"][0]["error"].to_string();
    assert!(
        error.contains("on [redacted]") && !error.contains("127.0.0.1:1"),
        "{error}"
    );
}
