//! The manager itself, compute managers and upgrades.

use std::collections::BTreeMap;
use std::sync::Arc;

use netmgr_transport::Get;
use netmgr_types::shapes::given;
use netmgr_types::wire::{ManagedObject, NodeVersion};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get_compute_collection::GetComputeCollection;
use super::get_discovered_node::GetDiscoveredNode;
use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::registry::FunctionEntry;
use crate::contract::spec::{ResultKind, Since};
use crate::declared::rules::Rule::{NoEffect, Required, Text};
use crate::declared::wording::{NAMED, Wording};
use crate::declared::{POLICY, calls, lookups, output};
use crate::finding::object_kind::ObjectKind;
use crate::finding::read::{By, Read};

/// Path of the compute managers.
pub(super) const COMPUTE_MANAGERS: &str = "/api/v1/fabric/compute-managers";
/// Path of the upgrade groups, which differ in type.
const UPGRADE_GROUPS: &str = "/api/v1/upgrade/upgrade-unit-groups";

/// Inputs of functions for upgrade groups.
const UPGRADE_GROUP: Wording = Wording::of("group").shared(
    "UpgradeGroupInput",
    "Input of `getEdgeUpgradeGroup` and `getHostUpgradeGroup`.",
);
const NODE: Wording = Wording::of("node");

lookups! {
    ENTRIES, with [
        FunctionEntry::of_objects::<GetComputeCollection>(),
        FunctionEntry::of_objects::<GetDiscoveredNode>(),
    ];

    /// Finds a compute manager by id or display name, or the only one if neither is set.
    GetComputeManager = "getComputeManager", "compute manager" {
        kind: fixed("ComputeManager", COMPUTE_MANAGERS),
        inputs: ExactOrOnly as NAMED {},
        output: ComputeManagerOutput {
            bare;
            /// Description, if the object has one.
            description: Option<String> => output::sent_description,
            /// Display name.
            display_name: String => ManagedObject::name,
            /// Id.
            id: String => ManagedObject::id,
            /// Address or host name of the compute manager.
            server: String,
        },
        facts: example(r#"{"displayName": "vc-prod"}"#).source("4.2")
    }

    /// Finds an edge upgrade group by id or display name.
    GetEdgeUpgradeGroup = "getEdgeUpgradeGroup", "edge upgrade group" {
        kind: fixed("UpgradeUnitGroup", UPGRADE_GROUPS)
            .by_id_with(&[("summary", "true")])
            .listed_with(&[("component_type", "EDGE"), ("summary", "true")]),
        inputs: Exact as UPGRADE_GROUP first {
            /// Id of the upgrade preparation resource. Has no effect on the lookup; use it to make the call depend on
            /// the preparation.
            upgrade_prepare_id: String => Required,
        } {},
        must_be: |group| check_type(group, "EDGE"),
        repeats: [upgrade_prepare_id],
        output: UpgradeGroup,
        facts: without_effect(&["upgradePrepareId"])
            .example(r#"{"displayName": "edge-cluster-prod-2", "upgradePrepareId": "upgrade-1"}"#)
            .source("4.2")
    }

    /// Finds a host upgrade group by id or display name.
    GetHostUpgradeGroup = "getHostUpgradeGroup", "host upgrade group" {
        kind: fixed("UpgradeUnitGroup", UPGRADE_GROUPS)
            .by_id_with(&[("summary", "true")])
            .listed_with(&[("component_type", "HOST"), ("summary", "true")]),
        inputs: Exact as UPGRADE_GROUP first {
            /// Id of the upgrade preparation resource. Has no effect on the lookup; use it to make the call depend on
            /// the preparation.
            upgrade_prepare_id: String => Required,
        } {},
        must_be: |group| check_type(group, "HOST"),
        repeats: [upgrade_prepare_id],
        output: UpgradeGroup,
        facts: without_effect(&["upgradePrepareId"])
            .example(r#"{"displayName": "Compute-Cluster-01", "upgradePrepareId": "upgrade-1"}"#)
            .source("4.2")
    }

    /// Finds a node of the manager's own cluster by id or display name.
    GetManagerClusterNode = "getManagerClusterNode", "manager cluster node" {
        kind: fixed("ClusterNodeConfig", "/api/v1/cluster/nodes"),
        inputs: Exact as NODE first {
            /// Address that the node's management service must listen on.
            appliance_mgmt_listen_address: Option<String> => Text("appliance_mgmt_listen_addr"),
        } {},
        output: ManagerClusterNode {
            bare;
            /// Address that the node's management service listens on; empty if it has none.
            appliance_mgmt_listen_address: String = "appliance_mgmt_listen_addr",
            /// Description; empty if the object has none.
            description: String,
            /// Display name.
            display_name: String => ManagedObject::name,
            /// Id.
            id: String => ManagedObject::id,
        },
        facts: example(r#"{"displayName": "mgr-a"}"#).source("4.2")
    }
}

calls! {
    CALLS;

    /// Reads the software version of the manager node.
    GetManagerInfo = "getManagerInfo", "manager version" {
        inputs: {
            /// Id to return in the output. Has no effect on the lookup.
            id: Option<String> => NoEffect,
        },
        output: ManagerInfo => manager_info(id),
        facts: answer(ResultKind::Fact).source("4.2 and 9")
    }

    /// Reads the version of netmgr, and the commit that it was built from.
    GetProviderInfo = "getProviderInfo", "version of netmgr" {
        inputs: {},
        output: ProviderInfo => provider_info(),
        facts: answer(ResultKind::Fact)
    }

    /// Reads the configuration of the proxy that the manager uses.
    GetProxyConfig = "getProxyConfig", "proxy configuration" {
        inputs: {
            /// Display name. Has no effect.
            display_name: Option<String> => NoEffect,
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
        },
        output: ProxyConfig => proxy_config(),
        facts: availability(POLICY)
            .since(&[Since::version("4.2.0")])
            .answer(ResultKind::Fact)
            .without_effect(&["displayName", "id"])
    }

    /// Checks that the manager is ready for an upgrade: all checks passed, and warnings are acknowledged.
    GetUpgradePrepareReady = "getUpgradePrepareReady", "upgrade check" {
        inputs: {
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
            /// Id of the upgrade preparation resource. Has no effect on the lookup.
            upgrade_prepare_id: String => Required,
        },
        output: UpgradePrepareReady => upgrade_ready(upgrade_prepare_id),
        reads: [&FAILED_CHECK, &CHECKS],
        facts: availability(POLICY)
            .answer(ResultKind::Fact)
            .without_effect(&["id"])
            .own_errors(&[(
                "realization failed",
                "a check failed, or a warning is not acknowledged; the message lists them"
            )])
            .example(r#"{"upgradePrepareId": "prepare"}"#)
    }
}

output! {
    ["Output of `getEdgeUpgradeGroup` and `getHostUpgradeGroup`."]
    UpgradeGroup {
        named;
        /// Id of the upgrade preparation resource from the input.
        upgrade_prepare_id: String,
    }
}

/// Checks that `group` has the type `wanted`. The error names the actual type.
fn check_type(group: &ManagedObject, wanted: &str) -> Result<(), String> {
    match group.text("type") {
        Some(kind) if kind == wanted => Ok(()),
        Some(kind) => Err(format!("the group with this id is of type {kind}, not {wanted}")),
        None => Err(format!(
            "the group with this id has no type, so it is not of type {wanted}"
        )),
    }
}

/// Path of the version of the manager node.
const NODE_VERSION: &str = "/api/v1/node/version";

/// Output of `getManagerInfo`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ManagerInfo {
    /// Id from the input, or a constant.
    pub id: String,
    /// Software version of the manager node.
    pub version: String,
}

async fn manager_info(cx: &LookupContext<'_>, id: &Option<String>) -> Result<ManagerInfo, Error> {
    let node: NodeVersion = cx.one(NODE_VERSION).await?;
    Ok(ManagerInfo {
        id: given(id).unwrap_or("manager-info").to_owned(),
        version: node.version().to_owned(),
    })
}

/// Output of `getProviderInfo`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ProviderInfo {
    /// Commit that the binary was built from; empty if unknown.
    pub commit: String,
    /// Date of that commit, such as `2026-11-25`; empty if unknown.
    pub date: String,
    /// Name of the binary: `netmgr`.
    pub id: String,
    /// Version.
    pub version: String,
}

async fn provider_info(_: &LookupContext<'_>) -> Result<ProviderInfo, Error> {
    Ok(ProviderInfo {
        commit: option_env!("NETMGR_COMMIT").unwrap_or_default().to_owned(),
        date: option_env!("NETMGR_BUILD_DATE").unwrap_or_default().to_owned(),
        id: "netmgr".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// Path of the configuration of the proxy.
const PROXY: &str = "/api/v1/proxy/config";

output! {
    ["Output of `getProxyConfig`."]
    ProxyConfig {
        bare;
        /// Id of the certificate of the proxy; empty if there is none.
        certificate_id: String,
        /// Description; empty if there is none.
        description: String,
        /// Display name.
        display_name: String => ManagedObject::name,
        /// Whether the proxy is used.
        enabled: bool,
        /// Host name or address.
        host: String,
        /// Id.
        id: String => ManagedObject::id,
        /// Path of the configuration.
        path: String,
        /// Port.
        port: Option<i64>,
        /// Scheme: `HTTP` or `HTTPS`.
        scheme: String,
        /// Address used to test the connection.
        test_connection_url: String,
        /// User name; empty if there is none.
        username: String,
    }
}

async fn proxy_config(cx: &LookupContext<'_>) -> Result<ProxyConfig, Error> {
    let config: ManagedObject = cx.get("proxy configuration".to_owned(), Get::new(PROXY)).await?;
    Ok(ProxyConfig {
        path: PROXY.to_owned(),
        ..ProxyConfig::from(&config)
    })
}

/// Output of `getUpgradePrepareReady`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UpgradePrepareReady {
    /// Id of the upgrade preparation resource.
    pub id: String,
    /// Id of the upgrade preparation resource, from the input.
    pub upgrade_prepare_id: String,
}

const FAILED_CHECK: ObjectKind = ObjectKind::fixed(
    "failed upgrade check",
    "",
    "/api/v1/upgrade/pre-upgrade-checks/failures",
);
const CHECKS: ObjectKind =
    ObjectKind::fixed("upgrade check", "", "/api/v1/upgrade/upgrade-checks-info").without_ids();

async fn upgrade_ready(cx: &LookupContext<'_>, prepare: &str) -> Result<UpgradePrepareReady, Error> {
    let read = Arc::new(Read::new(&FAILED_CHECK, cx.scope, By::All));
    let keep = |check: &ManagedObject| {
        let is_failure = check.text("type") == Some("FAILURE");
        let is_open = is_failure || check.flag("acked") != Some(true);
        is_open.then(|| (!is_failure, check.id().to_owned()))
    };
    let mut open = cx.collect(&read, keep).await?;
    open.sort();
    open.dedup();
    if open.is_empty() {
        return Ok(UpgradePrepareReady {
            id: prepare.to_owned(),
            upgrade_prepare_id: prepare.to_owned(),
        });
    }
    let texts = check_texts(cx).await;
    let describe = |(is_warning, id): &(bool, String)| {
        let kind = if *is_warning {
            "unacknowledged warning"
        } else {
            "failure"
        };
        match texts.get(id) {
            Some(text) => format!("{kind} {}: {}", cx.sanitized(id), cx.sanitized(text)),
            None => format!("{kind} {}", cx.sanitized(id)),
        }
    };
    let reasons: Vec<String> = open.iter().map(describe).collect();
    let what = "the preparation of the upgrade".to_owned();
    Err(cx.realization_failed(what, "not ready".to_owned(), reasons.join("; ")))
}

/// Descriptions of checks by id, as far as they can be read.
async fn check_texts(cx: &LookupContext<'_>) -> BTreeMap<String, String> {
    let read = Arc::new(Read::new(&CHECKS, cx.scope, By::All));
    let keep = |component: &ManagedObject| {
        let checks: Vec<Check> = component.list("pre_upgrade_checks_info");
        let named = |check: Check| Some((check.id, check.description?));
        Some(checks.into_iter().filter_map(named).collect::<Vec<_>>())
    };
    let checks = cx.collect(&read, keep).await.unwrap_or_default();
    checks.into_iter().flatten().collect()
}

/// A check.
#[derive(Debug, Deserialize)]
struct Check {
    id: String,
    description: Option<String>,
}
