//! Credentials that expire: which replies cause a new login, and how many.

use std::time::Duration;

use netmgr_sim::User;

use super::support::*;
use super::*;

/// The status and code of a session that was idle for too long, and of one on another node, and the cost of a lookup
/// then: the rejection, one login, the replay.
async fn renews_after(end: impl AsyncFn(&Simulator)) {
    for builder in both_protocols() {
        let manager = started(builder).await;
        let lookups = lookups(&manager, session());
        ask(&lookups).await.unwrap();
        end(&manager).await;
        ask(&lookups).await.unwrap();
        let counters = manager.counters();
        assert_eq!((counters.logins, counters.failed_logins), (2, 0));
        assert_eq!(reads(&manager, POOL_PATH), 3);
    }
}

#[tokio::test]
async fn a_session_that_was_idle_for_too_long_is_renewed() {
    let clock = Clock::stop();
    let idle = renews_after(async |_| clock.skip(Duration::from_secs(1800)).await);
    clock.run(idle).await;
}

#[tokio::test]
async fn a_session_that_the_manager_ended_is_renewed() {
    renews_after(async |manager| manager.expire_sessions()).await;
}

#[tokio::test]
async fn a_session_of_another_node_is_renewed() {
    renews_after(async |manager| manager.switch_node()).await;
}

#[tokio::test]
async fn a_session_in_use_lasts() {
    let clock = Clock::stop();
    let manager = started(manager()).await;
    let lookups = lookups(&manager, session());
    for _ in 0..5 {
        clock.run(ask(&lookups)).await.unwrap();
        clock.skip(Duration::from_secs(1700)).await;
    }
    assert_eq!(manager.counters().logins, 1);
}

#[tokio::test]
async fn many_requests_whose_session_has_ended_share_one_login() {
    for builder in both_protocols() {
        let manager = started(builder).await;
        let lookups = lookups(&manager, session());
        ask(&lookups).await.unwrap();
        manager.expire_sessions();
        assert!(ask_many(&lookups, 30).await.iter().all(Result::is_ok));
        assert_eq!(manager.counters().logins, 2);
    }
}

#[tokio::test]
async fn a_session_lost_between_two_pages_loses_no_object() {
    let manager = started(manager().fault(fault("GET /api/v1/ns-groups after=2 session-loss count=1"))).await;
    let lookups = lookups(&manager, session());
    let whole = call(&lookups, "getNsGroups", json!({})).await.unwrap();
    manager
        .faults()
        .add(fault("GET /api/v1/ns-groups page-size=2 count=2"));
    assert_eq!(call(&lookups, "getNsGroups", json!({})).await.unwrap(), whole);
}

#[tokio::test]
async fn a_session_that_is_lost_with_every_request_is_an_error_and_no_endless_login() {
    let manager = started(manager().fault(fault("GET * session-loss"))).await;
    let error = ask(&lookups(&manager, session())).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unauthenticated);
    assert_eq!((manager.counters().logins, reads(&manager, POOL_PATH)), (2, 2));
}

#[tokio::test]
async fn a_role_that_may_not_read_costs_no_login() {
    let user = User::local("viewer", "secret").denied("/api/v1/pools");
    let manager = started(manager().user(user)).await;
    for more in [json!({}), json!({"sessionAuth": false})] {
        let settings = with(json!({"username": "viewer", "password": "secret"}), more);
        let error = ask(&lookups(&manager, settings)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
        assert!(reported(&error).contains("lacks read"), "{}", reported(&error));
    }
    assert_eq!((manager.counters().logins, reads(&manager, POOL_PATH)), (1, 2));
}

#[tokio::test]
async fn a_missing_licence_costs_no_login() {
    let manager = started(manager().fault(fault("GET /api/v1/pools/* status=403 code=505"))).await;
    let error = ask(&lookups(&manager, session())).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    assert!(reported(&error).contains("licence"), "{}", reported(&error));
    assert_eq!((manager.counters().logins, reads(&manager, POOL_PATH)), (1, 1));
}

/// A client with an access token. Node version and search are on every manager.
fn cloud(manager: &Simulator) -> Lookups {
    let settings = json!({"cloudToken": "api-token", "cloudAuthHost": manager.addr().to_string()});
    lookups(manager, settings)
}

async fn ask_cloud(lookups: &Lookups) {
    call(lookups, "getPolicyBfdProfile", json!({"id": "fast-bfd"}))
        .await
        .unwrap();
}

#[tokio::test]
async fn an_access_token_is_renewed_before_it_ends() {
    let clock = Clock::stop();
    let manager = started(manager().cloud_api_token("api-token")).await;
    let lookups = cloud(&manager);
    clock.run(ask_cloud(&lookups)).await;
    clock.skip(Duration::from_secs(1500)).await;
    clock.run(ask_cloud(&lookups)).await;
    assert_eq!(manager.counters().token_exchanges, 1);
    clock.skip(Duration::from_secs(200)).await;
    clock.run(ask_cloud(&lookups)).await;
    let counters = manager.counters();
    assert_eq!(counters.token_exchanges, 2);
    assert_eq!(counters.responses_with(http::StatusCode::UNAUTHORIZED), 0);
}

#[tokio::test]
async fn access_tokens_that_are_revoked_are_exchanged_once_for_all() {
    let manager = started(manager().cloud_api_token("api-token")).await;
    let lookups = cloud(&manager);
    ask_cloud(&lookups).await;
    manager.revoke_tokens();
    join_all((0..20).map(|_| ask_cloud(&lookups))).await;
    assert_eq!(manager.counters().token_exchanges, 2);
}

#[tokio::test]
async fn a_session_that_ends_while_lookups_wait_refuses_only_those_in_flight() {
    let manager = started(manager()).await;
    let lookups = lookups(&manager, session());
    ask(&lookups).await.unwrap();
    manager.expire_sessions();
    assert!(ask_many(&lookups, 100).await.iter().all(Result::is_ok));
    let counters = manager.counters();
    assert_eq!(counters.logins, 2);
    assert!(counters.responses_with(http::StatusCode::FORBIDDEN) <= 32);
}

#[tokio::test]
async fn one_login_that_fails_in_passing_fails_no_waiting_call() {
    for failing in [
        "status=502 body=html",
        "status=503",
        "status=500 code=607",
        "reset",
    ] {
        let failing = fault(&format!("POST /api/session/create {failing} count=1"));
        let manager = started(manager().fault(failing)).await;
        let answers = ask_many(&lookups(&manager, session()), 100).await;
        assert!(answers.iter().all(Result::is_ok));
        assert_eq!(manager.counters().requests_to(&http::Method::POST, CREATE), 2);
    }
}

#[tokio::test]
async fn a_page_of_a_proxy_for_one_path_costs_no_login() {
    let manager = started(manager().fault(fault("GET /api/v1/pools/* status=403 body=html"))).await;
    let lookups = lookups(&manager, session());
    for answer in ask_many(&lookups, 100).await {
        assert_eq!(answer.unwrap_err().kind(), ErrorKind::PermissionDenied);
    }
    call(&lookups, "getNsGroups", json!({})).await.unwrap();
    assert_eq!(manager.counters().logins, 1);
}

#[tokio::test]
async fn cookies_that_change_or_are_new_with_every_reply_do_not_grow_the_requests() {
    for cookie in ["changing", "new"] {
        let manager = started(manager().fault(fault(&format!("GET * cookie={cookie}")))).await;
        let lookups = lookups(&manager, session());
        for _ in 0..50 {
            ask(&lookups).await.unwrap();
        }
        let requests = manager.requests();
        let cookies = requests.last().unwrap().headers.get_all(http::header::COOKIE);
        let length: usize = cookies.iter().map(|value| value.len()).sum();
        assert!(length < 300, "{cookie}: {length}");
    }
}

#[tokio::test]
async fn a_cookie_of_another_path_neither_ends_nor_replaces_the_session() {
    for cookie in ["JSESSIONID=;Path=/old;Max-Age=0", "JSESSIONID=other;Path=/old"] {
        let manager = manager()
            .fault(fault(&format!(
                "POST /api/session/create header=set-cookie:{cookie}"
            )))
            .fault(fault(&format!("GET * header=set-cookie:{cookie}")));
        let manager = started(manager).await;
        let lookups = lookups(&manager, session());
        for _ in 0..10 {
            ask(&lookups).await.unwrap();
        }
        let counters = manager.counters();
        assert_eq!((counters.logins, counters.failed_logins), (1, 0), "{cookie}");
        assert_eq!(counters.total_requests(), 11, "{cookie}");
    }
}
