//! `cargo xtask properties`: the property tests with cases that no run has drawn before.

use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;

use crate::Error;
use crate::process::{command, run};

/// Runs every property test with this many cases, or that many times fewer or more where a test sets its own share.
/// Without a seed, a random one is drawn and printed.
pub(crate) fn run_fresh(root: &Path, seed: Option<u64>, cases: u32) -> Result<(), Error> {
    let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(()));
    println!(
        "== seed {seed}, {cases} cases; `cargo xtask properties --seed {seed} --cases {cases}` repeats this run"
    );
    run(command("cargo", root)
        .args(["test", "--workspace", "--lib", "--bins", "--tests", "--", "prop_"])
        .env("PROPTEST_RNG_SEED", seed.to_string())
        .env("PROPTEST_CASES", cases.to_string()))
}
