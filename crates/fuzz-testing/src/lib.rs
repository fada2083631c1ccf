//! Properties that hold for any bytes, checked with proptest from real inputs.
//!
//! A target is a test that calls [`fuzz`] with its name and a function, which panics if an input violates a property.
//! The inputs are the files of `tests/data/fuzz/<name>` and random edits of them. proptest shrinks the edits of an input
//! that fails, and its variables `PROPTEST_CASES` and `PROPTEST_RNG_SEED` make runs longer and different.
//!
//! Depends on no crate of the workspace. No product depends on it.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestError, TestRunner};

/// Numbers at which behavior often changes.
const NUMBERS: [&str; 8] = [
    "-1",
    "1e999",
    "-0.0",
    "256",
    "2147483648",
    "9007199254740993",
    "18446744073709551616",
    "1.5",
];

/// Runs the target `name`. Edits insert the words of `dictionary`. The result of `check` is ignored.
///
/// # Panics
///
/// If `check` panics for an input, which the message quotes.
#[expect(
    clippy::print_stdout,
    reason = "names the file in the output of a test that fails"
)]
pub fn fuzz<T>(name: &str, dictionary: &[&str], check: impl Fn(&[u8]) -> T) {
    let corpus = corpus(name);
    for (path, input) in &corpus {
        println!("{}", path.display());
        check(input);
    }
    let inputs = corpus.into_iter().map(|(_, input)| input).collect();
    if let Err(message) = run(&edited(inputs, dictionary), check) {
        panic!("{name}: {message}");
    }
}

/// Checks inputs, and returns the panic of the smallest one that fails with this input.
fn run<T>(inputs: &impl Strategy<Value = Vec<u8>>, check: impl Fn(&[u8]) -> T) -> Result<(), String> {
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    let run = TestRunner::new(config).run(inputs, |input| {
        check(&input);
        Ok(())
    });
    run.map_err(|error| match error {
        TestError::Fail(reason, input) => format!("{reason}\ninput: b\"{}\"", input.escape_ascii()),
        TestError::Abort(reason) => reason.to_string(),
    })
}

/// The files of `tests/data/fuzz/<name>`, in the order of their names.
fn corpus(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data/fuzz")
        .join(name);
    let read = |path: PathBuf| fs::read(&path).map(|input| (path, input));
    let files = fs::read_dir(&folder).and_then(|files| files.map(|file| read(file?.path())).collect());
    let mut files: Vec<_> = files.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files.sort_unstable();
    files
}

/// Inputs with up to 16 edits, each of which replaces a few bytes with others, with a word, or with a part of an input.
fn edited(inputs: Vec<Vec<u8>>, dictionary: &[&str]) -> impl Strategy<Value = Vec<u8>> + use<> {
    let words = dictionary.iter().chain(&NUMBERS);
    let words: Vec<Vec<u8>> = words.map(|word| word.as_bytes().to_vec()).collect();
    let part = (select(inputs.clone()), any::<Index>(), 0..64_usize, 1..32_usize).prop_map(
        |(input, start, length, times)| {
            let start = start.index(input.len() + 1);
            let end = input.len().min(start + length);
            input[start..end].repeat(times)
        },
    );
    let inserted = prop_oneof![
        3 => select(words),
        2 => prop::collection::vec(any::<u8>(), 0..4),
        1 => part,
    ];
    let edits = prop::collection::vec((any::<Index>(), 0..8_usize, inserted), 0..=16);
    (select(inputs), edits).prop_map(|(mut input, edits)| {
        for (at, removed, inserted) in edits {
            let at = at.index(input.len() + 1);
            let end = input.len().min(at + removed);
            input.splice(at..end, inserted);
        }
        input
    })
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn a_property_that_does_not_hold_is_found_and_its_input_is_small() {
        let inputs = edited(vec![b"hello".to_vec()], &["word"]);
        let message = run(&inputs, |input| {
            assert!(!input.windows(4).any(|part| part == b"word"))
        })
        .unwrap_err();
        let (_, input) = message.split_once("\ninput: ").unwrap();
        assert!(input.contains("word") && input.len() < 100, "{message}");
    }

    #[test]
    fn a_target_without_inputs_fails() {
        assert!(catch_unwind(|| fuzz("none", &[], |_| ())).is_err());
    }
}
