//! The connection to the manager that options and settings describe.

use netmgr_types::{Connection, ProviderConfig};

use crate::failure::CliError;
use crate::options::ConnectionOptions;
use crate::origins::Origins;
use crate::output::standard_error;
use crate::settings::{self, MergedSettings};
#[cfg(feature = "simulator")]
use crate::simulated::InProcessManager;

/// A connection, with the simulated manager that ends when it is dropped.
pub(crate) struct OpenedConnection {
    pub(crate) connection: Connection,
    pub(crate) origins: Origins,
    /// A warning about a file with credentials.
    warning: Option<String>,
    #[cfg(feature = "simulator")]
    _simulated: Option<InProcessManager>,
}

impl OpenedConnection {
    /// Prints the warning about a file with credentials, which completions do not show.
    pub(crate) fn warn(&self) {
        if let Some(warning) = &self.warning {
            standard_error(warning);
        }
    }
}

/// Opens the connection that flags, environment and file describe, or one to a simulated manager. May run a command for
/// the password, or prompt for it. Sends nothing.
pub(crate) async fn open(options: &ConnectionOptions) -> Result<OpenedConnection, CliError> {
    #[cfg(feature = "simulator")]
    let (configured, simulated) = match options.simulate {
        true => {
            let manager = InProcessManager::start(options).await?;
            let config = manager.config(options)?;
            (
                Configured {
                    config,
                    ..Configured::default()
                },
                Some(manager),
            )
        }
        false => (configured(options).await?, None),
    };
    #[cfg(not(feature = "simulator"))]
    let configured = configured(options).await?;
    let resolved = configured.config.resolve();
    let mut connection =
        resolved.map_err(|errors| CliError::Configuration(errors).of_settings(&configured.origins))?;
    connection.on_demand = true;
    Ok(OpenedConnection {
        connection,
        origins: configured.origins,
        warning: configured.warning,
        #[cfg(feature = "simulator")]
        _simulated: simulated,
    })
}

/// The configuration from flags, environment and file.
#[derive(Default)]
struct Configured {
    config: ProviderConfig,
    origins: Origins,
    warning: Option<String>,
}

async fn configured(options: &ConnectionOptions) -> Result<Configured, CliError> {
    let environment = settings::environment()?;
    let (deadline, given) = (options.deadline, options.clone());
    // A file that is a pipe takes time, during which Ctrl-C must work.
    let read = tokio::task::spawn_blocking(move || MergedSettings::read(&given, environment));
    let file = || {
        let path = settings::default_path(options, &environment);
        path.map_or_else(|_| "the settings".to_owned(), |path| path.display().to_string())
    };
    let read = CliError::unless_late(deadline, file, read).await?;
    let settings = read.expect("reading settings does not panic")?;
    Ok(Configured {
        origins: settings.origins(),
        warning: settings.exposure(),
        config: settings.config(environment, deadline).await?,
    })
}
