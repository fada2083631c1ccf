//! A provider as the engine sees it.

use std::borrow::Cow;
use std::sync::Mutex;
use std::time::Duration;

use engine_rpc::{
    Capabilities, Changes, CheckRequest, ConfigureRequest, ConstructRequest, Constructed, Context, Diff,
    DiffRequest, Error, Handshake, InputFailure, InvokeRequest, MissingKey, Provider,
};
use engine_values::{Object, Output, PropertyPath, Value};
use prost::Message as _;
use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use tokio::time::Instant;
use tonic::{Code, Status};

use crate::engine::{OUTPUT, SECRET, bag, envelope, served, text};

/// A provider whose answers are chosen by what it is asked.
#[derive(Default)]
struct Sample {
    schema_size: usize,
    older: bool,
    configured: Mutex<Option<ConfigureRequest>>,
}

fn members<const N: usize>(members: [(&str, Value); N]) -> Object {
    members
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

impl Provider for Sample {
    fn version(&self) -> &str {
        "0.3.1"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            outputs: false,
            ..Capabilities::default()
        }
    }

    fn schema(&self) -> Result<Cow<'_, str>, Error> {
        Ok("x".repeat(self.schema_size).into())
    }

    async fn handshake(&self, _cx: &Context, request: Handshake) -> Result<(), Error> {
        assert!(request.invoke_with_preview);
        if self.older {
            Err(Error::Unimplemented)
        } else {
            Ok(())
        }
    }

    async fn check_config(&self, _cx: &Context, request: CheckRequest) -> Result<Object, Error> {
        if request.news.contains_key("host") {
            return Ok(request.news);
        }
        Err(Error::InvalidInput(vec![
            InputFailure::new("retries", "must be at least 0"),
            InputFailure::new(PropertyPath::from("tls").join("key"), "is no PEM text").sensitive(),
        ]))
    }

    async fn diff_config(&self, _cx: &Context, request: DiffRequest) -> Result<Diff, Error> {
        let changes = if request.olds == request.news {
            Changes::None
        } else {
            Changes::Some
        };
        Ok(Diff {
            changes,
            ..Diff::default()
        })
    }

    async fn configure(&self, _cx: &Context, request: ConfigureRequest) -> Result<(), Error> {
        if !request.args.contains_key("host") {
            let key = |name: &str| MissingKey {
                name: name.into(),
                description: format!("the {name}"),
            };
            return Err(Error::MissingConfig(vec![key("sample:host"), key("sample:user")]));
        }
        *self.configured.lock().unwrap() = Some(request);
        Ok(())
    }

    async fn invoke(&self, cx: &Context, request: InvokeRequest) -> Result<Object, Error> {
        match request.token.as_str() {
            "echo" => Ok(request.arguments),
            "preview" => Ok(members([("preview", request.preview.into())])),
            "output" => {
                let output = Output {
                    value: Some(Box::new(1.into())),
                    secret: true,
                    ..Output::default()
                };
                Ok(members([("made", output.into())]))
            }
            "invalid" => Err(Error::InvalidInput(vec![
                InputFailure::new(PropertyPath::from("tags").join("a.b"), "is too long"),
                InputFailure::new("token", "is no token").sensitive(),
            ])),
            "fails" => Err(Error::Failed("no IP pool has display name \"blue\"".into())),
            "panics" => panic!("hunter2"),
            "waits" => {
                cx.cancellation().cancelled().await;
                Err(Error::Cancelled)
            }
            "hangs" => std::future::pending().await,
            "sleeps" => {
                tokio::time::sleep(Duration::from_millis(300)).await;
                Ok(Object::new())
            }
            _ => Err(Error::Unimplemented),
        }
    }

    async fn construct(&self, _cx: &Context, request: ConstructRequest) -> Result<Constructed, Error> {
        if request.inputs.is_empty() {
            return Err(Error::InvalidInput(vec![
                InputFailure::new(PropertyPath::from("subnetIds").join(0), "is no subnet"),
                InputFailure::new("password", "is too short").sensitive(),
            ]));
        }
        Ok(Constructed {
            urn: "urn:component".into(),
            state: request.inputs,
        })
    }
}

fn invoke(token: &str) -> rpc::InvokeRequest {
    rpc::InvokeRequest {
        tok: token.into(),
        args: bag([]),
        preview: false,
    }
}

fn handshake() -> rpc::ProviderHandshakeRequest {
    rpc::ProviderHandshakeRequest {
        invoke_with_preview: true,
        ..Default::default()
    }
}

/// `google.rpc.Status` as the trailer carries it, written down independently.
#[derive(prost::Message)]
struct Details {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
    #[prost(message, repeated, tag = "3")]
    details: Vec<prost_types::Any>,
}

/// The detail of the engine's InputPropertiesError, written down independently.
#[derive(prost::Message)]
struct InputProperties {
    #[prost(message, repeated, tag = "1")]
    errors: Vec<InputProperty>,
}

#[derive(prost::Message)]
struct InputProperty {
    #[prost(string, tag = "1")]
    property_path: String,
    #[prost(string, tag = "2")]
    reason: String,
}

/// The one detail of a status, by type.
fn detail<M: prost::Message + Default>(status: &Status, name: &str) -> M {
    let envelope = Details::decode(status.details()).unwrap();
    assert_eq!(envelope.code, i32::from(status.code()));
    assert_eq!(envelope.message, status.message());
    let [any] = &envelope.details[..] else {
        panic!("not one detail")
    };
    assert_eq!(any.type_url, format!("type.googleapis.com/pulumirpc.{name}"));
    M::decode(&*any.value).unwrap()
}

#[tokio::test]
async fn a_handshake_negotiates() {
    let mut engine = served(Sample::default()).await;
    let answer = engine.client.handshake(handshake()).await.unwrap().into_inner();
    assert!(answer.accept_secrets && answer.accept_resources && !answer.accept_outputs);
    let info = engine.client.get_plugin_info(()).await.unwrap().into_inner();
    assert_eq!(info.version, "0.3.1");
}

#[tokio::test]
async fn without_handshake_configuring_negotiates_the_same() {
    let mut engine = served(Sample {
        older: true,
        ..Sample::default()
    })
    .await;
    assert_eq!(
        engine.client.handshake(handshake()).await.unwrap_err().code(),
        Code::Unimplemented
    );
    engine.client.get_plugin_info(()).await.unwrap();
    let request = rpc::ConfigureRequest {
        args: bag([("host", text("h"))]),
        ..Default::default()
    };
    let answer = engine.client.configure(request).await.unwrap().into_inner();
    assert!(answer.accept_secrets && answer.supports_preview && answer.accept_resources);
    assert!(!answer.accept_outputs);
}

#[tokio::test]
async fn a_schema_larger_than_the_usual_limit_is_sent() {
    const SIZE: usize = 9 * 1024 * 1024;
    let mut engine = served(Sample {
        schema_size: SIZE,
        ..Sample::default()
    })
    .await;
    let answer = engine
        .client
        .get_schema(rpc::GetSchemaRequest::default())
        .await
        .unwrap()
        .into_inner();
    assert_eq!(answer.schema.len(), SIZE);
}

#[tokio::test]
async fn arguments_larger_than_the_usual_limit_are_received() {
    let mut engine = served(Sample::default()).await;
    let args = bag([("large", text(&"x".repeat(6 * 1024 * 1024)))]);
    let request = rpc::InvokeRequest {
        args: args.clone(),
        ..invoke("echo")
    };
    assert_eq!(
        engine.client.invoke(request).await.unwrap().into_inner().r#return,
        args
    );
}

#[tokio::test]
async fn schemas_of_other_formats_and_packages_are_refused() {
    let mut engine = served(Sample::default()).await;
    let requests = [
        rpc::GetSchemaRequest {
            version: 1,
            ..Default::default()
        },
        rpc::GetSchemaRequest {
            subpackage_name: "other".into(),
            ..Default::default()
        },
    ];
    for request in requests {
        assert_eq!(
            engine.client.get_schema(request).await.unwrap_err().code(),
            Code::InvalidArgument
        );
    }
}

#[tokio::test]
async fn configuration_failures_name_the_property_unless_its_value_may_be_secret() {
    let mut engine = served(Sample::default()).await;
    let answer = engine
        .client
        .check_config(rpc::CheckRequest::default())
        .await
        .unwrap()
        .into_inner();
    let failures: Vec<_> = answer
        .failures
        .iter()
        .map(|f| (&*f.property, &*f.reason))
        .collect();
    assert_eq!(
        failures,
        [("retries", "must be at least 0"), ("", "tls.key: is no PEM text")]
    );
    assert_eq!(answer.inputs, None);
}

#[tokio::test]
async fn checked_configuration_comes_back_as_it_was_given() {
    let mut engine = served(Sample::default()).await;
    let news = bag([("host", text("h")), ("version", text("0.3.1"))]);
    let request = rpc::CheckRequest {
        news: news.clone(),
        ..Default::default()
    };
    let answer = engine.client.check_config(request).await.unwrap().into_inner();
    assert_eq!((answer.inputs, answer.failures), (news, vec![]));
}

#[tokio::test]
async fn a_configuration_is_compared() {
    let mut engine = served(Sample::default()).await;
    let (a, b) = (bag([("host", text("a"))]), bag([("host", text("b"))]));
    for (news, expected) in [
        (a.clone(), rpc::diff_response::DiffChanges::DiffNone),
        (b, rpc::diff_response::DiffChanges::DiffSome),
    ] {
        let request = rpc::DiffRequest {
            olds: a.clone(),
            news,
            ..Default::default()
        };
        let answer = engine.client.diff_config(request).await.unwrap().into_inner();
        assert_eq!(answer.changes(), expected);
        assert!(answer.replaces.is_empty());
    }
}

#[tokio::test]
async fn missing_configuration_is_told_key_by_key() {
    let mut engine = served(Sample::default()).await;
    let status = engine
        .client
        .configure(rpc::ConfigureRequest::default())
        .await
        .unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(
        status.message(),
        "required configuration is missing: sample:host, sample:user"
    );
    let missing: rpc::ConfigureErrorMissingKeys = detail(&status, "ConfigureErrorMissingKeys");
    let keys: Vec<_> = missing
        .missing_keys
        .iter()
        .map(|k| (&*k.name, &*k.description))
        .collect();
    assert_eq!(
        keys,
        [
            ("sample:host", "the sample:host"),
            ("sample:user", "the sample:user")
        ]
    );
}

#[tokio::test]
async fn secrets_pass_through_a_function_both_ways() {
    let mut engine = served(Sample::default()).await;
    let args = bag([("password", envelope(SECRET, [("value", text("p"))]))]);
    let request = rpc::InvokeRequest {
        args: args.clone(),
        ..invoke("echo")
    };
    assert_eq!(
        engine.client.invoke(request).await.unwrap().into_inner().r#return,
        args
    );
}

#[tokio::test]
async fn the_preview_flag_arrives() {
    let mut engine = served(Sample::default()).await;
    for preview in [true, false] {
        let request = rpc::InvokeRequest {
            preview,
            ..invoke("preview")
        };
        let answer = engine
            .client
            .invoke(request)
            .await
            .unwrap()
            .into_inner()
            .r#return
            .unwrap();
        assert_eq!(
            answer.fields["preview"].kind,
            Some(prost_types::value::Kind::BoolValue(preview))
        );
    }
}

#[tokio::test]
async fn outputs_in_results_are_written_in_the_form_the_engine_takes() {
    let mut engine = served(Sample::default()).await;
    let answer = engine
        .client
        .invoke(invoke("output"))
        .await
        .unwrap()
        .into_inner()
        .r#return
        .unwrap();
    let one = prost_types::Value {
        kind: Some(prost_types::value::Kind::NumberValue(1.0)),
    };
    assert_eq!(answer.fields["made"], envelope(SECRET, [("value", one)]));
}

#[tokio::test]
async fn wrong_arguments_are_failures_with_their_paths() {
    let mut engine = served(Sample::default()).await;
    let answer = engine
        .client
        .invoke(invoke("invalid"))
        .await
        .unwrap()
        .into_inner();
    let failures: Vec<_> = answer
        .failures
        .iter()
        .map(|f| (&*f.property, &*f.reason))
        .collect();
    assert_eq!(
        failures,
        [(r#"tags["a.b"]"#, "is too long"), ("token", "is no token")]
    );
}

#[tokio::test]
async fn a_malformed_argument_is_refused_with_its_path_and_without_its_value() {
    let mut engine = served(Sample::default()).await;
    let args = bag([(
        "password",
        envelope("no-such-signature", [("value", text("hunter2"))]),
    )]);
    let status = engine
        .client
        .invoke(rpc::InvokeRequest {
            args,
            ..invoke("echo")
        })
        .await
        .unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(
        status.message().contains("password") && !status.message().contains("hunter2"),
        "{status}"
    );
}

#[tokio::test]
async fn a_failure_is_told_in_its_own_words() {
    let mut engine = served(Sample::default()).await;
    let status = engine.client.invoke(invoke("fails")).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    assert_eq!(status.message(), "no IP pool has display name \"blue\"");
}

#[tokio::test]
async fn a_panic_ends_one_call_and_asks_for_a_report() {
    let mut engine = served(Sample::default()).await;
    let status = engine.client.invoke(invoke("panics")).await.unwrap_err();
    assert_eq!(status.code(), Code::Internal);
    assert!(status.message().contains("Please report it") && !status.message().contains("hunter2"));
    engine.client.invoke(invoke("echo")).await.unwrap();
}

#[tokio::test]
async fn what_is_left_out_is_unimplemented() {
    let mut engine = served(Sample::default()).await;
    let mut statuses = vec![
        engine
            .client
            .create(rpc::CreateRequest::default())
            .await
            .unwrap_err(),
        engine
            .client
            .check(rpc::CheckRequest::default())
            .await
            .unwrap_err(),
        // Not even in our files.
        engine.client.call(rpc::CallRequest::default()).await.unwrap_err(),
        engine
            .client
            .parameterize(rpc::ParameterizeRequest::default())
            .await
            .unwrap_err(),
        engine
            .client
            .get_mappings(rpc::GetMappingsRequest::default())
            .await
            .unwrap_err(),
    ];
    statuses.push(
        engine
            .client
            .invoke(invoke("no such function"))
            .await
            .unwrap_err(),
    );
    assert!(
        statuses.iter().all(|status| status.code() == Code::Unimplemented),
        "{statuses:?}"
    );
}

#[tokio::test]
async fn wrong_inputs_of_a_component_are_details_and_sensitive_ones_text() {
    let mut engine = served(Sample::default()).await;
    let status = engine
        .client
        .construct(rpc::ConstructRequest::default())
        .await
        .unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(status.message(), "invalid input: password: is too short");
    let detail: InputProperties = detail(&status, "InputPropertiesError");
    let errors: Vec<_> = detail
        .errors
        .iter()
        .map(|e| (&*e.property_path, &*e.reason))
        .collect();
    assert_eq!(errors, [("subnetIds[0]", "is no subnet")]);
}

#[tokio::test]
async fn a_component_answers_with_outputs_only_when_the_engine_takes_them() {
    let mut engine = served(Sample::default()).await;
    let urns = prost_types::value::Kind::ListValue(prost_types::ListValue {
        values: vec![text("urn:a")],
    });
    let output = envelope(
        OUTPUT,
        [
            ("value", text("v")),
            ("dependencies", prost_types::Value { kind: Some(urns) }),
        ],
    );
    for (accepts_output_values, expected) in [(true, output.clone()), (false, text("v"))] {
        let inputs = bag([("name", output.clone())]);
        let request = rpc::ConstructRequest {
            inputs,
            accepts_output_values,
            ..Default::default()
        };
        let answer = engine.client.construct(request).await.unwrap().into_inner();
        assert_eq!(answer.urn, "urn:component");
        assert_eq!(answer.state, bag([("name", expected)]));
        assert_eq!(answer.state_dependencies["name"].urns, ["urn:a"]);
    }
}

#[tokio::test]
async fn a_malformed_provider_reference_is_refused() {
    let mut engine = served(Sample::default()).await;
    let providers = [("aws".to_owned(), "nothing".to_owned())].into();
    let request = rpc::ConstructRequest {
        providers,
        ..Default::default()
    };
    let status = engine.client.construct(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().contains("\"aws\""), "{status}");
}

/// Starts a call and waits until it has arrived.
async fn outstanding(client: &crate::engine::Client, token: &'static str) -> tokio::task::JoinHandle<Status> {
    let mut calling = client.clone();
    let call = tokio::spawn(async move { calling.invoke(invoke(token)).await.unwrap_err() });
    // The answer to a later call on the same connection shows that the earlier one is under way.
    client.clone().get_plugin_info(()).await.unwrap();
    tokio::task::yield_now().await;
    client.clone().get_plugin_info(()).await.unwrap();
    call
}

#[tokio::test]
async fn cancel_ends_outstanding_calls_within_200_ms_whether_they_listen_or_not() {
    let mut engine = served(Sample::default()).await;
    for token in ["waits", "hangs"] {
        engine.client.handshake(handshake()).await.unwrap();
        let call = outstanding(&engine.client, token).await;
        let cancelled = Instant::now();
        engine.client.cancel(()).await.unwrap();
        assert_eq!(call.await.unwrap().code(), Code::Cancelled);
        assert!(
            cancelled.elapsed() < Duration::from_millis(200),
            "{token}: {:?}",
            cancelled.elapsed()
        );
    }
}

#[tokio::test]
async fn after_a_cancel_calls_end_at_once_until_the_next_engine_comes() {
    let mut engine = served(Sample::default()).await;
    engine.client.cancel(()).await.unwrap();
    assert_eq!(
        engine.client.invoke(invoke("waits")).await.unwrap_err().code(),
        Code::Cancelled
    );
    assert_eq!(
        engine.client.invoke(invoke("sleeps")).await.unwrap_err().code(),
        Code::Cancelled
    );
    engine
        .client
        .attach(rpc::PluginAttach {
            address: "127.0.0.1:1".into(),
        })
        .await
        .unwrap();
    engine.client.invoke(invoke("sleeps")).await.unwrap();
}

#[tokio::test]
async fn a_thousand_calls_at_once_all_run_at_once() {
    let engine = served(Sample::default()).await;
    let started = Instant::now();
    let calls: Vec<_> = (0..1000)
        .map(|_| {
            let mut client = engine.client.clone();
            tokio::spawn(async move { client.invoke(invoke("sleeps")).await })
        })
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
    // Each takes 300 ms; in turns of 200, the usual limit of a connection, it would be 1.5 s.
    assert!(
        started.elapsed() < Duration::from_millis(1400),
        "{:?}",
        started.elapsed()
    );
}

#[tokio::test]
async fn a_thousand_calls_given_up_at_once_do_no_harm() {
    let mut engine = served(Sample::default()).await;
    let mut calls = Vec::new();
    for _ in 0..1000 {
        let mut client = engine.client.clone();
        calls.push(tokio::spawn(async move { client.invoke(invoke("hangs")).await }));
    }
    engine.client.get_plugin_info(()).await.unwrap();
    // Dropping a call resets its stream, as an engine does that gives up.
    calls.iter().for_each(|call| call.abort());
    engine.client.cancel(()).await.unwrap();
    engine.client.get_plugin_info(()).await.unwrap();
}

#[tokio::test]
async fn being_told_to_stop_cancels_and_ends() {
    let engine = served(Sample::default()).await;
    let call = outstanding(&engine.client, "hangs").await;
    engine.stop.send(()).unwrap();
    assert_eq!(call.await.unwrap().code(), Code::Cancelled);
    tokio::time::timeout(Duration::from_secs(1), engine.ended)
        .await
        .unwrap()
        .unwrap();
}
