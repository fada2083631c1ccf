//! Waiting for conditions, and measuring how soon they are met.

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

/// Checks that something can be done within `limit`. It is tried several times; `attempt` returns the time that it took.
///
/// On a busy machine every attempt can be late, so the limit is 50 times as long unless `NETMGR_TIMES` is `strict`,
/// which is for a machine that does nothing else.
pub async fn within(limit: Duration, attempt: impl AsyncFn() -> Duration) {
    let strict = std::env::var_os("NETMGR_TIMES").is_some_and(|times| times == "strict");
    let limit = if strict { limit } else { limit * 50 };
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
