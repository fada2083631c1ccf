//! Traces of a whole deployment: the engine collects the spans of the plugins and passes them on with its own.

use std::collections::BTreeMap;

use netmgr_sim::DEFAULT_PASSWORD;
use pulumi_testing::{Collected, Collector};
use serde_json::json;

use super::cluster::{SERVICE_ACCOUNT_ROLE, resource, service_account};
use super::support::{Cloud, Stack, TRACES, manager, tools};

/// Runs an update whose spans are sent to a collector.
async fn update(stack: &mut Stack) -> Spans {
    let collector = Collector::default();
    let endpoint = format!("grpc://{}", collector.serve().await);
    // On a busy machine the default loses spans.
    stack.set("OTEL_BSP_EXPORT_TIMEOUT", "60000");
    let up = ["up", "--yes", "--skip-preview", "--non-interactive"];
    let traced = [&up[..], &["--otel-traces", &endpoint]].concat();
    stack.run(&traced).await.succeeded();
    let spans = collector.spans().into_iter();
    Spans(spans.map(|span| (span.id.clone(), span)).collect())
}

/// The spans of one update by their ids.
struct Spans(BTreeMap<String, Collected>);

impl Spans {
    /// The spans of a service with a name.
    fn named(&self, service: &str, name: &str) -> Vec<&Collected> {
        let spans = self.0.values();
        spans
            .filter(|span| span.service == service && span.name == name)
            .collect()
    }

    /// Names of the spans around `span`, from the innermost to the root.
    #[track_caller]
    fn around(&self, span: &Collected) -> Vec<&str> {
        let mut names = Vec::new();
        let mut inner = span;
        while !inner.parent.is_empty() {
            let parent = self.0.get(&inner.parent);
            let parent = parent.unwrap_or_else(|| panic!("the parent of {inner:?} was not collected"));
            assert_eq!(parent.trace, span.trace);
            names.push(parent.name.as_str());
            inner = parent;
        }
        names
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_of_an_update_leads_from_the_command_to_each_request() {
    let tools = tools!("a_trace_of_an_update_leads_from_the_command_to_each_request");
    if tools.lacks(
        "a_trace_of_an_update_leads_from_the_command_to_each_request",
        TRACES,
    ) {
        return;
    }
    let manager = manager().await;
    let mut stack = Stack::of(tools, "ask-typescript").await;
    stack.point_at(&manager);
    let call = |name: &str| json!({"function": "getComputeManager", "arguments": {"displayName": name}});
    stack.ask(&json!([call("vc-prod"), call("vc-lab")])).await;
    let spans = update(&mut stack).await;

    let plugin = "pulumi-resource-netmgr";
    let calls = spans.named(plugin, "invoke");
    assert_eq!(calls.len(), 2, "{calls:?}");
    for call in calls {
        assert_eq!(call.attributes["function"], "getComputeManager");
        let around = spans.around(call);
        assert!(around.last().is_some_and(|root| *root == "pulumi"), "{around:?}");
    }
    let lookups = spans.named(plugin, "lookup");
    assert_eq!(lookups.len(), 2);
    let mut requests = spans.named(plugin, "request");
    // Logins and logouts are shared by all lookups.
    requests.retain(|request| !request.attributes["path"].starts_with("/api/session/"));
    assert!(!requests.is_empty());
    for request in requests {
        let around = spans.around(request);
        assert!(
            around.starts_with(&["round", "lookup", "invoke"]),
            "{around:?}: {request:?}"
        );
    }
    for span in spans.0.values().filter(|span| span.service == plugin) {
        assert!(!span.whole.contains(DEFAULT_PASSWORD), "{span:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_of_an_update_has_a_span_for_each_child_of_a_component() {
    let tools = tools!("a_trace_of_an_update_has_a_span_for_each_child_of_a_component");
    if tools.lacks(
        "a_trace_of_an_update_has_a_span_for_each_child_of_a_component",
        TRACES,
    ) {
        return;
    }
    let mut cloud = Cloud::new(tools).await;
    cloud
        .list(&json!([resource(
            SERVICE_ACCOUNT_ROLE,
            "orders",
            service_account()
        )]))
        .await;
    let spans = update(&mut cloud.stack).await;
    let plugin = "pulumi-resource-clusterpkg";
    let [construct] = spans.named(plugin, "construct")[..] else {
        panic!("{:?}", spans.0.values())
    };
    let around = spans.around(construct);
    assert!(around.last().is_some_and(|root| *root == "pulumi"), "{around:?}");
    // The component itself and its children.
    let state = cloud.state().await;
    let registered = state.resources.iter();
    let inside = registered.filter(|resource| {
        resource["urn"]
            .as_str()
            .is_some_and(|urn| urn.contains(SERVICE_ACCOUNT_ROLE))
    });
    let registrations = spans.named(plugin, "register");
    assert_eq!(registrations.len(), inside.count());
    assert!(registrations.len() > 1, "{registrations:?}");
    for registration in registrations {
        assert!(spans.around(registration).contains(&"construct"));
    }
}
