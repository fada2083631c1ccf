//! Point 1: the errors of the stand-ins, without which a component that works with them would prove little; and the
//! command line's use of a schema that refers to theirs.

use serde_json::{Value, json};

use crate::engine::support::{Cloud, SCHEMA_CHECK_OF_PLUGINS, tools};
use crate::programs::program;

#[tokio::test(flavor = "multi_thread")]
async fn inputs_that_a_child_package_does_not_have_are_refused() {
    let tools = tools!("inputs_that_a_child_package_does_not_have_are_refused");
    let cloud = Cloud::new(tools).await;
    // The SDKs' classes would omit unknown properties.
    let untyped =
        |token: &str, inputs: Value| json!({ "type": token, "name": "a", "inputs": inputs, "untyped": true });
    let role = |inputs: Value| untyped("aws:iam/role:Role", inputs);
    let pool = untyped(
        "kubernetes:karpenter.sh/v1:NodePool",
        json!({ "apiVersion": "karpenter.sh/v1beta1", "kind": "NodePool" }),
    );
    let cases = [
        (role(json!({})), "is required"),
        (
            role(json!({ "assumeRolePolicy": "{}", "tag": {} })),
            "is an unknown property",
        ),
        (
            role(json!({ "assumeRolePolicy": "{}", "tags": ["a"] })),
            "must be of type",
        ),
        (pool, "is an unknown type"),
    ];
    for (refused, reason) in cases {
        cloud.list(&json!([refused])).await;
        cloud.stack.preview().await.failed().says(reason);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_finds_nothing_to_say_against_the_components_schema() {
    let tools = tools!("the_command_line_finds_nothing_to_say_against_the_components_schema");
    let cloud = Cloud::new(tools).await;
    let plugin = program("pulumi-resource-clusterpkg");
    let plugin = plugin.to_str().unwrap();
    for command in [["package", "get-schema", plugin], ["schema", "check", plugin]] {
        let name = "the_command_line_finds_nothing_to_say_against_the_components_schema";
        if command[0] == "schema" && tools.lacks(name, SCHEMA_CHECK_OF_PLUGINS) {
            continue;
        }
        let said = cloud.stack.run(&command).await.succeeded();
        said.never_says("warning")
            .never_says("Warning")
            .never_says("rror:");
    }
}
