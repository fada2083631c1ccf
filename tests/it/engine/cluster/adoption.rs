//! Adoption: a control plane, a node group and their roles exist before the program runs, as
//! docs/operating-clusters.md describes.

use serde_json::{Value, json};

use super::{CLUSTER, NODE_GROUP, optioned, small};
use crate::engine::support::{Cloud, IMPORTS_IN_TRANSFORMS, tools};

const ROLE: &str = "aws:iam/role:Role main-cluster-role";

/// The inputs of the existing resources, by id.
fn existing() -> Value {
    let role = |name: &str| json!({ "name": name, "assumeRolePolicy": "{}" });
    let arn = |name: &str| format!("arn:aws:iam::123456789012:role/{name}");
    json!({
        "eks-prod": role("eks-prod"),
        "eks-prod-web": role("eks-prod-web"),
        "prod": {
            "name": "prod",
            "roleArn": arn("eks-prod"),
            "version": "1.35",
            "accessConfig": { "authenticationMode": "API_AND_CONFIG_MAP", "bootstrapClusterCreatorAdminPermissions": true },
            "deletionProtection": false,
            "enabledClusterLogTypes": ["audit"],
            "upgradePolicy": { "supportType": "EXTENDED" },
            "vpcConfig": {
                "subnetIds": ["subnet-1", "subnet-2"], "endpointPublicAccess": true, "endpointPrivateAccess": false,
                "publicAccessCidrs": ["0.0.0.0/0"],
            },
            "zonalShiftConfig": { "enabled": false },
        },
        "prod:web": {
            "clusterName": "prod",
            "nodeGroupName": "web",
            "nodeRoleArn": arn("eks-prod-web"),
            "subnetIds": ["subnet-1"],
            "amiType": "AL2023_x86_64_STANDARD",
            "capacityType": "ON_DEMAND",
            "diskSize": 40,
            "instanceTypes": ["t3.medium"],
            "scalingConfig": { "minSize": 1, "desiredSize": 3, "maxSize": 10 },
            "nodeRepairConfig": { "enabled": false },
            "updateConfig": { "maxUnavailable": 1 },
        },
    })
}

/// The program, in which the role of the control plane keeps the properties in `kept`.
fn program(kept: &[&str]) -> Value {
    let inputs = json!({ "name": "prod", "clusterVersion": "1.35", "enabledClusterLogTypes": ["audit"] });
    let cluster = json!({ "adopt": {
        ROLE: { "import": "eks-prod", "ignoreChanges": kept },
        "aws:eks/cluster:Cluster main": { "import": "prod", "ignoreChanges": ["accessConfig", "encryptionConfig"] },
    } });
    let group = json!({ "adopt": {
        "aws:iam/role:Role web-node-role": { "import": "eks-prod-web", "ignoreChanges": ["name", "assumeRolePolicy"] },
        "aws:eks/nodeGroup:NodeGroup web-nodes": { "import": "prod:web", "ignoreChanges": ["nodeGroupName"] },
    } });
    let web = json!({ "clusterName": { "from": "main.clusterName" }, "subnetIds": ["subnet-1"] });
    json!([
        optioned(CLUSTER, "main", small(inputs), cluster),
        optioned(NODE_GROUP, "web", web, group),
    ])
}

#[tokio::test(flavor = "multi_thread")]
async fn an_existing_cluster_and_its_node_group_are_adopted() {
    let name = "an_existing_cluster_and_its_node_group_are_adopted";
    let tools = tools!("an_existing_cluster_and_its_node_group_are_adopted");
    if tools.lacks(name, IMPORTS_IN_TRANSFORMS) {
        return;
    }
    let mut cloud = Cloud::new(tools).await;
    cloud.stack.set("STAND_IN_EXISTING", existing().to_string());
    cloud.list(&program(&["name", "assumeRolePolicy"])).await;
    cloud.stack.preview().await.succeeded().never_says("replace");
    cloud.journal();
    cloud.stack.up().await.succeeded();
    let (state, journal) = (cloud.state().await, cloud.journal());
    let adopted = [
        ("Role main-cluster-role", "eks-prod"),
        ("cluster:Cluster main", "prod"),
        ("Role web-node-role", "eks-prod-web"),
        ("NodeGroup web-nodes", "prod:web"),
    ];
    for (child, id) in adopted {
        assert_eq!(state.get(child)["id"], id, "{child}");
        let short = child.trim_start_matches("cluster:");
        for what in ["create", "update", "delete"] {
            assert!(!journal.names(what).contains(short), "{what} {child}");
        }
    }
    // The missing resources are created, and the parts fit together.
    assert!(journal.names("create").contains("NodeGroup main-system-nodes"));
    let role = state.get("cluster:Cluster main")["outputs"]["roleArn"].clone();
    assert_eq!(role, "arn:aws:iam::123456789012:role/eks-prod");
    cloud.stack.is_settled().await;
}

/// The engine refuses to replace resources that it imports.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_exists_is_replaced_by_its_adoption() {
    let name = "nothing_that_exists_is_replaced_by_its_adoption";
    let tools = tools!("nothing_that_exists_is_replaced_by_its_adoption");
    if tools.lacks(name, IMPORTS_IN_TRANSFORMS) {
        return;
    }
    let mut cloud = Cloud::new(tools).await;
    cloud.stack.set("STAND_IN_EXISTING", existing().to_string());
    cloud.list(&program(&["assumeRolePolicy"])).await;
    cloud.stack.up().await.failed();
    let journal = cloud.journal();
    assert_eq!(journal.names("delete"), [].into());
    assert!(!journal.names("create").contains("Cluster main"));
}
