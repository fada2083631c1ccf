//! The matrix of TLS failures with real handshakes: each is refused with a message that names the certificate or the
//! setting and what to do. One table, one snapshot.
//!
//! Accepted certificates are in `tls.rs`, renewals in `renewals.rs`.

use std::fmt::Write as _;
use std::sync::Arc;

use netmgr_transport::{Client, Error, ErrorKind};
use netmgr_types::{ClientIdentity, Pem, TlsSettings};
use rcgen::{BasicConstraints, CertificateParams, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::support::{
    Authority, Certified, assert_text, connection, get, get_https, https, listen, manager, named, report,
    self_signed, server_config, text, trusting, version,
};

/// A server that answers the first bytes of a connection with `reply`.
async fn answering(reply: &'static [u8]) -> u16 {
    listen(move |mut stream| async move {
        let mut hello = [0; 512];
        let _the_hello = stream.read(&mut hello).await;
        let _what_the_client_reads = stream.write_all(reply).await;
        // Until the client closes it.
        let _the_end = stream.read(&mut hello).await;
    })
    .await
}

/// A fatal alert in the record of TLS 1.0.
const PROTOCOL_VERSION: &[u8] = &[21, 3, 1, 0, 2, 2, 70];
const HANDSHAKE_FAILURE: &[u8] = &[21, 3, 3, 0, 2, 2, 40];
const UNRECOGNIZED_NAME: &[u8] = &[21, 3, 3, 0, 2, 2, 112];

/// A ServerHello of an old version: a random of zeros, no session, AES-128-CBC with SHA-1, no compression.
fn server_hello(minor: u8) -> &'static [u8] {
    let mut hello = vec![22, 3, minor, 0, 42, 2, 0, 0, 38, 3, minor];
    hello.extend([0; 32]);
    hello.extend([0, 0, 0x2f, 0]);
    hello.leak()
}

/// A certificate that an intermediate authority issued, and the certificate of that authority.
fn below_intermediate(root: &Authority) -> (Certified, String) {
    let mut params = CertificateParams::default();
    params
        .distinguished_name
        .push(rcgen::DnType::CommonName, "Intermediate CA");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let certificate = root.sign(&params, &key);
    let issuer = Issuer::new(params, key);
    let key = KeyPair::generate().unwrap();
    let leaf = named("manager", &["127.0.0.1"]).signed_by(&key, &issuer).unwrap();
    let leaf = Certified {
        certificate: leaf.pem(),
        key: key.serialize_pem(),
    };
    (leaf, certificate)
}

async fn refused(port: u16, tls: TlsSettings) -> Error {
    get_https(port, tls).await.expect_err("the connection is refused")
}

/// The certificate of a manager with a change, signed by `authority`.
async fn changed(authority: &Authority, change: impl FnOnce(&mut CertificateParams)) -> u16 {
    let mut params = named("manager", &["127.0.0.1"]);
    change(&mut params);
    manager(&authority.issue(params), None).await
}

/// The matrix as text.
struct Matrix(String);

impl Matrix {
    #[track_caller]
    fn add(&mut self, case: &str, kind: ErrorKind, error: &Error) {
        let report = report(error);
        assert_eq!(error.kind(), kind, "{case}: {report}");
        // The message includes a remedy. For invalid settings, it names the setting instead.
        assert!(
            kind == ErrorKind::Config || error.failure().hint.is_some(),
            "{report}"
        );
        writeln!(self.0, "{case}\n  {}\n", report.replace('\n', "\n  ")).unwrap();
    }
}

#[tokio::test]
async fn a_server_that_is_not_to_be_trusted_is_refused_with_a_reason_and_a_remedy() {
    let authority = Authority::new("Lab CA");
    let trusting = || trusting(&authority);
    let mut matrix = Matrix(String::new());
    let mut refuse = |case: &str, error: Error| matrix.add(case, ErrorKind::Tls, &error);

    let port = manager(&authority.issue(named("manager", &["mgr.example.com"])), None).await;
    refuse("wrong host", refused(port, trusting()).await);
    let port = manager(&authority.issue(named("manager", &[])), None).await;
    refuse("no names at all", refused(port, trusting()).await);
    let port = changed(&authority, |params| {
        params.not_after = rcgen::date_time_ymd(2021, 1, 1)
    })
    .await;
    refuse("expired", refused(port, trusting()).await);
    let port = changed(&authority, |params| {
        params.not_before = rcgen::date_time_ymd(2090, 1, 1)
    })
    .await;
    refuse("not yet valid", refused(port, trusting()).await);
    let port = changed(&authority, |params| {
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    })
    .await;
    refuse("a certificate for clients", refused(port, trusting()).await);

    let port = manager(&Authority::new("Other CA").server(), None).await;
    refuse("unknown authority", refused(port, trusting()).await);
    refuse(
        "unknown authority, nothing configured",
        refused(port, TlsSettings::default()).await,
    );
    let impostor = Authority::new("Lab CA");
    let port = manager(&impostor.server(), None).await;
    refuse(
        "another authority of the same name",
        refused(port, trusting()).await,
    );
    let port = manager(&self_signed(named("manager", &["127.0.0.1"])), None).await;
    refuse("self-signed", refused(port, trusting()).await);

    let (leaf, intermediate) = below_intermediate(&authority);
    let port = manager(&leaf, None).await;
    refuse("missing intermediate", refused(port, trusting()).await);
    let both = format!("{}{intermediate}", authority.certificate);
    let tls = TlsSettings::default().ca(text("ca", &both));
    assert!(
        get_https(port, tls).await.is_ok(),
        "the intermediate authority can be configured"
    );

    refuse(
        "alert: protocol version",
        refused(answering(PROTOCOL_VERSION).await, trusting()).await,
    );
    refuse(
        "alert: handshake failure",
        refused(answering(HANDSHAKE_FAILURE).await, trusting()).await,
    );
    refuse(
        "alert: unrecognized name",
        refused(answering(UNRECOGNIZED_NAME).await, trusting()).await,
    );
    refuse(
        "TLS 1.0 only",
        refused(answering(server_hello(1)).await, trusting()).await,
    );
    refuse(
        "TLS 1.1 only",
        refused(answering(server_hello(2)).await, trusting()).await,
    );
    assert_text!(matrix.0);
}

#[tokio::test]
async fn tls_1_2_and_1_3_are_accepted() {
    let authority = Authority::new("Lab CA");
    for versions in [&[&rustls::version::TLS12][..], &[&rustls::version::TLS13]] {
        let shown = authority.server();
        let key = PrivateKeyDer::from_pem_slice(shown.key.as_bytes()).unwrap();
        let certificate = CertificateDer::from_pem_slice(shown.certificate.as_bytes()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(versions)
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        let port = https(Arc::new(config), version).await;
        assert!(get_https(port, trusting(&authority)).await.is_ok());
    }
}

#[tokio::test]
async fn a_client_certificate_that_is_missing_or_refused_is_named() {
    let authority = Authority::new("Lab CA");
    let mut matrix = Matrix(String::new());
    let mut expired = named("reader", &[]);
    expired.not_after = rcgen::date_time_ymd(2021, 1, 1);
    let cases = [
        ("missing", None),
        (
            "of another authority",
            Some(Authority::new("Other CA").issue(named("reader", &[]))),
        ),
        ("expired", Some(authority.issue(expired))),
        ("self-signed", Some(self_signed(named("reader", &[])))),
    ];
    for (case, certified) in &cases {
        for alpn in [&["h2", "http/1.1"][..], &["http/1.1"]] {
            let port = https(
                server_config(&authority.server(), Some(&authority), alpn),
                version,
            )
            .await;
            let mut tls = trusting(&authority);
            tls.identity = certified.as_ref().map(|certified| {
                let certificate = text("clientAuthCert", &certified.certificate);
                ClientIdentity::new(certificate, text("clientAuthKey", &certified.key))
            });
            let error = get(connection("https", "127.0.0.1", port, tls))
                .await
                .unwrap_err();
            matrix.add(&format!("{case}, {}", alpn[0]), ErrorKind::Tls, &error);
        }
    }
    assert_text!(matrix.0);
}

/// Invalid PEM texts, each with one defect.
fn wrong_texts(good: &Certified) -> Vec<(&'static str, String)> {
    let broken = |pem: &str| pem.replacen("MI", "M?", 1);
    vec![
        ("empty", " \n".to_owned()),
        ("no PEM", "MIIB".to_owned()),
        ("cut off", good.certificate[..good.certificate.len() / 2].to_owned()),
        ("broken certificate", broken(&good.certificate)),
        ("broken key", broken(&good.key)),
        ("a certificate", good.certificate.clone()),
        ("a key", good.key.clone()),
        ("a certificate that is none", block("CERTIFICATE", "AAAA")),
        ("a key that is none", block("PRIVATE KEY", "AAAA")),
        ("an encrypted key", block("ENCRYPTED PRIVATE KEY", "AAAA")),
        (
            "an encrypted key, old form",
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n".to_owned(),
        ),
        ("a public key", block("PUBLIC KEY", "AAAA")),
    ]
}

fn block(name: &str, content: &str) -> String {
    format!("-----BEGIN {name}-----\n{content}\n-----END {name}-----\n")
}

/// TLS settings with `pem` in its property, and valid values in the others.
fn settings(pem: Pem, good: &Certified) -> TlsSettings {
    let certificate = || text("clientAuthCert", &good.certificate);
    let key = || text("clientAuthKey", &good.key);
    match pem.property {
        "ca" | "caFile" => TlsSettings::default().ca(pem),
        "clientAuthCert" | "clientAuthCertFile" => {
            TlsSettings::default().identity(ClientIdentity::new(pem, key()))
        }
        _ => TlsSettings::default().identity(ClientIdentity::new(certificate(), pem)),
    }
}

#[test]
fn bad_pem_is_refused_by_property_before_anything_is_sent() {
    const PROPERTIES: [&str; 6] = [
        "ca",
        "caFile",
        "clientAuthCert",
        "clientAuthCertFile",
        "clientAuthKey",
        "clientAuthKeyFile",
    ];
    let authority = Authority::new("Lab CA");
    let good = authority.issue(named("reader", &[]));
    let folder = tempfile::tempdir().unwrap();
    let mut matrix = Matrix(String::new());
    for property in PROPERTIES {
        let mut cases: Vec<(String, Pem)> = Vec::new();
        for (case, wrong) in wrong_texts(&good) {
            // A certificate is right in properties of certificates, and a key is right in others.
            let is_key = property.starts_with("clientAuthKey");
            if (case == "a certificate" && !is_key) || (case == "a key" && is_key) {
                continue;
            }
            let pem = match property.ends_with("File") {
                true => {
                    let path = folder.path().join("wrong.pem");
                    let path = path.with_file_name(format!("{}-{property}.pem", case.replace(' ', "-")));
                    std::fs::write(&path, &wrong).unwrap();
                    Pem::file(property, path)
                }
                false => text(property, &wrong),
            };
            cases.push((case.to_owned(), pem));
        }
        if property.ends_with("File") {
            cases.push((
                "no file".to_owned(),
                Pem::file(property, folder.path().join("none.pem")),
            ));
            cases.push(("a folder".to_owned(), Pem::file(property, folder.path())));
        }
        for (case, pem) in cases {
            let built = Client::builder(connection("https", "127.0.0.1", 1, settings(pem, &good))).build();
            let Err(error) = built else {
                panic!("{property}: {case} is accepted");
            };
            let message = error.to_string();
            assert!(message.starts_with(&format!("`{property}`: ")), "{message}");
            matrix.add(&format!("{property}: {case}"), ErrorKind::Config, &error);
        }
    }
    let mut mixed = authority.issue(named("reader", &[]));
    mixed.certificate = good.certificate.clone();
    let error = Client::builder(connection(
        "https",
        "127.0.0.1",
        1,
        settings(text("clientAuthKey", &mixed.key), &good),
    ))
    .build()
    .err()
    .unwrap();
    matrix.add("clientAuthKey: of another certificate", ErrorKind::Config, &error);
    let folder = folder.path().to_str().unwrap().to_owned();
    assert_text!(matrix.0.replace(&folder, "[folder]"));
}
