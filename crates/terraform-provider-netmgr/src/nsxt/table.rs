//! The table of differences between the data sources of `nsxt` and `netmgr_*`.
//!
//! Attributes have the names and paths of `netmgr_*`. The first row that matches an attribute applies.

use terraform_plugin::{AttributeValue, BlockNesting, Object};

use super::blocks::{RULED, TAGGED};
use BlockNesting::{List, Set};
use MemberContent::{Entries, Flag, Made, Number, Text, Texts};
use ShapeChange::{
    Added, Blocks, Default, Deprecated, Dropped, DroppedOutput, Ignored, Kept, Named, OrId, Settable, Sorted,
    Unrequired, WithoutId,
};

/// A difference between an attribute of `netmgr_*` and the attribute of `nsxt_*`.
pub(super) enum ShapeChange {
    /// None.
    Kept,
    /// There is no such attribute.
    Dropped,
    /// There is no such attribute, unless it is an argument.
    DroppedOutput,
    /// As an argument it is accepted without an effect.
    Ignored,
    /// It is accepted as an argument, without an effect.
    Settable,
    /// As an argument it has no effect next to `id`.
    WithoutId,
    /// An argument that is not set has this value, given the others.
    Default(fn(&Object) -> AttributeValue),
    /// It has this name.
    Named(&'static str),
    /// It is a set instead of a list.
    Sorted,
    /// Its objects are blocks of this name, of which there is a maximum number.
    Blocks(&'static str, BlockNesting, Option<u32>),
    /// It is optional.
    Unrequired,
    /// It is optional, and the read fills it in. An argument that is not set has no effect next to `id`.
    OrId,
    /// The data source itself, with the path "", is deprecated.
    Deprecated,
    /// The object has another member. It is null unless it is made, because `nsxt` only sets it in resources.
    Added(&'static str, MemberContent),
}

/// Contents of an added member.
pub(super) enum MemberContent {
    Flag,
    Text,
    Number,
    Texts,
    /// A text, made from the other attributes.
    Made(fn(&Object) -> AttributeValue),
    /// Blocks with these members.
    Entries(
        BlockNesting,
        Option<u32>,
        &'static [(&'static str, MemberContent)],
    ),
}

/// Data sources without prefix, or none for every one; attributes or objects by path, with their differences.
type Rows = (&'static [&'static str], &'static [(&'static str, ShapeChange)]);

/// Lists of objects without the filters that they have here.
const UNFILTERED: &[&str] = &[
    "policy_groups",
    "policy_segment_ports",
    "policy_services",
    "policy_tier0_gateways",
    "policy_tier1_gateways",
    "policy_vms",
];

const APPLIANCES: &[&str] = &[
    "policy_virtual_network_appliance_cluster_realization",
    "policy_virtual_network_appliance_realization",
];

const TAG: &[(&str, MemberContent)] = &[("scope", Text), ("tag", Text)];

/// Data sources of the manager API that are deprecated there.
const DEPRECATED: &[&str] = &[
    "certificate",
    "edge_cluster",
    "firewall_section",
    "ip_pool",
    "logical_tier0_router",
    "logical_tier1_router",
    "mac_pool",
    "manager_cluster_node",
    "ns_group",
    "ns_groups",
    "ns_service",
    "ns_services",
    "switching_profile",
    "transport_zone",
];

pub(super) const DIFFERENCES: &[Rows] = &[
    (DEPRECATED, &[("", Deprecated)]),
    (TAGGED, &[("tags", Blocks("tag", Set, None))]),
    (UNFILTERED, &[("tag", Dropped), ("tag_scope", Dropped)]),
    (APPLIANCES, &[("timeout", Default(|_| 1800.into()))]),
    (&["compute_collection"], &[("display_name", OrId)]),
    (
        &["policy_host_transport_node_collection_realization"],
        &[("path", Unrequired)],
    ),
    (
        &["policy_baremetal_server", "policy_baremetal_server_interface"],
        &[("description", Dropped), ("tags", Kept)],
    ),
    (
        &["policy_baremetal_servers", "policy_baremetal_server_interfaces"],
        &[("results.description", Dropped), ("results.id", Dropped)],
    ),
    (
        &["policy_edge_transport_node_realization"],
        &[("failure_reason", Dropped), ("id", Settable), ("state", Dropped)],
    ),
    (
        &["policy_gateway_interface_realization"],
        &[
            ("delay", Default(|_| 5.into())),
            ("timeout", Default(|_| 600.into())),
        ],
    ),
    (&["policy_gateway_locale_service"], &[("bgp_path", Settable)]),
    (
        &["policy_gateway_security_config"],
        &[("", Added("id", Made(gateway)))],
    ),
    (
        &["policy_group_baremetal_server_members"],
        &[
            ("items.description", Dropped),
            ("items.id", Dropped),
            ("items.resource_type", Dropped),
            ("items.tags", Dropped),
        ],
    ),
    (
        &["policy_groups"],
        &[
            ("display_name", Dropped),
            ("include_shared_groups", Default(|_| false.into())),
        ],
    ),
    (
        &["policy_idps_settings", "proxy_config", "vpc_subnet_port"],
        &[("description", Settable)],
    ),
    (
        RULED,
        &[
            ("rules", Blocks("rule", List, Some(1000))),
            ("rules.destination_groups", Sorted),
            ("rules.id", Named("nsx_id")),
            ("rules.ids_profiles", Sorted),
            ("rules.scope", Sorted),
            ("rules.services", Sorted),
            ("rules.source_groups", Sorted),
            ("rules.tags", Blocks("tag", Set, None)),
        ],
    ),
    (
        &["policy_intrusion_service_gateway_policy"],
        &[("rules.oversubscription", Dropped)],
    ),
    (
        &["policy_intrusion_service_policy"],
        &[
            ("rules", Added("profiles", Texts)),
            (
                "rules",
                Added("service_entries", Entries(List, Some(1), SERVICE_ENTRIES)),
            ),
        ],
    ),
    (
        &["policy_project"],
        &[
            ("site_info", Blocks("site_info", List, None)),
            ("tier0_gateway_paths", Settable),
        ],
    ),
    (
        &["policy_segment_ports"],
        &[("items.parent_path", Dropped), ("items.tags", Dropped)],
    ),
    (
        &["policy_services"],
        &[
            ("built_in_only", Default(|_| false.into())),
            ("display_name", Dropped),
            ("include_shared_services", Default(|_| false.into())),
        ],
    ),
    (
        &["policy_tier0_gateway"],
        &[
            ("vrf_config", Blocks("vrf_config", List, Some(1))),
            ("vrf_config", Added("path", Text)),
            ("vrf_config", Added("tag", Entries(Set, None, TAG))),
            ("vrf_config.route_target", Blocks("route_target", List, Some(1))),
            ("vrf_config.route_target", Added("auto_mode", Flag)),
        ],
    ),
    (
        &["policy_user_management_role_binding"],
        &[
            ("identity_source_type", Settable),
            ("roles_for_path", Sorted),
            ("roles_for_path.roles", Sorted),
        ],
    ),
    (
        &["policy_virtual_network_appliance_cluster"],
        &[
            ("enforcement_point", Default(|_| "default".into())),
            ("site_path", Default(|_| "/infra/sites/default".into())),
        ],
    ),
    (&["policy_vm"], &[("power_state", Dropped)]),
    (&["policy_vms"], &[("value_type", Default(|_| "bios_id".into()))]),
    (&["provider_info"], &[("version", Dropped)]),
    (
        &["upgrade_postcheck"],
        &[
            ("delay", Default(|_| 30.into())),
            ("interval", Default(|_| 30.into())),
            ("timeout", Default(|_| 1800.into())),
        ],
    ),
    (
        &[],
        &[
            ("context.from_global", Default(|_| false.into())),
            ("delay", Default(|_| 1.into())),
            ("description", Ignored),
            ("display_name", WithoutId),
            ("domain", Default(|_| "default".into())),
            ("objects", Dropped),
            ("parent_path", DroppedOutput),
            ("tags", Dropped),
            ("timeout", Default(|_| 1200.into())),
        ],
    ),
];

/// The entries of a rule.
const SERVICE_ENTRIES: &[(&str, MemberContent)] = &[
    (
        "algorithm_entry",
        Entries(
            Set,
            None,
            &[
                ("algorithm", Text),
                ("description", Text),
                ("destination_port", Text),
                ("display_name", Text),
                ("source_ports", Texts),
            ],
        ),
    ),
    (
        "ether_type_entry",
        Entries(
            Set,
            None,
            &[
                ("description", Text),
                ("display_name", Text),
                ("ether_type", Number),
            ],
        ),
    ),
    (
        "icmp_entry",
        Entries(
            Set,
            None,
            &[
                ("description", Text),
                ("display_name", Text),
                ("icmp_code", Text),
                ("icmp_type", Text),
                ("protocol", Text),
            ],
        ),
    ),
    (
        "igmp_entry",
        Entries(Set, None, &[("description", Text), ("display_name", Text)]),
    ),
    (
        "ip_protocol_entry",
        Entries(
            Set,
            None,
            &[
                ("description", Text),
                ("display_name", Text),
                ("protocol", Number),
            ],
        ),
    ),
    (
        "l4_port_set_entry",
        Entries(
            Set,
            None,
            &[
                ("description", Text),
                ("destination_ports", Texts),
                ("display_name", Text),
                ("protocol", Text),
                ("source_ports", Texts),
            ],
        ),
    ),
];

/// `tier0/ID` or `tier1/ID`.
fn gateway(state: &Object) -> AttributeValue {
    let id = |tier: &str| match state.get(&format!("{tier}_id")) {
        Some(AttributeValue::String(id)) if !id.is_empty() => Some(format!("{tier}/{id}").into()),
        _ => None,
    };
    id("tier0").or_else(|| id("tier1")).unwrap_or_default()
}
