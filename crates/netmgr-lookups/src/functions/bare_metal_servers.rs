//! Bare metal servers and their interfaces, as possible members of groups.

use netmgr_types::shapes::Tag;
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::spec::{ResultKind, Since};
use crate::declared::output::{listed, members};
use crate::declared::rules::EXTERNAL;
use crate::declared::rules::Rule::{
    AtEnforcementPoint, Containing, Domain, MembersOf, NamePattern, NoEffect, Required, TagScope, TagValue,
    Text,
};
use crate::declared::{OfKind as _, POLICY, calls, lists, lookups, output};
use crate::finding::object_kind::ObjectKind;
use crate::finding::tree::Tree;
use crate::functions::group_associations::{GroupAssociations, associations, groups};

/// First version with bare metal servers.
pub(super) const WITH_SERVERS: &[Since] = &[Since::version("9.0.0")];

lookups! {
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
            cpu_cores: Option<i64>,
            /// External id.
            external_id: String,
            /// Time of the last synchronization, in milliseconds since 1970.
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
        facts: availability(POLICY).since(WITH_SERVERS).example(r#"{"displayName": "bms-1"}"#)
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
            last_sync_time: Option<i64> = "_last_sync_time",
            /// Type of the object.
            resource_type: String,
            /// Id of the source; empty if there is none.
            source_id: String,
            /// State; empty if unknown.
            state: String,
        },
        facts: availability(POLICY).since(WITH_SERVERS).example(r#"{"displayName": "bms-1-eth0"}"#)
    }
}

calls! {
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
        output: GroupAssociations =>
            groups[&SERVER_GROUPS, Tree::Local, "bms_external_id"](external_id, enforcement_point_path),
        // Recordings derive these groups from the recorded groups.
        facts: availability(POLICY)
            .since(WITH_SERVERS)
            .answer(ResultKind::Table)
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
        output: GroupAssociations =>
            groups[&INTERFACE_GROUPS, Tree::Local, "bmsi_external_id"](external_id, enforcement_point_path),
        // Recordings derive these groups from the recorded groups.
        facts: availability(POLICY)
            .since(WITH_SERVERS)
            .answer(ResultKind::Table)
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
        facts: availability(POLICY)
            .since(WITH_SERVERS)
            .answer(ResultKind::Fact)
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
        facts: availability(POLICY)
            .since(WITH_SERVERS)
            .answer(ResultKind::Fact)
            .without_effect(&["id"])
            .example(r#"{"externalId": "71be0142-2ed1-1d53-9c60-5564cf4b7e2e"}"#)
    }

    /// Lists bare metal servers.
    GetPolicyBaremetalServers = "getPolicyBaremetalServers", "bare metal server" {
        of: GetPolicyBaremetalServer::KIND,
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
        output: BaremetalServers, of PolicyBaremetalServer => listed(),
        facts: availability(POLICY).since(WITH_SERVERS).without_effect(&["id"]).example(r#"{"osName": "linux"}"#).answer(ResultKind::Table)
    }

    /// Lists interfaces of bare metal servers.
    GetPolicyBaremetalServerInterfaces = "getPolicyBaremetalServerInterfaces", "bare metal server interface" {
        of: GetPolicyBaremetalServerInterface::KIND,
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
        output: BaremetalServerInterfaces, of PolicyBaremetalServerInterface => listed(),
        facts: availability(POLICY).since(WITH_SERVERS).without_effect(&["id"]).example(r#"{"displayName": "eth0$"}"#).answer(ResultKind::Table)
    }

    /// Lists the bare metal server interfaces that are members of a group.
    GetPolicyGroupBaremetalServerInterfaceMembers = "getPolicyGroupBaremetalServerInterfaceMembers", "bare metal server interface" {
        of: &INTERFACE_MEMBER,
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
        output: InterfaceMembers, of ListedServerInterface => members(group_id),
        facts: availability(POLICY).since(WITH_SERVERS).without_effect(&["id"]).example(r#"{"groupId": "bare-metal"}"#).answer(ResultKind::Table)
    }

    /// Lists the bare metal servers that are members of a group.
    GetPolicyGroupBaremetalServerMembers = "getPolicyGroupBaremetalServerMembers", "bare metal server" {
        of: &SERVER_MEMBER,
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
        output: ServerMembers, of PolicyBaremetalServer => members(group_id),
        facts: availability(POLICY).since(WITH_SERVERS).without_effect(&["id"]).example(r#"{"groupId": "bare-metal"}"#).answer(ResultKind::Table)
    }
}

/// Lists of groups by server and by interface.
const SERVER_GROUPS: ObjectKind = associations("bms-group-associations");
const INTERFACE_GROUPS: ObjectKind = associations("bmsi-group-associations");

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

/// Members of a group that are servers.
const SERVER_MEMBER: ObjectKind = ObjectKind::nested("bare metal server", "", "members/bms")
    .listed_with(&[])
    .inventory();

/// Members of a group that are interfaces of servers.
const INTERFACE_MEMBER: ObjectKind = ObjectKind::nested("bare metal server interface", "", "members/bmsi")
    .listed_with(&[])
    .inventory();

output! {
    ["An interface of a bare metal server as a member of a group."]
    ListedServerInterface {
        bare;
        /// External id of the server.
        bms_external_id: String,
        /// Display name.
        display_name: String => ManagedObject::name,
        /// External id.
        external_id: String,
        /// IP addresses.
        ip_addresses: Vec<String>,
        /// Whether it is a management interface.
        is_mgmt_interface: bool,
        /// Time of the last synchronization, in milliseconds since 1970.
        last_sync_time: Option<i64> = "_last_sync_time",
        /// MAC address; empty if unknown.
        mac_address: String,
        /// Id of the source; empty if there is none.
        source_id: String,
        /// State; empty if unknown.
        state: String,
    }
}

lists! {
    /// Output of `getPolicyBaremetalServers`.
    BaremetalServers of PolicyBaremetalServer {
        /// A constant.
        id,
        /// The servers, sorted by external id.
        objects,
        /// The same list as `objects`.
        results,
    }

    /// Output of `getPolicyBaremetalServerInterfaces`.
    BaremetalServerInterfaces of PolicyBaremetalServerInterface {
        /// A constant.
        id,
        /// The interfaces, sorted by external id.
        objects,
        /// The same list as `objects`.
        results,
    }

    /// Output of `getPolicyGroupBaremetalServerInterfaceMembers`.
    InterfaceMembers of ListedServerInterface {
        /// Id of the group.
        id,
        /// The interfaces, sorted by external id.
        items,
        /// The same list as `items`.
        objects,
    }

    /// Output of `getPolicyGroupBaremetalServerMembers`.
    ServerMembers of PolicyBaremetalServer {
        /// Id of the group.
        id,
        /// The servers, sorted by external id.
        items,
        /// The same list as `items`.
        objects,
    }
}
