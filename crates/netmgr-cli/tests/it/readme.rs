//! The commands of README and of the page for newcomers print what these show.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use crate::support::Run;

/// Runs the commands of `page` in a shell, and returns their number. An indented line that begins with `$` is a command; the
/// indented lines below it are what it prints.
fn run_all(page: &str) -> usize {
    let program = Path::new(env!("CARGO_BIN_EXE_netmgr"));
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    let blocks: Vec<&str> = page.split("\n    $ ").skip(1).collect();
    for block in &blocks {
        let mut lines = block.lines();
        let command = lines.next().unwrap();
        let shown: Vec<&str> = lines.map_while(|line| line.strip_prefix("    ")).collect();
        let mut shell = Command::new("sh");
        shell.env_clear().env("PATH", &path).args(["-c", command]);
        let run = Run::of(&mut shell);
        let printed = run.stdout.clone() + &run.stderr;
        assert_eq!(printed.lines().collect::<Vec<_>>(), shown, "{command}: {run}");
    }
    blocks.len()
}

#[test]
fn the_commands_of_readme_print_what_it_shows() {
    assert_eq!(run_all(include_str!("../../../../README.md")), 3);
}

#[test]
fn the_commands_of_getting_started_print_what_it_shows() {
    assert_eq!(run_all(include_str!("../../../../docs/getting-started.md")), 6);
}
