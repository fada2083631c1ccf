//! `getPolicyGroupAssociations`: the groups that an object is a member of.

use std::net::IpAddr;

use derive_setters::Setters;
use netmgr_types::shapes::{GlobalContext, given};
use netmgr_types::{InvalidProperty, PolicyPath, object};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::contract::error::Error;
use crate::contract::function::{Invocation, Lookup};
use crate::contract::registry::FunctionEntry;
use crate::contract::spec::{LookupSpec, ResultKind};
use crate::declared::paths::{ENFORCEMENT_POINT, optional};
use crate::declared::{EVERYWHERE, InputContext as _};
use crate::finding::object_kind::ObjectKind;
use crate::finding::plan::any_path;
use crate::finding::read::Scope;
use crate::finding::tree::Tree;
use crate::functions::any_object::at_path;
use crate::functions::get_policy_group_members::GetPolicyGroupMembers;
use crate::functions::group_associations::{GroupAssociations, associations, groups};

/// Functions about the members of groups.
pub(super) const ENTRIES: &[FunctionEntry] = &[
    FunctionEntry::of::<GetPolicyGroupAssociations>(),
    FunctionEntry::of::<GetPolicyGroupMembers>(),
];

/// The lists of groups, each with the parameter that names the member. Local, global, project and VPC trees have them.
///
/// Source: `*GroupAssociationsClient.go` in `services/nsxt/infra`, `services/nsxt/orgs/projects/infra`,
/// `services/nsxt/orgs/projects/vpcs` and `services/nsxt-gm/global_infra` of vmware/vsphere-automation-sdk-go. None of
/// them is deprecated.
const BY_ADDRESS: (ObjectKind, &str) = (associations("ip-address-group-associations"), "ip_address");
const BY_MACHINE: (ObjectKind, &str) = (
    associations("virtual-machine-group-associations"),
    "vm_external_id",
);
const BY_INTERFACE: (ObjectKind, &str) = (
    associations("virtual-network-interface-group-associations"),
    "vif_external_id",
);
const BY_PATH: (ObjectKind, &str) = (associations("group-associations"), "intent_path");

/// Lists the groups that an address, a virtual machine, an interface, a segment, a port or another policy object is an
/// effective member of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(
    rename = "PolicyGroupAssociationsInput",
    description = "Input of `getPolicyGroupAssociations`."
)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetPolicyGroupAssociations {
    /// Project whose groups are listed, or the global manager. Default: groups outside all projects, or the project or
    /// VPC of `path`.
    #[serde(default, deserialize_with = "object::optional")]
    pub context: Option<GlobalContext>,
    /// Policy path of the enforcement point.
    #[schemars(regex(pattern = optional(&ENFORCEMENT_POINT.pattern())))]
    pub enforcement_point_path: Option<String>,
    /// External id of an interface of a virtual machine.
    pub interface_id: Option<String>,
    /// IPv4 or IPv6 address.
    pub ip_address: Option<String>,
    /// Policy path of a segment, a port or another object.
    #[schemars(regex(pattern = optional(&PolicyPath::pattern(&[]))))]
    pub path: Option<String>,
    /// External id of a virtual machine.
    pub virtual_machine_id: Option<String>,
}

/// The member whose groups are listed.
struct AssociatedMember {
    list: &'static (ObjectKind, &'static str),
    tree: Tree,
    id: String,
}

impl GetPolicyGroupAssociations {
    /// Selects the groups of an address.
    pub fn of_address(address: impl Into<String>) -> Self {
        Self::default().ip_address(address)
    }

    /// Selects the groups of the virtual machine with this external id.
    pub fn of_virtual_machine(external_id: impl Into<String>) -> Self {
        Self::default().virtual_machine_id(external_id)
    }

    /// Selects the groups of the interface with this external id.
    pub fn of_interface(external_id: impl Into<String>) -> Self {
        Self::default().interface_id(external_id)
    }

    /// Selects the groups of the object at this policy path.
    pub fn at(path: impl Into<String>) -> Self {
        Self::default().path(path)
    }

    fn member(&self, scope: &Scope) -> Result<AssociatedMember, Vec<InvalidProperty>> {
        let mut problems = Vec::new();
        let members = [
            ("interfaceId", &self.interface_id, &BY_INTERFACE),
            ("ipAddress", &self.ip_address, &BY_ADDRESS),
            ("path", &self.path, &BY_PATH),
            ("virtualMachineId", &self.virtual_machine_id, &BY_MACHINE),
        ];
        let mut members = members
            .into_iter()
            .filter_map(|(input, value, list)| Some((input, given(value)?, list)));
        let first = members.next();
        if let Some((first, ..)) = first {
            let reason = format!("cannot be combined with `{first}`");
            problems.extend(members.map(|(other, ..)| InvalidProperty::new(other, &*reason)));
        } else {
            let reason = "`interfaceId`, `ipAddress`, `path` or `virtualMachineId` is required";
            problems.push(InvalidProperty::new("", reason));
        }
        let mut tree = self.context.tree(scope.deployment).unwrap_or_else(|problem| {
            problems.push(problem);
            None
        });
        let mut id = first.map(|(_, value, _)| value.to_owned()).unwrap_or_default();
        match first {
            Some(("ipAddress", text, _)) => match text.parse::<IpAddr>() {
                Ok(address) => id = address.to_string(),
                Err(_) => {
                    let reason = "must be an IPv4 or IPv6 address without a prefix length";
                    problems.push(InvalidProperty::new("ipAddress", reason));
                }
            },
            Some(("path", text, _)) => match any_path("path", text, scope) {
                Ok((path, around)) => {
                    id = path.to_owned();
                    tree = tree.or(Some(around));
                }
                Err(problem) => problems.push(problem),
            },
            _ => {}
        }
        if let Some(path) = given(&self.enforcement_point_path)
            && let Err(reason) = ENFORCEMENT_POINT.read(path)
        {
            problems.push(InvalidProperty::new("enforcementPointPath", reason));
        }
        match first {
            Some((_, _, list)) if problems.is_empty() => Ok(AssociatedMember {
                list,
                tree: tree.unwrap_or_else(|| Tree::of(scope.deployment)),
                id,
            }),
            _ => Err(problems),
        }
    }
}

impl Lookup for GetPolicyGroupAssociations {
    type Output = GroupAssociations;
    const SPEC: LookupSpec = LookupSpec {
        availability: EVERYWHERE,
        has_counterpart: false,
        answer: ResultKind::Table,
        example: r#"{"ipAddress": "10.10.0.11"}"#,
        ..LookupSpec::new(
            "getPolicyGroupAssociations",
            "group",
            "Lists the groups that an address, virtual machine, interface, segment or port is a member of.",
        )
    };

    // Recordings derive these groups from the recorded groups.
    const KINDS: &'static [&'static ObjectKind] = &[];

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let AssociatedMember { list, tree, id } = self.member(scope)?;
        let (kind, parameter) = list;
        Ok(Invocation::own(move |cx| {
            Box::pin(async move {
                let point = &self.enforcement_point_path;
                let found = groups(cx, kind, tree.clone(), parameter, &id, point).await?;
                // The list of an object that does not exist is empty, too.
                if found.groups.is_empty()
                    && id.starts_with('/')
                    && let Err(error @ Error::NotFound { .. }) = at_path(cx, &id, &tree).await
                {
                    return Err(error);
                }
                Ok(found)
            })
        }))
    }
}
