//! The law of sharing: a batch of lookups equals each lookup alone.
//!
//! A seed is a program of lookups, faults and clock steps (`program.rs`, `faults.rs`). It runs twice in process, on a
//! paused clock, against the simulator (`world.rs`): once with one client, whose lookups share requests, and once with a
//! client for each lookup. `checks.rs` compares the two.
//!
//! `LAW_SEEDS=10000 cargo test -p netmgr-tests --test it law` runs more seeds, and `LAW_SEED=17` one of them, with its
//! program and requests.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

mod alone;
mod budgets;
mod checks;
mod faults;
mod program;
mod world;

use program::Program;

/// Seeds of every run of the tests.
const SEEDS: u64 = 200;

/// Seeds that have found defects, which are mended.
const MENDED: [u64; 5] = [94, 4918, 5456, 7795, 9611];

/// Failing seeds after which a run ends.
const MOST_FAILURES: usize = 10;

/// Runs of a seed that is replayed, because hash maps and timers of the client have an order of their own.
const REPLAYS: u32 = 5;

#[test]
fn lookups_together_equal_each_alone() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    if let Some(seed) = number("LAW_SEED") {
        (0..REPLAYS).for_each(|_| replay(seed));
        return;
    }
    let failures = find(0..number("LAW_SEEDS").unwrap_or(SEEDS));
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn mended_defects_are_not_there() {
    for seed in MENDED {
        let violations = checks::judge(&Program::of(seed)).violations;
        assert!(violations.is_empty(), "LAW_SEED={seed}: {violations:#?}");
    }
}

#[expect(clippy::print_stdout, reason = "shown with --nocapture")]
fn print(what: &str) {
    println!("{what}");
}

/// Prints what a seed does.
fn replay(seed: u64) {
    let program = Program::of(seed);
    print(&format!("{program}"));
    let verdict = checks::judge(&program);
    verdict
        .requests
        .iter()
        .for_each(|sent| print(&format!("  {sent}")));
    assert!(
        verdict.violations.is_empty(),
        "  {}",
        verdict.violations.join("\n  ")
    );
}

/// Runs `seeds` until some of them fail. Returns the failures.
fn find(seeds: Range<u64>) -> Vec<String> {
    let next = AtomicU64::new(seeds.start);
    let failures = Mutex::new(Vec::new());
    let lock = || failures.lock().unwrap_or_else(PoisonError::into_inner);
    let take_seeds = || {
        while lock().len() < MOST_FAILURES {
            let seed = next.fetch_add(1, Relaxed);
            if seed >= seeds.end {
                return;
            }
            let program = Program::of(seed);
            let verdict = catch_unwind(AssertUnwindSafe(|| checks::judge(&program)));
            let violations = match verdict {
                Ok(verdict) if verdict.violations.is_empty() => continue,
                Ok(verdict) => verdict.violations.join("\n  "),
                Err(_) => "it panicked".to_owned(),
            };
            let failure = format!("LAW_SEED={seed} violates the law:\n  {violations}\n{program}");
            lock().push(failure);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(take_seeds);
        }
    });
    failures.into_inner().unwrap_or_else(PoisonError::into_inner)
}
