//! Tests of the engine's log.

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_plugin::rpc::{EngineLog, LogMessage, Severity};
use pulumi_testing::FakeEngine;

use crate::engine::listen;

#[tokio::test]
async fn messages_arrive_in_order_with_all_they_have() {
    let engine = FakeEngine::default();
    let log = EngineLog::at(&engine.serve().await);
    log.info("one").await;
    log.warning("two").await;
    log.error("three").await;
    log.progress("four").await;
    let about = LogMessage {
        urn: Some("urn:a".into()),
        ..LogMessage::new(Severity::Debug, "five")
    };
    log.send(about).await;

    let reported = engine.reported.lock().unwrap();
    let reported: Vec<_> = reported
        .iter()
        .map(|m| (m.severity(), &*m.message, &*m.urn, m.ephemeral))
        .collect();
    assert_eq!(
        reported,
        [
            (rpc::LogSeverity::Info, "one", "", false),
            (rpc::LogSeverity::Warning, "two", "", false),
            (rpc::LogSeverity::Error, "three", "", false),
            (rpc::LogSeverity::Info, "four", "", true),
            (rpc::LogSeverity::Debug, "five", "urn:a", false),
        ]
    );
}

#[tokio::test]
async fn messages_without_a_receiver_are_dropped() {
    EngineLog::default().warning("dropped").await;
    EngineLog::at("no address").warning("nor this").await;
    let (listener, port) = listen().await;
    drop(listener);
    EngineLog::at(&format!("127.0.0.1:{port}"))
        .warning("nor this")
        .await;
}
