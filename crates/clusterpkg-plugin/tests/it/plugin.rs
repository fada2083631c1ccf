//! The process, its client, and the engine it logs to.

use std::process::Stdio;
use std::sync::{Arc, Mutex};

use prost::Message as _;
use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_gestalt_proto::pulumi::pulumirpc::engine_server::{Engine, EngineServer};
use pulumi_gestalt_proto::pulumi::pulumirpc::resource_provider_client::ResourceProviderClient;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, Status};

use crate::bags::bag;
use crate::monitor::FakeMonitor;

/// A running plugin.
pub(crate) struct Plugin {
    pub(crate) process: Child,
    pub(crate) client: ResourceProviderClient<Channel>,
    told: Arc<Mutex<Vec<rpc::LogRequest>>>,
}

impl Plugin {
    /// Starts the plugin with an engine, which has introduced itself.
    pub(crate) async fn start() -> Self {
        let engine = FakeEngine::default();
        let told = Arc::clone(&engine.told);
        let mut process = Command::new(env!("CARGO_BIN_EXE_pulumi-resource-clusterpkg"))
            .args(["--logtostderr", "-v=9", &engine.serve().await])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        stdout.read_line(&mut line).await.unwrap();
        let address = format!("http://127.0.0.1:{}", line.trim());
        let channel = Endpoint::from_shared(address).unwrap().connect().await.unwrap();
        let mut client = ResourceProviderClient::new(channel);
        let capabilities = client.handshake(rpc::ProviderHandshakeRequest::default()).await;
        let capabilities = capabilities.unwrap().into_inner();
        assert!(capabilities.accept_secrets && capabilities.accept_resources && capabilities.accept_outputs);
        Self {
            process,
            client,
            told,
        }
    }

    /// Has a component named `main` built.
    pub(crate) async fn construct(
        &self,
        monitor: &FakeMonitor,
        component: &str,
        inputs: Value,
    ) -> Result<rpc::ConstructResponse, Status> {
        let request = request(monitor, component, inputs).await;
        self.client
            .clone()
            .construct(request)
            .await
            .map(Response::into_inner)
    }

    /// The warnings that the user was shown so far, with the resources that they are about.
    pub(crate) fn warnings(&self) -> Vec<(String, String)> {
        let told = self.told.lock().unwrap();
        let warnings = told
            .iter()
            .filter(|message| message.severity() == rpc::LogSeverity::Warning);
        warnings
            .map(|message| (message.urn.clone(), message.message.clone()))
            .collect()
    }
}

/// What the engine asks for a component named `main`.
pub(crate) async fn request(monitor: &FakeMonitor, component: &str, inputs: Value) -> rpc::ConstructRequest {
    let providers = ["aws", "kubernetes"].map(|package| {
        let reference = format!("urn:pulumi:dev::shop::pulumi:providers:{package}::given::given-id");
        (package.to_owned(), reference)
    });
    rpc::ConstructRequest {
        project: "shop".to_owned(),
        stack: "dev".to_owned(),
        dry_run: monitor.preview,
        parallel: 16,
        monitor_endpoint: monitor.serve().await,
        r#type: format!("clusterpkg:index:{component}"),
        name: "main".to_owned(),
        inputs: bag(inputs),
        providers: providers.into(),
        accepts_output_values: true,
        ..Default::default()
    }
}

/// The details of a status, written down independently.
#[derive(prost::Message)]
struct Details {
    #[prost(message, repeated, tag = "3")]
    details: Vec<prost_types::Any>,
}

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

/// The properties that a refusal is about, each with the reason.
pub(crate) fn wrong_properties(status: &Status) -> Vec<(String, String)> {
    let details = Details::decode(status.details()).unwrap().details;
    let errors = details.iter().flat_map(|detail| {
        assert_eq!(
            detail.type_url,
            "type.googleapis.com/pulumirpc.InputPropertiesError"
        );
        InputProperties::decode(&*detail.value).unwrap().errors
    });
    errors.map(|error| (error.property_path, error.reason)).collect()
}

/// An engine that keeps what it is told.
#[derive(Clone, Default)]
struct FakeEngine {
    told: Arc<Mutex<Vec<rpc::LogRequest>>>,
}

impl FakeEngine {
    async fn serve(self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = Server::builder().add_service(EngineServer::new(self));
        tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
        address
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
