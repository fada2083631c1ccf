//! Points 1 and 2: the start of the plugin, and the command line's use of its schema. Also the engine's binder with
//! both packages' schemas.

use std::path::Path;
use std::process::{Output, Stdio};

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;

use super::support::{SCHEMA_CHECK_OF_PLUGINS, Stack, Tools, tools};
use crate::programs::{program, root};

#[tokio::test]
async fn started_by_hand_the_plugin_prints_one_port_line_whatever_the_arguments() {
    for arguments in [
        &[][..],
        &["--logtostderr", "-v=9", "--tracing", "x", "127.0.0.1:1"],
    ] {
        let mut plugin = Command::new(program("pulumi-resource-netmgr"))
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
    let plugin = program("pulumi-resource-netmgr");
    let plugin = plugin.to_str().unwrap();
    let read = stack.run(&["package", "get-schema", plugin]).await.succeeded();
    read.says("netmgr:index/getIpPool:getIpPool")
        .never_says("warning:")
        .never_says("error:");
    let name = "the_command_line_reads_the_schema_and_finds_nothing_to_say_against_it";
    if tools.lacks(name, SCHEMA_CHECK_OF_PLUGINS) {
        return;
    }
    let checked = stack.run(&["schema", "check", plugin]).await.succeeded();
    checked
        .never_says("warning")
        .never_says("Warning")
        .never_says("rror:");
}

/// Binds a schema as the engine does, with the schemas of the packages that it refers to.
async fn bind(tools: &Tools, schema: &Path) -> Output {
    let mut binder = Command::new(tools.program("sdkgen"));
    binder.arg("-schema").arg(schema);
    for child in ["aws", "kubernetes"] {
        let child = format!("tests/data/providers/{child}.package.json");
        binder.arg("-with").arg(root().join(child));
    }
    binder.output().await.unwrap()
}

#[tokio::test]
async fn the_engine_binds_the_schemas_of_both_packages_without_a_diagnostic() {
    let tools = tools!("the_engine_binds_the_schemas_of_both_packages_without_a_diagnostic");
    for package in ["netmgr", "clusterpkg"] {
        let schema = root().join(format!("schema/{package}.package.json"));
        let Output {
            status,
            stdout,
            stderr,
        } = bind(tools, &schema).await;
        let said = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(status.success(), "{package}: {said:?}");
        assert_eq!(said, ["", ""], "{package}");
    }
}

#[tokio::test]
async fn the_engine_refuses_a_reference_to_what_a_child_package_does_not_have() {
    let tools = tools!("the_engine_refuses_a_reference_to_what_a_child_package_does_not_have");
    let schema = std::fs::read_to_string(root().join("schema/clusterpkg.package.json")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (there, elsewhere) in [
        ("aws:iam%2Frole:Role", "aws:iam%2Frole:Roles"),
        ("v4.34.2", "v4.34.3"),
    ] {
        assert!(schema.contains(there), "{there}");
        let wrong = folder.path().join("wrong.json");
        std::fs::write(&wrong, schema.replace(there, elsewhere)).unwrap();
        assert!(!bind(tools, &wrong).await.status.success(), "{elsewhere}");
    }
}
