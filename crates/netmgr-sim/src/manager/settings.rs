//! Settings of a simulated manager in addition to its inventory. Faults of the connection are not set here.

use std::time::Duration;

use http::StatusCode;

use crate::manager_error::ManagerError;

/// The kind of manager, which decides the URL space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ManagerKind {
    /// A local manager: `/policy/api/v1` and `/api/v1`.
    #[default]
    Local,
    /// A global manager: `/global-manager/api/v1`, and of `/api/v1` only node and cluster.
    Global,
    /// The hosted cloud: `/policy/api/v1`, and of `/api/v1` only the node version.
    HostedCloud,
}

/// Whether the manager still serves objects of manager mode: edge clusters, logical routers, groups, services, firewall
/// sections and pools under `/api/v1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ManagerMode {
    /// Served regardless of the version, so that one manager supports every lookup.
    #[default]
    Served,
    /// Routes missing, as on real managers from 9.0.0 on.
    Gone,
}

/// Behaviour of the name filters of compute collections and discovered nodes, which is not specified for real managers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NameFilter {
    /// The exact name, case-sensitive.
    #[default]
    Exact,
    /// A prefix of the name, case-insensitive.
    Prefix,
}

/// A search index that cannot answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexTrouble {
    /// Code 60508: indexing is in progress.
    InProgress,
    /// Code 60514: the search took too long.
    TimedOut,
    /// Code 60515: the index is out of sync.
    OutOfSync,
}

impl IndexTrouble {
    pub(crate) fn error(self) -> ManagerError {
        let code = match self {
            Self::InProgress => 60508,
            Self::TimedOut => 60514,
            Self::OutOfSync => 60515,
        };
        ManagerError::usual(StatusCode::BAD_REQUEST, code)
    }
}

/// State of the search index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum IndexState {
    /// Every search is answered.
    #[default]
    Ready,
    /// Every search fails.
    Failing(IndexTrouble),
    /// The index of one resource type fails: searches for that type, and searches without a type, which use every
    /// index.
    FailingType(String, IndexTrouble),
}

/// Whether the search accepts a query that combines alternatives with `OR`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CombinedSearches {
    /// Answered like any other query.
    #[default]
    Answered,
    /// Rejected with 400, as by a proxy or filter in front of a manager.
    Refused,
}

/// The address of the simulated manager. The first node of the management cluster has this address, so that a
/// client finds its node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagerAddress {
    /// IP address without port.
    pub ip_address: String,
    /// Host name.
    pub fqdn: String,
    /// TCP port of the API.
    pub port: u16,
    /// SHA-256 of the server's certificate, 64 hexadecimal digits. Default: the one in the inventory.
    pub certificate_sha256_thumbprint: Option<String>,
}

impl Default for ManagerAddress {
    fn default() -> Self {
        Self {
            ip_address: "127.0.0.1".to_owned(),
            fqdn: "localhost".to_owned(),
            port: 443,
            certificate_sha256_thumbprint: None,
        }
    }
}

/// Settings of the manager. The default is a local manager of version 9.1.0 that supports every lookup and
/// has no index lag.
#[derive(Debug, Clone, PartialEq)]
pub struct ManagerSettings {
    /// The kind of manager. Default: local.
    pub kind: ManagerKind,
    /// Product version, which also determines the available APIs. Default `9.1.1.0.25108400`.
    pub version: String,
    /// Version of the node, if it differs from the product version.
    pub node_version: Option<String>,
    /// Whether the version answer carries `product_version`; old managers omit it.
    pub reports_product_version: bool,
    /// Whether the version request is refused, as the hosted cloud may do.
    pub refuses_version: bool,
    /// Whether manager-mode objects are served.
    pub manager_mode: ManagerMode,
    /// Time from a change until the search index is updated. Default zero.
    pub index_lag: Duration,
    /// Whether the search index answers.
    pub index_state: IndexState,
    /// Whether queries with `OR` are answered.
    pub combined_searches: CombinedSearches,
    /// Maximum number of rows of a page. Default 1000, which is the maximum that a client can request.
    pub max_page_size: usize,
    /// Comparison of server-side name filters.
    pub name_filter: NameFilter,
    /// Whether the list of edge high-availability profiles shows system-owned entries without
    /// `include_system_owned=true`; unverified on real managers. Default false.
    pub lists_system_owned: bool,
    /// Address of this manager. By default, the addresses of the inventory are used.
    pub endpoint: Option<ManagerAddress>,
}

impl Default for ManagerSettings {
    fn default() -> Self {
        Self {
            kind: ManagerKind::default(),
            version: "9.1.1.0.25108400".to_owned(),
            node_version: None,
            reports_product_version: true,
            refuses_version: false,
            manager_mode: ManagerMode::default(),
            index_lag: Duration::ZERO,
            index_state: IndexState::default(),
            combined_searches: CombinedSearches::default(),
            max_page_size: 1000,
            name_filter: NameFilter::default(),
            lists_system_owned: false,
            endpoint: Some(ManagerAddress::default()),
        }
    }
}

impl ManagerSettings {
    /// Whether the version is at least the given one, number by number. Missing parts are 0, and the comparison ends at
    /// a part that is not a number.
    pub(crate) fn is_at_least(&self, wanted: [u64; 3]) -> bool {
        let mut parts = self.version.split('.').map_while(|part| part.parse().ok());
        let have: [u64; 3] = std::array::from_fn(|_| parts.next().unwrap_or(0));
        have >= wanted
    }

    /// Whether the manager has projects. Source: the release notes of VMware NSX 4.1.0.
    pub(crate) fn has_projects(&self) -> bool {
        self.is_at_least([4, 1, 0])
    }
}
