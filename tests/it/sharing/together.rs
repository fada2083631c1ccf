//! Lookups that share requests have the same outcomes as alone: whichever requests fail, however long the login takes,
//! and whichever lookups are cancelled.

use std::time::Duration;

use futures_util::future::join_all;
use netmgr_lookups::{Call, ErrorKind};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::script::*;

/// Servers of the manager.
const SERVERS: usize = 60;

fn id(number: usize) -> String {
    format!("server{number:02}")
}

/// The manager's replies, with lists in pages of 20.
fn manager(target: &str) -> Reply {
    let all: Vec<Value> = (0..SERVERS).map(|number| server(&id(number))).collect();
    if target.starts_with("/api/session/") {
        Reply::ok(json!({}))
    } else if is_search(target) {
        let is_meant = |row: &Value| {
            let id = row["id"].as_str().unwrap();
            [
                format!("display_name:{id}*"),
                format!("id:{id} "),
                format!("id:{id})"),
            ]
            .iter()
            .any(|term| target.contains(term))
        };
        page(all.into_iter().filter(is_meant))
    } else if is_server_list(target) {
        let cursor = target.split_once("cursor=").map_or("0", |(_, at)| at);
        let start: usize = cursor.split('&').next().unwrap().parse().unwrap();
        let rows = &all[start..(start + 20).min(SERVERS)];
        let mut body = json!({"result_count": SERVERS, "results": rows});
        if start + 20 < SERVERS {
            body["cursor"] = json!((start + 20).to_string());
        }
        Reply::ok(body)
    } else {
        let id = target.rsplit('/').next().unwrap();
        let found = all.into_iter().find(|row| row["id"] == id);
        found.map_or_else(Reply::missing, Reply::ok)
    }
}

/// The inputs of this number of lookups, alternating between id and name.
fn inputs(count: usize) -> Vec<Value> {
    let input = |number| match number % 2 {
        0 => json!({"id": id(number)}),
        _ => json!({"displayName": id(number)}),
    };
    (0..count).map(input).collect()
}

fn is_wide(target: &str) -> bool {
    is_server_list(target) || is_search(target) && target.contains(" OR ")
}

/// The outcome of a lookup with this deadline, and when it ends.
async fn end(script: &Script, input: Value, seconds: u64) -> (Result<Value, ErrorKind>, Duration) {
    let call = Call::default().deadline(Duration::from_secs(seconds));
    let started = Instant::now();
    let found = script.lookups.invoke(DHCP, input, &call).await;
    (found.map_err(|error| error.kind()), started.elapsed())
}

fn logins(script: &Script) -> usize {
    let sent = script.sent();
    sent.iter()
        .filter(|(_, target)| target == "/api/session/create")
        .count()
}

/// Requests with a fault.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Concerned {
    Wide,
    Own,
    All,
}

impl Concerned {
    fn is(self, target: &str) -> bool {
        match self {
            Self::Wide => is_wide(target),
            Self::Own => !is_wide(target) && !target.starts_with("/api/session/"),
            Self::All => true,
        }
    }
}

fn faults() -> Vec<(String, Reply)> {
    let mut faults: Vec<_> = [400, 401, 403, 404, 408, 409, 429, 500, 501, 502, 503, 504]
        .map(|status| (format!("{status}"), Reply::error(status)))
        .into();
    let others = [
        ("hangs", Reply::Hang),
        ("reset", Reply::Reset),
        ("302", Reply::Json(302, json!({}))),
        ("404 of a proxy", Reply::Json(404, json!({}))),
        ("429, a minute later", Reply::Later(429, "60")),
        ("503, a minute later", Reply::Later(503, "60")),
        ("null", Reply::ok(json!(null))),
        ("a text", Reply::ok(json!("text"))),
        (
            "fewer rows than announced",
            Reply::ok(json!({"result_count": 9, "results": []})),
        ),
        (
            "odd rows",
            page([json!(7), json!({"id": []}), json!({"display_name": "x"})]),
        ),
    ];
    faults.extend(others.map(|(name, reply)| (name.to_owned(), reply)));
    faults
}

#[tokio::test(start_paused = true)]
async fn a_fault_fails_no_lookup_that_it_would_not_fail_alone() {
    for (name, fault) in faults() {
        for concerned in [Concerned::Wide, Concerned::Own, Concerned::All] {
            let script = || {
                let fault = fault.clone();
                Script::with(
                    |_| {},
                    move |target, _| match concerned.is(target) {
                        true => fault.clone(),
                        false => manager(target),
                    },
                )
            };
            for seconds in [6, 300] {
                let mut alone = Vec::new();
                for input in inputs(2) {
                    alone.push(end(&script(), input, seconds).await);
                }
                for count in [2, 9, 50] {
                    let script = script();
                    let ends = inputs(count)
                        .into_iter()
                        .map(|input| end(&script, input, seconds));
                    for ((together, time), (alone, alone_time)) in
                        join_all(ends).await.iter().zip(alone.iter().cycle())
                    {
                        let what = format!("{name} ({concerned:?}), {count} with {seconds} s");
                        assert!(
                            alone.is_err() || together.is_ok(),
                            "{what}: {together:?}, alone {alone:?}"
                        );
                        let latest = *alone_time + Duration::from_secs(12);
                        assert!(
                            alone.is_err() || *time < latest,
                            "{what}: {time:?}, alone {alone_time:?}"
                        );
                    }
                }
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_login_that_takes_long_is_sent_once_and_then_requests_are_shared() {
    for seconds in [1, 15, 50] {
        for count in [1, 2, 50] {
            let script = Script::with(
                |_| {},
                move |target, _| match target {
                    "/api/session/create" => Reply::ok(json!({})).after(seconds),
                    _ => manager(target),
                },
            );
            let ends = inputs(count).into_iter().map(|input| end(&script, input, 300));
            for (found, time) in join_all(ends).await {
                found.unwrap();
                assert!(time < Duration::from_secs(seconds + 1), "{time:?}");
            }
            assert_eq!(logins(&script), 1, "{seconds} s, {count} lookups");
            assert!(script.sent().len() <= 4, "{:?}", script.sent());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_login_in_the_middle_of_a_list_is_no_silence_of_the_list() {
    let script = Script::with(
        |_| {},
        |target, at| match target {
            "/api/session/create" if at > Duration::ZERO => Reply::ok(json!({})).after(15),
            _ if target.contains("cursor=") && at < Duration::from_secs(1) => Reply::error(401),
            _ => manager(target),
        },
    );
    let ends = inputs(50).into_iter().map(|input| end(&script, input, 300));
    for (found, _) in join_all(ends).await {
        found.unwrap();
    }
    assert_eq!(logins(&script), 2);
}

#[tokio::test(start_paused = true)]
async fn a_lookup_with_little_time_does_not_wait_for_those_before_it() {
    for milliseconds in [300, 1000] {
        let script = Script::with(
            |_| {},
            |target, _| match is_wide(target) || target.contains(&id(0)) {
                true => Reply::Hang,
                false => manager(target),
            },
        );
        let first = script.clone();
        let first = tokio::spawn(async move { end(&first, json!({"id": id(0)}), 300).await });
        sleep(Duration::from_millis(150)).await;
        let call = Call::default().deadline(Duration::from_millis(milliseconds));
        script
            .lookups
            .invoke(DHCP, json!({"id": id(1)}), &call)
            .await
            .unwrap();
        first.abort();
    }
}

#[tokio::test(start_paused = true)]
async fn the_pace_after_a_failure_leaves_each_lookup_time_for_its_own_request() {
    let script = Script::new(|target, _| match is_wide(target) {
        true => Reply::Hang,
        false => Reply::After(Duration::from_millis(500), Box::new(manager(target))),
    });
    let ends = inputs(18).into_iter().map(|input| end(&script, input, 4));
    for (found, _) in join_all(ends).await {
        found.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn lookups_that_are_cancelled_at_any_moment_delay_no_other() {
    for cancelled_after in (0..600).step_by(20) {
        let script = Script::with(
            |_| {},
            |target, _| match target {
                "/api/session/create" => Reply::After(Duration::from_millis(200), Box::new(manager(target))),
                _ => manager(target),
            },
        );
        let mut lookups: Vec<_> = inputs(12)
            .into_iter()
            .map(|input| {
                let script = script.clone();
                tokio::spawn(async move { end(&script, input, 300).await })
            })
            .collect();
        sleep(Duration::from_millis(cancelled_after)).await;
        // The first lookups are those that began the requests.
        lookups.drain(..2).for_each(|lookup| lookup.abort());
        for (found, time) in join_all(lookups).await.into_iter().map(Result::unwrap) {
            found.unwrap();
            assert!(time < Duration::from_secs(1), "{cancelled_after} ms: {time:?}");
        }
        assert!(logins(&script) <= 2, "{cancelled_after} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_that_ends_again_and_again_fails_no_lookup() {
    // The session is valid for ten requests.
    let requests = std::sync::atomic::AtomicUsize::new(0);
    let script = Script::with(
        |_| {},
        move |target, _| match target {
            "/api/session/create" => {
                requests.store(0, std::sync::atomic::Ordering::Relaxed);
                manager(target)
            }
            _ if requests.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 10 => manager(target),
            _ => Reply::error(401),
        },
    );
    for _ in 0..10 {
        let ends = inputs(50).into_iter().map(|input| end(&script, input, 300));
        for (found, _) in join_all(ends).await {
            found.unwrap();
        }
    }
    assert!(logins(&script) <= 10, "{} logins", logins(&script));
}

#[tokio::test(start_paused = true)]
async fn a_list_that_is_cut_off_after_its_first_page_fails_no_lookup() {
    for cut in [
        Reply::Hang,
        Reply::Reset,
        Reply::error(500),
        Reply::error(404),
        Reply::ok(json!({})),
    ] {
        for cursor in [20, 40] {
            let cut = cut.clone();
            let script = Script::with(
                |_| {},
                move |target, _| match target.contains(&format!("cursor={cursor}")) {
                    true => cut.clone(),
                    false => manager(target),
                },
            );
            let ends = inputs(SERVERS).into_iter().map(|input| end(&script, input, 300));
            for (found, time) in join_all(ends).await {
                found.unwrap();
                assert!(time < Duration::from_secs(20), "{time:?}");
            }
        }
    }
}
