//! Groups with their possible members, services and context profiles.

use netmgr_types::shapes::{ContextOutput, ObjectOutput};
use netmgr_types::wire::FullObject;

use crate::declared::paths::Domain;
use crate::declared::rules::key;
use crate::declared::{EVERYWHERE, POLICY, POLICY_AND_CLOUD, POLICY_AND_GLOBAL, lookups};
use crate::spec::Since;
use crate::virtual_machines::{ANY_FIELD, EXTERNAL_ID, bios_id, instance_id, vifs};

/// First version with bare metal servers.
const WITH_SERVERS: &[Since] = &[Since::version("9.0.0")];

lookups! {
    /// Functions about groups with their possible members, services and context profiles.
    ENTRIES;

    /// Finds a bare metal server by external id or display name.
    GetPolicyBaremetalServer = "getPolicyBaremetalServer", "bare metal server" {
        kind: anywhere("BareMetalServer").inventory(),
        inputs: exact {
            /// External id of the server. Takes precedence over all other inputs.
            external_id: Option<String> => key(EXTERNAL_ID, is_external_id),
        },
        output: PolicyBaremetalServer {
            without path;
            /// Number of processor cores.
            #[serde(skip_serializing_if = "Option::is_none")]
            cpu_cores: Option<i64>,
            /// External id.
            external_id: String,
            /// Time of the last synchronization in milliseconds since 1970.
            #[serde(skip_serializing_if = "Option::is_none")]
            last_sync_time: Option<i64> = "_last_sync_time",
            /// Name of the operating system; empty if it is not known.
            os_name: String = "os_info.os_name",
            /// Version of the operating system; empty if it is not known.
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
        inputs: exact {
            /// External id of the interface. Takes precedence over all other inputs.
            external_id: Option<String> => key(EXTERNAL_ID, is_external_id),
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
            /// Time of the last synchronization in milliseconds since 1970.
            #[serde(skip_serializing_if = "Option::is_none")]
            last_sync_time: Option<i64> = "_last_sync_time",
            /// Type of the object.
            resource_type: String,
            /// Id of the source; empty if there is none.
            source_id: String,
            /// State; empty if it is not known.
            state: String,
        },
        facts: on(POLICY).since(WITH_SERVERS).example(r#"{"displayName": "bms-1-eth0"}"#)
    }

    /// Finds a context profile by id or display name.
    GetPolicyContextProfile = "getPolicyContextProfile", "context profile" {
        kind: infra("PolicyContextProfile", "context-profiles"),
        shape: ContextInput => ContextOutput,
        facts: on(POLICY_AND_GLOBAL).example(r#"{"displayName": "DIAMETER"}"#)
    }

    /// Finds a group by id or display name.
    GetPolicyGroup = "getPolicyGroup", "group" {
        kind: nested("Group", "groups"),
        inputs: prefix in project {
            /// Id of the domain that the group belongs to.
            domain: Option<String> => Domain,
        },
        output: ObjectOutput,
        facts: on(EVERYWHERE).example(r#"{"displayName": "web-servers"}"#)
    }

    /// Finds a service by id or display name.
    GetPolicyService = "getPolicyService", "service" {
        kind: infra("Service", "services"),
        inputs: prefix in project {},
        output: ObjectOutput,
        facts: on(EVERYWHERE).example(r#"{"displayName": "HTTPS"}"#)
    }

    /// Finds a virtual machine by display name or one of its ids.
    GetPolicyVm = "getPolicyVm", "virtual machine" {
        kind: infra("VirtualMachine", "realized-state/virtual-machines").inventory(),
        inputs: prefix in project {
            /// BIOS UUID of the virtual machine. Takes precedence over its name.
            bios_id: Option<String> => key(ANY_FIELD, |machine, id| bios_id(machine) == id),
            /// External id of the virtual machine. Takes precedence over its name.
            external_id: Option<String> => key(EXTERNAL_ID, is_external_id),
            /// Instance UUID of the virtual machine. Takes precedence over its name.
            instance_id: Option<String> => key(ANY_FIELD, |machine, id| instance_id(machine) == id),
        },
        then: vifs(context),
        output: PolicyVm {
            without path;
            /// BIOS UUID; empty if it is not known.
            bios_id: String => bios_id,
            /// External id.
            external_id: String,
            /// Instance UUID; empty if it is not known.
            instance_id: String => instance_id,
            /// Power state, such as `VM_RUNNING`.
            power_state: String,
            /// Ids of the attachments of its interfaces.
            vif_ids: Vec<String>,
        },
        facts: on(POLICY_AND_CLOUD).completed(&["vifIds"]).example(r#"{"displayName": "web-01"}"#)
    }
}

fn is_external_id(object: &FullObject, id: &str) -> bool {
    object.text("external_id") == Some(id)
}
