use netmgr_types::{CloudGrant, CloudHeaders, CloudLogin, Secret};
use tokio::time::advance;

use super::*;
use crate::known_secrets::KnownSecrets;

const EXCHANGE: &str = "https://console.example/csp/authorize";

fn cloud(headers: CloudHeaders) -> Credentials {
    Credentials::Cloud(
        CloudLogin::new(EXCHANGE, CloudGrant::ApiToken(Secret::new("long+token/="))).headers(headers),
    )
}

fn granted(token: usize, expires_in: &str) -> Response<Bytes> {
    reply(
        200,
        format!(
            r#"{{"id_token":"i","token_type":"bearer","expires_in":{expires_in},"scope":"a b",
                "access_token":"t{token}","refresh_token":"long+token/="}}"#
        ),
    )
}

/// Issues `t1`, `t2` and so on, and accepts all of them.
fn granting(expires_in: &'static str) -> Peer {
    let mut logins = 0;
    Peer::new(move |arrived| {
        if arrived.is_login() {
            logins += 1;
            return Ok(granted(logins, expires_in));
        }
        Ok(reply(200, "{}"))
    })
}

fn bearer(peer: &Peer) -> Option<String> {
    peer.arrived().last()?.header("authorization").map(str::to_owned)
}

#[tokio::test(start_paused = true)]
async fn a_token_is_exchanged_and_its_access_token_goes_with_each_request() {
    for (headers, own) in [(CloudHeaders::Both, Some("t1")), (CloudHeaders::Bearer, None)] {
        let peer = granting("1799");
        let answers = read_64(&peer.auth(cloud(headers))).await;
        assert!(answers.iter().all(Result::is_ok));
        assert_eq!((peer.logins(), peer.reads()), (1, 64));
        let arrived = peer.arrived();
        assert_eq!(arrived[0].uri, EXCHANGE);
        assert_eq!(arrived[0].body, "refresh_token=long%2Btoken%2F%3D");
        assert_eq!(arrived[0].header("authorization"), None);
        assert_eq!(
            arrived[0].header("content-type"),
            Some("application/x-www-form-urlencoded")
        );
        for read in &arrived[1..] {
            assert_eq!(read.header("authorization"), Some("Bearer t1"));
            assert_eq!(read.header("csp-auth-token"), own);
            assert!(read.headers.iter().all(|(_, value)| value.is_sensitive()));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_app_identifies_itself_to_the_exchange() {
    let peer = granting("1799");
    let auth = peer.auth(Credentials::Cloud(CloudLogin::new(
        EXCHANGE,
        CloudGrant::App {
            id: "app".to_owned(),
            secret: Secret::new("key"),
        },
    )));
    read(&auth).await.unwrap();
    assert_eq!(
        peer.arrived()[0].header("authorization"),
        Some("Basic YXBwOmtleQ==")
    );
    assert_eq!(peer.arrived()[0].body, "grant_type=client_credentials");
    assert_eq!(bearer(&peer).as_deref(), Some("Bearer t1"));
}

#[tokio::test(start_paused = true)]
async fn an_access_token_is_renewed_before_it_expires() {
    // Renewed a tenth of the lifetime earlier, at least 30 s, at most half of it.
    for (expires_in, renewed_after) in [("1800", 1620), ("\"100\"", 70), ("40", 20)] {
        let peer = granting(expires_in);
        let auth = peer.auth(cloud(CloudHeaders::Both));
        read(&auth).await.unwrap();
        advance(Duration::from_secs(renewed_after) - 3 * LATENCY).await;
        read(&auth).await.unwrap();
        assert_eq!(peer.logins(), 1, "{expires_in}");
        advance(3 * LATENCY).await;
        let answers = read_64(&auth).await;
        assert!(answers.iter().all(Result::is_ok));
        assert_eq!(peer.logins(), 2, "{expires_in}");
        assert_eq!(bearer(&peer).as_deref(), Some("Bearer t2"));
    }
}

#[tokio::test(start_paused = true)]
async fn an_access_token_without_a_life_is_used_until_it_is_refused() {
    for expires_in in ["null", "0", "-1", "\"soon\""] {
        let peer = granting(expires_in);
        let auth = peer.auth(cloud(CloudHeaders::Both));
        read(&auth).await.unwrap();
        advance(Duration::from_secs(1_000_000)).await;
        read(&auth).await.unwrap();
        assert_eq!(peer.logins(), 1, "{expires_in}");
    }
}

#[tokio::test(start_paused = true)]
async fn while_a_token_lasts_a_failed_renewal_goes_unnoticed() {
    let mut logins = 0;
    let peer = Peer::new(move |arrived| {
        if !arrived.is_login() {
            return Ok(reply(200, "{}"));
        }
        logins += 1;
        Ok(if logins == 1 {
            granted(1, "1800")
        } else {
            reply(503, "busy")
        })
    });
    let auth = peer.auth(cloud(CloudHeaders::Both));
    read(&auth).await.unwrap();
    advance(Duration::from_secs(1700)).await;
    for _ in 0..3 {
        assert_eq!(read(&auth).await.unwrap().status(), 200);
    }
    assert_eq!(peer.logins(), 2, "not with each request");
    advance(Duration::from_secs(5)).await;
    assert_eq!(read(&auth).await.unwrap().status(), 200);
    assert_eq!(peer.logins(), 3);
    advance(Duration::from_secs(100)).await;
    assert_eq!(read(&auth).await.unwrap().status(), 503);
}

#[tokio::test(start_paused = true)]
async fn a_token_that_lasts_stays_in_use_when_its_early_renewal_is_refused() {
    for status in [400, 401, 403] {
        let mut logins = 0;
        let peer = Peer::new(move |arrived| {
            if !arrived.is_login() {
                return Ok(reply(200, "{}"));
            }
            logins += 1;
            Ok(if logins == 1 {
                granted(1, "1800")
            } else {
                reply(status, r#"{"message":"invalid_grant"}"#)
            })
        });
        let auth = peer.auth(cloud(CloudHeaders::Both));
        read(&auth).await.unwrap();
        advance(Duration::from_secs(1700)).await;
        for seconds in [0, 5, 90, 4] {
            advance(Duration::from_secs(seconds)).await;
            for answer in read_64(&auth).await {
                assert_eq!(answer.unwrap().status(), 200);
            }
            assert_eq!(bearer(&peer).as_deref(), Some("Bearer t1"));
        }
        advance(Duration::from_secs(1)).await;
        unauthenticated(read(&auth).await);
        let logins = peer.logins();
        unauthenticated(read(&auth).await);
        assert_eq!(peer.logins(), logins, "the refusal counts now");
    }
}

#[tokio::test(start_paused = true)]
async fn a_refused_access_token_is_exchanged_once_more() {
    for (status, code) in [(401, "0"), (403, "403"), (403, "98")] {
        let mut logins = 0;
        let peer = Peer::new(move |arrived| {
            if arrived.is_login() {
                logins += 1;
                return Ok(granted(logins, "1799"));
            }
            let old = arrived.header("authorization") == Some("Bearer t1");
            Ok(if old {
                error_reply(status, code)
            } else {
                reply(200, "{}")
            })
        });
        let answers = read_64(&peer.auth(cloud(CloudHeaders::Both))).await;
        assert!(
            answers
                .iter()
                .all(|answer| answer.as_ref().unwrap().status() == 200)
        );
        assert_eq!((peer.logins(), peer.reads()), (2, 128));
    }
}

#[tokio::test(start_paused = true)]
async fn an_invalid_token_is_exchanged_once_and_the_reason_is_shown_without_it() {
    let peer = Peer::new(|_| {
        Ok(reply(
            400,
            r#"{"moduleCode":340,"message":"invalid_grant: Invalid refresh token: long+token/="}"#,
        ))
    });
    let auth = peer.auth(cloud(CloudHeaders::Both));
    let secrets = KnownSecrets::of(&connection().credentials(cloud(CloudHeaders::Both)));
    for answer in read_64(&auth).await {
        assert_eq!(
            unauthenticated(answer.map_err(|error| error.sanitized(&secrets.all()))),
            "the manager rejected the login: POST /csp/authorize on console.example returned 400 \
             Bad Request: invalid_grant: Invalid refresh token: [redacted] (moduleCode 340); check \
             `cloudToken`; it may have expired"
        );
    }
    unauthenticated(read(&auth).await);
    assert_eq!((peer.logins(), peer.reads()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn an_answer_without_a_usable_token_is_an_error_that_does_not_show_it() {
    for body in [
        r#"{"access_token":"short-token""#,
        r#"{"access_token":["short-token"]}"#,
        r#"{"access_token":""}"#,
        r#"{"access_token":"short-token\n"}"#,
        "short-token",
        "{}",
    ] {
        let peer = Peer::new(move |_| Ok(reply(200, body)));
        let error = read(&peer.auth(cloud(CloudHeaders::Both))).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadReply);
        assert!(!format!("{error} {error:?}").contains("short-token"), "{error:?}");
        assert_eq!(peer.reads(), 0);
    }
}

#[test]
fn an_exchange_address_without_a_host_is_refused() {
    for address in ["console.example/path", "not a url", "/path"] {
        let connection = connection().credentials(Credentials::Cloud(CloudLogin::new(
            address,
            CloudGrant::ApiToken(Secret::new("token")),
        )));
        let error = SharedLogin::try_new(&connection, Duration::from_secs(60), None)
            .err()
            .unwrap();
        assert_eq!(error.kind(), ErrorKind::Config, "{address}");
        assert_eq!(error.failure().property, Some("cloudAuthHost"), "{address}");
    }
}
