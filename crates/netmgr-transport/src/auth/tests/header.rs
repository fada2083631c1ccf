use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use netmgr_types::{Login, LoginScheme, Secret};
use tokio::time::{Instant, advance, timeout};

use super::*;
use crate::error::Origin;

fn header(scheme: LoginScheme) -> Credentials {
    Credentials::Header(Login {
        username: "admin".to_owned(),
        password: Secret::new("hunter2ä"),
        scheme,
    })
}

fn basic() -> Credentials {
    header(LoginScheme::Basic)
}

#[tokio::test(start_paused = true)]
async fn user_name_and_password_go_with_each_request() {
    for (scheme, expected) in [
        (LoginScheme::Basic, "Basic YWRtaW46aHVudGVyMsOk"),
        (LoginScheme::Remote, "Remote YWRtaW46aHVudGVyMsOk"),
    ] {
        let peer = Peer::new(|_| Ok(reply(200, "{}")));
        let auth = peer.auth(header(scheme));
        read(&auth).await.unwrap();
        read(&auth).await.unwrap();
        assert_eq!((peer.logins(), peer.reads()), (0, 2));
        for arrived in peer.arrived() {
            assert_eq!(arrived.header("authorization"), Some(expected));
            assert!(arrived.headers["authorization"].is_sensitive());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn with_a_client_certificate_nothing_is_added() {
    let peer = Peer::new(|_| Ok(error_reply(403, "403")));
    assert_eq!(
        read(&peer.auth(Credentials::Certificate)).await.unwrap().status(),
        403
    );
    assert!(peer.arrived()[0].headers.is_empty());
    assert_eq!(peer.arrived().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_first_request_goes_alone_and_then_all_at_once() {
    let peer = Peer::new(|_| Ok(reply(200, "{}")));
    let auth = peer.auth(basic());
    let start = Instant::now();
    let all = read_64(&auth);
    let meanwhile = async {
        sleep(LATENCY / 2).await;
        peer.reads()
    };
    let (answers, meanwhile) = tokio::join!(all, meanwhile);
    assert_eq!(meanwhile, 1);
    assert!(
        answers
            .iter()
            .all(|answer| answer.as_ref().unwrap().status() == 200)
    );
    assert_eq!(start.elapsed(), 2 * LATENCY);
    assert_eq!(peer.reads(), 64, "the first one's answer is its own");
}

#[tokio::test(start_paused = true)]
async fn any_answer_that_does_not_refuse_the_login_accepts_it() {
    for (status, code) in [
        (404, "600"),
        (400, "60508"),
        (500, "607"),
        (403, "401"),
        (403, "505"),
    ] {
        let peer = Peer::new(move |_| Ok(error_reply(status, code)));
        let auth = peer.auth(basic());
        let start = Instant::now();
        for answer in read_64(&auth).await {
            assert_eq!(answer.unwrap().status(), status);
        }
        assert_eq!((start.elapsed(), peer.reads()), (2 * LATENCY, 64));
    }
}

#[tokio::test(start_paused = true)]
async fn a_wrong_password_is_one_request_however_many_wait() {
    let peer = Peer::new(|_| Ok(error_reply(403, "403")));
    let auth = peer.auth(basic());
    let texts: HashSet<_> = read_64(&auth).await.into_iter().map(unauthenticated).collect();
    assert_eq!(texts.len(), 1, "all are told the same");
    assert!(texts.iter().all(|text| !text.contains("hunter2")));
    unauthenticated(read(&auth).await);
    assert_eq!(peer.arrived().len(), 1);

    advance(Duration::from_secs(900)).await;
    unauthenticated(read(&auth).await);
    assert_eq!(peer.arrived().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_manager_without_room_has_not_looked_at_the_password() {
    let peer = Peer::new(|_| Ok(reply(503, "busy")));
    let auth = peer.auth(basic());
    for answer in read_64(&auth).await {
        let answer = answer.unwrap();
        assert_eq!(answer.status(), 503);
        let Origin(exchange) = answer.extensions().get().unwrap();
        assert_eq!(exchange.path, "/api/v1/pools/ip-pools");
    }
    assert_eq!(peer.reads(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_broken_connection_of_the_first_request_goes_to_all_who_waited() {
    let peer = Peer::new(|_| Err(broken()));
    let auth = peer.auth(basic());
    for answer in read_64(&auth).await {
        assert!(matches!(answer, Err(Error::Connect(_))));
    }
    assert_eq!(peer.reads(), 1);
}

#[tokio::test(start_paused = true)]
async fn after_a_later_refusal_requests_go_alone_again() {
    let reads = AtomicUsize::new(0);
    let peer = Peer::new(move |_| {
        let first = reads.fetch_add(1, Ordering::Relaxed) == 0;
        Ok(if first {
            reply(200, "{}")
        } else {
            error_reply(403, "403")
        })
    });
    let auth = peer.auth(basic());
    read(&auth).await.unwrap();
    unauthenticated(read(&auth).await);
    for answer in read_64(&auth).await {
        unauthenticated(answer);
    }
    assert_eq!(peer.reads(), 3);
}

#[tokio::test(start_paused = true)]
async fn when_the_caller_that_goes_first_is_dropped_the_others_carry_on() {
    let peer = Peer::new(|_| Ok(reply(200, "{}")));
    let auth = peer.auth(basic());
    let first = read(&auth);
    let (dropped, others) = tokio::join!(timeout(LATENCY / 2, first), read_64(&auth));
    assert!(dropped.is_err());
    assert!(
        others
            .iter()
            .all(|answer| answer.as_ref().unwrap().status() == 200)
    );
    assert_eq!(peer.reads(), 65);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_opened_ahead() {
    let peer = Peer::new(|_| Ok(reply(200, "{}")));
    let auth = peer.auth(basic());
    assert!(!auth.opens());
    auth.open().await;
    auth.close().await;
    assert!(peer.arrived().is_empty());
}
