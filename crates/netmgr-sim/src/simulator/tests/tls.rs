//! Handshakes: trust, host names, validity, client certificates, protocol.

use super::*;

fn handshake_failed(result: reqwest::Result<Response>) -> bool {
    result.is_err_and(|error| error.is_connect() || error.is_request())
}

#[tokio::test]
async fn https_speaks_http2_and_http1_under_every_name_of_the_certificate() {
    let pair = Pair::start(echo().tls(ServerCertificate::Valid)).await;
    assert_eq!(pair.basic(VERSION).await.version(), http::Version::HTTP_2);
    let certificate = reqwest::Certificate::from_pem(pair.simulator.ca_pem().unwrap().as_bytes()).unwrap();
    let old = client()
        .http1_only()
        .tls_certs_merge([certificate])
        .build()
        .unwrap();
    let url = format!("https://localhost:{}{VERSION}", pair.simulator.addr().port());
    let response = old
        .get(url)
        .basic_auth(DEFAULT_USERNAME, Some(DEFAULT_PASSWORD))
        .send()
        .await
        .unwrap();
    assert_eq!(
        (response.status().as_u16(), response.version()),
        (200, http::Version::HTTP_11)
    );
    assert_eq!(pair.simulator.counters().tls_handshakes, 2);
}

#[tokio::test]
async fn http2_can_be_left_out() {
    let pair = Pair::start(echo().tls(ServerCertificate::Valid).http1_only()).await;
    assert_eq!(pair.basic(VERSION).await.version(), http::Version::HTTP_11);
    assert_eq!(pair.simulator.requests()[0].version, http::Version::HTTP_11);
}

#[tokio::test]
async fn an_authority_that_is_not_trusted_fails_the_handshake() {
    let simulator = echo().tls(ServerCertificate::Valid).start().await.unwrap();
    assert!(handshake_failed(
        client().build().unwrap().get(simulator.url()).send().await
    ));
    assert_eq!(simulator.counters().tls_handshakes, 0);
}

#[tokio::test]
async fn certificates_over_or_for_another_host_fail_the_handshake() {
    for (kind, reason) in [
        (ServerCertificate::Expired, "Expired"),
        (ServerCertificate::WrongHost, "NotValidForName"),
    ] {
        let pair = Pair::start(echo().tls(kind)).await;
        let error = pair.get(VERSION).send().await.unwrap_err();
        assert!(format!("{error:?}").contains(reason), "{error:?}");
    }
}

#[tokio::test]
async fn a_registered_client_certificate_is_a_principal() {
    let builder = echo()
        .tls(ServerCertificate::Valid)
        .client_certificates(ClientCertificates::Required)
        .principal_identity("reader")
        .unregistered_identity("stranger");
    let pair = Pair::start(builder).await;
    let read = async |name: Option<&str>| {
        let ca = reqwest::Certificate::from_pem(pair.simulator.ca_pem().unwrap().as_bytes()).unwrap();
        let mut client = client().tls_certs_merge([ca]);
        if let Some(name) = name {
            let identity = pair.simulator.client_identity(name).unwrap();
            let pem = format!("{}{}", identity.certificate_pem, identity.key_pem);
            client = client.identity(reqwest::Identity::from_pem(pem.as_bytes()).unwrap());
        }
        client
            .build()
            .unwrap()
            .get(format!("{}{VERSION}", pair.simulator.url()))
            .send()
            .await
    };
    assert_eq!(read(Some("reader")).await.unwrap().status(), 200);
    assert_eq!(
        refusal(read(Some("stranger")).await.unwrap()).await,
        (500, json!(99))
    );
    assert!(handshake_failed(read(None).await));
    assert_eq!(pair.simulator.counters().failed_tls_handshakes, 1);
}

#[tokio::test]
async fn an_optional_client_certificate_may_be_left_out() {
    let builder = echo()
        .tls(ServerCertificate::Valid)
        .client_certificates(ClientCertificates::Optional);
    let pair = Pair::start(builder.principal_identity("reader")).await;
    assert_eq!(pair.basic(VERSION).await.status(), 200);
    assert_eq!(pair.get(VERSION).send().await.unwrap().status(), 403);
}

#[tokio::test]
async fn the_manager_learns_where_it_is_reached_and_under_which_thumbprint() {
    let any = echo().listen("0.0.0.0:0".parse().unwrap());
    let simulator = any.tls(ServerCertificate::Valid).start().await.unwrap();
    let (address, thumbprint) = simulator.manager().reachable_at.get().unwrap();
    assert_eq!(address.to_string(), simulator.host());
    assert!(address.ip().is_loopback());
    assert_eq!(thumbprint.as_ref().unwrap().len(), 64);
}
