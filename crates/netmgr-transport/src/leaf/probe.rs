//! The steps of a connection one by one, for diagnosis: name, address, TLS with the certificates of the server.
//!
//! Requests do not use this module. It shares the TLS settings, the verification and the proxies of the environment
//! with the leaf, so that a diagnosis and a request have the same result.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use netmgr_types::Connection;
use rustls::ClientConfig;
use rustls::client::Resumption;
use rustls::pki_types::{CertificateDer, ServerName};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use x509_parser::prelude::{FromDer, X509Certificate};

use super::proxy::{self, Proxy};
use super::verifier::SentChain;
use super::{address_of, certificate, failure, tls};
use crate::Error;
use crate::lock::lock;

/// The steps of a connection to a manager, for diagnosis.
pub struct Probe {
    name: String,
    port: u16,
    encrypted: bool,
    shows_certificate: bool,
    unverified: bool,
    proxy: Option<Proxy>,
    config: ClientConfig,
    sent: SentChain,
}

/// A certificate of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Certificate {
    /// SHA-256, in pairs of hexadecimal digits.
    pub sha256: String,
    /// Subject; empty if the certificate cannot be parsed.
    pub subject: String,
    /// Issuer; empty if the certificate cannot be parsed.
    pub issuer: String,
    /// Host names and addresses that it is for.
    pub names: Vec<String>,
    /// Start of its validity.
    pub not_before: Option<SystemTime>,
    /// End of its validity.
    pub not_after: Option<SystemTime>,
}

/// A connection to a manager, without TLS.
#[derive(Debug)]
pub struct Connected(TcpStream);

/// Result of a TLS handshake.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Handshake {
    /// The certificates that the server sent, its own first. Empty if it sent none.
    pub chain: Vec<Certificate>,
    /// Version of TLS: `TLSv1_3`. `None` if the handshake failed.
    pub version: Option<String>,
    /// Whether the chain was verified. False if the settings turn verification off.
    pub verified: bool,
    /// The error of kind [`crate::ErrorKind::Tls`] if the handshake failed, as a request reports it.
    pub outcome: Result<(), Error>,
}

impl Probe {
    /// Prepares the steps for a connection. Reads certificate files and sends nothing.
    ///
    /// # Errors
    ///
    /// Kind [`crate::ErrorKind::Config`], as for [`crate::ClientBuilder::build`].
    pub fn try_new(connection: &Connection) -> Result<Self, Error> {
        let host = &connection.host;
        let sent = SentChain::default();
        let mut config = tls::client_config(&connection.tls, Some(Arc::clone(&sent)))?;
        // A resumed session shows no certificates.
        config.resumption = Resumption::disabled();
        let encrypted = host.scheme == "https";
        let proxy = proxy::of(&address_of(host)?)?;
        Ok(Self {
            name: host.name.clone(),
            port: host.port.unwrap_or(if encrypted { 443 } else { 80 }),
            encrypted,
            shows_certificate: connection.tls.identity.is_some(),
            unverified: connection.tls.allow_unverified,
            proxy,
            config,
            sent,
        })
    }

    /// Name and port that a connection is established to: the manager, or the proxy in front of it.
    #[must_use]
    pub fn target(&self) -> (&str, u16) {
        match &self.proxy {
            Some(proxy) => proxy.target(),
            None => (&self.name, self.port),
        }
    }

    /// Whether the connection uses TLS. Only loopback addresses can be reached without it.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.encrypted
    }

    /// The proxy of the environment through which requests are sent: its address without credentials, and the variable
    /// that sets it. `None` for direct connections.
    #[must_use]
    pub fn proxy(&self) -> Option<String> {
        self.proxy.as_ref().map(Proxy::to_string)
    }

    /// Advice for failures before the manager is reached. `None` for direct connections.
    #[must_use]
    pub fn proxy_advice(&self) -> Option<&'static str> {
        self.proxy.as_ref().map(|_| proxy::ADVICE)
    }

    /// Whether the connection to the proxy is encrypted itself, so that only requests reach the manager through it.
    #[must_use]
    pub fn proxy_is_encrypted(&self) -> bool {
        self.proxy.as_ref().is_some_and(Proxy::is_encrypted)
    }

    /// Resolves the name of the target.
    ///
    /// # Errors
    ///
    /// The errors of the operating system's resolver.
    pub async fn resolve(&self) -> io::Result<Vec<SocketAddr>> {
        let addresses = tokio::net::lookup_host(self.target()).await?;
        Ok(addresses.collect())
    }

    /// Connects to an address of the target, and through the proxy, if there is one, to the manager.
    ///
    /// # Errors
    ///
    /// The errors of the operating system, and `Other` if the proxy refuses the connection. The connection ends at a
    /// proxy that is encrypted itself.
    pub async fn connect(&self, address: SocketAddr) -> io::Result<Connected> {
        let mut connection = TcpStream::connect(address).await?;
        let proxy = self.proxy.as_ref().filter(|_| self.encrypted);
        if let Some(proxy) = proxy.filter(|proxy| !proxy.is_encrypted()) {
            proxy.tunnel(&mut connection, &self.name, self.port).await?;
        }
        Ok(Connected(connection))
    }

    /// Performs a TLS handshake on a connection and closes it. No request is sent.
    pub async fn handshake(&self, Connected(connection): Connected) -> Handshake {
        self.take_sent();
        let name = ServerName::try_from(self.name.clone());
        let outcome = match name {
            Ok(name) => {
                let connector = TlsConnector::from(Arc::new(self.config.clone()));
                connector
                    .connect(name, connection)
                    .await
                    .map_err(|cause| failure::from_handshake(cause, self.shows_certificate))
            }
            Err(cause) => Err(Error::config(
                "host",
                "is not a name that a certificate can contain",
                Some(cause.into()),
            )),
        };
        let version = outcome
            .as_ref()
            .ok()
            .and_then(|stream| stream.get_ref().1.protocol_version())
            .and_then(|version| version.as_str().map(str::to_owned));
        Handshake {
            chain: self.take_sent(),
            version,
            verified: outcome.is_ok() && !self.unverified,
            outcome: outcome.map(drop),
        }
    }

    /// Takes the certificates of the last handshake.
    fn take_sent(&self) -> Vec<Certificate> {
        let sent = std::mem::take(&mut *lock(&self.sent));
        sent.iter().map(Certificate::new).collect()
    }
}

impl Certificate {
    fn new(der: &CertificateDer<'_>) -> Self {
        let parsed = X509Certificate::from_der(der).ok().map(|(_, parsed)| parsed);
        let time = |seconds: i64| {
            let since = Duration::from_secs(u64::try_from(seconds).ok()?);
            SystemTime::UNIX_EPOCH.checked_add(since)
        };
        let validity = parsed.as_ref().map(|parsed| parsed.validity());
        Self {
            sha256: certificate::thumbprint(der),
            subject: parsed
                .as_ref()
                .map_or_else(String::new, |parsed| parsed.subject().to_string()),
            issuer: parsed
                .as_ref()
                .map_or_else(String::new, |parsed| parsed.issuer().to_string()),
            names: parsed.as_ref().map_or_else(Vec::new, certificate::names),
            not_before: validity.and_then(|validity| time(validity.not_before.timestamp())),
            not_after: validity.and_then(|validity| time(validity.not_after.timestamp())),
        }
    }
}
