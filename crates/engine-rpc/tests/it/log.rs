//! The engine's log.

use std::sync::{Arc, Mutex};

use engine_rpc::{EngineLog, LogMessage, Severity};
use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_gestalt_proto::pulumi::pulumirpc::engine_server::{Engine, EngineServer};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::engine::listen;

/// An engine that keeps what it is told.
#[derive(Clone, Default)]
pub(crate) struct FakeEngine {
    pub(crate) told: Arc<Mutex<Vec<rpc::LogRequest>>>,
}

impl FakeEngine {
    /// Serves it; its address.
    pub(crate) async fn serve(&self) -> String {
        let (listener, port) = listen().await;
        let server = Server::builder().add_service(EngineServer::new(self.clone()));
        tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
        format!("127.0.0.1:{port}")
    }
}

#[tonic::async_trait]
impl Engine for FakeEngine {
    async fn log(&self, request: Request<rpc::LogRequest>) -> Result<Response<()>, Status> {
        self.told.lock().unwrap().push(request.into_inner());
        Ok(Response::new(()))
    }

    async fn get_root_resource(
        &self,
        _: Request<rpc::GetRootResourceRequest>,
    ) -> Result<Response<rpc::GetRootResourceResponse>, Status> {
        Err(Status::unimplemented("not here"))
    }

    async fn set_root_resource(
        &self,
        _: Request<rpc::SetRootResourceRequest>,
    ) -> Result<Response<rpc::SetRootResourceResponse>, Status> {
        Err(Status::unimplemented("not here"))
    }

    async fn start_debugging(&self, _: Request<rpc::StartDebuggingRequest>) -> Result<Response<()>, Status> {
        Err(Status::unimplemented("not here"))
    }

    async fn require_pulumi_version(
        &self,
        _: Request<rpc::RequirePulumiVersionRequest>,
    ) -> Result<Response<rpc::RequirePulumiVersionResponse>, Status> {
        Err(Status::unimplemented("not here"))
    }
}

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

    let told = engine.told.lock().unwrap();
    let told: Vec<_> = told
        .iter()
        .map(|m| (m.severity(), &*m.message, &*m.urn, m.ephemeral))
        .collect();
    assert_eq!(
        told,
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
async fn messages_to_nobody_are_dropped() {
    EngineLog::default().warning("nobody hears this").await;
    EngineLog::at("no address").warning("nor this").await;
    let (listener, port) = listen().await;
    drop(listener);
    EngineLog::at(&format!("127.0.0.1:{port}"))
        .warning("nor this")
        .await;
}
