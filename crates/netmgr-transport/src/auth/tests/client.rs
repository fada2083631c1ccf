//! Tests of the layer as part of the stack.

use tokio::time::{Instant, advance};

use netmgr_types::{CloudGrant, CloudLogin, Secret};

use super::*;
use crate::testing::login;
use crate::{Client, ClientBuilder, Get};

fn client(peer: &Peer, credentials: Credentials) -> Client {
    let mut connection = connection().credentials(credentials);
    connection.host.prefix = "/prefix".to_owned();
    Client::builder(connection)
        .leaf(crate::Stack(peer.stack()))
        .build()
        .unwrap()
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
    let credentials = Credentials::Cloud(CloudLogin::new(
        "https://console.example/authorize",
        CloudGrant::ApiToken(Secret::new("token")),
    ));
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
            assert!(matches!(&answer, Err(error) if error.kind() == ErrorKind::Unauthenticated));
        }
        assert_eq!(peer.arrived().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_login_that_is_throttled_counts_as_an_attempt() {
    let peer = Peer::new(|_| Ok(error_reply(429, "102")));
    let answer = client(&peer, Credentials::Session(login())).get(&get()).await;
    assert!(
        matches!(&answer, Err(error) if error.kind() == ErrorKind::Throttled),
        "{answer:?}"
    );
    assert_eq!(peer.arrived().len(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_login_that_failed_for_a_reservation_is_the_answer_of_the_request() {
    let peer = Peer::new(|_| Ok(error_reply(404, "600")));
    let client = client(&peer, Credentials::Session(login()));
    let reservation = client.reserve().await;
    let answer = client.get(&get().reserved(reservation)).await;
    assert!(
        matches!(&answer, Err(error) if error.kind() == ErrorKind::Rejected),
        "{answer:?}"
    );
    assert_eq!(peer.arrived().len(), 1);
}

/// A manager whose first logins fail with `failures`. Requests without a session are refused.
fn logging_in_after(failures: Vec<Answer>) -> Peer {
    let mut failures = failures.into_iter();
    Peer::new(move |arrived| {
        if arrived.is_login() {
            return failures.next().unwrap_or_else(|| Ok(created()));
        }
        Ok(match arrived.header("cookie") {
            Some(_) => reply(200, "{}"),
            None => error_reply(403, "403"),
        })
    })
}

#[tokio::test(start_paused = true)]
async fn a_login_that_fails_in_passing_is_repeated_for_all_who_wait() {
    type Failing = fn() -> Answer;
    let failures: [Failing; 4] = [
        || Ok(reply(502, "<html>bad gateway</html>")),
        || Ok(error_reply(503, "901")),
        || Ok(error_reply(500, "607")),
        || Err(broken()),
    ];
    for failure in failures {
        for times in [1, 2] {
            let peer = logging_in_after((0..times).map(|_| failure()).collect());
            let client = client(&peer, Credentials::Session(login()));
            let request = get();
            for answer in join_all((0..64).map(|_| client.get(&request))).await {
                answer.unwrap();
            }
            assert_eq!((peer.logins(), peer.reads()), (times + 1, 64));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_login_whose_answers_are_lost_is_sent_four_times_in_an_outage() {
    for answer in [|| Ok(reply(502, "")), || Err(broken())] {
        let peer = logging_in_after((0..1000).map(|_| answer()).collect());
        let client = client(&peer, Credentials::Session(login()));
        let request = get();
        for answer in join_all((0..64).map(|_| client.get(&request))).await {
            let error = answer.unwrap_err();
            assert!(matches!(
                error.kind(),
                ErrorKind::Unavailable | ErrorKind::Connect
            ));
        }
        assert_eq!(peer.logins(), 4);
    }
}

#[tokio::test(start_paused = true)]
async fn an_outage_longer_than_the_repeats_of_a_login_is_ridden_out() {
    let start = Instant::now();
    let up = move || start.elapsed() > Duration::from_secs(120);
    let peer = Peer::new(move |arrived| {
        Ok(match (up(), arrived.is_login(), arrived.header("cookie")) {
            (false, ..) => reply(502, "<html>bad gateway</html>"),
            (true, true, _) => created(),
            (true, false, None) => error_reply(403, "403"),
            (true, false, Some(_)) => reply(200, "{}"),
        })
    });
    let mut connection = connection().credentials(Credentials::Session(login()));
    connection.retry.max_retries = 100;
    connection.retry.min_delay = Duration::from_secs(2);
    connection.retry.max_delay = Duration::from_secs(2);
    let client = Client::builder(connection)
        .leaf(crate::Stack(peer.stack()))
        .build()
        .unwrap();
    client.get(&get()).await.unwrap();
    assert_eq!(peer.logins(), 4);
    let checks = peer.arrived();
    let mut checks = checks
        .iter()
        .filter(|arrived| arrived.uri.ends_with("/node/version"));
    assert!(checks.all(|check| !check.body.contains("j_password") && check.header("cookie").is_none()));
}

#[tokio::test(start_paused = true)]
async fn a_login_without_success_is_what_the_failure_names() {
    let peer = Peer::new(|_| Ok(error_reply(503, "98")));
    let client = client(&peer, Credentials::Session(login()));
    let error = client.get(&get()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    let failure = error.failure();
    let request_line = failure.request_line.as_ref().unwrap();
    assert_eq!(
        request_line.to_string(),
        "POST /prefix/api/session/create on manager.example"
    );
    assert_eq!((failure.attempts, peer.logins()), (5, 3));
}

#[tokio::test(start_paused = true)]
async fn a_session_that_ends_while_64_wait_refuses_only_what_is_in_flight() {
    let (mut logins, mut ended) = (0, false);
    let peer = Peer::new(move |arrived| {
        if arrived.is_login() {
            logins += 1;
            let mut reply = reply(200, "");
            let cookie = format!("JSESSIONID=s{logins}; Path=/");
            reply.headers_mut().append("set-cookie", cookie.parse().unwrap());
            return Ok(reply);
        }
        let first = arrived.header("cookie") == Some("JSESSIONID=s1");
        let refused = first && ended;
        ended = true;
        Ok(if refused {
            error_reply(403, "98")
        } else {
            reply(200, "{}")
        })
    });
    let client = client(&peer, Credentials::Session(login()));
    let request = get();
    client.get(&request).await.unwrap();
    for answer in join_all((0..64).map(|_| client.get(&request))).await {
        answer.unwrap();
    }
    assert_eq!((peer.logins(), peer.reads()), (2, 1 + 6 + 64));
}

#[tokio::test(start_paused = true)]
async fn a_role_without_access_is_distinguished_from_a_wrong_login() {
    let peer = Peer::new(|arrived| {
        Ok(if arrived.is_login() {
            created()
        } else {
            error_reply(403, "401")
        })
    });
    let client = client(&peer, Credentials::Session(login()));
    let error = client.get(&get()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    assert_eq!((peer.logins(), peer.reads()), (1, 1));
}

/// A client whose logins take longer than an attempt.
fn client_with_slow_logins(peer: &Peer) -> ClientBuilder {
    let stack = peer.stack();
    let silent = BoxCloneSyncService::new(service_fn(move |request: Request<Bytes>| {
        let stack = stack.clone();
        async move {
            let is_login = request.method() == Method::POST;
            let reply = stack.oneshot(request).await;
            if is_login {
                sleep(Duration::from_secs(61)).await;
            }
            reply
        }
    }));
    let connection = connection().credentials(Credentials::Session(login()));
    Client::builder(connection).leaf(crate::Stack(silent))
}

#[tokio::test(start_paused = true)]
async fn a_deadline_during_a_login_says_so() {
    let peer = Peer::new(|_| Ok(created()));
    let deadline = Duration::from_secs(5);
    let client = client_with_slow_logins(&peer).lookup_deadline(deadline).build();
    let client = client.unwrap();
    let own = client.get(&get()).await.unwrap_err();
    for error in [own, client.late(&get(), deadline)] {
        let error = error.to_string();
        assert!(
            error.contains("no usable response within 5.0 s; the login has not ended"),
            "{error}"
        );
    }
    advance(Duration::from_secs(60)).await;
    client.login_settled().await;
    let error = client.late(&get(), deadline).to_string();
    assert!(!error.contains("login"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_check_without_a_password_does_not_blame_it() {
    let peer = Peer::new(|_| Ok(reply(403, "no")));
    let client = client(&peer, Credentials::Header(login()));
    for _ in 0..4 {
        let error = client.get(&get()).await.unwrap_err().to_string();
        assert!(
            error.contains("does not show whether the manager accepts"),
            "{error}"
        );
    }
    let arrived = peer.arrived();
    assert_eq!(arrived.last().unwrap().header("authorization"), None);
}

#[tokio::test(start_paused = true)]
async fn a_login_that_takes_longer_than_an_attempt_is_sent_three_times() {
    let peer = Peer::new(|_| Ok(created()));
    let client = client_with_slow_logins(&peer).build().unwrap();
    let request = get();
    for answer in join_all((0..4).map(|_| client.get(&request))).await {
        assert_eq!(answer.unwrap_err().kind(), ErrorKind::Connect);
    }
    assert_eq!(peer.logins(), 3);
}
