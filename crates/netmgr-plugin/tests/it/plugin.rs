//! The process, its client, the engine it logs to and a manager.

use std::ffi::OsStr;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use netmgr_sim::{DEFAULT_PASSWORD, DEFAULT_USERNAME, ServerCertificate, Simulator, SimulatorBuilder};
use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_gestalt_proto::pulumi::pulumirpc::engine_server::{Engine, EngineServer};
use pulumi_gestalt_proto::pulumi::pulumirpc::resource_provider_client::ResourceProviderClient;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, Status};

use crate::bags::{bag, json_of};

/// The plugin under test.
const PROGRAM: Option<&str> = option_env!("CARGO_BIN_EXE_pulumi-resource-netmgr");

/// Failures of single properties.
pub(crate) type Failures = Vec<(String, String)>;

/// A running plugin.
pub(crate) struct Plugin {
    pub(crate) process: Child,
    pub(crate) client: ResourceProviderClient<Channel>,
    pub(crate) told: Arc<Mutex<Vec<rpc::LogRequest>>>,
}

impl Plugin {
    /// Starts the plugin with an engine, which has introduced itself as one that tells previews.
    pub(crate) async fn start() -> Self {
        Self::start_with([]).await
    }

    /// The same, with more in its environment.
    pub(crate) async fn start_with<const N: usize>(environment: [(&str, &str); N]) -> Self {
        let mut plugin = Self::start_of_old(environment).await;
        plugin.client.handshake(handshake()).await.unwrap();
        plugin
    }

    /// Starts the plugin with an engine that does not introduce itself.
    pub(crate) async fn start_of_old<const N: usize>(environment: [(&str, &str); N]) -> Self {
        Self::start_program(program(), environment).await
    }

    /// The same, of another build of the plugin.
    pub(crate) async fn start_program<const N: usize>(
        program: impl AsRef<OsStr>,
        environment: [(&str, &str); N],
    ) -> Self {
        let engine = FakeEngine::default();
        let told = Arc::clone(&engine.told);
        let mut command = Command::new(program);
        command.arg(engine.serve().await).envs(environment);
        let (process, port) = launch(command).await;
        Self {
            process,
            client: connect(&port).await,
            told,
        }
    }

    /// Starts the plugin with these arguments before the engine's address, its stderr to be read by
    /// the test. The engine has introduced itself.
    pub(crate) async fn start_with_arguments(arguments: &[&str]) -> Self {
        let engine = FakeEngine::default();
        let told = Arc::clone(&engine.told);
        let mut command = Command::new(program());
        command
            .args(arguments)
            .arg(engine.serve().await)
            .stderr(Stdio::piped());
        let (process, port) = launch(command).await;
        let mut client = connect(&port).await;
        client.handshake(handshake()).await.unwrap();
        Self {
            process,
            client,
            told,
        }
    }

    /// Starts the plugin by hand, and introduces an engine to it once for each of its providers.
    pub(crate) async fn attach_to<const N: usize>() -> (Child, [ResourceProviderClient<Channel>; N]) {
        let (process, port) = launch(Command::new(program())).await;
        let mut clients = Vec::new();
        for _ in 0..N {
            let mut client = connect(&port).await;
            client.handshake(handshake()).await.unwrap();
            clients.push(client);
        }
        (process, clients.try_into().unwrap())
    }

    /// Checks a configuration.
    pub(crate) async fn check(&self, news: Value) -> Result<Value, Failures> {
        let request = rpc::CheckRequest {
            news: bag(news),
            ..Default::default()
        };
        let answer = self
            .client
            .clone()
            .check_config(request)
            .await
            .unwrap()
            .into_inner();
        if answer.failures.is_empty() {
            Ok(json_of(answer.inputs))
        } else {
            Err(pairs(answer.failures))
        }
    }

    /// Hands over a configuration.
    pub(crate) async fn configure(&self, args: Value) -> Result<(), Status> {
        let request = rpc::ConfigureRequest {
            args: bag(args),
            accept_secrets: true,
            accept_resources: true,
            ..Default::default()
        };
        self.client.clone().configure(request).await.map(drop)
    }

    /// Calls a function outside of a preview.
    pub(crate) async fn invoke(
        &self,
        function: &str,
        args: Value,
    ) -> Result<Result<Value, Failures>, Status> {
        self.call(function, args, false).await
    }

    /// Calls a function in a preview.
    pub(crate) async fn preview(
        &self,
        function: &str,
        args: Value,
    ) -> Result<Result<Value, Failures>, Status> {
        self.call(function, args, true).await
    }

    async fn call(
        &self,
        function: &str,
        args: Value,
        preview: bool,
    ) -> Result<Result<Value, Failures>, Status> {
        let request = rpc::InvokeRequest {
            tok: format!("netmgr:index/{function}:{function}"),
            args: bag(args),
            preview,
        };
        let answer = self.client.clone().invoke(request).await?.into_inner();
        Ok(match answer.failures.is_empty() {
            true => Ok(json_of(answer.r#return)),
            false => Err(pairs(answer.failures)),
        })
    }

    /// What the engine was told so far: severity, text, whether it is progress.
    pub(crate) fn messages(&self) -> Vec<(i32, String, bool)> {
        let told = self.told.lock().unwrap();
        told.iter()
            .map(|m| (m.severity, m.message.clone(), m.ephemeral))
            .collect()
    }
}

/// Starts a plugin; its process and its port.
async fn launch(mut command: Command) -> (Child, String) {
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("NETMGR_")) {
        // What the person who runs the tests has set; not what the test itself sets.
        if command.as_std().get_envs().all(|(set, _)| set != name.as_str()) {
            command.env_remove(name);
        }
    }
    let mut process = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(process.stdout.take().unwrap());
    stdout.read_line(&mut line).await.unwrap();
    (process, line.trim().to_owned())
}

async fn connect(port: &str) -> ResourceProviderClient<Channel> {
    let address = format!("http://127.0.0.1:{port}");
    let channel = Endpoint::from_shared(address).unwrap().connect().await.unwrap();
    ResourceProviderClient::new(channel).max_decoding_message_size(400 << 20)
}

fn program() -> &'static str {
    PROGRAM.expect("cargo tells tests where it is")
}

/// The handshake of an engine that tells previews.
fn handshake() -> rpc::ProviderHandshakeRequest {
    rpc::ProviderHandshakeRequest {
        invoke_with_preview: true,
        ..Default::default()
    }
}

fn pairs(failures: Vec<rpc::CheckFailure>) -> Failures {
    failures
        .into_iter()
        .map(|failure| (failure.property, failure.reason))
        .collect()
}

/// A manager over TLS.
pub(crate) async fn manager() -> Simulator {
    serve(Simulator::builder()).await
}

/// The same, set up in another way.
pub(crate) async fn serve(builder: SimulatorBuilder) -> Simulator {
    builder.tls(ServerCertificate::Valid).start().await.unwrap()
}

/// Settings that lead to a manager, with more.
pub(crate) fn settings(manager: &Simulator, more: Value) -> Value {
    let mut settings = json!({
        "host": manager.host(),
        "username": DEFAULT_USERNAME,
        "password": DEFAULT_PASSWORD,
        "ca": manager.ca_pem(),
    });
    settings
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    settings
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
