//! Failures of a shared request, which only lookups whose own request fails in the same way report.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use netmgr_lookups::{Call, ErrorKind, Observer, Progress};
use netmgr_transport::LoginRecord;
use serde_json::json;
use tokio::time::{Instant, sleep, timeout};

use super::script::*;

/// A manager on which searches for a name in `bad` get `reply`.
fn failing(
    bad: &'static [&'static str],
    reply: impl Fn(&str, Duration) -> Reply + Send + Sync + 'static,
) -> Script {
    Script::new(move |target, at| {
        if !is_search(target) {
            return page(NAMES.map(server));
        }
        let names = searched(target);
        match names.iter().find(|name| bad.contains(name)) {
            Some(name) => reply(name, at),
            None => page(names.into_iter().map(server)),
        }
    })
}

#[tokio::test(start_paused = true)]
async fn two_names_that_get_no_answer_fail_no_other() {
    type Replies = fn(&str, Duration) -> Reply;
    let replies: [(&str, Replies); 5] = [
        ("both hang", |_, _| Reply::Hang),
        ("both are 504", |_, _| Reply::error(504)),
        ("a 502 and a 500", |name, _| {
            Reply::error(if name == "n1" { 502 } else { 500 })
        }),
        ("a hang and a 503", |name, _| {
            if name == "n1" {
                Reply::Hang
            } else {
                Reply::error(503)
            }
        }),
        ("a reset and a 408", |name, _| {
            if name == "n1" {
                Reply::Reset
            } else {
                Reply::error(408)
            }
        }),
    ];
    for (what, reply) in replies {
        let script = failing(&["n1", "n2"], reply);
        let found = script.all(DHCP, named(&NAMES[..6])).await;
        for (name, found) in NAMES.iter().zip(found).skip(2) {
            assert!(found.is_ok(), "{what}: {name}: {found:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn slow_searches_fail_no_other() {
    let script = Script::new(|target, _| {
        if is_search(target) {
            page(searched(target).into_iter().map(server)).after(4)
        } else {
            page(NAMES.map(server))
        }
    });
    for found in script.all(DHCP, named(&NAMES[..6])).await {
        found.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_is_reset_for_one_name_fails_only_that_one() {
    for reply in [Reply::Reset, Reply::error(408)] {
        let script = failing(&["n1"], move |_, _| reply.clone());
        let found = script.all(DHCP, named(&NAMES[..6])).await;
        assert!(found.iter().skip(1).all(Result::is_ok), "{found:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_announced_pause_concerns_its_own_request_only() {
    let script = failing(&["n1"], |_, _| Reply::Later(503, "3600"));
    let waiting = tokio::spawn({
        let script = script.clone();
        async move { script.invoke(DHCP, json!({"displayName": "n1"})).await }
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    let started = Instant::now();
    for found in script.all(DHCP, named(&["n2", "n3"])).await {
        found.unwrap();
    }
    assert!(
        started.elapsed() < Duration::from_secs(2),
        "{:?}",
        started.elapsed()
    );
    waiting.abort();
}

/// The lines of progress.
#[derive(Default)]
struct Lines(Mutex<Vec<String>>);

impl Observer for Lines {
    fn warning(&self, _: &str) {}

    fn progress(&self, progress: &Progress) {
        self.0.lock().unwrap().push(progress.to_string());
    }
}

#[tokio::test(start_paused = true)]
async fn an_announced_pause_is_progress() {
    let script = failing(&["n1"], |_, at| match at {
        Duration::ZERO => Reply::Later(503, "30"),
        _ => page([server("n1")]),
    });
    let lines = Arc::<Lines>::default();
    let call = Call::default().observer(Arc::clone(&lines) as _);
    let found = script.lookups.invoke(DHCP, json!({"displayName": "n1"}), &call);
    found.await.unwrap();
    let lines = lines.0.lock().unwrap();
    assert_eq!(
        *lines,
        ["waiting for the manager: it requests a delay of 30 s after 0 s"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_path_that_is_throttled_delays_no_request_of_another_path_for_long() {
    let script = Script::new(|target, _| match target.contains("/mac-pools") {
        true => Reply::error(429),
        false => Reply::ok(pool("a")),
    });
    let throttled = (0..20).map(|number| json!({"id": format!("m{number}")}));
    let throttled = script.all("getMacPool", throttled.collect());
    let others = async {
        let mut slowest = Duration::ZERO;
        for _ in 0..10 {
            sleep(Duration::from_secs(1)).await;
            let started = Instant::now();
            script.invoke(POOL, json!({"id": "a"})).await.unwrap();
            slowest = slowest.max(started.elapsed());
        }
        slowest
    };
    let (_, slowest) = tokio::join!(throttled, others);
    assert!(slowest < Duration::from_secs(6), "{slowest:?}");
}

#[tokio::test(start_paused = true)]
async fn an_announced_pause_of_more_than_a_minute_ends_the_lookup() {
    for announced in ["61", "18446744073709551615", "99999999999999999999999"] {
        let script = failing(&["n1"], move |_, _| Reply::Later(503, announced));
        let started = Instant::now();
        script
            .invoke(DHCP, json!({"displayName": "n1"}))
            .await
            .unwrap_err();
        assert!(
            started.elapsed() < Duration::from_secs(1),
            "{announced}: {:?}",
            started.elapsed()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_passing_failure_does_not_end_combined_searches() {
    let script = Script::new(|target, at| {
        if at < Duration::from_secs(1) {
            Reply::error(500)
        } else {
            page(searched(target).into_iter().map(server))
        }
    });
    drop(script.all(DHCP, named(&NAMES[..6])).await);
    tokio::time::sleep(Duration::from_secs(10)).await;
    let before = script.sent().len();
    for found in script.all(DHCP, named(&NAMES[..6])).await {
        found.unwrap();
    }
    assert_eq!(script.sent().len() - before, 1);
}

#[tokio::test(start_paused = true)]
async fn a_rejected_login_is_sent_once_and_everybodys() {
    let script = Script::with(
        |_| {},
        |target, _| match target {
            "/api/session/create" => Reply::Json(
                403,
                json!({"error_code": 403, "error_message": "The credentials were incorrect or the account specified has been locked."}),
            ),
            _ => Reply::error(401),
        },
    );
    for failed in script.all(DHCP, named(&NAMES)).await {
        assert_eq!(failed.unwrap_err().kind(), ErrorKind::Unauthenticated);
    }
    assert_eq!(script.sent().len(), 1, "{:?}", script.sent());
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_is_not_accepted_is_shared() {
    let script = Script::new(|_, _| Reply::Refused);
    let started = Instant::now();
    for failed in script.all(DHCP, named(&NAMES)).await {
        assert_eq!(failed.unwrap_err().kind(), ErrorKind::Network);
    }
    assert!(
        started.elapsed() < Duration::from_secs(10),
        "{:?}",
        started.elapsed()
    );
    assert!(script.sent().len() <= 10, "{:?}", script.sent());
}

#[tokio::test(start_paused = true)]
async fn each_lookup_has_its_own_time() {
    let script = Script::new(|target, _| {
        if target.contains("OR") || is_server_list(target) {
            Reply::Hang
        } else {
            page(searched(target).into_iter().map(server))
        }
    });
    let call = Call::default().deadline(Duration::from_secs(6));
    let started = Instant::now();
    let (hasty, patient) = tokio::join!(
        script.lookups.invoke(DHCP, json!({"displayName": "n1"}), &call),
        script.invoke(DHCP, json!({"displayName": "n2"})),
    );
    hasty.unwrap();
    patient.unwrap();
    assert!(
        started.elapsed() < Duration::from_secs(12),
        "{:?}",
        started.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn a_short_outage_during_the_first_requests_does_not_block_the_login() {
    // Each request is a login, and the manager requests a delay of a minute.
    let script = Script::new(|target, at| match target.rsplit_once('/') {
        _ if at < Duration::from_secs(2) => Reply::Later(503, "60"),
        Some((_, id)) if id.starts_with('n') => Reply::ok(server(id)),
        _ => Reply::missing(),
    });
    let inputs = NAMES.map(|id| json!({"id": id})).to_vec();
    for found in script.all(DHCP, inputs).await {
        found.unwrap();
    }
}

/// A manager to which each request is a login, and that answers with `reply`. Rejections are recorded in `folder`.
fn without_sessions(folder: &Path, reply: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Script {
    Script::recording(
        Some(LoginRecord::in_folder(folder)),
        |config| *config = config.clone().session_auth(false),
        move |target, _| reply(target),
    )
}

#[tokio::test(start_paused = true)]
async fn a_first_login_in_a_list_that_hangs_delays_an_id_by_ten_seconds() {
    let folder = tempfile::tempdir().unwrap();
    // Each request is a login, and the first one is the list in the place of the id.
    let script = without_sessions(folder.path(), |target| match target {
        "/api/v1/pools/ip-pools/a" => Reply::ok(pool("a")),
        "/api/v1/node/version" => Reply::ok(json!({})),
        _ => Reply::Hang,
    });
    let started = Instant::now();
    let name = script.invoke(POOL, json!({"displayName": "b"}));
    let id = async {
        let found = script.invoke(POOL, json!({"id": "a"})).await;
        (found, started.elapsed())
    };
    let (_, (found, time)) = tokio::join!(timeout(Duration::from_secs(30), name), id);
    found.unwrap();
    assert!(time < Duration::from_secs(11), "{time:?}: {:?}", script.sent());
}

#[tokio::test(start_paused = true)]
async fn a_password_that_is_rejected_after_eleven_seconds_is_sent_four_times_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let script = without_sessions(folder.path(), |_| Reply::error(401).after(11));
    let lookups = [0, 4, 4, 5, 6, 7, 8].map(|seconds| {
        let script = script.clone();
        async move {
            sleep(Duration::from_secs(seconds)).await;
            script.invoke(POOL, json!({"displayName": "a"})).await
        }
    });
    for failed in futures_util::future::join_all(lookups).await {
        assert_eq!(failed.unwrap_err().kind(), ErrorKind::Unauthenticated);
    }
    let sent = script.sent().len();
    assert!((2..=4).contains(&sent), "{:?}", script.sent());
}
