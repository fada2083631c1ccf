//! The fields each kind of object has when an inventory says nothing about them, shaped like the
//! sample bodies of the VMware NSX REST API.

use serde_json::{Value, json};

const PEM: &str = "-----BEGIN CERTIFICATE-----\nMIIBinvented\n-----END CERTIFICATE-----\n";

pub(super) fn certificate() -> Value {
    json!({
        "resource_type": "certificate_self_signed", "pem_encoded": PEM,
        "has_private_key": true, "used_by": [],
    })
}

pub(super) fn compute_collection() -> Value {
    json!({
        "resource_type": "ComputeCollection", "origin_type": "VC_Cluster", "owner_id": "group-h21",
        "origin_properties": [{"key": "status", "value": "green"}],
    })
}

pub(super) fn compute_manager() -> Value {
    json!({
        "resource_type": "ComputeManager", "server": "vc.lab.example", "origin_type": "vCenter",
        "origin_properties": [
            {"key": "fullName", "value": "Example vCenter 8.0.3 build-24000001"},
            {"key": "version", "value": "8.0.3"},
        ],
        "credential": {
            "credential_type": "UsernamePasswordLoginCredential",
            "thumbprint": "11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:\
                           11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00",
        },
        "create_service_account": true, "set_as_oidc_provider": false,
        "reverse_proxy_https_port": 443,
    })
}

pub(super) fn discovered_node() -> Value {
    json!({
        "resource_type": "DiscoveredNode", "node_type": "HostNode", "os_type": "ESXi",
        "os_version": "8.0.3", "ip_addresses": [], "stateless": false,
        "origin_properties": [
            {"key": "powerState", "value": "poweredOn"},
            {"key": "connectionState", "value": "connected"},
        ],
    })
}

pub(super) fn upgrade_unit_group() -> Value {
    json!({
        "resource_type": "UpgradeUnitGroup", "type": "EDGE", "enabled": true, "parallel": true,
        "upgrade_unit_count": 0, "extended_configuration": [], "upgrade_units": [],
        "_create_user": "system", "_last_modified_user": "system",
    })
}

pub(super) fn failure_domain() -> Value {
    json!({"resource_type": "FailureDomain"})
}

pub(super) fn cluster_node() -> Value {
    json!({
        "resource_type": "ClusterNodeConfig",
        "_create_user": "system", "_last_modified_user": "system",
    })
}

pub(super) fn edge_cluster() -> Value {
    json!({
        "resource_type": "EdgeCluster", "deployment_type": "UNKNOWN", "members": [],
        "cluster_profile_bindings": [{
            "resource_type": "EdgeHighAvailabilityProfile",
            "profile_id": "91bcaa06-47a1-11e4-8316-17ffc7700001",
        }],
        "enable_inter_site_forwarding": false, "allocation_rules": [],
        "member_node_type": "UNKNOWN",
    })
}

pub(super) fn firewall_section() -> Value {
    json!({
        "resource_type": "FirewallSection", "section_type": "LAYER3", "stateful": true,
        "is_default": false, "rule_count": 1, "locked": false, "autoplumbed": false,
        "tcp_strict": false, "enforced_on": "VIF", "category": "Default", "priority": 10,
    })
}

pub(super) fn ip_pool() -> Value {
    json!({
        "resource_type": "IpPool",
        "subnets": [{
            "cidr": "203.0.113.0/24", "gateway_ip": "203.0.113.1",
            "allocation_ranges": [{"start": "203.0.113.10", "end": "203.0.113.99"}],
            "dns_nameservers": [],
        }],
        "pool_usage": {"total_ids": 90, "allocated_ids": 4, "free_ids": 86},
        "check_overlap_with_existing_pools": false, "ip_release_delay": 2,
    })
}

pub(super) fn mac_pool() -> Value {
    json!({
        "resource_type": "MacPool",
        "ranges": [{"start": "00:50:56:be:00:00", "end": "00:50:56:be:ff:ff"}],
    })
}

pub(super) fn logical_router() -> Value {
    json!({
        "resource_type": "LogicalRouter", "router_type": "TIER1",
        "advanced_config": {
            "external_transit_networks": ["100.64.0.0/16"],
            "internal_transit_network": "169.254.0.0/24",
        },
        "firewall_sections": [],
    })
}

pub(super) fn ns_group() -> Value {
    json!({
        "resource_type": "NSGroup", "member_count": 1,
        "members": [{
            "resource_type": "NSGroupSimpleExpression", "target_type": "LogicalSwitch",
            "target_property": "id", "op": "EQUALS",
            "value": "d4c3b2a1-0f1e-4d2c-8b3a-495867760001",
        }],
        "membership_criteria": [],
    })
}

pub(super) fn ns_service() -> Value {
    json!({
        "resource_type": "NSService", "default_service": false,
        "nsservice_element": {
            "resource_type": "L4PortSetNSService", "l4_protocol": "TCP",
            "source_ports": [], "destination_ports": ["80"],
        },
    })
}

pub(super) fn project() -> Value {
    json!({
        "resource_type": "Project", "short_id": "", "tier_0s": ["/infra/tier-0s/t0-prod"],
        "external_ipv4_blocks": [],
        "site_infos": [{
            "site_path": "/infra/sites/default",
            "edge_cluster_paths": [
                "/infra/sites/default/enforcement-points/default/edge-clusters/2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0001",
            ],
        }],
    })
}

pub(super) fn tls_certificate() -> Value {
    json!({
        "resource_type": "TlsCertificate", "pem_encoded": PEM, "has_private_key": true,
        "tls_certificate_type": "CERTIFICATE_SELF_SIGNED",
    })
}

pub(super) fn context_profile() -> Value {
    json!({
        "resource_type": "PolicyContextProfile",
        "attributes": [{
            "key": "APP_ID", "value": ["SSL"], "datatype": "STRING", "attribute_source": "SYSTEM",
        }],
    })
}

pub(super) fn dhcp_server_config() -> Value {
    json!({
        "resource_type": "DhcpServerConfig", "server_addresses": ["192.0.2.253/24"],
        "server_address": "192.0.2.253/24", "lease_time": 86400, "preferred_edge_paths": [],
    })
}

pub(super) fn flood_protection_profile() -> Value {
    json!({
        "resource_type": "DistributedFloodProtectionProfile", "icmp_active_flow_limit": 3,
        "other_active_conn_limit": 3, "tcp_half_open_conn_limit": 3, "udp_active_flow_limit": 3,
        "enable_rst_spoofing": false, "enable_syncache": false,
    })
}

pub(super) fn bfd_profile() -> Value {
    json!({"resource_type": "BfdProfile", "interval": 500, "multiple": 3})
}

pub(super) fn edge_bridge_profile() -> Value {
    json!({
        "resource_type": "L2BridgeEndpointProfile", "edge_paths": [],
        "ha_mode": "ACTIVE_STANDBY", "failover_mode": "PREEMPTIVE",
    })
}

pub(super) fn policy_edge_cluster() -> Value {
    json!({
        "resource_type": "PolicyEdgeCluster", "inter_site_forwarding_enabled": false,
        "rtep_ips": [],
    })
}

pub(super) fn policy_edge_node() -> Value {
    json!({"resource_type": "PolicyEdgeNode"})
}

pub(super) fn distributed_vlan_connection() -> Value {
    json!({
        "resource_type": "DistributedVlanConnection", "vlan_id": 100,
        "gateway_addresses": ["192.0.2.1/24"],
        "associated_ip_block_paths": ["/infra/ip-blocks/block-1"],
    })
}

pub(super) fn cluster_control_plane() -> Value {
    json!({
        "resource_type": "ClusterControlPlane", "certificate": PEM, "vhc_path": "/infra/vhc-1",
        "node_type": "ANTREA_NODE",
    })
}

pub(super) fn edge_high_availability_profile() -> Value {
    json!({
        "resource_type": "PolicyEdgeHighAvailabilityProfile", "bfd_probe_interval": 500,
        "bfd_allowed_hops": 255, "bfd_declare_dead_multiple": 3,
        "standby_relocation_config": {"standby_relocation_threshold": 30},
    })
}

pub(super) fn edge_transport_node() -> Value {
    json!({
        "resource_type": "PolicyEdgeTransportNode", "form_factor": "LARGE",
        "deployment_type": "VIRTUAL_MACHINE", "node_type": "EDGE_NODE",
        "failure_domain_path": "/infra/sites/default/enforcement-points/default/failure-domains/\
                                4fc1e3b0-1cd4-4339-86c8-f76baddb0000",
    })
}

pub(super) fn cluster_security_configuration() -> Value {
    json!({
        "resource_type": "ClusterSecurityConfiguration",
        "features": [{"feature": "DFW", "enabled": true}],
        "_create_user": "system", "_last_modified_user": "system",
    })
}
