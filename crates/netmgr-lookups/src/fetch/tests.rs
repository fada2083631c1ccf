use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use http::{Request, Response};
use netmgr_transport::{Client, Stack};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::tests::manager::connection;
use crate::{Call, Error, Lookups};

const LATENCY: Duration = Duration::from_millis(50);

/// Paths and queries in the order in which they were sent.
type Sent = Arc<Mutex<Vec<String>>>;

/// Lookups of a manager that answers after [`LATENCY`], and what was sent to it.
fn manager(answer: impl Fn(&str) -> (u16, Value) + Send + Sync + 'static) -> (Lookups, Sent) {
    let sent = Sent::default();
    let log = Arc::clone(&sent);
    let answer = Arc::new(answer);
    let stack = Stack::new(tower::service_fn(move |request: Request<Bytes>| {
        let target = request.uri().path_and_query().unwrap().to_string();
        log.lock().unwrap().push(target.clone());
        let answer = Arc::clone(&answer);
        async move {
            // The manager reads its objects when the request arrives.
            let (status, body) = answer(&target);
            sleep(LATENCY).await;
            let reply = Response::builder()
                .status(status)
                .header("content-type", "application/json");
            Ok(reply.body(Bytes::from(body.to_string())).unwrap())
        }
    }));
    (Lookups::new(Client::new(connection(|_| {}), stack)), sent)
}

fn pools(names: impl IntoIterator<Item = impl Into<String>>) -> Value {
    let row =
        |name: String| json!({"resource_type": "IpPool", "id": format!("id-{name}"), "display_name": name});
    page(names.into_iter().map(|name| row(name.into())).collect())
}

fn page(rows: Vec<Value>) -> Value {
    json!({"result_count": rows.len(), "results": rows})
}

async fn pool(lookups: &Lookups, name: &str) -> Result<Value, Error> {
    let input = json!({"displayName": name});
    lookups.invoke("getIpPool", input, &Call::default()).await
}

async fn pool_by_id(lookups: &Lookups, id: &str) -> Result<Value, Error> {
    lookups
        .invoke("getIpPool", json!({"id": id}), &Call::default())
        .await
}

fn count(sent: &Sent) -> usize {
    sent.lock().unwrap().len()
}

fn assert_idle(lookups: &Lookups) {
    let batches = crate::lock::lock(&lookups.batcher.batches);
    assert!(
        batches.values().all(|batch| batch.strong_count() == 0),
        "a task is left"
    );
}

#[tokio::test(start_paused = true)]
async fn lookups_of_one_collection_that_arrive_together_share_one_list() {
    let names: Vec<String> = (0..1000).map(|number| format!("pool-{number:04}")).collect();
    let all = names.clone();
    let (lookups, sent) = manager(move |_| (200, pools(all.clone())));
    let started = Instant::now();
    let found = join_all(names.iter().map(|name| pool(&lookups, name))).await;
    for (name, found) in names.iter().zip(found) {
        assert_eq!(found.unwrap()["id"], format!("id-{name}"));
    }
    assert_eq!(count(&sent), 1);
    assert!(started.elapsed() <= LATENCY + Duration::from_millis(5));
    let stats = lookups.stats();
    assert_eq!((stats.lookups, stats.shared, stats.pages), (1000, 999, 1));
    assert_eq!((stats.traffic.requests, stats.traffic.retries), (1, 0));
    assert!(stats.traffic.bytes > 50_000);
    sleep(Duration::from_millis(1)).await;
    assert_idle(&lookups);
}

#[tokio::test(start_paused = true)]
async fn a_lookup_is_answered_only_by_a_request_that_began_after_it() {
    let version = Arc::new(AtomicU64::new(0));
    let current = Arc::clone(&version);
    let (lookups, sent) = manager(move |_| {
        let text = current.load(Ordering::Relaxed).to_string();
        let row = json!({"resource_type": "IpPool", "id": "a", "display_name": "a", "description": text});
        (200, page(vec![row]))
    });
    let early = tokio::spawn({
        let lookups = lookups.clone();
        async move { pool(&lookups, "a").await.unwrap() }
    });
    sleep(LATENCY / 2).await;
    version.store(1, Ordering::Relaxed);
    let late = join_all([pool(&lookups, "a"), pool(&lookups, "a"), pool(&lookups, "a")]).await;
    assert_eq!(early.await.unwrap()["description"], "0");
    for found in late {
        assert_eq!(found.unwrap()["description"], "1");
    }
    assert_eq!(count(&sent), 2, "the late ones share the next request");
}

#[tokio::test(start_paused = true)]
async fn searches_of_several_kinds_and_projects_become_one_query() {
    let (lookups, sent) = manager(|_| {
        let object = |kind: &str, name: &str, path: &str| json!({"resource_type": kind, "id": name, "display_name": name, "path": path});
        (
            200,
            page(vec![
                object("DhcpServerConfig", "a", "/infra/dhcp-server-configs/a"),
                object(
                    "DhcpServerConfig",
                    "a",
                    "/orgs/default/projects/dev/infra/dhcp-server-configs/a",
                ),
                object("TlsCertificate", "a", "/infra/certificates/a"),
                object("TlsCertificate", "ab", "/infra/certificates/ab"),
            ]),
        )
    });
    let call = Call::default();
    let invoke = |function, input| lookups.invoke(function, input, &call);
    let (dhcp, project, certificate, missing) = tokio::join!(
        invoke("getPolicyDhcpServer", json!({"displayName": "a"})),
        invoke(
            "getPolicyDhcpServer",
            json!({"displayName": "a", "context": {"projectId": "dev"}})
        ),
        invoke("getPolicyCertificate", json!({"displayName": "ab"})),
        invoke("getPolicyContextProfile", json!({"displayName": "a"})),
    );
    assert_eq!(dhcp.unwrap()["path"], "/infra/dhcp-server-configs/a");
    assert_eq!(
        project.unwrap()["path"],
        "/orgs/default/projects/dev/infra/dhcp-server-configs/a"
    );
    assert_eq!(certificate.unwrap()["path"], "/infra/certificates/ab");
    missing.unwrap_err();
    let searches = sent
        .lock()
        .unwrap()
        .iter()
        .filter(|path| path.contains("search"))
        .count();
    assert_eq!(searches, 1);
}

/// A manager that refuses any query with a disjunction, or one that names `bad`.
fn refusing(disjunctions: bool) -> (Lookups, Sent) {
    manager(move |target| {
        let refused = target.contains("bad") || (disjunctions && target.contains("OR"));
        if refused && target.contains("search") {
            return (
                400,
                json!({"error_code": 60500, "error_message": "cannot parse the query"}),
            );
        }
        let row = |name: &str| {
            let path = format!("/infra/dhcp-server-configs/{name}");
            json!({"resource_type": "DhcpServerConfig", "id": name, "display_name": name, "path": path})
        };
        (200, page(["a", "b", "c", "caf\u{e9}"].map(row).to_vec()))
    })
}

async fn dhcp(lookups: &Lookups, name: &str) -> Result<Value, Error> {
    let input = json!({"displayName": name});
    lookups
        .invoke("getPolicyDhcpServer", input, &Call::default())
        .await
}

#[tokio::test(start_paused = true)]
async fn where_a_combined_search_is_refused_each_lookup_sends_its_own() {
    let (lookups, sent) = refusing(true);
    for requests in [1 + 3, 1 + 3] {
        sent.lock().unwrap().clear();
        for found in join_all(["a", "b", "c"].map(|name| dhcp(&lookups, name))).await {
            found.unwrap();
        }
        assert_eq!(count(&sent), requests);
    }
}

/// An edge cluster below another enforcement point than the default one, which only the search finds.
async fn edge_cluster(lookups: &Lookups, name: &str) -> Result<Value, Error> {
    let input = json!({"displayName": name});
    lookups
        .invoke("getPolicyEdgeCluster", input, &Call::default())
        .await
}

#[tokio::test(start_paused = true)]
async fn a_name_in_several_forms_is_found_where_the_manager_rejects_alternatives() {
    for status in [400, 414, 431, 500] {
        let (lookups, sent) = manager(move |target| {
            let path = "/infra/sites/default/enforcement-points/other/edge-clusters/a";
            let row = json!({"resource_type": "PolicyEdgeCluster", "id": "a", "display_name": "caf\u{e9}", "path": path});
            match (target.contains("search"), target.contains("OR")) {
                (true, true) => (
                    status,
                    json!({"error_code": 60500, "error_message": "cannot parse the query"}),
                ),
                (true, false) => (200, page(vec![row])),
                (false, _) => (200, page(Vec::new())),
            }
        });
        let several = |target: &&String| target.contains("OR");
        for _ in 0..2 {
            sent.lock().unwrap().clear();
            assert_eq!(edge_cluster(&lookups, "caf\u{e9}").await.unwrap()["id"], "a");
            let sent = sent.lock().unwrap();
            assert!(sent.iter().any(|target| several(&target)), "{status}: {sent:?}");
            assert_eq!(
                sent.iter().filter(|target| !several(target)).count(),
                1,
                "{sent:?}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_lookup_whose_search_is_refused_fails_alone() {
    let (lookups, sent) = refusing(false);
    let found = join_all(["a", "bad", "c"].map(|name| dhcp(&lookups, name))).await;
    assert!(found[0].is_ok() && found[2].is_ok());
    found[1].as_ref().unwrap_err();
    sent.lock().unwrap().clear();
    for found in join_all(["a", "c"].map(|name| dhcp(&lookups, name))).await {
        found.unwrap();
    }
    assert_eq!(count(&sent), 1, "combined searches go on");
}

#[tokio::test(start_paused = true)]
async fn objects_by_id_share_a_list_and_a_missing_one_is_read_at_its_own_path() {
    let (lookups, sent) = manager(|target| match target.strip_prefix("/api/v1/pools/ip-pools/") {
        Some(_) => (404, json!({"error_code": 600, "error_message": "no such pool"})),
        None => (200, pools(["a", "b", "c"])),
    });
    let found = join_all(["id-a", "id-b", "id-none"].map(|id| pool_by_id(&lookups, id))).await;
    assert_eq!(found[0].as_ref().unwrap()["displayName"], "a");
    assert_eq!(found[1].as_ref().unwrap()["displayName"], "b");
    assert!(matches!(&found[2], Err(Error::NotFound { source: Some(_), .. })));
    assert_eq!(
        *sent.lock().unwrap(),
        [
            "/api/v1/pools/ip-pools?page_size=1000",
            "/api/v1/pools/ip-pools/id-none"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_single_object_by_id_is_read_at_its_own_path() {
    let (lookups, sent) = manager(|_| (200, json!({"id": "id-a", "display_name": "a"})));
    pool_by_id(&lookups, "id-a").await.unwrap();
    assert_eq!(*sent.lock().unwrap(), ["/api/v1/pools/ip-pools/id-a"]);
}

#[tokio::test(start_paused = true)]
async fn a_list_that_is_longer_than_the_objects_are_many_is_given_up() {
    let (lookups, sent) = manager(|target| match target.strip_prefix("/api/v1/pools/ip-pools/") {
        Some(id) => (200, json!({"id": id, "display_name": "x"})),
        None => (
            200,
            json!({"results": [{"id": "other"}], "result_count": 9000, "cursor": "1"}),
        ),
    });
    for (pass, expected) in [("first", 1 + 2), ("second", 2)] {
        sent.lock().unwrap().clear();
        for found in join_all(["a", "b"].map(|id| pool_by_id(&lookups, id))).await {
            found.unwrap();
        }
        assert_eq!(count(&sent), expected, "{pass}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_is_dropped_with_the_last_of_its_lookups() {
    let dropped = Arc::new(Mutex::new(false));
    struct OnDrop(Arc<Mutex<bool>>);
    impl Drop for OnDrop {
        fn drop(&mut self) {
            *self.0.lock().unwrap() = true;
        }
    }
    let seen = Arc::clone(&dropped);
    let stack = Stack::new(tower::service_fn(move |_: Request<Bytes>| {
        let guard = OnDrop(Arc::clone(&seen));
        async move {
            std::future::pending::<()>().await;
            drop(guard);
            unreachable!()
        }
    }));
    let lookups = Lookups::new(Client::new(connection(|_| {}), stack));
    let waiting: Vec<_> = (0..3)
        .map(|_| {
            let lookups = lookups.clone();
            tokio::spawn(async move { pool(&lookups, "a").await })
        })
        .collect();
    sleep(LATENCY).await;
    waiting.iter().for_each(tokio::task::JoinHandle::abort);
    sleep(LATENCY).await;
    assert!(*dropped.lock().unwrap());
    assert_idle(&lookups);
}

#[tokio::test(start_paused = true)]
async fn a_shared_failure_reaches_each_lookup_in_its_own_words() {
    let (lookups, sent) = manager(|_| (403, json!({"error_code": 401, "error_message": "no role"})));
    let failed = join_all(["a", "b"].map(|name| pool(&lookups, name))).await;
    for (name, failed) in ["a", "b"].iter().zip(failed) {
        let error = failed.unwrap_err();
        assert!(error.to_string().contains(&format!("{name:?}")), "{error}");
        assert!(
            std::error::Error::source(&error)
                .unwrap()
                .to_string()
                .contains("no role")
        );
    }
    assert_eq!(count(&sent), 1);
}

#[tokio::test(start_paused = true)]
async fn each_lookup_keeps_its_own_deadline() {
    let stack = Stack::new(tower::service_fn(|_: Request<Bytes>| async {
        sleep(Duration::from_secs(2)).await;
        Ok(Response::new(Bytes::from(pools(["a"]).to_string())))
    }));
    let lookups = Lookups::new(Client::new(connection(|_| {}), stack));
    let deadline = Duration::from_secs(1);
    let hasty = Call {
        deadline: Some(deadline),
        ..Call::default()
    };
    let started = Instant::now();
    let (patient, hasty) = tokio::join!(pool(&lookups, "a"), async {
        let failed = lookups
            .invoke("getIpPool", json!({"displayName": "a"}), &hasty)
            .await;
        (failed, started.elapsed())
    });
    patient.unwrap();
    let (failed, after) = hasty;
    let error = failed.unwrap_err();
    assert_eq!(error.kind(), crate::ErrorKind::DeadlineExceeded, "{error}");
    assert!(after <= deadline + super::batch::GRACE);
}

#[tokio::test(start_paused = true)]
async fn a_lookup_does_not_wait_for_the_end_of_a_long_map() {
    let (lookups, _) = manager(|target| {
        let at = target
            .split_once("cursor=")
            .map_or(0, |(_, at)| at.parse().unwrap());
        let row = |number: u32| json!({"resource_type": "NSGroup", "id": number.to_string(), "display_name": format!("g{number}")});
        let rows: Vec<Value> = (at * 10..(at + 1) * 10).map(row).collect();
        let next = (at < 99).then(|| (at + 1).to_string());
        (
            200,
            json!({"results": rows, "result_count": 1000, "cursor": next}),
        )
    });
    let map = tokio::spawn({
        let lookups = lookups.clone();
        async move { lookups.invoke("getNsGroups", json!({}), &Call::default()).await }
    });
    sleep(LATENCY * 2).await;
    let started = Instant::now();
    let input = json!({"id": "7"});
    lookups
        .invoke("getNsGroup", input, &Call::default())
        .await
        .unwrap_err();
    assert!(started.elapsed() <= Duration::from_secs(1) + LATENCY * 2);
    assert_eq!(
        map.await.unwrap().unwrap()["items"].as_object().unwrap().len(),
        1000
    );
}

#[tokio::test(start_paused = true)]
async fn a_slow_answer_holds_up_its_collection_for_a_second_at_most() {
    let stack = Stack::new(tower::service_fn(|request: Request<Bytes>| async move {
        let id = request.uri().path().rsplit('/').next().unwrap().to_owned();
        sleep(if id == "slow" {
            Duration::from_secs(8)
        } else {
            LATENCY
        })
        .await;
        let body = json!({"id": id, "display_name": id}).to_string();
        Ok(Response::new(Bytes::from(body)))
    }));
    let lookups = Lookups::new(Client::new(connection(|_| {}), stack));
    let slow = tokio::spawn({
        let lookups = lookups.clone();
        async move { pool_by_id(&lookups, "slow").await }
    });
    sleep(LATENCY).await;
    let started = Instant::now();
    pool_by_id(&lookups, "quick").await.unwrap();
    assert!(started.elapsed() <= Duration::from_secs(1) + LATENCY);
    slow.await.unwrap().unwrap();
}

mod confidential;
mod hostile;
mod lists;
mod log;
mod properties;
