//! The law of sharing: a batch of lookups equals each lookup alone.
//!
//! A seed is a program of lookups, faults and clock steps (`program.rs`, `faults.rs`). It runs twice in process, on a
//! paused clock, against the simulator (`world.rs`): once with one client, whose lookups share requests, and once with a
//! client for each lookup. `checks.rs` compares the two.
//!
//! `LAW_SEEDS=10000 cargo test -p netmgr-tests --test it law` runs more seeds, and `LAW_SEED=17` one of them, with its
//! program and requests.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

mod alone;
mod budgets;
mod checks;
mod faults;
mod known;
mod program;
mod world;

use checks::Verdict;
use program::Program;

/// Seeds of every run of the tests.
const SEEDS: u64 = 200;

/// Seeds that have found defects, which are mended.
const MENDED: [u64; 2] = [94, 4918];

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
    let Found { failures, known } = find(0..number("LAW_SEEDS").unwrap_or(SEEDS));
    print(&format!("seeds with known defects: {known:#?}"));
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn mended_defects_are_not_there() {
    for seed in MENDED {
        let violations = checks::judge(&Program::of(seed)).violations;
        assert!(violations.is_empty(), "LAW_SEED={seed}: {violations:#?}");
    }
}

#[test]
fn known_defects_are_still_there() {
    for (defect, seed) in known::DEFECTS {
        let known = checks::judge(&Program::of(*seed)).known;
        assert!(
            known.contains(defect),
            "{defect}: it is mended, or another seed shows it"
        );
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
        verdict.violations.is_empty() && verdict.known.is_empty(),
        "  {}\n  {}",
        verdict.violations.join("\n  "),
        verdict.known.join("\n  ")
    );
}

/// The violations that seeds show.
#[derive(Default)]
struct Found {
    failures: Vec<String>,
    /// The seeds that show each known defect.
    known: BTreeMap<&'static str, Vec<u64>>,
}

/// Runs `seeds` until some of them fail.
fn find(seeds: Range<u64>) -> Found {
    let next = AtomicU64::new(seeds.start);
    let found = Mutex::new(Found::default());
    let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
    let take_seeds = || {
        while lock().failures.len() < MOST_FAILURES {
            let seed = next.fetch_add(1, Relaxed);
            if seed >= seeds.end {
                return;
            }
            let program = Program::of(seed);
            let verdict =
                catch_unwind(AssertUnwindSafe(|| checks::judge(&program))).unwrap_or_else(|_| Verdict {
                    violations: vec!["it panicked".to_owned()],
                    ..Verdict::default()
                });
            let mut found = lock();
            for defect in verdict.known {
                let seeds = found.known.entry(defect).or_default();
                if seeds.last() != Some(&seed) {
                    seeds.push(seed);
                }
            }
            if !verdict.violations.is_empty() {
                let violations = verdict.violations.join("\n  ");
                found.failures.push(format!(
                    "LAW_SEED={seed} violates the law:\n  {violations}\n{program}"
                ));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(take_seeds);
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}
