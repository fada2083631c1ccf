//! Tests of components, with the engine's monitor.

use std::sync::{Arc, Mutex};

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_plugin::components::Component as _;
use pulumi_plugin::components::{Alias, CustomTimeouts, ResourceHooks, ResourceOptions};
use pulumi_plugin::rpc::{
    ConstructRequest, Context, EngineLog, Error, InputFailure, Monitor, construct_component,
};
use pulumi_plugin::values::{OutputValue, ProviderReference, ReferenceId, Urn, Value};
use pulumi_testing::{FakeEngine, created};
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::engine::{SECRET, UNKNOWN, bag, envelope, text};
use crate::store::{STORE, Store, build, inputs, monitor, reached, request};

type Urns = rpc::register_resource_request::PropertyDependencies;

fn urns<const N: usize>(urns: [&str; N]) -> Urns {
    Urns {
        urns: urns.map(str::to_owned).into(),
    }
}

#[tokio::test]
async fn children_of_children_have_the_names_that_a_renamed_component_gave_them() {
    let monitor = monitor();
    let named = Alias::named("former");
    let whole = Alias::Urn("urn:pulumi:dev::shop::shop:index:Store::first".into());
    let mut request = request(inputs([]));
    request.options.aliases = vec![named, whole];
    build(&monitor, request).await.unwrap();
    // The parent of the table is the server.
    let names: Vec<_> = monitor
        .find("main-table")
        .aliases
        .into_iter()
        .map(|alias| match alias.alias {
            Some(rpc::alias::Alias::Spec(spec)) => spec.name,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(names, ["former-table", "first-table"]);
}

#[tokio::test]
async fn the_component_is_registered_with_everything_that_the_program_gave_it() {
    let monitor = monitor();
    let provider: ProviderReference = "urn:p::id".parse().unwrap();
    let list = |item: &str| vec![item.to_owned()];
    let given = OutputValue {
        value: Some(Box::new("abcd".into())),
        secret: true,
        dependencies: vec!["urn:a".into()],
    };
    let request = ConstructRequest {
        input_dependencies: [("password".to_owned(), ["urn:a".into()].into())].into(),
        dependencies: ["urn:b".into()].into(),
        providers: [("db".to_owned(), provider)].into(),
        deleted_with: Some("urn:c".into()),
        options: ResourceOptions {
            aliases: vec![Alias::Urn("urn:old".into())],
            protect: Some(true),
            retain_on_delete: Some(false),
            delete_before_replace: Some(true),
            additional_secret_outputs: list("address"),
            ignore_changes: list("labels"),
            replace_on_changes: list("owner"),
            timeouts: CustomTimeouts {
                create: Some("1h".into()),
                ..CustomTimeouts::default()
            },
            replace_with: vec!["urn:d".into()],
            replacement_trigger: Some("t".into()),
            hooks: ResourceHooks {
                after_create: list("hook"),
                ..ResourceHooks::default()
            },
            ..ResourceOptions::default()
        },
        ..request(inputs([("password", given.into()), ("owner", "jane".into())]))
    };
    build(&monitor, request).await.unwrap();

    let own = monitor.find("main");
    assert_eq!((&*own.r#type, &*own.parent), (Store::TOKEN, "urn:stack"));
    assert!(!own.custom && !own.remote);
    let object = own.object.unwrap();
    assert_eq!(object.fields["owner"], text("jane"));
    assert_eq!(
        own.property_dependencies,
        [
            ("owner".to_owned(), urns([])),
            ("password".to_owned(), urns(["urn:a"]))
        ]
        .into()
    );
    assert_eq!(own.aliases.len(), 1);
    assert_eq!((own.protect, own.retain_on_delete), (Some(true), Some(false)));
    assert!(own.delete_before_replace && own.delete_before_replace_defined);
    assert_eq!(own.dependencies, ["urn:b"]);
    assert_eq!(own.providers["db"], "urn:p::id");
    assert_eq!(own.additional_secret_outputs, ["address"]);
    assert_eq!(
        (own.ignore_changes, own.replace_on_changes),
        (list("labels"), list("owner"))
    );
    assert_eq!(own.custom_timeouts.unwrap().create, "1h");
    assert_eq!((&*own.deleted_with, own.replace_with), ("urn:c", list("urn:d")));
    assert_eq!(own.replacement_trigger, Some(text("t")));
    assert_eq!(own.hooks.unwrap().after_create, ["hook"]);
    assert_eq!(own.parent_stack_trace_handle, "trace");
    let table = monitor.find("main-table");
    assert!(table.aliases.is_empty() && table.hooks.is_none());
    // Engines before 3.157 and 3.158 do not hand these on.
    assert_eq!((table.protect, table.retain_on_delete), (Some(true), Some(false)));
}

#[tokio::test]
async fn children_reach_the_engine_with_all_their_options() {
    let monitor = monitor();
    build(&monitor, request(inputs([("owner", "jane".into())])))
        .await
        .unwrap();

    let server = monitor.find("main-server");
    assert_eq!((&*server.parent, &*server.version), ("urn:main", "7.1.0"));
    assert_eq!(server.plugin_download_url, "https://db");
    let table = monitor.find("main-table");
    assert_eq!(
        (&*table.parent, &*table.provider),
        ("urn:main-server", "urn:main-server::main-server-id")
    );

    let spec = rpc::alias::Spec {
        name: "old".into(),
        parent: Some(rpc::alias::spec::Parent::ParentUrn("urn:elsewhere".into())),
        ..Default::default()
    };
    let alias = |alias| rpc::Alias { alias: Some(alias) };
    let reference = envelope(
        "5cf8f73096256a8f31e491e813e4eb8e",
        [
            ("urn", text("urn:main-table")),
            ("id", text("main-table-id")),
            ("packageVersion", text("7.1.0")),
        ],
    );
    let expected = rpc::RegisterResourceRequest {
        r#type: "db:index:Index".into(),
        name: "main-index".into(),
        parent: "urn:main".into(),
        custom: true,
        object: bag([("table", reference), ("address", text("db.example"))]),
        protect: Some(true),
        dependencies: vec!["urn:main-server".into(), "urn:main-table".into()],
        property_dependencies: [
            ("table".to_owned(), urns(["urn:main-table"])),
            ("address".to_owned(), urns(["urn:main-table"])),
        ]
        .into(),
        delete_before_replace: false,
        delete_before_replace_defined: true,
        version: "7.2.0".into(),
        ignore_changes: vec!["tags".into()],
        accept_secrets: true,
        additional_secret_outputs: vec!["key".into()],
        custom_timeouts: Some(rpc::register_resource_request::CustomTimeouts {
            create: "1800s".into(),
            delete: "1.5s".into(),
            ..Default::default()
        }),
        supports_partial_values: true,
        accept_resources: true,
        replace_on_changes: vec!["table".into()],
        plugin_download_url: "https://db".into(),
        retain_on_delete: Some(false),
        aliases: vec![
            alias(rpc::alias::Alias::Urn("urn:old".into())),
            alias(rpc::alias::Alias::Spec(spec)),
        ],
        deleted_with: "urn:main-table".into(),
        alias_specs: true,
        supports_result_reporting: true,
        parent_stack_trace_handle: "trace".into(),
        ..Default::default()
    };
    assert_eq!(monitor.find("main-index"), expected);
}

#[tokio::test]
async fn an_explicit_provider_is_named_by_children_and_calls() {
    let monitor = monitor();
    let provider: ProviderReference = "urn:p::id".parse().unwrap();
    let request = ConstructRequest {
        providers: [("db".to_owned(), provider)].into(),
        ..request(inputs([("owner", "jane".into())]))
    };
    build(&monitor, request).await.unwrap();
    assert_eq!(monitor.find("main-index").provider, "urn:p::id");
    let expected = rpc::ResourceInvokeRequest {
        tok: "db:index:getAccount".into(),
        args: bag([("owner", text("jane"))]),
        provider: "urn:p::id".into(),
        version: "7.1.0".into(),
        accept_resources: true,
        plugin_download_url: "https://db".into(),
        parent_stack_trace_handle: "trace".into(),
        ..Default::default()
    };
    let invoked = monitor.invoked.lock().unwrap().clone();
    assert_eq!(invoked, [expected]);
}

#[tokio::test]
async fn secrets_and_dependencies_of_outputs_reach_the_engine() {
    let monitor = monitor();
    let given = inputs([("password", Value::secret("abcd"))]);
    let made = build(&monitor, request(given)).await.unwrap();
    assert_eq!(made.urn, Urn::from("urn:main"));
    let table = monitor.find("main-table").object.unwrap();
    let secret = envelope(SECRET, [("value", text("abcd"))]);
    assert_eq!(table.fields["password"], secret);

    let stored = monitor.outputs.lock().unwrap().clone();
    let [stored] = stored.as_slice() else {
        panic!("{stored:?}")
    };
    let outputs = stored.outputs.clone().unwrap().fields;
    assert_eq!(stored.urn, "urn:main");
    assert_eq!(
        outputs.keys().collect::<Vec<_>>(),
        ["account", "address", "password", "table"]
    );
    assert_eq!(
        (&outputs["password"], &outputs["address"]),
        (&secret, &text("db.example"))
    );

    assert_eq!(made.state["password"], Value::secret("abcd"));
    assert_eq!(made.state["address"], "db.example".into());
    assert_eq!(
        made.state_dependencies["address"],
        ["urn:main-table".into()].into()
    );
    let table = made.state["table"].known().unwrap();
    let Value::Resource(table) = table else {
        panic!("{table:?}")
    };
    assert_eq!(table.id, Some(ReferenceId::Known("main-table-id".into())));
}

#[tokio::test]
async fn what_is_unknown_stays_unknown_and_is_not_asked_for() {
    let monitor = monitor().answers(|request| {
        Ok(rpc::RegisterResourceResponse {
            id: String::new(),
            ..created(request)
        })
    });
    let request = ConstructRequest {
        preview: true,
        ..request(inputs([("owner", Value::UNKNOWN)]))
    };
    let made = build(&monitor, request).await.unwrap();
    assert!(monitor.invoked.lock().unwrap().is_empty());
    let table = monitor.find("main-table");
    assert_eq!(table.provider, format!("urn:main-server::{UNKNOWN}"));
    assert_eq!(table.object, bag([("owner", text(UNKNOWN))]));
    assert_eq!(made.state["account"], Value::UNKNOWN);
    assert_eq!(made.state["address"], Value::UNKNOWN);
    assert_eq!(
        made.state_dependencies["address"],
        ["urn:main-table".into()].into()
    );
}

#[tokio::test]
async fn a_refused_call_is_named_with_what_is_wrong() {
    let monitor = monitor().results(|_| {
        Ok(rpc::InvokeResponse {
            failures: vec![rpc::CheckFailure {
                property: "owner".into(),
                reason: "is unknown".into(),
            }],
            ..Default::default()
        })
    });
    let error = build(&monitor, request(inputs([("owner", "jane".into())])))
        .await
        .unwrap_err();
    assert_eq!(
        error,
        Error::Failed(
            "could not call db:index:getAccount: \
             invalid arguments for db:index:getAccount: owner: is unknown"
                .into()
        )
    );
}

#[tokio::test]
async fn wrong_inputs_are_reported_before_anything_is_registered_and_secret_ones_are_sensitive() {
    let monitor = monitor();
    let wrong = inputs([
        ("password", Value::secret("ab")),
        ("owner", "me".into()),
        ("labels", Value::from([("a", 1.into())])),
        ("size", 1.into()),
    ]);
    let Err(Error::InvalidInput(mut failures)) = build(&monitor, request(wrong)).await else {
        panic!("inputs are wrong")
    };
    failures.sort_by_key(|failure| failure.property.clone());
    let labels: pulumi_plugin::values::PropertyPath = "labels.a".parse().unwrap();
    assert_eq!(
        failures[..3],
        [
            InputFailure::new(labels, "expected a string"),
            InputFailure::new("owner", "is too short"),
            InputFailure::new("password", "is too short").sensitive(),
        ]
    );
    assert_eq!(
        (failures.len(), failures[3].property.to_string()),
        (4, "size".to_owned())
    );
    assert_eq!(monitor.names(), [""; 0]);
}

#[tokio::test]
async fn a_refused_child_is_named_with_the_engines_reason() {
    let monitor = monitor().answers(|request| match request.name.as_str() {
        "main-table" => Err(Status::invalid_argument("quota exceeded")),
        _ => Ok(created(request)),
    });
    let error = build(&monitor, request(inputs([]))).await.unwrap_err();
    let expected = "could not register db:index:Table \"main-table\": quota exceeded";
    assert_eq!(error, Error::Failed(expected.into()));
    assert_eq!(monitor.names(), ["main", "main-server", "main-table"]);
    assert!(monitor.outputs.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_monitor_that_is_gone_means_that_the_deployment_is_over() {
    let monitor = monitor().answers(|request| match request.custom {
        true => Err(Status::unavailable("resource monitor shut down")),
        false => Ok(created(request)),
    });
    let error = build(&monitor, request(inputs([]))).await.unwrap_err();
    let expected = "could not register pulumi:providers:db \"main-server\": \
                    the engine has shut down the deployment";
    assert_eq!(error, Error::Failed(expected.into()));
}

#[tokio::test]
async fn what_is_made_from_a_child_that_failed_is_not_registered() {
    for result in [rpc::Result::Fail, rpc::Result::Skip] {
        let monitor = monitor().answers(move |request| {
            let mut answer = created(request);
            if request.r#type == "db:index:Table" {
                (answer.id, answer.object) = (String::new(), None);
                answer.result = result.into();
            }
            Ok(answer)
        });
        let failed = build(&monitor, request(inputs([]))).await.unwrap_err();
        let expected = "resources failed that others depend on: db:index:Table \"main-table\"";
        assert_eq!(failed, Error::Failed(expected.into()));
        assert_eq!(monitor.names(), ["main", "main-server", "main-table"]);
        assert!(monitor.outputs.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_long_refusal_is_reported_whole_and_a_malformed_answer_with_its_path() {
    // Longer than the usual limit of all headers together.
    let long = "x".repeat(40_000);
    let refusal = Status::unknown(&long);
    let malformed = rpc::RegisterResourceResponse {
        object: bag([("key", envelope("other", []))]),
        ..Default::default()
    };
    let answers = [
        (Err(refusal), long),
        (
            Ok(malformed),
            "the engine's answer is malformed: outputs: malformed property value at key: \
             unrecognized signature of a special value"
                .to_owned(),
        ),
    ];
    for (answer, reason) in answers {
        let monitor = monitor().answers(move |_| answer.clone());
        let error = build(&monitor, request(inputs([]))).await.unwrap_err();
        let expected = format!("could not register shop:index:Store \"main\": {reason}");
        assert_eq!(error, Error::Failed(expected));
    }
}

#[tokio::test]
async fn warnings_go_to_the_engines_log_with_the_component() {
    let (engine, monitor) = (FakeEngine::default(), monitor());
    let log = EngineLog::at(&engine.serve().await);
    let monitor = reached(&monitor, log).await;
    construct_component(&Context::default(), &STORE, request(inputs([])), monitor)
        .await
        .unwrap();
    let reported = engine.reported.lock().unwrap().clone();
    let [warning] = reported.as_slice() else {
        panic!("{reported:?}")
    };
    assert_eq!(
        (&*warning.message, &*warning.urn),
        ("stores are expensive", "urn:main")
    );
    assert_eq!(warning.severity(), rpc::LogSeverity::Warning);
}

#[tokio::test]
async fn cancelling_gives_up_what_waits_at_once() {
    let cancellation = CancellationToken::new();
    let reported: Arc<Mutex<Option<CancellationToken>>> = Arc::new(Mutex::new(Some(cancellation.clone())));
    // The first child cancels; later children would have been registered at the same time.
    let monitor = monitor().answers(move |request| {
        if request.custom
            && let Some(cancellation) = reported.lock().unwrap().take()
        {
            cancellation.cancel();
        }
        Ok(created(request))
    });
    let cx = Context::new(EngineLog::default(), cancellation);
    let reached = reached(&monitor, EngineLog::default()).await;
    let made = construct_component(&cx, &STORE, request(inputs([])), reached).await;
    assert_eq!(made, Err(Error::Cancelled));
    assert!(monitor.outputs.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_monitor_without_an_address_is_refused() {
    let refused = Monitor::at("nowhere at all", "trace", EngineLog::default()).err();
    let expected = "\"nowhere at all\" is not an address of the form host:port";
    assert_eq!(refused, Some(Error::Failed(expected.into())));
}
