//! Tests of wrong passwords: there is one failed login, regardless of the number of callers. Five failed logins lock
//! the account.

use std::collections::BTreeSet;
use std::time::Duration;

use netmgr_sim::{DEFAULT_USERNAME, User};

use super::support::*;
use super::*;

fn wrong(more: Value) -> Value {
    with(json!({"username": DEFAULT_USERNAME, "password": "not it"}), more)
}

#[tokio::test]
async fn a_wrong_password_is_one_failed_login_and_one_reason_for_all() {
    for more in [
        json!({}),
        json!({"sessionAuth": false}),
        json!({"remoteAuth": true, "sessionAuth": false}),
    ] {
        for builder in both_protocols() {
            let manager = started(builder).await;
            let lookups = lookups(&manager, wrong(more.clone()));
            let answers = ask_many(&lookups, 64).await;
            let errors: Vec<_> = answers.into_iter().map(Result::unwrap_err).collect();
            assert!(
                errors
                    .iter()
                    .all(|error| error.kind() == ErrorKind::Unauthenticated)
            );
            let reasons: BTreeSet<String> = errors.iter().map(reported).collect();
            // Of requests with the password, one is sent.
            let most = if more.get("sessionAuth").is_some() { 2 } else { 1 };
            assert!(reasons.len() <= most, "{reasons:#?}");
            assert!(
                reasons.first().unwrap().contains("check user name and password"),
                "{reasons:#?}"
            );
            for answer in ask_many(&lookups, 10).await {
                let reason = reported(&answer.unwrap_err());
                assert!(
                    reasons.contains(&reason)
                        || reason.contains("not sent, because the manager rejected the same login"),
                    "{reason}"
                );
            }
            let counters = manager.counters();
            assert_eq!((counters.failed_logins, counters.total_requests()), (1, 1));
        }
    }
}

#[tokio::test]
async fn an_invalid_cloud_token_is_one_failed_exchange() {
    let manager = started(manager()).await;
    let settings = json!({"cloudToken": "unknown", "cloudAuthHost": manager.addr().to_string()});
    let lookups = lookups(&manager, settings);
    let question = || call(&lookups, "getPolicyBfdProfile", json!({"id": "fast-bfd"}));
    for answer in join_all((0..64).map(|_| question())).await {
        let error = answer.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unauthenticated);
        assert!(reported(&error).contains("cloudToken"), "{}", reported(&error));
    }
    assert_eq!(manager.counters().total_requests(), 1);
}

#[tokio::test]
async fn a_lockout_is_not_made_longer_by_later_lookups() {
    let clock = Clock::stop();
    let manager = started(manager()).await;
    for _ in 0..5 {
        let client = lookups(&manager, wrong(json!({})));
        let error = clock.run(ask(&client)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unauthenticated);
    }
    let locked = lookups(&manager, session());
    for _ in 0..3 {
        let error = clock.run(ask(&locked)).await.unwrap_err();
        assert!(
            reported(&error).contains("five failed logins lock the account"),
            "{}",
            reported(&error)
        );
        clock.skip(Duration::from_secs(299)).await;
    }
    assert_eq!(manager.counters().failed_logins, 6);
    clock.skip(Duration::from_secs(3)).await;
    clock.run(ask(&locked)).await.unwrap();
}

#[tokio::test]
async fn a_password_changed_on_the_manager_is_one_failed_login() {
    // With sessions, the first rejection after the change is that of the renewal.
    let manager = started(manager()).await;
    let lookups = lookups(&manager, session());
    ask(&lookups).await.unwrap();
    manager.expire_sessions();
    manager.faults().add(fault("POST /api/session/create status=403"));
    for answer in ask_many(&lookups, 30).await {
        assert_eq!(answer.unwrap_err().kind(), ErrorKind::Unauthenticated);
    }
    assert_eq!(manager.counters().requests_to(&http::Method::POST, CREATE), 2);
}

#[tokio::test]
async fn a_page_of_a_proxy_for_one_path_is_no_wrong_password() {
    let manager = started(manager().fault(fault("GET /api/v1/pools/* status=403 body=html"))).await;
    let lookups = lookups(&manager, with(session(), json!({"sessionAuth": false})));
    for answer in ask_many(&lookups, 100).await {
        let error = answer.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
        assert!(reported(&error).contains(POOL_PATH), "{}", reported(&error));
    }
    call(&lookups, "getNsGroups", json!({})).await.unwrap();
    assert_eq!(manager.counters().failed_logins, 0);
}

#[tokio::test]
async fn a_wrong_password_behind_a_lone_lookup_is_one_failed_login_for_those_that_follow() {
    let manager = started(manager()).await;
    let lookups = lookups(&manager, wrong(json!({"sessionAuth": false})));
    assert!(reported(&ask(&lookups).await.unwrap_err()).contains(POOL_PATH));
    for answer in ask_many(&lookups, 10).await {
        let reason = reported(&answer.unwrap_err());
        assert!(
            reason.contains("not sent, because the manager rejected the same login"),
            "{reason}"
        );
    }
    let counters = manager.counters();
    assert_eq!((counters.failed_logins, counters.total_requests()), (1, 1));
}

#[tokio::test]
async fn a_wrong_password_behind_lost_answers_does_not_lock_the_account() {
    let manager = started(manager().fault(fault("POST /api/session/create status=502 body=html"))).await;
    let lookups = lookups(&manager, wrong(json!({"maxRetries": 20})));
    for _ in 0..3 {
        for answer in ask_many(&lookups, 10).await {
            answer.unwrap_err();
        }
    }
    assert_eq!(manager.counters().requests_to(&http::Method::POST, CREATE), 4);
}

/// Requests with the password: logins, and reads with user name and password.
fn passwords(manager: &Simulator) -> usize {
    let requests = manager.requests();
    requests
        .iter()
        .filter(|request| request.path == CREATE || request.headers.contains_key(http::header::AUTHORIZATION))
        .count()
}

#[tokio::test]
async fn replies_to_logins_that_are_not_clear_cost_four_passwords_in_three_minutes() {
    let clock = Clock::stop();
    for more in [
        json!({}),
        json!({"remoteAuth": true}),
        json!({"sessionAuth": false}),
        json!({"remoteAuth": true, "sessionAuth": false}),
    ] {
        for unclear in [
            "status=302 header=location:/login.jsp",
            "body=html",
            "status=403 body=html",
            "status=407 body=html",
            "status=503 body=html",
            "reset",
        ] {
            let what = format!("{more}, {unclear}");
            let user = match more["remoteAuth"] == true {
                true => User::directory("reader@corp.example", "secret"),
                false => User::local("reader@corp.example", "secret"),
            };
            let faulty = manager().user(user).fault(fault(&format!("* * {unclear}")));
            let manager = started(faulty).await;
            let account = json!({"username": "reader@corp.example", "password": "secret"});
            let lookups = lookups(&manager, with(account, more.clone()));
            let ask_all = || async {
                let inputs = (0..40).map(|number| match number % 2 {
                    0 => ("getIpPool", json!({"id": format!("pool-{number}")})),
                    _ => (
                        "getPolicyDhcpServer",
                        json!({"displayName": format!("dhcp-{number}")}),
                    ),
                });
                let answers = inputs.map(|(function, input)| call(&lookups, function, input));
                for answer in clock.run(join_all(answers)).await {
                    let error = answer.unwrap_err();
                    assert_ne!(
                        error.kind(),
                        ErrorKind::Unauthenticated,
                        "{what}: {}",
                        reported(&error)
                    );
                }
            };
            ask_all().await;
            let at_first = passwords(&manager);
            assert!((1..=4).contains(&at_first), "{what}: {at_first} passwords");
            ask_all().await;
            ask_all().await;
            assert!(
                passwords(&manager) <= 4,
                "{what}: {} passwords",
                passwords(&manager)
            );
            manager.faults().clear();
            clock.skip(Duration::from_secs(180)).await;
            clock.run(ask(&lookups)).await.unwrap();
        }
    }
}
