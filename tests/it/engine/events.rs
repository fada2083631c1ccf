//! The package of the example `component-rust` in the engine, as its author uses it: added to a program, constructed,
//! and called.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::installed::install;
use super::support::{
    PACKAGES_IN_PROJECTS, PLAYED, SCHEMA_CHECK_OF_PLUGINS, Stack, Tools, stand_ins, tools, until,
};
use crate::programs::{program, programs, root};

/// The plugin of the example.
fn plugin() -> String {
    let plugin = program("pulumi-resource-events");
    plugin.to_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_adds_the_package_of_a_plugin_and_uses_its_component() {
    let name = "a_program_adds_the_package_of_a_plugin_and_uses_its_component";
    let tools = tools!("a_program_adds_the_package_of_a_plugin_and_uses_its_component");
    let plugin = plugin();
    let cloud = stand_ins();
    let stack = Stack::of_folder(tools, &root().join("examples/component-rust/program")).await;
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
    if tools.lacks(name, PACKAGES_IN_PROJECTS) {
        return;
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
    let plugins = [("events", programs()), (PLAYED[0].0, cloud.path())];
    let mut stack = Stack::with_plugins(tools, "events-typescript", &plugins).await;
    for (input, wrong, problem) in [
        ("retentionSeconds", "59", "must be from 60 to 1209600"),
        ("encryption", "aes", "must be one of sqs, none"),
        ("pattern", "[]", "the pattern must be a JSON object"),
    ] {
        stack.configure(&[], input, wrong).await;
        let refused = stack.preview().await.failed();
        refused.says(problem).never_says("bug");
        stack.run(&["config", "rm", input]).await.succeeded();
    }

    stack.configure(&[], "retentionSeconds", "3600").await;
    stack.configure(&[], "encryption", "none").await;
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
    assert_eq!(queue["inputs"]["sqsManagedSseEnabled"], false);
    assert!(!stack.exported().await.contains("hunter2"));
    stack.is_settled().await;
    stack.destroy().await.succeeded();
}

/// A stack of the component, with the other plugins that it needs.
async fn orders(tools: &'static Tools, cloud: &Path) -> Stack {
    let plugins = [
        ("events", programs()),
        ("clusterpkg", programs()),
        (PLAYED[0].0, cloud),
    ];
    let mut stack = Stack::with_plugins(tools, "events-typescript", &plugins).await;
    let journal = cloud.join("journal");
    stack.set("STAND_IN_JOURNAL", journal.to_str().unwrap());
    let consumer = json!({
        "oidcProviderArn": "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABCD",
        "oidcProviderUrl": "https://oidc.eks.eu-west-1.amazonaws.com/id/ABCD",
        "namespaceName": "shop",
        "serviceAccountName": "orders",
    });
    stack.configure(&[], "consumer", &consumer.to_string()).await;
    stack
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_has_a_component_of_another_package_and_reads_a_queue_that_exists() {
    let tools = tools!("a_component_has_a_component_of_another_package_and_reads_a_queue_that_exists");
    let cloud = stand_ins();
    let mut stack = orders(tools, cloud.path()).await;
    let url = "https://sqs.eu-west-1.amazonaws.com/123456789012/dead";
    stack.configure(&[], "deadLetterQueueUrl", url).await;
    stack.set(
        "STAND_IN_EXISTING",
        json!({ url: { "name": "dead" } }).to_string(),
    );
    stack.preview().await.succeeded();
    stack.up().await.succeeded();

    let resources = stack.resources().await;
    let of = |token: &str, name: &str| {
        let is_it = |one: &&Value| one["type"] == token && one["urn"].as_str().unwrap().ends_with(name);
        resources
            .iter()
            .find(is_it)
            .unwrap_or_else(|| panic!("{token} {name}"))
    };
    let remote = of("clusterpkg:index:IamServiceAccountRole", "::orders-consumer");
    let role = of("aws:iam/role:Role", "::orders-consumer");
    assert_eq!(role["parent"], remote["urn"]);
    let policy = of("aws:iam/rolePolicy:RolePolicy", "::orders-consumer");
    assert_eq!(policy["inputs"]["role"], role["id"]);
    assert_eq!(policy["parent"], remote["urn"]);
    assert_eq!(
        of("aws:sqs/queue:Queue", "::orders-dead-letters")["external"],
        true
    );
    let queue = of("aws:sqs/queue:Queue", "::orders");
    let redrive: Value = serde_json::from_str(queue["inputs"]["redrivePolicy"].as_str().unwrap()).unwrap();
    let arn = "arn:aws:sqs:eu-west-1:123456789012:dead";
    assert_eq!(
        redrive,
        json!({ "deadLetterTargetArn": arn, "maxReceiveCount": 3 })
    );

    stack.is_settled().await;
    stack.destroy().await.succeeded();
    let journal = fs::read_to_string(cloud.path().join("journal")).unwrap();
    let deleted: Vec<_> = journal
        .lines()
        .filter(|line| line.contains(r#""deleted""#))
        .collect();
    assert!(!deleted.is_empty() && !deleted.iter().any(|line| line.contains("dead-letters")));
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_plugin_that_is_killed_fails_the_update_and_the_next_one_completes_it() {
    let tools = tools!("a_plugin_that_is_killed_fails_the_update_and_the_next_one_completes_it");
    let cloud = stand_ins();
    let mut stack = orders(tools, cloud.path()).await;
    stack.set("STAND_IN_DELAY_MS", "2000");
    let command = stack.start(&[
        "up",
        "--yes",
        "--skip-preview",
        "--non-interactive",
        "--color=never",
    ]);
    let journal = cloud.path().join("journal");
    let events = || fs::read_to_string(&journal).unwrap_or_default();
    until("created", || events().contains(r#""created""#)).await;
    stack.kill("pulumi-resource-events");
    let ended = command.wait_with_output().await.unwrap();
    assert!(!ended.status.success());

    stack.set("STAND_IN_DELAY_MS", "0");
    stack.up().await.succeeded();
    stack.is_settled().await;
    // Nothing is created twice.
    let events = events();
    let mut created: Vec<Value> = events
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    created.retain(|event: &Value| event["what"] == "created");
    let subjects: BTreeSet<_> = created.iter().map(|event| event["subject"].to_string()).collect();
    assert_eq!(subjects.len(), created.len(), "{events}");
    stack.destroy().await.succeeded();
}
