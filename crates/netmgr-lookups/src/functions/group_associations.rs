//! The groups that an object is a member of (decision memberships).

use std::sync::Arc;

use netmgr_types::PolicyPath;
use netmgr_types::shapes::given;
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::finding::object_kind::ObjectKind;
use crate::finding::read::{By, FilterCheck, Read};
use crate::finding::tree::Tree;

/// A group.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GroupReference {
    /// Policy path.
    pub path: String,
    /// Display name.
    pub display_name: String,
    /// Whether the group exists.
    pub is_valid: bool,
    /// Type of the object.
    pub target_type: String,
}

/// The groups that an object of the inventory is a member of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GroupAssociations {
    /// The groups, sorted by path.
    pub groups: Vec<GroupReference>,
    /// The object, as in the input: its external id, its address or its path.
    pub id: String,
}

/// The list of groups of an object in this collection of a tree.
pub(crate) const fn associations(collection: &'static str) -> ObjectKind {
    ObjectKind::infra("group", "", collection)
        .listed_with(&[])
        .inventory()
        .without_ids()
}

/// The groups in the list of `kind` in `tree` for the object that `parameter` names by its `member` id. Groups of other
/// projects are not meant.
///
/// Source: `PolicyResourceReferenceForEP` of the VMware NSX policy API.
pub(crate) async fn groups(
    cx: &LookupContext<'_>,
    kind: &'static ObjectKind,
    tree: Tree,
    parameter: &'static str,
    member: &str,
    enforcement_point_path: &Option<String>,
) -> Result<GroupAssociations, Error> {
    let project = tree.project_path();
    let mut read = Read::new(kind, cx.scope, By::All).within(tree);
    read.list_filters.push((parameter, member.to_owned()));
    if let Some(path) = given(enforcement_point_path) {
        read.list_filters
            .push(("enforcement_point_path", path.trim_end_matches('/').to_owned()));
    }
    // Rows do not show which object they belong to.
    read.filter_check = Some(FilterCheck::NONE);
    let keep = |group: &ManagedObject| {
        let is_path = |text: &&str| text.starts_with('/');
        let path = group.text("target_id").filter(is_path).or(group.path());
        let path = path.unwrap_or_default();
        // The id replaces a missing name, as in objects.
        let name = group.text("target_display_name");
        Some(GroupReference {
            path: path.to_owned(),
            display_name: name.unwrap_or(PolicyPath::trusted(path).id()).to_owned(),
            is_valid: group.flag("is_valid").unwrap_or(true),
            target_type: group.text("target_type").unwrap_or_default().to_owned(),
        })
    };
    let read = Arc::new(read);
    let (mut groups, _) = cx.collect_all(&read, usize::MAX, keep).await?;
    if groups.iter().any(|group| group.path.is_empty()) {
        return Err(cx.shortened(&read, "a group has no path".to_owned()));
    }
    groups.retain(|group| {
        let of = Tree::around(&group.path, cx.scope.deployment).and_then(|tree| tree.project_path());
        of.is_none() || of == project
    });
    groups.sort();
    groups.dedup();
    Ok(GroupAssociations {
        groups,
        id: member.to_owned(),
    })
}
