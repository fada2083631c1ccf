//! Tests of trust, names, dates and client certificates with real handshakes.

use std::io::Write as _;

use netmgr_transport::{Client, ErrorKind};
use netmgr_types::{ClientIdentity, Pem, TlsSettings};

use crate::support::{
    Authority, Certified, assert_report, connection, get, get_https, https, manager, named, self_signed,
    server_config, text, trusting, version,
};

fn unverified() -> TlsSettings {
    TlsSettings::default().allow_unverified(true)
}

fn file_with(content: &str) -> (tempfile::NamedTempFile, Pem) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(content.as_bytes()).unwrap();
    let pem = Pem::file("caFile", file.path());
    (file, pem)
}

fn identity(certified: &Certified) -> ClientIdentity {
    ClientIdentity::new(
        text("clientAuthCert", &certified.certificate),
        text("clientAuthKey", &certified.key),
    )
}

#[tokio::test]
async fn an_authority_given_as_text_is_trusted() {
    let authority = Authority::new("Lab CA");
    let port = manager(&authority.server(), None).await;
    assert!(get_https(port, trusting(&authority)).await.is_ok());
}

#[tokio::test]
async fn an_authority_given_as_file_is_trusted() {
    let authority = Authority::new("Lab CA");
    let port = manager(&authority.server(), None).await;
    let (_file, pem) = file_with(&authority.certificate);
    let tls = TlsSettings::default().ca(pem);
    assert!(get_https(port, tls).await.is_ok());
}

#[tokio::test]
async fn several_authorities_in_one_text_are_all_trusted() {
    let (first, second) = (Authority::new("First CA"), Authority::new("Second CA"));
    let both = format!("{}\n{}", first.certificate, second.certificate);
    for authority in [&first, &second] {
        let port = manager(&authority.server(), None).await;
        let tls = TlsSettings::default().ca(text("ca", &both));
        assert!(get_https(port, tls).await.is_ok());
    }
}

#[tokio::test]
async fn a_self_signed_manager_is_trusted_by_its_own_certificate() {
    let plain = named("manager", &["127.0.0.1"]);
    let mut authority_of_its_own = plain.clone();
    authority_of_its_own.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    for params in [plain, authority_of_its_own] {
        let shown = self_signed(params);
        let port = manager(&shown, None).await;
        let tls = TlsSettings::default().ca(text("ca", &shown.certificate));
        assert!(get_https(port, tls).await.is_ok());
    }
}

#[tokio::test]
async fn an_own_certificate_still_has_to_name_the_host() {
    let shown = self_signed(named("manager", &["mgr.example.com"]));
    let port = manager(&shown, None).await;
    let tls = TlsSettings::default().ca(text("ca", &shown.certificate));
    let error = get_https(port, tls).await.unwrap_err();
    assert!(error.to_string().contains("is not for 127.0.0.1"), "{error}");
}

#[tokio::test]
async fn an_unknown_authority_is_refused_with_what_was_seen() {
    let port = manager(&Authority::new("Lab CA").server(), None).await;
    let error = get_https(port, trusting(&Authority::new("Other CA")))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tls);
    assert_report!(error);
}

#[tokio::test]
async fn a_wrong_host_name_is_refused_with_the_names_seen() {
    let authority = Authority::new("Lab CA");
    let shown = authority.issue(named("manager", &["mgr.example.com", "192.0.2.1", "2001:db8::1"]));
    let port = manager(&shown, None).await;
    let error = get(connection("https", "localhost", port, trusting(&authority)))
        .await
        .unwrap_err();
    assert_report!(error);
}

#[tokio::test]
async fn an_expired_certificate_is_refused_with_its_dates() {
    let authority = Authority::new("Lab CA");
    let mut params = named("manager", &["127.0.0.1"]);
    params.not_before = rcgen::date_time_ymd(2020, 1, 1);
    params.not_after = rcgen::date_time_ymd(2021, 1, 1);
    let port = manager(&authority.issue(params), None).await;
    let error = get_https(port, trusting(&authority)).await.unwrap_err();
    assert_report!(error);
}

#[tokio::test]
async fn anything_is_accepted_when_verification_is_off() {
    let mut params = named("manager", &["mgr.example.com"]);
    params.not_after = rcgen::date_time_ymd(2021, 1, 1);
    let port = manager(&self_signed(params), None).await;
    assert!(get_https(port, unverified()).await.is_ok());
}

#[tokio::test]
async fn a_tls_failure_is_not_repeated() {
    let port = manager(&Authority::new("Lab CA").server(), None).await;
    let mut connection = connection("https", "127.0.0.1", port, TlsSettings::default());
    connection.retry.max_retries = 4;
    let error = get(connection).await.unwrap_err();
    assert_eq!(error.failure().attempts, 1);
}

#[tokio::test]
async fn a_client_certificate_is_shown_when_it_is_asked_for() {
    let authority = Authority::new("Lab CA");
    let port = manager(&authority.server(), Some(&authority)).await;
    let tls = trusting(&authority).identity(identity(&authority.issue(named("reader", &[]))));
    assert!(get_https(port, tls).await.is_ok());
}

#[tokio::test]
async fn a_missing_client_certificate_is_reported() {
    let authority = Authority::new("Lab CA");
    let port = manager(&authority.server(), Some(&authority)).await;
    let error = get_https(port, trusting(&authority)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tls, "{}", crate::support::report(&error));
    assert_report!(error);
}

#[tokio::test]
async fn a_missing_client_certificate_is_reported_over_http_1_1_too() {
    let authority = Authority::new("Lab CA");
    let config = server_config(&authority.server(), Some(&authority), &["http/1.1"]);
    let error = get_https(https(config, version).await, trusting(&authority))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tls, "{}", crate::support::report(&error));
}

#[tokio::test]
async fn a_client_certificate_that_is_refused_is_reported() {
    let authority = Authority::new("Lab CA");
    let port = manager(&authority.server(), Some(&authority)).await;
    let tls =
        trusting(&authority).identity(identity(&Authority::new("Other CA").issue(named("reader", &[]))));
    let error = get_https(port, tls).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tls, "{}", crate::support::report(&error));
    assert_report!(error);
}

#[test]
fn a_key_of_another_certificate_is_refused_before_anything_is_sent() {
    let authority = Authority::new("Lab CA");
    let mut mixed = authority.issue(named("reader", &[]));
    mixed.key = authority.issue(named("reader", &[])).key;
    let tls = TlsSettings::default().identity(identity(&mixed));
    let built = Client::builder(connection("https", "127.0.0.1", 1, tls)).build();
    let error = built.err().unwrap();
    assert_report!(error);
}

#[test]
fn a_ca_file_that_is_not_pem_is_refused_by_property_and_path() {
    let (_file, pem) = file_with("not a certificate");
    let tls = TlsSettings::default().ca(pem);
    let error = Client::builder(connection("https", "127.0.0.1", 1, tls))
        .build()
        .err()
        .unwrap();
    let message = error.to_string();
    assert!(message.starts_with("`caFile`: "), "{message}");
    assert!(message.contains("is not PEM"), "{message}");
}

#[tokio::test]
async fn http_2_is_spoken_where_it_is_offered() {
    let authority = Authority::new("Lab CA");
    let port = manager(&authority.server(), None).await;
    let reply = get_https(port, trusting(&authority)).await.unwrap();
    assert_eq!(reply.body, "HTTP/2.0");
}

#[tokio::test]
async fn http_1_1_is_spoken_otherwise() {
    let authority = Authority::new("Lab CA");
    for alpn in [&["http/1.1"][..], &[]] {
        let port = https(server_config(&authority.server(), None, alpn), version).await;
        let reply = get_https(port, trusting(&authority)).await.unwrap();
        assert_eq!(reply.body, "HTTP/1.1");
    }
}

#[tokio::test]
async fn a_port_without_tls_is_named_as_such() {
    let port = crate::connections::raw(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").await;
    let error = get_https(port, TlsSettings::default()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tls, "{}", crate::support::report(&error));
    assert_report!(error);
}
