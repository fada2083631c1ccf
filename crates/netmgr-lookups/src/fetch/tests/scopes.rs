//! Failures of combined searches, and the lookups that they affect.

use super::*;
use crate::ErrorKind;

fn server(name: &str) -> Value {
    let path = format!("/infra/dhcp-server-configs/{name}");
    json!({"resource_type": "DhcpServerConfig", "id": name, "display_name": name, "path": path})
}

#[tokio::test(start_paused = true)]
async fn a_lookup_for_which_no_answer_comes_fails_alone() {
    let names = ["a", "b", "c", "d"];
    for status in [400, 403, 500, 502, 503, 504] {
        for bad in names {
            let (lookups, _) =
                manager(
                    move |target| match target.contains(&format!("display_name%3A{bad}")) {
                        true => (status, json!({"error_code": 1, "error_message": "failed"})),
                        false => (200, page(names.map(server).to_vec())),
                    },
                );
            let found = join_all(names.map(|name| dhcp(&lookups, name))).await;
            for (name, found) in names.iter().zip(found) {
                // The list may also answer it.
                assert!(found.is_ok() || *name == bad, "{status} {bad} {name}: {found:?}");
            }
        }
    }
}

/// Lookups of a manager with four servers, which never answers requests that contain `hangs`, and the requests that
/// were sent.
fn hanging(hangs: impl Fn(&str) -> bool + Clone + Send + Sync + 'static) -> (Lookups, Sent) {
    let sent = Sent::default();
    let log = Arc::clone(&sent);
    let stack = Stack::new(tower::service_fn(move |request: Request<Bytes>| {
        let target = request.uri().to_string();
        let hangs = hangs(&target);
        log.lock().unwrap().push(target);
        async move {
            if hangs {
                std::future::pending::<()>().await;
            }
            let rows = page(["a", "b", "c", "d"].map(server).to_vec());
            Ok(Response::new(Bytes::from(rows.to_string())))
        }
    }));
    (Lookups::new(Client::new(connection(|_| {}), stack)), sent)
}

#[tokio::test(start_paused = true)]
async fn a_search_that_hangs_ends_only_its_own_lookup() {
    let names = ["a", "b", "c", "d"];
    for bad in names {
        let (lookups, _) = hanging(move |target| target.contains(&format!("display_name%3A{bad}")));
        let found = join_all(names.map(|name| dhcp(&lookups, name))).await;
        for (name, found) in names.iter().zip(found) {
            match found {
                Ok(_) => assert_ne!(*name, bad),
                Err(error) => {
                    assert_eq!(
                        (*name, error.kind()),
                        (bad, ErrorKind::DeadlineExceeded),
                        "{error}"
                    );
                }
            }
        }
        // The request that hangs is dropped once its lookup has given up.
        sleep(LATENCY).await;
        assert_idle(&lookups);
    }
}

#[tokio::test(start_paused = true)]
async fn a_manager_that_hangs_is_sent_one_search_of_each_lookup_and_named_as_the_cause() {
    let (lookups, sent) = hanging(|_| true);
    for failed in join_all(["a", "b", "c", "d", "e", "f"].map(|name| dhcp(&lookups, name))).await {
        assert_eq!(failed.unwrap_err().kind(), ErrorKind::DeadlineExceeded);
    }
    assert_eq!(count(&sent), 1 + 6);
}

#[tokio::test(start_paused = true)]
async fn failures_of_reads_are_those_of_own_requests() {
    for status in [401, 429, 502, 503, 504] {
        let (lookups, sent) = manager(move |_| (status, json!({"error_code": 1, "error_message": "down"})));
        for failed in join_all(["a", "b", "c", "d", "e", "f"].map(|name| dhcp(&lookups, name))).await {
            failed.unwrap_err();
        }
        assert_eq!(count(&sent), 1 + 6, "{status}: {sent:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_search_that_takes_too_long_fails_those_whose_deadline_is_over() {
    let stack = Stack::new(tower::service_fn(|_: Request<Bytes>| async {
        sleep(Duration::from_secs(5)).await;
        let rows = page(["a", "b"].map(server).to_vec());
        Ok(Response::new(Bytes::from(rows.to_string())))
    }));
    let lookups = Lookups::new(Client::new(connection(|_| {}), stack));
    let hasty = Call {
        deadline: Some(Duration::from_secs(1)),
        ..Call::default()
    };
    let input = json!({"displayName": "a"});
    let (hasty, patient) = tokio::join!(
        lookups.invoke("getPolicyDhcpServer", input, &hasty),
        dhcp(&lookups, "b"),
    );
    assert_eq!(hasty.unwrap_err().kind(), ErrorKind::DeadlineExceeded);
    patient.unwrap();
}

/// Runtimes of one thread, whose clocks are paused.
fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap()
}

#[test]
fn lookups_of_one_runtime_do_not_wait_for_another_one_that_rests() {
    let (lookups, sent) = manager(|_| (200, pools(["a", "b"])));
    let (resting, busy) = (runtime(), runtime());
    let waiting = resting.spawn({
        let lookups = lookups.clone();
        async move { pool(&lookups, "a").await }
    });
    resting.block_on(async { sleep(LATENCY / 2).await });
    // Its request is in flight, but not polled.
    assert_eq!(count(&sent), 1);
    assert_eq!(busy.block_on(pool(&lookups, "b")).unwrap()["id"], "id-b");
    assert_eq!(resting.block_on(waiting).unwrap().unwrap()["id"], "id-a");
    assert_eq!(count(&sent), 2);
    drop((resting, busy));
    assert_idle(&lookups);
}
