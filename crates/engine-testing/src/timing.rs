//! Waiting for what comes about by itself, and how soon things happen.

use std::time::Duration;

use tokio::time::{sleep, timeout};

/// How often something may be tried.
const TRIES: usize = 5;

/// Longest wait for a condition, on a slow machine with much other work.
const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until `condition` holds. Panics after two minutes.
pub async fn until(what: &str, condition: impl Fn() -> bool) {
    let holds = async {
        while !condition() {
            sleep(Duration::from_millis(5)).await;
        }
    };
    let held = timeout(PATIENCE, holds).await;
    held.unwrap_or_else(|_| panic!("never {what}"));
}

/// Checks that something can be done within `limit`. It is tried several times, because a busy machine may hold up
/// any one of them; `attempt` says how long it took.
pub async fn within(limit: Duration, attempt: impl AsyncFn() -> Duration) {
    let mut took = Vec::new();
    for _ in 0..TRIES {
        let this = attempt().await;
        if this < limit {
            return;
        }
        took.push(this);
    }
    panic!("never within {limit:?}: {took:?}");
}
