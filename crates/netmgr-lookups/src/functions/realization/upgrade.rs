//! Checks after an upgrade.

use std::sync::Arc;
use std::time::Duration;

use netmgr_transport::{Get, Reply};
use netmgr_types::wire::ManagedObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{seconds, wait};
use crate::contract::context::LookupContext;
use crate::contract::error::Error;
use crate::finding::object_kind::ObjectKind;
use crate::finding::read::{By, Read};
use crate::wait::{RealizationStage, RealizationState, Wait};

/// Output of `getUpgradePostcheck`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UpgradePostcheck {
    /// Groups in which checks failed, sorted by id.
    pub failed_group: Vec<FailedUpgradeGroup>,
    /// Id of the upgrade run resource and the kind of the components.
    pub id: String,
}

/// A group of components in which checks failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FailedUpgradeGroup {
    /// Details of the checks; empty if there are none.
    pub details: String,
    /// Number of failures and warnings.
    pub failure_count: i64,
    /// Id of the group.
    pub id: String,
    /// Status of the checks.
    pub status: String,
}

/// The checks of groups, as the manager sends them.
#[derive(Debug, Deserialize)]
struct CheckedGroups {
    results: Vec<Value>,
}

/// Status of the checks of a group.
const STATUS: &str = "post_upgrade_status.status";

/// Path of the checks of groups.
const CHECKED_GROUPS: &str = "/api/v1/upgrade/upgrade-unit-groups/aggregate-info";
/// Groups of edges with their checks.
pub(crate) const CHECKED_EDGE_GROUP: ObjectKind =
    ObjectKind::fixed("upgrade group", "", CHECKED_GROUPS).listed_with(&[("component_type", "EDGE")]);
/// Groups of hosts with their checks.
pub(crate) const CHECKED_HOST_GROUP: ObjectKind =
    ObjectKind::fixed("upgrade group", "", CHECKED_GROUPS).listed_with(&[("component_type", "HOST")]);

pub(crate) async fn upgrade_postcheck(
    cx: &LookupContext<'_>,
    run: &str,
    kind: &str,
    delay: &Option<Duration>,
    interval: &Option<Duration>,
    timeout: &Option<Duration>,
) -> Result<UpgradePostcheck, Error> {
    let read = move |reply: &Reply| {
        let body: CheckedGroups = reply.json()?;
        let mut groups = body.results.iter();
        let is_pending = groups.any(|group| group["post_upgrade_status"]["status"] == "IN_PROGRESS");
        Ok(match is_pending {
            true => RealizationState::new("IN_PROGRESS", RealizationStage::Pending),
            false => RealizationState::new("COMPLETED", RealizationStage::Done),
        })
    };
    let what = format!("upgrade check of {kind} groups");
    let path = Get::new(CHECKED_GROUPS).query("component_type", kind);
    let (delay, timeout) = (seconds(delay, 30), seconds(timeout, 1800));
    let checks = Wait {
        interval: Some(seconds(interval, 30)),
        ..Wait::new(what, path, read, delay, timeout)
    };
    wait(cx, checks).await?;
    // A poll reads the first page.
    let groups = match kind {
        "EDGE" => &CHECKED_EDGE_GROUP,
        _ => &CHECKED_HOST_GROUP,
    };
    let failed = |group: &ManagedObject| {
        let count = ["failure_count", "node_with_issues_count"]
            .iter()
            .find_map(|name| group.number(&format!("post_upgrade_status.{name}")))
            .unwrap_or_default();
        let text = |name: &str| group.text(name).unwrap_or_default().to_owned();
        let status = text(STATUS);
        (status != "COMPLETED" || count > 0).then(|| FailedUpgradeGroup {
            details: text("post_upgrade_status.details"),
            failure_count: count,
            id: group.id().to_owned(),
            status,
        })
    };
    let read = Arc::new(Read::new(groups, cx.scope, By::All));
    let mut failed_group = cx.collect(&read, failed).await?;
    failed_group.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(UpgradePostcheck {
        failed_group,
        id: format!("{run}/{kind}"),
    })
}
