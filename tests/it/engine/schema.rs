//! Points 1 and 2: how the plugin starts, and what the command line makes of its schema.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;

use super::support::{Stack, tools};

#[tokio::test]
async fn started_by_hand_the_plugin_prints_one_port_line_whatever_the_arguments() {
    let tools = tools!("started_by_hand_the_plugin_prints_one_port_line_whatever_the_arguments");
    for arguments in [
        &[][..],
        &["--logtostderr", "-v=9", "--tracing", "x", "127.0.0.1:1"],
    ] {
        let mut plugin = Command::new(&tools.plugin)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(plugin.stdout.take().unwrap()).lines();
        let port = lines.next_line().await.unwrap().unwrap();
        assert!(port.parse::<u16>().is_ok_and(|port| port != 0), "{port:?}");
        let stopped = Command::new("kill")
            .arg(plugin.id().unwrap().to_string())
            .status()
            .await;
        assert!(stopped.unwrap().success());
        assert_eq!(lines.next_line().await.unwrap(), None, "{arguments:?}");
        assert!(plugin.wait().await.unwrap().success(), "{arguments:?}");
    }
}

#[tokio::test]
async fn the_command_line_reads_the_schema_and_finds_nothing_to_say_against_it() {
    let tools = tools!("the_command_line_reads_the_schema_and_finds_nothing_to_say_against_it");
    let stack = Stack::of(tools, "ask-typescript").await;
    let plugin = tools.plugin.to_str().unwrap();
    let read = stack.run(&["package", "get-schema", plugin]).await.succeeded();
    read.says("netmgr:index/getIpPool:getIpPool")
        .never_says("warning")
        .never_says("error:");
    let checked = stack.run(&["schema", "check", plugin]).await.succeeded();
    checked
        .never_says("warning")
        .never_says("Warning")
        .never_says("rror:");
}
