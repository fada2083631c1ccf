//! The builder of clients. Building reads files and sends nothing.
//!
//! Checks that require no file are in `netmgr_types::ProviderConfig`.

use std::sync::Arc;
use std::time::Duration;

use netmgr_types::Connection;

use crate::auth::SharedLogin;
use crate::client::LOOKUP_DEADLINE;
use crate::known_secrets::KnownSecrets;
use crate::layers::base_uri::Base;
use crate::layers::governor::Limits;
use crate::leaf::{self, LeafSettings};
use crate::stack::{StackSettings, stack};
use crate::traffic::{TrafficCounters, counted};
use crate::{Client, Error, LoginRecord, Stack};

/// Settings of a client in addition to its connection. The defaults are our choice (decision limits).
///
/// | Time | Default | Bounds |
/// |---|---|---|
/// | [connect timeout](Self::connect_timeout) | 10 s | establishing a connection, TLS included |
/// | HTTP/2 ping | every 10 s, with a reply within 10 s | the time without data on a connection |
/// | [attempt timeout](Self::attempt_timeout) | 60 s | one attempt, or one login, until the last byte of its answer |
/// | [lookup deadline](Self::lookup_deadline) | 300 s | a call: waiting for a slot, logins, attempts and delays |
///
/// A connection that does not respond, or on which an attempt timed out, is not used again. The next attempt
/// opens a new connection.
pub struct ClientBuilder {
    connection: Connection,
    connect_timeout: Duration,
    attempt_timeout: Duration,
    lookup_deadline: Duration,
    limits: Limits,
    leaf: Option<Stack>,
    login_record: Option<LoginRecord>,
}

/// Longest duration: an instant in the far future cannot be represented.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

impl Client {
    /// Creates a builder of clients for `connection`; see [`ClientBuilder::build`].
    #[must_use]
    pub fn builder(connection: Connection) -> ClientBuilder {
        ClientBuilder {
            connection,
            connect_timeout: Duration::from_secs(10),
            attempt_timeout: Duration::from_secs(60),
            lookup_deadline: LOOKUP_DEADLINE,
            limits: Limits {
                per_second: 90,
                in_flight: 32,
                longest_hold: LONGEST,
            },
            leaf: None,
            login_record: None,
        }
    }
}

impl ClientBuilder {
    /// Maximum time to establish a connection, including TLS. Default 10 s.
    #[must_use]
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.connect_timeout = limit;
        self
    }

    /// Maximum time from sending a request to the end of its reply. Default 60 s, at most a day.
    #[must_use]
    pub fn attempt_timeout(mut self, limit: Duration) -> Self {
        self.attempt_timeout = limit.min(LONGEST);
        self
    }

    /// Maximum time for a call with all its attempts, logins and waits, unless the request has a deadline.
    /// Default 300 s, at most a day.
    #[must_use]
    pub fn lookup_deadline(mut self, limit: Duration) -> Self {
        self.lookup_deadline = limit.min(LONGEST);
        self
    }

    /// Maximum number of requests per second; 0 counts as 1. Default 90, below the manager's 100
    /// (`client_api_rate_limit` of `ApiServiceConfig` in the NSX REST API reference).
    #[must_use]
    pub fn rate(mut self, per_second: u32) -> Self {
        self.limits.per_second = per_second.max(1);
        self
    }

    /// Maximum number of requests in flight; 0 counts as 1. Default 32, below the manager's 40
    /// (`client_api_concurrency_limit`).
    #[must_use]
    pub fn concurrency(mut self, in_flight: u32) -> Self {
        self.limits.in_flight = in_flight.max(1);
        self
    }

    /// Counts logins without success together with other processes, so that they lock no account.
    /// `None`, the default: each client counts its own.
    #[must_use]
    pub fn login_record(mut self, record: impl Into<Option<LoginRecord>>) -> Self {
        self.login_record = record.into();
        self
    }

    /// Replaces the service that sends requests, for tests. It receives absolute URIs. The certificate files
    /// of the connection are not read.
    #[must_use]
    pub fn leaf(mut self, service: Stack) -> Self {
        self.leaf = Some(service);
        self
    }

    /// Reads and checks certificates and keys, and creates the client. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Config`](crate::ErrorKind::Config) naming the property: a file that cannot be read or is not PEM, a key that
    /// is encrypted or does not belong to its certificate, a host that cannot be used in a URL. The same kind names a
    /// variable with a proxy that cannot be used.
    pub fn build(self) -> Result<Client, Error> {
        let base = Base::new(&self.connection.host)?;
        let (leaf, proxy) = match self.leaf {
            Some(leaf) => (leaf.0, None),
            None => leaf::http(&LeafSettings {
                tls: &self.connection.tls,
                host: &self.connection.host,
                connect_timeout: self.connect_timeout,
                most_idle: self.limits.in_flight,
            })?,
        };
        let counters = Arc::<TrafficCounters>::default();
        let leaf = counted(leaf, Arc::clone(&counters));
        let settings = StackSettings {
            base,
            retry: self.connection.retry.clone(),
            limits: Limits {
                longest_hold: self.attempt_timeout + Duration::from_secs(1),
                ..self.limits
            },
            attempt_timeout: self.attempt_timeout,
            lookup_deadline: self.lookup_deadline,
            secrets: KnownSecrets::of(&self.connection),
        };
        let record = self.login_record.as_ref();
        let auth = SharedLogin::try_new(&self.connection, self.attempt_timeout, record)?;
        let (stack, auth) = stack(&settings, auth, &leaf);
        Ok(Client::with_auth(
            self.connection,
            settings.secrets,
            stack,
            self.lookup_deadline,
            Some(auth),
            counters,
            proxy,
        ))
    }
}
