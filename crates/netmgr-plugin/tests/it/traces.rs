//! Spans of lookups, as the engine's collector gets them.

use netmgr_sim::DEFAULT_PASSWORD;
use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_testing::Collector;
use pulumi_testing::bags::{bag, secret};
use serde_json::{Value, json};

use crate::plugin::{Plugin, manager, settings};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";
const ID: &str = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001";
const SECRET_ID: &str = "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0002";

/// Calls functions one after the other, each below the engine's span, and returns what was collected by the
/// plugin's end.
async fn traced(calls: &[(&str, Value)]) -> Collector {
    let (manager, collector) = (manager().await, Collector::default());
    let address = collector.serve().await;
    let environment = [
        ("PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT", address.as_str()),
        // On a busy machine the default loses spans.
        ("OTEL_BSP_EXPORT_TIMEOUT", "60000"),
    ];
    let mut plugin = Plugin::start_with(environment).await;
    plugin.configure(settings(&manager, json!({}))).await.unwrap();
    for (function, args) in calls {
        let mut request = tonic::Request::new(rpc::InvokeRequest {
            tok: format!("netmgr:index/{function}:{function}"),
            args: bag(args.clone()),
            preview: false,
        });
        let context = format!("00-{TRACE}-{PARENT}-01").parse().unwrap();
        request.metadata_mut().insert("traceparent", context);
        let answer = plugin.client.clone().invoke(request).await.unwrap();
        assert!(answer.into_inner().failures.is_empty(), "{function}");
    }
    // The engine has ended.
    drop(plugin.process.stdin.take());
    assert!(plugin.process.wait().await.unwrap().success());
    collector
}

#[tokio::test]
async fn traces_have_a_span_per_lookup_below_the_engines_with_its_requests_below_it() {
    let collector = traced(&[("getComputeManager", json!({ "id": ID }))]).await;
    let [call] = &collector.named("invoke")[..] else {
        panic!("{}", collector.list())
    };
    assert_eq!((call.trace.as_str(), call.parent.as_str()), (TRACE, PARENT));
    assert_eq!(call.service, "pulumi-resource-netmgr");
    assert_eq!(call.attributes["function"], "getComputeManager");

    let [lookup] = &collector.named("lookup")[..] else {
        panic!("{}", collector.list())
    };
    assert_eq!(lookup.parent, call.id);
    // Requests are below the round of the lane that sent them.
    let rounds: Vec<_> = collector
        .named("round")
        .into_iter()
        .filter(|round| round.parent == lookup.id)
        .map(|round| round.id)
        .collect();
    let requests: Vec<_> = collector
        .named("request")
        .into_iter()
        .filter(|request| rounds.contains(&request.parent))
        .collect();
    assert!(!requests.is_empty(), "{}", collector.list());
    for request in requests {
        assert_eq!(request.trace, TRACE);
        assert_eq!(request.attributes["method"], "GET");
        assert!(request.attributes["path"].starts_with("/api/v1/"), "{request:?}");
    }
}

#[tokio::test]
async fn traces_hold_no_secret() {
    let collector = traced(&[
        (
            "getPolicyCertificate",
            json!({ "context": { "projectId": "dev" }, "displayName": "lb-cert-web" }),
        ),
        ("getComputeManager", json!({ "id": secret(json!(SECRET_ID)) })),
    ])
    .await;
    // The call has a span, but nothing below it has one.
    let functions: Vec<_> = collector
        .named("invoke")
        .iter()
        .map(|call| call.attributes["function"].clone())
        .collect();
    assert_eq!(functions, ["getPolicyCertificate", "getComputeManager"]);
    for span in collector.spans() {
        for hidden in [
            SECRET_ID,
            DEFAULT_PASSWORD,
            "JSESSIONID",
            "Basic ",
            "query=",
            "lb-cert-web",
            "127.0.0.1",
        ] {
            assert!(!span.whole.contains(hidden), "{hidden} is in {span:?}");
        }
    }
}

#[tokio::test]
async fn traces_of_a_collector_that_is_gone_hold_nothing_up() {
    // There is no listener.
    let variable = ("PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:1");
    let manager = manager().await;
    let mut plugin = Plugin::start_with([variable]).await;
    plugin.configure(settings(&manager, json!({}))).await.unwrap();
    plugin
        .invoke("getComputeManager", json!({ "id": ID }))
        .await
        .unwrap()
        .unwrap();
    drop(plugin.process.stdin.take());
    assert!(plugin.process.wait().await.unwrap().success());
}
