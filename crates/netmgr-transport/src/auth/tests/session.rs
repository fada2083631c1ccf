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
                                 manager without sessions, set sessionAuth to false";
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
            "its JSESSIONID cookie is for another host, other.example, and was ignored; set host to the name that the \
             manager's cookies are for, or set sessionAuth to false"
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
         sessionAuth to false"
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
        assert!(text.ends_with("set sessionAuth to false"), "{text}");
        let doubted = text.contains("; host may refer to another product");
        assert_eq!(doubted, doubts_the_host, "{text}");
        read(&auth).await.unwrap_err();
        assert_eq!(peer.logins(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn when_the_caller_that_logs_in_is_dropped_the_next_one_logs_in() {
    let peer = manager(|| error_reply(403, "98"));
    let auth = peer.auth(session());
    let first = read(&auth);
    let (dropped, second) = tokio::join!(timeout(LATENCY / 2, first), read(&auth));
    assert!(dropped.is_err());
    assert_eq!(second.unwrap().status(), 200);
    assert_eq!((peer.logins(), peer.reads()), (2, 1));
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

/// Replies that neither accept nor refuse a login: of 64 callers, one gets the first reply and the others the second.
#[tokio::test(start_paused = true)]
async fn a_login_without_a_clear_reply_is_sent_four_times_and_then_once_in_450_s() {
    type Unclear = fn() -> Response<Bytes>;
    let replies: [Unclear; 4] = [
        || reply(302, ""),
        || reply(200, "<html>portal</html>"),
        || reply(403, "<html>blocked</html>"),
        || reply(404, ""),
    ];
    for unclear in replies {
        let peer = Peer::new(move |_| Ok(unclear()));
        let auth = peer.auth(session());
        for logins in [2, 4, 4, 4] {
            for answer in read_64(&auth).await {
                let error = answer.unwrap_err();
                assert!(matches!(error.kind(), ErrorKind::BadReply | ErrorKind::Rejected));
                assert!(!error.to_string().contains("rejected the login"), "{error}");
            }
            assert_eq!(peer.logins(), logins);
        }
        for more in 1..3 {
            advance(Duration::from_secs(450)).await;
            read_64(&auth).await;
            assert_eq!(peer.logins(), 4 + more);
        }
    }
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

const FIRST: &str = "/first";

/// Three nodes behind a load balancer that sends each request to the next one, except those for [`FIRST`], which reach the
/// node of their session. Each node only knows its own sessions. `password` is the reply to requests with the password.
fn behind_a_balancer(mut password: impl FnMut() -> Response<Bytes> + Send + 'static) -> Peer {
    let mut next = 0;
    Peer::new(move |arrived| {
        next += 1;
        let node = next % 3;
        if arrived.is_login() {
            return Ok(created(&format!("s{node}")));
        }
        let known =
            arrived.uri.ends_with(FIRST) || arrived.header("cookie") == Some(&format!("JSESSIONID=s{node}"));
        Ok(match arrived.header("authorization") {
            Some(_) => password(),
            None if known => reply(200, "{}"),
            None => error_reply(403, "403"),
        })
    })
}

/// A client with retries and limits.
fn whole_client(peer: &Peer) -> crate::ClientBuilder {
    Client::builder(connection().credentials(session())).leaf(crate::Stack(peer.stack()))
}

#[tokio::test(start_paused = true)]
async fn where_only_some_sessions_are_accepted_the_password_is_sent_with_each_request() {
    let peer = behind_a_balancer(|| reply(200, "{}"));
    let auth = peer.auth(session());
    read_path(&auth, FIRST).await.unwrap();
    for _ in 0..2 {
        for answer in read_64(&auth).await {
            assert_eq!(answer.unwrap().status(), 200);
        }
    }
    let logins = peer.logins();
    assert_eq!(read(&auth).await.unwrap().status(), 200);
    assert_eq!((peer.logins(), peer.checks()), (logins, 1));
    let last = peer.arrived().pop().unwrap();
    assert_eq!(
        last.header("authorization"),
        Some("Basic YWRtaW5AY29ycDpwK3cgJiXDpA==")
    );
    assert_eq!(last.header("cookie"), None);
}

/// The request that reaches the node of the session is still in flight when another one is refused.
#[tokio::test(start_paused = true)]
async fn a_session_that_is_refused_waits_for_the_replies_to_others() {
    let peer = Peer::new(|arrived| {
        Ok(match arrived.header("authorization") {
            _ if arrived.is_login() => created("s1"),
            None if arrived.uri != "/slow" => error_reply(403, "403"),
            _ => reply(200, "{}"),
        })
    });
    let auth = peer.auth(session());
    let (slow, refused) = tokio::join!(read_path(&auth, "/slow"), read(&auth));
    assert_eq!(
        (slow.unwrap().status(), refused.unwrap().status()),
        (http::StatusCode::OK, http::StatusCode::OK)
    );
}

#[tokio::test(start_paused = true)]
async fn where_only_sessions_are_accepted_the_password_is_sent_without_one_once() {
    let peer = behind_a_balancer(|| error_reply(403, "403"));
    let auth = peer.auth(session());
    read_path(&auth, FIRST).await.unwrap();
    let errors = read_64(&auth).await.into_iter().filter_map(|answer| {
        let answer = answer.unwrap();
        (answer.status() == 403).then(|| classify(&answer).to_string())
    });
    let error = errors.last().unwrap();
    assert!(
        error.contains("even after a new login") && error.contains("with source-address persistence"),
        "{error}"
    );
    assert_eq!(peer.with_password(), 1);
}

/// Such as a manager that shows its version to everybody.
#[tokio::test(start_paused = true)]
async fn a_password_that_is_only_accepted_for_the_version_is_sent_with_one_request() {
    let mut is_first = true;
    let peer = behind_a_balancer(move || match std::mem::take(&mut is_first) {
        true => reply(200, "{}"),
        false => error_reply(403, "403"),
    });
    let auth = peer.auth(session());
    read_path(&auth, FIRST).await.unwrap();
    for _ in 0..5 {
        unauthenticated(read(&auth).await);
    }
    assert_eq!(peer.with_password(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_manager_that_is_overloaded_when_the_password_is_verified_is_asked_again() {
    for status in [429, 502, 503] {
        let mut is_first = true;
        let peer = behind_a_balancer(move || match std::mem::take(&mut is_first) {
            true => reply(status, ""),
            false => reply(200, "{}"),
        });
        let client = whole_client(&peer).build().unwrap();
        client.get(&Get::new(FIRST)).await.unwrap();
        client.get(&Get::new("/api/v1/pools/ip-pools")).await.unwrap();
        assert_eq!(peer.with_password(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn after_four_unclear_replies_the_password_is_not_sent_without_a_session() {
    let peer = behind_a_balancer(|| reply(502, ""));
    let auth = peer.auth(session());
    read_path(&auth, FIRST).await.unwrap();
    for _ in 0..9 {
        read_64(&auth).await;
    }
    assert_eq!(peer.with_password(), 4);
}

#[tokio::test]
async fn other_processes_do_not_send_a_password_that_is_only_refused_without_a_session() {
    let peer = behind_a_balancer(|| error_reply(403, "403"));
    let home = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        let client = whole_client(&peer)
            .refused_logins(crate::RefusedLogins::in_folder(home.path()))
            .build()
            .unwrap();
        client.get(&Get::new(FIRST)).await.unwrap();
        let error = client.get(&Get::new("/api/v1/pools/ip-pools")).await.unwrap_err();
        let error = error.to_string();
        assert!(error.contains("with source-address persistence"), "{error}");
    }
    assert_eq!((peer.logins(), peer.with_password()), (6, 1));
}

#[tokio::test(start_paused = true)]
async fn requests_that_wait_do_not_send_a_password_that_is_refused_meanwhile() {
    let mut number = 0;
    let peer = behind_a_balancer(move || {
        number += 1;
        match number {
            1..=10 => reply(200, "{}"),
            _ => error_reply(403, "403"),
        }
    });
    let client = whole_client(&peer).build().unwrap();
    client.get(&Get::new(FIRST)).await.unwrap();
    let request = Get::new("/api/v1/pools/ip-pools");
    client.get(&request).await.unwrap();
    join_all((0..500).map(|_| client.get(&request))).await;
    // At most 32 are in flight.
    assert!(peer.with_password() < 10 + 33, "{}", peer.with_password());
}

#[tokio::test(start_paused = true)]
async fn a_password_that_is_refused_later_is_sent_in_a_login() {
    let accepted = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let is_accepted = Arc::clone(&accepted);
    let peer = Peer::new(move |arrived| {
        let is_accepted = is_accepted.load(std::sync::atomic::Ordering::Relaxed);
        Ok(
            match (is_accepted, arrived.is_login(), arrived.header("authorization")) {
                (true, true, _) => created("s1"),
                (true, false, Some(_)) => reply(200, "{}"),
                (true, false, None) if arrived.uri == FIRST => reply(200, "{}"),
                _ => error_reply(403, "403"),
            },
        )
    });
    let auth = peer.auth(session());
    read_path(&auth, FIRST).await.unwrap();
    assert_eq!(read(&auth).await.unwrap().status(), 200);
    accepted.store(false, std::sync::atomic::Ordering::Relaxed);
    let before = peer.arrived().len();
    for _ in 0..3 {
        unauthenticated(read(&auth).await);
    }
    assert_eq!(peer.arrived().len() - before, 2, "a request, and a login");
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
    let auth: Auth = AuthLayer::try_new(&credentials, Duration::from_secs(60), None)
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
