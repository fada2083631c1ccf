//! The plugins without a program: functions that are called directly, and the output on a terminal.

use std::process::Command;

use super::support::{DO, Stack, manager, tools};
use crate::programs::program;

#[tokio::test(flavor = "multi_thread")]
async fn a_direct_call_answers_or_fails_with_what_is_wrong() {
    let tools = tools!("a_direct_call_answers_or_fails_with_what_is_wrong");
    if tools.lacks("a_direct_call_answers_or_fails_with_what_is_wrong", DO) {
        return;
    }
    let manager = manager().await;
    let mut stack = Stack::of(tools, "ask-typescript").await;
    stack.point_at(&manager);
    let plugin = program("pulumi-resource-netmgr");
    let plugin = plugin.to_str().unwrap();
    let call = |function: &'static str, inputs: [&'static str; 4]| {
        let start = ["do", "--package", plugin, "--non-interactive", function];
        [&start[..], &inputs].concat()
    };
    let one = call(
        "netmgr:index:getComputeManager",
        ["--display-name", "vc-prod", "--color", "never"],
    );
    stack.run(&one).await.succeeded().says("vc-prod.lab.example");
    let both = call(
        "netmgr:index:getPolicyBfdProfile",
        ["--id", "x", "--display-name", "y"],
    );
    stack
        .run(&both)
        .await
        .failed()
        .says("invalid input: displayName: ");
}

#[test]
fn a_person_gets_help_and_version_from_the_plugins() {
    for plugin in ["netmgr", "clusterpkg"] {
        let program = program(&format!("pulumi-resource-{plugin}"));
        for (argument, part) in [
            ("--help", "Usage: pulumi-resource-"),
            ("--version", "pulumi-resource-"),
        ] {
            let printed = Command::new(&program).arg(argument).output().unwrap();
            assert!(printed.status.success(), "{printed:?}");
            let text = String::from_utf8(printed.stdout).unwrap();
            assert!(text.contains(part), "{text}");
        }
    }
}
