//! Bare metal servers and their interfaces, as possible members of groups.

use netmgr_types::shapes::Tag;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::spec::{ResultKind, Since};
use crate::declared::rules::EXTERNAL;
use crate::declared::rules::Rule::{
    AtEnforcementPoint, Containing, Domain, MembersOf, NamePattern, NoEffect, Required, TagScope, TagValue,
    Text,
};
use crate::declared::{OfKind, POLICY, calls, lookups, output};
use crate::finding::read::{ObjectKind, Tree};
use crate::functions::group_associations::{GroupAssociations, associations, groups};

/// First version with bare metal servers.
pub(super) const WITH_SERVERS: &[Since] = &[Since::version("9.0.0")];

lookups! {
    /// Functions about bare metal servers.
    ENTRIES;

    /// Finds a bare metal server by external id or display name.
    GetPolicyBaremetalServer = "getPolicyBaremetalServer", "bare metal server" {
        kind: anywhere("BareMetalServer").inventory(),
        inputs: Exact {
            /// External id of the server. Takes precedence over all other inputs.
            external_id: Option<String> => EXTERNAL,
        },
        output: PolicyBaremetalServer {
            without path;
            /// Number of processor cores.
            #[serde(skip_serializing_if = "Option::is_none")]
            cpu_cores: Option<i64>,
            /// External id.
            external_id: String,
            /// Time of the last synchronization, in milliseconds since 1970.
            #[serde(skip_serializing_if = "Option::is_none")]
            last_sync_time: Option<i64> = "_last_sync_time",
            /// Name of the operating system; empty if unknown.
            os_name: String = "os_info.os_name",
            /// Version of the operating system; empty if unknown.
            os_version: String = "os_info.os_version",
            /// Type of the object.
            resource_type: String,
            /// Id of the source; empty if there is none.
            source_id: String,
        },
        facts: on(POLICY).since(WITH_SERVERS).example(r#"{"displayName": "bms-1"}"#)
    }

    /// Finds an interface of a bare metal server by external id or display name.
    GetPolicyBaremetalServerInterface = "getPolicyBaremetalServerInterface", "bare metal server interface" {
        kind: anywhere("BareMetalServerInterface").inventory(),
        inputs: Exact {
            /// External id of the interface. Takes precedence over all other inputs.
            external_id: Option<String> => EXTERNAL,
        },
        output: PolicyBaremetalServerInterface {
            without path;
            /// External id of the server.
            bms_external_id: String,
            /// External id.
            external_id: String,
            /// IP addresses.
            ip_addresses: Vec<String>,
            /// Whether it is a management interface.
            is_mgmt_interface: bool,
            /// Time of the last synchronization, in milliseconds since 1970.
            #[serde(skip_serializing_if = "Option::is_none")]
            last_sync_time: Option<i64> = "_last_sync_time",
            /// Type of the object.
            resource_type: String,
            /// Id of the source; empty if there is none.
            source_id: String,
            /// State; empty if unknown.
            state: String,
        },
        facts: on(POLICY).since(WITH_SERVERS).example(r#"{"displayName": "bms-1-eth0"}"#)
    }
}

calls! {
    /// Functions about the groups and tags of bare metal servers.
    CALLS;

    /// Lists the groups that a bare metal server is a member of.
    GetPolicyBaremetalServerGroupAssociations = "getPolicyBaremetalServerGroupAssociations", "group" {
        inputs: {
            /// Policy path of the enforcement point.
            enforcement_point_path: Option<String> => AtEnforcementPoint,
            /// External id of the server.
            external_id: String => Required,
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
        },
        output: GroupAssociations => server_groups(external_id, enforcement_point_path),
        // Recordings derive these groups from the recorded groups.
        facts: on(POLICY)
            .since(WITH_SERVERS)
            .answers(ResultKind::Table)
            .without_effect(&["id"])
            .example(r#"{"externalId": "71be0142-2ed1-1d53-9c60-5564cf4b7e2e"}"#)
    }

    /// Lists the groups that an interface of a bare metal server is a member of.
    GetPolicyBaremetalServerInterfaceGroupAssociations = "getPolicyBaremetalServerInterfaceGroupAssociations", "group" {
        inputs: {
            /// Policy path of the enforcement point.
            enforcement_point_path: Option<String> => AtEnforcementPoint,
            /// External id of the interface.
            external_id: String => Required,
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
        },
        output: GroupAssociations => interface_groups(external_id, enforcement_point_path),
        // Recordings derive these groups from the recorded groups.
        facts: on(POLICY)
            .since(WITH_SERVERS)
            .answers(ResultKind::Table)
            .without_effect(&["id"])
            .example(r#"{"externalId": "71be0142-2ed1-1d53-9c60-5564cf4b7e2f"}"#)
    }

    /// Reads the tags of an interface of a bare metal server.
    GetPolicyBaremetalServerInterfaceTags = "getPolicyBaremetalServerInterfaceTags", "bare metal server interface" {
        inputs: {
            /// External id of the interface.
            external_id: String => Required,
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
        },
        output: InventoryTags => interface_tags(external_id),
        reads: [GetPolicyBaremetalServerInterface::KIND],
        facts: on(POLICY)
            .since(WITH_SERVERS)
            .answers(ResultKind::Fact)
            .without_effect(&["id"])
            .example(r#"{"externalId": "71be0142-2ed1-1d53-9c60-5564cf4b7e2f"}"#)
    }

    /// Reads the tags of a bare metal server.
    GetPolicyBaremetalServerTags = "getPolicyBaremetalServerTags", "bare metal server" {
        inputs: {
            /// External id of the server.
            external_id: String => Required,
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
        },
        output: InventoryTags => server_tags(external_id),
        reads: [GetPolicyBaremetalServer::KIND],
        facts: on(POLICY)
            .since(WITH_SERVERS)
            .answers(ResultKind::Fact)
            .without_effect(&["id"])
            .example(r#"{"externalId": "71be0142-2ed1-1d53-9c60-5564cf4b7e2e"}"#)
    }
}

/// Lists of groups by server and by interface.
const SERVER_GROUPS: ObjectKind = associations("bms-group-associations");
const INTERFACE_GROUPS: ObjectKind = associations("bmsi-group-associations");

async fn server_groups(
    cx: &LookupContext<'_>,
    external_id: &str,
    enforcement_point_path: &Option<String>,
) -> Result<GroupAssociations, Error> {
    groups(
        cx,
        &SERVER_GROUPS,
        Tree::Local,
        ("bms_external_id", external_id),
        enforcement_point_path,
    )
    .await
}

async fn interface_groups(
    cx: &LookupContext<'_>,
    external_id: &str,
    enforcement_point_path: &Option<String>,
) -> Result<GroupAssociations, Error> {
    groups(
        cx,
        &INTERFACE_GROUPS,
        Tree::Local,
        ("bmsi_external_id", external_id),
        enforcement_point_path,
    )
    .await
}

/// The tags of an object of the inventory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct InventoryTags {
    /// External id of the object.
    pub id: String,
    /// Tags.
    pub tags: Vec<Tag>,
}

async fn server_tags(cx: &LookupContext<'_>, external_id: &str) -> Result<InventoryTags, Error> {
    let lookup = GetPolicyBaremetalServer::default().external_id(external_id);
    let PolicyBaremetalServer { id, tags, .. } = cx.run(lookup).await?;
    Ok(InventoryTags { id, tags })
}

async fn interface_tags(cx: &LookupContext<'_>, external_id: &str) -> Result<InventoryTags, Error> {
    let lookup = GetPolicyBaremetalServerInterface::default().external_id(external_id);
    let PolicyBaremetalServerInterface { id, tags, .. } = cx.run(lookup).await?;
    Ok(InventoryTags { id, tags })
}

calls! {
    /// Functions about all bare metal servers.
    LISTS;

    /// Lists bare metal servers.
    GetPolicyBaremetalServers = "getPolicyBaremetalServers", "bare metal server" {
        of: GetPolicyBaremetalServer,
        inputs: {
            /// Regular expression that the display name must match.
            display_name: Option<String> => NamePattern,
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
            /// Part of the operating system name, ignoring case.
            os_name: Option<String> => Containing("os_info.os_name"),
            /// Part of the operating system version, ignoring case.
            os_version: Option<String> => Containing("os_info.os_version"),
            /// Id of the source that the servers must have.
            source_id: Option<String> => Text("source_id"),
            /// Scope of a tag that the servers must have.
            tag_scope: Option<String> => TagScope,
            /// Value of a tag that the servers must have.
            tag: Option<String> => TagValue,
        },
        output: BaremetalServers, of PolicyBaremetalServer => servers(),
        facts: on(POLICY).since(WITH_SERVERS).without_effect(&["id"]).example(r#"{"osName": "linux"}"#).answers(ResultKind::Table)
    }

    /// Lists interfaces of bare metal servers.
    GetPolicyBaremetalServerInterfaces = "getPolicyBaremetalServerInterfaces", "bare metal server interface" {
        of: GetPolicyBaremetalServerInterface,
        inputs: {
            /// External id of the server that the interfaces belong to.
            bms_external_id: Option<String> => Text("bms_external_id"),
            /// Regular expression that the display name must match.
            display_name: Option<String> => NamePattern,
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
            /// Id of the source that the interfaces must have.
            source_id: Option<String> => Text("source_id"),
            /// Scope of a tag that the interfaces must have.
            tag_scope: Option<String> => TagScope,
            /// Value of a tag that the interfaces must have.
            tag: Option<String> => TagValue,
        },
        output: BaremetalServerInterfaces, of PolicyBaremetalServerInterface => server_interfaces(),
        facts: on(POLICY).since(WITH_SERVERS).without_effect(&["id"]).example(r#"{"displayName": "eth0$"}"#).answers(ResultKind::Table)
    }

    /// Lists the bare metal server interfaces that are members of a group.
    GetPolicyGroupBaremetalServerInterfaceMembers = "getPolicyGroupBaremetalServerInterfaceMembers", "bare metal server interface" {
        of: InterfaceMember,
        inputs: {
            /// Id of the domain that the group belongs to.
            domain: Option<String> => Domain,
            /// Policy path of the enforcement point.
            enforcement_point_path: Option<String> => AtEnforcementPoint,
            /// Id of the group.
            group_id: String => MembersOf,
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
        },
        output: InterfaceMembers, of ListedServerInterface => interface_members(group_id),
        facts: on(POLICY).since(WITH_SERVERS).without_effect(&["id"]).example(r#"{"groupId": "bare-metal"}"#).answers(ResultKind::Table)
    }

    /// Lists the bare metal servers that are members of a group.
    GetPolicyGroupBaremetalServerMembers = "getPolicyGroupBaremetalServerMembers", "bare metal server" {
        of: ServerMember,
        inputs: {
            /// Id of the domain that the group belongs to.
            domain: Option<String> => Domain,
            /// Policy path of the enforcement point.
            enforcement_point_path: Option<String> => AtEnforcementPoint,
            /// Id of the group.
            group_id: String => MembersOf,
            /// Id. Has no effect.
            id: Option<String> => NoEffect,
        },
        output: ServerMembers, of PolicyBaremetalServer => server_members(group_id),
        facts: on(POLICY).since(WITH_SERVERS).without_effect(&["id"]).example(r#"{"groupId": "bare-metal"}"#).answers(ResultKind::Table)
    }
}

/// Members of a group that are servers.
struct ServerMember;

impl OfKind for ServerMember {
    const KIND: &'static ObjectKind = &ObjectKind::nested("bare metal server", "", "members/bms")
        .listed_with(&[])
        .inventory();
}

/// Members of a group that are interfaces of servers.
struct InterfaceMember;

impl OfKind for InterfaceMember {
    const KIND: &'static ObjectKind = &ObjectKind::nested("bare metal server interface", "", "members/bmsi")
        .listed_with(&[])
        .inventory();
}

/// Output of `getPolicyGroupBaremetalServerMembers`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ServerMembers {
    /// Id of the group.
    pub id: String,
    /// The servers, sorted by external id.
    pub items: Vec<PolicyBaremetalServer>,
    /// The same list as `items`.
    pub objects: Vec<PolicyBaremetalServer>,
}

async fn server_members(
    _: &LookupContext<'_>,
    objects: Vec<PolicyBaremetalServer>,
    group: &str,
) -> Result<ServerMembers, Error> {
    Ok(ServerMembers {
        id: group.to_owned(),
        items: objects.clone(),
        objects,
    })
}

output! {
    ["An interface of a bare metal server as a member of a group."]
    ListedServerInterface {
        bare;
        /// External id of the server.
        bms_external_id: String,
        /// Display name.
        display_name: String => output::display_name,
        /// External id.
        external_id: String,
        /// IP addresses.
        ip_addresses: Vec<String>,
        /// Whether it is a management interface.
        is_mgmt_interface: bool,
        /// Time of the last synchronization, in milliseconds since 1970.
        #[serde(skip_serializing_if = "Option::is_none")]
        last_sync_time: Option<i64> = "_last_sync_time",
        /// MAC address; empty if unknown.
        mac_address: String,
        /// Id of the source; empty if there is none.
        source_id: String,
        /// State; empty if unknown.
        state: String,
    }
}

/// Output of `getPolicyGroupBaremetalServerInterfaceMembers`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct InterfaceMembers {
    /// Id of the group.
    pub id: String,
    /// The interfaces, sorted by external id.
    pub items: Vec<ListedServerInterface>,
    /// The same list as `items`.
    pub objects: Vec<ListedServerInterface>,
}

async fn interface_members(
    _: &LookupContext<'_>,
    objects: Vec<ListedServerInterface>,
    group: &str,
) -> Result<InterfaceMembers, Error> {
    Ok(InterfaceMembers {
        id: group.to_owned(),
        items: objects.clone(),
        objects,
    })
}

/// Output of `getPolicyBaremetalServers`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BaremetalServers {
    /// A constant.
    pub id: String,
    /// The servers, sorted by external id.
    pub objects: Vec<PolicyBaremetalServer>,
    /// The same list as `objects`.
    pub results: Vec<PolicyBaremetalServer>,
}

async fn servers(
    cx: &LookupContext<'_>,
    objects: Vec<PolicyBaremetalServer>,
) -> Result<BaremetalServers, Error> {
    Ok(BaremetalServers {
        id: cx.spec.name.to_owned(),
        results: objects.clone(),
        objects,
    })
}

/// Output of `getPolicyBaremetalServerInterfaces`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BaremetalServerInterfaces {
    /// A constant.
    pub id: String,
    /// The interfaces, sorted by external id.
    pub objects: Vec<PolicyBaremetalServerInterface>,
    /// The same list as `objects`.
    pub results: Vec<PolicyBaremetalServerInterface>,
}

async fn server_interfaces(
    cx: &LookupContext<'_>,
    objects: Vec<PolicyBaremetalServerInterface>,
) -> Result<BaremetalServerInterfaces, Error> {
    Ok(BaremetalServerInterfaces {
        id: cx.spec.name.to_owned(),
        results: objects.clone(),
        objects,
    })
}
