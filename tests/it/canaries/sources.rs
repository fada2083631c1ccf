//! Finds the lines in the products that print, write files, log or report, with a simple search of the source.

use std::fs;
use std::path::{Path, PathBuf};

use crate::programs::root;

/// Crates that are in no product, or only serve tests: their output is not a channel of a user.
const NOT_SHIPPED: [&str; 2] = ["pulumi-testing", "fuzz-testing"];

/// Patterns of code that writes text.
const MARKS: [&str; 18] = [
    "stdout()",
    "stderr()",
    "io::stderr",
    "io::stdout",
    "print!(",
    "println!(",
    "File::create",
    "File::options",
    "OpenOptions",
    "fs::write",
    "fs::copy",
    "create_new(",
    "NamedTempFile",
    "tracing_subscriber",
    "set_hook",
    "LogRequest {",
    "with_batch_exporter",
    "TcpListener::bind",
];

/// The files with such a line, relative to the root.
pub(super) fn outlets() -> Vec<String> {
    files_with(&|line| MARKS.iter().any(|mark| line.contains(mark)))
}

/// The files with a panic whose message contains a placeholder for a value.
pub(super) fn panics_with_values() -> Vec<String> {
    let panics = [
        "panic!(",
        "unreachable!(",
        "unimplemented!(",
        "todo!(",
        "expect(&format!(",
    ];
    files_with(&|line| {
        let panic = panics.iter().find_map(|name| line.split_once(name));
        panic.is_some_and(|(_, message)| message.contains('{'))
    })
}

fn files_with(is_meant: &dyn Fn(&str) -> bool) -> Vec<String> {
    let root = root();
    let mut files = Vec::new();
    for package in fs::read_dir(root.join("crates")).unwrap() {
        let package = package.unwrap();
        let name = package.file_name().into_string().unwrap();
        if !NOT_SHIPPED.contains(&name.as_str()) {
            collect(&package.path().join("src"), &mut files);
        }
    }
    let mut found: Vec<String> = files
        .into_iter()
        .filter(|file| code_has(&fs::read_to_string(file).unwrap(), is_meant))
        .map(|file| file.strip_prefix(root).unwrap().to_str().unwrap().to_owned())
        .collect();
    found.sort_unstable();
    found
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !["tests", "generated"].contains(&name) {
                collect(&path, files);
            }
        } else if name.ends_with(".rs") && !["tests.rs", "testing.rs"].contains(&name) {
            files.push(path);
        }
    }
}

/// Whether the code of a file has such a line, without comments and tests.
fn code_has(text: &str, is_meant: &dyn Fn(&str) -> bool) -> bool {
    let product = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut lines = product.lines().map(str::trim_start);
    lines.any(|line| !line.starts_with("//") && is_meant(line))
}

#[test]
fn comments_and_tests_are_not_searched() {
    let prints = |text: &str| code_has(text, &|line| line.contains("println!("));
    assert!(prints("fn main() {\n    eprintln!(\"x\");\n}\n"));
    assert!(!prints("/// Never `println!(…)`.\nfn a() {}\n"));
    assert!(!prints(
        "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() { println!(\"x\"); }\n}\n"
    ));
}
