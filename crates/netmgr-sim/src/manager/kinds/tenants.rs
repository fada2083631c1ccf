//! Projects, VPCs, and kinds that exist in every tree.

use super::collection::ListFilter::{Accepted, Equals, Required, TypeOfTarget};
use super::collection::{CollectionKind, Paging};
use super::declare::{
    CERTIFICATE_FILTERS, EVERY_TREE, LOCAL, ORG, ORG_AND_VPC, PROJECTS, TREES, VPC, derived, filtered, kind,
    list_only, since, unpaged,
};
use crate::manager::views::View;

pub(super) const KINDS: &[CollectionKind] = &[
    // Projects and VPCs.
    CollectionKind {
        filters: &[("instance_id", Accepted)],
        read_parameters: &["short_format"],
        ..kind("projects", ORG, "Project")
    },
    kind("projects/*/vpcs", ORG, "Vpc"),
    kind(
        "projects/*/vpc-connectivity-profiles",
        ORG,
        "VpcConnectivityProfile",
    ),
    kind("projects/*/vpc-service-profiles", ORG, "VpcServiceProfile"),
    kind(
        "projects/*/ip-address-allocations",
        ORG,
        "ProjectIpAddressAllocation",
    ),
    since(
        [9, 0, 0],
        kind("projects/*/transit-gateways", ORG, "TransitGateway"),
    ),
    since(
        [9, 0, 0],
        kind("projects/*/transit-gateways/*/nat", ORG, "PolicyNat"),
    ),
    since(
        [9, 0, 0],
        kind(
            "projects/*/transit-gateways/*/ipsec-vpn-services",
            ORG,
            "IPSecVpnService",
        ),
    ),
    unpaged(filtered(
        &[("resource_type", TypeOfTarget("resource_objects.resource_path"))],
        list_only(kind("shared-with-me", ORG_AND_VPC, "SharedResource")),
    )),
    unpaged(filtered(
        &[("resource_type", TypeOfTarget("resource_objects.resource_path"))],
        list_only(kind("projects/*/shared-with-me", ORG, "SharedResource")),
    )),
    filtered(&[("member_types", Accepted)], kind("groups", VPC, "Group")),
    kind("ip-address-allocations", VPC, "VpcIpAddressAllocation"),
    kind("nat", VPC, "PolicyNat"),
    kind("subnets", VPC, "VpcSubnet"),
    kind("subnets/*/ports", VPC, "VpcSubnetPort"),
    // Policy, in every tree.
    CollectionKind {
        filters: CERTIFICATE_FILTERS,
        read_parameters: &["details"],
        ..kind("certificates", EVERY_TREE, "TlsCertificate")
    },
    kind("context-profiles", EVERY_TREE, "PolicyContextProfile"),
    kind("dhcp-server-configs", EVERY_TREE, "DhcpServerConfig"),
    kind(
        "flood-protection-profiles",
        EVERY_TREE,
        "DistributedFloodProtectionProfile",
    ),
    // Shares, tags and realized state.
    kind("shares", PROJECTS, "Share"),
    derived(
        "tags",
        TREES,
        View::Tags,
        &[
            ("scope", Equals("scope")),
            ("tag", Equals("tag")),
            ("source", Accepted),
            ("enforcement_point_path", Accepted),
        ],
    ),
    unpaged(filtered(
        &[("intent_path", Required("intent_paths")), ("site_path", Accepted)],
        list_only(kind(
            "realized-state/realized-entities",
            TREES,
            "GenericPolicyRealizedResource",
        )),
    )),
    CollectionKind {
        paging: Paging::Offset,
        ..derived(
            "realized-state/virtual-machines",
            PROJECTS,
            View::Machines,
            &[("enforcement_point_path", Accepted)],
        )
    },
    derived(
        "realized-state/enforcement-points/*/virtual-machines",
        LOCAL,
        View::Machines,
        &[("query", Accepted), ("dsl", Accepted)],
    ),
    derived(
        "realized-state/enforcement-points/*/vifs",
        LOCAL,
        View::Interfaces,
        &[("lport_attachment_id", Equals("lport_attachment_id"))],
    ),
];
