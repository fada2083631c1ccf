//! Tests of functions.

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use tonic::Code;

use crate::engine::{SECRET, bag, envelope, served, text};
use crate::sample::{Sample, invoke};

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
async fn wrong_arguments_are_an_error_that_names_all_of_them() {
    let mut engine = served(Sample::default()).await;
    let status = engine.client.invoke(invoke("invalid")).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(
        status.message(),
        r#"invalid input: tags["a.b"]: is too long; token: is no token"#
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
async fn a_failure_is_reported_in_its_own_words() {
    let mut engine = served(Sample::default()).await;
    let status = engine.client.invoke(invoke("fails")).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    assert_eq!(status.message(), "no IP pool has display name \"blue\"");
}

#[tokio::test]
async fn messages_of_64_mib_pass_both_ways() {
    let mut engine = served(Sample::default()).await;
    let large = 64 * 1024 * 1024;
    // One large text, and many small ones.
    let mut args = bag([("large", text(&"x".repeat(large / 2)))]);
    let many = (0..large / 2 / 1024).map(|index| (format!("{index:06}"), text(&"y".repeat(1008))));
    args.as_mut().unwrap().fields.extend(many);
    assert!(prost::Message::encoded_len(args.as_ref().unwrap()) > large);
    let request = rpc::InvokeRequest {
        args: args.clone(),
        ..invoke("echo")
    };
    let answer = engine.client.invoke(request).await.unwrap().into_inner();
    // Without `assert_eq`, which would print all of it.
    assert!(answer.r#return == args);
}

#[tokio::test]
async fn arguments_that_are_nested_too_deeply_are_refused_with_a_short_message() {
    let mut engine = served(Sample::default()).await;
    let nested = |levels: usize| (0..levels).fold(text("x"), |inner, _| envelope(SECRET, [("value", inner)]));
    let request = |levels: usize| rpc::InvokeRequest {
        args: bag([("deep", nested(levels))]),
        ..invoke("preview")
    };
    engine.client.invoke(request(32)).await.unwrap();
    for levels in [40, 1000] {
        let status = engine.client.invoke(request(levels)).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(
            status.message(),
            "the request is malformed: arguments: malformed property value: values are nested too deeply; \
             at most 32 levels of objects or 49 of lists are supported"
        );
    }
}
