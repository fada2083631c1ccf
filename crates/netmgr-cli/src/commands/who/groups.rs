//! The groups of all answers, and the rules and policies that name them.
//!
//! A few members are looked up one by one. For many, the members of all groups of a tree are read instead, if that takes
//! fewer requests. The definition of a group, with those of the groups that it contains, shows which of its lists can
//! have members.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use futures_util::future::try_join_all;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use netmgr_lookups::typed::{
    AnyObject, GetPolicyGroupAssociations, GetPolicyGroupMembers, GetPolicyObjects, GlobalContext,
    GroupMember, GroupMembers,
};
use netmgr_lookups::{KeyField, Tree};
use netmgr_types::sensitive;
use serde_json::Value;

use super::addresses::AddressSet;
use super::answers::{Finder, MemberGroup, NamingRule, PossibleMember, WhoAnswer};
use super::objects::{INTERFACE, MACHINE, text_at};
use super::{WINDOW, lookup};
use crate::failure::CliError;

/// Number of members up to which groups are not listed, and of groups up to which rules are not.
const FEW: usize = 8;
const ADDRESS: &str = "IPAddress";
/// Types of members that criteria select.
const SELECTED: [&str; 6] = [
    INTERFACE,
    MACHINE,
    "Segment",
    "SegmentPort",
    "VpcSubnet",
    "VpcSubnetPort",
];
/// Types of objects that name groups in order to apply to their members.
const NAMING: [&str; 6] = [
    "GatewayPolicy",
    "IdsGatewayPolicy",
    "IdsRule",
    "IdsSecurityPolicy",
    "Rule",
    "SecurityPolicy",
];

/// Members in which they do.
const GROUPS: &[KeyField] = &[
    KeyField::Whole("source_groups"),
    KeyField::Whole("destination_groups"),
    KeyField::Whole("scope"),
];

/// Paths of groups with their display names.
type Groups = BTreeMap<String, String>;

/// Adds the groups of each answer, with their rules.
pub(super) async fn add(finder: &Finder<'_>, answers: &mut [WhoAnswer]) -> Result<(), CliError> {
    let mut trees: BTreeMap<String, (Tree, BTreeSet<PossibleMember>)> = BTreeMap::new();
    for answer in answers.iter() {
        for (base, tree) in &answer.trees {
            let (_, members) = trees
                .entry(base.clone())
                .or_insert_with(|| (tree.clone(), BTreeSet::new()));
            let of_tree = answer.members.iter().filter(|member| is_of(member, tree, finder));
            members.extend(of_tree.cloned());
        }
    }
    let mut found: HashMap<String, BTreeMap<PossibleMember, Groups>> = HashMap::new();
    for (base, (tree, members)) in trees {
        found.insert(base, groups_of(finder, &tree, members).await?);
    }
    let groups_of = |answer: &WhoAnswer| -> Groups {
        let trees = answer.trees.keys().filter_map(|base| found.get(base));
        let groups = trees.flat_map(|tree| answer.members.iter().filter_map(|member| tree.get(member)));
        groups
            .flatten()
            .map(|(path, name)| (path.clone(), name.clone()))
            .collect()
    };
    let groups: Vec<Groups> = answers.iter().map(groups_of).collect();
    let rules = rules(finder, groups.iter().flat_map(BTreeMap::keys).collect()).await?;
    for (answer, groups) in answers.iter_mut().zip(groups) {
        let group = |(path, display_name)| MemberGroup {
            rules: rules.get(&path).cloned().unwrap_or_default(),
            path,
            display_name,
        };
        answer.groups = groups.into_iter().map(group).collect();
    }
    Ok(())
}

/// The rules and policies that name each of these groups.
async fn rules(
    finder: &Finder<'_>,
    groups: BTreeSet<&String>,
) -> Result<HashMap<String, Vec<NamingRule>>, CliError> {
    let found = match groups.len() <= FEW {
        true => {
            let reads = groups
                .iter()
                .map(|group| finder.objects.search(&NAMING, GROUPS, group));
            try_join_all(reads).await?.concat()
        }
        false => finder.objects.of_types(&NAMING).await?,
    };
    let mut rules: HashMap<String, BTreeMap<String, NamingRule>> = HashMap::new();
    for object in found {
        let named = object
            .mentions()
            .into_iter()
            .filter(|(_, path)| groups.contains(path));
        for (member, group) in named.collect::<BTreeSet<_>>() {
            let of_group = rules.entry(group).or_default();
            let rule = of_group.entry(object.path.clone()).or_insert_with(|| NamingRule {
                path: object.path.clone(),
                display_name: object.display_name.clone(),
                resource_type: object.resource_type.clone(),
                action: text_at(&object, "action").to_owned(),
                members: Vec::new(),
            });
            // A search for each of several groups finds the same rule.
            if !rule.members.contains(&member) {
                rule.members.push(member);
            }
        }
    }
    Ok(rules
        .into_iter()
        .map(|(group, rules)| (group, rules.into_values().collect()))
        .collect())
}

/// Whether groups of a tree can have a member. Paths are those of its own objects.
fn is_of(member: &PossibleMember, tree: &Tree, finder: &Finder<'_>) -> bool {
    match member {
        PossibleMember::Path(path) => {
            Tree::around(path, finder.objects.session.deployment()).as_ref() == Some(tree)
        }
        _ => true,
    }
}

/// The groups of a tree that have these members.
async fn groups_of(
    finder: &Finder<'_>,
    tree: &Tree,
    members: BTreeSet<PossibleMember>,
) -> Result<BTreeMap<PossibleMember, Groups>, CliError> {
    let (listed, alone): (BTreeSet<_>, BTreeSet<_>) =
        members.into_iter().partition(|member| type_of(member).is_some());
    // Other lookups than that of a path do not reach the groups of a VPC.
    let has_associations = !matches!(tree, Tree::Vpc { .. });
    if listed.len() <= FEW && has_associations {
        return one_by_one(finder, tree, listed.into_iter().chain(alone)).await;
    }
    let groups = GetPolicyObjects::new()
        .parent_path(tree.base())
        .resource_types(vec!["Group".to_owned()])
        .limit(u32::MAX);
    let groups = lookup(finder.objects.session, groups).await?.objects;
    let wanted: BTreeSet<&str> = listed.iter().filter_map(type_of).collect();
    let definitions: HashMap<&str, &AnyObject> =
        groups.iter().map(|group| (group.path.as_str(), group)).collect();
    let lists = groups.iter().map(|group| {
        let possible = types_of(group.object.get("expression"), &definitions, &mut HashSet::new());
        let is_possible = |kind: &&str| possible.as_ref().is_none_or(|possible| possible.contains(kind));
        let types = wanted.iter().copied().filter(is_possible).map(str::to_owned);
        (group, types.collect::<Vec<_>>())
    });
    let lists: Vec<(&AnyObject, Vec<String>)> = lists.filter(|(_, types)| !types.is_empty()).collect();
    let requests: usize = lists.iter().map(|(_, types)| types.len()).sum();
    if requests >= listed.len() && has_associations {
        return one_by_one(finder, tree, listed.into_iter().chain(alone)).await;
    }
    let reads = lists.into_iter().map(async |(group, types)| {
        let members = GetPolicyGroupMembers::of(&group.path).member_types(types);
        let members = lookup(finder.objects.session, members).await?;
        Ok::<_, CliError>((group, MemberSet::of(members)))
    });
    let sets: Vec<_> = stream::iter(reads).buffer_unordered(WINDOW).try_collect().await?;
    let mut found = one_by_one(finder, tree, alone).await?;
    for member in listed {
        let with_member = sets.iter().filter(|(_, set)| set.contains(&member));
        let groups = with_member.map(|(group, _)| (group.path.clone(), group.display_name.clone()));
        let groups = groups.collect();
        found.insert(member, groups);
    }
    Ok(found)
}

/// The groups of each member, from the manager's own lists.
async fn one_by_one(
    finder: &Finder<'_>,
    tree: &Tree,
    members: impl IntoIterator<Item = PossibleMember>,
) -> Result<BTreeMap<PossibleMember, Groups>, CliError> {
    let reads = members.into_iter().map(async |member| {
        let mut groups = match &member {
            PossibleMember::Address(address) => GetPolicyGroupAssociations::of_address(address.to_string()),
            PossibleMember::Machine(id) => GetPolicyGroupAssociations::of_virtual_machine(id),
            PossibleMember::Interface(id) => GetPolicyGroupAssociations::of_interface(id),
            PossibleMember::Path(path) => GetPolicyGroupAssociations::at(path),
        };
        groups.context = match tree {
            Tree::Project(project) => Some(GlobalContext::project(project)),
            _ => None,
        };
        let found = lookup(finder.objects.session, groups).await?.groups.into_iter();
        // Outputs of typed lookups are as the manager sent them.
        let name = |name: &str| sensitive::redacted(name).to_owned();
        let groups = found.map(|group| (group.path, name(&group.display_name)));
        Ok((member, groups.collect()))
    });
    stream::iter(reads).buffer_unordered(WINDOW).try_collect().await
}

/// The type of a member in the lists of groups, if it is in one. Groups are in none.
fn type_of(member: &PossibleMember) -> Option<&'static str> {
    match member {
        PossibleMember::Address(_) => Some(ADDRESS),
        PossibleMember::Machine(_) => Some(MACHINE),
        PossibleMember::Interface(_) => Some(INTERFACE),
        PossibleMember::Path(path) => GroupMember::type_at(path).filter(|kind| SELECTED.contains(kind)),
    }
}

/// The types of members that expressions permit; `None` for all.
///
/// Source: the clients in `services/nsxt/infra/domains/groups/members` of vmware/vsphere-automation-sdk-go. Virtual
/// machines are listed for groups with members of this type, interfaces also for groups of machines, and addresses for
/// groups of machines, interfaces, segments, ports and addresses. Other lists are empty.
fn types_of<'a>(
    expressions: Option<&'a Value>,
    definitions: &HashMap<&str, &'a AnyObject>,
    seen: &mut HashSet<&'a str>,
) -> Option<BTreeSet<&'static str>> {
    // Every member is also translated to its addresses.
    let mut types = BTreeSet::from([ADDRESS]);
    for expression in expressions.and_then(Value::as_array).into_iter().flatten() {
        match expression["resource_type"].as_str()? {
            "ConjunctionOperator" | "IPAddressExpression" | "IdentityGroupExpression" => {}
            // An interface of a machine is a member with the machine, and a port with its segment.
            "Condition" | "ExternalIDExpression" => {
                let kind = expression["member_type"].as_str()?;
                types.insert(SELECTED.iter().find(|known| **known == kind)?);
            }
            "NestedExpression" => types.extend(types_of(expression.get("expressions"), definitions, seen)?),
            "PathExpression" => {
                for path in expression["paths"].as_array()?.iter().filter_map(Value::as_str) {
                    match definitions.get(path) {
                        Some(_) if !seen.insert(path) => {}
                        Some(group) => {
                            types.extend(types_of(group.object.get("expression"), definitions, seen)?)
                        }
                        None => types.extend([type_of(&PossibleMember::Path(path.to_owned()))?]),
                    }
                }
            }
            _ => return None,
        }
    }
    Some(types)
}
/// The members of a group.
#[derive(Default)]
struct MemberSet {
    addresses: AddressSet,
    /// External ids and paths.
    others: HashSet<String>,
}

impl MemberSet {
    fn of(group: GroupMembers) -> Self {
        let mut set = Self::default();
        for member in group.members {
            match member.member_type.as_str() {
                ADDRESS => set.addresses.add(&member.id),
                MACHINE | INTERFACE => drop(set.others.insert(member.id)),
                _ => drop(set.others.insert(member.path)),
            }
        }
        set
    }

    fn contains(&self, member: &PossibleMember) -> bool {
        match member {
            PossibleMember::Address(address) => self.addresses.contains(*address),
            PossibleMember::Machine(id) | PossibleMember::Interface(id) | PossibleMember::Path(id) => {
                self.others.contains(id)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn types(expression: Value) -> Option<BTreeSet<&'static str>> {
        let expressions = json!([expression]);
        types_of(Some(&expressions), &HashMap::new(), &mut HashSet::new())
    }

    #[test]
    fn paths_permit_the_types_that_their_members_have_in_lists() {
        let vpc = "/orgs/default/projects/dev/vpcs/shop/subnets/web";
        for (path, kind) in [
            (format!("{vpc}/ports/p"), "VpcSubnetPort"),
            (vpc.to_owned(), "VpcSubnet"),
            ("/infra/segments/web/ports/p".to_owned(), "SegmentPort"),
        ] {
            let expression = json!({"resource_type": "PathExpression", "paths": [path]});
            assert_eq!(types(expression), Some(BTreeSet::from([ADDRESS, kind])));
            assert_eq!(type_of(&PossibleMember::Path(path)), Some(kind));
        }
        // Anything may be a member of a group with a group of another tree, or with other objects.
        for path in ["/infra/domains/default/groups/other", "/infra/tier-1s/t1"] {
            let expression = json!({"resource_type": "PathExpression", "paths": [path]});
            assert_eq!(types(expression), None, "{path}");
            assert_eq!(type_of(&PossibleMember::Path(path.to_owned())), None);
        }
    }
}
