//! The clock of the machine, which can be set while a process runs. Everything that waits uses the monotonic clock,
//! which cannot; each use of the other clock has a test with a clock that was set back or forward.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::programs::root;

/// A file that reads the clock of the machine, or times of files, and the test that shows that setting the clock does
/// no harm: its file and its name.
const USES: [(&str, &str, &str); 6] = [
    (
        "netmgr-cli/src/commands/doctor/network.rs",
        "netmgr-transport/src/leaf/verifier/tests.rs",
        "a_pinned_certificate_needs_no_issuer_but_name_and_date",
    ),
    (
        "netmgr-transport/src/layers/retry_after.rs",
        "netmgr-transport/src/layers/retry_after.rs",
        "a_date_in_the_past_is_no_wait",
    ),
    (
        "netmgr-transport/src/leaf/renewal.rs",
        "netmgr-transport/tests/it/renewals.rs",
        "renewed_files_of_the_client_certificate_are_used_by_new_connections",
    ),
    (
        "netmgr-transport/src/login_record/account_file.rs",
        "netmgr-transport/src/login_record/tests.rs",
        "a_rejection_holds_for_15_minutes_and_not_after_the_clock_was_set_back",
    ),
    (
        "netmgr-transport/src/traffic.rs",
        "netmgr-cli/src/commands/doctor/manager.rs",
        "a_clock_that_differs_by_more_than_half_a_minute_is_a_warning",
    ),
    // Only printed.
    (
        "terraform-plugin/src/log.rs",
        "terraform-plugin/src/log.rs",
        "a_line_is_an_object_with_the_members_that_hosts_know",
    ),
];

/// Readings of the clock.
const READINGS: [&str; 5] = [
    "SystemTime::now",
    "now_utc()",
    "UnixTime::now",
    "Utc::now",
    ".modified()",
];

/// Crates that are in no product.
const OTHERS: [&str; 3] = ["netmgr-sim", "pulumi-testing", "fuzz-testing"];

fn crates() -> PathBuf {
    root().join("crates")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && name != "tests" {
            sources(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

#[test]
fn each_reading_of_the_clock_has_a_test_with_a_clock_that_is_set() {
    let crates = crates();
    let mut files = Vec::new();
    for folder in fs::read_dir(&crates).unwrap() {
        let folder = folder.unwrap().path();
        if !OTHERS.iter().any(|other| folder.ends_with(other)) && folder.join("src").is_dir() {
            sources(&folder.join("src"), &mut files);
        }
    }
    let reads = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        let product = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        READINGS.iter().any(|reading| product.contains(reading))
    };
    let found: BTreeSet<_> = files
        .iter()
        .filter(|file| reads(file))
        .map(|file| file.strip_prefix(&crates).unwrap().to_str().unwrap())
        .collect();
    let listed: BTreeSet<_> = USES.iter().map(|(file, ..)| *file).collect();
    assert_eq!(found, listed, "a new reading of the clock needs a test");
    for (_, file, test) in USES {
        let text = fs::read_to_string(crates.join(file)).unwrap();
        assert!(text.contains(&format!("fn {test}(")), "{file} has no test {test}");
    }
}
