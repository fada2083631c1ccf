//! Test support: certificates, servers that use them, and clients for those servers.

use std::convert::Infallible;
use std::error::Error as _;
use std::fmt::Write as _;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use netmgr_transport::{Client, Error, Get, Reply};
use netmgr_types::{Connection, Credentials, Host, Login, Pem, RetrySettings, TlsSettings};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// A certificate and its key, as PEM.
pub(crate) struct Certified {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

/// Issues certificates.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pub(crate) certificate: String,
}

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap().pem();
        Self {
            issuer: Issuer::new(params, key),
            certificate,
        }
    }

    pub(crate) fn issue(&self, params: CertificateParams) -> Certified {
        let key = KeyPair::generate().unwrap();
        Certified {
            certificate: params.signed_by(&key, &self.issuer).unwrap().pem(),
            key: key.serialize_pem(),
        }
    }

    /// The certificate of another authority, as PEM.
    pub(crate) fn sign(&self, params: &CertificateParams, key: &KeyPair) -> String {
        params.clone().signed_by(key, &self.issuer).unwrap().pem()
    }

    /// A certificate for the loopback address.
    pub(crate) fn server(&self) -> Certified {
        self.issue(named("manager", &["127.0.0.1", "localhost"]))
    }
}

pub(crate) fn named(common_name: &str, names: &[&str]) -> CertificateParams {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut params = CertificateParams::new(names).unwrap();
    params.distinguished_name.push(DnType::CommonName, common_name);
    params
}

pub(crate) fn self_signed(params: CertificateParams) -> Certified {
    let key = KeyPair::generate().unwrap();
    Certified {
        certificate: params.self_signed(&key).unwrap().pem(),
        key: key.serialize_pem(),
    }
}

/// The server's side of TLS. With `clients`, a client certificate of that authority is required.
pub(crate) fn server_config(
    shown: &Certified,
    clients: Option<&Authority>,
    alpn: &[&str],
) -> Arc<ServerConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .unwrap();
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(authority) => {
            let mut roots = RootCertStore::empty();
            roots.add(der(&authority.certificate)).unwrap();
            let verifier = WebPkiClientVerifier::builder_with_provider(roots.into(), provider);
            builder.with_client_cert_verifier(verifier.build().unwrap())
        }
    };
    let key = PrivateKeyDer::from_pem_slice(shown.key.as_bytes()).unwrap();
    let mut config = builder
        .with_single_cert(vec![der(&shown.certificate)], key)
        .unwrap();
    config.alpn_protocols = alpn.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
    Arc::new(config)
}

fn der(pem: &str) -> CertificateDer<'static> {
    CertificateDer::from_pem_slice(pem.as_bytes()).unwrap()
}

/// Accepts connections on the loopback address and passes each to `serve`. Returns the port.
pub(crate) async fn listen<F>(serve: impl Fn(TcpStream) -> F + Send + 'static) -> u16
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    port
}

/// An HTTPS server that replies to every request with `answer`. Returns the port.
pub(crate) async fn https(
    config: Arc<ServerConfig>,
    answer: impl Fn(Request<Incoming>) -> Response<Bytes> + Clone + Send + Sync + 'static,
) -> u16 {
    let acceptor = TlsAcceptor::from(config);
    listen(move |stream| {
        let acceptor = acceptor.clone();
        let answer = answer.clone();
        async move {
            // Some tests expect a refused handshake, which the client reports.
            let Ok(stream) = acceptor.accept(stream).await else {
                return;
            };
            let service = hyper::service::service_fn(move |request| {
                let answer = answer(request).map(Full::new);
                async move { Ok::<_, Infallible>(answer) }
            });
            let server = auto::Builder::new(TokioExecutor::new());
            let _ended_by_the_client = server.serve_connection(TokioIo::new(stream), service).await;
        }
    })
    .await
}

/// An HTTPS server for both versions of HTTP, whose reply contains the version of the request.
pub(crate) async fn manager(shown: &Certified, clients: Option<&Authority>) -> u16 {
    https(server_config(shown, clients, &["h2", "http/1.1"]), version).await
}

pub(crate) fn version(request: Request<Incoming>) -> Response<Bytes> {
    Response::new(Bytes::from(format!("{:?}", request.version())))
}

pub(crate) fn text(property: &'static str, text: &str) -> Pem {
    Pem::text(property, text)
}

/// Trusts `authority` in addition to the platform.
pub(crate) fn trusting(authority: &Authority) -> TlsSettings {
    TlsSettings::default().ca(text("ca", &authority.certificate))
}

pub(crate) fn connection(scheme: &'static str, name: &str, port: u16, tls: TlsSettings) -> Connection {
    let mut host = Host::parse(&format!("{name}:{port}")).unwrap();
    host.scheme = scheme;
    Connection::new(host, Credentials::Header(Login::new("admin", "hunter2")))
        .tls(tls)
        .retry(RetrySettings::default().max_retries(0))
        .on_demand(true)
}

pub(crate) async fn get(connection: Connection) -> Result<Reply, Error> {
    let client = Client::builder(connection).build().unwrap();
    client
        .get(&Get::new("/api/v1/node/version").query("secret", "hunter2"))
        .await
}

/// Runs `work` on a clock that is much faster than real time, but slow enough for data on sockets to arrive.
pub(crate) async fn fast<T>(work: impl Future<Output = T>) -> T {
    tokio::time::pause();
    // A paused clock advances to the next timer when the runtime is idle, which includes waiting for a
    // socket. It does not advance while a blocking task runs.
    let (holds, held) = std::sync::mpsc::channel::<()>();
    tokio::task::spawn_blocking(move || held.recv());
    let mut work = std::pin::pin!(work);
    let done = loop {
        let tick = async {
            for _ in 0..20 {
                tokio::task::yield_now().await;
            }
            // Other threads make progress too, such as those that resolve names and read certificates.
            #[expect(clippy::disallowed_methods, reason = "the clock of the runtime is paused")]
            std::thread::sleep(Duration::from_micros(100));
            tokio::time::advance(Duration::from_millis(10)).await;
        };
        tokio::select! {
            biased;
            done = work.as_mut() => break done,
            () = tick => {}
        }
    };
    drop(holds);
    done
}

/// An HTTPS request to 127.0.0.1.
pub(crate) async fn get_https(port: u16, tls: TlsSettings) -> Result<Reply, Error> {
    get(connection("https", "127.0.0.1", port, tls)).await
}

/// The message and its causes, one per line, without values that differ between runs.
pub(crate) fn report(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        write!(text, "\n  caused by: {error}").unwrap();
        cause = error.source();
    }
    assert!(!text.contains("hunter2"), "{text}");
    text
}

/// Patterns of values that differ between runs, and their replacements.
pub(crate) fn filters() -> Vec<(&'static str, &'static str)> {
    vec![
        (r"127\.0\.0\.1:\d+", "127.0.0.1:[port]"),
        (r"localhost:\d+", "localhost:[port]"),
        (r"(?:[0-9A-F]{2}:){31}[0-9A-F]{2}", "[thumbprint]"),
        (r"\(os error \d+\)", "(os error [n])"),
        (r"verification time \d+", "verification time [now]"),
        (r"\d+ seconds ago", "[n] seconds ago"),
        (r"\(\d+ seconds in future\)", "([n] seconds in future)"),
    ]
}

/// Compares a text with the snapshot of the test.
macro_rules! assert_text {
    ($text:expr) => {
        insta::with_settings!({filters => $crate::support::filters()}, {
            insta::assert_snapshot!($text)
        })
    };
}
pub(crate) use assert_text;

/// Compares the report of an error with the snapshot of the test.
macro_rules! assert_report {
    ($error:expr) => {
        $crate::support::assert_text!($crate::support::report(&$error))
    };
}
pub(crate) use assert_report;
