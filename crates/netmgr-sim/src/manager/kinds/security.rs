//! Groups, services, policies and intrusion detection.

use super::collection::CollectionKind;
use super::collection::ListFilter::{Accepted, Equals};
use super::declare::{
    EVERY_TREE, GLOBAL, LOCAL, MEMBER_FILTERS, PROJECTS, TREES, VPC, derived, filtered, kind, list_only,
    since, single, with_rules,
};
use crate::manager::memberships::{
    ADDRESS, IDENTITY_GROUP, INTERFACE, MACHINE, PORT, SEGMENT, SUBNET, SUBNET_PORT,
};
use crate::manager::views::View;

pub(super) const KINDS: &[CollectionKind] = &[
    // Groups, services and their policies.
    filtered(
        &[("member_types", Accepted)],
        kind("domains/*/groups", TREES, "Group"),
    ),
    derived(
        "domains/*/groups/*/members/bms",
        GLOBAL,
        View::Members("BareMetalServer"),
        MEMBER_FILTERS,
    ),
    derived(
        "domains/*/groups/*/members/bmsi",
        GLOBAL,
        View::Members("BareMetalServerInterface"),
        MEMBER_FILTERS,
    ),
    derived(
        "domains/*/groups/*/members/ip-addresses",
        TREES,
        View::Members(ADDRESS),
        MEMBER_FILTERS,
    ),
    derived(
        "domains/*/groups/*/members/virtual-machines",
        TREES,
        View::Members(MACHINE),
        MEMBER_FILTERS,
    ),
    derived(
        "domains/*/groups/*/members/vifs",
        TREES,
        View::Members(INTERFACE),
        MEMBER_FILTERS,
    ),
    derived(
        "domains/*/groups/*/members/segments",
        TREES,
        View::Members(SEGMENT),
        MEMBER_FILTERS,
    ),
    derived(
        "domains/*/groups/*/members/segment-ports",
        TREES,
        View::Members(PORT),
        MEMBER_FILTERS,
    ),
    derived(
        "domains/*/groups/*/members/identity-groups",
        GLOBAL,
        View::Members(IDENTITY_GROUP),
        MEMBER_FILTERS,
    ),
    derived(
        "groups/*/members/ip-addresses",
        VPC,
        View::Members(ADDRESS),
        MEMBER_FILTERS,
    ),
    derived(
        "groups/*/members/virtual-machines",
        VPC,
        View::Members(MACHINE),
        MEMBER_FILTERS,
    ),
    derived(
        "groups/*/members/vifs",
        VPC,
        View::Members(INTERFACE),
        MEMBER_FILTERS,
    ),
    derived(
        "groups/*/members/subnets",
        VPC,
        View::Members(SUBNET),
        MEMBER_FILTERS,
    ),
    derived(
        "groups/*/members/subnet-ports",
        VPC,
        View::Members(SUBNET_PORT),
        MEMBER_FILTERS,
    ),
    derived(
        "group-associations",
        EVERY_TREE,
        View::Associations("", "intent_path"),
        &[("intent_path", Accepted), ("enforcement_point_path", Accepted)],
    ),
    derived(
        "ip-address-group-associations",
        EVERY_TREE,
        View::Associations(ADDRESS, "ip_address"),
        &[("ip_address", Accepted), ("enforcement_point_path", Accepted)],
    ),
    derived(
        "virtual-machine-group-associations",
        EVERY_TREE,
        View::Associations(MACHINE, "vm_external_id"),
        &[("vm_external_id", Accepted), ("enforcement_point_path", Accepted)],
    ),
    derived(
        "virtual-network-interface-group-associations",
        EVERY_TREE,
        View::Associations(INTERFACE, "vif_external_id"),
        &[
            ("vif_external_id", Accepted),
            ("enforcement_point_path", Accepted),
        ],
    ),
    derived(
        "bms-group-associations",
        TREES,
        View::Associations("BareMetalServer", "bms_external_id"),
        &[
            ("bms_external_id", Accepted),
            ("enforcement_point_path", Accepted),
        ],
    ),
    derived(
        "bmsi-group-associations",
        TREES,
        View::Associations("BareMetalServerInterface", "bmsi_external_id"),
        &[
            ("bmsi_external_id", Accepted),
            ("enforcement_point_path", Accepted),
        ],
    ),
    filtered(
        &[("default_service", Equals("is_default"))],
        kind("services", TREES, "Service"),
    ),
    with_rules(kind("domains/*/security-policies", TREES, "SecurityPolicy")),
    with_rules(kind("domains/*/gateway-policies", TREES, "GatewayPolicy")),
    kind(
        "domains/*/security-policies|gateway-policies/*/rules",
        TREES,
        "Rule",
    ),
    with_rules(kind(
        "domains/*/intrusion-service-policies",
        PROJECTS,
        "IdsSecurityPolicy",
    )),
    with_rules(kind(
        "domains/*/intrusion-service-gateway-policies",
        LOCAL,
        "IdsGatewayPolicy",
    )),
    kind(
        "domains/*/intrusion-service-policies|intrusion-service-gateway-policies/*/rules",
        PROJECTS,
        "IdsRule",
    ),
    // Intrusion detection.
    single(
        "settings/firewall/security/intrusion-services",
        LOCAL,
        "IdsSettings",
    ),
    kind(
        "settings/firewall/security/intrusion-services/profiles",
        PROJECTS,
        "IdsProfile",
    ),
    CollectionKind {
        filters: MEMBER_FILTERS,
        read_parameters: &["enforcement_point_path"],
        ..kind(
            "settings/firewall/security/intrusion-services/cluster-configs",
            LOCAL,
            "IdsClusterConfig",
        )
    },
    kind(
        "settings/firewall/security/intrusion-services/signature-versions",
        LOCAL,
        "IdsSignatureVersion",
    ),
    list_only(kind(
        "settings/firewall/security/intrusion-services/signature-versions/*/signatures",
        LOCAL,
        "IdsSignature",
    )),
    kind(
        "settings/firewall/security/intrusion-services/custom-signature-versions",
        PROJECTS,
        "IdsCustomSignatureVersion",
    ),
    filtered(
        &[("include", Accepted)],
        kind(
            "settings/firewall/security/intrusion-services/custom-signature-versions/*/custom-signatures",
            PROJECTS,
            "IdsCustomSignature",
        ),
    ),
    single(
        "settings/firewall/security/intrusion-services/custom-signature-versions/*/custom-signatures-diff",
        PROJECTS,
        "IdsCustomSignaturesDiff",
    ),
    single(
        "settings/firewall/security/intrusion-services/custom-signature-versions/*/settings",
        LOCAL,
        "IdsCustomSignatureSettings",
    ),
    since(
        [9, 1, 0],
        CollectionKind {
            filters: &[
                ("feature_type", Equals("features.feature")),
                ("enabled", Equals("features.enabled")),
            ],
            read_parameters: &["enforcement_point_path"],
            ..kind(
                "settings/security/cluster-configs",
                LOCAL,
                "ClusterSecurityConfiguration",
            )
        },
    ),
];
