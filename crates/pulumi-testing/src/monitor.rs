//! A resource monitor that records requests and answers from a script.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use pulumi_gestalt_proto::pulumi::pulumirpc as rpc;
use pulumi_gestalt_proto::pulumi::pulumirpc::resource_monitor_server::{
    ResourceMonitor, ResourceMonitorServer,
};
use serde_json::Value;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::bags::json_of;
use crate::listen;

type Answer<T> = Result<Response<T>, Status>;
type Script<Q, A> = Arc<dyn Fn(&Q) -> Result<A, Status> + Send + Sync>;

/// Features of engines that SDKs query.
const FEATURES: [&str; 5] = [
    "secrets",
    "resourceReferences",
    "outputValues",
    "aliasSpecs",
    "deletedWith",
];

/// The monitor. Cheap to clone; clones share what they keep.
#[derive(Clone)]
pub struct FakeMonitor {
    /// Resources that were to be registered.
    pub registered: Arc<Mutex<Vec<rpc::RegisterResourceRequest>>>,
    /// Outputs of components that were stored.
    pub outputs: Arc<Mutex<Vec<rpc::RegisterResourceOutputsRequest>>>,
    /// Existing resources that were to be read.
    pub read: Arc<Mutex<Vec<rpc::ReadResourceRequest>>>,
    /// Functions that were called.
    pub invoked: Arc<Mutex<Vec<rpc::ResourceInvokeRequest>>>,
    /// Methods that were called.
    pub called: Arc<Mutex<Vec<rpc::ResourceCallRequest>>>,
    answers: Script<rpc::RegisterResourceRequest, rpc::RegisterResourceResponse>,
    results: Script<rpc::ResourceInvokeRequest, rpc::InvokeResponse>,
    endless: Option<&'static str>,
    /// Resources that were answered, when others may not come before them.
    answered: Option<Arc<Mutex<Vec<String>>>>,
    given_up: Arc<AtomicUsize>,
}

/// Every resource is created or read at once with its inputs as outputs, whatever it depends on; every function and
/// method returns its arguments.
impl Default for FakeMonitor {
    fn default() -> Self {
        Self {
            registered: Arc::default(),
            outputs: Arc::default(),
            read: Arc::default(),
            invoked: Arc::default(),
            called: Arc::default(),
            answers: Arc::new(|request| Ok(created(request))),
            results: Arc::new(|request| {
                Ok(rpc::InvokeResponse {
                    r#return: request.args.clone(),
                    ..Default::default()
                })
            }),
            endless: None,
            answered: None,
            given_up: Arc::default(),
        }
    }
}

/// The answer for a resource that was created.
pub fn created(request: &rpc::RegisterResourceRequest) -> rpc::RegisterResourceResponse {
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
    pub fn answers(
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
    pub fn results(
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

    /// Refuses what comes before something that it needs.
    pub fn in_order(self) -> Self {
        Self {
            answered: Some(Arc::default()),
            ..self
        }
    }

    /// Never done with the resource of this name.
    pub fn stuck_at(self, name: &'static str) -> Self {
        Self {
            endless: Some(name),
            ..self
        }
    }

    /// Serves it, and returns its address.
    pub async fn serve(&self) -> String {
        let (listener, port) = listen().await;
        let server = Server::builder().add_service(ResourceMonitorServer::new(self.clone()));
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        tokio::spawn(server.serve_with_incoming(incoming));
        format!("127.0.0.1:{port}")
    }

    /// The only registration of this name.
    pub fn find(&self, name: &str) -> rpc::RegisterResourceRequest {
        self.only(name, |request| request.name == name)
    }

    /// The only registration of this type and name.
    pub fn find_typed(&self, token: &str, name: &str) -> rpc::RegisterResourceRequest {
        self.only(name, |request| request.r#type == token && request.name == name)
    }

    fn only(
        &self,
        name: &str,
        is_it: impl Fn(&rpc::RegisterResourceRequest) -> bool,
    ) -> rpc::RegisterResourceRequest {
        let registered = self.registered.lock().unwrap();
        let mut found = registered.iter().filter(|request| is_it(request));
        let first = found
            .next()
            .unwrap_or_else(|| panic!("{name} is not registered"))
            .clone();
        assert_eq!(found.next(), None, "{name} is registered once");
        first
    }

    /// Names of the registered resources, in order.
    pub fn names(&self) -> Vec<String> {
        let registered = self.registered.lock().unwrap();
        registered.iter().map(|request| request.name.clone()).collect()
    }

    /// Stored outputs of components, by their URNs.
    pub fn stored(&self) -> BTreeMap<String, Value> {
        let outputs = self.outputs.lock().unwrap();
        let stored = outputs
            .iter()
            .map(|stored| (stored.urn.clone(), json_of(stored.outputs.clone())));
        stored.collect()
    }

    /// Number of cancelled registrations.
    pub fn given_up(&self) -> usize {
        self.given_up.load(Ordering::SeqCst)
    }

    /// Fails when something that a resource needs has not been answered, if that matters.
    fn check_order(&self, request: &rpc::RegisterResourceRequest) -> Result<(), Status> {
        let Some(answered) = &self.answered else {
            return Ok(());
        };
        let properties = request.property_dependencies.values().flat_map(|d| &d.urns);
        let parent = Some(&request.parent).filter(|parent| !parent.is_empty());
        let answered = answered.lock().unwrap();
        let mut needed = request.dependencies.iter().chain(properties).chain(parent);
        match needed.find(|urn| !answered.contains(urn)) {
            None => Ok(()),
            Some(urn) => {
                let name = &request.name;
                Err(Status::invalid_argument(format!("{name} came before {urn}")))
            }
        }
    }
}

/// Counts a registration as given up unless it has ended.
struct WaitingRegistration<'a> {
    given_up: &'a AtomicUsize,
    ended: bool,
}

impl Drop for WaitingRegistration<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.given_up.fetch_add(1, Ordering::SeqCst);
        }
    }
}

#[tonic::async_trait]
impl ResourceMonitor for FakeMonitor {
    async fn supports_feature(
        &self,
        request: Request<rpc::SupportsFeatureRequest>,
    ) -> Answer<rpc::SupportsFeatureResponse> {
        let has_support = FEATURES.contains(&request.into_inner().id.as_str());
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
        self.check_order(&request)?;
        self.registered.lock().unwrap().push(request.clone());
        let mut waiting = WaitingRegistration {
            given_up: &self.given_up,
            ended: false,
        };
        if self.endless == Some(request.name.as_str()) {
            std::future::pending::<()>().await;
        }
        waiting.ended = true;
        let answer = (self.answers)(&request)?;
        if let Some(answered) = &self.answered {
            answered.lock().unwrap().push(answer.urn.clone());
        }
        Ok(Response::new(answer))
    }

    async fn register_resource_outputs(
        &self,
        request: Request<rpc::RegisterResourceOutputsRequest>,
    ) -> Answer<()> {
        self.outputs.lock().unwrap().push(request.into_inner());
        Ok(Response::new(()))
    }

    async fn call(&self, request: Request<rpc::ResourceCallRequest>) -> Answer<rpc::CallResponse> {
        let request = request.into_inner();
        let mut result = request.args.clone();
        if let Some(values) = &mut result {
            values.fields.remove("__self__");
        }
        let dependencies = request.arg_dependencies.iter().map(|(name, of)| {
            let urns = of.urns.clone();
            (name.clone(), rpc::call_response::ReturnDependencies { urns })
        });
        let answer = rpc::CallResponse {
            r#return: result,
            return_dependencies: dependencies.collect(),
            failures: Vec::new(),
        };
        self.called.lock().unwrap().push(request);
        Ok(Response::new(answer))
    }

    async fn read_resource(
        &self,
        request: Request<rpc::ReadResourceRequest>,
    ) -> Answer<rpc::ReadResourceResponse> {
        let request = request.into_inner();
        let answer = rpc::ReadResourceResponse {
            urn: format!("urn:{}", request.name),
            properties: request.properties.clone(),
        };
        self.read.lock().unwrap().push(request);
        Ok(Response::new(answer))
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
