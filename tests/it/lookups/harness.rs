//! Test support: a simulated manager for each test, the client's whole stack over it without a socket, and an observer
//! for warnings and progress.

use std::sync::{Arc, LazyLock, Mutex};

use bytes::Bytes;
use http::{Request, Response};
use netmgr_lookups::{Call, Error, ErrorKind, Lookups, Observer, Progress};
use netmgr_sim::{
    ApiRequest, ApiResponse, Backend, Inventory, Manager, ManagerKind, ManagerMode, ManagerSettings,
};
use netmgr_transport::{Client, Stack};
use netmgr_types::{Deployment, ProviderConfig};
use percent_encoding::percent_decode_str;
use serde_json::Value;

static DEFAULT_INVENTORY: LazyLock<Inventory> = LazyLock::new(Inventory::default);

/// A manager that has not started yet, and the configuration that points at it.
#[derive(Clone)]
pub(crate) struct World {
    /// The behavior of the manager.
    pub(crate) settings: ManagerSettings,
    /// Outputs of the component.
    pub(crate) inventory: Inventory,
    /// The provider's configuration.
    pub(crate) config: ProviderConfig,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.settings.fmt(f)
    }
}

impl World {
    /// A local manager with the default inventory and basic authentication.
    pub(crate) fn local() -> Self {
        Self {
            settings: ManagerSettings::default(),
            inventory: DEFAULT_INVENTORY.clone(),
            config: ProviderConfig::new("https://localhost")
                .username("admin")
                .password("secret")
                .session_auth(false),
        }
    }

    /// A global manager with the default inventory.
    pub(crate) fn global() -> Self {
        let mut world = Self::local();
        world.settings.kind = ManagerKind::Global;
        world.config.global_manager = Some(true);
        world
    }

    /// A manager of the hosted cloud with the default inventory.
    pub(crate) fn cloud() -> Self {
        let mut world = Self::local();
        world.settings.kind = ManagerKind::HostedCloud;
        world.config.cloud_auth_mode = Some("Basic".to_owned());
        world.at_point("vmc-enforcementpoint")
    }

    /// A manager of this kind with the default inventory.
    pub(crate) fn of(deployment: Deployment) -> Self {
        match deployment {
            Deployment::PolicyManager => Self::local(),
            Deployment::GlobalManager => Self::global(),
            Deployment::HostedCloud => Self::cloud(),
        }
    }

    /// A manager of version 9, without manager mode.
    pub(crate) fn without_manager_mode() -> Self {
        let mut world = Self::local().version("9.0.1.0.24952111");
        world.settings.manager_mode = ManagerMode::Gone;
        world
    }

    /// Sets the version.
    pub(crate) fn version(mut self, version: &str) -> Self {
        version.clone_into(&mut self.settings.version);
        self
    }

    /// Sets the configured enforcement point.
    pub(crate) fn at_point(mut self, point: &str) -> Self {
        self.config.enforcement_point = Some(point.to_owned());
        self
    }

    /// Adds an object.
    pub(crate) fn with(mut self, collection: &str, body: Value) -> Self {
        self.inventory = self.inventory.with(collection, body);
        self
    }

    /// Removes all objects.
    pub(crate) fn bare(mut self) -> Self {
        self.inventory = Inventory::empty();
        self
    }

    /// Starts the manager and a client of it.
    pub(crate) fn start(self) -> Bench {
        let manager = Manager::new(self.settings, self.inventory);
        Bench::over(manager, self.config)
    }

    /// Starts a client of a service in front of the manager.
    pub(crate) fn start_behind<B: Backend>(self, front: impl FnOnce(Manager) -> B) -> Bench<B> {
        Bench::over(front(Manager::new(self.settings, self.inventory)), self.config)
    }
}

/// A running manager, its client, and the recorded requests and events.
pub(crate) struct Bench<B = Manager> {
    /// The manager.
    pub(crate) manager: Arc<B>,
    /// The functions.
    pub(crate) lookups: Lookups,
    seen: Arc<Mutex<Vec<String>>>,
    heard: Arc<Heard>,
}

impl<B: Backend> Bench<B> {
    fn over(manager: B, config: ProviderConfig) -> Self {
        let manager = Arc::new(manager);
        let seen = Arc::default();
        let connection = config.resolve().expect("a valid configuration");
        let end = End {
            backend: Arc::clone(&manager) as Arc<dyn Backend>,
            prefix: connection.host.prefix.clone(),
            seen: Arc::clone(&seen),
        };
        // The rate is not tested here.
        let client = Client::builder(connection)
            .rate(u32::MAX)
            .leaf(end.into_stack())
            .build();
        Self {
            manager,
            lookups: Lookups::new(client.expect("a valid configuration")),
            seen,
            heard: Arc::default(),
        }
    }

    /// A call that this bench observes.
    pub(crate) fn call(&self) -> Call {
        Call::default().observer(Arc::clone(&self.heard) as Arc<dyn Observer>)
    }

    /// Calls a function.
    pub(crate) async fn invoke(&self, function: &str, input: Value) -> Result<Value, Error> {
        self.lookups.invoke(function, input, &self.call()).await
    }

    /// Calls a function that must succeed. The output fits its schema.
    pub(crate) async fn answer(&self, function: &str, input: Value) -> Value {
        let said = input.to_string();
        match self.invoke(function, input).await {
            Ok(output) => {
                fits_schema(function, &output).unwrap();
                output
            }
            Err(error) => panic!("{function} {said}: {}", chain(&error)),
        }
    }

    /// Calls a function that must fail, and returns its kind and whole chain.
    pub(crate) async fn failure(&self, function: &str, input: Value) -> Error {
        let said = input.to_string();
        match self.invoke(function, input).await {
            Ok(output) => panic!("{function} {said} answered {output}"),
            Err(error) => error,
        }
    }

    /// Calls a function that must fail with an error of this kind, and returns its chain. Nothing is requested for an input
    /// that cannot be used.
    pub(crate) async fn fails(&self, function: &str, input: Value, kind: ErrorKind) -> String {
        self.requests();
        let error = self.failure(function, input.clone()).await;
        let text = chain(&error);
        assert_eq!(error.kind(), kind, "{function} {input}: {text}");
        if kind == ErrorKind::InvalidInput {
            assert_eq!(self.requests(), [""; 0], "{function} {input}");
        }
        text
    }

    /// The requests since the last call: method, path and decoded query.
    pub(crate) fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.seen.lock().unwrap())
    }

    /// The warnings since the last call.
    pub(crate) fn warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.heard.warnings.lock().unwrap())
    }

    /// The progress since the last call.
    pub(crate) fn progress(&self) -> Vec<Progress> {
        std::mem::take(&mut self.heard.progress.lock().unwrap())
    }
}

/// A manager whose answers of one kind are changed.
pub(crate) struct Changed<F> {
    pub(crate) manager: Manager,
    pub(crate) change: F,
}

impl<F: Fn(&ApiRequest, &mut ApiResponse) + Send + Sync + 'static> Backend for Changed<F> {
    fn respond(&self, call: &ApiRequest) -> ApiResponse {
        let mut answer = self.manager.respond(call);
        (self.change)(call, &mut answer);
        answer
    }
}

#[derive(Default)]
struct Heard {
    warnings: Mutex<Vec<String>>,
    progress: Mutex<Vec<Progress>>,
}

impl Observer for Heard {
    fn warning(&self, message: &str) {
        self.warnings.lock().unwrap().push(message.to_owned());
    }

    fn progress(&self, progress: &Progress) {
        self.progress.lock().unwrap().push(progress.clone());
    }
}

/// The end of the stack: passes each request to the manager and records it.
struct End {
    backend: Arc<dyn Backend>,
    /// Path in front of every API path.
    prefix: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl End {
    fn into_stack(self) -> Stack {
        let end = Arc::new(self);
        Stack::new(tower::service_fn(move |request| {
            let reply = end.respond(request);
            async { Ok(reply) }
        }))
    }

    fn respond(&self, request: Request<Bytes>) -> Response<Bytes> {
        let query = query(request.uri().query().unwrap_or_default());
        let path = request.uri().path();
        let call = ApiRequest {
            method: request.method().clone(),
            path: path
                .strip_prefix(&self.prefix)
                .expect("the prefix of the host")
                .to_owned(),
            query,
            body: request.into_body(),
        };
        let shown: Vec<String> = call
            .query
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let mut line = format!("{} {}", call.method, call.path);
        if !shown.is_empty() {
            line += &format!(" {}", shown.join(" & "));
        }
        self.seen.lock().unwrap().push(line);
        let ApiResponse { status, body } = self.backend.respond(&call);
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        Response::builder()
            .status(status)
            .header("content-type", "application/json")
            .body(Bytes::from(body))
            .expect("a valid reply")
    }
}

/// Decodes a query as the server does: a `+` is not changed.
fn query(text: &str) -> Vec<(String, String)> {
    let decode = |text: &str| {
        percent_decode_str(text)
            .decode_utf8()
            .expect("UTF-8")
            .into_owned()
    };
    text.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name), decode(value))
        })
        .collect()
}

/// An error and its causes, one line each.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!("\n  because {error}");
        cause = error.source();
    }
    text
}

/// The output matches the generated schema, including required properties.
pub(crate) fn fits_schema(function: &str, output: &Value) -> Result<(), String> {
    let entry = Lookups::entry(function).expect("a function");
    let schema = (entry.output_schema)().to_value();
    let validator = jsonschema::validator_for(&schema).expect("generated schemas are valid");
    match validator.iter_errors(output).next() {
        None => Ok(()),
        Some(error) => Err(format!("{output} does not match the schema: {error}")),
    }
}
