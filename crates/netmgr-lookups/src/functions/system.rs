//! The manager itself, compute managers and upgrades.

use std::collections::BTreeMap;
use std::sync::Arc;

use netmgr_transport::Get;
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get_compute_collection::GetComputeCollection;
use super::get_compute_manager::GetComputeManager;
use super::get_discovered_node::GetDiscoveredNode;
use super::get_edge_upgrade_group::GetEdgeUpgradeGroup;
use super::get_host_upgrade_group::GetHostUpgradeGroup;
use super::get_management_cluster::GetManagementCluster;
use super::get_manager_cluster_node::GetManagerClusterNode;
use super::get_manager_info::GetManagerInfo;
use crate::context::LookupContext;
use crate::declared::rules::Rule::{NoEffect, Required};
use crate::declared::{POLICY, calls, lookups};
use crate::error::Error;
use crate::read::{By, ObjectKind, Read};
use crate::reads::FunctionRead;
use crate::registry::Entry;
use crate::spec::{ResultKind, Since};

lookups! {
    /// Functions about the manager itself.
    ENTRIES, with [
        Entry::of_objects::<GetComputeCollection>(),
        Entry::of_objects::<GetComputeManager>(),
        Entry::of_objects::<GetDiscoveredNode>(),
        Entry::of_objects::<GetEdgeUpgradeGroup>(),
        Entry::of_objects::<GetHostUpgradeGroup>(),
        Entry::of::<GetManagementCluster>(),
        Entry::of_objects::<GetManagerClusterNode>(),
        Entry::of::<GetManagerInfo>(),
    ];
}

calls! {
    /// Functions that read facts.
    CALLS;

    /// Reads the version of netmgr, and the commit that it was built from.
    GetProviderInfo = "getProviderInfo", "version of netmgr" {
        inputs: {},
        output: ProviderInfo => provider_info(),
        reads: [],
        facts: answers(ResultKind::Fact)
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
        reads: [FunctionRead::Document(PROXY)],
        facts: on(POLICY)
            .since(&[Since::version("4.2.0")])
            .answers(ResultKind::Fact)
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
        reads: [FunctionRead::of(&FAILED_CHECK), FunctionRead::of(&CHECKS)],
        facts: on(POLICY)
            .answers(ResultKind::Fact)
            .without_effect(&["id"])
            .own_errors(&[(
                "realization failed",
                "a check failed, or a warning is not acknowledged; the message lists them"
            )])
            .example(r#"{"upgradePrepareId": "prepare"}"#)
    }
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

/// Output of `getProxyConfig`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ProxyConfig {
    /// Id of the certificate of the proxy; empty if there is none.
    pub certificate_id: String,
    /// Description; empty if there is none.
    pub description: String,
    /// Display name.
    pub display_name: String,
    /// Whether the proxy is used.
    pub enabled: bool,
    /// Host name or address.
    pub host: String,
    /// Id.
    pub id: String,
    /// Path of the configuration.
    pub path: String,
    /// Port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<i64>,
    /// Scheme: `HTTP` or `HTTPS`.
    pub scheme: String,
    /// Address used to test the connection.
    pub test_connection_url: String,
    /// User name; empty if there is none.
    pub username: String,
}

async fn proxy_config(cx: &LookupContext<'_>) -> Result<ProxyConfig, Error> {
    let config: ManagedObject = cx.get("proxy configuration".to_owned(), Get::new(PROXY)).await?;
    let text = |name: &str| config.text(name).unwrap_or_default().to_owned();
    Ok(ProxyConfig {
        certificate_id: text("certificate_id"),
        description: text("description"),
        display_name: config.name().to_owned(),
        enabled: config.flag("enabled").unwrap_or_default(),
        host: text("host"),
        id: config.id().to_owned(),
        path: PROXY.to_owned(),
        port: config.number("port"),
        scheme: text("scheme"),
        test_connection_url: text("test_connection_url"),
        username: text("username"),
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
    let read = Arc::new(Read::new(&FAILED_CHECK, cx.scope(), By::All));
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
            Some(text) => format!("{kind} {}: {}", cx.shown(id), cx.shown(text)),
            None => format!("{kind} {}", cx.shown(id)),
        }
    };
    let reasons: Vec<String> = open.iter().map(describe).collect();
    let what = "the preparation of the upgrade".to_owned();
    Err(cx.realization_failed(what, "not ready".to_owned(), reasons.join("; ")))
}

/// Descriptions of checks by id, as far as they can be read.
async fn check_texts(cx: &LookupContext<'_>) -> BTreeMap<String, String> {
    let read = Arc::new(Read::new(&CHECKS, cx.scope(), By::All));
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
