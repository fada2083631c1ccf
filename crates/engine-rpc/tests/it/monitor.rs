//! The resource monitor's client.

use engine_rpc::{
    Alias, AliasParent, CustomTimeouts, InputFailure, Invocation, Invoked, Monitor, MonitorError, Outcome,
    Registration, ResourceHooks, ResourceKind, ResourceOptions,
};
use engine_testing::FakeMonitor;
use engine_values::{Object, ProviderReference, Urn, Value};
use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use tonic::Status;

use crate::engine::{SECRET, UNKNOWN, bag, envelope, number, text};

async fn client(monitor: &FakeMonitor) -> Monitor {
    Monitor::at(&monitor.serve().await).unwrap()
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Object {
    members
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

#[tokio::test]
async fn a_registration_reaches_the_engine_with_everything_in_it() {
    let monitor = FakeMonitor::default();
    let provider: ProviderReference = "urn:p::id".parse().unwrap();
    let list = |item: &str| vec![item.to_owned()];
    let registration = Registration {
        resource_type: "aws:eks/cluster:Cluster".into(),
        name: "main-cluster".into(),
        kind: ResourceKind::Custom,
        parent: Some("urn:component".into()),
        inputs: object([("password", Value::secret("p"))]),
        property_dependencies: [("password".to_owned(), vec![Urn::from("urn:a")])].into(),
        options: ResourceOptions {
            aliases: vec![
                Alias::Urn("urn:old".into()),
                Alias::Spec {
                    name: Some("old".into()),
                    resource_type: None,
                    stack: None,
                    project: None,
                    parent: Some(AliasParent::None),
                },
            ],
            dependencies: vec!["urn:b".into()],
            protect: Some(false),
            retain_on_delete: Some(true),
            delete_before_replace: Some(false),
            providers: [("aws".to_owned(), provider.clone())].into(),
            additional_secret_outputs: list("kubeconfig"),
            ignore_changes: list("tags"),
            replace_on_changes: list("roleArn"),
            custom_timeouts: CustomTimeouts {
                create: Some("30m".into()),
                ..CustomTimeouts::default()
            },
            deleted_with: Some("urn:c".into()),
            replace_with: vec!["urn:d".into()],
            replacement_trigger: Some("t".into()),
            hooks: ResourceHooks {
                before_create: list("hook"),
                ..ResourceHooks::default()
            },
        },
        provider: Some(provider),
        version: Some("7.1.0".into()),
        plugin_download_url: Some("https://x".into()),
        hide_diffs: list("status"),
        parent_stack_trace_handle: "trace".into(),
    };
    client(&monitor).await.register(registration).await.unwrap();

    let spec = rpc::alias::Spec {
        name: "old".into(),
        parent: Some(rpc::alias::spec::Parent::NoParent(true)),
        ..Default::default()
    };
    let alias = |alias| rpc::Alias { alias: Some(alias) };
    let urns = rpc::register_resource_request::PropertyDependencies { urns: list("urn:a") };
    let timeouts = rpc::register_resource_request::CustomTimeouts {
        create: "30m".into(),
        ..Default::default()
    };
    let hooks = rpc::register_resource_request::ResourceHooksBinding {
        before_create: list("hook"),
        ..Default::default()
    };
    let expected = rpc::RegisterResourceRequest {
        r#type: "aws:eks/cluster:Cluster".into(),
        name: "main-cluster".into(),
        parent: "urn:component".into(),
        custom: true,
        object: bag([("password", envelope(SECRET, [("value", text("p"))]))]),
        protect: Some(false),
        dependencies: list("urn:b"),
        provider: "urn:p::id".into(),
        property_dependencies: [("password".to_owned(), urns)].into(),
        delete_before_replace: false,
        delete_before_replace_defined: true,
        version: "7.1.0".into(),
        ignore_changes: list("tags"),
        accept_secrets: true,
        additional_secret_outputs: list("kubeconfig"),
        custom_timeouts: Some(timeouts),
        supports_partial_values: true,
        accept_resources: true,
        providers: [("aws".to_owned(), "urn:p::id".to_owned())].into(),
        replace_on_changes: list("roleArn"),
        plugin_download_url: "https://x".into(),
        retain_on_delete: Some(true),
        aliases: vec![
            alias(rpc::alias::Alias::Urn("urn:old".into())),
            alias(rpc::alias::Alias::Spec(spec)),
        ],
        deleted_with: "urn:c".into(),
        replace_with: list("urn:d"),
        replacement_trigger: Some(text("t")),
        alias_specs: true,
        supports_result_reporting: true,
        hooks: Some(hooks),
        parent_stack_trace_handle: "trace".into(),
        hide_diffs: list("status"),
        ..Default::default()
    };
    assert_eq!(*monitor.registered.lock().unwrap(), [expected]);
}

#[tokio::test]
async fn a_component_is_neither_custom_nor_remote() {
    let monitor = FakeMonitor::default();
    let client = client(&monitor).await;
    for kind in [
        ResourceKind::Component,
        ResourceKind::Remote,
        ResourceKind::Custom,
    ] {
        client
            .register(Registration {
                kind,
                ..Registration::default()
            })
            .await
            .unwrap();
    }
    let registered = monitor.registered.lock().unwrap();
    let kinds: Vec<_> = registered
        .iter()
        .map(|request| (request.custom, request.remote))
        .collect();
    assert_eq!(kinds, [(false, false), (false, true), (true, false)]);
    // Options that were not given leave no trace.
    assert!(!registered[0].delete_before_replace_defined && registered[0].custom_timeouts.is_none());
    assert!(registered[0].hooks.is_none() && registered[0].protect.is_none());
}

#[tokio::test]
async fn an_answer_tells_identifier_outputs_and_outcome() {
    let cases = [
        ("i-1", rpc::Result::Success, Some("i-1"), Outcome::Succeeded),
        ("", rpc::Result::Fail, None, Outcome::Failed),
        (UNKNOWN, rpc::Result::Skip, None, Outcome::Skipped),
    ];
    for (id, result, expected_id, outcome) in cases {
        let answer = rpc::RegisterResourceResponse {
            urn: "urn:x".into(),
            id: id.into(),
            object: bag([("endpoint", text(UNKNOWN))]),
            result: result.into(),
            ..Default::default()
        };
        let monitor = FakeMonitor::default().answers(move |_| Ok(answer.clone()));
        let registered = client(&monitor)
            .await
            .register(Registration::default())
            .await
            .unwrap();
        assert_eq!(registered.urn, Urn::from("urn:x"));
        assert_eq!(registered.id.as_deref(), expected_id);
        assert_eq!(registered.outputs, object([("endpoint", Value::UNKNOWN)]));
        assert_eq!((registered.outcome, registered.unknown), (outcome, false));
    }
}

#[tokio::test]
async fn refusals_tell_whether_to_stop_at_once() {
    let cases = [
        (
            Status::unavailable("shut down"),
            MonitorError::Gone("shut down".into()),
        ),
        (
            Status::invalid_argument("no such parent"),
            MonitorError::Refused("no such parent".into()),
        ),
        (
            Status::unimplemented("older"),
            MonitorError::Unsupported("older".into()),
        ),
        // Longer than the usual limit of all headers together.
        (
            Status::unknown("x".repeat(40_000)),
            MonitorError::Refused("x".repeat(40_000)),
        ),
    ];
    for (status, expected) in cases {
        let monitor = FakeMonitor::default().answers(move |_| Err(status.clone()));
        assert_eq!(
            client(&monitor).await.register(Registration::default()).await,
            Err(expected)
        );
    }
}

#[tokio::test]
async fn a_malformed_answer_is_told_with_its_path() {
    let answer = rpc::RegisterResourceResponse {
        object: bag([("key", envelope("other", []))]),
        ..Default::default()
    };
    let monitor = FakeMonitor::default().answers(move |_| Ok(answer.clone()));
    let error = client(&monitor)
        .await
        .register(Registration::default())
        .await
        .unwrap_err();
    assert!(
        matches!(&error, MonitorError::Malformed(text) if text.contains("key")),
        "{error}"
    );
}

#[tokio::test]
async fn outputs_are_registered() {
    let monitor = FakeMonitor::default();
    let client = client(&monitor).await;
    client
        .register_outputs(&"urn:x".into(), object([("a", Value::secret(Value::UNKNOWN))]))
        .await
        .unwrap();
    let expected = rpc::RegisterResourceOutputsRequest {
        urn: "urn:x".into(),
        outputs: bag([("a", envelope(SECRET, [("value", text(UNKNOWN))]))]),
    };
    assert_eq!(*monitor.outputs.lock().unwrap(), [expected]);
}

#[tokio::test]
async fn features_are_asked_for_by_name() {
    let client = client(&FakeMonitor::default()).await;
    assert_eq!(client.supports_feature("outputValues").await, Ok(true));
    assert_eq!(client.supports_feature("teleportation").await, Ok(false));
}

#[tokio::test]
async fn functions_are_called_through_the_engine() {
    let wrong = |property: &str, reason: &str| rpc::CheckFailure {
        property: property.into(),
        reason: reason.into(),
    };
    let failures = vec![wrong("a[0]", "is wrong"), wrong("a[", "is strange")];
    let monitor = FakeMonitor::default().results(move |request| {
        Ok(rpc::InvokeResponse {
            r#return: request.args.clone(),
            failures: match request.tok.as_str() {
                "invalid" => failures.clone(),
                _ => Vec::new(),
            },
        })
    });
    let client = client(&monitor).await;
    let invocation = |token: &str| Invocation {
        token: token.to_owned(),
        arguments: object([("a", 1.into())]),
        provider: Some("urn:p::id".parse().unwrap()),
        version: Some("7.1.0".into()),
        ..Invocation::default()
    };
    assert_eq!(
        client.invoke(invocation("echo")).await,
        Ok(Invoked::Known(object([("a", 1.into())])))
    );
    let expected = rpc::ResourceInvokeRequest {
        tok: "echo".into(),
        args: bag([("a", number(1.0))]),
        provider: "urn:p::id".into(),
        version: "7.1.0".into(),
        accept_resources: true,
        ..Default::default()
    };
    assert_eq!(*monitor.invoked.lock().unwrap(), [expected]);

    let error = client.invoke(invocation("invalid")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid was given wrong arguments: a[0]: is wrong; a[: is strange"
    );
    let MonitorError::InvalidArguments { failures, .. } = error else {
        panic!("another error")
    };
    let path: engine_values::PropertyPath = "a[0]".parse().unwrap();
    assert_eq!(failures[0], InputFailure::new(path, "is wrong"));
}

#[tokio::test]
async fn an_address_that_is_none_is_refused() {
    assert!(Monitor::at("no address").is_err());
}
