//! The connection to the manager that options and settings describe.

use netmgr_types::{Connection, ProviderConfig};

use crate::failure::CliError;
use crate::options::ConnectionOptions;
use crate::settings::{self, MergedSettings};
#[cfg(feature = "simulator")]
use crate::simulated::InProcessManager;

/// A connection, with the simulated manager that ends when it is dropped.
pub(crate) struct OpenedConnection {
    pub(crate) connection: Connection,
    #[cfg(feature = "simulator")]
    _simulated: Option<InProcessManager>,
}

/// Opens the connection that flags, environment and file describe, or one to a simulated manager. May run a command for
/// the password, or prompt for it. Sends nothing.
pub(crate) async fn open(options: &ConnectionOptions) -> Result<OpenedConnection, CliError> {
    #[cfg(feature = "simulator")]
    let (config, simulated) = match options.simulate {
        true => {
            let manager = InProcessManager::start(&options.settings).await?;
            (manager.config(options)?, Some(manager))
        }
        false => (configured(options).await?, None),
    };
    #[cfg(not(feature = "simulator"))]
    let config = configured(options).await?;
    let mut connection = options.resolve(config)?;
    connection.on_demand = true;
    Ok(OpenedConnection {
        connection,
        #[cfg(feature = "simulator")]
        _simulated: simulated,
    })
}

async fn configured(options: &ConnectionOptions) -> Result<ProviderConfig, CliError> {
    let environment = settings::environment()?;
    let options = options.clone();
    // A file that is a pipe takes time, during which Ctrl-C must work.
    let read = tokio::task::spawn_blocking(move || MergedSettings::read(&options, environment)).await;
    let settings = read.expect("reading settings does not panic")?;
    settings.config(environment).await
}
