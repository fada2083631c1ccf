//! A checked connection: what the configuration says once defaults are filled in and every rule
//! that needs no file has been applied.
//!
//! Not here: the configuration as the user writes it ([`crate::ProviderConfig`]) and the reading
//! of certificate files, which happens when a client is built.

use std::path::PathBuf;
use std::time::Duration;

use crate::{Host, Secret};

/// Everything a client needs to know. Made by [`crate::ProviderConfig::resolve`].
///
/// Source: lookup-provider sections 5 and 8, manager-transport sections 1 to 3.
#[derive(Debug, Clone)]
pub struct Connection {
    /// Where the manager is.
    pub host: Host,
    /// What kind of manager it is.
    pub deployment: Deployment,
    /// How requests are authenticated.
    pub credentials: Credentials,
    /// Trust and client certificate.
    pub tls: TlsSettings,
    /// Enforcement point of policy paths. Default `default`.
    pub enforcement_point: String,
    /// When and how often failed requests are repeated.
    pub retry: RetrySettings,
    /// Licence keys that must be present on the manager. Default none.
    pub license_keys: Vec<Secret>,
    /// Whether nothing may be sent before the first lookup. Default false.
    pub on_demand: bool,
    /// Whether a partial success counts as success. Default false.
    pub tolerate_partial_success: bool,
}

/// The kinds of manager that the specification tells apart ("Applicable to").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deployment {
    /// A local policy manager.
    PolicyManager,
    /// A policy global manager (`globalManager` is true).
    GlobalManager,
    /// A manager of the hosted cloud (cloud credentials, or `cloudAuthMode` is `Basic`).
    HostedCloud,
}

/// How requests are authenticated. Source: manager-transport 2.1.
#[derive(Debug, Clone)]
pub enum Credentials {
    /// One login makes a session; its cookies and XSRF token go with each request.
    Session(Login),
    /// User name and password with each request.
    Header(Login),
    /// The client certificate of [`TlsSettings::identity`] alone.
    Certificate,
    /// A token of the hosted cloud, exchanged for access tokens.
    Cloud(CloudLogin),
}

/// User name, password and the word that introduces them.
#[derive(Debug, Clone)]
pub struct Login {
    /// User name, as configured.
    pub username: String,
    /// Password, as configured.
    pub password: Secret,
    /// `Basic`, or `Remote` when `remoteAuth` is true.
    pub scheme: LoginScheme,
}

/// The word in the `Authorization` header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginScheme {
    /// `Authorization: Basic …`
    Basic,
    /// `Authorization: Remote …`, for directory users of old managers.
    Remote,
}

/// Login of the hosted cloud. Source: manager-transport 2.6.
#[derive(Debug, Clone)]
pub struct CloudLogin {
    /// URL of the exchange, complete with scheme.
    pub exchange_url: String,
    /// What is exchanged.
    pub grant: CloudGrant,
    /// Which headers carry the access token.
    pub headers: CloudHeaders,
}

/// What is exchanged for an access token.
#[derive(Debug, Clone)]
pub enum CloudGrant {
    /// `cloudToken`: a long-living API token.
    ApiToken(Secret),
    /// `cloudClientId` and `cloudClientSecret`: an OAuth app.
    App {
        /// Id of the app.
        id: String,
        /// Secret of the app.
        secret: Secret,
    },
}

/// Which headers carry the access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloudHeaders {
    /// `csp-auth-token` and `Authorization: Bearer` (modes `Default` and, with a token, `Basic`).
    Both,
    /// `Authorization: Bearer` alone (mode `Bearer`).
    Bearer,
}

/// Trust and client certificate.
#[derive(Debug, Clone, Default)]
pub struct TlsSettings {
    /// Accept any server certificate (`allowUnverifiedSsl`). Default false.
    pub allow_unverified: bool,
    /// Certificates trusted beside the platform's (`ca` before `caFile`). Default none.
    pub ca: Option<Pem>,
    /// Client certificate and key. Default none.
    pub identity: Option<ClientIdentity>,
}

/// A client certificate with its key.
#[derive(Debug, Clone)]
pub struct ClientIdentity {
    /// The certificate chain.
    pub certificate: Pem,
    /// The private key.
    pub key: Pem,
}

/// PEM text and the property it came from, which errors name.
#[derive(Debug, Clone)]
pub struct Pem {
    /// `ca`, `caFile`, `clientAuthCert`, `clientAuthCertFile`, `clientAuthKey` or
    /// `clientAuthKeyFile`.
    pub property: &'static str,
    /// The text or where to read it.
    pub source: PemSource,
}

/// Where PEM text is.
#[derive(Debug, Clone)]
pub enum PemSource {
    /// In the configuration itself.
    Text(Secret),
    /// In a file, read when the client is built.
    File(PathBuf),
}

/// When and how often failed requests are repeated. Source: lookup-provider section 8, defaults of
/// manager-transport 1.2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetrySettings {
    /// Attempts after the first. Default 4.
    pub max_retries: u32,
    /// Shortest wait before a retry. Default 0 ms.
    pub min_delay: Duration,
    /// Longest wait before a retry, a wait asked for by the manager apart. Default 500 ms.
    pub max_delay: Duration,
    /// Reply statuses that the user listed. Each is retried whatever the body says. Default none:
    /// [`RetrySettings::DEFAULT_STATUSES`] with their exceptions.
    pub on_status: Option<Vec<u16>>,
}

impl RetrySettings {
    /// Reply statuses that are retried when the user lists none, with three exceptions: 400 is
    /// retried only while the search index catches up; 500 is not retried when the manager does not
    /// know the client certificate; 503 is not retried when the page is too large. Our choice
    /// (0021).
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
