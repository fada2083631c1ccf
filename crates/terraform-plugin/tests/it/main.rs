//! The example provider as a process, without a host: who can connect, and which files remain.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![cfg(unix)]

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use rustls::crypto::ring::default_provider;
use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};
use tokio_rustls::TlsConnector;

/// A provider that waits for its host.
struct Started {
    process: Child,
    socket: PathBuf,
    certificate: CertificateDer<'static>,
}

async fn start(host: &str) -> Started {
    start_command(Command::new(program()), host).await
}

/// The example, which cargo builds along with the tests.
fn program() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    tests
        .ancestors()
        .nth(2)
        .unwrap()
        .join("examples/terraform-provider-example")
}

async fn start_command(mut command: Command, host: &str) -> Started {
    let mut process = command
        .env(
            "TF_PLUGIN_MAGIC_COOKIE",
            "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
        )
        .env("PLUGIN_PROTOCOL_VERSIONS", "6,5")
        .env("PLUGIN_CLIENT_CERT", host)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap().unwrap();
    let ["1", "6", "unix", socket, "grpc", certificate] = line.split('|').collect::<Vec<_>>()[..] else {
        panic!("{line}")
    };
    Started {
        process,
        socket: socket.into(),
        certificate: STANDARD_NO_PAD.decode(certificate).unwrap().into(),
    }
}

/// Connects with this certificate and key, or without any, and returns the error.
async fn refusal(started: &Started, identity: Option<&rcgen::CertifiedKey<rcgen::KeyPair>>) -> String {
    let mut roots = RootCertStore::empty();
    roots.add(started.certificate.clone()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots);
    let mut config = match identity {
        None => config.with_no_client_auth(),
        Some(identity) => {
            let key = PrivatePkcs8KeyDer::from(identity.signing_key.serialize_der());
            let chain = vec![identity.cert.der().clone()];
            config.with_client_auth_cert(chain, key.into()).unwrap()
        }
    };
    config.alpn_protocols = vec![b"h2".to_vec()];
    let stream = UnixStream::connect(&started.socket).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let connected = TlsConnector::from(Arc::new(config)).connect(name, stream).await;
    // The client receives the refusal with its first read. Before that, a write may fail with a broken pipe.
    let outcome = match connected {
        Ok(mut stream) => {
            let _ = stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await;
            stream.read_u8().await.map(drop)
        }
        Err(error) => Err(error),
    };
    outcome.expect_err("the connection is refused").to_string()
}

fn certificate() -> rcgen::CertifiedKey<rcgen::KeyPair> {
    rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap()
}

#[tokio::test]
async fn nothing_but_the_host_can_connect() {
    let (host, other) = (certificate(), certificate());
    let started = start(&host.cert.pem()).await;
    let none = refusal(&started, None).await;
    assert!(none.contains("CertificateRequired"), "{none}");
    let stranger = refusal(&started, Some(&other)).await;
    assert!(!stranger.is_empty());
    // The key of the right certificate is on another curve, whose signatures are not accepted.
    let curve = refusal(&started, Some(&host)).await;
    assert!(!curve.is_empty());
}

#[tokio::test]
async fn a_process_without_free_descriptors_accepts_connections_when_it_has_some() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 24 && exec \"$0\""]).arg(program());
    let mut started = start_command(command, &certificate().cert.pem()).await;
    let mut silent = Vec::new();
    for _ in 0..30 {
        silent.push(UnixStream::connect(&started.socket).await.unwrap());
    }
    // The answer to the first one comes after the attempt to accept the others.
    silent[0].write_all(b"no handshake").await.unwrap();
    let mut alert = Vec::new();
    let _unless_the_process_has_ended = silent[0].read_to_end(&mut alert).await;
    drop(silent);
    let refused = refusal(&started, None).await;
    assert!(refused.contains("CertificateRequired"), "{refused}");
    assert!(started.process.try_wait().unwrap().is_none());
}

#[tokio::test]
async fn a_process_that_is_terminated_leaves_no_socket_and_one_that_is_interrupted_goes_on() {
    let mut started = start(&certificate().cert.pem()).await;
    let id = started.process.id().unwrap().to_string();
    let signal = |name: &str| {
        let sent = std::process::Command::new("kill").args([name, &id]).status();
        assert!(sent.unwrap().success());
    };
    signal("-INT");
    // It still accepts connections.
    drop(UnixStream::connect(&started.socket).await.unwrap());
    let refused = refusal(&started, None).await;
    assert!(refused.contains("CertificateRequired"), "{refused}");
    signal("-TERM");
    let ended = tokio::time::timeout(Duration::from_secs(60), started.process.wait()).await;
    assert!(ended.unwrap().unwrap().success());
    assert!(!started.socket.exists() && !started.socket.parent().unwrap().exists());
}
