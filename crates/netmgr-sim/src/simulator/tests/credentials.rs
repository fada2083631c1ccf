//! Sessions, basic and remote logins, roles and lockout.

use super::*;

const EXPIRED: (u16, u32) = (403, 98);
const UNAUTHENTICATED: (u16, u32) = (403, 403);

async fn check(response: Response, (status, code): (u16, u32)) {
    assert_eq!(refusal(response).await, (status, json!(code)));
}

#[tokio::test]
async fn a_session_needs_cookie_and_token_and_can_be_destroyed() {
    let pair = Pair::start(echo()).await;
    let session = pair.session().await;
    assert_eq!(session.read(&pair, VERSION).await.status(), 200);
    check(
        pair.get(VERSION)
            .header("cookie", session.cookies.join("; "))
            .send()
            .await
            .unwrap(),
        EXPIRED,
    )
    .await;
    let wrong = Session {
        xsrf: "0".to_owned(),
        cookies: session.cookies.clone(),
    };
    check(wrong.read(&pair, VERSION).await, EXPIRED).await;

    let destroy = session.sign(pair.request(Method::POST, "/api/session/destroy"));
    assert_eq!(destroy.send().await.unwrap().status(), 200);
    check(session.read(&pair, VERSION).await, UNAUTHENTICATED).await;
    let counters = pair.simulator.counters();
    assert_eq!(
        (counters.logins, counters.sessions_destroyed, counters.writes),
        (1, 1, 0)
    );
}

#[tokio::test]
async fn a_new_session_answers_with_two_cookies_and_no_body() {
    let pair = Pair::start(echo()).await;
    let response = pair.log_in("j_username=admin&j_password=Demo%2BPass%2541").await;
    let cookies: Vec<_> = response.headers().get_all("set-cookie").iter().cloned().collect();
    assert_eq!(cookies.len(), 2);
    assert_eq!(cookies[0], "NODE_AFFINITY=node-0; Path=/");
    let session = cookies[1].to_str().unwrap();
    let id = session
        .strip_prefix("JSESSIONID=")
        .unwrap()
        .strip_suffix("; Path=/; Secure; HttpOnly; SameSite=Lax");
    assert_eq!(id.unwrap().len(), 32);
    assert_eq!(response.headers()["x-xsrf-token"].len(), 36);
    assert_eq!(response.bytes().await.unwrap().len(), 0);
}

#[tokio::test]
async fn login_forms_are_decoded_as_forms() {
    let pair = Pair::start(echo().user(User::local("a b", "p+w%41&"))).await;
    assert_eq!(
        pair.log_in("j_username=a+b&j_password=p%2Bw%2541%26")
            .await
            .status(),
        200
    );
    check(
        pair.log_in("j_username=a+b&j_password=p+w%2541%26").await,
        UNAUTHENTICATED,
    )
    .await;
    check(
        pair.log_in("j_username=a+b&j_password=p%2Bw%41%26").await,
        UNAUTHENTICATED,
    )
    .await;
    let json = pair
        .request(Method::POST, "/api/session/create")
        .header("content-type", "application/json");
    let json = json
        .body("j_username=a+b&j_password=p%2Bw%2541%26")
        .send()
        .await
        .unwrap();
    check(json, UNAUTHENTICATED).await;
    assert_eq!(pair.simulator.counters().failed_logins, 3);
}

#[tokio::test]
async fn idle_sessions_expire() {
    let pair = Pair::start(echo()).await;
    let session = pair.session().await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(1800)).await;
    tokio::time::resume();
    check(session.read(&pair, VERSION).await, EXPIRED).await;
}

#[tokio::test]
async fn sessions_end_on_demand_and_at_a_node_switch() {
    let pair = Pair::start(echo()).await;
    let session = pair.session().await;
    pair.simulator.expire_sessions();
    check(session.read(&pair, VERSION).await, EXPIRED).await;
    let session = pair.session().await;
    pair.simulator.switch_node();
    check(session.read(&pair, VERSION).await, UNAUTHENTICATED).await;
    let session = pair.session().await;
    assert_eq!(session.cookies[0], "NODE_AFFINITY=node-1");
    assert_eq!(session.read(&pair, VERSION).await.status(), 200);
}

#[tokio::test]
async fn a_session_wins_over_authorization_and_both_together_are_counted() {
    let pair = Pair::start(echo()).await;
    let session = pair.session().await;
    let both = |password| {
        session
            .sign(pair.get(VERSION))
            .basic_auth(DEFAULT_USERNAME, Some(password))
            .send()
    };
    assert_eq!(both("wrong").await.unwrap().status(), 200);
    pair.simulator.expire_sessions();
    check(both(DEFAULT_PASSWORD).await.unwrap(), EXPIRED).await;
    let counters = pair.simulator.counters();
    assert_eq!((counters.double_credentials, counters.failed_logins), (2, 0));
}

#[tokio::test]
async fn missing_and_wrong_credentials_look_the_same() {
    let pair = Pair::start(echo()).await;
    for request in [
        pair.get(VERSION),
        pair.get(VERSION).basic_auth(DEFAULT_USERNAME, Some("wrong")),
        pair.get(VERSION).basic_auth("unknown", Some(DEFAULT_PASSWORD)),
        pair.get(VERSION).header("authorization", "Basic !!!"),
        pair.get(VERSION).header("authorization", "Digest abc"),
    ] {
        let response = request.send().await.unwrap();
        let body: Value = response.json().await.unwrap();
        assert_eq!(body["error_code"], 403);
        assert!(body.get("httpStatus").is_none());
    }
    assert_eq!(pair.simulator.counters().failed_logins, 3);
}

#[tokio::test]
async fn remote_is_for_directory_accounts() {
    let builder = echo()
        .user(User::local("admin", "a"))
        .user(User::directory("eve@corp.example", "b"));
    let pair = Pair::start(builder).await;
    let remote = |user: &str| {
        let value = format!("Remote {}", STANDARD.encode(user));
        pair.get(VERSION).header("authorization", value).send()
    };
    assert_eq!(remote("eve@corp.example:b").await.unwrap().status(), 200);
    check(remote("admin:a").await.unwrap(), UNAUTHENTICATED).await;
}

#[tokio::test]
async fn a_role_that_may_not_read_is_distinguished_from_a_missing_login() {
    let user =
        User::local(DEFAULT_USERNAME, DEFAULT_PASSWORD).denied("/policy/api/v1/infra/dhcp-server-configs");
    let pair = Pair::start(echo().user(user)).await;
    check(
        pair.basic("/policy/api/v1/infra/dhcp-server-configs/a").await,
        (403, 401),
    )
    .await;
    assert_eq!(
        pair.basic("/policy/api/v1/infra/bfd-profiles").await.status(),
        200
    );
}

#[tokio::test]
async fn five_failures_lock_the_account_for_a_quarter_of_an_hour() {
    let pair = Pair::start(echo()).await;
    for _ in 0..5 {
        check(
            pair.log_in("j_username=admin&j_password=wrong").await,
            UNAUTHENTICATED,
        )
        .await;
    }
    check(pair.basic(VERSION).await, UNAUTHENTICATED).await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(900)).await;
    tokio::time::resume();
    assert_eq!(pair.basic(VERSION).await.status(), 200);
}

#[tokio::test]
async fn behind_a_balancer_all_cookies_are_needed() {
    let pair = Pair::start(echo().affinity_required(true)).await;
    let mut session = pair.session().await;
    assert_eq!(session.read(&pair, VERSION).await.status(), 200);
    session.cookies.remove(0);
    check(session.read(&pair, VERSION).await, UNAUTHENTICATED).await;
}
