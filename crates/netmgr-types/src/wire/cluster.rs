//! The manager itself: its cluster, its nodes, its version and its licences.

use schemars::JsonSchema;
use serde::Deserialize;

use super::tolerant;
use crate::Secret;

/// The management cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct ClusterConfig {
    /// Id of the cluster.
    #[serde(deserialize_with = "tolerant::id")]
    pub cluster_id: String,
    /// Its nodes.
    pub nodes: Vec<ClusterNode>,
}

/// A node of [`ClusterConfig`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct ClusterNode {
    /// Id of the node.
    pub node_uuid: Option<String>,
    /// Display name.
    pub display_name: Option<String>,
    /// Full host name.
    pub fqdn: Option<String>,
    /// `JOINING`, `JOINED`, `REMOVING` or `REMOVED`.
    pub status: Option<String>,
    /// Endpoint at which the node serves the API; absent on nodes that do not serve it.
    pub api_listen_addr: Option<Endpoint>,
}

/// Address at which a node serves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Endpoint {
    /// Address.
    pub ip_address: Option<String>,
    /// Full host name.
    pub fqdn: Option<String>,
    /// SHA-256 thumbprint of the certificate, as sent.
    pub certificate_sha256_thumbprint: Option<String>,
}

/// Version of a manager node; at least one of the two is present and not empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(remote = "Self")]
pub struct NodeVersion {
    /// Version of the product; changes when the whole upgrade is over. Absent on old managers.
    pub product_version: Option<String>,
    /// Version of this node.
    pub node_version: Option<String>,
}
tolerant::known_by!(
    NodeVersion,
    |node| !node.version().is_empty(),
    "`product_version` and `node_version`"
);

impl NodeVersion {
    /// The product's version, otherwise the node's. Never empty in a reply of a manager.
    #[must_use]
    pub fn version(&self) -> &str {
        [&self.product_version, &self.node_version]
            .into_iter()
            .filter_map(Option::as_deref)
            .find(|version| !version.is_empty())
            .unwrap_or_default()
    }
}

/// An entry of the licence list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct License {
    /// The key.
    #[serde(rename = "license_key")]
    pub key: Secret,
    /// Purpose of the licence.
    pub description: Option<String>,
}
