//! `getManagementCluster`: the manager's own cluster and the certificate of the configured node.

use std::net::IpAddr;

use netmgr_types::wire::{ClusterConfig, ClusterNode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::spec::ResultKind;
use crate::declared::calls;
use crate::declared::wording::{OBJECT, Wording};

calls! {
    ENTRIES;

    /// Reads the id of the manager's own cluster and the certificate thumbprint of the configured node.
    GetManagementCluster = "getManagementCluster", "management cluster" {
        inputs: as NONE {},
        output: ManagementCluster => management_cluster(),
        facts: answer(ResultKind::Fact)
            .own_errors(&[(
                "not found",
                "no node of the cluster has the name or an address of the configured `host`; the message lists the nodes",
            )])
            .source("4.2")
    }
}

const NONE: Wording = OBJECT.shared("ManagementClusterInput", "Input of `getManagementCluster`: none.");

/// Output of `getManagementCluster`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ManagementCluster {
    /// Id of the cluster.
    pub id: String,
    /// SHA-256 thumbprint of the certificate of the node that the configured host refers to.
    pub node_sha256_thumbprint: String,
}

async fn management_cluster(cx: &LookupContext<'_>) -> Result<ManagementCluster, Error> {
    let cluster: ClusterConfig = cx.one("/api/v1/cluster").await?;
    let host = &cx.scope.host.name;
    let node = match cluster.nodes.iter().find(|node| is_called(node, host)) {
        Some(node) => Some(node),
        None => {
            let addresses = addresses(host, cx.deadline).await;
            cluster
                .nodes
                .iter()
                .find(|node| addresses.iter().any(|address| is_at(node, *address)))
        }
    };
    let Some(node) = node else {
        let what = format!(
            "no node of the cluster has the name or an address of the configured host {host:?}, which may be a \
             virtual address or an alias; set `host` to one of {}",
            cx.sanitized(&nodes(&cluster))
        );
        return Err(cx.not_found(what, None, None));
    };
    let thumbprint = node
        .api_listen_addr
        .as_ref()
        .and_then(|listen| listen.certificate_sha256_thumbprint.clone())
        .filter(|thumbprint| !thumbprint.is_empty())
        .ok_or_else(|| {
            cx.not_found(
                format!(
                    "the cluster's node {} has no certificate thumbprint",
                    cx.sanitized(&describe(node))
                ),
                None,
                None,
            )
        })?;
    Ok(ManagementCluster {
        id: cluster.cluster_id,
        node_sha256_thumbprint: thumbprint,
    })
}

/// Whether `host` is a name or an address of the node, as written.
fn is_called(node: &ClusterNode, host: &str) -> bool {
    let listen = node.api_listen_addr.as_ref();
    let names = [
        node.fqdn.as_deref(),
        listen.and_then(|listen| listen.fqdn.as_deref()),
    ];
    names
        .into_iter()
        .flatten()
        .any(|name| !name.is_empty() && name.eq_ignore_ascii_case(host))
        || host.parse().is_ok_and(|address| is_at(node, address))
}

/// Whether the node's API listens at `address`.
fn is_at(node: &ClusterNode, address: IpAddr) -> bool {
    let listen = node
        .api_listen_addr
        .as_ref()
        .and_then(|listen| listen.ip_address.as_deref());
    listen.and_then(|text| text.parse().ok()) == Some(address)
}

/// All addresses of `host`; none if it cannot be resolved here in time.
async fn addresses(host: &str, deadline: Instant) -> Vec<IpAddr> {
    match tokio::time::timeout_at(deadline, tokio::net::lookup_host((host, 0))).await {
        Ok(Ok(found)) => found.map(|socket| socket.ip()).collect(),
        Ok(Err(error)) => {
            tracing::debug!(host, %error, "host not resolved");
            Vec::new()
        }
        Err(_) => Vec::new(),
    }
}

fn nodes(cluster: &ClusterConfig) -> String {
    cluster.nodes.iter().map(describe).collect::<Vec<_>>().join(", ")
}

fn describe(node: &ClusterNode) -> String {
    let listen = node.api_listen_addr.as_ref();
    let name = [&node.fqdn, &node.display_name, &node.node_uuid]
        .into_iter()
        .flatten()
        .find(|name| !name.is_empty());
    let address = listen
        .and_then(|listen| listen.ip_address.as_deref())
        .unwrap_or("no address");
    format!(
        "{} ({address})",
        name.map_or("a node without a name", String::as_str)
    )
}
