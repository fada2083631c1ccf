//! Tests of `exit.rs`.

use super::*;

#[test]
fn the_documentation_lists_every_code_with_its_meaning() {
    let pages = [
        include_str!("../../README.md"),
        include_str!("../../../../docs/command-line.md"),
    ];
    for (exit, meaning) in TABLE {
        let row = format!("| {} | {meaning} |", *exit as u8);
        for page in pages {
            assert!(page.contains(&row), "{row}");
        }
    }
}
