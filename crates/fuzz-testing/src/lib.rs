//! Fuzz targets as tests, on stable Rust.
//!
//! A target is a test that calls [`fuzz`] with its name and a function, which panics if an input violates a property.
//! The inputs are those of `tests/data/fuzz/<name>` and mutations of them. The function returns a text that describes
//! what happened; an input with a new outcome joins the pool, so that mutations build on what they have reached.
//!
//! `cargo test` runs the corpus and [`CASES`] mutations, always the same. [`SECONDS`] makes longer
//! runs with random mutations. An input that fails is written to the corpus, and the command that repeats it is printed. So
//! is one that never returns. One that ends the process is in `target/fuzz-inputs`, and the next run begins with it.
//!
//! Depends on no crate of the workspace. No product depends on it.

mod corpus;
mod mutate;
mod watch;

use std::collections::HashSet;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

pub use mutate::Random;

use corpus::{Corpus, digest};
use watch::Watch;

/// Mutations of a run without a limit of time.
pub const CASES: u64 = 200;
/// Variable with the seconds of processor time that a run takes.
pub const SECONDS: &str = "FUZZ_SECONDS";
/// Variable with the seed of a run.
const SEED: &str = "FUZZ_SEED";
/// Maximum length of an input.
const LONGEST: usize = 16 << 10;
/// Maximum processor time of one input, in a build without optimization.
const SLOWEST: Duration = Duration::from_secs(2);
/// Maximum number of inputs in the pool.
const POOL: usize = 4096;
/// Maximum memory of the process at the end of a run, in MiB.
const MEMORY: u64 = 1024;

/// Runs the target `name`. Mutations insert the words of `dictionary`. `check` describes what happened to an input.
///
/// # Panics
///
/// If `check` panics for an input, which is then in the corpus, or if an input takes too long.
pub fn fuzz(name: &str, dictionary: &[&str], check: impl Fn(&[u8]) -> String) {
    let corpus = Corpus::read(name);
    let limit = variable(SECONDS).map(Duration::from_secs);
    let seed = variable(SEED).unwrap_or(match limit {
        Some(_) => fastrand::u64(..),
        None => 7193,
    });
    let mut run = Run {
        corpus: &corpus,
        check: &check,
        random: Random::new(seed, dictionary),
        pool: Vec::new(),
        outcomes: HashSet::new(),
        executions: 0,
        watch: None,
    };
    if limit.is_some() {
        let stuck = corpus.clone();
        let (watch, left) = Watch::start(name, move |input| stuck.keep(input));
        let file = watch.path().display().to_string();
        run.watch = Some(watch);
        if let Some(input) = left {
            print(&format!(
                "fuzz {name}: the last run ended while the input in {file} ran, with which this one begins"
            ));
            run.once(&input);
        }
    }
    for input in &corpus.inputs {
        run.once(input);
        run.pool.push(input.clone());
    }
    assert!(!run.pool.is_empty(), "the corpus {name} is empty");
    let start = processor_time();
    let is_over = |executions: u64| match limit {
        Some(limit) => processor_time().saturating_sub(start) >= limit,
        None => executions >= CASES + corpus.inputs.len() as u64,
    };
    while !is_over(run.executions) {
        let mut input = run.random.next(&run.pool);
        input.truncate(LONGEST);
        if run.once(&input) && run.pool.len() < POOL {
            run.pool.push(input);
        }
    }
    let memory = peak_memory();
    if limit.is_some() {
        let seconds = processor_time().saturating_sub(start).as_secs_f64();
        print(&format!(
            "fuzz {name}: {} executions in {seconds:.0} s, {} outcomes, corpus of {} inputs, pool of {}, at most {memory} \
             MiB, seed {seed}",
            run.executions,
            run.outcomes.len(),
            corpus.inputs.len(),
            run.pool.len(),
        ));
        assert!(memory < MEMORY, "{name} took {memory} MiB");
    }
}

struct Run<'a, C> {
    corpus: &'a Corpus,
    check: &'a C,
    random: Random<'a>,
    pool: Vec<Vec<u8>>,
    /// Digests, since long runs have millions of outcomes.
    outcomes: HashSet<u64>,
    executions: u64,
    /// In runs with a limit of time.
    watch: Option<Watch>,
}

impl<C: Fn(&[u8]) -> String> Run<'_, C> {
    /// Checks an input, and returns whether its outcome is new.
    fn once(&mut self, input: &[u8]) -> bool {
        self.executions += 1;
        if let Some(watch) = &mut self.watch {
            watch.begin(input);
        }
        let start = processor_time();
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.check)(input)));
        let time = processor_time().saturating_sub(start);
        if let Some(watch) = &self.watch {
            watch.end();
        }
        match outcome {
            Ok(outcome) if time < SLOWEST => self.outcomes.insert(digest(shape(&outcome).as_bytes())),
            Ok(_) => {
                self.corpus.keep(input);
                panic!("an input of {} bytes takes {time:?}", input.len())
            }
            Err(panic) => {
                self.corpus.keep(input);
                resume_unwind(panic)
            }
        }
    }
}

/// Prints a line past the capture of the test harness.
fn print(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// An outcome without what differs in each input: numbers and quoted text.
fn shape(outcome: &str) -> String {
    let mut shape = String::new();
    for (number, part) in outcome.split(['"', '`']).enumerate() {
        if number % 2 == 0 {
            shape.extend(part.chars().filter(|letter| !letter.is_ascii_digit()).take(200));
        } else {
            shape.push('"');
        }
    }
    shape
}

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a number")))
}

/// Processor time of this thread, which a busy machine does not change.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.try_into().unwrap_or_default(),
        time.tv_nsec.try_into().unwrap_or_default(),
    )
}

/// The time by the clock on other platforms.
#[cfg(not(unix))]
#[allow(clippy::disallowed_methods, reason = "real work, so no paused clock")]
fn processor_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// The maximum memory of the process so far in MiB, as Linux reports it.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or_default() >> 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_compared_without_numbers_and_quoted_text() {
        assert_eq!(shape("error at line 12: `x`"), shape("error at line 7: `yy`"));
        assert_ne!(shape("error in `x`"), shape("ok"));
    }

    #[test]
    fn a_property_that_does_not_hold_is_found_by_building_on_outcomes() {
        // Random mutations of "hello" hardly ever contain all three letters.
        let found = catch_unwind(|| {
            let corpus = Corpus::of(vec![b"hello".to_vec()]);
            let check = |input: &[u8]| {
                let letters = [b'x', b'y', b'z'];
                let count = letters.iter().take_while(|letter| input.contains(letter)).count();
                assert!(count < 3, "found");
                ["none", "x", "xy"][count].to_owned()
            };
            let mut run = Run {
                corpus: &corpus,
                check: &check,
                random: Random::new(1, &[]),
                pool: corpus.inputs.clone(),
                outcomes: HashSet::new(),
                executions: 0,
                watch: None,
            };
            for _ in 0..200_000 {
                let input = run.random.next(&run.pool);
                if run.once(&input) {
                    run.pool.push(input);
                }
            }
        });
        assert!(found.is_err());
    }
}
