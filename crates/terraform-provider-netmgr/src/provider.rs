//! The calls of hosts. Arguments of the provider are in `config`, those of data sources in `data`.

use std::env;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use netmgr_lookups::Error;
use terraform_plugin::{DataSourceProvider, Diagnostic, Object, ReadOutcome, Schema};

use crate::config::{self, Configured};
use crate::manager::Manager;
use crate::{data, failure, names, schema};

/// The provider.
pub(crate) struct Netmgr {
    /// Processes that only read do without it.
    schema: LazyLock<Schema>,
    state: Mutex<State>,
}

/// What the last configuration led to.
#[derive(Clone, Default)]
enum State {
    #[default]
    Unconfigured,
    /// These arguments are not known yet.
    Unknown(Arc<[String]>),
    Manager(Arc<Manager>),
}

impl Default for Netmgr {
    fn default() -> Self {
        Self {
            schema: LazyLock::new(schema::schema),
            state: Mutex::default(),
        }
    }
}

impl Netmgr {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn configured(config: &Object) -> Result<State, Vec<Diagnostic>> {
        match config::connection(config, environment)? {
            Configured::Unknown(arguments) => Ok(State::Unknown(arguments.into())),
            Configured::Connection(connection) => match Manager::new(*connection).await {
                Ok(manager) => Ok(State::Manager(Arc::new(manager))),
                // Such as one whose certificate file cannot be read.
                Err(error) => Err(failure::diagnostics(&Error::invalid_settings(error), config)),
            },
        }
    }
}

impl DataSourceProvider for Netmgr {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn validate_config(&self, config: Object) -> Vec<Diagnostic> {
        config::check(&config, environment)
    }

    async fn configure(&self, config: Object) -> Vec<Diagnostic> {
        let (state, diagnostics) = match Self::configured(&config).await {
            Ok(state) => (state, Vec::new()),
            Err(diagnostics) => (State::Unconfigured, diagnostics),
        };
        let before = std::mem::replace(&mut *self.state(), state);
        // Only in a process that was started by hand.
        if let State::Manager(manager) = before {
            manager.close().await;
        }
        diagnostics
    }

    fn validate_data(&self, data_source: &str, config: Object) -> Vec<Diagnostic> {
        match names::entry(data_source) {
            Some(entry) => data::check(entry, &config),
            None => vec![unregistered(data_source)],
        }
    }

    async fn read(&self, data_source: &str, config: Object) -> ReadOutcome {
        let state = self.state().clone();
        let diagnostic = match (names::entry(data_source), state) {
            (Some(entry), State::Manager(manager)) => return manager.read(entry, config).await,
            (Some(_), State::Unknown(arguments)) => not_known(&arguments),
            (Some(_), State::Unconfigured) => {
                Diagnostic::error("Provider not configured", "The provider is not configured.")
            }
            (None, _) => unregistered(data_source),
        };
        ReadOutcome {
            state: None,
            diagnostics: vec![diagnostic],
        }
    }

    fn stop(&self) {
        if let State::Manager(manager) = &*self.state() {
            manager.stopped.cancel();
        }
    }

    async fn close(&self) {
        let state = self.state().clone();
        if let State::Manager(manager) = state {
            manager.close().await;
        }
    }
}

/// Hosts read data sources although arguments of the provider are unknown. They would have to be taken for absent,
/// which can mean another manager.
fn not_known(arguments: &[String]) -> Diagnostic {
    let names: Vec<String> = arguments.iter().map(|name| format!("`{name}`")).collect();
    Diagnostic::error(
        "Provider argument not known yet",
        format!(
            "The provider needs {}, which depends on resources that do not exist yet. Create them first, for \
             example with -target, or make the data source depend on them, so that it is read after them.",
            names.join(", ")
        ),
    )
}

fn unregistered(data_source: &str) -> Diagnostic {
    Diagnostic::error(
        "Internal error of the provider",
        format!("This is a bug; please report it: there is no data source {data_source}."),
    )
}

fn environment(variable: &str) -> Option<String> {
    env::var(variable).ok()
}
