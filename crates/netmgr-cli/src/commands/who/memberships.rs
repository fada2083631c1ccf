//! The groups of all answers.
//!
//! A few members are looked up one by one. For many, the members of all groups of a tree are read instead, if that takes
//! fewer requests. The definition of a group, with those of the groups that it contains, shows which of its lists can
//! have members.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use netmgr_lookups::Tree;
use netmgr_lookups::typed::{
    AnyObject, GetPolicyGroupAssociations, GetPolicyGroupMembers, GlobalContext, GroupMember, GroupMembers,
};
use serde_json::Value;

use super::addresses::AddressSet;
use super::answers::{MemberGroup, PossibleMember, WhoAnswer};
use super::lookup;
use super::survey::{INTERFACE, MACHINE, Survey, below};
use crate::failure::CliError;
use crate::session::LookupSession;

/// Maximum number of lookups that run together.
const WINDOW: usize = 4096;
/// Number of members up to which groups are not listed.
const FEW: usize = 8;
const ADDRESS: &str = "IPAddress";

/// Paths of groups with their display names.
type Groups = BTreeMap<String, String>;

/// Adds the groups of each answer.
pub(super) async fn add(
    session: &LookupSession,
    survey: &Survey,
    answers: &mut [WhoAnswer],
) -> Result<(), CliError> {
    let mut trees: BTreeMap<String, (Tree, BTreeSet<PossibleMember>)> = BTreeMap::new();
    for answer in answers.iter() {
        for (base, tree) in &answer.trees {
            let (_, members) = trees
                .entry(base.clone())
                .or_insert_with(|| (tree.clone(), BTreeSet::new()));
            members.extend(
                answer
                    .members
                    .iter()
                    .filter(|member| is_of(member, tree, survey))
                    .cloned(),
            );
        }
    }
    let mut found: HashMap<(String, PossibleMember), Groups> = HashMap::new();
    for (base, (tree, members)) in trees {
        for (member, groups) in groups_of(session, &tree, members).await? {
            found.insert((base.clone(), member), groups);
        }
    }
    for answer in answers {
        let mut groups = Groups::new();
        for base in answer.trees.keys() {
            for member in &answer.members {
                groups.extend(
                    found
                        .get(&(base.clone(), member.clone()))
                        .cloned()
                        .unwrap_or_default(),
                );
            }
        }
        let group = |(path, display_name)| MemberGroup {
            path,
            display_name,
            rules: Vec::new(),
        };
        answer.groups = groups.into_iter().map(group).collect();
    }
    Ok(())
}

/// Whether groups of a tree can have a member. Paths are those of its own objects.
fn is_of(member: &PossibleMember, tree: &Tree, survey: &Survey) -> bool {
    match member {
        PossibleMember::Path(path) => Tree::around(path, survey.deployment).as_ref() == Some(tree),
        _ => true,
    }
}

/// The groups of a tree that have these members.
async fn groups_of(
    session: &LookupSession,
    tree: &Tree,
    members: BTreeSet<PossibleMember>,
) -> Result<Vec<(PossibleMember, Groups)>, CliError> {
    let (listed, alone): (BTreeSet<PossibleMember>, BTreeSet<PossibleMember>) =
        members.into_iter().partition(|member| type_of(member).is_some());
    // Other lookups than that of a path do not reach the groups of a VPC.
    let has_associations = !matches!(tree, Tree::Vpc { .. });
    if listed.len() <= FEW && has_associations {
        return one_by_one(session, tree, listed.into_iter().chain(alone)).await;
    }
    let groups = below(session, &tree.base(), &["Group"]).await?;
    let wanted: BTreeSet<&str> = listed.iter().filter_map(|member| type_of(member)).collect();
    let definitions: HashMap<&str, &AnyObject> =
        groups.iter().map(|group| (group.path.as_str(), group)).collect();
    let lists: Vec<(&AnyObject, Vec<&str>)> = groups
        .iter()
        .map(|group| {
            let possible = possible_types(group, &definitions, &mut HashSet::new());
            let is_possible = |kind: &&str| possible.as_ref().is_none_or(|possible| possible.contains(kind));
            (group, wanted.iter().copied().filter(is_possible).collect())
        })
        .collect();
    let requests: usize = lists.iter().map(|(_, types)| types.len()).sum();
    if requests >= listed.len() && has_associations {
        return one_by_one(session, tree, listed.into_iter().chain(alone)).await;
    }
    let reads = lists.into_iter().filter(|(_, types)| !types.is_empty());
    let reads = reads.map(async |(group, types)| {
        let types: Vec<String> = types.into_iter().map(str::to_owned).collect();
        let read = lookup(
            session,
            GetPolicyGroupMembers::of(&group.path).member_types(types),
        )
        .await;
        read.map(|members| (group, MemberSet::of(members)))
    });
    let sets: Vec<(&AnyObject, MemberSet)> =
        stream::iter(reads).buffer_unordered(WINDOW).try_collect().await?;
    let mut found = one_by_one(session, tree, alone).await?;
    for member in listed {
        let with_member = sets.iter().filter(|(_, set)| set.contains(&member));
        let groups = with_member.map(|(group, _)| (group.path.clone(), group.display_name.clone()));
        found.push((member.clone(), groups.collect()));
    }
    Ok(found)
}

/// The groups of each member, from the manager's own lists.
async fn one_by_one(
    session: &LookupSession,
    tree: &Tree,
    members: impl IntoIterator<Item = PossibleMember>,
) -> Result<Vec<(PossibleMember, Groups)>, CliError> {
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
        let found = lookup(session, groups).await?.groups.into_iter();
        Ok((
            member,
            found.map(|group| (group.path, group.display_name)).collect(),
        ))
    });
    stream::iter(reads).buffer_unordered(WINDOW).try_collect().await
}

/// The type of a member in the lists of groups, if it is in one.
fn type_of(member: &PossibleMember) -> Option<&'static str> {
    match member {
        PossibleMember::Address(_) => Some(ADDRESS),
        PossibleMember::Machine(_) => Some(MACHINE),
        PossibleMember::Interface(_) => Some(INTERFACE),
        PossibleMember::Path(path) => listed_type(path),
    }
}

/// The type of the object at a path in the lists of groups. They have no groups.
fn listed_type(path: &str) -> Option<&'static str> {
    GroupMember::type_at(path).filter(|kind| *kind != "Group")
}

/// The types of members that the definition of a group permits; `None` for all.
///
/// Source: the clients in `services/nsxt/infra/domains/groups/members` of vmware/vsphere-automation-sdk-go. Virtual
/// machines are listed for groups with members of this type, interfaces also for groups of machines, and addresses for
/// groups of machines, interfaces, segments, ports and addresses. Other lists are empty.
fn possible_types<'a>(
    group: &'a AnyObject,
    definitions: &HashMap<&str, &'a AnyObject>,
    above: &mut HashSet<&'a str>,
) -> Option<BTreeSet<&'static str>> {
    let mut types = BTreeSet::new();
    if !above.insert(&group.path) {
        return Some(types);
    }
    let expressions = group.object.get("expression").and_then(Value::as_array);
    for expression in expressions.into_iter().flatten() {
        types.extend(types_of(expression, definitions, above)?);
    }
    above.remove(&*group.path);
    // Every member is also translated to its addresses.
    if !types.is_empty() {
        types.insert(ADDRESS);
    }
    Some(types)
}

fn types_of<'a>(
    expression: &'a Value,
    definitions: &HashMap<&str, &'a AnyObject>,
    above: &mut HashSet<&'a str>,
) -> Option<BTreeSet<&'static str>> {
    let member_type = expression["member_type"].as_str().unwrap_or_default();
    let items = |name: &str| expression[name].as_array().into_iter().flatten();
    Some(match expression["resource_type"].as_str()? {
        "ConjunctionOperator" | "IdentityGroupExpression" => BTreeSet::new(),
        "IPAddressExpression" => BTreeSet::from([ADDRESS]),
        "Condition" | "ExternalIDExpression" => match member_type {
            // An interface of a machine is a member with the machine, and a port with its segment.
            MACHINE => BTreeSet::from([MACHINE]),
            INTERFACE => BTreeSet::from([INTERFACE]),
            "Segment" => BTreeSet::from(["Segment"]),
            "SegmentPort" => BTreeSet::from(["SegmentPort"]),
            _ => return None,
        },
        "NestedExpression" => {
            let mut types = BTreeSet::new();
            for inner in items("expressions") {
                types.extend(types_of(inner, definitions, above)?);
            }
            types
        }
        "PathExpression" => {
            let mut types = BTreeSet::new();
            for path in items("paths").filter_map(Value::as_str) {
                match definitions.get(path) {
                    Some(group) => types.extend(possible_types(group, definitions, above)?),
                    None => types.extend([listed_type(path)?]),
                }
            }
            types
        }
        _ => return None,
    })
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

    fn types(expression: &Value) -> Option<BTreeSet<&'static str>> {
        types_of(expression, &HashMap::new(), &mut HashSet::new())
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
            assert_eq!(types(&expression), Some(BTreeSet::from([kind])));
            assert_eq!(type_of(&PossibleMember::Path(path)), Some(kind));
        }
        // Anything may be a member of a group with a group of another tree, or with other objects.
        for path in ["/infra/domains/default/groups/other", "/infra/tier-1s/t1"] {
            let expression = json!({"resource_type": "PathExpression", "paths": [path]});
            assert_eq!(types(&expression), None, "{path}");
            assert_eq!(type_of(&PossibleMember::Path(path.to_owned())), None);
        }
    }
}
