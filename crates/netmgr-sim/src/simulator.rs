//! The running simulator, which is the main type of this crate.

use std::io::{self, ErrorKind, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, fs};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use crate::api::Backend;
use crate::manager::{Inventory, Manager, ManagerSettings};
use crate::server::accounts::Accounts;
use crate::server::cloud::Cloud;
use crate::server::connection::{Peer, Reset};
use crate::server::counters::{LoggedRequest, RequestCounters, RequestRecorder};
use crate::server::fault::Faults;
use crate::server::licenses::Licenses;
use crate::server::limits::RequestLimits;
use crate::server::sessions::SessionStore;
use crate::server::tls::{Authority, IssuedCertificate};
use crate::server::{HttpServer, listener};

mod builder;

pub use builder::SimulatorBuilder;

/// User name of the default account.
pub const DEFAULT_USERNAME: &str = "admin";
/// Password of the default account. Not a secret; its characters reveal incorrectly encoded login forms.
pub const DEFAULT_PASSWORD: &str = "Demo+Pass%41";

/// Errors of starting a simulator.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The address is in use, not local or not permitted.
    #[error("cannot listen on {address}")]
    Listen {
        /// The requested address.
        address: SocketAddr,
        /// Cause.
        source: std::io::Error,
    },
    /// Certificates could not be created.
    #[error("cannot generate certificates")]
    Certificates(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The certificate of the authority could not be written.
    #[error("cannot write the authority's certificate to {}", path.display())]
    WriteCa {
        /// The file.
        path: PathBuf,
        /// Cause.
        source: std::io::Error,
    },
}

/// The point at which a fault closed a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BrokenConnection {
    /// Before the first byte of the response.
    #[error("the connection was closed before the response")]
    BeforeAnswer,
    /// Within the body of the response.
    #[error("the connection was closed within the response")]
    InBody,
}

/// A simulated manager that serves requests until it is shut down or dropped.
///
/// It listens on a socket, or requests are passed to it in the process
/// ([`SimulatorBuilder::start_in_process`]). It runs as tasks on the runtime that started it. Times (session
/// expiry, latency, limits) follow the clock of tokio, which tests can pause.
pub struct Simulator<B = Manager> {
    manager: Arc<B>,
    server: Arc<HttpServer>,
    address: SocketAddr,
    ca_pem: Option<String>,
    ca_file: Option<PathBuf>,
    client_identities: Vec<IssuedCertificate>,
    credentials: Option<(String, String)>,
    stop: CancellationToken,
    /// The task that accepts connections; `None` without a socket.
    task: Option<JoinHandle<()>>,
}

impl Simulator {
    /// Creates a builder with the default inventory and settings. Use [`SimulatorBuilder::manager`] for
    /// others.
    pub fn builder() -> SimulatorBuilder {
        Self::serving(Manager::new(ManagerSettings::default(), Inventory::default()))
    }
}

impl<B: Backend> Simulator<B> {
    /// Creates a builder of a simulator with another backend.
    pub fn serving(manager: B) -> SimulatorBuilder<B> {
        SimulatorBuilder::new(manager)
    }

    async fn start(builder: SimulatorBuilder<B>) -> Result<Self, StartError> {
        let listen = builder.listen;
        let not_listening = |source| StartError::Listen {
            address: listen,
            source,
        };
        let listener = TcpListener::bind(listen).await.map_err(not_listening)?;
        let address = listener.local_addr().map_err(not_listening)?;

        let authority = match builder.tls {
            Some(_) => Some(Authority::generate().map_err(StartError::Certificates)?),
            None => None,
        };
        let mut identities = Vec::new();
        let mut strangers = Vec::new();
        let mut acceptor = None;
        let mut certificate_sha256 = None;
        if let (Some(authority), Some(certificate)) = (&authority, builder.tls) {
            let issue = |name: &String| authority.issue_client(name).map_err(StartError::Certificates);
            identities = builder.identities.iter().map(issue).collect::<Result<_, _>>()?;
            strangers = builder.strangers.iter().map(issue).collect::<Result<_, _>>()?;
            let (mut config, thumbprint) = authority
                .server_config(certificate, builder.client_certificates, address.ip())
                .map_err(StartError::Certificates)?;
            if builder.http1_only {
                config.alpn_protocols = vec![b"http/1.1".to_vec()];
            }
            acceptor = Some(TlsAcceptor::from(Arc::new(config)));
            certificate_sha256 = Some(thumbprint);
        }
        let ca_pem = authority.map(|authority| authority.pem());
        if let (Some(pem), Some(path)) = (&ca_pem, &builder.ca_file) {
            let (file, pem) = (path.clone(), pem.clone());
            // A pipe blocks until it has a reader.
            let written = tokio::task::spawn_blocking(move || write_ca(&file, &pem)).await;
            let written = written.expect("writing a file does not panic");
            written.map_err(|source| StartError::WriteCa {
                path: path.clone(),
                source,
            })?;
        }

        let ca_file = builder.ca_file.clone();
        let mut simulator = Self::detached(builder, address, certificate_sha256, identities);
        simulator.ca_pem = ca_pem;
        simulator.ca_file = ca_file;
        simulator.client_identities.extend(strangers);
        simulator.task = Some(tokio::spawn(listener::run(
            listener,
            acceptor,
            Arc::clone(&simulator.server),
            simulator.stop.clone(),
        )));
        Ok(simulator)
    }

    /// Creates a simulator without a socket that reports `address` as its address.
    fn detached(
        builder: SimulatorBuilder<B>,
        address: SocketAddr,
        certificate_sha256: Option<String>,
        identities: Vec<IssuedCertificate>,
    ) -> Self {
        let credentials = builder.users.first().map(|user| {
            let (name, password) = user.name_and_password();
            (name.to_owned(), password.to_owned())
        });
        let manager = Arc::new(builder.manager);
        manager.reachable_at(reachable(address), certificate_sha256.as_deref());
        let server = Arc::new(HttpServer {
            settings: builder.settings,
            backend: Arc::clone(&manager) as Arc<dyn Backend>,
            accounts: Accounts::new(builder.users),
            identities: identities.clone(),
            sessions: SessionStore::new(builder.session_timeout, builder.affinity_required),
            cloud: Cloud::new(builder.api_tokens, builder.apps, builder.token_lifetime),
            limits: RequestLimits::new(builder.requests_per_second, builder.requests_in_flight),
            licenses: Licenses::new(builder.licenses),
            faults: Faults::default(),
            recorder: RequestRecorder::observed_by(builder.observer),
        });
        for fault in builder.faults {
            server.faults.add(fault);
        }
        Self {
            manager,
            server,
            address,
            ca_pem: None,
            ca_file: None,
            client_identities: identities,
            credentials,
            stop: CancellationToken::new(),
            task: None,
        }
    }

    /// The manager behind the server, to change its inventory while it runs.
    pub fn manager(&self) -> &B {
        &self.manager
    }
}

impl<B> Simulator<B> {
    /// The address that the simulator listens on.
    pub fn addr(&self) -> SocketAddr {
        self.address
    }

    /// The host setting for clients on this machine: address, port and the path prefix, if any, without a
    /// scheme.
    pub fn host(&self) -> String {
        format!("{}{}", reachable(self.address), self.server.settings.path_prefix)
    }

    /// [`Simulator::host`] with its scheme, `https` or `http`.
    pub fn url(&self) -> String {
        let scheme = if self.ca_pem.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.host())
    }

    /// The certificate of the authority that signed the server certificate, PEM. `None` without TLS.
    pub fn ca_pem(&self) -> Option<&str> {
        self.ca_pem.as_deref()
    }

    /// The certificate and key issued to a client, by the name given to the builder. `None` without TLS.
    pub fn client_identity(&self, name: &str) -> Option<&IssuedCertificate> {
        self.client_identities
            .iter()
            .find(|identity| identity.name == name)
    }

    /// The environment variables that point a client at this simulator: host, first account and, with TLS, the
    /// authority, as text or as the file given to [`SimulatorBuilder::ca_file`].
    pub fn env(&self) -> Vec<(&'static str, String)> {
        let mut env = vec![("NETMGR_HOST", self.url())];
        if let Some((name, password)) = &self.credentials {
            env.push(("NETMGR_USERNAME", name.clone()));
            env.push(("NETMGR_PASSWORD", password.clone()));
        }
        match (&self.ca_pem, &self.ca_file) {
            (Some(_), Some(path)) => env.push(("NETMGR_CA_FILE", absolute(path))),
            (Some(pem), None) => env.push(("NETMGR_CA", pem.clone())),
            (None, _) => {}
        }
        env
    }

    /// [`Simulator::env`] as `NAME=value`, quoted for a POSIX shell if necessary.
    pub fn env_lines(&self) -> Vec<String> {
        self.env()
            .into_iter()
            .map(|(name, value)| {
                format!(
                    "{name}={}",
                    shlex::try_quote(&value).expect("addresses, names and paths have no NUL")
                )
            })
            .collect()
    }

    /// Serves a request without a socket, as if it had its own connection.
    ///
    /// # Errors
    ///
    /// [`BrokenConnection`] if a fault closes the connection before the response or within its body.
    pub async fn answer(
        &self,
        request: http::Request<Bytes>,
    ) -> Result<http::Response<Bytes>, BrokenConnection> {
        let peer = Peer {
            address: self.address.ip(),
            certificate: None,
            reset: Reset::default(),
        };
        let response = tokio::select! {
            response = self.server.serve(request.map(Full::new), &peer) => response,
            () = peer.reset.requested() => return Err(BrokenConnection::BeforeAnswer),
        };
        let (parts, body) = response.into_parts();
        tokio::select! {
            body = body.collect() => match body {
                Ok(body) => Ok(http::Response::from_parts(parts, body.to_bytes())),
                Err(_) => Err(BrokenConnection::InBody),
            },
            () = peer.reset.requested() => Err(BrokenConnection::InBody),
        }
    }

    /// The counters so far.
    pub fn counters(&self) -> RequestCounters {
        self.server.recorder.counters()
    }

    /// The last 10,000 requests, oldest first.
    pub fn requests(&self) -> Vec<LoggedRequest> {
        self.server.recorder.log()
    }

    /// The faults, to add and remove them while the simulator runs.
    pub fn faults(&self) -> &Faults {
        &self.server.faults
    }

    /// The licence keys that are installed now.
    pub fn license_keys(&self) -> Vec<String> {
        self.server.licenses.keys().clone()
    }

    /// Number of sessions that were neither ended nor have expired.
    pub fn open_sessions(&self) -> usize {
        self.server.sessions.open_count()
    }

    /// Ends all sessions as if they had expired: 403 with `error_code` 98.
    pub fn expire_sessions(&self) {
        self.server.sessions.expire_all();
    }

    /// Switches to another node of the cluster, which does not know the sessions: 403 with `error_code` 403, as without
    /// credentials.
    pub fn switch_node(&self) {
        self.server.sessions.switch_node();
    }

    /// Revokes all access tokens of the hosted cloud: 401.
    pub fn revoke_tokens(&self) {
        self.server.cloud.revoke_all();
    }

    /// Stops accepting connections, waits up to five seconds for requests in flight, and stops.
    pub async fn shutdown(mut self) {
        self.stop.cancel();
        if let Some(task) = &mut self.task
            && let Err(error) = task.await
        {
            tracing::error!(%error, "the server ended early");
        }
    }
}

impl<B> Drop for Simulator<B> {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

impl<B> fmt::Debug for Simulator<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulator")
            .field("url", &self.url())
            .finish_non_exhaustive()
    }
}

/// The address for clients on this machine if the server listens on `address`.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path)
        .unwrap_or_else(|_| path.to_owned())
        .display()
        .to_string()
}

/// Writes the certificate atomically, so that a full disk keeps the previous one. A link at its path is replaced.
fn write_ca(path: &Path, pem: &str) -> io::Result<()> {
    if path.exists() && !path.is_file() {
        // A device or a pipe.
        return fs::write(path, pem);
    }
    replace(path, pem).or_else(|error| match error.kind() {
        // A file that is a mount point, or whose folder is read-only.
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem | ErrorKind::ResourceBusy
            if path.is_file() =>
        {
            fs::write(path, pem)
        }
        _ => Err(error),
    })
}

fn replace(path: &Path, pem: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    #[cfg_attr(not(unix), allow(unused_mut, reason = "only Unix has these permissions"))]
    let mut new = tempfile::Builder::new();
    #[cfg(unix)]
    new.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let folder = folder.unwrap_or(Path::new("."));
    // Errors of the temporary file would contain its name.
    fs::metadata(folder)?;
    let mut new = new.tempfile_in(folder).map_err(|error| error.kind())?;
    new.as_file_mut().write_all(pem.as_bytes())?;
    new.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests;
