//! The process, its client, the engine it logs to and a manager.

use std::ffi::OsStr;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use netmgr_sim::{DEFAULT_PASSWORD, DEFAULT_USERNAME, ServerCertificate, Simulator, SimulatorBuilder};
use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_testing::bags::{bag, json_of};
use pulumi_testing::{Client, connect, launch};
use serde_json::{Value, json};
use tokio::process::{Child, Command};
use tonic::Status;

/// The plugin under test.
const PROGRAM: Option<&str> = option_env!("CARGO_BIN_EXE_pulumi-resource-netmgr");

/// Failures of single properties.
pub(crate) type Failures = Vec<(String, String)>;

/// A running plugin.
pub(crate) struct Plugin {
    pub(crate) process: Child,
    pub(crate) client: Client,
    pub(crate) reported: Arc<Mutex<Vec<rpc::LogRequest>>>,
}

impl Plugin {
    /// Starts the plugin with an engine that distinguishes previews and updates.
    pub(crate) async fn start() -> Self {
        Self::start_with([]).await
    }

    /// Like [`Self::start`], with additional environment variables.
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
        let mut command = command(program);
        command.envs(environment);
        Self::of(command).await
    }

    /// Starts the plugin with these arguments before the engine's address, its stderr to be read by
    /// the test. The engine has introduced itself.
    pub(crate) async fn start_with_arguments(arguments: &[&str]) -> Self {
        let mut command = command(program());
        command.args(arguments).stderr(Stdio::piped());
        let mut plugin = Self::of(command).await;
        plugin.client.handshake(handshake()).await.unwrap();
        plugin
    }

    pub(crate) async fn of(command: Command) -> Self {
        let plugin = pulumi_testing::Plugin::start(command).await;
        Self {
            process: plugin.process,
            client: plugin.client,
            reported: plugin.engine.reported,
        }
    }

    /// Returns the output of the plugin for an argument with which it does not serve.
    pub(crate) async fn print(argument: &str) -> String {
        let output = command(program()).arg(argument).output().await.unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Starts the plugin manually, and introduces an engine to it once for each of its providers.
    pub(crate) async fn attach_to<const N: usize>() -> (Child, [Client; N]) {
        let (process, port) = launch(command(program())).await;
        let mut clients = Vec::new();
        for _ in 0..N {
            let mut client = connect(port).await;
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

    /// The messages so far: severity, text, and whether it is progress.
    pub(crate) fn messages(&self) -> Vec<(i32, String, bool)> {
        let reported = self.reported.lock().unwrap();
        reported
            .iter()
            .map(|m| (m.severity, m.message.clone(), m.ephemeral))
            .collect()
    }
}

/// A plugin without settings of the person who runs the tests.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("NETMGR_")) {
        command.env_remove(name);
    }
    command
}

pub(crate) fn program() -> &'static str {
    PROGRAM.expect("cargo sets it for tests")
}

/// The handshake of an engine that distinguishes previews and updates.
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
