//! The groups that an object of the inventory is a member of.

use std::sync::Arc;

use netmgr_types::shapes::given;
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::finding::read::{By, FilterCheck, ObjectKind, Read};

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
    /// External id of the object.
    pub id: String,
}

/// The groups in the list of `kind` for the object with this external id, which is passed as `parameter`.
pub(crate) async fn groups(
    cx: &LookupContext<'_>,
    kind: &'static ObjectKind,
    parameter: &'static str,
    external_id: &str,
    enforcement_point_path: &Option<String>,
) -> Result<GroupAssociations, Error> {
    let mut read = Read::new(kind, cx.scope, By::All);
    read.list_filters.push((parameter, external_id.to_owned()));
    if let Some(path) = given(enforcement_point_path) {
        read.list_filters
            .push(("enforcement_point_path", path.trim_end_matches('/').to_owned()));
    }
    // Rows do not show which object they belong to.
    read.filter_check = Some(FilterCheck {
        value: String::new(),
        by: |_, _| false,
    });
    let keep = |group: &ManagedObject| {
        Some(GroupReference {
            path: group.text("target_id")?.to_owned(),
            display_name: group.text("target_display_name").unwrap_or_default().to_owned(),
            is_valid: group.flag("is_valid").unwrap_or(true),
            target_type: group.text("target_type").unwrap_or_default().to_owned(),
        })
    };
    let mut groups = cx.collect(&Arc::new(read), keep).await?;
    groups.sort();
    groups.dedup();
    Ok(GroupAssociations {
        groups,
        id: external_id.to_owned(),
    })
}
