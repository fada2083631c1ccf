//! The configured manager: its lookups, and what happens once before the first of them.

use std::sync::Arc;

use netmgr_lookups::{Lookups, Words, advice, in_one_clause};
use netmgr_transport::{Client, LoginRecord};
use netmgr_types::Connection;
use pulumi_plugin::rpc::Error;
use tokio::sync::OnceCell;

use crate::redact::Hidden;

/// One manager, as configured.
pub(crate) struct Manager {
    pub(crate) lookups: Lookups,
    /// Values that the program marked as secret in the configuration.
    pub(crate) hidden: Arc<Hidden>,
    /// The result of installing the licence keys, which is tried once.
    licensed: OnceCell<Result<(), String>>,
}

impl Manager {
    /// Reads certificate files. With `onDemandConnection` nothing is sent before the first lookup,
    /// without it the login is sent.
    pub(crate) async fn new(connection: Connection, hidden: Hidden) -> Result<Self, Error> {
        let on_demand = connection.on_demand;
        let builder = Client::builder(connection).login_record(LoginRecord::in_state_folder());
        // On another thread, because files may be on a file system that hangs.
        let built = tokio::task::spawn_blocking(|| builder.build()).await;
        let client = built
            .expect("a client is created without panics")
            .map_err(|error| Error::Failed(format!("invalid configuration: {}", explained(&error))))
            .map_err(|error| hidden.hide_in(error))?;
        if !on_demand {
            client.open_in_background();
        }
        Ok(Self {
            lookups: Lookups::new(client),
            hidden: Arc::new(hidden),
            licensed: OnceCell::new(),
        })
    }

    pub(crate) fn client(&self) -> &Client {
        self.lookups.client()
    }

    /// Adds licence keys that the manager lacks. All lookups wait for the one attempt and share its failure. The time
    /// of the attempt is our choice (decision engine-configuration).
    pub(crate) async fn install_licenses(&self) -> Result<(), Error> {
        let install = || async {
            let installed = self.client().install_missing_licenses().await;
            installed
                .map(drop)
                .map_err(|error| format!("licence keys could not be added: {}", explained(&error)))
        };
        let outcome = Box::pin(self.licensed.get_or_init(install)).await;
        let outcome = outcome.clone().map_err(Error::Failed);
        outcome.map_err(|error| self.hidden.hide_in(error))
    }
}

/// The error with its causes and the remedy.
fn explained(error: &netmgr_transport::Error) -> String {
    in_one_clause(error, advice(error), &Words::default())
}
