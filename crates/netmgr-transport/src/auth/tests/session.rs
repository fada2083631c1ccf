use std::collections::HashSet;

use netmgr_types::{Login, LoginScheme};
use tokio::time::{Instant, advance, timeout};

use super::*;
use crate::call_context::ReplyContext;
use crate::testing::login;
use crate::{Client, Get};

fn session() -> Credentials {
    Credentials::Session(login())
}

fn created(id: &str) -> Response<Bytes> {
    Response::builder()
        .header(
            "set-cookie",
            format!("JSESSIONID={id}; Path=/; Secure; HttpOnly; SameSite=Lax"),
        )
        .header("x-xsrf-token", format!("token-{id}"))
        .body(Bytes::new())
        .unwrap()
}

/// A manager whose logins create the sessions `s1`, `s2` and so on, of which only the last is valid. Requests
/// with another session get `expired`.
fn manager(expired: impl Fn() -> Response<Bytes> + Send + 'static) -> Peer {
    let mut logins = 0;
    Peer::new(move |arrived| {
        if arrived.is_login() {
            logins += 1;
            return Ok(created(&format!("s{logins}")));
        }
        let valid = arrived.header("cookie") == Some(&format!("JSESSIONID=s{logins}"))
            && arrived.header("x-xsrf-token") == Some(&format!("token-s{logins}"));
        Ok(if valid { reply(200, "{}") } else { expired() })
    })
}

/// Ends all sessions, so that reads are refused until there is a new login.
fn expiring_once(status: u16, body: &'static str) -> Peer {
    let mut logins = 0;
    let mut reads = 0;
    Peer::new(move |arrived| {
        if arrived.is_login() {
            logins += 1;
            return Ok(created(&format!("s{logins}")));
        }
        reads += 1;
        let expired = reads > 1 && arrived.header("cookie") == Some("JSESSIONID=s1");
        Ok(if expired {
            reply(status, body)
        } else {
            reply(200, "{}")
        })
    })
}

#[tokio::test(start_paused = true)]
async fn a_login_is_a_form_and_its_session_goes_alone_with_each_request() {
    let peer = manager(|| error_reply(403, "98"));
    let auth = peer.auth(session());
    read(&auth).await.unwrap();
    read(&auth).await.unwrap();

    let [login, first, second] = peer.arrived().try_into().ok().unwrap();
    assert_eq!(
        (login.method.as_str(), login.uri.as_str()),
        ("POST", "/api/session/create")
    );
    assert_eq!(
        login.header("content-type"),
        Some("application/x-www-form-urlencoded")
    );
    assert_eq!(login.header("accept"), Some("application/json"));
    assert_eq!(login.header("authorization"), None);
    assert_eq!(
        login.body,
        "j_username=admin%40corp&j_password=p%2Bw%20%26%25%C3%A4"
    );
    for read in [first, second] {
        assert_eq!(read.uri, "/api/v1/pools/ip-pools?cursor=1");
        assert_eq!(read.header("cookie"), Some("JSESSIONID=s1"));
        assert_eq!(read.header("x-xsrf-token"), Some("token-s1"));
        assert_eq!(read.header("authorization"), None);
        assert!(read.headers.iter().all(|(_, value)| value.is_sensitive()));
    }
}

#[tokio::test(start_paused = true)]
async fn a_remote_login_says_so_at_creation_only() {
    let peer = manager(|| error_reply(403, "98"));
    let auth = peer.auth(Credentials::Session(
        Login::new("user@corp", "secret").scheme(LoginScheme::Remote),
    ));
    read(&auth).await.unwrap();
    let authorization = |arrived: &Arrived| arrived.header("authorization").map(str::to_owned);
    let sent: Vec<_> = peer.arrived().iter().map(authorization).collect();
    assert_eq!(sent, [Some("Remote dXNlckBjb3JwOnNlY3JldA==".to_owned()), None]);
}

#[tokio::test(start_paused = true)]
async fn many_first_requests_share_one_login() {
    let peer = manager(|| error_reply(403, "98"));
    let answers = read_64(&peer.auth(session())).await;
    assert!(
        answers
            .iter()
            .all(|answer| answer.as_ref().unwrap().status() == 200)
    );
    assert_eq!((peer.logins(), peer.reads()), (1, 64));
}

#[tokio::test(start_paused = true)]
async fn a_login_may_answer_201() {
    let peer = Peer::new(|arrived| {
        let mut answer = created("s1");
        if arrived.is_login() {
            *answer.status_mut() = http::StatusCode::CREATED;
        }
        Ok(answer)
    });
    assert_eq!(read(&peer.auth(session())).await.unwrap().status(), 200);
}

#[tokio::test(start_paused = true)]
async fn the_cookies_of_the_login_are_kept_with_their_latest_values() {
    let mut reads = 0;
    let peer = Peer::new(move |arrived| {
        let mut answer = reply(200, "{}");
        let mut set = |cookie: &'static str| {
            answer.headers_mut().append("set-cookie", cookie.parse().unwrap());
        };
        if arrived.is_login() {
            set("ROUTE=a; Path=/");
            set("JSESSIONID=old; Path=/");
            set("JSESSIONID=s1=; Path=/; Secure");
            set("nonsense");
        } else {
            reads += 1;
            if reads == 1 {
                set("ROUTE=b; Path=/");
                set("EXTRA=1");
            }
        }
        Ok(answer)
    });
    let auth = peer.auth(session());
    for _ in 0..3 {
        read(&auth).await.unwrap();
    }
    let cookies: Vec<_> = peer.arrived()[1..]
        .iter()
        .map(|arrived| arrived.header("cookie").unwrap().to_owned())
        .collect();
    let updated = "JSESSIONID=s1=; ROUTE=b";
    assert_eq!(cookies, ["JSESSIONID=s1=; ROUTE=a", updated, updated]);
    assert_eq!(peer.logins(), 1);
}

#[tokio::test(start_paused = true)]
async fn cookies_of_a_refusal_are_not_kept() {
    let peer = manager(|| {
        let mut refused = error_reply(403, "98");
        refused
            .headers_mut()
            .append("set-cookie", "JSESSIONID=anonymous".parse().unwrap());
        refused
    });
    let auth = peer.auth(session());
    read(&auth).await.unwrap();
    // Another client's login ends this session.
    peer.auth(session())
        .oneshot(Request::get("/").body(Bytes::new()).unwrap())
        .await
        .unwrap();
    read(&auth).await.unwrap();
    assert_eq!(
        peer.arrived().last().unwrap().header("cookie"),
        Some("JSESSIONID=s3")
    );
}

#[tokio::test(start_paused = true)]
async fn a_login_without_a_session_cookie_is_an_error_that_says_so() {
    let with_cookie = |cookie: &'static str| {
        let mut reply = reply(200, "");
        reply.headers_mut().insert("set-cookie", cookie.parse().unwrap());
        reply
    };
    const OTHER_PRODUCT: &str = "host may refer to another product or to a proxy, or lack a path prefix; if it is a \
                                 manager without sessions, set `sessionAuth` to false";
    for (answer, expected) in [
        (
            reply(200, "<html><title>welcome</title>"),
            format!("it has no JSESSIONID cookie: HTML page \"welcome\"; {OTHER_PRODUCT}"),
        ),
        (
            reply(200, r#"{"token":"x"}"#),
            format!("it has no JSESSIONID cookie; {OTHER_PRODUCT}"),
        ),
        (
            with_cookie("JSESSIONID=s1; Path=/; Domain=other.example"),
            "its JSESSIONID cookie is for another host, other.example, and was ignored; set `host` to the name that the \
             manager's cookies are for, or set `sessionAuth` to false"
                .to_owned(),
        ),
        (
            with_cookie("JSESSIONID=s1; Path=/policy/ui"),
            "its JSESSIONID cookie is only for the path /policy/ui, which has no API, and was ignored; let the proxy in \
             front of the manager also change the paths of cookies, or set `sessionAuth` to false"
                .to_owned(),
        ),
        (
            with_cookie("JSESSIONID=s1; Path=/; Max-Age=0"),
            "its JSESSIONID cookie has already expired; check the clocks of the manager and of this machine, and any \
             proxy between them, or set `sessionAuth` to false"
                .to_owned(),
        ),
    ] {
        let peer = Peer::new(move |_| Ok(answer.clone()));
        let error = read(&peer.auth(session())).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadReply);
        assert_eq!(
            error.to_string(),
            format!(
                "unexpected response: POST /api/session/create on manager.example returned 200 OK: {expected}"
            )
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_expired_session_costs_one_login_and_one_replay() {
    for (status, body) in [
        (401, ""),
        (403, r#"{"error_code":98}"#),
        (403, r#"{"error_code":"98"}"#),
        (403, r#"{"error_code":403}"#),
        (403, r#"{"related_errors":[{"error_code":98}]}"#),
    ] {
        let peer = expiring_once(status, body);
        let auth = peer.auth(session());
        for _ in 0..3 {
            assert_eq!(read(&auth).await.unwrap().status(), 200, "{status} {body}");
        }
        assert_eq!((peer.logins(), peer.reads()), (2, 4), "{status} {body}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_doubtful_end_of_a_session_is_checked_once_before_the_login() {
    for body in ["", "<html>forbidden</html>", "{}", r#"{"error_message":"no"}"#] {
        let peer = expiring_once(403, body);
        let auth = peer.auth(session());
        read(&auth).await.unwrap();
        for answer in read_64(&auth).await {
            assert_eq!(answer.unwrap().status(), 200, "{body}");
        }
        assert_eq!((peer.logins(), peer.checks()), (2, 1), "{body}");
        assert_eq!(peer.reads(), 1 + 64 + 1 + 64, "{body}");
    }
}

/// A manager behind a proxy that refuses the path `/refused` with a page.
fn behind_a_proxy() -> Peer {
    Peer::new(|arrived| {
        Ok(match arrived.uri.as_str() {
            "/refused" => reply(403, "<html>blocked</html>"),
            _ if arrived.is_login() => created("s1"),
            _ => reply(200, "{}"),
        })
    })
}

#[tokio::test(start_paused = true)]
async fn a_page_of_a_proxy_for_one_path_ends_no_session() {
    let peer = behind_a_proxy();
    let auth = peer.auth(session());
    for _ in 0..2 {
        let refused = join_all((0..64).map(|_| read_path(&auth, "/refused")));
        let (refused, others) = tokio::join!(refused, read_64(&auth));
        assert!(
            others
                .iter()
                .all(|answer| answer.as_ref().unwrap().status() == 200)
        );
        for answer in refused {
            let error = classify(&answer.unwrap());
            assert_eq!(error.kind(), ErrorKind::PermissionDenied);
            assert!(error.to_string().starts_with(
                "permission denied: GET /refused on manager.example returned 403 Forbidden: HTML page \
                 \"blocked\"; the manager accepts the login; a proxy in front of it"
            ));
        }
    }
    assert_eq!((peer.logins(), peer.checks()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn many_requests_with_an_expired_session_share_one_login() {
    let peer = expiring_once(403, r#"{"error_code":98}"#);
    let auth = peer.auth(session());
    read(&auth).await.unwrap();
    let answers = read_64(&auth).await;
    assert!(
        answers
            .iter()
            .all(|answer| answer.as_ref().unwrap().status() == 200)
    );
    assert_eq!((peer.logins(), peer.reads()), (2, 1 + 64 + 64));
}

#[tokio::test(start_paused = true)]
async fn a_late_refusal_of_an_old_session_does_not_end_the_new_one() {
    let mut logins = 0;
    let peer = Peer::new(move |arrived| {
        if arrived.is_login() {
            logins += 1;
            return Ok(created(&format!("s{logins}")));
        }
        let old = arrived.header("cookie") == Some("JSESSIONID=s1");
        Ok(if old {
            error_reply(403, "98")
        } else {
            reply(200, "{}")
        })
    });
    let auth = peer.auth(session());
    // Both are signed with the first session; the slow one is refused when the second is in use.
    let (late, early) = tokio::join!(read_path(&auth, "/slow"), read(&auth));
    early.unwrap();
    assert_eq!(late.unwrap().status(), 200);
    read(&auth).await.unwrap();
    assert_eq!(peer.logins(), 2);
}

#[tokio::test(start_paused = true)]
async fn what_a_new_login_would_not_help_passes_through() {
    for (status, code) in [
        (403, "401"),
        (403, "505"),
        (500, "99"),
        (404, "600"),
        (503, "403"),
    ] {
        let peer = Peer::new(move |arrived| {
            Ok(if arrived.is_login() {
                created("s1")
            } else {
                error_reply(status, code)
            })
        });
        let answer = read(&peer.auth(session())).await.unwrap();
        assert_eq!(answer.status(), status);
        assert_eq!((peer.logins(), peer.reads()), (1, 1), "{status}/{code}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_second_refusal_is_the_end() {
    let peer = Peer::new(|arrived| {
        Ok(if arrived.is_login() {
            created("s1")
        } else {
            error_reply(403, "98")
        })
    });
    let text = unauthenticated(read(&peer.auth(session())).await);
    assert_eq!(
        text,
        "the manager rejected the login: GET /api/v1/pools/ip-pools on manager.example returned \
         403 Forbidden: even after a new login: no (error_code 98, module_name common-services); the \
         session is not valid on this node; configure the load balancer with source-address persistence, or set \
         `sessionAuth` to false"
    );
    assert_eq!((peer.logins(), peer.reads()), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn a_wrong_password_is_one_login_however_many_wait() {
    for status in [401, 403] {
        let peer = Peer::new(move |_| Ok(error_reply(status, "403")));
        let auth = peer.auth(session());
        let texts: HashSet<_> = read_64(&auth).await.into_iter().map(unauthenticated).collect();
        assert_eq!(texts.len(), 1, "all errors are equal");
        assert!(texts.iter().all(|text| text.contains("POST /api/session/create")));

        let later = unauthenticated(read(&auth).await);
        assert!(texts.contains(&later), "a later caller gets the same error");
        assert_eq!((peer.logins(), peer.reads()), (1, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn a_refused_login_is_tried_again_after_the_lockout_period() {
    let peer = Peer::new(|_| Ok(error_reply(403, "403")));
    let auth = peer.auth(session());
    unauthenticated(read(&auth).await);
    advance(Duration::from_secs(899)).await;
    unauthenticated(read(&auth).await);
    assert_eq!(peer.logins(), 1);
    advance(Duration::from_secs(1)).await;
    unauthenticated(read(&auth).await);
    assert_eq!(peer.logins(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_passing_failure_of_the_login_goes_to_all_who_waited_and_is_not_kept() {
    for status in [429, 500, 502, 503] {
        let peer = Peer::new(move |_| Ok(reply(status, "busy")));
        let auth = peer.auth(session());
        for answer in read_64(&auth).await {
            let answer = answer.unwrap();
            assert_eq!(answer.status(), status);
            let request_line = ReplyContext::of(&answer).request_line.unwrap();
            assert_eq!(
                request_line.to_string(),
                "POST /api/session/create on manager.example"
            );
        }
        assert_eq!(peer.logins(), 1);
        read(&auth).await.unwrap();
        assert_eq!((peer.logins(), peer.reads()), (2, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn a_broken_connection_of_the_login_goes_to_all_who_waited() {
    let peer = Peer::new(|_| Err(broken()));
    let auth = peer.auth(session());
    for answer in read_64(&auth).await {
        assert!(matches!(&answer, Err(error) if error.kind() == ErrorKind::Connect));
    }
    assert_eq!(peer.logins(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_unexpected_answer_to_the_login_is_no_missing_object_and_is_not_kept() {
    let of_a_manager = r#"{"error_code":600,"error_message":"x"}"#;
    for (body, doubts_the_host) in [
        ("<html>no such page</html>", true),
        ("", true),
        (of_a_manager, false),
    ] {
        let peer = Peer::new(move |_| Ok(reply(404, body)));
        let auth = peer.auth(session());
        let error = read(&auth).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Rejected);
        let text = error.to_string();
        assert!(text.ends_with("set `sessionAuth` to false"), "{text}");
        let doubted = text.contains("; host may refer to another product");
        assert_eq!(doubted, doubts_the_host, "{text}");
        read(&auth).await.unwrap_err();
        assert_eq!(peer.logins(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn a_login_continues_without_the_caller_that_began_it() {
    let peer = manager(|| error_reply(403, "98"));
    let auth = peer.auth(session());
    assert!(timeout(LATENCY / 2, read(&auth)).await.is_err());
    auth.login_settled().await;
    for _ in 0..10 {
        assert!(timeout(LATENCY / 2, read(&auth)).await.is_err());
    }
    assert_eq!(read(&auth).await.unwrap().status(), 200);
    assert_eq!(peer.logins(), 1);
}

#[test]
fn a_login_whose_runtime_ends_is_sent_again_by_the_next_caller() {
    let runtime = || {
        let builder = &mut tokio::runtime::Builder::new_current_thread();
        builder.enable_time().start_paused(true).build().unwrap()
    };
    let peer = manager(|| error_reply(403, "98"));
    let auth = peer.auth(session());
    for _ in 0..3 {
        let ended = runtime();
        ended
            .block_on(async { timeout(LATENCY / 2, read(&auth)).await })
            .unwrap_err();
    }
    assert_eq!(runtime().block_on(read(&auth)).unwrap().status(), 200);
    assert_eq!(peer.logins(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_login_without_a_response_ends_with_the_client() {
    let silent = BoxCloneSyncService::new(service_fn(|_| std::future::pending::<Answer>()));
    let connection = connection().credentials(session());
    let login = SharedLogin::try_new(&connection, Duration::from_secs(60), None).unwrap();
    let auth = login.over(in_all_lanes(silent));
    let shared = Arc::downgrade(&auth.sender.shared);
    assert!(timeout(LATENCY, read(&auth)).await.is_err());
    let is_alive = || shared.strong_count() > 0;
    sleep(LATENCY).await;
    assert!(is_alive());
    drop(auth);
    tokio::task::yield_now().await;
    assert!(!is_alive());
}

#[tokio::test(start_paused = true)]
async fn closing_during_a_login_ends_the_session_that_it_creates() {
    let peer = manager(|| error_reply(403, "98"));
    let auth = peer.auth(session());
    let client = client(&peer);
    client.open_in_background();
    sleep(LATENCY / 2).await;
    client.close().await;
    let arrived = peer.arrived();
    assert_eq!(
        (arrived.len(), arrived[1].uri.as_str()),
        (2, "/api/session/destroy")
    );
    assert_eq!(arrived[1].header("cookie"), Some("JSESSIONID=s1"));
    drop(auth);
}

/// Replies that neither accept nor refuse a login.
#[tokio::test(start_paused = true)]
async fn a_login_without_a_clear_reply_is_sent_four_times_in_three_minutes() {
    type Unclear = fn() -> Response<Bytes>;
    let replies: [Unclear; 5] = [
        || reply(302, ""),
        || reply(200, "<html>portal</html>"),
        || reply(403, "<html>blocked</html>"),
        || reply(404, ""),
        || error_reply(500, "607"),
    ];
    for unclear in replies {
        // The last one is only sent if the manager responds to a request without a password.
        for (responds, most) in [(false, 3), (true, 4)] {
            let peer = Peer::new(move |arrived| {
                Ok(match responds && !arrived.is_login() {
                    true => error_reply(403, "403"),
                    false => unclear(),
                })
            });
            let auth = peer.auth(session());
            for windows in 1..4 {
                for round in 1..8 {
                    for answer in read_64(&auth).await {
                        let error = answer.map_or_else(|error| error, |reply| classify(&reply));
                        assert!(!error.to_string().contains("rejected the login"), "{error}");
                    }
                    assert_eq!(peer.logins(), (windows - 1) * most + round.min(most));
                }
                advance(Duration::from_secs(180)).await;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_lookup_without_a_login_says_when_the_next_one_is_sent_and_why() {
    let peer = Peer::new(|arrived| {
        Ok(match arrived.is_login() {
            true => reply(302, ""),
            false => error_reply(403, "403"),
        })
    });
    let auth = peer.auth(session());
    for _ in 0..4 {
        read(&auth).await.unwrap_err();
    }
    advance(Duration::from_secs(100)).await;
    let error = read(&auth).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "manager unavailable: request: not sent, because 4 logins in the last 3 minutes had no clear response, and the \
         manager locks the account after five failed ones; try again in 80 s; netmgr doctor sends it immediately"
    );
    let cause = error.failure().source.as_ref().unwrap().to_string();
    assert!(cause.contains("POST /api/session/create"), "{cause}");
}

#[tokio::test(start_paused = true)]
async fn a_session_that_ends_with_a_login_page_is_renewed_once() {
    for (status, body) in [
        (302, ""),
        (303, ""),
        (200, "<!DOCTYPE html><title>Log in</title>"),
    ] {
        let peer = manager(move || reply(status, body));
        let auth = peer.auth(session());
        read(&auth).await.unwrap();
        // Another client's login ends this session.
        read(&peer.auth(session())).await.unwrap();
        for answer in read_64(&auth).await {
            let answer = answer.unwrap();
            assert_eq!(
                (answer.status().as_u16(), answer.body().as_ref()),
                (200, &b"{}"[..])
            );
        }
        assert_eq!(peer.logins(), 3, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_redirect_of_one_path_costs_no_login() {
    let peer = Peer::new(|arrived| {
        Ok(match arrived.uri.as_str() {
            "/moved" => reply(302, ""),
            _ if arrived.is_login() => created("s1"),
            _ => reply(200, "{}"),
        })
    });
    let auth = peer.auth(session());
    for _ in 0..3 {
        let error = classify(&read_path(&auth, "/moved").await.unwrap());
        assert_eq!(error.kind(), ErrorKind::Rejected, "{error}");
    }
    assert_eq!((peer.logins(), peer.checks()), (1, 1));
}

/// A session is not lost with a cookie of another path.
#[tokio::test(start_paused = true)]
async fn cookies_of_other_paths_end_no_session() {
    let peer = Peer::new(|arrived| {
        let mut answer = reply(200, "{}");
        let mut set = |cookie: &'static str| {
            answer.headers_mut().append("set-cookie", cookie.parse().unwrap());
        };
        if arrived.is_login() {
            set("JSESSIONID=s1; Path=/");
        } else if arrived.header("cookie") != Some("JSESSIONID=s1") {
            return Ok(error_reply(403, "98"));
        }
        set("JSESSIONID=; Path=/old; Max-Age=0");
        Ok(answer)
    });
    let auth = peer.auth(session());
    for _ in 0..20 {
        assert_eq!(read(&auth).await.unwrap().status(), 200);
    }
    assert_eq!(peer.logins(), 1);
}

#[tokio::test(start_paused = true)]
async fn after_a_node_switch_there_is_one_new_login() {
    // Each node only knows its own sessions; the second node replies from the third request on.
    let (mut node, mut seen) = ("a", 0);
    let peer = Peer::new(move |arrived| {
        seen += 1;
        if seen == 3 {
            node = "b";
        }
        if arrived.is_login() {
            return Ok(created(node));
        }
        let known = arrived.header("cookie") == Some(&format!("JSESSIONID={node}"));
        Ok(if known {
            reply(200, "{}")
        } else {
            error_reply(403, "403")
        })
    });
    let auth = peer.auth(session());
    for _ in 0..3 {
        assert_eq!(read(&auth).await.unwrap().status(), 200);
    }
    assert_eq!((peer.logins(), peer.reads()), (2, 4));
}

/// Three nodes behind a load balancer that sends each request to the next one. Each node only knows its own sessions.
#[tokio::test(start_paused = true)]
async fn behind_a_balancer_without_persistence_the_error_has_the_remedy() {
    let mut node = 0;
    let peer = Peer::new(move |arrived| {
        node = (node + 1) % 3;
        Ok(match arrived.header("cookie") {
            None => created(&format!("s{node}")),
            Some(cookie) if *cookie == format!("JSESSIONID=s{node}") => reply(200, "{}"),
            Some(_) => error_reply(403, "403"),
        })
    });
    let text = unauthenticated(read(&peer.auth(session())).await);
    for part in [
        "even after a new login",
        "with source-address persistence",
        "set `sessionAuth` to false",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!((peer.logins(), peer.with_password()), (2, 0));
}

#[tokio::test(start_paused = true)]
async fn no_failure_shows_the_password() {
    // A peer that echoes the request.
    for status in [401, 404, 503] {
        let peer = Peer::new(move |arrived| Ok(reply(status, format!("{} p+w &%ä", arrived.body))));
        let error = client(&peer).get(&Get::new("/x")).await.unwrap_err();
        let text = format!("{error} {error:?}");
        assert!(text.contains("[redacted]"), "{text}");
        assert!(!text.contains("p+w") && !text.contains("p%2Bw"), "{text}");
    }
}

fn client(peer: &Peer) -> Client {
    let auth = peer.auth(session());
    Client::with_auth(
        connection(),
        crate::known_secrets::KnownSecrets::of(&connection()),
        BoxCloneSyncService::new(auth.clone()),
        Duration::from_secs(300),
        Some(auth),
        Arc::default(),
        None,
    )
}

#[tokio::test(start_paused = true)]
async fn closing_ends_the_session_once() {
    let peer = manager(|| error_reply(403, "98"));
    let client = client(&peer);
    client.close().await;
    assert_eq!(peer.arrived().len(), 0, "no session, nothing sent");

    client.get(&crate::Get::new("/api/v1/node")).await.unwrap();
    client.close().await;
    client.close().await;
    let arrived = peer.arrived();
    assert_eq!(arrived.len(), 3);
    assert_eq!(
        (arrived[2].method.as_str(), arrived[2].uri.as_str()),
        ("POST", "/api/session/destroy")
    );
    assert_eq!(arrived[2].header("cookie"), Some("JSESSIONID=s1"));
    assert_eq!(arrived[2].header("x-xsrf-token"), Some("token-s1"));
}

#[tokio::test(start_paused = true)]
async fn closing_does_not_wait_for_a_silent_manager() {
    let peer = manager(|| error_reply(403, "98"));
    let credentials = connection().credentials(session());
    let stack = peer.stack();
    let silent = BoxCloneSyncService::new(service_fn(move |request: Request<Bytes>| {
        let stack = stack.clone();
        async move {
            if request.uri().path().ends_with("/destroy") {
                std::future::pending::<()>().await;
            }
            stack.oneshot(request).await
        }
    }));
    let auth: Auth = SharedLogin::try_new(&credentials, Duration::from_secs(60), None)
        .unwrap()
        .over(in_all_lanes(silent));
    read(&auth).await.unwrap();
    let start = Instant::now();
    auth.close().await;
    assert_eq!(start.elapsed().as_secs(), 2);
}

#[tokio::test(start_paused = true)]
async fn opening_in_the_background_saves_the_first_request_its_login() {
    let peer = manager(|| error_reply(403, "98"));
    let client = client(&peer);
    client.open_in_background();
    assert_eq!(peer.arrived().len(), 0);
    sleep(2 * LATENCY).await;
    assert_eq!((peer.logins(), peer.reads()), (1, 0));

    let start = Instant::now();
    client.get(&crate::Get::new("/api/v1/node")).await.unwrap();
    assert_eq!(start.elapsed().as_millis(), LATENCY.as_millis());
    assert_eq!(peer.logins(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_request_joins_the_login_in_the_background() {
    let peer = manager(|| error_reply(403, "98"));
    let client = client(&peer);
    client.open_in_background();
    sleep(LATENCY / 2).await;
    client.get(&crate::Get::new("/api/v1/node")).await.unwrap();
    assert_eq!((peer.logins(), peer.reads()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn of_a_login_in_the_background_only_a_refusal_is_remembered() {
    for (status, logins) in [(403, 1), (503, 2)] {
        let peer = Peer::new(move |_| Ok(error_reply(status, "403")));
        let client = client(&peer);
        client.open_in_background();
        sleep(2 * LATENCY).await;
        let _ = client.get(&crate::Get::new("/api/v1/node")).await;
        assert_eq!((peer.logins(), peer.reads()), (logins, 0), "{status}");
    }
}
