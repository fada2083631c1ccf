//! Projects, VPCs and their contents.

use std::sync::Arc;

use netmgr_types::shapes::{ObjectOutput, given};
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::{Candidate, Error};
use crate::contract::spec::Since;
use crate::declared::paths::{SUBNET, TRANSIT_GATEWAY};
use crate::declared::rules::Rule::{AnyPathOf, Flag, Parent, Required, Text, TextOr, Unchecked};
use crate::declared::{POLICY, calls, lookups};
use crate::finding::names;
use crate::finding::object_kind::ObjectKind;
use crate::finding::read::{By, Read};
use crate::finding::tree::Tree;
use crate::functions::virtual_machines::VIF;
use crate::functions::virtual_machines::attachments;

/// First version with VPCs.
const WITH_VPCS: &[Since] = &[Since::version("9.0.0")];
/// First version with transit gateways.
const WITH_TRANSIT_GATEWAYS: &[Since] = &[Since::version("9.1.0")];

lookups! {
    ENTRIES;

    /// Finds a network span by id or display name, or the default one.
    GetPolicyNetworkSpan = "getPolicyNetworkSpan", "network span" {
        kind: infra("NetworkSpan", "network-spans"),
        inputs: PrefixOrFilter {
            /// Whether the network span is the default.
            is_default: Option<bool> => Flag("is_default"),
        },
        output: PolicyNetworkSpan {
            /// Whether it is the default.
            is_default: bool,
        },
        facts: availability(POLICY).since(WITH_TRANSIT_GATEWAYS).example(r#"{"displayName": "span-prod"}"#)
    }

    /// Finds a project by id or display name.
    GetPolicyProject = "getPolicyProject", "project" {
        kind: fixed("Project", "/policy/api/v1/orgs/default/projects"),
        inputs: PrefixOrFilter {
            /// Short id that the project must have.
            short_id: Option<String> => Text("short_id"),
        },
        output: PolicyProject {
            /// Policy paths of the external IPv4 blocks.
            external_ipv4_blocks: Vec<String>,
            /// Policy paths of the IPv6 blocks.
            ipv6_blocks: Vec<String>,
            /// Short id; empty if it has none.
            short_id: String,
            /// Sites with their edge clusters.
            site_info: Vec<SiteInfo> = "site_infos",
            /// Policy paths of the tier-0 gateways.
            tier0_gateway_paths: Vec<String> = "tier_0s",
        },
        facts: availability(POLICY).example(r#"{"displayName": "dev"}"#)
    }

    /// Finds an IP address allocation of a project by its addresses, id or display name.
    GetPolicyProjectIpAddressAllocation = "getPolicyProjectIpAddressAllocation", "IP address allocation" {
        kind: project("ProjectIpAddressAllocation", "ip-address-allocations"),
        inputs: ExclusiveOrOnly in required_project {
            /// Addresses that the allocation must have.
            allocation_ips: String => Text("allocation_ips"),
        },
        output: IpAddressAllocation {
            /// Addresses.
            allocation_ips: String,
        },
        facts: availability(POLICY).example(r#"{"allocationIps": "192.168.10.5", "context": {"projectId": "dev"}}"#)
    }

    /// Finds a share by id or display name.
    GetPolicyShare = "getPolicyShare", "share" {
        kind: infra("Share", "shares"),
        inputs: Prefix {},
        output: ObjectOutput,
        facts: availability(POLICY).example(r#"{"displayName": "shared-services"}"#)
    }

    /// Finds a transit gateway by id or display name, or the default one.
    GetPolicyTransitGateway = "getPolicyTransitGateway", "transit gateway" {
        kind: project("TransitGateway", "transit-gateways"),
        inputs: PrefixOrFilter in required_project {
            /// Whether the transit gateway is the default.
            is_default: Option<bool> => Flag("is_default"),
        },
        output: PolicyTransitGateway {
            /// Whether it is the default.
            is_default: bool,
        },
        facts: availability(POLICY)
            .since(WITH_TRANSIT_GATEWAYS)
            .example(r#"{"context": {"projectId": "dev"}, "isDefault": true}"#)
    }

    /// Finds the NAT of a transit gateway.
    GetPolicyTransitGatewayNat = "getPolicyTransitGatewayNat", "NAT of a transit gateway" {
        kind: nested("PolicyNat", "nat"),
        inputs: ExclusiveOrOnly {
            /// Type of the NAT.
            nat_type: Option<String> => TextOr("nat_type", "USER"),
            /// Policy path of the transit gateway.
            transit_gateway_path: String => Parent(TRANSIT_GATEWAY),
        },
        output: Nat {
            /// Type of the NAT.
            nat_type: String,
        },
        facts: availability(POLICY)
            .example(r#"{"transitGatewayPath": "/orgs/default/projects/dev/transit-gateways/default"}"#)
    }

    /// Finds a VPC by id or display name.
    GetVpc = "getVpc", "VPC" {
        kind: project("Vpc", "vpcs"),
        inputs: PrefixOrFilter in required_project {
            /// Short id that the VPC must have.
            short_id: Option<String> => Text("short_id"),
        },
        output: Vpc {
            /// Short id; empty if it has none.
            short_id: String,
        },
        facts: availability(POLICY).since(WITH_VPCS).example(r#"{"context": {"projectId": "dev"}, "displayName": "web"}"#)
    }

    /// Finds a VPC connectivity profile by id or display name, or the default one.
    GetVpcConnectivityProfile = "getVpcConnectivityProfile", "VPC connectivity profile" {
        kind: project("VpcConnectivityProfile", "vpc-connectivity-profiles"),
        inputs: PrefixOrFilter in required_project {
            /// Whether the profile is the default.
            is_default: Option<bool> => Flag("is_default"),
        },
        output: VpcConnectivityProfile {
            /// Whether it is the default.
            is_default: bool,
        },
        facts: availability(POLICY)
            .since(WITH_VPCS)
            .example(r#"{"context": {"projectId": "dev"}, "isDefault": true}"#)
    }

    /// Finds a group of a VPC by id or display name.
    GetVpcGroup = "getVpcGroup", "group" {
        kind: infra("Group", "groups"),
        inputs: Prefix in vpc {},
        output: ObjectOutput,
        facts: availability(POLICY)
            .since(WITH_VPCS)
            .example(r#"{"context": {"projectId": "dev", "vpcId": "web"}, "displayName": "frontends"}"#)
    }

    /// Finds an IP address allocation of a VPC by its addresses, id or display name.
    GetVpcIpAddressAllocation = "getVpcIpAddressAllocation", "IP address allocation" {
        kind: infra("VpcIpAddressAllocation", "ip-address-allocations"),
        inputs: ExclusiveOrOnly in vpc {
            /// Addresses that the allocation must have.
            allocation_ips: String => Text("allocation_ips"),
        },
        output: VpcIpAddressAllocation {
            /// Addresses.
            allocation_ips: String,
        },
        facts: availability(POLICY)
            .since(WITH_VPCS)
            .example(r#"{"allocationIps": "10.10.0.5", "context": {"projectId": "dev", "vpcId": "web"}}"#)
    }

    /// Finds the NAT of a VPC.
    GetVpcNat = "getVpcNat", "NAT" {
        kind: infra("PolicyNat", "nat"),
        inputs: ExclusiveOrOnly in vpc {
            /// Type of the NAT, such as `USER`.
            nat_type: String => Text("nat_type"),
        },
        output: VpcNat {
            /// Type of the NAT.
            nat_type: String,
        },
        facts: availability(POLICY)
            .since(WITH_VPCS)
            .example(r#"{"context": {"projectId": "dev", "vpcId": "web"}, "natType": "USER"}"#)
    }

    /// Finds a VPC service profile by id or display name, or the default one.
    GetVpcServiceProfile = "getVpcServiceProfile", "VPC service profile" {
        kind: project("VpcServiceProfile", "vpc-service-profiles"),
        inputs: PrefixOrFilter in required_project {
            /// Whether the profile is the default.
            is_default: Option<bool> => Flag("is_default"),
        },
        output: VpcServiceProfile {
            /// Whether it is the default.
            is_default: bool,
        },
        facts: availability(POLICY)
            .since(WITH_VPCS)
            .example(r#"{"context": {"projectId": "dev"}, "isDefault": true}"#)
    }

    /// Finds a subnet of a VPC by id or display name, or the only one if neither is set.
    GetVpcSubnet = "getVpcSubnet", "subnet" {
        kind: infra("VpcSubnet", "subnets"),
        inputs: ExclusiveOrOnly in vpc {},
        output: ObjectOutput,
        facts: availability(POLICY)
            .since(WITH_VPCS)
            .example(r#"{"context": {"projectId": "dev", "vpcId": "web"}, "displayName": "frontend"}"#)
    }
}

calls! {
    CALLS;

    /// Finds the port of a subnet that a virtual machine is attached to.
    GetVpcSubnetPort = "getVpcSubnetPort", "port" {
        inputs: {
            /// Display name that the port must have, or a prefix of it.
            display_name: Option<String> => Unchecked,
            /// Id that the port must have.
            id: Option<String> => Unchecked,
            /// Policy path of the subnet.
            subnet_path: String => AnyPathOf(SUBNET),
            /// External id of the virtual machine.
            vm_id: String => Required,
        },
        output: ObjectOutput => subnet_port(subnet_path, vm_id, id, display_name),
        reads: [&PORT, &VIF],
        facts: availability(POLICY).since(WITH_VPCS).example(r#"{"subnetPath": "/orgs/default/projects/dev/vpcs/web/subnets/frontend", "vmId": "5a260012-1111-4222-8333-000000000018"}"#)
    }
}

const PORT: ObjectKind = ObjectKind::nested("port", "VpcSubnetPort", "ports");

async fn subnet_port(
    cx: &LookupContext<'_>,
    subnet: &str,
    machine: &str,
    id: &Option<String>,
    name: &Option<String>,
) -> Result<ObjectOutput, Error> {
    let attachments = attachments(cx, machine, false).await?;
    let tree = Tree::around(subnet, cx.scope.deployment);
    let read = Read::new(&PORT, cx.scope, By::All).below("subnet", subnet.trim_end_matches('/'));
    let read = Arc::new(match tree {
        Some(tree) => read.within(tree),
        None => read,
    });
    let (id, name) = (given(id).map(str::to_owned), given(name).map(str::to_owned));
    let keep = move |port: &ManagedObject| {
        let is_attached = |attachment: &str| attachments.iter().any(|known| known == attachment);
        let fits = port.text("attachment.id").is_some_and(is_attached)
            && id.as_ref().is_none_or(|id| id == port.id())
            && name.as_ref().is_none_or(|name| names::begins(port.name(), name));
        fits.then(|| (Candidate::of(port), ObjectOutput::from(port)))
    };
    let mut ports = cx.collect(&read, keep).await?;
    let what = format!(
        "below {} that the virtual machine {} is attached to",
        cx.sanitized(subnet),
        cx.quoted(machine)
    );
    match (ports.pop(), ports.len()) {
        (Some((_, port)), 0) => Ok(port),
        (None, _) => Err(cx.not_found(format!("there is no port {what}"), None, None)),
        (Some(last), others) => {
            ports.push(last);
            let mut found: Vec<Candidate> = ports.into_iter().map(|(candidate, _)| candidate).collect();
            found.sort();
            Err(cx.ambiguous(
                format!("there are several ports {what}"),
                found,
                others + 1,
                None,
                None,
            ))
        }
    }
}

/// A site of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all(serialize = "camelCase"), default)]
#[non_exhaustive]
pub struct SiteInfo {
    /// Policy paths of its edge clusters.
    pub edge_cluster_paths: Vec<String>,
    /// Policy path of the site.
    pub site_path: String,
}
