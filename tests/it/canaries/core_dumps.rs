//! Core dumps: off in the plugins, in the provider and in the process of filters, and on with a variable.

#![cfg(target_os = "linux")]

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::Command;

use crate::programs::program;

/// A shell that raises its own limit as far as permitted and then executes the binary.
const SHELL: &str = r#"ulimit -S -c "$(ulimit -H -c)"; exec "$0" "$@""#;

/// The soft and the hard limit of core dumps of a process that serves.
async fn limits(name: &str, argument: &str, keep: &str) -> [String; 2] {
    let mut process = Command::new("sh")
        .args(["-c", SHELL])
        .arg(program(name))
        .args(argument.split_whitespace())
        .env("PLUGIN_CORE_DUMPS", keep)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    // A filter, which the others ignore.
    let mut stdin = process.stdin.take().unwrap();
    stdin.write_all(b"\".\"\n").await.unwrap();
    // It serves when it has printed its first line.
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    lines.next_line().await.unwrap().unwrap();
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", process.id().unwrap())).unwrap();
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max core file size"));
    let mut words = line.unwrap().split_whitespace().map(str::to_owned);
    [words.next().unwrap(), words.next().unwrap()]
}

#[tokio::test]
async fn processes_with_secrets_write_no_core_dumps() {
    for (name, argument) in [
        ("netmgr", "--filter-process"),
        ("pulumi-resource-netmgr", ""),
        ("pulumi-resource-clusterpkg", ""),
        ("terraform-provider-netmgr", "--debug"),
    ] {
        let [soft, hard] = limits(name, argument, "").await;
        // The kernel passes no dump to a program if the limit is 1, but it does if the limit is 0.
        let off = if hard == "0" { "0" } else { "1" };
        assert_eq!(soft, off, "{name}");
        let [soft, hard] = limits(name, argument, "1").await;
        assert_eq!(soft, hard, "{name}: PLUGIN_CORE_DUMPS has no effect");
    }
}
