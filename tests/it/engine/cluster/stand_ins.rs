//! Point 1: what the stand-ins refuse. Without that, a component that works with them says little.

use serde_json::{Value, json};

use crate::engine::support::{Cloud, tools};

#[tokio::test(flavor = "multi_thread")]
async fn inputs_that_a_child_package_does_not_have_are_refused() {
    let tools = tools!("inputs_that_a_child_package_does_not_have_are_refused");
    let cloud = Cloud::new(tools).await;
    // The SDKs' classes would leave out what they do not know.
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
            "is no known property",
        ),
        (
            role(json!({ "assumeRolePolicy": "{}", "tags": ["a"] })),
            "must be of type",
        ),
        (pool, "is no known type"),
    ];
    for (refused, reason) in cases {
        cloud.list(&json!([refused])).await;
        cloud.stack.preview().await.failed().says(reason);
    }
}
