//! Runs the fuzz targets, which are tests of the crates: docs/fuzzing.md.

use crate::process::{command, run as run_command};
use crate::{Error, root};

/// A target: its name, which is that of its corpus, the package of its test, and the test.
struct Target {
    name: &'static str,
    package: &'static str,
    test: &'static str,
}

const TARGETS: &[Target] = &[
    target("answers", "netmgr-lookups", "fuzz_answers"),
    target("certificates", "netmgr-transport", "fuzz_certificates"),
    target("configuration", "netmgr-types", "fuzz_configuration"),
    target("cookies", "netmgr-transport", "fuzz_cookies"),
    target("input", "netmgr-cli", "fuzz_input"),
    target("pager", "netmgr-transport", "fuzz_pager"),
    target("pages", "netmgr-transport", "fuzz_pages"),
    target("pulumi-values", "pulumi-plugin", "fuzz_pulumi_values"),
    target("search-terms", "netmgr-lookups", "fuzz_search_terms"),
    target("terraform-values", "terraform-rpc", "fuzz_terraform_values"),
    target("yaml", "netmgr-cli", "fuzz_yaml"),
];

/// Seconds of all targets together with `--smoke`.
const SMOKE: u64 = 60;
/// Seconds of each target otherwise.
const USUAL: u64 = 600;
/// The seed with `--smoke`, so that a failure does not depend on the run (decision 0231).
const SMOKE_SEED: &str = "7193";

const fn target(name: &'static str, package: &'static str, test: &'static str) -> Target {
    Target { name, package, test }
}

/// Names of the targets.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TARGETS.iter().map(|target| target.name)
}

/// Runs the targets of `wanted` (all when empty) one after the other, each for `time`.
pub(crate) fn run(wanted: &[String], time: Option<&str>, smoke: bool) -> Result<(), Error> {
    let targets: Vec<_> = TARGETS
        .iter()
        .filter(|target| wanted.is_empty() || wanted.iter().any(|name| name == target.name))
        .collect();
    let seconds = match time {
        Some(time) => seconds(time).ok_or("--time must be a number of seconds, or of minutes such as 10m")?,
        None if smoke => SMOKE / targets.len() as u64,
        None => USUAL,
    };
    let mut tests = command("cargo", root());
    tests.args(["test", "--quiet", "--locked", "--no-fail-fast", "--lib", "--bins"]);
    if smoke {
        // The programs that `cargo test --workspace` has built. Other packages or another profile would be another build.
        tests.arg("--workspace").env("FUZZ_SEED", SMOKE_SEED);
    } else {
        tests.args(["--profile", "fuzz"]);
        for target in &targets {
            tests.args(["--package", target.package]);
        }
    }
    tests.args(["--", "--test-threads=1"]);
    tests.args(targets.iter().map(|target| target.test));
    run_command(tests.env("FUZZ_SECONDS", seconds.to_string()))
}

/// `90`, `90s`, `10m` or `1h` in seconds.
fn seconds(time: &str) -> Option<u64> {
    let (number, unit) = match time.strip_suffix(['s', 'm', 'h']) {
        Some(number) => (number, time.chars().last()),
        None => (time, None),
    };
    let factor = match unit {
        Some('h') => 3600,
        Some('m') => 60,
        _ => 1,
    };
    number.parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn each_corpus_belongs_to_a_target() {
        let folders = fs::read_dir(root().join("tests/data/fuzz")).unwrap();
        let mut folders: Vec<String> = folders
            .map(|folder| folder.unwrap().file_name().into_string().unwrap())
            .collect();
        folders.sort_unstable();
        assert_eq!(folders, names().collect::<Vec<_>>());
    }

    #[test]
    fn times_have_units() {
        assert_eq!(seconds("90"), Some(90));
        assert_eq!(seconds("10m"), Some(600));
        assert_eq!(seconds("1h"), Some(3600));
        assert_eq!(seconds("m"), None);
    }
}
