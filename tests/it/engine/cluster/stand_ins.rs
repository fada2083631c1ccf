//! Point 1: what the stand-ins refuse. Without that, a component that works with them says little.

use serde_json::{Value, json};

use super::resource;
use crate::engine::support::{Cloud, tools};

#[tokio::test(flavor = "multi_thread")]
async fn inputs_that_a_child_package_does_not_have_are_refused() {
    let tools = tools!("inputs_that_a_child_package_does_not_have_are_refused");
    let cloud = Cloud::new(tools).await;
    let role = |inputs: Value| resource("aws:iam/role:Role", "deployer", inputs);
    let pool = resource(
        "kubernetes:karpenter.sh/v1:NodePool",
        "pool",
        json!({ "apiVersion": "karpenter.sh/v1beta1", "kind": "NodePool" }),
    );
    let cases = [
        (role(json!({})), "assumeRolePolicy"),
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
