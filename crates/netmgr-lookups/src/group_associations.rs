//! The groups that an object of the inventory is a member of.

use std::sync::Arc;

use netmgr_types::shapes::given;
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::context::LookupContext;
use crate::error::Error;
use crate::read::{By, ObjectKind, Read, RowEvidence};

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

/// A group as the manager sends it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Reference {
    target_id: String,
    target_display_name: Option<String>,
    target_type: Option<String>,
    is_valid: Option<bool>,
}

impl ManagedObject for Reference {
    fn id(&self) -> &str {
        &self.target_id
    }

    fn display_name(&self) -> Option<&str> {
        self.target_display_name.as_deref()
    }

    fn description(&self) -> Option<&str> {
        None
    }

    fn resource_type(&self) -> Option<&str> {
        None
    }
}

/// The groups in the list of `kind` for the object with this external id, which is passed as `parameter`.
pub(crate) async fn groups(
    cx: &LookupContext<'_>,
    kind: &'static ObjectKind,
    parameter: &'static str,
    external_id: &str,
    enforcement_point_path: &Option<String>,
) -> Result<GroupAssociations, Error> {
    let mut read = Read::new(kind, cx.scope(), By::All);
    read.list_filters.push((parameter, external_id.to_owned()));
    if let Some(path) = given(enforcement_point_path) {
        read.list_filters
            .push(("enforcement_point_path", path.trim_end_matches('/').to_owned()));
    }
    // Rows do not show which object they belong to.
    read.shown = Some(RowEvidence {
        value: String::new(),
        by: |_, _| false,
    });
    let keep = |group: Reference| {
        Some(GroupReference {
            path: group.target_id,
            display_name: group.target_display_name.unwrap_or_default(),
            is_valid: group.is_valid.unwrap_or(true),
            target_type: group.target_type.unwrap_or_default(),
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
