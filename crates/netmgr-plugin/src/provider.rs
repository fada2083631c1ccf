//! The calls of the engine. Configuration is in `config`, lookups in `invoke`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::env;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pulumi_plugin::rpc::{
    CallerId, CheckRequest, ConfigureRequest, Context, Diff, DiffRequest, Error, HandshakeRequest,
    InvokeRequest, Mapping, Provider,
};
use pulumi_plugin::values::Object;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::config;
use crate::invoke::invoke;
use crate::manager::Manager;

/// The package schema, from which SDKs are generated. It is generated and committed.
const SCHEMA: &str = include_str!("../../../schema/netmgr.package.json");

/// The mapping of data sources of the Terraform provider to functions: generated and committed.
const TERRAFORM: Mapping = Mapping {
    tool: "terraform",
    provider: "nsxt",
    data: include_bytes!("../../../schema/netmgr.terraform.json"),
};

/// Most lookups under way at once. The time that a lookup may take begins with it, and lookups that are under way share
/// their requests, so the bound is for very large programs (decision sharing).
const AT_ONCE: usize = 1024;

/// Time for sessions to end when the plugin does. The engine waits 5 s.
const FAREWELL: Duration = Duration::from_secs(2);

/// The provider.
#[derive(Default)]
pub(crate) struct Netmgr {
    /// One, unless the process was started manually: then the providers of a program share it (decision engine-plugins).
    instances: Mutex<BTreeMap<CallerId, Instance>>,
    /// Tasks that end a session when everything is cancelled.
    farewells: TaskTracker,
}

/// One provider of a program.
#[derive(Default)]
struct Instance {
    /// Whether the engine distinguishes previews and updates.
    tells_previews: bool,
    configured: Option<ProviderState>,
    /// Cancelled when the engine is done with it.
    over: CancellationToken,
}

/// The outcome of a configuration.
#[derive(Clone)]
enum ProviderState {
    Manager(Arc<Manager>),
    /// A part of the configuration is unknown, so no request can be sent.
    Unknown,
}

impl Netmgr {
    /// Changes the instance of this caller, and removes instances that have ended.
    fn update(&self, cx: &Context, change: impl FnOnce(&mut Instance)) {
        let mut instances = self.instances();
        instances.retain(|_, instance| !instance.over.is_cancelled());
        let instance = instances.entry(cx.caller()).or_insert_with(|| Instance {
            over: cx.cancellation().clone(),
            ..Instance::default()
        });
        change(instance);
    }

    fn instances(&self) -> MutexGuard<'_, BTreeMap<CallerId, Instance>> {
        let instances = self.instances.lock();
        instances.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Provider for Netmgr {
    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn schema(&self) -> Result<Cow<'_, str>, Error> {
        Ok(SCHEMA.into())
    }

    fn mappings(&self) -> &[Mapping] {
        const { &[TERRAFORM] }
    }

    fn functions_at_once(&self) -> usize {
        AT_ONCE
    }

    async fn handshake(&self, cx: &Context, request: HandshakeRequest) -> Result<(), Error> {
        self.update(cx, |instance| {
            instance.tells_previews = request.invoke_with_preview
        });
        Ok(())
    }

    async fn check_config(&self, _cx: &Context, request: CheckRequest) -> Result<Object, Error> {
        config::check_variables(|variable| env::var_os(variable))?;
        config::check(&request.news, environment)?;
        Ok(config::with_secrets(request.news))
    }

    async fn diff_config(&self, _cx: &Context, request: DiffRequest) -> Result<Diff, Error> {
        Ok(config::diff(&request.olds, &request.news))
    }

    async fn configure(&self, cx: &Context, request: ConfigureRequest) -> Result<(), Error> {
        config::check_variables(|variable| env::var_os(variable))?;
        let hidden = config::hidden(&request.args);
        let connection = config::connection(&request.args, environment);
        let configured = match connection.map_err(|error| hidden.hide_in(error))? {
            None => ProviderState::Unknown,
            Some(connection) => {
                let manager = Manager::new(connection, hidden).await?;
                let (client, cancelled) = (manager.client().clone(), cx.cancellation().clone());
                self.farewells.spawn(async move {
                    cancelled.cancelled().await;
                    client.close().await;
                });
                ProviderState::Manager(Arc::new(manager))
            }
        };
        self.update(cx, |instance| instance.configured = Some(configured));
        Ok(())
    }

    async fn invoke(&self, cx: &Context, request: InvokeRequest) -> Result<Object, Error> {
        let (tells_previews, configured) = match self.instances().get(&cx.caller()) {
            Some(instance) => (instance.tells_previews, instance.configured.clone()),
            None => (false, None),
        };
        let is_update = tells_previews && !request.preview;
        match configured {
            Some(ProviderState::Manager(manager)) => invoke(cx, &manager, request, is_update).await,
            // The engine returns the same result for a provider that it could not configure.
            Some(ProviderState::Unknown) => Ok(Object::new()),
            None => Err(Error::Failed("the provider netmgr is not configured".to_owned())),
        }
    }

    /// Waits until the sessions have ended, which begins when everything is cancelled.
    async fn farewell(&self) {
        self.farewells.close();
        // A session that is not ended in time expires on the manager.
        let _ = tokio::time::timeout(FAREWELL, self.farewells.wait()).await;
    }
}

fn environment(variable: &str) -> Option<String> {
    env::var(variable).ok()
}
