//! Every function of the list, found on a manager in another process.

use serde_json::{Value, json};

use crate::support::{Manager, netmgr};

const EDGE_CLUSTER: &str =
    "/infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001";

/// A function, inputs that all find the same object, and what some of its outputs are.
struct Hit {
    function: &'static str,
    inputs: Vec<Value>,
    outputs: Value,
}

fn hit<const N: usize>(function: &'static str, inputs: [Value; N], outputs: Value) -> Hit {
    Hit {
        function,
        inputs: inputs.into(),
        outputs,
    }
}

/// An object that has `id` and is found by it and by each of the names.
fn named<const N: usize>(function: &'static str, id: &str, names: [&str; N]) -> Hit {
    let by_name = names.iter().map(|name| json!({ "displayName": name }));
    Hit {
        function,
        inputs: [json!({ "id": id })].into_iter().chain(by_name).collect(),
        outputs: json!({ "id": id }),
    }
}

fn hits() -> Vec<Hit> {
    vec![
        named(
            "getCertificate",
            "0a4e7b9c-2d31-4b0e-9c7f-1a2b3c4d0001",
            ["edge-lb-cert"],
        ),
        hit(
            "getComputeCollection",
            [
                json!({ "displayName": "Compute-Cluster-01" }),
                json!({ "displayName": "Compute-Cluster-01", "cmLocalId": "domain-c20" }),
                json!({
                    "displayName": "Compute-Cluster-01",
                    "id": "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20",
                }),
            ],
            json!({ "id": "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20", "originType": "VC_Cluster" }),
        ),
        named(
            "getComputeManager",
            "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001",
            ["vc-prod"],
        ),
        hit(
            "getComputeManagerRealization",
            [json!({ "id": "9c8d3c5e-6b1f-4a1f-8d35-0b6c7d8e0001", "delay": 0 })],
            json!({ "state": "success", "registrationStatus": "REGISTERED", "timeout": 1200 }),
        ),
        hit(
            "getDiscoveredNode",
            [
                json!({ "id": "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:host-42" }),
                json!({ "ipAddress": "198.51.100.42" }),
            ],
            json!({ "id": "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:host-42", "ipAddress": "198.51.100.42" }),
        ),
        named(
            "getEdgeCluster",
            "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001",
            ["edge-cluster-prod", "edge-cluster-p"],
        ),
        hit(
            "getEdgeUpgradeGroup",
            [
                json!({ "upgradePrepareId": "u", "id": "c4d5e6f7-0819-4a2b-8c3d-5e6f70810001" }),
                json!({ "upgradePrepareId": "u", "displayName": "edge-cluster-prod" }),
            ],
            json!({ "id": "c4d5e6f7-0819-4a2b-8c3d-5e6f70810001", "upgradePrepareId": "u" }),
        ),
        named(
            "getFailureDomain",
            "4fc1e3b0-1cd4-4339-86c8-f76baddb0001",
            ["fd-rack-1"],
        ),
        named(
            "getFirewallSection",
            "7a6b5c4d-3e2f-4101-9a8b-7c6d5e4f0001",
            ["block all"],
        ),
        hit(
            "getHostUpgradeGroup",
            [
                json!({ "upgradePrepareId": "u", "id": "c4d5e6f7-0819-4a2b-8c3d-5e6f70810002" }),
                json!({ "upgradePrepareId": "u", "displayName": "Compute-Cluster-01" }),
            ],
            json!({ "id": "c4d5e6f7-0819-4a2b-8c3d-5e6f70810002", "description": "Hosts of Compute-Cluster-01" }),
        ),
        named("getIpPool", "1d2c3b4a-5968-4778-8695-a4b3c2d10001", ["tep-pool"]),
        named(
            "getLogicalTier0Router",
            "8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40001",
            ["t0-prod"],
        ),
        named(
            "getLogicalTier1Router",
            "8d7e6f5a-4b3c-4d2e-9f10-a1b2c3d40004",
            ["t1-dist", "t1-d"],
        ),
        named(
            "getMacPool",
            "3e4d5c6b-7a89-4c0b-8d1e-2f3041520002",
            ["lab-mac-pool"],
        ),
        hit("getManagementCluster", [json!({})], json!({})),
        named(
            "getManagerClusterNode",
            "3c1b5a70-9e0d-4d3b-8a34-7d0a5a6e1002",
            ["mgr-b"],
        ),
        hit(
            "getManagerInfo",
            [json!({})],
            json!({ "version": "9.1.0.0.24952111" }),
        ),
        named(
            "getNsGroup",
            "5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0001",
            ["group-web"],
        ),
        hit(
            "getNsGroups",
            [json!({ "id": "mine" })],
            json!({ "id": "mine", "items": {
                "5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0006": "5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0006",
                "group-app": "5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0002",
                "group-db": "5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0003",
                "group-web": "5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0001",
                "twin-group": "5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b0004",
            } }),
        ),
        named("getNsService", "6b5c4d3e-2f10-4bac-9d8e-7f6051420001", ["HTTP"]),
        hit(
            "getNsServices",
            [json!({})],
            json!({ "items": {
                "DNS (UDP)": "6b5c4d3e-2f10-4bac-9d8e-7f6051420004",
                "HTTP": "6b5c4d3e-2f10-4bac-9d8e-7f6051420001",
                "HTTPS": "6b5c4d3e-2f10-4bac-9d8e-7f6051420002",
                "web-8443": "6b5c4d3e-2f10-4bac-9d8e-7f6051420003",
            } }),
        ),
        named("getPolicyBfdProfile", "fast-bfd", ["bfd-fast"]),
        named("getPolicyBridgeProfile", "bridge-prod", ["bridge-prod"]),
        named(
            "getPolicyCertificate",
            "lb-cert-web",
            ["lb-cert-web", "lb-cert-w"],
        ),
        hit(
            "getPolicyClusterSecurityConfig",
            [json!({ "clusterId": "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20" })],
            json!({ "clusterId": "7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910:domain-c20", "dfwEnabled": true }),
        ),
        named(
            "getPolicyContainerCluster",
            "antrea-prod-2",
            ["antrea-prod-2", "antrea-prod-"],
        ),
        hit(
            "getPolicyContainerClusters",
            [json!({ "id": "mine" })],
            json!({ "id": "mine" }),
        ),
        named("getPolicyContextProfile", "demoprof", ["demoprof", "demop"]),
        named("getPolicyDhcpServer", "dhcp-lab", ["dhcp (lab)/2", "dhcp (lab"]),
        named(
            "getPolicyDistributedFloodProtectionProfile",
            "dfpp-10",
            ["dfpp-test-10", "dfpp-test-"],
        ),
        named(
            "getPolicyDistributedVlanConnection",
            "vlan-100",
            ["vlan-100", "vlan"],
        ),
        named(
            "getPolicyEdgeCluster",
            "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0010",
            ["edge"],
        ),
        named(
            "getPolicyEdgeHighAvailabilityProfile",
            "edge-ha-fast",
            ["edge-ha-fast"],
        ),
        hit(
            "getPolicyEdgeNode",
            [
                json!({ "edgeClusterPath": EDGE_CLUSTER, "displayName": "edge-02" }),
                json!({ "edgeClusterPath": EDGE_CLUSTER, "memberIndex": 1 }),
                json!({ "edgeClusterPath": EDGE_CLUSTER, "id": "6e5d4c3b-2a19-4f08-9e7d-6c5b4a390002" }),
            ],
            json!({ "displayName": "edge-02", "path": format!("{EDGE_CLUSTER}/edge-nodes/1") }),
        ),
        named("getPolicyEdgeTransportNode", "edge-03", ["edge-03"]),
        hit(
            "getPolicyEdgeTransportNodeRealization",
            [json!({
                "path": "/infra/sites/default/enforcement-points/default/edge-transport-nodes/edge-01",
                "delay": 0,
            })],
            json!({ "state": "SUCCESS" }),
        ),
    ]
}

#[test]
fn every_listed_function_has_a_row_here() {
    let listed = netmgr(&["functions", "-o", "json"]).answer();
    let listed = listed.as_array().unwrap().iter();
    let listed: Vec<Value> = listed.map(|function| function["name"].clone()).collect();
    let rows: Vec<&str> = hits().iter().map(|hit| hit.function).collect();
    assert_eq!(listed, rows);
    assert_eq!(rows.len(), 36);
}

#[test]
fn every_function_finds_its_object_by_each_of_its_inputs() {
    let manager = Manager::start();
    for Hit {
        function,
        inputs,
        outputs,
    } in hits()
    {
        let mut identity: Option<Value> = None;
        for input in inputs {
            let run = manager.get(&[function, "--input", &input.to_string()]);
            assert_eq!(run.code, 0, "{function} {input}: {run:?}");
            let answer = run.json();
            for (property, expected) in outputs.as_object().unwrap() {
                assert_eq!(&answer[property], expected, "{function} {input}: {run:?}");
            }
            let found = json!([answer["id"], answer["path"], answer["items"]]);
            let first = identity.get_or_insert_with(|| found.clone());
            assert_eq!(first, &found, "{function} {input}");
        }
    }
}

#[test]
fn the_management_cluster_is_told_with_the_thumbprint_of_the_node_asked() {
    let manager = Manager::start();
    let answer = manager.get(&["management-cluster"]).answer();
    let thumbprint = answer["nodeSha256Thumbprint"].as_str().unwrap();
    assert_eq!(thumbprint.len(), 64, "{thumbprint}");
    assert!(!answer["id"].as_str().unwrap().is_empty());
}
