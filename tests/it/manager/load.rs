//! Many lookups at once: below the manager's limits, and in an outage.

use tokio::time::Instant;

use super::support::*;
use super::*;

/// Prints a time with `--nocapture`. Not asserted.
#[expect(clippy::print_stdout, reason = "a test can only print a time")]
fn print(what: &str) {
    println!("{what}");
}

#[tokio::test]
async fn a_thousand_lookups_at_once_stay_below_the_limits_of_the_manager() {
    let clock = Clock::stop();
    let manager = started(manager()).await;
    let lookups = lookups(&manager, session());
    let start = Instant::now();
    let answers = clock.run(ask_many(&lookups, 1000)).await;
    let took = start.elapsed();
    print(&format!("1000 lookups take {took:.1?}"));
    assert!(answers.iter().all(Result::is_ok));
    let counters = manager.counters();
    assert_eq!(counters.statuses.keys().copied().collect::<Vec<_>>(), [200]);
    assert_eq!((counters.logins, counters.total_requests()), (1, 1001));
    assert!(counters.peak_in_flight <= 32);
}

#[tokio::test]
async fn a_burst_in_real_time_stays_below_the_limits_too() {
    for builder in both_protocols() {
        let manager = started(builder).await;
        let answers = ask_many(&lookups(&manager, session()), 150).await;
        assert!(answers.iter().all(Result::is_ok));
        assert_eq!(manager.counters().statuses.into_keys().collect::<Vec<_>>(), [200]);
    }
}

#[tokio::test]
async fn two_clients_of_one_account_slow_down_and_succeed() {
    let clock = Clock::stop();
    let manager = started(manager()).await;
    let settings = with(basic(), json!({"maxRetries": 10, "retryMaxDelay": 4000}));
    let clients = [lookups(&manager, settings.clone()), lookups(&manager, settings)];
    let [one, other] = &clients;
    let (one, other) = clock
        .run(async { tokio::join!(ask_many(one, 200), ask_many(other, 200)) })
        .await;
    assert!(one.iter().chain(&other).all(Result::is_ok));
}
