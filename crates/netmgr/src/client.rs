//! The client: lookups on one manager.

use std::fmt;

use netmgr_lookups::{Error, Lookup, Lookups, Stats};
use netmgr_types::ProviderConfig as Settings;

use crate::{ClientBuilder, RequestError, Run};

/// Runs lookups on one manager.
///
/// Clones are cheap. They share the session, the connections and the limits, and lookups that run at the same time share
/// their requests: one list or one combined search answers many of them.
///
/// Creating a client sends nothing; the first lookup logs in.
#[derive(Clone)]
pub struct Client {
    lookups: Lookups,
}

impl Client {
    /// Creates a client with the settings of the environment: `NETMGR_HOST`, `NETMGR_USERNAME`, `NETMGR_PASSWORD` and
    /// the other variables of [`Settings::ENV`].
    ///
    /// # Errors
    ///
    /// [`Error::InvalidSettings`] with every variable and every missing setting that prevents it.
    pub fn from_env() -> Result<Self, Error> {
        Self::new(Settings::from_env()?)
    }

    /// Creates a client with `settings`.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidSettings`] with every problem of the settings and of the files that they name.
    pub fn new(settings: Settings) -> Result<Self, Error> {
        Self::builder(settings).build()
    }

    /// Configures timeouts and limits of a client with `settings`.
    pub fn builder(settings: Settings) -> ClientBuilder {
        ClientBuilder::new(settings)
    }

    pub(crate) fn with_lookups(lookups: Lookups) -> Self {
        Self { lookups }
    }

    /// Prepares `lookup`, which starts when the result is awaited. Set options of this one call before:
    ///
    /// ```no_run
    /// # async fn example(manager: netmgr::Client) -> Result<(), netmgr::Error> {
    /// use std::time::Duration;
    /// use netmgr::lookups::GetIpPool;
    ///
    /// let pool = manager.run(GetIpPool::named("tunnel-endpoints")).deadline(Duration::from_secs(20)).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn run<L: Lookup>(&self, lookup: L) -> Run<L> {
        Run::new(self.lookups.clone(), lookup)
    }

    /// Adds the licence keys of the settings that the manager lacks, and returns how many were added. Lookups only read;
    /// this is the one call that changes the manager, and it sends nothing when the settings have no licence keys.
    ///
    /// # Errors
    ///
    /// The failed request.
    pub async fn add_missing_licenses(&self) -> Result<usize, RequestError> {
        if self.lookups.client().connection().license_keys.is_empty() {
            return Ok(0);
        }
        self.lookups.client().install_missing_licenses().await
    }

    /// Returns the cost of the lookups of this client and its clones so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.lookups.stats()
    }

    /// Ends the session on the manager; waits two seconds at most. Call it once, after the last lookup: a later lookup
    /// logs in again. A client that is dropped without it leaves a session that expires on the manager.
    pub async fn close(&self) {
        self.lookups.client().close().await;
    }
}

/// The host and the kind of manager, never credentials.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let connection = self.lookups.client().connection();
        f.debug_struct("Client")
            .field("host", &connection.host.base_url())
            .field("deployment", &connection.deployment)
            .finish_non_exhaustive()
    }
}
