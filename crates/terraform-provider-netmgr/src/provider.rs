//! The calls of hosts. Arguments of the provider are in `config`, those of data sources in `data_source`.

use std::env;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use netmgr_lookups::{CallInputs, Error};
use terraform_plugin::{DataSourceProvider, Diagnostic, Object, ReadOutcome, Schema};

use crate::data_source::DataSource;
use crate::manager::ConfiguredManager;
use crate::{config, diagnostics, schema};

/// The schema of the provider.
pub(crate) static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema {
    provider: schema::provider(),
    data_sources: DataSource::all()
        .map(|source| (source.name.clone(), source.block.clone()))
        .collect(),
});

/// The provider of a connection.
#[derive(Default)]
pub(crate) struct NetmgrProvider(Mutex<Configuration>);

/// The outcome of the last configuration.
#[derive(Clone, Default)]
enum Configuration {
    #[default]
    Missing,
    /// These arguments are not known yet.
    Unknown(Arc<[String]>),
    Manager(Arc<ConfiguredManager>),
}

impl NetmgrProvider {
    fn configuration(&self) -> MutexGuard<'_, Configuration> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn configured(config: &Object) -> Result<Configuration, Vec<Diagnostic>> {
        let unknown = config::unknown_arguments(config);
        if !unknown.is_empty() {
            return Ok(Configuration::Unknown(unknown.into()));
        }
        let connection = config::connection(config, |name| env::var_os(name))?;
        match ConfiguredManager::new(connection).await {
            Ok(manager) => Ok(Configuration::Manager(Arc::new(manager))),
            // For example, a certificate file cannot be read.
            Err(error) => {
                let error = Error::invalid_settings(error);
                Err(diagnostics::failure(&error, &CallInputs::default(), config))
            }
        }
    }
}

impl DataSourceProvider for NetmgrProvider {
    fn schema(&self) -> &Schema {
        &SCHEMA
    }

    fn validate_config(&self, config: Object) -> Vec<Diagnostic> {
        config::check(&config, |name| env::var_os(name))
    }

    async fn configure(&self, config: Object) -> Vec<Diagnostic> {
        let (configuration, diagnostics) = match Self::configured(&config).await {
            Ok(configuration) => (configuration, Vec::new()),
            Err(diagnostics) => (Configuration::Missing, diagnostics),
        };
        let before = std::mem::replace(&mut *self.configuration(), configuration);
        if let Configuration::Manager(manager) = before {
            manager.close().await;
        }
        diagnostics
    }

    fn validate_data(&self, data_source: &str, config: Object) -> Vec<Diagnostic> {
        DataSource::named(data_source).check(&config)
    }

    async fn read(&self, data_source: &str, config: Object) -> ReadOutcome {
        let configuration = self.configuration().clone();
        let diagnostic = match configuration {
            Configuration::Manager(manager) => {
                return manager.read(DataSource::named(data_source), config).await;
            }
            Configuration::Unknown(arguments) => not_known(&arguments),
            Configuration::Missing => {
                Diagnostic::error("Provider not configured", "The provider is not configured.")
            }
        };
        ReadOutcome {
            state: None,
            diagnostics: vec![diagnostic],
        }
    }

    fn stop(&self) {
        if let Configuration::Manager(manager) = &*self.configuration() {
            manager.stop();
        }
    }

    async fn close(&self) {
        let configuration = self.configuration().clone();
        if let Configuration::Manager(manager) = configuration {
            manager.close().await;
        }
    }
}

/// Hosts read data sources although arguments of the provider are unknown. They would have to be treated as absent,
/// which could select another manager.
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
