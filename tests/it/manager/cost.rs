//! The cost of a client for the manager: requests and connections, from its creation to its end.

use netmgr_sim::{ClientCertificates, RequestCounters};

use super::support::*;
use super::*;

#[tokio::test]
async fn making_a_client_sends_nothing() {
    let manager = started(manager()).await;
    for settings in [session(), basic()] {
        lookups(&manager, settings);
    }
    client(&manager, basic()).open_in_background();
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(manager.counters(), RequestCounters::default());
}

#[tokio::test]
async fn a_cold_lookup_is_one_request_or_two_with_a_session() {
    for builder in both_protocols() {
        let manager = started(
            builder
                .client_certificates(ClientCertificates::Optional)
                .principal_identity("reader"),
        )
        .await;
        let identity = manager.client_identity("reader").unwrap();
        let certificate =
            json!({"clientAuthCert": identity.certificate_pem, "clientAuthKey": identity.key_pem});
        for (settings, cost) in [(basic(), 1), (session(), 2), (certificate, 1)] {
            let before = manager.counters();
            ask(&lookups(&manager, settings)).await.unwrap();
            let after = manager.counters();
            assert_eq!(after.total_requests() - before.total_requests(), cost);
            assert_eq!(after.connections - before.connections, 1);
        }
    }
}

#[tokio::test]
async fn only_a_function_that_needs_the_version_requests_it_and_once() {
    let manager = started(manager()).await;
    let lookups = lookups(&manager, basic());
    let version = || reads(&manager, "/api/v1/node/version");
    ask(&lookups).await.unwrap();
    assert_eq!(version(), 0);
    let by_name = || {
        call(
            &lookups,
            "getPolicyEdgeTransportNode",
            json!({"displayName": "edge-01"}),
        )
    };
    for answer in join_all((0..8).map(|_| by_name())).await {
        answer.unwrap();
    }
    assert_eq!(version(), 1);
}

#[tokio::test]
async fn a_session_opened_in_the_background_spares_the_first_lookup_its_login() {
    let manager = started(manager()).await;
    let lookups = lookups(&manager, session());
    lookups.client().open_in_background();
    yield_until(|| manager.counters().responses_with(http::StatusCode::OK) == 1).await;
    let counters = manager.counters();
    assert_eq!((counters.logins, counters.total_requests()), (1, 1));
    ask(&lookups).await.unwrap();
    let counters = manager.counters();
    assert_eq!(
        (counters.logins, counters.total_requests(), counters.connections),
        (1, 2, 1)
    );
}

#[tokio::test]
async fn a_manager_without_room_in_the_background_is_no_failure_before_the_first_lookup() {
    let manager = started(manager().fault(fault("POST /api/session/create status=503 count=1"))).await;
    let lookups = lookups(&manager, session());
    lookups.client().open_in_background();
    yield_until(|| manager.counters().faults == 1).await;
    ask(&lookups).await.unwrap();
    assert_eq!(manager.counters().logins, 1);
}

#[tokio::test]
async fn many_cold_lookups_share_one_http2_connection() {
    let manager = started(manager()).await;
    for settings in [session(), basic()] {
        let before = manager.counters().connections;
        assert!(
            ask_many(&lookups(&manager, settings), 30)
                .await
                .iter()
                .all(Result::is_ok)
        );
        assert_eq!(manager.counters().connections - before, 1);
    }
}

#[tokio::test]
async fn closing_ends_the_session_and_sends_nothing_without_one() {
    for builder in both_protocols() {
        let manager = started(builder).await;
        let with_session = lookups(&manager, session());
        with_session.client().close().await;
        let without = lookups(&manager, basic());
        ask(&without).await.unwrap();
        without.client().close().await;
        assert_eq!(manager.counters().total_requests(), 1);

        ask(&with_session).await.unwrap();
        with_session.client().close().await;
        with_session.client().close().await;
        let counters = manager.counters();
        assert_eq!((counters.logins, counters.sessions_destroyed), (1, 1));
        assert_eq!(counters.total_requests(), 4);
    }
}

#[tokio::test]
async fn closing_ends_a_session_that_is_only_being_opened() {
    let manager = started(manager()).await;
    let client = client(&manager, session());
    client.open_in_background();
    yield_until(|| manager.counters().logins == 1).await;
    client.close().await;
    assert_eq!(manager.counters().sessions_destroyed, 1);
}

#[tokio::test]
async fn lookups_write_nothing() {
    let manager = started(manager()).await;
    let settings = with(
        session(),
        json!({"licenseKeys": ["AAAAA-BBBBB-CCCCC-DDDDD-EEEEE"]}),
    );
    let lookups = lookups(&manager, settings);
    ask(&lookups).await.unwrap();
    call(&lookups, "getNsGroups", json!({})).await.unwrap();
    lookups.client().close().await;
    assert_eq!(manager.counters().writes, 0);
}
