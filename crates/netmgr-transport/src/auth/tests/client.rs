//! The layer where it stands: in the stack that the builder composes.

use netmgr_types::{CloudGrant, CloudHeaders, CloudLogin, Secret};

use super::*;
use crate::testing::login;
use crate::{Client, Get};

fn client(peer: &Peer, credentials: Credentials) -> Client {
    let mut connection = Connection {
        credentials,
        ..connection()
    };
    connection.host.prefix = "/prefix".to_owned();
    Client::builder(connection).leaf(peer.stack()).build().unwrap()
}

fn get() -> Get {
    Get::new("/api/v1/pools/ip-pools").query("cursor", "1")
}

fn created() -> Response<Bytes> {
    let mut created = reply(200, "");
    created
        .headers_mut()
        .append("set-cookie", "JSESSIONID=s1; Path=/".parse().unwrap());
    created
}

#[tokio::test(start_paused = true)]
async fn a_cold_request_costs_two_with_a_session_and_one_without() {
    let peer = Peer::new(|_| Ok(created()));
    client(&peer, Credentials::Session(login()))
        .get(&get())
        .await
        .unwrap();
    let uris: Vec<_> = peer.arrived().into_iter().map(|arrived| arrived.uri).collect();
    let read = "https://manager.example/prefix/api/v1/pools/ip-pools?cursor=1";
    assert_eq!(uris, ["https://manager.example/prefix/api/session/create", read]);

    for credentials in [Credentials::Header(login()), Credentials::Certificate] {
        let peer = Peer::new(|_| Ok(reply(200, "{}")));
        client(&peer, credentials).get(&get()).await.unwrap();
        let uris: Vec<_> = peer.arrived().into_iter().map(|arrived| arrived.uri).collect();
        assert_eq!(uris, [read]);
    }
}

#[tokio::test(start_paused = true)]
async fn the_token_exchange_keeps_its_own_address() {
    let peer = Peer::new(|_| Ok(reply(200, r#"{"access_token":"t"}"#)));
    let credentials = Credentials::Cloud(CloudLogin {
        exchange_url: "https://console.example/authorize".to_owned(),
        grant: CloudGrant::ApiToken(Secret::new("token")),
        headers: CloudHeaders::Both,
    });
    client(&peer, credentials).get(&get()).await.unwrap();
    assert_eq!(peer.arrived()[0].uri, "https://console.example/authorize");
    assert_eq!(peer.arrived()[0].header("authorization"), None);
    assert_eq!(peer.arrived()[1].header("authorization"), Some("Bearer t"));
}

#[tokio::test(start_paused = true)]
async fn a_wrong_password_is_one_login_through_the_whole_stack() {
    for credentials in [Credentials::Session(login()), Credentials::Header(login())] {
        let peer = Peer::new(|_| Ok(error_reply(403, "403")));
        let client = client(&peer, credentials);
        let request = get();
        for answer in join_all((0..64).map(|_| client.get(&request))).await {
            assert!(matches!(answer, Err(Error::Unauthenticated(_))));
        }
        assert_eq!(peer.arrived().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_login_without_success_at_first_is_repeated_for_all_who_wait() {
    let mut logins = 0;
    let peer = Peer::new(move |arrived| {
        if !arrived.is_login() {
            return Ok(reply(200, "{}"));
        }
        logins += 1;
        Ok(if logins == 1 { reply(503, "") } else { created() })
    });
    let client = client(&peer, Credentials::Session(login()));
    let request = get();
    for answer in join_all((0..64).map(|_| client.get(&request))).await {
        answer.unwrap();
    }
    assert_eq!((peer.logins(), peer.reads()), (2, 64));
}

#[tokio::test(start_paused = true)]
async fn a_login_without_success_is_what_the_failure_names() {
    let peer = Peer::new(|_| Ok(error_reply(503, "98")));
    let client = client(&peer, Credentials::Session(login()));
    let error = client.get(&get()).await.unwrap_err();
    assert!(matches!(error, Error::Unavailable(_)));
    let failure = error.failure().unwrap();
    let exchange = failure.exchange.as_ref().unwrap();
    assert_eq!(
        exchange.to_string(),
        "POST /prefix/api/session/create on manager.example"
    );
    assert_eq!((failure.attempts, peer.logins()), (5, 5));
}

#[tokio::test(start_paused = true)]
async fn a_role_without_access_is_told_apart_from_a_wrong_login() {
    let peer = Peer::new(|arrived| {
        Ok(if arrived.is_login() {
            created()
        } else {
            error_reply(403, "401")
        })
    });
    let client = client(&peer, Credentials::Session(login()));
    let error = client.get(&get()).await.unwrap_err();
    assert!(matches!(error, Error::PermissionDenied(_)));
    assert_eq!((peer.logins(), peer.reads()), (1, 1));
}
