//! Tests of the life cycle, from handshake to cancellation.

use std::time::Duration;

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_testing::within;
use tokio::time::Instant;
use tonic::{Code, Status};

use crate::engine::{Client, bag, served, text};
use crate::sample::{CALLS_THAT_MEET, Sample, handshake, invoke};

/// Starts a call and waits until the server has received it.
async fn outstanding(client: &Client, token: &'static str) -> tokio::task::JoinHandle<Status> {
    let mut calling = client.clone();
    let call = tokio::spawn(async move { calling.invoke(invoke(token)).await.unwrap_err() });
    // The response to a later call on the same connection shows that the earlier one was received.
    client.clone().get_plugin_info(()).await.unwrap();
    tokio::task::yield_now().await;
    client.clone().get_plugin_info(()).await.unwrap();
    call
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
async fn a_panic_ends_one_call_and_requests_a_report() {
    let mut engine = served(Sample::default()).await;
    for function in ["panics", "panics at once"] {
        let status = engine.client.invoke(invoke(function)).await.unwrap_err();
        assert_eq!(status.code(), Code::Internal);
        assert!(status.message().contains("Please report it") && !status.message().contains("hunter2"));
        engine.client.invoke(invoke("echo")).await.unwrap();
    }
}

#[tokio::test]
async fn a_provider_without_mappings_lists_none() {
    let mut engine = served(Sample::default()).await;
    let request = rpc::GetMappingsRequest::default();
    let listed = engine.client.get_mappings(request).await.unwrap();
    assert!(listed.into_inner().providers.is_empty());
    let request = rpc::GetMappingRequest::default();
    let found = engine.client.get_mapping(request).await.unwrap().into_inner();
    assert_eq!((found.provider, found.data), (String::new(), Vec::new()));
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
        engine
            .client
            .call(rpc::CallRequest {
                monitor_endpoint: "127.0.0.1:1".to_owned(),
                ..Default::default()
            })
            .await
            .unwrap_err(),
        // Not part of our protocol files.
        engine
            .client
            .parameterize(rpc::ParameterizeRequest::default())
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
async fn cancel_ends_outstanding_calls_at_once_whether_they_listen_or_not() {
    let engine = served(Sample::default()).await;
    for token in ["waits", "hangs"] {
        within(Duration::from_millis(200), async || {
            let mut client = engine.client.clone();
            client.handshake(handshake()).await.unwrap();
            let call = outstanding(&client, token).await;
            let cancelled = Instant::now();
            client.cancel(()).await.unwrap();
            assert_eq!(call.await.unwrap().code(), Code::Cancelled, "{token}");
            cancelled.elapsed()
        })
        .await;
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
async fn a_thousand_calls_at_once_are_all_under_way_together() {
    let engine = served(Sample::default()).await;
    let mut calls = Vec::new();
    for _ in 0..CALLS_THAT_MEET {
        let mut client = engine.client.clone();
        calls.push(tokio::spawn(async move { client.invoke(invoke("meets")).await }));
    }
    for call in calls {
        let answer = tokio::time::timeout(Duration::from_secs(20), call).await;
        answer.expect("every call waits for the others").unwrap().unwrap();
    }
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
    // Dropping a call resets its stream, like an engine that stops waiting.
    calls.iter().for_each(|call| call.abort());
    engine.client.cancel(()).await.unwrap();
    engine.client.get_plugin_info(()).await.unwrap();
}

#[tokio::test]
async fn a_stop_signal_cancels_and_ends() {
    let engine = served(Sample::default()).await;
    let call = outstanding(&engine.client, "hangs").await;
    engine.stop.send(()).unwrap();
    assert_eq!(call.await.unwrap().code(), Code::Cancelled);
    tokio::time::timeout(Duration::from_secs(1), engine.ended)
        .await
        .unwrap()
        .unwrap();
}
