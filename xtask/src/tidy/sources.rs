//! The shape of Rust files: length and opening comment.

use super::TextFile;

/// Maximum lines of code in a file, without tests, comments and blank lines.
const LONGEST: usize = 400;

/// How a file begins: with its own words or with the README of its crate.
const OPENINGS: &[&str] = &["//!", "#![doc = include_str!(\"../README.md\")]"];

/// Files that may be longer, each with its reason.
const LONGER: &[(&str, &str)] = &[
    (
        "crates/pulumi-plugin/src/rpc/generated/pulumirpc.rs",
        "generated, one file per protobuf package",
    ),
    (
        "crates/terraform-plugin/src/generated/tfplugin6.rs",
        "generated, one file per protobuf package",
    ),
];

/// Files that are too long or do not say what lives in them. Files of tests are as their subject
/// needs them.
pub(super) fn findings(files: &[TextFile]) -> Vec<String> {
    let mut findings = Vec::new();
    for TextFile { path, text } in files.iter().filter(|file| file.is_rust()) {
        if is_test(path) {
            continue;
        }
        if !OPENINGS.iter().any(|opening| text.starts_with(opening)) {
            findings.push(format!(
                "{path} does not start with a `//!` comment that describes its contents"
            ));
        }
        let lines = code_lines(text);
        if lines > LONGEST && LONGER.iter().all(|(longer, _)| longer != path) {
            findings.push(format!(
                "{path} has {lines} lines of code, more than {LONGEST}; split it"
            ));
        }
    }
    findings
}

/// Whether a whole file is tests.
fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.split('/').any(|folder| folder == "tests")
}

/// Lines of code up to the test module at the end of the file.
fn code_lines(text: &str) -> usize {
    let mut lines = text.lines().peekable();
    let mut count = 0;
    while let Some(line) = lines.next() {
        let starts_tests =
            line == "#[cfg(test)]" && lines.peek().is_some_and(|next| next.starts_with("mod "));
        if starts_tests {
            break;
        }
        let line = line.trim();
        if !line.is_empty() && !line.starts_with("//") {
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    fn file_of(lines: usize) -> String {
        "//! Numbers.\n".to_owned() + &"const A: u8 = 1;\n".repeat(lines)
    }

    #[test]
    fn a_file_may_have_400_lines_of_code_and_no_more() {
        assert_eq!(findings(&[source("crates/a/src/a.rs", &file_of(400))]), [""; 0]);
        assert_eq!(
            findings(&[source("crates/a/src/a.rs", &file_of(401))]),
            ["crates/a/src/a.rs has 401 lines of code, more than 400; split it"]
        );
    }

    #[test]
    fn tests_comments_and_blank_lines_do_not_count() {
        let text = file_of(2) + "\n    // why\n#[cfg(test)]\nmod tests {\n    const B: u8 = 2;\n}\n";
        assert_eq!(code_lines(&text), 2);
        assert_eq!(
            findings(&[source("crates/a/src/tests.rs", &file_of(500))]),
            [""; 0]
        );
        assert_eq!(findings(&[source("tests/it/a.rs", &file_of(500))]), [""; 0]);
    }

    #[test]
    fn a_file_says_first_what_lives_in_it() {
        let findings = findings(&[source("crates/a/src/a.rs", "use std::io;\n")]);
        assert_eq!(
            findings,
            ["crates/a/src/a.rs does not start with a `//!` comment that describes its contents"]
        );
    }
}
