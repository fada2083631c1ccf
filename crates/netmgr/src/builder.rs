//! From settings to a client.

use std::time::Duration;

use netmgr_lookups::{Error, Lookups};
use netmgr_types::ProviderConfig as Settings;

use crate::{Client, RefusedLogins};

/// Configures timeouts and limits of a [`Client`]. Nothing is checked before [`build`](Self::build).
#[derive(Debug)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct ClientBuilder {
    settings: Settings,
    connect_timeout: Option<Duration>,
    attempt_timeout: Option<Duration>,
    deadline: Option<Duration>,
    rate: Option<u32>,
    concurrency: Option<u32>,
    refused_logins: Option<RefusedLogins>,
}

impl ClientBuilder {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            settings,
            connect_timeout: None,
            attempt_timeout: None,
            deadline: None,
            rate: None,
            concurrency: None,
            refused_logins: None,
        }
    }

    /// Sets the maximum time to establish a connection, TLS included. Default 10 s.
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.connect_timeout = Some(limit);
        self
    }

    /// Sets the maximum time of one attempt, from sending a request to the end of its reply. Default 60 s.
    pub fn attempt_timeout(mut self, limit: Duration) -> Self {
        self.attempt_timeout = Some(limit);
        self
    }

    /// Sets the maximum time of a lookup with all its requests, logins and retries. Default 300 s, at most a day. A
    /// single call can have its own: [`Run::deadline`](crate::Run::deadline).
    pub fn deadline(mut self, limit: Duration) -> Self {
        self.deadline = Some(limit);
        self
    }

    /// Sets the maximum number of requests in any one second, at least 1. Default 90, below the manager's 100.
    pub fn rate(mut self, per_second: u32) -> Self {
        self.rate = Some(per_second);
        self
    }

    /// Sets the maximum number of requests in flight, at least 1. Default 32, below the manager's 40.
    pub fn concurrency(mut self, in_flight: u32) -> Self {
        self.concurrency = Some(in_flight);
        self
    }

    /// Counts logins without success together with other processes, so that they lock no account. Default: each client
    /// counts its own. The binaries of this project use [`RefusedLogins::in_state_folder`].
    pub fn refused_logins(mut self, shared: impl Into<Option<RefusedLogins>>) -> Self {
        self.refused_logins = shared.into();
        self
    }

    /// Checks the settings, reads the certificate files that they name, and creates the client. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidSettings`] with every problem.
    pub fn build(self) -> Result<Client, Error> {
        let mut builder =
            netmgr_transport::Client::builder(self.settings.resolve()?).login_record(self.refused_logins);
        if let Some(limit) = self.connect_timeout {
            builder = builder.connect_timeout(limit);
        }
        if let Some(limit) = self.attempt_timeout {
            builder = builder.attempt_timeout(limit);
        }
        if let Some(limit) = self.deadline {
            builder = builder.lookup_deadline(limit);
        }
        if let Some(per_second) = self.rate {
            builder = builder.rate(per_second);
        }
        if let Some(in_flight) = self.concurrency {
            builder = builder.concurrency(in_flight);
        }
        let client = builder.build().map_err(Error::invalid_settings)?;
        Ok(Client::with_lookups(Lookups::new(client)))
    }
}
