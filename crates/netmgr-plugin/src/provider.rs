//! What the engine asks of the plugin. Not here: what configurations mean (`config`) and how one
//! lookup runs (`invoke`).

use std::borrow::Cow;
use std::env;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use engine_rpc::{
    CheckRequest, ConfigureRequest, Context, Diff, DiffRequest, Error, Handshake, InvokeRequest, Provider,
};
use engine_values::Object;
use tokio_util::task::TaskTracker;

use crate::config;
use crate::invoke::invoke;
use crate::manager::Manager;

/// The package schema: generated, committed, and what programs' SDKs are made from.
const SCHEMA: &str = include_str!("../../../schema/netmgr.package.json");

/// How long the sessions have to end when the plugin does. The engine waits 5 s.
const FAREWELL: Duration = Duration::from_secs(2);

/// The provider. Cloning shares it.
#[derive(Clone, Default)]
pub(crate) struct Netmgr {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// Whether the engine tells previews from updates.
    tells_previews: AtomicBool,
    configured: RwLock<Option<Configured>>,
    /// Tasks that end a session when everything is cancelled.
    farewells: TaskTracker,
}

/// What a configuration led to.
#[derive(Clone)]
enum Configured {
    Manager(Arc<Manager>),
    /// Something in it is not known yet: nothing can be asked.
    Unknown,
}

impl Netmgr {
    /// Waits until the sessions have ended, which begins when everything is cancelled.
    pub(crate) async fn farewell(&self) {
        self.shared.farewells.close();
        // A session that is not ended in time ends by itself on the manager.
        let _ = tokio::time::timeout(FAREWELL, self.shared.farewells.wait()).await;
    }

    fn configured(&self) -> Option<Configured> {
        let configured = self.shared.configured.read();
        configured.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Provider for Netmgr {
    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn schema(&self) -> Result<Cow<'_, str>, Error> {
        Ok(SCHEMA.into())
    }

    async fn handshake(&self, _cx: &Context, request: Handshake) -> Result<(), Error> {
        let tells = request.invoke_with_preview;
        self.shared.tells_previews.store(tells, Ordering::Relaxed);
        Ok(())
    }

    async fn check_config(&self, _cx: &Context, request: CheckRequest) -> Result<Object, Error> {
        config::check(&request.news, environment)?;
        Ok(config::with_secrets(request.news))
    }

    async fn diff_config(&self, _cx: &Context, request: DiffRequest) -> Result<Diff, Error> {
        Ok(config::diff(&request.olds, &request.news))
    }

    async fn configure(&self, cx: &Context, request: ConfigureRequest) -> Result<(), Error> {
        let configured = match config::connection(&request.args, environment)? {
            None => Configured::Unknown,
            Some(connection) => {
                let manager = Manager::new(connection)?;
                let (client, cancelled) = (manager.client().clone(), cx.cancellation().clone());
                self.shared.farewells.spawn(async move {
                    cancelled.cancelled().await;
                    client.close().await;
                });
                Configured::Manager(Arc::new(manager))
            }
        };
        let mut slot = self.shared.configured.write();
        **slot.as_mut().unwrap_or_else(|poisoned| poisoned.get_mut()) = Some(configured);
        Ok(())
    }

    async fn invoke(&self, cx: &Context, request: InvokeRequest) -> Result<Object, Error> {
        let update = self.shared.tells_previews.load(Ordering::Relaxed) && !request.preview;
        match self.configured() {
            Some(Configured::Manager(manager)) => invoke(cx, &manager, request, update).await,
            // As the engine answers in place of a provider that it could not configure.
            Some(Configured::Unknown) => Ok(Object::new()),
            None => Err(Error::Failed("the provider netmgr is not configured".to_owned())),
        }
    }
}

fn environment(variable: &str) -> Option<String> {
    env::var(variable).ok()
}
