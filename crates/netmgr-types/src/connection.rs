//! A validated connection: the configuration with all defaults, after every check that requires no file.
//!
//! Not here: the configuration as the user writes it ([`crate::ProviderConfig`]) and the reading
//! of certificate files, which happens when a client is built.

use std::path::PathBuf;
use std::time::Duration;

use derive_setters::Setters;

use crate::{Host, Secret};

/// Validated settings of a client. Created by [`crate::ProviderConfig::resolve`].
#[derive(Debug, Clone, Setters)]
#[setters(into)]
#[non_exhaustive]
pub struct Connection {
    /// Address of the manager.
    pub host: Host,
    /// Kind of manager.
    pub deployment: Deployment,
    /// Credentials of requests.
    pub credentials: Credentials,
    /// Trust and client certificate.
    pub tls: TlsSettings,
    /// Enforcement point of policy paths. Default `default`.
    pub enforcement_point: String,
    /// Rules for retries.
    pub retry: RetrySettings,
    /// Licence keys that must be present on the manager. Default none.
    pub license_keys: Vec<Secret>,
    /// Whether to send nothing before the first lookup. Default false.
    pub on_demand: bool,
    /// Whether a partial success counts as success. Default false.
    pub tolerate_partial_success: bool,
}

/// Kinds of manager that the specification distinguishes ("Applicable to").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deployment {
    /// A local policy manager.
    PolicyManager,
    /// A policy global manager (`globalManager` is true).
    GlobalManager,
    /// A manager of the hosted cloud (cloud credentials, or `cloudAuthMode` is `Basic`).
    HostedCloud,
}

/// Credentials of requests.
#[derive(Debug, Clone)]
pub enum Credentials {
    /// A session, created by one login. Its cookies and XSRF token are sent with each request.
    Session(Login),
    /// User name and password with each request.
    Header(Login),
    /// Only the client certificate of [`TlsSettings::identity`].
    Certificate,
    /// A token of the hosted cloud, exchanged for access tokens.
    Cloud(CloudLogin),
}

/// User name, password and authorization scheme.
#[derive(Debug, Clone, Setters)]
#[non_exhaustive]
pub struct Login {
    /// User name, as configured.
    pub username: String,
    /// Password, as configured.
    pub password: Secret,
    /// `Basic`, or `Remote` when `remoteAuth` is true.
    pub scheme: LoginScheme,
}

/// Scheme of the `Authorization` header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginScheme {
    /// `Authorization: Basic …`
    Basic,
    /// `Authorization: Remote …`, for directory users of old managers.
    Remote,
}

/// Login of the hosted cloud.
#[derive(Debug, Clone, Setters)]
#[non_exhaustive]
pub struct CloudLogin {
    /// URL of the token exchange, including the scheme.
    pub exchange_url: String,
    /// Credentials that are exchanged.
    pub grant: CloudGrant,
    /// The headers that carry the access token.
    pub headers: CloudHeaders,
}

/// Credentials that are exchanged for an access token.
#[derive(Debug, Clone)]
pub enum CloudGrant {
    /// `cloudToken`: a long-lived API token.
    ApiToken(Secret),
    /// `cloudClientId` and `cloudClientSecret`: an OAuth app.
    App {
        /// Id of the app.
        id: String,
        /// Secret of the app.
        secret: Secret,
    },
}

/// The headers that carry the access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloudHeaders {
    /// `csp-auth-token` and `Authorization: Bearer` (modes `Default` and, with a token, `Basic`).
    Both,
    /// Only `Authorization: Bearer` (mode `Bearer`).
    Bearer,
}

/// Trust and client certificate.
#[derive(Debug, Clone, Default, Setters)]
#[setters(strip_option)]
#[non_exhaustive]
pub struct TlsSettings {
    /// Accept any server certificate (`allowUnverifiedSsl`). Default false.
    pub allow_unverified: bool,
    /// Certificates trusted in addition to the platform's. `ca` takes precedence over `caFile`. Default none.
    pub ca: Option<Pem>,
    /// Client certificate and key. Default none.
    pub identity: Option<ClientIdentity>,
}

/// A client certificate with its key.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ClientIdentity {
    /// The certificate chain.
    pub certificate: Pem,
    /// The private key.
    pub key: Pem,
}

/// PEM text with the property that it was read from, for error messages.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Pem {
    /// `ca`, `caFile`, `clientAuthCert`, `clientAuthCertFile`, `clientAuthKey` or
    /// `clientAuthKeyFile`.
    pub property: &'static str,
    /// The text or where to read it.
    pub source: PemSource,
}

/// Source of PEM text.
#[derive(Debug, Clone)]
pub enum PemSource {
    /// In the configuration itself.
    Text(Secret),
    /// In a file, read when the client is built.
    File(PathBuf),
}

/// Rules for retries.
#[derive(Debug, Clone, PartialEq, Eq, Setters)]
#[setters(strip_option)]
#[non_exhaustive]
pub struct RetrySettings {
    /// Attempts after the first. Default 4.
    pub max_retries: u32,
    /// Minimum delay before a retry. Default 0 ms.
    pub min_delay: Duration,
    /// Maximum delay before a retry, except for a longer delay that the manager requests. Default 500 ms.
    pub max_delay: Duration,
    /// Status codes that the user listed. Each is retried regardless of the body. By default, none:
    /// [`RetrySettings::DEFAULT_STATUSES`] apply, with their exceptions.
    pub on_status: Option<Vec<u16>>,
}

impl Connection {
    /// A connection to the local policy manager at `host` with default settings.
    #[must_use]
    pub fn new(host: Host, credentials: Credentials) -> Self {
        Self {
            host,
            deployment: Deployment::PolicyManager,
            credentials,
            tls: TlsSettings::default(),
            enforcement_point: "default".to_owned(),
            retry: RetrySettings::default(),
            license_keys: Vec::new(),
            on_demand: false,
            tolerate_partial_success: false,
        }
    }
}

impl Login {
    /// User name and password with the scheme `Basic`.
    pub fn new(username: impl Into<String>, password: impl Into<Secret>) -> Self {
        Self {
            username: username.into(),
            password: password.into(),
            scheme: LoginScheme::Basic,
        }
    }
}

impl CloudLogin {
    /// A login at `exchange_url` whose access tokens both headers carry.
    pub fn new(exchange_url: impl Into<String>, grant: CloudGrant) -> Self {
        Self {
            exchange_url: exchange_url.into(),
            grant,
            headers: CloudHeaders::Both,
        }
    }
}

impl ClientIdentity {
    /// A certificate chain with its private key.
    #[must_use]
    pub fn new(certificate: Pem, key: Pem) -> Self {
        Self { certificate, key }
    }
}

impl Pem {
    /// PEM text from the configuration itself.
    pub fn text(property: &'static str, text: impl Into<Secret>) -> Self {
        Self {
            property,
            source: PemSource::Text(text.into()),
        }
    }

    /// PEM text in a file.
    pub fn file(property: &'static str, path: impl Into<PathBuf>) -> Self {
        Self {
            property,
            source: PemSource::File(path.into()),
        }
    }
}

impl RetrySettings {
    /// Status codes that are retried if the user lists none, with three exceptions: 400 is only retried while
    /// the search index is out of date, 500 is not retried if the client certificate is not registered, and
    /// 503 is not retried if the page is too large. Our choice (decision retries).
    pub const DEFAULT_STATUSES: &[u16] = &[400, 409, 429, 500, 502, 503, 504];
}

impl Default for RetrySettings {
    fn default() -> Self {
        Self {
            max_retries: 4,
            min_delay: Duration::ZERO,
            max_delay: Duration::from_millis(500),
            on_status: None,
        }
    }
}
