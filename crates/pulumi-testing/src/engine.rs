//! The engine's own service.

use std::sync::{Arc, Mutex};

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_gestalt_proto::pulumi::pulumirpc::engine_server::{Engine, EngineServer};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::listen;

/// An engine that records messages. Cheap to clone; clones share the record.
#[derive(Clone, Default)]
pub struct FakeEngine {
    /// Messages of its log, in the order in which they came.
    pub reported: Arc<Mutex<Vec<rpc::LogRequest>>>,
}

impl FakeEngine {
    /// Serves it, and returns its address.
    pub async fn serve(&self) -> String {
        let (listener, port) = listen().await;
        let server = Server::builder().add_service(EngineServer::new(self.clone()));
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        tokio::spawn(server.serve_with_incoming(incoming));
        format!("127.0.0.1:{port}")
    }
}

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl Engine for FakeEngine {
    async fn log(&self, request: Request<rpc::LogRequest>) -> Answer<()> {
        self.reported.lock().unwrap().push(request.into_inner());
        Ok(Response::new(()))
    }

    async fn get_root_resource(
        &self,
        _: Request<rpc::GetRootResourceRequest>,
    ) -> Answer<rpc::GetRootResourceResponse> {
        Err(Status::unimplemented("not here"))
    }

    async fn set_root_resource(
        &self,
        _: Request<rpc::SetRootResourceRequest>,
    ) -> Answer<rpc::SetRootResourceResponse> {
        Err(Status::unimplemented("not here"))
    }

    async fn start_debugging(&self, _: Request<rpc::StartDebuggingRequest>) -> Answer<()> {
        Err(Status::unimplemented("not here"))
    }

    async fn require_pulumi_version(
        &self,
        _: Request<rpc::RequirePulumiVersionRequest>,
    ) -> Answer<rpc::RequirePulumiVersionResponse> {
        Err(Status::unimplemented("not here"))
    }
}
