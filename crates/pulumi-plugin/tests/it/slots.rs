//! A provider that runs one function at a time, and providers that share a process.

use std::time::Duration;

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_plugin::rpc::{Context, Error, InvokeRequest, Provider, serve_on};
use pulumi_plugin::values::Object;
use pulumi_testing::within;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tonic::{Code, Status};

use crate::engine::{Client, bag, connect, listen, text};
use crate::sample::{handshake, invoke};

/// Long enough for a call to arrive and get as far as it can.
const WHILE: Duration = Duration::from_millis(100);

struct OneAtATime;

impl Provider for OneAtATime {
    fn version(&self) -> &str {
        "1.0.0"
    }

    fn functions_at_once(&self) -> usize {
        1
    }

    async fn invoke(&self, cx: &Context, request: InvokeRequest) -> Result<Object, Error> {
        match request.token.as_str() {
            "caller" => Ok(Object::from([(
                "caller".into(),
                format!("{:?}", cx.caller()).into(),
            )])),
            "releases its slot" => {
                cx.release_slot();
                std::future::pending().await
            }
            _ => std::future::pending().await,
        }
    }
}

/// The port of a process that waits for engines.
async fn attached() -> u16 {
    let (listener, port) = listen().await;
    tokio::spawn(serve_on(listener, OneAtATime, None, std::future::pending()));
    port
}

/// An engine's connection to it.
async fn introduced(port: u16) -> Client {
    let mut client = connect(port).await;
    client.handshake(handshake()).await.unwrap();
    client
}

/// Starts a call and waits until it has come as far as it can.
async fn begun(client: &Client, token: &'static str) -> JoinHandle<Result<rpc::InvokeResponse, Status>> {
    let mut client = client.clone();
    let call = tokio::spawn(async move { Ok(client.invoke(invoke(token)).await?.into_inner()) });
    sleep(WHILE).await;
    call
}

/// The caller, as the provider sees it.
async fn caller(client: &Client) -> prost_types::Value {
    let answer = client.clone().invoke(invoke("caller")).await.unwrap();
    let mut members = answer.into_inner().r#return.unwrap().fields;
    members.remove("caller").unwrap()
}

#[tokio::test]
async fn a_function_waits_for_a_slot_and_a_call_that_is_given_up_leaves_its_own() {
    let client = introduced(attached().await).await;
    let first = begun(&client, "hangs").await;
    let second = begun(&client, "caller").await;
    assert!(!second.is_finished(), "only one runs at a time");
    // Everything else goes on meanwhile.
    client.clone().get_plugin_info(()).await.unwrap();
    first.abort();
    let answer = timeout(Duration::from_secs(5), second).await;
    answer.expect("a slot is free").unwrap().unwrap();
}

#[tokio::test]
async fn a_function_that_releases_its_slot_runs_beside_the_next() {
    let client = introduced(attached().await).await;
    let first = begun(&client, "releases its slot").await;
    timeout(Duration::from_secs(5), caller(&client))
        .await
        .expect("a slot is free");
    assert!(!first.is_finished());
}

#[tokio::test]
async fn cancel_ends_those_that_run_and_those_that_wait_at_once() {
    within(Duration::from_millis(200), async || {
        let mut client = introduced(attached().await).await;
        let mut calls = Vec::new();
        for _ in 0..1000 {
            let mut client = client.clone();
            calls.push(tokio::spawn(async move { client.invoke(invoke("hangs")).await }));
        }
        sleep(WHILE).await;
        let cancelled = Instant::now();
        client.cancel(()).await.unwrap();
        for call in calls {
            assert_eq!(call.await.unwrap().unwrap_err().code(), Code::Cancelled);
        }
        cancelled.elapsed()
    })
    .await;
}

#[tokio::test]
async fn cancel_gets_past_whatever_waits_unread() {
    let mut client = introduced(attached().await).await;
    let mut calls = Vec::new();
    for _ in 0..40 {
        let mut client = client.clone();
        let request = rpc::InvokeRequest {
            args: bag([("text", text(&"x".repeat(100_000)))]),
            ..invoke("hangs")
        };
        calls.push(tokio::spawn(async move { client.invoke(request).await }));
    }
    sleep(WHILE).await;
    let cancelled = timeout(Duration::from_secs(5), client.cancel(())).await;
    cancelled.expect("it arrives").unwrap();
    for call in calls {
        assert_eq!(call.await.unwrap().unwrap_err().code(), Code::Cancelled);
    }
}

#[tokio::test]
async fn engines_that_share_a_process_are_distinguished_and_cancel_their_own_calls_only() {
    let port = attached().await;
    let (mut one, two) = (introduced(port).await, introduced(port).await);
    assert_ne!(caller(&one).await, caller(&two).await);

    let [of_one, of_two] = [
        begun(&one, "releases its slot").await,
        begun(&two, "releases its slot").await,
    ];
    one.cancel(()).await.unwrap();
    let ended = timeout(Duration::from_secs(5), of_one).await.unwrap();
    assert_eq!(ended.unwrap().unwrap_err().code(), Code::Cancelled);
    sleep(WHILE).await;
    assert!(!of_two.is_finished(), "another engine's call is not cancelled");
}

#[tokio::test]
async fn a_connection_without_an_identity_has_the_latest_one() {
    let port = attached().await;
    let (_one, two) = (introduced(port).await, introduced(port).await);
    assert_eq!(caller(&connect(port).await).await, caller(&two).await);
}

#[tokio::test]
async fn all_connections_are_of_the_engine_that_started_the_process() {
    let (listener, port) = listen().await;
    let engine = Some("127.0.0.1:1".to_owned());
    tokio::spawn(serve_on(listener, OneAtATime, engine, std::future::pending()));
    let (one, mut two) = (introduced(port).await, connect(port).await);
    assert_eq!(caller(&one).await, caller(&two).await);
    assert_eq!(caller(&one).await, text("CallerId(0)"));
    let call = begun(&one, "hangs").await;
    two.cancel(()).await.unwrap();
    let ended = timeout(Duration::from_secs(5), call).await.unwrap();
    assert_eq!(ended.unwrap().unwrap_err().code(), Code::Cancelled);
}
