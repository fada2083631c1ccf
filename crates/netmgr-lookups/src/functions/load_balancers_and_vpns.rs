//! Load balancers and VPNs of gateways.

use netmgr_types::shapes::ObjectOutput;
use netmgr_types::wire::ManagedObject;

use crate::declared::paths::{GATEWAY, VPN_GATEWAY};
use crate::declared::rules::Rule::{Parent, TypeOf, VpnService};
use crate::declared::rules::type_word;
use crate::declared::{POLICY, POLICY_AND_CLOUD, lookups};

lookups! {
    ENTRIES;

    /// Finds a DPD profile of IPsec VPNs by id or display name, or the only one if neither is set.
    GetPolicyIpsecVpnDpdProfile = "getPolicyIpsecVpnDpdProfile", "IPsec VPN DPD profile" {
        kind: infra("IPSecVpnDpdProfile", "ipsec-vpn-dpd-profiles"),
        inputs: PrefixOrOnly in project {},
        output: ObjectOutput,
        facts: availability(POLICY_AND_CLOUD).example(r#"{"displayName": "dpd-default"}"#)
    }

    /// Finds an IKE profile of IPsec VPNs by id or display name, or the only one if neither is set.
    GetPolicyIpsecVpnIkeProfile = "getPolicyIpsecVpnIkeProfile", "IPsec VPN IKE profile" {
        kind: infra("IPSecVpnIkeProfile", "ipsec-vpn-ike-profiles"),
        inputs: PrefixOrOnly in project {},
        output: ObjectOutput,
        facts: availability(POLICY_AND_CLOUD).example(r#"{"displayName": "ike-default"}"#)
    }

    /// Finds a local endpoint of an IPsec VPN by id or display name, or the only one if neither is set.
    GetPolicyIpsecVpnLocalEndpoint = "getPolicyIpsecVpnLocalEndpoint", "IPsec VPN local endpoint" {
        kind: anywhere("IPSecVpnLocalEndpoint"),
        inputs: PrefixOrOnly in project {
            /// Policy path of the IPsec VPN service that the endpoint belongs to.
            service_path: Option<String> => VpnService,
        },
        output: PolicyIpsecVpnLocalEndpoint {
            /// Address of the endpoint.
            local_address: String,
        },
        facts: availability(POLICY_AND_CLOUD).example(r#"{"displayName": "endpoint-1"}"#)
    }

    /// Finds an IPsec VPN service by id or display name, or the only one if neither is set.
    GetPolicyIpsecVpnService = "getPolicyIpsecVpnService", "IPsec VPN service" {
        kind: anywhere("IPSecVpnService"),
        inputs: PrefixOrOnly in project {
            /// Policy path of the gateway that the service belongs to.
            gateway_path: Option<String> => Parent(VPN_GATEWAY),
        },
        output: ObjectOutput,
        facts: availability(POLICY_AND_CLOUD).example(r#"{"displayName": "vpn-1"}"#)
    }

    /// Finds a tunnel profile of IPsec VPNs by id or display name, or the only one if neither is set.
    GetPolicyIpsecVpnTunnelProfile = "getPolicyIpsecVpnTunnelProfile", "IPsec VPN tunnel profile" {
        kind: infra("IPSecVpnTunnelProfile", "ipsec-vpn-tunnel-profiles"),
        inputs: PrefixOrOnly in project {},
        output: ObjectOutput,
        facts: availability(POLICY_AND_CLOUD).example(r#"{"displayName": "tunnel-default"}"#)
    }

    /// Finds an L2 VPN service by id or display name, or the only one if neither is set.
    GetPolicyL2VpnService = "getPolicyL2VpnService", "L2 VPN service" {
        kind: anywhere("L2VPNService"),
        inputs: PrefixOrOnly {
            /// Policy path of the gateway that the service belongs to.
            gateway_path: Option<String> => Parent(GATEWAY),
        },
        output: ObjectOutput,
        facts: availability(POLICY_AND_CLOUD).example(r#"{"displayName": "l2vpn-1"}"#)
    }

    /// Finds an application profile of load balancers by id, display name or type.
    GetPolicyLbAppProfile = "getPolicyLbAppProfile", "load balancer application profile" {
        kind: infra("", "lb-app-profiles").listed_with(&[]),
        inputs: PrefixOrFilter {
            /// Type of the profile: `HTTP`, `TCP`, `UDP` or `ANY`.
            #[serde(rename = "type")]
            type_: Option<String> => TypeOf(LB_APP_PROFILES),
        },
        output: PolicyLbAppProfile {
            /// Type of the profile: `HTTP`, `TCP` or `UDP`.
            #[serde(rename = "type")]
            type_: String => lb_app_profile_type,
        },
        facts: availability(POLICY).example(r#"{"displayName": "lb-http"}"#)
    }

    /// Finds a client SSL profile of load balancers by id or display name.
    GetPolicyLbClientSslProfile = "getPolicyLbClientSslProfile", "load balancer client SSL profile" {
        kind: infra("LBClientSslProfile", "lb-client-ssl-profiles"),
        inputs: Prefix {},
        output: ObjectOutput,
        facts: availability(POLICY).example(r#"{"displayName": "client-ssl-balanced"}"#)
    }

    /// Finds a monitor of load balancers by id, display name or type.
    GetPolicyLbMonitor = "getPolicyLbMonitor", "load balancer monitor" {
        kind: infra("", "lb-monitor-profiles").listed_with(&[]),
        inputs: PrefixOrFilter {
            /// Type of the monitor: `HTTP`, `HTTPS`, `TCP`, `UDP`, `ICMP`, `PASSIVE` or `ANY`.
            #[serde(rename = "type")]
            type_: Option<String> => TypeOf(LB_MONITORS),
        },
        output: PolicyLbMonitor {
            /// Type of the monitor, such as `HTTP`.
            #[serde(rename = "type")]
            type_: String => lb_monitor_type,
        },
        facts: availability(POLICY).example(r#"{"displayName": "monitor-http"}"#)
    }

    /// Finds a persistence profile of load balancers by id, display name or type.
    GetPolicyLbPersistenceProfile = "getPolicyLbPersistenceProfile", "load balancer persistence profile" {
        kind: infra("", "lb-persistence-profiles").listed_with(&[]),
        inputs: PrefixOrFilter {
            /// Type of the profile: `SOURCE_IP`, `COOKIE`, `GENERIC` or `ANY`.
            #[serde(rename = "type")]
            type_: Option<String> => TypeOf(LB_PERSISTENCE_PROFILES),
        },
        output: PolicyLbPersistenceProfile {
            /// Type of the profile: `SOURCE_IP`, `COOKIE` or `GENERIC`.
            #[serde(rename = "type")]
            type_: String => lb_persistence_profile_type,
        },
        facts: availability(POLICY).example(r#"{"displayName": "persistence-cookie"}"#)
    }

    /// Finds a server SSL profile of load balancers by id or display name.
    GetPolicyLbServerSslProfile = "getPolicyLbServerSslProfile", "load balancer server SSL profile" {
        kind: infra("LBServerSslProfile", "lb-server-ssl-profiles"),
        inputs: Prefix {},
        output: ObjectOutput,
        facts: availability(POLICY).example(r#"{"displayName": "server-ssl-balanced"}"#)
    }

    /// Finds a load balancer by id or display name.
    GetPolicyLbService = "getPolicyLbService", "load balancer" {
        kind: infra("LBService", "lb-services"),
        inputs: Exclusive {},
        output: ObjectOutput,
        facts: availability(POLICY).example(r#"{"displayName": "lb-web"}"#)
    }
}

/// Types of application profiles of load balancers.
const LB_APP_PROFILES: &[(&str, &str)] = &[
    ("HTTP", "LBHttpProfile"),
    ("TCP", "LBFastTcpProfile"),
    ("UDP", "LBFastUdpProfile"),
];

/// Types of monitors of load balancers.
const LB_MONITORS: &[(&str, &str)] = &[
    ("HTTP", "LBHttpMonitorProfile"),
    ("HTTPS", "LBHttpsMonitorProfile"),
    ("TCP", "LBTcpMonitorProfile"),
    ("UDP", "LBUdpMonitorProfile"),
    ("ICMP", "LBIcmpMonitorProfile"),
    ("PASSIVE", "LBPassiveMonitorProfile"),
];

/// Types of persistence profiles of load balancers.
const LB_PERSISTENCE_PROFILES: &[(&str, &str)] = &[
    ("SOURCE_IP", "LBSourceIpPersistenceProfile"),
    ("COOKIE", "LBCookiePersistenceProfile"),
    ("GENERIC", "LBGenericPersistenceProfile"),
];

fn lb_app_profile_type(profile: &ManagedObject) -> String {
    type_word(LB_APP_PROFILES, profile).to_owned()
}

fn lb_monitor_type(monitor: &ManagedObject) -> String {
    type_word(LB_MONITORS, monitor).to_owned()
}

fn lb_persistence_profile_type(profile: &ManagedObject) -> String {
    type_word(LB_PERSISTENCE_PROFILES, profile).to_owned()
}
