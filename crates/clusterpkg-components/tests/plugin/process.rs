//! The process, its client, and the engine it logs to.

use std::ffi::OsStr;
use std::sync::{Arc, Mutex};

use prost::Message as _;
use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_testing::bags::bag;
use serde_json::Value;
use tokio::process::{Child, Command};
use tonic::{Response, Status};

use crate::deployment::Deployment;

/// The plugin under test.
const PROGRAM: Option<&str> = option_env!("CARGO_BIN_EXE_pulumi-resource-clusterpkg");

/// A running plugin.
pub(crate) struct Plugin {
    pub(crate) process: Child,
    pub(crate) client: pulumi_testing::Client,
    reported: Arc<Mutex<Vec<rpc::LogRequest>>>,
}

impl Plugin {
    /// Starts the plugin with an engine, which has introduced itself.
    pub(crate) async fn start() -> Self {
        Self::start_program(PROGRAM.expect("cargo sets it for tests")).await
    }

    /// The same, of another build of the plugin.
    pub(crate) async fn start_program(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.args(["--logtostderr", "-v=9"]);
        Self::of(command).await
    }

    /// Starts the plugin with a collector of spans.
    pub(crate) async fn start_with_collector(address: &str) -> Self {
        let mut command = Command::new(PROGRAM.expect("cargo sets it for tests"));
        command.env("PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT", address);
        // On a busy machine the default loses spans.
        command.env("OTEL_BSP_EXPORT_TIMEOUT", "60000");
        Self::of(command).await
    }

    async fn of(command: Command) -> Self {
        let pulumi_testing::Plugin {
            process,
            mut client,
            engine,
        } = pulumi_testing::Plugin::start(command).await;
        let capabilities = client.handshake(rpc::ProviderHandshakeRequest::default()).await;
        let capabilities = capabilities.unwrap().into_inner();
        assert!(capabilities.accept_secrets && capabilities.accept_resources && capabilities.accept_outputs);
        Self {
            process,
            client,
            reported: engine.reported,
        }
    }

    /// Has a component named `main` built.
    pub(crate) async fn construct(
        &self,
        deployment: &Deployment,
        component: &str,
        inputs: Value,
    ) -> Result<rpc::ConstructResponse, Status> {
        let request = request(deployment, component, inputs).await;
        self.client
            .clone()
            .construct(request)
            .await
            .map(Response::into_inner)
    }

    /// The warnings that the user was shown so far, with the resources that they are about.
    pub(crate) fn warnings(&self) -> Vec<(String, String)> {
        let reported = self.reported.lock().unwrap();
        let warnings = reported
            .iter()
            .filter(|message| message.severity() == rpc::LogSeverity::Warning);
        warnings
            .map(|message| (message.urn.clone(), message.message.clone()))
            .collect()
    }
}

/// A request for a component with the name `main`.
pub(crate) async fn request(
    deployment: &Deployment,
    component: &str,
    inputs: Value,
) -> rpc::ConstructRequest {
    let providers = ["aws", "kubernetes"].map(|package| {
        let reference = format!("urn:pulumi:dev::shop::pulumi:providers:{package}::given::given-id");
        (package.to_owned(), reference)
    });
    rpc::ConstructRequest {
        project: "shop".to_owned(),
        stack: "dev".to_owned(),
        dry_run: deployment.preview,
        parallel: 16,
        monitor_endpoint: deployment.serve().await,
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
