//! Runtimes that end, or are no longer polled, while a lookup waits. `Runtime::new()?.block_on(…)` creates one for each
//! lookup.

use std::time::Duration;

use serde_json::json;
use tokio::runtime::{Builder, Runtime};
use tokio::time::{sleep, timeout};

use super::script::*;

fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap()
}

/// The stages of a lookup at which its runtime ends, as the replies of a manager that hangs for the first request.
fn scenarios() -> Vec<(&'static str, Script)> {
    let first = || std::sync::atomic::AtomicBool::new(true);
    let takes =
        |first: &std::sync::atomic::AtomicBool| first.swap(false, std::sync::atomic::Ordering::Relaxed);
    let (login, list, state, places) = (first(), first(), first(), first());
    vec![
        (
            "a login",
            Script::with(
                |_| {},
                move |target, _| match target {
                    "/api/session/create" if takes(&login) => Reply::Hang,
                    "/api/session/create" => Reply::ok(json!({})),
                    _ => page([pool("a")]),
                },
            ),
        ),
        (
            "a list",
            Script::new(move |_, _| {
                if takes(&list) {
                    Reply::Hang
                } else {
                    page([pool("a")])
                }
            }),
        ),
        (
            "a wait",
            Script::new(move |target, _| match target.ends_with("/state") {
                true if takes(&state) => Reply::Hang,
                true => Reply::ok(json!({"state": "success"})),
                false => page([pool("a")]),
            }),
        ),
        (
            "all places",
            Script::new(
                move |target, _| match target.contains("/hang-") || takes(&places) {
                    true => Reply::Hang,
                    false => page([pool("a")]),
                },
            ),
        ),
    ]
}

/// Begins lookups that never end.
fn begin(script: &Script, what: &str, runtime: &Runtime) {
    let spawn = |function: &'static str, input| {
        let script = script.clone();
        runtime.spawn(async move { script.invoke(function, input).await });
    };
    match what {
        "a wait" => spawn(
            "getComputeManagerRealization",
            json!({"id": "cm", "delay": 0, "checkRegistration": false}),
        ),
        "all places" => {
            (0..40).for_each(|number| spawn("getMacPool", json!({"id": format!("hang-{number}")})))
        }
        _ => spawn(POOL, json!({"displayName": "pool-a"})),
    }
    runtime.block_on(async { sleep(Duration::from_secs(2)).await });
}

fn finds(script: &Script, what: &str, how: &str) {
    runtime().block_on(async {
        let found = timeout(
            Duration::from_secs(100),
            script.invoke(POOL, json!({"displayName": "pool-a"})),
        )
        .await;
        let found = found.unwrap_or_else(|_| panic!("{what}, {how}: the lookup hangs"));
        assert_eq!(
            found.unwrap_or_else(|error| panic!("{what}, {how}: {error}"))["id"],
            "a"
        );
        if what == "a wait" {
            let input = json!({"id": "cm", "delay": 0, "checkRegistration": false});
            let waited = timeout(
                Duration::from_secs(100),
                script.invoke("getComputeManagerRealization", input),
            )
            .await;
            assert_eq!(
                waited
                    .unwrap_or_else(|_| panic!("{how}: the wait hangs"))
                    .unwrap()["state"],
                "success"
            );
        }
    });
}

#[test]
fn a_runtime_that_ends_leaves_no_lookup_of_another_one_waiting() {
    for (what, script) in scenarios() {
        let ended = runtime();
        begin(&script, what, &ended);
        drop(ended);
        finds(&script, what, "dropped");
    }
}

#[test]
fn a_runtime_that_rests_leaves_no_lookup_of_another_one_waiting() {
    for (what, script) in scenarios() {
        let resting = runtime();
        begin(&script, what, &resting);
        finds(&script, what, "not driven");
        drop(resting);
    }
}

#[test]
fn lookups_of_two_runtimes_at_once_succeed_with_one_login() {
    let script = Script::with(
        |_| {},
        |target, _| match target {
            "/api/session/create" => Reply::ok(json!({})),
            _ => page((0..20).map(|number| pool(&number.to_string()))),
        },
    );
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let script = script.clone();
            std::thread::spawn(move || {
                let runtime = Builder::new_current_thread().enable_time().build().unwrap();
                runtime.block_on(async {
                    for _ in 0..5 {
                        let inputs = (0..20).map(|number| json!({"displayName": format!("pool-{number}")}));
                        for found in script.all(POOL, inputs.collect()).await {
                            found.unwrap();
                        }
                    }
                });
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let sent = script.sent();
    let logins = sent.iter().filter(|(_, target)| target == "/api/session/create");
    assert_eq!(logins.count(), 1);
}
