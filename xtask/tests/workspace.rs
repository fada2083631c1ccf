//! The workspace as it is: its generated files and its conventions.

use std::process::Command;

/// Runs a chore; its findings are the panic's message.
fn chore(arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(arguments)
        .output()
        .expect("the chore starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn generated_files_are_current() {
    chore(&["codegen", "--check"]);
}

#[test]
fn conventions_hold() {
    chore(&["tidy"]);
}
