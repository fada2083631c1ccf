//! The package of the example `component-rust` in the engine, as its author uses it: added to a program, constructed,
//! and called.

use std::fs;

use serde_json::{Value, json};

use super::installed::install;
use super::support::{PLAYED, SCHEMA_CHECK_OF_PLUGINS, Stack, Tools, stand_ins, tools};

/// The plugin of the example.
fn plugin(tools: &Tools) -> String {
    let plugin = tools.plugins().join("pulumi-resource-events");
    plugin.to_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_adds_the_package_of_a_plugin_and_uses_its_component() {
    let name = "a_program_adds_the_package_of_a_plugin_and_uses_its_component";
    let tools = tools!("a_program_adds_the_package_of_a_plugin_and_uses_its_component");
    let plugin = plugin(tools);
    let cloud = stand_ins();
    let stack = Stack::of_folder(tools, &tools.root.join("examples/component-rust/program")).await;
    // The schema refers to resources of this package.
    let (package, version) = PLAYED[0];
    let played = cloud.path().join(format!("pulumi-resource-{package}"));
    install(&stack, package, version, &played).await;

    for command in [["package", "get-schema"], ["schema", "check"]] {
        if command[0] == "schema" && tools.lacks(name, SCHEMA_CHECK_OF_PLUGINS) {
            continue;
        }
        let said = stack.run(&[command[0], command[1], &plugin]).await.succeeded();
        said.never_says("warning")
            .never_says("Warning")
            .never_says("rror:");
    }
    let added = stack.run(&["package", "add", &plugin]).await.succeeded();
    added.says("events").never_says("warning:").never_says("error:");
    let project = fs::read_to_string(stack.program().join("Pulumi.yaml")).unwrap();
    assert!(project.contains("packages:\n  events: events@0.1.0"), "{project}");

    install(&stack, "events", "0.1.0", plugin.as_ref()).await;
    stack.up().await.succeeded().never_says("warning");
    let outputs = stack.outputs().await;
    assert!(
        outputs["url"].as_str().unwrap().starts_with("https://sqs."),
        "{outputs}"
    );
    stack.destroy().await.succeeded();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_of_the_package_is_constructed_settles_and_answers_calls_of_its_method() {
    let tools = tools!("a_component_of_the_package_is_constructed_settles_and_answers_calls_of_its_method");
    let cloud = stand_ins();
    let plugins = [("events", tools.plugins()), (PLAYED[0].0, cloud.path())];
    let mut stack = Stack::with_plugins(tools, "events-typescript", &plugins).await;
    stack.configure(&[], "retentionSeconds", "59").await;
    let refused = stack.preview().await.failed();
    refused
        .says("retentionSeconds")
        .says("must be from 60 to 1209600");

    stack.configure(&[], "retentionSeconds", "3600").await;
    stack.preview().await.succeeded();
    stack.up().await.succeeded();
    let outputs = stack.outputs().await;
    let policy: Value = serde_json::from_str(outputs["policy"].as_str().unwrap()).unwrap();
    assert_eq!(
        policy["Statement"],
        json!([{
            "Effect": "Allow",
            "Action": ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:PurgeQueue"],
            "Resource": outputs["arn"],
        }])
    );
    let resources = stack.resources().await;
    let queue = resources
        .iter()
        .find(|one| one["type"] == "aws:sqs/queue:Queue")
        .unwrap();
    assert_eq!(queue["inputs"]["messageRetentionSeconds"], 3600);
    assert!(!stack.exported().await.contains("hunter2"));
    stack.is_settled().await;
    stack.destroy().await.succeeded();
}
