use std::sync::atomic::{AtomicUsize, Ordering};

use netmgr_types::{Deployment, Login, LoginScheme};
use tokio::time::{Instant, advance, timeout};

use super::*;

fn header(scheme: LoginScheme) -> Credentials {
    Credentials::Header(Login::new("admin", "hunter2ä").scheme(scheme))
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

fn all_ok(answers: &[Answer]) {
    for answer in answers {
        assert_eq!(answer.as_ref().unwrap().status(), 200);
    }
}

#[tokio::test(start_paused = true)]
async fn a_lone_first_request_is_its_own_proof() {
    let peer = Peer::new(|_| Ok(reply(200, "{}")));
    let auth = peer.auth(basic());
    let start = Instant::now();
    read(&auth).await.unwrap();
    assert_eq!((start.elapsed(), peer.reads()), (LATENCY, 1));
    all_ok(&read_64(&auth).await);
    assert_eq!((start.elapsed(), peer.reads()), (2 * LATENCY, 65));
}

#[tokio::test(start_paused = true)]
async fn of_many_first_requests_one_goes_before_the_others() {
    let peer = Peer::new(|_| Ok(reply(200, "{}")));
    let auth = peer.auth(basic());
    let start = Instant::now();
    let meanwhile = async {
        sleep(LATENCY / 2).await;
        peer.reads()
    };
    let (answers, meanwhile) = tokio::join!(read_64(&auth), meanwhile);
    assert_eq!(meanwhile, 1);
    all_ok(&answers);
    assert_eq!((start.elapsed(), peer.reads()), (2 * LATENCY, 64));
}

#[tokio::test(start_paused = true)]
async fn any_answer_of_the_manager_that_does_not_refuse_the_login_accepts_it() {
    for (status, code) in [
        (404, "600"),
        (400, "60508"),
        (500, "607"),
        (403, "401"),
        (403, "505"),
        (503, "60576"),
    ] {
        let peer = Peer::new(move |_| Ok(error_reply(status, code)));
        let auth = peer.auth(basic());
        assert_eq!(read(&auth).await.unwrap().status(), status);
        for answer in read_64(&auth).await {
            assert_eq!(answer.unwrap().status(), status);
        }
        assert_eq!((peer.reads(), peer.checks()), (65, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn a_wrong_password_is_one_request_however_many_wait() {
    for status in [401, 403] {
        let peer = Peer::new(move |_| Ok(error_reply(status, "403")));
        let auth = peer.auth(basic());
        for _ in 0..2 {
            for answer in read_64(&auth).await {
                let text = unauthenticated(answer);
                assert!(text.contains("check user name and password"), "{text}");
                assert!(!text.contains("hunter2"), "{text}");
            }
        }
        assert_eq!(peer.arrived().len(), 1);

        advance(Duration::from_secs(900)).await;
        unauthenticated(read(&auth).await);
        assert_eq!(peer.arrived().len(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn a_wrong_password_of_one_request_is_remembered_without_its_path() {
    let peer = Peer::new(|_| Ok(error_reply(403, "403")));
    let auth = peer.auth(basic());
    let first = unauthenticated(read(&auth).await);
    assert!(first.contains("GET /api/v1/pools/ip-pools on manager.example returned 403"));
    for answer in read_64(&auth).await {
        let text = unauthenticated(answer);
        assert!(!text.contains("ip-pools"), "{text}");
        assert!(
            text.contains("not sent, because the manager rejected the same login before;"),
            "{text}"
        );
    }
}

/// A manager that accepts the login, but replies to the path `/first` with `first`.
fn answering_first(first: impl Fn() -> Answer + Send + 'static) -> Peer {
    Peer::new(move |arrived| match arrived.uri.as_str() {
        "/first" => first(),
        _ => Ok(reply(200, "{}")),
    })
}

fn too_large() -> Answer {
    Err(Error::from(ErrorKind::BadReply))
}

#[tokio::test(start_paused = true)]
async fn a_first_answer_without_a_verdict_belongs_to_its_path_alone() {
    let firsts: [fn() -> Answer; 7] = [
        || Ok(reply(403, "<html>blocked</html>")),
        || Ok(reply(403, "")),
        || Ok(reply(503, "<html>no server</html>")),
        || Ok(error_reply(429, "102")),
        || Ok(reply(200, "<html>welcome</html>")),
        || Err(broken()),
        too_large,
    ];
    for first in firsts {
        // Again and again, alone, and then in a burst, in which its reply arrives before the others are sent.
        let peer = answering_first(first);
        let auth = peer.auth(basic());
        for _ in 0..6 {
            let _ = read_path(&auth, "/first").await;
        }
        all_ok(&read_64(&auth).await);
        assert!((1..=2).contains(&peer.checks()), "{}", peer.checks());

        let peer = answering_first(first);
        let auth = peer.auth(basic());
        let (_, others) = tokio::join!(read_path(&auth, "/first"), read_64(&auth));
        all_ok(&others);
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_of_a_proxy_for_one_path_is_no_refusal_of_the_login() {
    let peer = answering_first(|| Ok(reply(403, "<html>blocked</html>")));
    let auth = peer.auth(basic());
    for _ in 0..2 {
        let refused = join_all((0..100).map(|_| read_path(&auth, "/first")));
        let (refused, others) = tokio::join!(refused, read_64(&auth));
        all_ok(&others);
        for answer in refused {
            let error = classify(&answer.unwrap());
            assert_eq!(error.kind(), ErrorKind::PermissionDenied);
            assert!(error.to_string().contains("GET /first on"), "{error}");
        }
    }
    let checks = peer.checks();
    assert!(
        (1..=2).contains(&checks),
        "{checks}: one by the first request, and one by others"
    );
    advance(Duration::from_secs(60)).await;
    read_path(&auth, "/first").await.unwrap();
    assert_eq!(peer.checks(), checks + 1);
}

#[tokio::test(start_paused = true)]
async fn a_slow_first_answer_holds_up_no_other_request() {
    let peer = Peer::new(|_| Ok(reply(200, "{}")));
    let auth = peer.auth(basic());
    let start = Instant::now();
    let others = async {
        sleep(LATENCY).await;
        all_ok(&read_64(&auth).await);
        start.elapsed()
    };
    let (slow, took) = tokio::join!(read_path(&auth, "/stuck"), others);
    slow.unwrap();
    assert_eq!(took, Duration::from_secs(1) + 2 * LATENCY);
    assert_eq!((start.elapsed(), peer.checks()), (STUCK, 0));
}

#[tokio::test(start_paused = true)]
async fn an_outage_goes_to_all_who_waited_after_three_requests_with_the_password() {
    let failures: [fn() -> Answer; 2] = [|| Ok(reply(503, "busy")), || Err(broken())];
    for failure in failures {
        let peer = Peer::new(move |_| failure());
        let auth = peer.auth(basic());
        for _ in 0..3 {
            for answer in read_64(&auth).await {
                let error = answer.map_or_else(|error| error, |reply| classify(&reply));
                assert!(
                    matches!(error.kind(), ErrorKind::Unavailable | ErrorKind::Connect),
                    "{error}"
                );
            }
        }
        // And one without the password.
        assert_eq!((peer.with_password(), peer.arrived().len()), (3, 4));
    }
}

#[tokio::test(start_paused = true)]
async fn replies_that_are_not_clear_end_after_four_logins() {
    type Unclear = fn() -> Response<Bytes>;
    let replies: [Unclear; 4] = [
        || reply(403, "<html>blocked</html>"),
        || reply(200, "<html>welcome</html>"),
        || reply(302, ""),
        || reply(503, "<html>no server</html>"),
    ];
    for unclear in replies {
        let peer = Peer::new(move |arrived| {
            Ok(match arrived.header("authorization") {
                Some(_) => unclear(),
                None => error_reply(403, "403"),
            })
        });
        let auth = peer.auth(basic());
        for windows in 1..4 {
            for _ in 0..4 {
                for answer in read_64(&auth).await {
                    let error = match answer {
                        Ok(reply) if reply.status().is_success() => continue,
                        Ok(reply) => classify(&reply),
                        Err(error) => error,
                    };
                    assert_ne!(error.kind(), ErrorKind::Unauthenticated, "{error}");
                }
            }
            assert_eq!(peer.with_password(), windows * 4);
            advance(Duration::from_secs(180)).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn all_wait_for_the_answer_to_logins_that_take_long() {
    let slow = BoxCloneSyncService::new(service_fn(|request: Request<Bytes>| async move {
        if !request.headers().contains_key("authorization") {
            return Ok(error_reply(401, "401"));
        }
        sleep(Duration::from_secs(25)).await;
        Ok(reply(200, "{}"))
    }));
    let connection = connection().credentials(basic());
    let login = SharedLogin::try_new(&connection, Duration::from_secs(60), None).unwrap();
    let auth = login.over(in_all_lanes(slow));
    let start = Instant::now();
    all_ok(&read_64(&auth).await);
    assert!(start.elapsed() < Duration::from_secs(51), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn the_hosted_cloud_gets_no_fixed_request() {
    let peer = Peer::new(|_| Ok(reply(200, "{}")));
    let hosted = connection()
        .credentials(basic())
        .deployment(Deployment::HostedCloud);
    let auth = SharedLogin::try_new(&hosted, Duration::from_secs(60), None)
        .unwrap()
        .over(in_all_lanes(peer.stack()));
    all_ok(&read_64(&auth).await);
    assert_eq!((peer.reads(), peer.checks()), (64, 0));
}

#[tokio::test(start_paused = true)]
async fn after_a_later_refusal_requests_need_a_proof_again() {
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
    assert_eq!((peer.reads(), peer.checks()), (3, 0));
}

#[tokio::test(start_paused = true)]
async fn the_first_request_continues_without_its_caller() {
    let peer = Peer::new(|_| Ok(reply(200, "{}")));
    let auth = peer.auth(basic());
    let others = async {
        sleep(LATENCY / 4).await;
        read_64(&auth).await
    };
    let (dropped, others) = tokio::join!(timeout(LATENCY / 2, read(&auth)), others);
    assert!(dropped.is_err());
    all_ok(&others);
    assert_eq!(peer.reads(), 65);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_opened_ahead() {
    let peer = Peer::new(|_| Ok(reply(200, "{}")));
    let auth = peer.auth(basic());
    auth.open();
    sleep(2 * LATENCY).await;
    auth.close().await;
    assert!(peer.arrived().is_empty());
}
