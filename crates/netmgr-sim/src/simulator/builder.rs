//! The builder of simulators.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::{DEFAULT_PASSWORD, DEFAULT_USERNAME, Simulator, StartError};
use crate::api::Backend;
use crate::manager::Manager;
use crate::server::ServerSettings;
use crate::server::accounts::User;
use crate::server::counters::{RequestObserver, ServedRequest};
use crate::server::fault::Fault;
use crate::server::tls::{ClientCertificates, ServerCertificate};

/// Builder of a [`Simulator`]. The defaults are those of managers of version 4.x: sessions and basic
/// authentication, 100 requests per second and 40 in flight per client, sessions that end after 1800 idle
/// seconds.
#[derive(Debug)]
pub struct SimulatorBuilder<B = Manager> {
    pub(super) manager: B,
    pub(super) listen: SocketAddr,
    pub(super) tls: Option<ServerCertificate>,
    pub(super) http1_only: bool,
    pub(super) ca_file: Option<PathBuf>,
    pub(super) client_certificates: ClientCertificates,
    pub(super) identities: Vec<String>,
    pub(super) strangers: Vec<String>,
    pub(super) users: Vec<User>,
    pub(super) session_timeout: Duration,
    pub(super) affinity_required: bool,
    pub(super) api_tokens: Vec<String>,
    pub(super) apps: HashMap<String, String>,
    pub(super) token_lifetime: Duration,
    pub(super) requests_per_second: u32,
    pub(super) requests_in_flight: usize,
    pub(super) licenses: Vec<String>,
    pub(super) faults: Vec<Fault>,
    pub(super) settings: ServerSettings,
    pub(super) observer: Option<RequestObserver>,
    has_default_user: bool,
}

impl SimulatorBuilder {
    /// The manager to serve. Default: a local manager with the default inventory.
    pub fn manager(self, manager: Manager) -> Self {
        Self { manager, ..self }
    }
}

impl<B: Backend> SimulatorBuilder<B> {
    pub(super) fn new(manager: B) -> Self {
        Self {
            manager,
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            tls: None,
            http1_only: false,
            ca_file: None,
            client_certificates: ClientCertificates::Ignored,
            identities: Vec::new(),
            strangers: Vec::new(),
            users: vec![User::local(DEFAULT_USERNAME, DEFAULT_PASSWORD)],
            session_timeout: Duration::from_secs(1800),
            affinity_required: false,
            api_tokens: Vec::new(),
            apps: HashMap::new(),
            token_lifetime: Duration::from_secs(1799),
            requests_per_second: 100,
            requests_in_flight: 40,
            licenses: Vec::new(),
            faults: Vec::new(),
            settings: ServerSettings {
                path_prefix: String::new(),
                latency: Duration::ZERO,
            },
            observer: None,
            has_default_user: true,
        }
    }

    /// Address to listen on. Default `127.0.0.1:0`: a free port.
    pub fn listen(self, address: SocketAddr) -> Self {
        Self {
            listen: address,
            ..self
        }
    }

    /// Serves HTTPS (HTTP/1.1 and HTTP/2) with a certificate of a generated authority. Default: plain HTTP.
    pub fn tls(self, certificate: ServerCertificate) -> Self {
        Self {
            tls: Some(certificate),
            ..self
        }
    }

    /// Only offers HTTP/1.1 during the TLS handshake, as a manager without HTTP/2 does.
    pub fn http1_only(self) -> Self {
        Self {
            http1_only: true,
            ..self
        }
    }

    /// File to write the authority's certificate to, with TLS.
    pub fn ca_file(self, path: impl Into<PathBuf>) -> Self {
        Self {
            ca_file: Some(path.into()),
            ..self
        }
    }

    /// Client certificates that the server requests during the TLS handshake. Default: none.
    pub fn client_certificates(self, clients: ClientCertificates) -> Self {
        Self {
            client_certificates: clients,
            ..self
        }
    }

    /// Issues a client certificate, with TLS, and registers it as a principal identity that may read everything.
    pub fn principal_identity(mut self, name: impl Into<String>) -> Self {
        self.identities.push(name.into());
        self
    }

    /// Issues a client certificate, with TLS, that is not registered: requests get 500 with `error_code` 99.
    pub fn unregistered_identity(mut self, name: impl Into<String>) -> Self {
        self.strangers.push(name.into());
        self
    }

    /// Adds an account. The first one replaces the default account [`DEFAULT_USERNAME`] and is the one that
    /// [`Simulator::env`] names.
    pub fn user(mut self, user: User) -> Self {
        if std::mem::take(&mut self.has_default_user) {
            self.users.clear();
        }
        self.users.push(user);
        self
    }

    /// Idle time after which a session ends. Default 1800 s.
    pub fn session_timeout(self, timeout: Duration) -> Self {
        Self {
            session_timeout: timeout,
            ..self
        }
    }

    /// Simulates a load balancer in front of several nodes: a request without the affinity cookie that came
    /// with its session reaches a node that does not know the session. Default: only one node.
    pub fn affinity_required(self, required: bool) -> Self {
        Self {
            affinity_required: required,
            ..self
        }
    }

    /// Adds an API token of the hosted cloud, which can be exchanged for access tokens.
    pub fn cloud_api_token(mut self, token: impl Into<String>) -> Self {
        self.api_tokens.push(token.into());
        self
    }

    /// Adds an OAuth app of the hosted cloud, which can be exchanged for access tokens.
    pub fn cloud_app(mut self, id: impl Into<String>, secret: impl Into<String>) -> Self {
        self.apps.insert(id.into(), secret.into());
        self
    }

    /// Lifetime of access tokens, in whole seconds. Default 1799 s.
    pub fn token_lifetime(self, lifetime: Duration) -> Self {
        Self {
            token_lifetime: lifetime,
            ..self
        }
    }

    /// Prefix of every API path, as for the reverse proxy of the hosted cloud:
    /// `/vmc/reverse-proxy/api/orgs/o/sddcs/s/sks-nsxt-manager`. Token exchange stays at the root. Default:
    /// none.
    pub fn path_prefix(mut self, prefix: &str) -> Self {
        let prefix = prefix.trim_matches('/');
        self.settings.path_prefix = if prefix.is_empty() {
            String::new()
        } else {
            format!("/{prefix}")
        };
        self
    }

    /// Maximum number of requests per second and client. Further requests fail with 429. 0 disables the
    /// limit. Default 100.
    pub fn requests_per_second(self, limit: u32) -> Self {
        Self {
            requests_per_second: limit,
            ..self
        }
    }

    /// Maximum number of requests in flight per client. Further requests fail with 503. 0 disables the limit.
    /// Default 40.
    pub fn requests_in_flight(self, limit: usize) -> Self {
        Self {
            requests_in_flight: limit,
            ..self
        }
    }

    /// Time every API request and session creation takes. Default: none.
    pub fn latency(mut self, latency: Duration) -> Self {
        self.settings.latency = latency;
        self
    }

    /// Licence keys that are installed. Default: none.
    pub fn licenses(self, keys: impl IntoIterator<Item = String>) -> Self {
        Self {
            licenses: keys.into_iter().collect(),
            ..self
        }
    }

    /// Adds a fault. Faults can also be added while the simulator runs.
    pub fn fault(mut self, fault: Fault) -> Self {
        self.faults.push(fault);
        self
    }

    /// Calls `observe` with each request after it was answered, for a log. It must not block.
    pub fn on_request(mut self, observe: impl Fn(&ServedRequest) + Send + Sync + 'static) -> Self {
        self.observer = Some(RequestObserver(Arc::new(observe)));
        self
    }

    /// Starts serving on the current tokio runtime.
    ///
    /// # Errors
    ///
    /// [`StartError::Listen`] when the address cannot be used; [`StartError::Certificates`] and
    /// [`StartError::WriteCa`] with TLS.
    pub async fn start(self) -> Result<Simulator<B>, StartError> {
        Simulator::start(self).await
    }
    /// Starts without a socket and without TLS, regardless of the settings. Requests are passed to
    /// [`Simulator::answer`]. The address is only a name.
    pub fn start_in_process(self) -> Simulator<B> {
        let address = SocketAddr::from(([127, 0, 0, 1], 443));
        Simulator::detached(self, address, None, Vec::new())
    }
}
