//! The binary without a host. The crate netmgr-tests tests its calls with real hosts.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::process::{Command, Output};

/// The cookie that hosts set for plugins.
const COOKIE: &str = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";

fn program(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_terraform-provider-netmgr"))
        .args(arguments)
        .env_clear()
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_person_who_starts_it_reads_what_it_is_for() {
    let output = program(&[], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "");
    assert_eq!(
        text(&output.stderr),
        "terraform-provider-netmgr: this is a provider, which Terraform or OpenTofu starts. To start it \
         manually, for example in a debugger, use --debug.\n"
    );
    let help = program(&["--help"], &[]);
    assert!(text(&help.stdout).starts_with("Terraform and OpenTofu provider that looks up objects"));
    let version = program(&["--version"], &[]);
    assert_eq!(
        text(&version.stdout),
        concat!("terraform-provider-netmgr ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn a_host_without_protocol_6_is_refused_with_the_first_versions_that_have_it() {
    let variables = [
        ("TF_PLUGIN_MAGIC_COOKIE", COOKIE),
        ("PLUGIN_PROTOCOL_VERSIONS", "4,5"),
    ];
    let output = program(&[], &variables);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("Terraform 1.0 or OpenTofu 1.6"));
}

#[cfg(unix)]
#[test]
fn an_argument_or_a_variable_that_is_not_utf8_is_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let not_utf8 = OsStr::from_bytes(b"x\xff");
    let mut command = Command::new(env!("CARGO_BIN_EXE_terraform-provider-netmgr"));
    let output = command.arg(not_utf8).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr),
        "terraform-provider-netmgr: argument 1 is not UTF-8; see --help\n"
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_terraform-provider-netmgr"));
    let output = command
        .env("TF_PLUGIN_MAGIC_COOKIE", COOKIE)
        .env("PLUGIN_PROTOCOL_VERSIONS", "6")
        .env("PLUGIN_CLIENT_CERT", not_utf8)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr),
        "terraform-provider-netmgr: the environment variable PLUGIN_CLIENT_CERT is not UTF-8.\n"
    );
}
