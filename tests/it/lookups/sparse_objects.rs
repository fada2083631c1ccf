//! Outputs match their schemas regardless of the members that a manager omits.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::harness::{World, chain};
use super::table::fits_schema;

/// Functions that find an object by id, the location of their objects, and further required inputs.
fn by_id() -> Vec<(&'static str, &'static str, Value, Value)> {
    let point = "/infra/sites/default/enforcement-points/default";
    let cluster = format!("{point}/edge-clusters/one");
    let at = |collection: &str| -> &'static str { format!("{point}/{collection}").leak() };
    let nodes: &'static str = format!("{cluster}/edge-nodes").leak();
    let plain = |name, collection| (name, collection, json!({}), json!({}));
    vec![
        plain("getCertificate", "/api/v1/trust-management/certificates"),
        plain("getComputeManager", "/api/v1/fabric/compute-managers"),
        plain("getDiscoveredNode", "/api/v1/fabric/discovered-nodes"),
        plain("getEdgeCluster", "/api/v1/edge-clusters"),
        plain("getFailureDomain", "/api/v1/failure-domains"),
        plain("getFirewallSection", "/api/v1/firewall/sections"),
        plain("getIpPool", "/api/v1/pools/ip-pools"),
        plain("getMacPool", "/api/v1/pools/mac-pools"),
        plain("getManagerClusterNode", "/api/v1/cluster/nodes"),
        plain("getNsGroup", "/api/v1/ns-groups"),
        plain("getNsService", "/api/v1/ns-services"),
        plain("getPolicyBfdProfile", "/infra/bfd-profiles"),
        plain("getPolicyBridgeProfile", at("edge-bridge-profiles")),
        plain("getPolicyCertificate", "/infra/certificates"),
        plain("getPolicyContainerCluster", at("cluster-control-planes")),
        plain("getPolicyContextProfile", "/infra/context-profiles"),
        plain("getPolicyDhcpServer", "/infra/dhcp-server-configs"),
        plain(
            "getPolicyDistributedFloodProtectionProfile",
            "/infra/flood-protection-profiles",
        ),
        plain(
            "getPolicyDistributedVlanConnection",
            "/infra/distributed-vlan-connections",
        ),
        plain("getPolicyEdgeCluster", at("edge-clusters")),
        plain(
            "getPolicyEdgeHighAvailabilityProfile",
            at("edge-cluster-high-availability-profiles"),
        ),
        plain("getPolicyEdgeTransportNode", at("edge-transport-nodes")),
        (
            "getComputeCollection",
            "/api/v1/fabric/compute-collections",
            json!({"displayName": "x"}),
            json!({}),
        ),
        (
            "getEdgeUpgradeGroup",
            "/api/v1/upgrade/upgrade-unit-groups",
            json!({"upgradePrepareId": "x"}),
            json!({"type": "EDGE"}),
        ),
        (
            "getHostUpgradeGroup",
            "/api/v1/upgrade/upgrade-unit-groups",
            json!({"upgradePrepareId": "x"}),
            json!({"type": "HOST"}),
        ),
        (
            "getLogicalTier0Router",
            "/api/v1/logical-routers",
            json!({}),
            json!({"router_type": "TIER0"}),
        ),
        (
            "getLogicalTier1Router",
            "/api/v1/logical-routers",
            json!({}),
            json!({"router_type": "TIER1"}),
        ),
        (
            "getPolicyEdgeNode",
            nodes,
            json!({"edgeClusterPath": cluster}),
            json!({}),
        ),
        (
            "getPolicyClusterSecurityConfig",
            "/infra/settings/security/cluster-configs",
            json!({"clusterId": "7"}),
            json!({}),
        ),
    ]
}

/// Fields that lookups read and that a manager may omit or send as null.
const OPTIONAL: [&str; 18] = [
    "appliance_mgmt_listen_addr",
    "cm_local_id",
    "deployment_type",
    "description",
    "display_name",
    "edge_cluster_id",
    "features",
    "high_availability_mode",
    "ip_addresses",
    "member_index",
    "member_node_type",
    "members",
    "nsx_id",
    "origin_id",
    "origin_type",
    "resource_type",
    "server",
    "unique_id",
];

/// An object that has `text` or null in the optional fields that `nulls` selects.
fn sparse(mut body: Value, nulls: &[bool], texts: &[bool], text: &str) -> Value {
    for (field, (null, given)) in OPTIONAL.iter().zip(nulls.iter().zip(texts)) {
        let is_text = !matches!(
            *field,
            "features" | "ip_addresses" | "member_index" | "members" | "resource_type"
        );
        if *null {
            body[field] = Value::Null;
        } else if *given && is_text {
            body[field] = json!(text);
        }
    }
    body
}

proptest! {
    // A case runs every function.
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 5))]
    #[test]
    fn prop_outputs_fit_their_schema_whatever_the_manager_leaves_out(
        nulls in prop::collection::vec(any::<bool>(), OPTIONAL.len()),
        texts in prop::collection::vec(any::<bool>(), OPTIONAL.len()),
        text in "\\PC{0,8}",
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .expect("a runtime");
        for (function, collection, mut input, mut body) in by_id() {
            let inventory = ["compute-collections", "discovered-nodes"];
            let id = if inventory.iter().any(|end| collection.ends_with(end)) { "external_id" } else { "id" };
            body[id] = json!("7");
            input["id"] = json!("7");
            let bench = World::local().bare().start();
            bench.manager.add(collection, sparse(body, &nulls, &texts, &text)).expect("a collection");
            let answer = runtime.block_on(bench.invoke(function, input));
            let output = answer.map_err(|error| TestCaseError::fail(format!("{function}: {}", chain(&error))))?;
            fits_schema(function, &output).map_err(TestCaseError::fail)?;
            prop_assert_eq!(&output["id"], "7");
        }
    }
}
