use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bytes::Bytes;
use netmgr_transport::Stack;
use netmgr_types::ProviderConfig as Settings;
use serde_json::{Value, json};

use super::*;
use crate::Client;
use crate::lookups::{GetComputeManagerRealization, GetIpPool, GetManagerInfo};

/// A client whose requests `answer` answers by path.
fn client(answer: impl Fn(&str) -> Option<Value> + Send + Sync + 'static) -> Client {
    let answer = Arc::new(answer);
    let stack = Stack::new(tower::service_fn(move |request: http::Request<Bytes>| {
        let answer = Arc::clone(&answer);
        async move {
            match answer(request.uri().path()) {
                Some(body) => Ok(http::Response::new(Bytes::from(body.to_string()))),
                None => std::future::pending().await,
            }
        }
    }));
    let settings = Settings::new("manager.test").username("admin").password("secret");
    let connection = settings.resolve().unwrap();
    Client::with_lookups(Lookups::new(netmgr_transport::Client::new(connection, stack)))
}

/// A compute manager that is realized at its third poll.
fn third_time() -> Client {
    let polls = AtomicU32::new(0);
    client(move |_| {
        let state = if polls.fetch_add(1, Relaxed) < 2 {
            "pending"
        } else {
            "success"
        };
        Some(json!({ "state": state }))
    })
}

#[tokio::test(start_paused = true)]
async fn progress_of_a_wait_is_reported_until_its_end() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let states = Arc::clone(&seen);
    let found = third_time()
        .run(GetComputeManagerRealization::of("cm-1").check_registration(false))
        .on_progress(move |progress| states.lock().unwrap().push(progress.state.clone()))
        .await
        .unwrap();
    assert_eq!(found.state, "success");
    let seen = seen.lock().unwrap();
    assert!(
        seen.iter().filter(|state| *state == "pending").count() >= 2,
        "{seen:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn without_waiting_the_state_is_read_once() {
    let found = third_time()
        .run(GetComputeManagerRealization::of("cm-1").check_registration(false))
        .without_waiting()
        .await
        .unwrap();
    assert_eq!(found.state, "pending");
}

#[tokio::test(start_paused = true)]
async fn a_deadline_ends_a_lookup_that_is_not_answered() {
    let error = client(|_| None)
        .run(GetIpPool::by_id("pool-1"))
        .deadline(Duration::from_secs(3))
        .await
        .unwrap_err();
    assert_eq!(
        error.kind(),
        netmgr_lookups::ErrorKind::DeadlineExceeded,
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_signal_cancels_a_lookup() {
    let error = client(|_| None)
        .run(GetIpPool::by_id("pool-1"))
        .cancel_when(tokio::time::sleep(Duration::from_secs(1)))
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Cancelled { .. }), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_warning_reaches_its_listener() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let warnings = Arc::clone(&heard);
    let manager =
        client(|_| Some(json!({"id": "pool-1", "display_name": "blue", "resource_type": "IpPool"})));
    let found = manager
        .run(GetIpPool::by_id("pool-1").display_name("green"))
        .on_warning(move |warning| warnings.lock().unwrap().push(warning.to_owned()))
        .await
        .unwrap();
    assert_eq!(found.display_name, "blue");
    let heard = heard.lock().unwrap();
    assert_eq!(heard.len(), 1);
    assert!(heard[0].contains("\"blue\""), "{heard:?}");
}

#[tokio::test]
async fn lookups_of_clones_run_in_tasks_and_share_a_request() {
    let manager = client(|_| Some(json!({"node_version": "4.2.1", "product_version": "4.2.1"})));
    let tasks: Vec<_> = (0..10)
        .map(|_| tokio::spawn(manager.clone().run(GetManagerInfo::new()).into_future()))
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap().unwrap().version, "4.2.1");
    }
    assert_eq!(manager.stats().lookups, 10);
    assert_eq!(manager.stats().traffic.requests, 1);
}
