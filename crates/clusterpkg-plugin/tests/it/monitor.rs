//! The engine's resource monitor, with a made-up cloud behind it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_gestalt_proto::pulumi::pulumirpc::resource_monitor_server::{
    ResourceMonitor, ResourceMonitorServer,
};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::bags::{bag, json_of};

/// A monitor that keeps what it is asked, creates everything at once, and refuses what comes before
/// something that it needs. Cheap to clone; clones share what they keep.
#[derive(Clone, Default)]
pub(crate) struct FakeMonitor {
    /// Whether identifiers and outputs are not known yet.
    pub(crate) preview: bool,
    /// A resource whose creation never ends.
    endless: Option<&'static str>,
    /// A resource that is refused.
    refused: Option<&'static str>,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    registered: Vec<rpc::RegisterResourceRequest>,
    answered: Vec<String>,
    outputs: BTreeMap<String, Value>,
    given_up: usize,
}

impl FakeMonitor {
    /// Of a deployment that only looks ahead.
    pub(crate) fn in_preview(self) -> Self {
        Self {
            preview: true,
            ..self
        }
    }

    /// Never done with the resource of this name.
    pub(crate) fn stuck_at(self, name: &'static str) -> Self {
        Self {
            endless: Some(name),
            ..self
        }
    }

    /// Refuses the resource of this name.
    pub(crate) fn refusing(self, name: &'static str) -> Self {
        Self {
            refused: Some(name),
            ..self
        }
    }

    /// Serves it, and returns its address.
    pub(crate) async fn serve(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = Server::builder().add_service(ResourceMonitorServer::new(self.clone()));
        tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
        address
    }

    /// The registration of this type and name.
    pub(crate) fn find(&self, token: &str, name: &str) -> rpc::RegisterResourceRequest {
        let kept = self.kept.lock().unwrap();
        let mut found = kept
            .registered
            .iter()
            .filter(|r| r.r#type == token && r.name == name);
        found
            .next()
            .unwrap_or_else(|| panic!("{token} {name} is not registered"))
            .clone()
    }

    /// How many resources were registered.
    pub(crate) fn registered(&self) -> usize {
        self.kept.lock().unwrap().registered.len()
    }

    /// Stored outputs of components.
    pub(crate) fn outputs(&self) -> BTreeMap<String, Value> {
        self.kept.lock().unwrap().outputs.clone()
    }

    /// Whether a resource of this name was to be registered.
    pub(crate) fn was_asked_for(&self, name: &str) -> bool {
        let kept = self.kept.lock().unwrap();
        kept.registered.iter().any(|request| request.name == name)
    }

    /// How many registrations nobody waits for any more.
    pub(crate) fn given_up(&self) -> usize {
        self.kept.lock().unwrap().given_up
    }

    fn answer(&self, request: &rpc::RegisterResourceRequest) -> rpc::RegisterResourceResponse {
        let mut outputs = json_of(request.object.clone());
        let known = request.custom && !self.preview;
        if known {
            let made_up = made_up(request);
            for (name, value) in made_up.as_object().unwrap() {
                outputs[name] = value.clone();
            }
        }
        rpc::RegisterResourceResponse {
            urn: urn(request),
            id: if known {
                format!("{}-id", request.name)
            } else {
                String::new()
            },
            object: bag(outputs),
            ..Default::default()
        }
    }
}

/// Outputs that children of the components have.
fn made_up(request: &rpc::RegisterResourceRequest) -> Value {
    let name = &request.name;
    match request.r#type.split(':').next() {
        Some("kubernetes") => json!({"metadata": {"name": format!("{name}-1a2b")}}),
        _ => json!({
            "arn": format!("arn:aws:made:eu-west-1:123456789012:{name}"),
            "name": format!("{name}-1a2b"),
            "url": "oidc.example/id/A",
            "endpoint": "https://main.example",
            "certificateAuthority": {"data": "Q0E="},
            "identities": [{"oidcs": [{"issuer": "https://oidc.example/id/A"}]}],
            "principalArn": "arn:aws:iam::123456789012:role/someone",
        }),
    }
}

fn urn(request: &rpc::RegisterResourceRequest) -> String {
    format!("urn:pulumi:dev::shop::{}::{}", request.r#type, request.name)
}

/// Counts a registration as given up unless it has ended.
struct Waiting<'a> {
    kept: &'a Mutex<Kept>,
    ended: bool,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.kept.lock().unwrap().given_up += 1;
        }
    }
}

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl ResourceMonitor for FakeMonitor {
    async fn register_resource(
        &self,
        request: Request<rpc::RegisterResourceRequest>,
    ) -> Answer<rpc::RegisterResourceResponse> {
        let request = request.into_inner();
        let name = request.name.as_str();
        {
            let mut kept = self.kept.lock().unwrap();
            let properties = request.property_dependencies.values();
            let needed = request
                .dependencies
                .iter()
                .chain(properties.flat_map(|d| &d.urns));
            let needed = needed.chain(Some(&request.parent).filter(|parent| !parent.is_empty()));
            for urn in needed {
                if !kept.answered.contains(urn) {
                    return Err(Status::invalid_argument(format!("{name} came before {urn}")));
                }
            }
            kept.registered.push(request.clone());
        }
        let mut waiting = Waiting {
            kept: &self.kept,
            ended: false,
        };
        if self.endless == Some(name) {
            std::future::pending::<()>().await;
        }
        waiting.ended = true;
        if self.refused == Some(name) {
            return Err(Status::unknown("quota exceeded"));
        }
        let answer = self.answer(&request);
        self.kept.lock().unwrap().answered.push(answer.urn.clone());
        Ok(Response::new(answer))
    }

    async fn register_resource_outputs(
        &self,
        request: Request<rpc::RegisterResourceOutputsRequest>,
    ) -> Answer<()> {
        let request = request.into_inner();
        let mut kept = self.kept.lock().unwrap();
        kept.outputs.insert(request.urn, json_of(request.outputs));
        Ok(Response::new(()))
    }

    async fn invoke(&self, _: Request<rpc::ResourceInvokeRequest>) -> Answer<rpc::InvokeResponse> {
        let result = json!({
            "partition": "aws",
            "dnsSuffix": "amazonaws.com",
            "region": "eu-west-1",
            "name": "eu-west-1",
            "accountId": "123456789012",
            "arn": "arn:aws:sts::123456789012:assumed-role/deployer/session",
            "issuerArn": "arn:aws:iam::123456789012:role/deployer",
        });
        Ok(Response::new(rpc::InvokeResponse {
            r#return: bag(result),
            ..Default::default()
        }))
    }

    async fn supports_feature(
        &self,
        _: Request<rpc::SupportsFeatureRequest>,
    ) -> Answer<rpc::SupportsFeatureResponse> {
        Err(Status::unimplemented("not here"))
    }

    async fn call(&self, _: Request<rpc::ResourceCallRequest>) -> Answer<rpc::CallResponse> {
        Err(Status::unimplemented("not here"))
    }

    async fn read_resource(&self, _: Request<rpc::ReadResourceRequest>) -> Answer<rpc::ReadResourceResponse> {
        Err(Status::unimplemented("not here"))
    }

    async fn register_stack_transform(&self, _: Request<rpc::Callback>) -> Answer<()> {
        Err(Status::unimplemented("not here"))
    }

    async fn register_stack_invoke_transform(&self, _: Request<rpc::Callback>) -> Answer<()> {
        Err(Status::unimplemented("not here"))
    }

    async fn register_resource_hook(&self, _: Request<rpc::RegisterResourceHookRequest>) -> Answer<()> {
        Err(Status::unimplemented("not here"))
    }

    async fn register_error_hook(&self, _: Request<rpc::RegisterErrorHookRequest>) -> Answer<()> {
        Err(Status::unimplemented("not here"))
    }

    async fn register_package(
        &self,
        _: Request<rpc::RegisterPackageRequest>,
    ) -> Answer<rpc::RegisterPackageResponse> {
        Err(Status::unimplemented("not here"))
    }

    async fn signal_and_wait_for_shutdown(&self, _: Request<()>) -> Answer<()> {
        Err(Status::unimplemented("not here"))
    }
}
