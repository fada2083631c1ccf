//! Tests of the diagnosis of connections with real handshakes.

use netmgr_transport::{ErrorKind, Handshake, Probe};
use netmgr_types::TlsSettings;

use crate::support::{Authority, Certified, connection, manager, named, trusting};

/// The handshake with a server that shows `shown`.
async fn handshake(shown: &Certified, tls: TlsSettings) -> Handshake {
    let port = manager(shown, None).await;
    let probe = Probe::try_new(&connection("https", "127.0.0.1", port, tls)).unwrap();
    assert_eq!((probe.target(), probe.proxy()), (("127.0.0.1", port), None));
    assert!(probe.is_encrypted());
    let addresses = probe.resolve().await.unwrap();
    assert_eq!(addresses.len(), 1);
    probe.handshake(probe.connect(addresses[0]).await.unwrap()).await
}

#[tokio::test]
async fn a_trusted_chain_is_described() {
    let authority = Authority::new("Lab CA");
    let Handshake {
        chain,
        version,
        verified,
        outcome,
        ..
    } = handshake(&authority.server(), trusting(&authority)).await;
    outcome.unwrap();
    assert!(verified);
    assert_eq!(version.as_deref(), Some("TLSv1_3"));
    let [certificate] = &chain[..] else {
        panic!("{chain:?}");
    };
    assert_eq!(certificate.subject, "CN=manager");
    assert_eq!(certificate.issuer, "CN=Lab CA");
    assert_eq!(certificate.names, ["127.0.0.1", "localhost"]);
    assert!(certificate.not_before < certificate.not_after);
    assert_eq!(certificate.sha256.split(':').count(), 32);
}

#[tokio::test]
async fn a_refused_chain_is_described_with_the_reason() {
    let authority = Authority::new("Lab CA");
    let refused = handshake(&authority.server(), TlsSettings::default()).await;
    assert_eq!(refused.chain[0].issuer, "CN=Lab CA");
    assert!(!refused.verified);
    let error = refused.outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tls);
    let text = error.to_string();
    assert!(text.contains("is signed by an unknown authority"), "{text}");
    let other = authority.issue(named("other", &["other.example.com"]));
    let text = handshake(&other, trusting(&authority)).await.outcome.unwrap_err();
    assert!(text.to_string().contains("is not for 127.0.0.1"), "{text}");
}

#[tokio::test]
async fn a_chain_that_is_not_verified_is_marked() {
    let tls = TlsSettings::default().allow_unverified(true);
    let accepted = handshake(&Authority::new("Lab CA").server(), tls).await;
    accepted.outcome.unwrap();
    assert!(!accepted.verified);
    assert_eq!(accepted.chain.len(), 1);
}
