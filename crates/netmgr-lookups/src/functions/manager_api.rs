//! Objects of the older manager API. Managers from version 9.0 on lack parts of it.

use netmgr_types::Deployment;
use netmgr_types::shapes::NamedOutput;

use super::{
    get_edge_cluster, get_logical_tier0_router, get_logical_tier1_router, get_ns_groups, get_ns_services,
};
use crate::declared::lookups;
use crate::declared::rules::text;
use crate::registry::Entry;

lookups! {
    /// Functions about objects of the older manager API.
    ENTRIES, with [
        Entry::of_objects::<get_edge_cluster::GetEdgeCluster>(),
        Entry::of_objects::<get_logical_tier0_router::GetLogicalTier0Router>(),
        Entry::of_objects::<get_logical_tier1_router::GetLogicalTier1Router>(),
        Entry::of::<get_ns_groups::GetNsGroups>(),
        Entry::of::<get_ns_services::GetNsServices>(),
    ];

    /// Finds a certificate of the manager API by id or display name.
    GetCertificate = "getCertificate", "certificate" {
        kind: fixed("", "/api/v1/trust-management/certificates"),
        shape: NamedInput => NamedOutput,
        facts: on(&[Deployment::PolicyManager])
            .successor("getPolicyCertificate")
            .example(r#"{"displayName": "portal"}"#)
    }

    /// Finds a failure domain by id or display name.
    GetFailureDomain = "getFailureDomain", "failure domain" {
        kind: fixed("FailureDomain", "/api/v1/failure-domains").unpaged(),
        shape: PolicyInput => NamedOutput,
        facts: example(r#"{"displayName": "fd-rack-1"}"#)
    }

    /// Finds a firewall section of the manager API by id or display name.
    GetFirewallSection = "getFirewallSection", "firewall section" {
        kind: fixed("FirewallSection", "/api/v1/firewall/sections"),
        shape: NamedInput => NamedOutput,
        facts: counterpart("security policies (`/infra/domains/{domain}/security-policies`) and gateway policies (`/infra/domains/{domain}/gateway-policies`)")
            .example(r#"{"displayName": "block all"}"#)
    }

    /// Finds an IP pool of the manager API by id or display name.
    GetIpPool = "getIpPool", "IP pool" {
        kind: fixed("IpPool", "/api/v1/pools/ip-pools"),
        shape: NamedInput => NamedOutput,
        facts: counterpart("IP address pools (`/infra/ip-pools`)").example(r#"{"displayName": "tep-pool"}"#)
    }

    /// Finds a transport zone of the manager API by id or display name.
    GetTransportZone = "getTransportZone", "transport zone" {
        kind: fixed("TransportZone", "/api/v1/transport-zones"),
        inputs: prefix {
            /// Name of the host switch that the transport zone must have.
            host_switch_name: Option<String> => text("host_switch_name"),
            /// Type that the transport zone must have: `OVERLAY` or `VLAN`.
            transport_type: Option<String> => text("transport_type"),
        },
        output: TransportZone {
            without path;
            /// Name of the host switch; empty if it has none.
            host_switch_name: String,
            /// Type: `OVERLAY` or `VLAN`.
            transport_type: String,
        },
        facts: successor("getPolicyTransportZone").example(r#"{"displayName": "tz-overlay"}"#)
    }

    /// Finds a MAC pool of the manager API by id or display name.
    GetMacPool = "getMacPool", "MAC pool" {
        kind: fixed("MacPool", "/api/v1/pools/mac-pools"),
        shape: NamedInput => NamedOutput,
        facts: example(r#"{"displayName": "lab-mac-pool"}"#)
    }

    /// Finds a group of the manager API by id or display name.
    GetNsGroup = "getNsGroup", "group" {
        kind: fixed("NSGroup", "/api/v1/ns-groups").by_id_with(&[("populate_references", "true")]),
        shape: NamedInput => NamedOutput,
        facts: successor("getPolicyGroup").example(r#"{"displayName": "group-web"}"#)
    }

    /// Finds a service of the manager API by id or display name.
    GetNsService = "getNsService", "service" {
        kind: fixed("NSService", "/api/v1/ns-services"),
        shape: NamedInput => NamedOutput,
        facts: successor("getPolicyService").example(r#"{"displayName": "HTTPS"}"#)
    }
}
