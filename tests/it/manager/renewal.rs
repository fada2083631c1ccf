//! Credentials that end: which answers cost a new login, and how many.

use std::time::Duration;

use netmgr_sim::User;

use super::support::*;
use super::*;

/// The status and code of a session that was idle for too long, of one on another node, and what a lookup costs then:
/// the refusal, one login, the replay.
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
        assert!(told(&error).contains("lacks read"), "{}", told(&error));
    }
    assert_eq!((manager.counters().logins, reads(&manager, POOL_PATH)), (1, 2));
}

#[tokio::test]
async fn a_missing_licence_costs_no_login() {
    let manager = started(manager().fault(fault("GET /api/v1/pools/* status=403 code=505"))).await;
    let error = ask(&lookups(&manager, session())).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    assert!(told(&error).contains("licence"), "{}", told(&error));
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
