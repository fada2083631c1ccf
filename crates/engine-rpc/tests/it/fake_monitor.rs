//! A monitor that keeps what it is asked and answers from a script.

use std::sync::{Arc, Mutex};

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_gestalt_proto::pulumi::pulumirpc::resource_monitor_server::{
    ResourceMonitor, ResourceMonitorServer,
};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::engine::listen;

type Answer<T> = Result<Response<T>, Status>;
type Script<Q, A> = Arc<dyn Fn(&Q) -> Result<A, Status> + Send + Sync>;

/// The monitor. Cheap to clone; clones share what they keep.
#[derive(Clone)]
pub(crate) struct FakeMonitor {
    pub(crate) registered: Arc<Mutex<Vec<rpc::RegisterResourceRequest>>>,
    pub(crate) outputs: Arc<Mutex<Vec<rpc::RegisterResourceOutputsRequest>>>,
    pub(crate) invoked: Arc<Mutex<Vec<rpc::ResourceInvokeRequest>>>,
    answers: Script<rpc::RegisterResourceRequest, rpc::RegisterResourceResponse>,
    results: Script<rpc::ResourceInvokeRequest, rpc::InvokeResponse>,
}

/// Every resource is created with its inputs as outputs; every function returns its arguments.
impl Default for FakeMonitor {
    fn default() -> Self {
        Self {
            registered: Arc::default(),
            outputs: Arc::default(),
            invoked: Arc::default(),
            answers: Arc::new(|request| Ok(created(request))),
            results: Arc::new(|request| {
                Ok(rpc::InvokeResponse {
                    r#return: request.args.clone(),
                    ..Default::default()
                })
            }),
        }
    }
}

/// The answer for a resource that was created.
pub(crate) fn created(request: &rpc::RegisterResourceRequest) -> rpc::RegisterResourceResponse {
    let id = match request.custom {
        true => format!("{}-id", request.name),
        false => String::new(),
    };
    rpc::RegisterResourceResponse {
        urn: format!("urn:{}", request.name),
        id,
        object: request.object.clone(),
        ..Default::default()
    }
}

impl FakeMonitor {
    /// Answers registrations in another way.
    pub(crate) fn answers(
        self,
        answers: impl Fn(&rpc::RegisterResourceRequest) -> Result<rpc::RegisterResourceResponse, Status>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self {
            answers: Arc::new(answers),
            ..self
        }
    }

    /// Answers calls of functions in another way.
    pub(crate) fn results(
        self,
        results: impl Fn(&rpc::ResourceInvokeRequest) -> Result<rpc::InvokeResponse, Status>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self {
            results: Arc::new(results),
            ..self
        }
    }

    /// Serves it, and returns its address.
    pub(crate) async fn serve(&self) -> String {
        let (listener, port) = listen().await;
        let server = Server::builder().add_service(ResourceMonitorServer::new(self.clone()));
        tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
        format!("127.0.0.1:{port}")
    }

    /// The registration of this name.
    pub(crate) fn find(&self, name: &str) -> rpc::RegisterResourceRequest {
        let registered = self.registered.lock().unwrap();
        let mut found = registered.iter().filter(|request| request.name == name);
        let first = found
            .next()
            .unwrap_or_else(|| panic!("{name} is not registered"))
            .clone();
        assert_eq!(found.next(), None, "{name} is registered once");
        first
    }

    /// What was registered, in the order of asking.
    pub(crate) fn names(&self) -> Vec<String> {
        let registered = self.registered.lock().unwrap();
        registered.iter().map(|request| request.name.clone()).collect()
    }
}

#[tonic::async_trait]
impl ResourceMonitor for FakeMonitor {
    async fn supports_feature(
        &self,
        request: Request<rpc::SupportsFeatureRequest>,
    ) -> Answer<rpc::SupportsFeatureResponse> {
        let has_support = request.into_inner().id == "outputValues";
        Ok(Response::new(rpc::SupportsFeatureResponse { has_support }))
    }

    async fn invoke(&self, request: Request<rpc::ResourceInvokeRequest>) -> Answer<rpc::InvokeResponse> {
        let request = request.into_inner();
        let answer = (self.results)(&request);
        self.invoked.lock().unwrap().push(request);
        answer.map(Response::new)
    }

    async fn register_resource(
        &self,
        request: Request<rpc::RegisterResourceRequest>,
    ) -> Answer<rpc::RegisterResourceResponse> {
        let request = request.into_inner();
        let answer = (self.answers)(&request);
        self.registered.lock().unwrap().push(request);
        answer.map(Response::new)
    }

    async fn register_resource_outputs(
        &self,
        request: Request<rpc::RegisterResourceOutputsRequest>,
    ) -> Answer<()> {
        self.outputs.lock().unwrap().push(request.into_inner());
        Ok(Response::new(()))
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
