//! `getPolicyGroupMembers`: the members of a group.

use std::sync::Arc;

use derive_setters::Setters;
use futures_util::future::try_join_all;
use netmgr_types::shapes::given;
use netmgr_types::wire::ManagedObject;
use netmgr_types::{InvalidProperty, PolicyPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::contract::function::{Invocation, Lookup};
use crate::contract::spec::{LookupSpec, ResultKind};
use crate::declared::paths::{ENFORCEMENT_POINT, GROUP, optional};
use crate::declared::{self, OfKind as _};
use crate::finding::find::select_object;
use crate::finding::object_kind::ObjectKind;
use crate::finding::plan::{Plan, any_path};
use crate::finding::read::{By, FilterCheck, Read, Scope};
use crate::finding::selection::Criteria;
use crate::finding::tree::Tree;
use crate::functions::groups_and_services::GetPolicyGroup;
use crate::functions::virtual_machines::{VIF, external_id};

const ADDRESS: &str = "IPAddress";
const MACHINE: &str = "VirtualMachine";
const INTERFACE: &str = "VirtualNetworkInterface";
const IDENTITY_GROUP: &str = "IdentityGroup";
/// Collections of objects that definitions name by path, with the types of these members.
const BY_COLLECTION: [(&str, &str); 4] = [
    ("groups", "Group"),
    ("ports", "SegmentPort"),
    ("segments", "Segment"),
    ("subnets", "VpcSubnet"),
];

/// Types of effective members, each with its list below groups of domains and below groups of VPCs.
///
/// Source: `services/nsxt/infra/domains/groups/members`, `services/nsxt/orgs/projects/infra/domains/groups/members`,
/// `services/nsxt/orgs/projects/vpcs/groups/members` and `services/nsxt-gm/global_infra/domains/groups/members` of
/// vmware/vsphere-automation-sdk-go. None of them is deprecated. Projects have no identity groups.
static TYPES: [MemberType; 8] = [
    MemberType::new(
        IDENTITY_GROUP,
        "identity group",
        "members/identity-groups",
        IN_DOMAINS,
    ),
    MemberType::new(ADDRESS, "address", "members/ip-addresses", EVERYWHERE),
    MemberType::new("Segment", "segment", "members/segments", IN_DOMAINS | IN_PROJECTS),
    MemberType::new(
        "SegmentPort",
        "segment port",
        "members/segment-ports",
        IN_DOMAINS | IN_PROJECTS,
    ),
    MemberType::new(MACHINE, "virtual machine", "members/virtual-machines", EVERYWHERE),
    MemberType::new(INTERFACE, "virtual interface", "members/vifs", EVERYWHERE),
    MemberType::new("VpcSubnet", "subnet", "members/subnets", IN_VPCS),
    MemberType::new("VpcSubnetPort", "subnet port", "members/subnet-ports", IN_VPCS),
];
/// Trees whose groups have members of a type.
const IN_DOMAINS: u8 = 1;
const IN_PROJECTS: u8 = 2;
const IN_VPCS: u8 = 4;
const EVERYWHERE: u8 = IN_DOMAINS | IN_PROJECTS | IN_VPCS;

/// A type of effective members.
struct MemberType {
    name: &'static str,
    list: ObjectKind,
    trees: u8,
}

impl MemberType {
    const fn new(name: &'static str, noun: &'static str, collection: &'static str, trees: u8) -> Self {
        let list = ObjectKind::nested(noun, "", collection).listed_with(&[]);
        let list = list.inventory().without_ids();
        Self { name, list, trees }
    }

    fn is_in(&self, tree: &Tree) -> bool {
        let bit = match tree {
            Tree::Local | Tree::Global | Tree::GlobalOnLocal => IN_DOMAINS,
            Tree::Project(_) => IN_PROJECTS,
            Tree::Vpc { .. } => IN_VPCS,
        };
        self.trees & bit != 0
    }
}

/// Lists the members of a group: the effective ones, which follow from its criteria and from nested groups, or those that
/// its definition names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Setters)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(
    rename = "PolicyGroupMembersInput",
    description = "Input of `getPolicyGroupMembers`."
)]
#[setters(into, strip_option)]
#[non_exhaustive]
pub struct GetPolicyGroupMembers {
    /// Policy path of the enforcement point.
    #[schemars(regex(pattern = optional(&ENFORCEMENT_POINT.pattern())))]
    pub enforcement_point_path: Option<String>,
    /// Types of the members: `IdentityGroup`, `IPAddress`, `Segment`, `SegmentPort`, `VirtualMachine` or
    /// `VirtualNetworkInterface`, and in a VPC `VpcSubnet` or `VpcSubnetPort`. Each is one request. Default: all that the
    /// group can have.
    #[schemars(extend("items" = { "type": "string", "enum": type_names() }))]
    pub member_types: Option<Vec<String>>,
    /// Policy path of the group.
    #[schemars(regex(pattern = GROUP.pattern()))]
    pub path: String,
    /// Whether to list only the members that the definition of the group names, including nested groups and MAC
    /// addresses. Criteria and members of nested groups are left out.
    pub static_only: Option<bool>,
}

/// Output of `getPolicyGroupMembers`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GroupMembers {
    /// Id of the group.
    pub id: String,
    /// The members, sorted by type and id.
    pub members: Vec<GroupMember>,
    /// Policy path of the group.
    pub path: String,
}

/// A member of a group.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GroupMember {
    /// Type, such as `VirtualMachine`.
    pub member_type: String,
    /// External id, id of a policy object, distinguished name, or an address, subnet or range of addresses.
    pub id: String,
    /// Display name; empty if it is unknown.
    pub display_name: String,
    /// Policy path; empty if the member has none.
    pub path: String,
}

impl GroupMember {
    /// Type of the member at this policy path, such as `SegmentPort`. `None` for paths of other objects than groups,
    /// segments, subnets and ports.
    #[must_use]
    pub fn type_at(path: &str) -> Option<&'static str> {
        let collection = PolicyPath::trusted(path).collection_name();
        match BY_COLLECTION.iter().find(|(known, _)| *known == collection)? {
            ("ports", _) if path.contains("/vpcs/") => Some("VpcSubnetPort"),
            (_, kind) => Some(kind),
        }
    }
}

fn type_names() -> Vec<&'static str> {
    TYPES.iter().map(|known| known.name).collect()
}

impl GetPolicyGroupMembers {
    /// Selects the members of the group at this policy path.
    pub fn of(path: impl Into<String>) -> Self {
        Self::default().path(path)
    }

    /// The path of the group with its tree, and the lists of the wanted members.
    fn checked(
        &self,
        scope: &Scope,
    ) -> Result<(String, Tree, Vec<&'static MemberType>), Vec<InvalidProperty>> {
        let path = match self.path.as_str() {
            "" => Err(InvalidProperty::new("path", "is required")),
            text => GROUP
                .read(text)
                .map_err(|reason| InvalidProperty::new("path", reason))
                .and_then(|path| any_path("path", path, scope)),
        };
        let mut problems = Vec::new();
        if let Some(point) = given(&self.enforcement_point_path)
            && let Err(reason) = ENFORCEMENT_POINT.read(point)
        {
            problems.push(InvalidProperty::new("enforcementPointPath", reason));
        }
        let (path, tree) = match path {
            Ok(found) => found,
            Err(problem) => {
                problems.push(problem);
                return Err(problems);
            }
        };
        let mut types: Vec<&MemberType> = Vec::new();
        for (index, name) in self.member_types.iter().flatten().enumerate() {
            match TYPES.iter().find(|known| known.name == name) {
                Some(known) if known.is_in(&tree) => types.push(known),
                Some(_) => problems.push(InvalidProperty::new(
                    format!("memberTypes[{index}]"),
                    "is no type of members of this group",
                )),
                None => problems.push(InvalidProperty::new(
                    format!("memberTypes[{index}]"),
                    format!("must be one of `{}`", type_names().join("`, `")),
                )),
            }
        }
        if types.is_empty() {
            types.extend(TYPES.iter().filter(|known| known.is_in(&tree)));
        }
        match problems.is_empty() {
            true => Ok((path.to_owned(), tree, types)),
            false => Err(problems),
        }
    }
}

impl Lookup for GetPolicyGroupMembers {
    type Output = GroupMembers;
    const SPEC: LookupSpec = LookupSpec {
        availability: declared::EVERYWHERE,
        has_counterpart: false,
        answer: ResultKind::Table,
        example: r#"{"path": "/infra/domains/default/groups/web-network"}"#,
        ..LookupSpec::new(
            "getPolicyGroupMembers",
            "group member",
            "Lists the members of a group: addresses, virtual machines, interfaces, segments and ports.",
        )
    };

    // Recordings derive the members from the recorded groups and inventory, of which only the interfaces belong to no
    // function on a hosted cloud.
    const KINDS: &'static [&'static ObjectKind] = &[&VIF];

    fn invocation(self, scope: &Scope) -> Result<Invocation<Self::Output>, Vec<InvalidProperty>> {
        let (path, tree, types) = self.checked(scope)?;
        Ok(Invocation::own(move |cx| {
            Box::pin(async move {
                let mut members = match self.static_only {
                    Some(true) => self.named(cx, &path, &tree).await?,
                    _ => {
                        let lists = types.iter().map(|one| self.effective(cx, one, &path, &tree));
                        try_join_all(lists).await?.into_iter().flatten().collect()
                    }
                };
                members.sort();
                members.dedup();
                Ok(GroupMembers {
                    id: PolicyPath::trusted(&path).id().to_owned(),
                    members,
                    path,
                })
            })
        }))
    }
}

impl GetPolicyGroupMembers {
    /// The effective members of a type.
    async fn effective(
        &self,
        cx: &LookupContext<'_>,
        of: &'static MemberType,
        path: &str,
        tree: &Tree,
    ) -> Result<Vec<GroupMember>, Error> {
        let mut read = Read::new(&of.list, cx.scope, By::All)
            .within(tree.clone())
            .below("group", path);
        if let Some(point) = given(&self.enforcement_point_path) {
            read.list_filters
                .push(("enforcement_point_path", point.trim_end_matches('/').to_owned()));
            read.filter_check = Some(FilterCheck::NONE);
        }
        let read = Arc::new(read);
        if of.name == ADDRESS {
            let addresses = cx.collect_texts(&read).await?.into_iter();
            return Ok(addresses.map(|address| member(ADDRESS, address)).collect());
        }
        let keep = |object: &ManagedObject| {
            Some(GroupMember {
                member_type: of.name.to_owned(),
                id: match of.name {
                    MACHINE | INTERFACE => external_id(object),
                    _ => object.id().to_owned(),
                },
                display_name: object.text("display_name").unwrap_or_default().to_owned(),
                path: object
                    .path()
                    .filter(|path| path.starts_with('/'))
                    .unwrap_or_default()
                    .to_owned(),
            })
        };
        let (members, _) = cx.collect_all(&read, usize::MAX, keep).await?;
        match members
            .iter()
            .any(|member| member.id.is_empty() && member.path.is_empty())
        {
            true => Err(cx.shortened(&read, "a member has no id".to_owned())),
            false => Ok(members),
        }
    }

    /// The members that the definition of the group names, of the wanted types.
    async fn named(
        &self,
        cx: &LookupContext<'_>,
        path: &str,
        tree: &Tree,
    ) -> Result<Vec<GroupMember>, Error> {
        let at = PolicyPath::trusted(path);
        let read = Read::new(GetPolicyGroup::KIND, cx.scope, By::Id(at.id().to_owned()))
            .within(tree.clone())
            .below("domain or VPC", at.parent());
        let group = select_object(cx, Plan::new(read, Criteria::default())).await?;
        let group = group.members();
        let mut members = Vec::new();
        for list in ["expression", "extended_expression"] {
            for expression in group.get(list).and_then(Value::as_array).into_iter().flatten() {
                add_named(expression, &mut members);
            }
        }
        if let Some(wanted) = self.member_types.as_ref().filter(|wanted| !wanted.is_empty()) {
            members.retain(|member| wanted.contains(&member.member_type));
        }
        Ok(members)
    }
}

/// Adds the members that an expression names.
///
/// Source: `IPAddressExpression`, `MACAddressExpression`, `ExternalIDExpression`, `PathExpression` and
/// `IdentityGroupExpression` of the VMware NSX policy API.
fn add_named(expression: &Value, members: &mut Vec<GroupMember>) {
    let texts = |name: &str| {
        let items = expression[name].as_array().into_iter().flatten();
        items.filter_map(Value::as_str).map(str::to_owned)
    };
    members.extend(texts("ip_addresses").map(|address| member(ADDRESS, address)));
    members.extend(texts("mac_addresses").map(|address| member("MACAddress", address)));
    let kind = expression["member_type"].as_str().unwrap_or_default();
    members.extend(texts("external_ids").map(|id| member(kind, id)));
    members.extend(texts("paths").map(|path| {
        let at = PolicyPath::trusted(&path);
        let kind = GroupMember::type_at(&path).unwrap_or(at.collection_name());
        GroupMember {
            path: path.clone(),
            ..member(kind, at.id().to_owned())
        }
    }));
    let identities = expression["identity_groups"].as_array().into_iter().flatten();
    let names = identities.filter_map(|identity| identity["distinguished_name"].as_str());
    members.extend(names.map(|name| member(IDENTITY_GROUP, name.to_owned())));
}

fn member(kind: &str, id: String) -> GroupMember {
    GroupMember {
        member_type: kind.to_owned(),
        id,
        ..GroupMember::default()
    }
}
